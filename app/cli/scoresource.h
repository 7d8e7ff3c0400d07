// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace stillroom::cli {

/// What tells the scoring in a file from others: the key of the stage whose folder holds it, else where the file lies, whatever way led there.
[[nodiscard]] std::string keyOfFile(const std::filesystem::path &file);

/// The JSON that a pipe or standard input gives (isPipe): once, as it can be read once. \throws Error(BadFile), Error(Usage) as readText
[[nodiscard]] nlohmann::json readPiped(const std::string &source);

/// Scores that were read from such a source, as scoresFrom gives them. \throws Error(BadFile | Usage)
[[nodiscard]] nlohmann::json pipedScores(nlohmann::json read, const std::string &source, const std::string &selector, const std::filesystem::path &workspace);

/// {"scores", "num_layers", "key": what tells this scoring from others; "spec": of a RUN, as it is stored; "curves": the file with every sequence, where there is one; "data": what it was measured on, where the stage says it; "notes": at least what earlyStopText reads, where it stopped early} from what a person may name: a JSON file that `score` printed, a pipe or "-" that gives one, the key of a score stage, or a RUN of the workspace
/// (a UUID, a unique prefix or a name), also as RUN:SELECTOR or RUN:SELECTOR:MIXER. \param selector  of a run with several; empty: what the run's spec is about.
/// \throws Error(BadFile | Usage)
[[nodiscard]] nlohmann::json scoresFrom(const std::string &source, const std::string &selector, const std::filesystem::path &workspace);

}  // namespace stillroom::cli
