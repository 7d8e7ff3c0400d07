// SPDX-License-Identifier: GPL-3.0-or-later
// Damaged GGUF files: as a model and as a tokenizer.
#include "hostilefiles.h"
#include "text/ggufarrays.h"
#include "wholefiles.h"

namespace {

namespace fs = std::filesystem;
using stillroom::text::test::rawBytes;

const std::vector<std::uint64_t> strangeSizes{0,          1,          2,          3,          31,         33,         255,  4096,        4097,         1ULL << 16,       1ULL << 20, 1ULL << 31, 1ULL << 32,
                                              1ULL << 60, 1ULL << 61, 1ULL << 62, 1ULL << 63, (1ULL << 63) - 1, ~0ULL, ~0ULL - 31,  ~0ULL - 7};

std::string lowBytes(std::uint64_t value, std::size_t bytes)
{
    return rawBytes(value).substr(0, bytes);
}

/// Everything before the tensors' data.
std::size_t headerBytes()
{
    auto file = whole::gguf();
    for (auto &tensor : file.tensors)
        tensor.bytes.clear();
    return file.bytes().size();
}

std::string changedGguf(Draw &draw, const std::function<void(GgufBuilder &, Draw &)> &change)
{
    auto file = whole::gguf();
    change(file, draw);
    return file.bytes();
}

GgufBuilder::Tensor &anyTensor(GgufBuilder &file, Draw &draw)
{
    return file.tensors[draw.below(file.tensors.size())];
}

const std::vector<std::string> listKeys{"tokenizer.ggml.tokens", "tokenizer.ggml.scores", "tokenizer.ggml.token_type", "tokenizer.ggml.merges"};

/// Lengths of texts, names and tensors.
void changeLength(GgufBuilder &file, Draw &draw)
{
    switch (draw.below(4)) {
    case 0: file.setRaw("general.name", 8, rawBytes(draw.oneOf(strangeSizes)) + "name"); break;
    case 1: anyTensor(file, draw).name = std::string(draw.oneOf(std::vector<std::size_t>{0, 64, 65, 5'000, 3'000'000}), 'x'); break;
    case 2: file.setText("tokenizer.ggml.pre", std::string(draw.oneOf(std::vector<std::size_t>{0, 100, 5'000'000}), 'y')); break;
    default: file.setRaw("tokenizer.ggml.tokens", 9, rawBytes(std::uint32_t{8}) + rawBytes(std::uint64_t{2}) + rawBytes(draw.oneOf(strangeSizes)) + "ab"); break;
    }
}

/// How many keys, tensors, values and dimensions there are, and how many the file claims.
void changeCount(GgufBuilder &file, Draw &draw)
{
    switch (draw.below(6)) {
    case 0: file.claimedKeys = draw.oneOf(strangeSizes); break;
    case 1: file.claimedTensors = draw.oneOf(strangeSizes); break;
    case 2: file.setRaw(draw.oneOf(listKeys), 9, rawBytes(static_cast<std::uint32_t>(draw.below(14))) + rawBytes(draw.oneOf(strangeSizes)) + std::string(draw.below(64), '\0')); break;
    case 3: anyTensor(file, draw).extents.resize(draw.oneOf(std::vector<std::size_t>{0, 1, 2, 3, 4, 5, 8, 100, 10'000}), 1); break;
    case 4: file.metadata.erase(file.metadata.begin() + static_cast<std::ptrdiff_t>(draw.below(file.metadata.size()))); break;
    default:
        for (std::size_t i = draw.oneOf(std::vector<std::size_t>{1, 1'000, 50'000}); i > 0; --i)
            file.metadata.emplace_back("key" + std::to_string(i), rawBytes(std::uint32_t{0}) + "x");
        break;
    }
}

void changeType(GgufBuilder &file, Draw &draw)
{
    if (draw.below(2) == 0) {
        auto &value = file.metadata[draw.below(file.metadata.size())].second;
        value.replace(0, 4, rawBytes(static_cast<std::uint32_t>(draw.below(3) == 0 ? draw.bits() : draw.below(14))));
    } else {
        anyTensor(file, draw).type = static_cast<std::uint32_t>(draw.below(4) == 0 ? draw.bits() : draw.below(44));
    }
}

/// Arrays in arrays, which the format allows and no model has.
void nest(GgufBuilder &file, Draw &draw)
{
    std::string value;
    for (auto depth = draw.oneOf(std::vector<std::size_t>{1, 2, 10, 1'000, 100'000, 500'000}); depth > 0; --depth)
        value += rawBytes(std::uint32_t{9}) + rawBytes(std::uint64_t{1});
    file.setRaw(draw.below(2) == 0 ? "deep" : draw.oneOf(listKeys), 9, value + rawBytes(std::uint32_t{4}) + rawBytes(std::uint64_t{0}));
}

void changeNumber(GgufBuilder &file, Draw &draw)
{
    switch (draw.below(5)) {
    case 0:
        file.setRaw("llama." + draw.oneOf(std::vector<std::string>{"block_count", "context_length", "embedding_length", "feed_forward_length", "attention.head_count", "attention.head_count_kv", "rope.dimension_count",
                                                                     "attention.key_length", "vocab_size"}),
                    10, rawBytes(draw.oneOf(strangeSizes)));
        break;
    case 1:
        file.setRaw("llama." + draw.oneOf(std::vector<std::string>{"attention.layer_norm_rms_epsilon", "rope.freq_base", "rope.scaling.factor"}), 6,
                    lowBytes(draw.oneOf(std::vector<std::uint64_t>{0, 0x7FC00000, 0x7F800000, 0xFF800000, 0x80000000, 1, 0x7F7FFFFF, 0xBF800000, draw.bits() & 0xFFFFFFFF}), 4));
        break;
    case 2: {
        auto &extents = anyTensor(file, draw).extents;
        extents[draw.below(extents.size())] = draw.oneOf(strangeSizes);
        break;
    }
    case 3: anyTensor(file, draw).offset = draw.oneOf(strangeSizes); break;
    default:
        file.setRaw(draw.oneOf(std::vector<std::string>{"general.alignment", "tokenizer.ggml.bos_token_id", "tokenizer.ggml.eos_token_id", "tokenizer.ggml.unknown_token_id"}), 4,
                    lowBytes(draw.oneOf(strangeSizes), 4));
        break;
    }
}

const Kinds damagedGguf{
    {"truncations", true, [](Draw &draw) { const auto text = whole::gguf().bytes(); return text.substr(0, draw.below(text.size() - 31)); }},
    {"header flips", false, [](Draw &draw) { auto text = whole::gguf().bytes(); flipBits(text, headerBytes(), draw); return text; }},
    {"lengths", false, [](Draw &draw) { return changedGguf(draw, changeLength); }},
    {"counts", false, [](Draw &draw) { return changedGguf(draw, changeCount); }},
    {"types", false, [](Draw &draw) { return changedGguf(draw, changeType); }},
    {"nesting", false, [](Draw &draw) { return changedGguf(draw, nest); }},
    {"numbers out of range", false, [](Draw &draw) { return changedGguf(draw, changeNumber); }},
};

}  // namespace

TEST_CASE("the program meets damaged GGUF files")
{
    meetHostileFiles({.name = "GGUF",
                      .seed = 41,
                      .file = "model.gguf",
                      .furnish =
                          [](const fs::path &sandbox) {
                              writePlain(sandbox / "model.gguf", whole::gguf().bytes());
                              whole::writeTokens(sandbox / "tokens.safetensors");
                              writePlain(sandbox / "text.txt", "hello\nhe\n\n");
                          },
                      .kinds = damagedGguf,
                      .calls = {{"inspect", "@model.gguf"}, {"forward", "@model.gguf", "--tokens", "@tokens.safetensors", "--out", "@out.safetensors"}, {"tokenize", "@model.gguf", "@text.txt", "--special"},
                                {"inspect", "@model.gguf", "--json"}, {"generate", "@model.gguf", "--prompt", "hello", "-n", "2"}},
                      .written = "out.safetensors"});
}
