// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

namespace stillroom::test {

/// A made-up value that tells heads apart: 100 · layer + head.
inline double placeValue(int layer, int head) { return 100.0 * layer + head; }

/// A report of all layers as the compute rooms write it; look-back is placeValue + 1, half-lives double in phase 1, sinks in the last layer's head 0, scales at the floor in layer 1.
nlohmann::json madeUpReport(int layerCount, int headCount, int stateCount);

/// Commits the stage of a calibration with this report, or with these bytes in its place. \return its key
std::string commitCalibration(const std::filesystem::path &workspace, int number, const std::string &reportText, const nlohmann::json &maps = {}, int mapsLayer = 0);

/// A finished run of the teacher "demo" that made that stage, with the curves of two layers.
void writeCalibration(const std::filesystem::path &workspace, int number, const std::string &key);

}  // namespace stillroom::test
