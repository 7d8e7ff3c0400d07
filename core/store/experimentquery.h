// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "store/experimentrows.h"

#include <functional>
#include <string>
#include <vector>

namespace stillroom::store {

/// What a person types to find experiments: parts between spaces that must all hold ("a b" in quotes is one and no field, -part must not hold).
///
///     demo                word in name, notes, tags, kind, status, teacher, mixer, selector, stage, or at the front of the UUID; whatever the case
///     tag:baseline        in that text field; "kind", "status", "name", "notes", "teacher", "mixer" (or "probe"), "selector", "stage" likewise
///     is:locked           one of its marks, "locked" or "pinned", or how it stands: "running", "finished", "failed", …; locked: and pinned: are short for it
///     teacher=demo        the whole of it; a teacher's path, or its short name
///     kl<0.2              a number: "k", "seed", "tokens", "seconds", "kl", "perplexity", "recall" or any other measure; <, <=, >, >=, =, !=
///
/// An experiment that lacks a number is not found by it. A look at a model (kind inspect), which every opening leaves behind, is found only where a kind is asked for, or
/// where somebody named, tagged, pinned, locked or annotated it.
class ExperimentQuery final {
public:
    ExperimentQuery() = default;
    /// \param measures  that there are, by their names in results; "kl" stands for "kl_nats" and so on.
    /// \param moreStates  words of the reader for marks and states, beside the store's own
    /// \throws Error(Usage) naming the part that cannot be understood, and the nearest field or all of them; or a state that there is not, and those that there are
    explicit ExperimentQuery(const std::string &text, const std::vector<std::string> &measures = {}, const std::vector<std::string> &moreStates = {});

    /// The texts that a reader sees of a field ("status", "kind", …), in the place of the store's own; empty: the store's.
    using Shown = std::function<std::vector<std::string>(const ExperimentRow &row, const std::string &field)>;
    /// \param shown  where a table says it in other words than the store: a job that waits in a queue is "paused", whatever its last word in the store was
    [[nodiscard]] bool matches(const ExperimentRow &row, const Shown &shown = {}) const;
    [[nodiscard]] bool isEmpty() const { return m_parts.empty(); }
    /// What may stand before ":", "=" or "<".
    [[nodiscard]] static std::vector<std::string> fields(const std::vector<std::string> &measures);
    /// What may stand behind "is:", in the store's words.
    [[nodiscard]] static std::vector<std::string> states();

private:
    enum class Relation { Holds, Equals, Differs, Below, AtMost, Above, AtLeast };
    struct Part {
        std::string field;        ///< empty: any text
        Relation relation = Relation::Holds;
        std::string text;         ///< in lower case
        double number = 0.0;
        bool negated = false;
    };
    [[nodiscard]] static Part parse(const std::string &word, const std::vector<std::string> &measures);
    static void checkState(const Part &part, const std::vector<std::string> &moreStates);
    [[nodiscard]] static bool holds(const Part &part, const ExperimentRow &row, const Shown &shown);

    std::vector<Part> m_parts;
};

}  // namespace stillroom::store
