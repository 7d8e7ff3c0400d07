// SPDX-License-Identifier: GPL-3.0-or-later
// Damaged safetensors files: as a model's weights and as token ids.
#include "damagedjson.h"
#include "temporaryfolder.h"
#include "wholefiles.h"

#include <cstring>
#include <nlohmann/json.hpp>

#include <fstream>
#include <iterator>

using nlohmann::json;

namespace {

namespace fs = std::filesystem;

/// A safetensors file in its three parts.
struct SafetensorsParts {
    std::uint64_t length = 0;
    std::string header, data;
    [[nodiscard]] std::string file() const { return std::string(reinterpret_cast<const char *>(&length), sizeof length) + header + data; }
};

SafetensorsParts partsOf(const fs::path &file)
{
    std::ifstream stream(file, std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(stream), {});
    SafetensorsParts parts;
    std::memcpy(&parts.length, bytes.data(), sizeof parts.length);
    parts.header = bytes.substr(8, parts.length);
    parts.data = bytes.substr(8 + parts.length);
    return parts;
}

std::string withHeader(SafetensorsParts parts, std::string header)
{
    parts.header = std::move(header);
    parts.length = parts.header.size();
    return parts.file();
}

std::string otherHeaderLength(SafetensorsParts parts, Draw &draw)
{
    const std::uint64_t right = parts.length;
    parts.length = draw.oneOf(std::vector<std::uint64_t>{0, 1, 2, 8, right - 1, right + 1, right + parts.data.size(), right + parts.data.size() + 1, 1ULL << 20, 100ULL << 20, 1ULL << 31, 1ULL << 32, 1ULL << 62,
                                                         1ULL << 63, ~0ULL, ~0ULL - 7, draw.bits(), draw.bits() >> 32, draw.bits() >> 48});
    return parts.file();
}

/// Tensors of no size, ranks, offsets and entries, more or fewer than there are.
std::string otherEntryCount(const SafetensorsParts &parts, Draw &draw)
{
    const json header = json::parse(parts.header);
    const auto many = draw.oneOf(std::vector<std::size_t>{0, 1, 3, 15, 16, 17, 1'000, 100'000, 300'000});
    std::string list;
    for (std::size_t i = 0; i < many; ++i)
        list += i == 0 ? "1" : ",1";
    switch (draw.below(3)) {
    case 0: return withHeader(parts, withReplaced(header, [](const json &value) { return value.is_array(); }, "[" + list + "]", draw));
    case 1: {
        json fewer = header;
        auto entry = fewer.begin();
        std::advance(entry, static_cast<std::ptrdiff_t>(draw.below(fewer.size())));
        fewer.erase(entry);
        return withHeader(parts, fewer.dump());
    }
    default: {
        std::string text = header.dump();
        std::string entries;
        for (std::size_t i = 0; i <= many; ++i)
            entries += "\"empty" + std::to_string(i) + R"(":{"dtype":"F32","shape":[0],"data_offsets":[0,0]},)";
        return withHeader(parts, text.insert(1, entries));
    }
    }
}

std::string otherTensorType(const SafetensorsParts &parts, Draw &draw)
{
    const json header = json::parse(parts.header);
    const auto value = draw.oneOf(std::vector<std::string>{"\"F16\"", "\"F64\"", "\"I8\"", "\"I32\"", "\"U8\"", "\"BOOL\"", "\"BF16\"", "\"F8_E4M3\"", "\"C64\"", "\"U64\"", "\"Q4_0\"", "\"f32\"", "\"\"", "null", "3", "true", "[]", "{}",
                                                           "\"" + std::string(5000, 'F') + "\""});
    const bool onlyDtypes = draw.below(2) == 0;
    return withHeader(parts, withReplaced(header, [&](const json &place) { return !onlyDtypes || place == "F32" || place == "I64"; }, value, draw));
}

Kinds damagedSafetensors(const fs::path &file)
{
    const SafetensorsParts whole = partsOf(file);
    const json header = json::parse(whole.header);
    return {
        {"truncations", true, [whole](Draw &draw) { const auto text = whole.file(); return text.substr(0, draw.below(text.size())); }},
        {"header flips", false, [whole](Draw &draw) { auto text = whole.file(); flipBits(text, 8 + whole.header.size(), draw); return text; }},
        {"lengths", true, [whole](Draw &draw) { return otherHeaderLength(whole, draw); }},
        {"counts", false, [whole](Draw &draw) { return otherEntryCount(whole, draw); }},
        {"types", false, [whole](Draw &draw) { return otherTensorType(whole, draw); }},
        {"nesting", true, [whole, header](Draw &draw) { return withHeader(whole, withReplaced(header, [](const json &place) { return !place.is_object() || place.contains("dtype"); }, nested(draw), draw)); }},
        {"numbers out of range", false, [whole, header](Draw &draw) { return withHeader(whole, withReplaced(header, [](const json &place) { return place.is_number(); }, draw.oneOf(strangeNumbers()), draw)); }},
    };
}

void furnishWeights(const fs::path &sandbox)
{
    whole::writeModel(sandbox / "model");
    whole::writeTokens(sandbox / "tokens.safetensors");
    writePlain(sandbox / "inspect.json", R"({"kind": "inspect", "model": "model"})");
}

}  // namespace

TEST_CASE("the program meets damaged weights")
{
    const TemporaryFolder folder;
    furnishWeights(folder.path());
    meetHostileFiles({.name = "safetensors",
                      .seed = 1,
                      .file = "model/model.safetensors",
                      .furnish = furnishWeights,
                      .kinds = damagedSafetensors(folder.path() / "model" / "model.safetensors"),
                      .calls = {{"inspect", "@model"}, {"inspect", "@model", "--json"}, {"forward", "@model", "--tokens", "@tokens.safetensors", "--out", "@out.safetensors", "--grads"},
                                {"generate", "@model", "--tokens", "@tokens.safetensors", "-n", "2"}},
                      .written = "out.safetensors"});
}

TEST_CASE("the program meets damaged weights in a run that it records")
{
    const TemporaryFolder folder;
    furnishWeights(folder.path());
    meetHostileFiles({.name = "safetensors of a run",
                      .seed = 2,
                      .file = "model/model.safetensors",
                      .furnish = furnishWeights,
                      .kinds = damagedSafetensors(folder.path() / "model" / "model.safetensors"),
                      .calls = {{"run", "@inspect.json"}},
                      .casesPerKind = 10,
                      .throughProgram = false,
                      .recorded = "workspace"});
}

TEST_CASE("the program meets damaged token ids")
{
    const TemporaryFolder folder;
    furnishWeights(folder.path());
    meetHostileFiles({.name = "token ids",
                      .seed = 3,
                      .file = "tokens.safetensors",
                      .furnish = furnishWeights,
                      .kinds = damagedSafetensors(folder.path() / "tokens.safetensors"),
                      .calls = {{"forward", "@model", "--tokens", "@tokens.safetensors", "--out", "@out.safetensors", "--hidden"},
                                {"inspect", "@model", "--attention", "--tokens", "@tokens.safetensors"},
                                {"generate", "@model", "--tokens", "@tokens.safetensors", "-n", "2"}},
                      .written = "out.safetensors"});
}
