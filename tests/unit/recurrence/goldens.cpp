// SPDX-License-Identifier: GPL-3.0-or-later
// Against implementations that are not ours: tests/golden/recurrence/make_goldens.py, and the shared gated-delta-rule file where it is present.
#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <map>

#include "checkpoint/tensorsource.h"
#include "recurrence/reference.h"
#include "testdata.h"

using namespace stillroom;
using namespace stillroom::recurrence;
using namespace stillroom::recurrence::testing;

namespace {

/// What a reference took, as leaves that collect gradients, and what it gave.
class Case {
public:
    Case(const checkpoint::TensorSource &source, const std::string &name) : m_source(source), m_name(name) {}

    [[nodiscard]] at::Tensor read(const std::string &tensor) const {
        const auto *info = m_source.find(m_name + "." + tensor);
        REQUIRE_MESSAGE(info != nullptr, m_name << "." << tensor);
        std::vector<float> values(static_cast<std::size_t>(info->numElements()));
        m_source.readFloat32(info->name, values);
        return at::tensor(values, at::kFloat).view(info->shape);
    }
    at::Tensor &leaf(const std::string &tensor) {
        auto &x = m_leaves[tensor];
        if (!x.defined())
            x = read(tensor).set_requires_grad(true);
        return x;
    }
    [[nodiscard]] bool has(const std::string &tensor) const { return m_source.find(m_name + "." + tensor) != nullptr; }

    void check(const Outputs &outputs, double tolerance) {
        CAPTURE(m_name);
        CHECK(relativeError(outputs.o_BTHV, read("o")) <= tolerance);
        CHECK(relativeError(outputs.finalState_BHKV, read("final_state")) <= tolerance);
        auto loss = (outputs.o_BTHV * read("do")).sum();
        if (has("dfinal_state"))
            loss = loss + (outputs.finalState_BHKV * read("dfinal_state")).sum();
        loss.backward();
        for (const auto &[tensor, x] : m_leaves) {
            CAPTURE(tensor);
            CHECK(relativeError(x.grad(), read("d" + tensor)) <= tolerance);
        }
    }

private:
    const checkpoint::TensorSource &m_source;
    std::string m_name;
    std::map<std::string, at::Tensor> m_leaves;
};

at::Tensor scaledQuery(const at::Tensor &q) { return q / std::sqrt(static_cast<double>(q.size(-1))); }

void useDeltaRule(Inputs &inputs, const at::Tensor &key, const at::Tensor &beta) {
    inputs.k_BTHK = key * beta.unsqueeze(3);
    const auto decay = inputs.g.defined() ? inputs.g.exp() : at::ones({1}, key.options());
    inputs.a_BTHK = -key * (decay.dim() == 3 ? decay.unsqueeze(3) : decay);
}

void checkReference(const checkpoint::TensorSource &source, const std::string &name) {
    Case reference(source, name);
    Inputs inputs;
    inputs.q_BTHK = scaledQuery(reference.leaf("q"));
    inputs.k_BTHK = reference.leaf("k");
    inputs.v_BTHV = reference.leaf("v");
    inputs.initialState_BHKV = reference.leaf("initial_state");
    if (reference.has("g"))
        inputs.g = reference.leaf("g");
    if (reference.has("alpha")) {
        inputs.a_BTHK = reference.leaf("alpha");
        inputs.b_BTHK = reference.leaf("beta");
    } else if (reference.has("beta")) {
        useDeltaRule(inputs, reference.leaf("k"), reference.leaf("beta"));
    }
    if (name == "rwkv6")
        inputs.read = Read::BeforeWrite;
    reference.check(chunked(inputs), 2e-5);
}

}  // namespace

TEST_CASE("outputs, states and gradients meet the torch references of transformers and flash-linear-attention") {
    const auto source = checkpoint::openSafetensors(stillroom::test::testData() / "recurrence" / "references.safetensors");
    for (const auto *name : {"gated_delta_rule", "gla", "kda", "delta_rule", "simple_gla", "dplr", "rwkv6"})
        checkReference(*source, name);
}

TEST_CASE("the shared gated-delta-rule values are met, L2 norm of q and k included") {
    const auto file = stillroom::test::sharedData() / "golden" / "ops" / "gated_delta_rule.safetensors";
    if (!std::filesystem::exists(file)) {
        MESSAGE("skipped: " << file.string() << " is not there");
        return;
    }
    const auto source = checkpoint::openSafetensors(file);
    for (const auto *name : {"a", "b", "strong_decay"}) {
        Case reference(*source, name);
        const auto unit = [](const at::Tensor &x) { return x * (x.square().sum(-1, true) + 1e-6).rsqrt(); };
        Inputs inputs;
        inputs.q_BTHK = scaledQuery(unit(reference.leaf("q")));
        inputs.v_BTHV = reference.leaf("v");
        inputs.g = reference.leaf("g");
        useDeltaRule(inputs, unit(reference.leaf("k")), reference.leaf("beta"));
        reference.check(chunked(inputs), 1e-4);
    }
}
