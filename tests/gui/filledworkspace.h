// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace stillroom::test {

/// A finished distillation of the teacher "demo", with a curve and measures.
void writeDistillation(const std::filesystem::path &workspace, int number, const std::vector<int> &keep, int seed, const std::string &name, double kl);

/// Two scorings of six layers in three evaluations each, four distillations, a calibration: something for every page to show. The same bytes every time.
void fillWorkspace(const std::filesystem::path &workspace);

}  // namespace stillroom::test
