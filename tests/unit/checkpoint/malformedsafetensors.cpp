// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/safetensors.h"
#include "malformed.h"
#include "temporaryfolder.h"

#include <cstring>
#include <functional>

namespace malformedsafetensors_tests {

using namespace stillroom::checkpoint;

namespace {

struct Parts {
    std::string header, data;
    std::uint64_t length;   ///< as it will stand in the file
    [[nodiscard]] std::string file() const { return std::string(reinterpret_cast<const char *>(&length), 8) + header + data; }
    void fitLength() { length = header.size(); }
};

Parts whole() {
    Parts parts{R"({"__metadata__":{"format":"pt"},"a":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]},)"
                R"("b":{"dtype":"I64","shape":[1],"data_offsets":[24,32]},"c":{"dtype":"BF16","shape":[4],"data_offsets":[32,40]},)"
                R"("d":{"dtype":"BOOL","shape":[],"data_offsets":[40,41]}})",
                std::string(41, '\1'), 0};
    parts.fitLength();
    return parts;
}

const std::vector<std::string> strangeNumbers{"-1", "0", "1", "7", "2.5", "1e3", "1e999", "NaN", "Infinity", "-Infinity", "4294967296", "9223372036854775807", "9223372036854775808",
                                              "18446744073709551615", "18446744073709551616", "-9223372036854775808", "99999999999999999999999999999999", "null", "true", "\"3\"", "[]", "{}", "00", "+1", "0x10", ""};

std::string nested(Draw &draw) {
    const auto depth = draw.oneOf(std::vector<std::size_t>{3, 4, 5, 10, 100, 1000, 100'000, 1'000'000});
    std::string text;
    const bool objects = draw.below(2) == 0;
    for (std::size_t i = 0; i < depth; ++i)
        text += objects ? "{\"x\":" : "[";
    if (draw.below(2) == 0) {
        text += "1";
        for (std::size_t i = 0; i < depth; ++i)
            text += objects ? "}" : "]";
    }
    return text;
}

using Spoil = std::function<std::string(Draw &)>;

std::string withHeader(const std::function<void(std::string &, Draw &)> &change, Draw &draw) {
    auto parts = whole();
    change(parts.header, draw);
    parts.fitLength();
    return parts.file();
}

const std::vector<Kind<Spoil>> kinds{
    {"truncated", true, [](Draw &draw) { const auto text = whole().file(); return text.substr(0, draw.below(text.size())); }},
    {"bits of the header flipped", false, [](Draw &draw) { auto text = whole().file(); flipBits(text, 8 + whole().header.size(), draw); return text; }},
    {"header length", true,
     [](Draw &draw) {
         auto parts = whole();
         const std::uint64_t length = parts.length;
         parts.length = draw.oneOf(std::vector<std::uint64_t>{0, 1, 2, 8, length - 1, length + 1, length + 41, length + 42, 1ULL << 20, 100ULL << 20, 1ULL << 31, 1ULL << 32, 1ULL << 62,
                                                              1ULL << 63, ~0ULL, ~0ULL - 7, draw.bits(), draw.bits() >> 32, draw.bits() >> 48});
         return parts.file();
     }},
    {"extents", false, [](Draw &draw) { return withHeader([](auto &h, auto &d) { replaceValue(h, "\"shape\":[", "]", d.oneOf(strangeNumbers) + (d.below(2) == 0 ? "" : "," + d.oneOf(strangeNumbers)), d); }, draw); }},
    {"products that overflow", true,
     [](Draw &draw) {
         const std::vector<std::string> shapes{"4294967296,4294967296", "9223372036854775807,2", "3037000500,3037000500", "2,9223372036854775807,0", "4611686018427387904,4", "2305843009213693952"};
         return withHeader([&](auto &h, auto &d) { replaceValue(h, "\"shape\":[", "]", d.oneOf(shapes), d); }, draw);
     }},
    {"ranks", false, [](Draw &draw) {
         std::string shape = "1";
         for (auto rank = draw.oneOf(std::vector<std::size_t>{1, 8, 15, 16, 17, 100, 10'000, 400'000}); rank > 1; --rank)
             shape += ",1";
         return withHeader([&](auto &h, auto &d) { replaceValue(h, "\"shape\":[", "]", shape, d); }, draw);
     }},
    {"types", false,
     [](Draw &draw) {
         const std::vector<std::string> types{"\"F16\"", "\"F64\"", "\"I8\"", "\"U8\"", "\"F8_E4M3\"", "\"F8_E5M2\"", "\"C64\"", "\"U64\"", "\"Q4_0\"", "\"f32\"", "\"\"", "null", "3", "[]", "{}", "\"" + std::string(5000, 'F') + "\""};
         return withHeader([&](auto &h, auto &d) { replaceValue(h, "\"dtype\":", ",", d.oneOf(types), d); }, draw);
     }},
    {"nesting", true, [](Draw &draw) {
         const auto value = nested(draw);
         return withHeader([&](auto &h, auto &d) { replaceValue(h, d.oneOf(std::vector<std::string>{"\"shape\":", "\"dtype\":", "\"data_offsets\":", "\"format\":"}), ",}", value, d); }, draw);
     }},
    {"offsets out of range", false, [](Draw &draw) { return withHeader([](auto &h, auto &d) { replaceValue(h, "\"data_offsets\":[", ",", d.oneOf(strangeNumbers), d); }, draw); }},
    {"ends out of range", true,
     [](Draw &draw) { return withHeader([](auto &h, auto &d) { replaceValue(h, d.oneOf(std::vector<std::string>{"[0,", "[24,", "[32,", "[40,"}), "]", d.oneOf(strangeNumbers), d); }, draw); }},
    {"overlaps and gaps", true,
     [](Draw &draw) {
         const auto shift = std::to_string(draw.below(17));
         return withHeader([&](auto &h, auto &) { h.replace(h.find("[24,32]"), 7, "[" + shift + "," + std::to_string(std::stoul(shift) + 8) + "]"); }, draw);
     }},
    {"names twice", true,
     [](Draw &draw) {
         return withHeader([](auto &h, auto &d) {
             const std::vector<std::pair<std::string, std::string>> changes{{"\"b\"", "\"a\""}, {"\"c\"", "\"\\u0061\""}, {"\"shape\":[1],", "\"shape\":[1],\"shape\":[1],"},
                                                                            {"\"d\"", "\"__metadata__\""}, {"\"dtype\":\"I64\",", "\"dtype\":\"I64\",\"dtype\":\"I64\","}};
             const auto [from, to] = d.oneOf(changes);
             h.replace(h.find(from), from.size(), to);
         }, draw);
     }},
    {"missing and surplus fields", true,
     [](Draw &draw) {
         return withHeader([](auto &h, auto &d) {
             const std::vector<std::pair<std::string, std::string>> changes{{"\"dtype\":\"I64\",", ""}, {"\"shape\":[1],", ""}, {",\"data_offsets\":[40,41]", ""}, {"\"shape\":[1],", "\"shape\":[1],\"extra\":1,"}, {"[24,32]", "[24]"},
                                                                            {"[24,32]", "[24,32,32]"}, {"[24,32]", "[]"}, {"{\"dtype\":\"BOOL\",\"shape\":[],\"data_offsets\":[40,41]}", "7"}, {"{\"format\":\"pt\"}", "[1]"}, {"\"pt\"", "1"}};
             const auto [from, to] = d.oneOf(changes);
             h.replace(h.find(from), from.size(), to);
         }, draw);
     }},
    {"texts", false,
     [](Draw &draw) {
         const std::vector<std::string> names{"\xff", "\xc0\x80", "\xed\xa0\x80", "\\ud800", "\\u0000", std::string("\0", 1), "\n", "\\", "\\x", "\"", std::string(2'000'000, 'n'), std::string(9'000'000, 'n'), ""};
         return withHeader([&](auto &h, auto &d) { h.replace(h.find("\"b\"") + 1, 1, d.oneOf(names)); }, draw);
     }},
    {"bytes after the header's object", true,
     [](Draw &draw) {
         const auto tail = draw.oneOf(std::vector<std::string>{std::string("\0", 1), std::string("\0{}", 3), "{}", "}", ",", "x", "//", "\xff", "1"}) + std::string(draw.below(9), ' ');
         return withHeader([&](auto &h, auto &) { h += tail; }, draw);
     }},
    {"random headers", true,
     [](Draw &draw) {
         return withHeader([](auto &h, auto &d) {
             for (auto i = h.size() - 1; i > 0; --i)
                 h[i] = static_cast<char>(d.bits());
         }, draw);
     }},
    {"many values", true, [](Draw &draw) {   // the memory of a parsed header against the size of its text
         const std::vector<std::string> repeated{"[],", "{},", "1,", "[[]],", "\"\",", "{\"a\":1},"};
         const auto part = draw.oneOf(repeated);
         std::string list;
         for (const auto size = std::size_t{1} << (10 + draw.below(14)); list.size() < size;)
             list += part;
         list.pop_back();
         return withHeader([&](auto &h, auto &d) { replaceValue(h, "\"shape\":[", "]", list, d); }, draw);
     }},
};

}  // namespace

TEST_CASE("malformed safetensors files are refused with one sentence or are valid") {
    const TemporaryFolder folder;
    const auto file = folder / "model.safetensors";
    const auto read = [&file] {
        const auto source = openSafetensors(file);
        static_cast<void>(readSafetensorsMetadata(file));
        for (const auto &info : source->tensors()) {
            const auto count = static_cast<std::size_t>(info.numElements());
            if (info.dtype == DType::F32 || info.dtype == DType::BF16 || info.dtype == DType::F16 || info.dtype == DType::F64) {
                std::vector<float> values(count);
                source->readFloat32(info.name, values);
            } else {
                std::vector<std::int64_t> values(count);
                source->readInt64(info.name, values);
            }
        }
    };
    writePlain(file, whole().file());
    CHECK_FALSE(refusedOrValid("the whole file", 400, read));
    for (const auto &kind : kinds) {
        Draw draw(static_cast<std::uint64_t>(&kind - kinds.data()) + 1);
        int refused = 0;
        for (int i = 0; i < filesPerKind; ++i) {
            const auto text = kind.spoil(draw);
            writePlain(file, text);
            refused += refusedOrValid(std::string(kind.name) + " " + std::to_string(i), text.size(), read) ? 1 : 0;
        }
        CHECK_MESSAGE((kind.alwaysRefused ? refused == filesPerKind : refused > 0), kind.name, ": refused ", refused, " of ", filesPerKind);
    }
}

TEST_CASE("a header of tens of megabytes is refused within its memory") {
    const TemporaryFolder folder;
    const auto file = folder / "model.safetensors";
    for (const std::string part : {"[],", "{\"a\":{}},", "[[[[", "1,"}) {
        auto parts = whole();
        std::string list = "[";
        while (list.size() < (std::size_t{32} << 20))
            list += part;
        list.back() = ']';
        parts.header.replace(parts.header.find("[2,3]"), 5, list);
        parts.fitLength();
        const auto text = parts.file();
        writePlain(file, text);
        CHECK(refusedOrValid("32 MB of " + part, text.size(), [&file] { static_cast<void>(openSafetensors(file)); }));
    }
}

}  // namespace malformedsafetensors_tests
