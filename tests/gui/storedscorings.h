// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiment/score.h"

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace stillroom::test {

/// Writes a finished score run of the teacher "demo" into a workspace, line by line, as a job does; a Session that opens the workspace takes it in.
/// \param more  fields of its spec. \param result  what it says at its end. \param curves  a file with its values by sequence, of which its artifact gets a copy; empty: it has no artifact
void writeScoring(const std::filesystem::path &workspace, int number, const std::vector<experiment::LayerScore> &evaluations, std::int64_t seed = 1,
                  const nlohmann::json &more = nlohmann::json::object(), const std::string &result = "{}", const std::filesystem::path &curves = {});

experiment::LayerScore klScore(const std::string &selector, int layer, double kl, double se, std::int64_t tokens);

/// The evaluations of tests/data/selection/smollm2-gdn-curves.json: measured curves of 30 layers, means and standard errors over their sequences.
std::vector<experiment::LayerScore> measuredEvaluations(const std::filesystem::path &file, const std::string &selector = "ga-s2");

}  // namespace stillroom::test
