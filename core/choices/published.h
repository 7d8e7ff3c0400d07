// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiment/score.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

/// Layer sets that others published, to compare with or to build. They come from resources/published/layersets.json, which names the source of each.
namespace stillroom::choices {

struct PublishedTeacher {
    std::string name;                 ///< "qwen2.5-3b"
    std::string model;                ///< "Qwen2.5-3B-Instruct"
    int numLayers = 0;
    std::int64_t hiddenSize = 0;
};

struct PublishedSet {
    std::string teacher, probe;       ///< probe: the mixer of the students it was published for
    std::string budget;               ///< percent of the layers as published ("12.5"), or "k10" where only the number is
    std::string selector;
    experiment::Ranking layers;       ///< in the order of the source
    bool ranked = false;              ///< the order is the order of rank, so that a part of it is the set for a smaller K
    int numLayers = 0;                ///< of the teacher
    std::string source;               ///< repository, commit and file
    std::string note;                 ///< what to know before use; may be empty

    [[nodiscard]] std::string name() const;      ///< "published:TEACHER/PROBE/BUDGET/SELECTOR"
    [[nodiscard]] experiment::LayerSet set() const;
};

class PublishedSets final {
public:
    /// \throws Error(BadFile) in one sentence for what is not such a table, a layer outside its teacher or a name that stands twice.
    explicit PublishedSets(const std::filesystem::path &file);
    /// The table that the program ships, read once. \throws Error(BadFile)
    [[nodiscard]] static const PublishedSets &shipped();

    [[nodiscard]] const std::vector<PublishedTeacher> &teachers() const { return m_teachers; }
    /// By teacher, probe, budget, selector, in the order of the table.
    [[nodiscard]] const std::vector<PublishedSet> &sets() const { return m_sets; }
    /// The teacher of this shape, or null: published sets are selectors of their own teacher only.
    [[nodiscard]] const PublishedTeacher *teacherOf(int numLayers, std::int64_t hiddenSize) const;
    [[nodiscard]] std::vector<PublishedSet> setsOf(const PublishedTeacher &teacher) const;

    /// \param name  TEACHER/PROBE/BUDGET/SELECTOR with or without "published:" before it. Each part may be written as here or as in the source
    /// (qwen2_3b/gdn_v4/0.25/ga_s2); BUDGET in percent (25, 25%, 0.25), or the number of kept layers (k9).
    /// \throws Error(Usage) naming the part that is unknown and the nearest one that is not.
    [[nodiscard]] const PublishedSet &find(std::string_view name) const;

private:
    struct Word {
        std::string name;
        std::vector<std::string> also;
    };
    [[nodiscard]] static std::string known(const std::vector<Word> &words, const std::string &text, const char *what);

    std::vector<PublishedTeacher> m_teachers;
    std::vector<Word> m_teacherWords, m_probeWords, m_selectorWords;
    std::vector<PublishedSet> m_sets;
};

inline constexpr std::string_view publishedPrefix = "published:";
[[nodiscard]] inline bool isPublishedName(std::string_view text) { return text.starts_with(publishedPrefix); }

}  // namespace stillroom::choices
