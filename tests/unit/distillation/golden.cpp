// SPDX-License-Identifier: GPL-3.0-or-later
#include "golden.h"
#include "testdata.h"

#include <fstream>
#include <stdexcept>

#include <ATen/CPUGeneratorImpl.h>

namespace stillroom::distillation::test {

nlohmann::json golden(const std::string &name)
{
    std::ifstream file(stillroom::test::testData().string() + "/distillation/" + name + ".json");
    if (!file)
        throw std::runtime_error("tests/data/distillation/" + name + ".json is missing");
    return nlohmann::json::parse(file);
}

at::Tensor tensorOf(const nlohmann::json &values, const std::vector<std::int64_t> &shape, at::ScalarType type)
{
    return at::tensor(values.get<std::vector<double>>(), at::kDouble).reshape(shape).to(type);
}

double largestDifference(const at::Tensor &a, const at::Tensor &b)
{
    return (a.to(at::kDouble) - b.to(at::kDouble)).abs().max().item<double>();
}

double relativeDifference(const at::Tensor &a, const at::Tensor &b)
{
    return largestDifference(a, b) / b.to(at::kDouble).abs().max().item<double>();
}

at::Tensor normal(const std::vector<std::int64_t> &shape, std::uint64_t seed, at::ScalarType type)
{
    return at::randn(shape, at::detail::createCPUGenerator(seed), at::TensorOptions().dtype(at::kDouble)).to(type);
}

}  // namespace stillroom::distillation::test
