// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include <ATen/ATen.h>

namespace stillroom::distillation::test {

/// tests/data/distillation/NAME.json, written by tests/golden/distillation/goldens.py.
[[nodiscard]] nlohmann::json golden(const std::string &name);
[[nodiscard]] at::Tensor tensorOf(const nlohmann::json &values, const std::vector<std::int64_t> &shape, at::ScalarType type);
/// Largest |a - b|, and that over the largest |b|.
[[nodiscard]] double largestDifference(const at::Tensor &a, const at::Tensor &b);
[[nodiscard]] double relativeDifference(const at::Tensor &a, const at::Tensor &b);
/// Normal numbers from a generator of their own.
[[nodiscard]] at::Tensor normal(const std::vector<std::int64_t> &shape, std::uint64_t seed, at::ScalarType type = at::kFloat);

}  // namespace stillroom::distillation::test
