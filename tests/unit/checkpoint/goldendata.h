// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkpoint/boundedjson.h"
#include "checkpoint/tensorsource.h"
#include "testdata.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

/// Files that tests/golden/checkpoint/make_checkpoint_goldens.py wrote.
inline std::filesystem::path goldenPath(const std::string &name) {
    return stillroom::test::testData() / "checkpoint" / name;
}

/// All values of a tensor as float32.
inline std::vector<float> allFloats(const stillroom::checkpoint::TensorSource &source, const std::string &name) {
    std::vector<float> values(static_cast<std::size_t>(source.find(name)->numElements()));
    source.readFloat32(name, values);
    return values;
}
