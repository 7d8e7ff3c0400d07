// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "procedures/scoringstage.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace stillroom::procedures {

/// Pieces of a selector's work that are kept as soon as they are done, each as an artifact of its own: a stage that was broken off, or one that asks for
/// more layers, computes only what is missing.
class PartialResults final {
public:
    /// \param without  fields of the spec that change no piece, beside `layers`
    PartialResults(const ScoringStage &stage, const StageRun &run, const std::vector<std::string> &without);

    /// \param piece  names it within the work. Empty when it is not there, cannot be read, or everything is to be computed anew.
    [[nodiscard]] std::optional<nlohmann::json> find(const std::string &piece) const;
    void keep(const std::string &piece, const nlohmann::json &value) const;

private:
    [[nodiscard]] std::string keyOf(const std::string &piece) const;

    const StageRun &m_run;
    std::string m_work;           ///< key of all that the pieces have in common
};

}  // namespace stillroom::procedures
