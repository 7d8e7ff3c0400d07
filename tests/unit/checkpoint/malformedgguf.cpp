// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/gguf.h"
#include "checkpoint/modelfiles.h"
#include "ggufbuilder.h"
#include "goldendata.h"
#include "malformed.h"
#include "temporaryfolder.h"

#include <algorithm>
#include <functional>
#include <span>

namespace malformedgguf_tests {

using namespace stillroom;
using namespace stillroom::checkpoint;

namespace {

std::string number(std::uint64_t value, std::size_t bytes = 8) {
    return std::string(reinterpret_cast<const char *>(&value), bytes);
}

GgufBuilder whole() {
    auto builder = GgufBuilder::smallLlama();
    builder.setRaw("tokenizer.ggml.tokens", 9, number(8, 4) + number(3) + number(1) + "a" + number(0) + number(2) + "bc");
    builder.setRaw("tokenizer.ggml.scores", 9, number(6, 4) + number(2) + number(0));
    builder.setRaw("tokenizer.ggml.token_type", 9, number(5, 4) + number(2) + number(1));
    builder.setInteger("tokenizer.ggml.eos_token_id", 2);
    return builder;
}

// The data's place: everything before it is header.
std::size_t headerBytes() {
    auto builder = whole();
    for (auto &tensor : builder.tensors)
        tensor.bytes.clear();
    return builder.bytes().size();
}

const std::vector<std::uint64_t> strangeSizes{0, 1, 2, 3, 31, 33, 255, 4096, 4097, 1ULL << 16, 1ULL << 20, 1ULL << 31, 1ULL << 32, 1ULL << 60, 1ULL << 61, 1ULL << 62, 1ULL << 63, (1ULL << 63) - 1, ~0ULL, ~0ULL - 31, ~0ULL - 7};

using Spoil = std::function<std::string(Draw &)>;

std::string changed(Draw &draw, const std::function<void(GgufBuilder &, Draw &)> &change) {
    auto builder = whole();
    change(builder, draw);
    return builder.bytes();
}

GgufBuilder::Tensor &anyTensor(GgufBuilder &builder, Draw &draw) {
    return builder.tensors[draw.below(builder.tensors.size())];
}

const std::vector<Kind<Spoil>> kinds{
    {"truncated", true, [](Draw &draw) { const auto text = whole().bytes(); return text.substr(0, draw.below(text.size() - 31)); }},
    {"truncated in the header", true, [](Draw &draw) { return whole().bytes().substr(0, draw.below(headerBytes())); }},
    {"bits of the header flipped", false, [](Draw &draw) { auto text = whole().bytes(); flipBits(text, headerBytes(), draw); return text; }},
    {"bits of a golden file's header flipped", false,
     [](Draw &draw) {
         const GgufFile golden(goldenPath("gguf_llama.gguf"));
         const auto bytes = golden.map()->bytes();
         std::string text(reinterpret_cast<const char *>(bytes.data()), bytes.size());
         flipBits(text, static_cast<std::size_t>(golden.tensors().front().bytes.data() - bytes.data()), draw);
         return text;
     }},
    {"versions", false, [](Draw &draw) { return changed(draw, [](auto &b, auto &d) { b.version = static_cast<std::uint32_t>(d.below(2) == 0 ? d.below(6) : d.bits()); }); }},
    {"numbers of keys", true, [](Draw &draw) { return changed(draw, [](auto &b, auto &d) { b.claimedKeys = d.oneOf(strangeSizes); }); }},
    {"numbers of tensors", true, [](Draw &draw) { return changed(draw, [](auto &b, auto &d) { b.claimedTensors = d.oneOf(strangeSizes); }); }},
    {"lengths of texts", false, [](Draw &draw) { return changed(draw, [](auto &b, auto &d) { b.setRaw("general.name", 8, number(d.oneOf(strangeSizes)) + "name"); }); }},
    {"counts of arrays", false,
     [](Draw &draw) {
         return changed(draw, [](auto &b, auto &d) { b.setRaw("tokenizer.ggml.tokens", 9, number(d.below(14), 4) + number(d.oneOf(strangeSizes)) + std::string(d.below(64), '\0')); });
     }},
    {"types of values", false,
     [](Draw &draw) {
         return changed(draw, [](auto &b, auto &d) {
             auto &value = b.metadata[d.below(b.metadata.size())].second;
             value.replace(0, 4, number(d.below(2) == 0 ? d.below(13) : d.bits(), 4));
         });
     }},
    {"nested arrays", true,
     [](Draw &draw) {
         return changed(draw, [](auto &b, auto &d) {
             std::string value;
             for (auto depth = d.oneOf(std::vector<std::size_t>{1, 2, 10, 1'000, 100'000}); depth > 0; --depth)
                 value += number(9, 4) + number(1);
             b.setRaw("tokenizer.ggml.tokens", 9, value + number(4, 4) + number(0));
         });
     }},
    {"metadata out of range", false,
     [](Draw &draw) {
         return changed(draw, [](auto &b, auto &d) {
             const auto key = d.oneOf(std::vector<std::string>{"block_count", "context_length", "embedding_length", "feed_forward_length", "attention.head_count", "attention.head_count_kv", "rope.dimension_count", "attention.key_length", "attention.value_length"});
             b.setRaw("llama." + key, 10, number(d.oneOf(strangeSizes)));
         });
     }},
    {"floats out of range", false,
     [](Draw &draw) {
         return changed(draw, [](auto &b, auto &d) {
             const auto key = d.oneOf(std::vector<std::string>{"attention.layer_norm_rms_epsilon", "rope.freq_base", "rope.scaling.factor", "rope.scaling.attn_factor"});
             b.setRaw("llama." + key, 6, number(d.oneOf(std::vector<std::uint64_t>{0, 0x7FC00000, 0x7F800000, 0xFF800000, 0x80000000, 1, 0x7F7FFFFF, 0xBF800000, d.bits() & 0xFFFFFFFF}), 4));
         });
     }},
    {"extents", false, [](Draw &draw) { return changed(draw, [](auto &b, auto &d) { auto &extents = anyTensor(b, d).extents; extents[d.below(extents.size())] = d.oneOf(strangeSizes); }); }},
    {"numbers of dimensions", false,
     [](Draw &draw) { return changed(draw, [](auto &b, auto &d) { anyTensor(b, d).extents.resize(d.oneOf(std::vector<std::size_t>{0, 1, 2, 3, 4, 5, 8, 100, 10'000}), d.below(3) == 0 ? d.bits() : 1); }); }},
    {"types of tensors", false, [](Draw &draw) { return changed(draw, [](auto &b, auto &d) { anyTensor(b, d).type = static_cast<std::uint32_t>(d.below(4) == 0 ? d.bits() : d.below(44)); }); }},
    {"offsets", true,
     [](Draw &draw) {
         return changed(draw, [](auto &b, auto &d) {
             auto &tensor = b.tensors[1 + d.below(b.tensors.size() - 1)];   // of the first, 0 is right
             tensor.offset = d.below(2) == 0 ? d.oneOf(strangeSizes) : d.below(16) * 32;
         });
     }},
    {"names twice", true,
     [](Draw &draw) {
         return changed(draw, [](auto &b, auto &d) {
             if (d.below(2) == 0)
                 b.metadata.push_back(b.metadata[d.below(b.metadata.size())]);
             else
                 b.tensors.push_back(anyTensor(b, d));
         });
     }},
    {"names", true,
     [](Draw &draw) {
         return changed(draw, [](auto &b, auto &d) {
             const auto name = d.oneOf(std::vector<std::string>{"", std::string(5'000, 'x'), "blk.99.attn_q.weight", "blk.-1.attn_q.weight", "blk.99999999999999.attn_q.weight", "blk..weight", "blk.", "blk.0.", "\xff\n\t", std::string("\0", 1)});
             anyTensor(b, d).name = name;
         });
     }},
    {"alignments", false,
     [](Draw &draw) { return changed(draw, [](auto &b, auto &d) { b.setRaw("general.alignment", 4, number(d.oneOf(std::vector<std::uint64_t>{0, 1, 2, 3, 8, 31, 32, 33, 64, 100, 4096, 1 << 20, 1 << 21, 1ULL << 31, 0xFFFFFFFF}), 4)); }); }},
    {"missing keys and tensors", false,
     [](Draw &draw) {
         return changed(draw, [](auto &b, auto &d) {
             if (d.below(2) == 0)
                 b.metadata.erase(b.metadata.begin() + static_cast<std::ptrdiff_t>(d.below(b.metadata.size())));
             else
                 b.tensors.erase(b.tensors.begin() + static_cast<std::ptrdiff_t>(d.below(b.tensors.size())));
         });
     }},
    {"random bytes after the magic", true,
     [](Draw &draw) {
         auto text = whole().bytes();
         for (std::size_t i = draw.below(2) == 0 ? 4 : 8; i < headerBytes(); ++i)
             text[i] = static_cast<char>(draw.bits());
         return text;
     }},
    {"many small entries", false,
     [](Draw &draw) {
         return changed(draw, [](auto &b, auto &d) {
             const bool keys = d.below(2) == 0;
             for (auto i = std::size_t{1} << d.below(18); i > 0; --i) {
                 if (keys)
                     b.metadata.emplace_back("k" + std::to_string(i), number(0, 4) + "x");
                 else
                     b.tensors.push_back({"t" + std::to_string(i), {0}, 0, "", 0});
             }
         });
     }},
};

void readAll(const std::filesystem::path &path) {
    const GgufFile file(path);
    const std::size_t most = std::min<std::size_t>(file.keys().size(), 100);
    for (const auto &key : std::span(file.keys()).first(most)) {   // a getter may refuse the kind, but nothing else
        const std::vector<std::function<void()>> getters{[&] { static_cast<void>(file.text(key)); }, [&] { static_cast<void>(file.integer(key)); }, [&] { static_cast<void>(file.number(key)); }, [&] { static_cast<void>(file.flag(key)); },
                                                         [&] { static_cast<void>(file.texts(key)); }, [&] { static_cast<void>(file.numbers(key)); }, [&] { static_cast<void>(file.integers(key)); }};
        for (const auto &getter : getters) {
            try {
                getter();
            } catch (const Error &error) {
                CHECK(error.code() == ErrorCode::BadFile);
            }
        }
    }
    const auto model = openModel(path);
    for (const auto &info : model.tensors->tensors())
        static_cast<void>(allFloats(*model.tensors, info.name));
}

}  // namespace

TEST_CASE("malformed GGUF files are refused with one sentence or are valid") {
    const TemporaryFolder folder;
    const auto file = folder / "model.gguf";
    whole().write(file);
    CHECK_FALSE(refusedOrValid("the whole file", whole().bytes().size(), [&file] { readAll(file); }));
    for (const auto &kind : kinds) {
        Draw draw(static_cast<std::uint64_t>(&kind - kinds.data()) + 200);
        int refused = 0;
        for (int i = 0; i < filesPerKind; ++i) {
            const auto text = kind.spoil(draw);
            writePlain(file, text);
            refused += refusedOrValid(std::string(kind.name) + " " + std::to_string(i), text.size(), [&file] { readAll(file); }) ? 1 : 0;
        }
        CHECK_MESSAGE((kind.alwaysRefused ? refused == filesPerKind : refused > 0), kind.name, ": refused ", refused, " of ", filesPerKind);
    }
}

}  // namespace malformedgguf_tests
