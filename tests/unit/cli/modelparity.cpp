// SPDX-License-Identifier: GPL-3.0-or-later
// forward, generate and perplexity of the built program against what transformers wrote for a tiny model of every family.
// Shapes: B rows, T tokens, V vocabulary.
#include "checkpoint/tensorsource.h"
#include "cli/program.h"
#include "nn/tensorfile.h"
#include "nn/tinymodel.h"
#include "reducedtests.h"
#include "temporaryfolder.h"
#include "testdata.h"

#include <ATen/ATen.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

namespace modelparity_tests {

using namespace stillroom;
using nlohmann::json;
using stillroom::test::Answer;
using stillroom::test::runProgram;
namespace fs = std::filesystem;

namespace {

constexpr double parityTolerance = 1e-4;       // DESIGN: max|a - b| <= 1e-4 · max|b| per tensor
constexpr std::int64_t promptTokens = 6;       // of `generated`, as make_models.py has it

std::string bytesOf(const fs::path &file)
{
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<fs::path> models()
{
    std::vector<fs::path> folders;
    for (const auto &entry : fs::directory_iterator(test::testData() / "nn/models"))
        folders.push_back(entry.path());
    std::sort(folders.begin(), folders.end());
    REQUIRE(folders.size() == 11);
    std::vector<fs::path> some;
    for (std::size_t i = 0, step = reducedStep(5); i < folders.size(); i += step)
        some.push_back(folders[i]);
    return some;
}

/// One golden model, and calls of the program on it.
class Golden final {
public:
    explicit Golden(const fs::path &model) : m_model(model), m_values(checkpoint::openSafetensors(model / "golden.safetensors")) {}
    [[nodiscard]] at::Tensor operator[](const std::string &name) const { return nn::readTensor(*m_values, name); }
    [[nodiscard]] std::set<std::string> names(const std::string &start) const
    {
        std::set<std::string> found;
        for (const auto &info : m_values->tensors())
            if (info.name.starts_with(start))
                found.insert(info.name);
        return found;
    }
    /// What `forward` writes for these tokens.
    [[nodiscard]] std::shared_ptr<const checkpoint::TensorSource> forward(const nn::NamedTensors &tokens, const std::vector<std::string> &options) const
    {
        const std::string out = (m_folder.path() / "out.safetensors").string();
        const Answer answer = call("forward", tokens, options, {"--out", out});
        CHECK(answer.out.empty());
        return checkpoint::openSafetensors(out);
    }
    [[nodiscard]] Answer call(const std::string &command, const nn::NamedTensors &tokens, const std::vector<std::string> &options, const std::vector<std::string> &more = {}) const
    {
        const std::string in = (m_folder.path() / "in.safetensors").string();
        nn::writeTensors(in, tokens);
        std::vector<std::string> words{command, m_model.string(), "--tokens", in, "--device", "cpu", "--workspace", m_folder.path().string()};
        words.insert(words.end(), options.begin(), options.end());
        words.insert(words.end(), more.begin(), more.end());
        Answer answer = runProgram(words);
        CAPTURE(answer.err);
        REQUIRE(answer.status == 0);
        return answer;
    }

private:
    fs::path m_model;
    std::shared_ptr<const checkpoint::TensorSource> m_values;
    TemporaryFolder m_folder;
};

void compare(const at::Tensor &ours, const at::Tensor &golden, const std::string &name)
{
    CAPTURE(name);
    CHECK(test::relativeError(ours, golden) <= parityTolerance);
}

std::set<std::string> namesIn(const checkpoint::TensorSource &file, const std::string &start)
{
    std::set<std::string> found;
    for (const auto &info : file.tensors())
        if (info.name.starts_with(start))
            found.insert(info.name);
    return found;
}

/// The new ids of each row of `all_BT`, which holds prompts of `width` tokens first.
json continuations(const at::Tensor &all_BT, std::int64_t width)
{
    json rows = json::array();
    for (std::int64_t row = 0; row < all_BT.size(0); ++row) {
        json ids = json::array();
        for (std::int64_t at = width; at < all_BT.size(1); ++at)
            ids.push_back(all_BT[row][at].item<std::int64_t>());
        rows.push_back(ids);
    }
    return rows;
}

json idsOf(const json &document)
{
    json rows = json::array();
    for (const json &one : document.is_array() ? document : json::array({document}))
        rows.push_back(one.at("ids"));
    return rows;
}

}  // namespace

TEST_CASE("forward writes transformers' logits, hidden states, attention outputs and gradients under the checkpoint's names")
{
    for (const fs::path &model : models()) {
        CAPTURE(model.filename().string());
        const Golden golden(model);
        const auto written = golden.forward({{"input_ids", golden["input_ids"]}}, {"--hidden", "--attention-outputs", "--grads"});
        for (const char *start : {"logits", "hidden_states.", "attn_output.", "loss", "grad."}) {
            CHECK(namesIn(*written, start) == golden.names(start));
            CHECK_FALSE(golden.names(start).empty());
            for (const std::string &name : golden.names(start))
                compare(nn::readTensor(*written, name), golden[name], name);
        }
    }
}

TEST_CASE("forward writes nothing that nobody asked for")
{
    const Golden golden(models().front());
    const auto plain = golden.forward({{"input_ids", golden["input_ids"]}}, {});
    CHECK(namesIn(*plain, "") == std::set<std::string>{"logits"});
    compare(nn::readTensor(*plain, "logits"), golden["logits"], "logits alone");
}

TEST_CASE("forward never takes the place of what it reads")
{
    const TemporaryFolder folder;
    const fs::path model = folder.path() / "model", weights = model / "model.safetensors", tokens = folder.path() / "tokens.safetensors";
    fs::copy(models().front(), model);
    fs::copy_file(model / "golden.safetensors", tokens);
    for (const fs::path &out : {weights, model / "config.json", tokens}) {
        const std::string before = bytesOf(out);
        const Answer answer = runProgram({"forward", model.string(), "--tokens", tokens.string(), "--out", out.string(), "--workspace", folder.path().string()});
        CAPTURE(answer.err);
        CHECK(answer.status == 2);
        CHECK(answer.err.find("names a file that is read") != std::string::npos);
        CHECK((bytesOf(out) == before));      // not printed: they are weights
    }
}

TEST_CASE("forward reads attention_mask: rows with padding in front give the values and the gradients of the row without")
{
    for (const fs::path &model : models()) {
        CAPTURE(model.filename().string());
        const Golden golden(model);
        const at::Tensor ids_T = golden["input_ids"][0];
        const std::int64_t length = ids_T.size(0), width = length + 5;
        at::Tensor ids_BT = at::zeros({2, width}, at::kLong), mask_BT = at::zeros({2, width}, at::kLong);
        for (std::int64_t row = 0; row < 2; ++row) {
            ids_BT[row].fill_(7 + row);                                      // what stands in the padding must not matter
            ids_BT[row].narrow(0, 5 - 2 * row, length).copy_(ids_T);
            ids_BT[row].narrow(0, 0, 5 - 2 * row).fill_(7 + row);
            mask_BT[row].narrow(0, 5 - 2 * row, length).fill_(1);            // the second row has 3 in front and 2 behind
        }
        const auto written = golden.forward({{"input_ids", ids_BT}, {"attention_mask", mask_BT}}, {"--hidden", "--attention-outputs", "--grads"});
        for (const char *start : {"logits", "hidden_states.", "attn_output."})
            for (const std::string &name : golden.names(start)) {
                const at::Tensor values = nn::readTensor(*written, name);
                for (std::int64_t row = 0; row < 2; ++row)
                    compare(values[row].narrow(0, 5 - 2 * row, length).unsqueeze(0), golden[name], name + ", row " + std::to_string(row));
            }
        for (const char *start : {"loss", "grad."})                         // both rows have the same loss, so its mean is that of one
            for (const std::string &name : golden.names(start))
                compare(nn::readTensor(*written, name), golden[name], name);
    }
}

TEST_CASE("generate prints transformers' greedy ids, with and without cache, alone and padded on the left")
{
    for (const fs::path &model : models()) {
        CAPTURE(model.filename().string());
        const Golden golden(model);
        const at::Tensor generated_BT = golden["generated"], padded_BT = golden["padded_generated"];
        const std::int64_t width = golden["padded_ids"].size(1);
        const nn::NamedTensors one{{"input_ids", generated_BT.narrow(1, 0, promptTokens).contiguous()}};
        const nn::NamedTensors two{{"input_ids", golden["padded_ids"]}, {"attention_mask", golden["padded_mask"]}};
        const std::string count = std::to_string(generated_BT.size(1) - promptTokens);
        REQUIRE(padded_BT.size(1) - width == generated_BT.size(1) - promptTokens);
        std::vector<std::string> options{"-n", count, "--ignore-eos", "--json"};
        const json alone = golden.call("generate", one, options).json();
        CHECK(alone.is_object());
        CHECK(alone.at("text") == "");                                      // there is no tokenizer beside these models
        CHECK(idsOf(alone) == continuations(generated_BT, promptTokens));
        CHECK(idsOf(golden.call("generate", two, options).json()) == continuations(padded_BT, width));
        options.push_back("--no-cache");
        CHECK(idsOf(golden.call("generate", one, options).json()) == continuations(generated_BT, promptTokens));
    }
}

TEST_CASE("perplexity is that of transformers' logits, summed in float64")
{
    for (const fs::path &model : models()) {
        CAPTURE(model.filename().string());
        const Golden golden(model);
        const at::Tensor ids_T = golden["input_ids"][0];
        const std::int64_t predicted = ids_T.size(0) - 1;
        const at::Tensor logP_TV = golden["logits"][0].narrow(0, 0, predicted).to(at::kDouble).log_softmax(1);
        const double nats = -logP_TV.gather(1, ids_T.narrow(0, 1, predicted).unsqueeze(1)).mean().item<double>();
        const json answer = golden.call("perplexity", {{"input_ids", golden["input_ids"]}}, {"--window", std::to_string(ids_T.size(0)), "--json"}).json();
        CHECK(answer.at("tokens") == predicted);
        CHECK(std::abs(answer.at("nats_per_token").get<double>() - nats) <= parityTolerance * nats);
        CHECK(std::abs(answer.at("perplexity").get<double>() - std::exp(nats)) <= parityTolerance * std::exp(nats) * std::max(nats, 1.0));
        CHECK(answer.at("convention").get<std::string>().find(std::to_string(ids_T.size(0))) != std::string::npos);
        CHECK(answer.at("unknown_tokens") == 0);      // exact ids have no words to be unknown
        CHECK(answer.size() == 5);
    }
}

}  // namespace modelparity_tests
