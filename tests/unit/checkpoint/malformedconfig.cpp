// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/modelfiles.h"
#include "goldendata.h"
#include "malformed.h"
#include "temporaryfolder.h"

#include <functional>

namespace malformedconfig_tests {

using namespace stillroom::checkpoint;
using Json = nlohmann::json;

namespace {

// What transformers wrote for the sharded golden model, with a RoPE and layer types worth spoiling.
std::string whole() {
    auto json = readJsonFile(goldenPath("sharded") / "config.json");
    json["model_type"] = "llama";
    json["rope_parameters"] = {{"rope_type", "llama3"}, {"factor", 8.0}, {"low_freq_factor", 1.0}, {"high_freq_factor", 4.0}, {"original_max_position_embeddings", 32}, {"rope_theta", 10000.0}};
    json["layer_types"] = {"full_attention", "full_attention"};
    return json.dump();
}

// A hybrid whose layers are all still softmax: the same weights fit.
std::string wholeHybrid() {
    const Json layer{{"mixer", "softmax"}, {"options", Json::object()}};
    return Json{{"model_type", "stillroom_hybrid"}, {"schema", 1}, {"teacher", Json::parse(whole())}, {"teacher_hash", "00ff"}, {"layers", {layer, layer}}}.dump();
}

const std::vector<std::string> strangeValues{"-1", "0", "1", "2.5", "1e999", "-1e999", "1e-400", "NaN", "Infinity", "-Infinity", "2147483648", "9223372036854775807", "9223372036854775808", "18446744073709551615",
                                             "99999999999999999999999999", "null", "true", "false", "\"\"", "\"16\"", "\"\\u0000\"", "[]", "[1,2]", "{}", "{\"a\":1}", "[[[[]]]]", "", "1 2", "'x'", "undefined"};

// Replaces the value of one key, wherever it stands.
std::string withValue(std::string text, const std::string &value, Draw &draw) {
    const auto json = Json::parse(text);
    std::vector<std::string> keys;
    for (const auto &item : json.items())
        keys.push_back(item.key());
    if (json.contains("rope_parameters") && json["rope_parameters"].is_object())
        for (const auto &item : json["rope_parameters"].items())
            keys.push_back(item.key());
    const auto before = "\"" + draw.oneOf(keys) + "\":";
    const auto begin = text.find(before) + before.size();
    auto end = begin;   // the end of the value that stands there
    for (int depth = 0; end < text.size(); ++end) {
        if (depth == 0 && (text[end] == ',' || text[end] == '}'))
            break;
        depth += text[end] == '[' || text[end] == '{' ? 1 : text[end] == ']' || text[end] == '}' ? -1 : 0;
    }
    return text.replace(begin, end - begin, value);
}

std::string either(Draw &draw) {
    return draw.below(3) == 0 ? wholeHybrid() : whole();
}

using Spoil = std::function<std::string(Draw &)>;
const std::vector<Kind<Spoil>> kinds{
    {"truncated", true, [](Draw &draw) { const auto text = either(draw); return text.substr(0, draw.below(text.size())); }},
    {"bits flipped", false, [](Draw &draw) { auto text = either(draw); flipBits(text, text.size(), draw); return text; }},
    {"values of another kind or range", false, [](Draw &draw) { return withValue(either(draw), draw.oneOf(strangeValues), draw); }},
    {"several values", false,
     [](Draw &draw) {
         auto text = whole();
         for (int i = 0; i < 3; ++i) {
             const auto &value = strangeValues[draw.below(4)];   // those that keep the text JSON
             text = withValue(std::move(text), value, draw);
         }
         return text;
     }},
    {"huge shapes", true,
     [](Draw &draw) {
         auto json = Json::parse(whole());
         json[draw.oneOf(std::vector<std::string>{"num_hidden_layers", "hidden_size", "intermediate_size", "vocab_size", "num_attention_heads", "head_dim", "num_key_value_heads"})] =
             draw.oneOf(std::vector<std::int64_t>{100, 9'999, 10'000, 10'001, 1 << 20, 1 << 23, INT32_MAX, INT64_MAX});
         return json.dump();
     }},
    {"nesting", true,
     [](Draw &draw) {
         const auto depth = draw.oneOf(std::vector<std::size_t>{2, 60, 63, 64, 65, 1'000, 100'000, 1'000'000});
         std::string open, close;
         const bool objects = draw.below(2) == 0;
         for (std::size_t i = 0; i < depth; ++i) {
             open += objects ? "{\"x\":" : "[";
             close += objects ? "}" : "]";
         }
         auto text = either(draw);
         text.insert(1, "\"strange\":" + open + "1" + (draw.below(2) == 0 ? close : "") + ",");
         return text;
     }},
    {"names twice", true,
     [](Draw &draw) {
         auto text = either(draw);
         text.insert(1, draw.oneOf(std::vector<std::string>{"\"model_type\":\"llama\",", "\"model_type\":\"x\",", "\"model_\\u0074ype\":\"llama\","}));
         return text;
     }},
    {"fields that are not there or not known", false,
     [](Draw &draw) {
         auto json = Json::parse(whole());
         std::vector<std::string> keys;
         for (const auto &item : json.items())
             keys.push_back(item.key());
         json.erase(draw.oneOf(keys));
         if (draw.below(2) == 0)
             json["unknown" + std::to_string(draw.below(10))] = draw.below(2) == 0 ? Json(1) : Json("x");
         return json.dump();
     }},
    {"not UTF-8", true, [](Draw &draw) {
         auto text = either(draw);
         text.insert(text.find("\"model_type\"") + 1, draw.oneOf(std::vector<std::string>{"\xff", "\xc0\xaf", "\xed\xa0\x80", "\xf5\x80\x80\x80", "\x80", std::string("\0", 1), "\n"}));
         return text;
     }},
    {"other documents", true,
     [](Draw &draw) {
         return draw.oneOf(std::vector<std::string>{"null", "1", "\"text\"", "[]", "{}", " ", "{", "}", "[{}]", "nul", "{\"model_type\":", "{\"model_type\":7}", "{\"model_type\":\"llama\"}", "{\"model_type\":\"stillroom_hybrid\"}", "\xef\xbb\xbf{}",
                                                    std::string(100, '\0'), "NaN", "{\"a\":1}{\"b\":2}", "//x", "{\"model_type\":\"stillroom_hybrid\",\"schema\":1,\"teacher\":{\"model_type\":\"stillroom_hybrid\"}}"});
     }},
    {"hybrids", false,
     [](Draw &draw) {
         auto json = Json::parse(wholeHybrid());
         auto &layer = json["layers"][draw.below(2)];
         const std::vector<std::function<void()>> changes{[&] { layer["mixer"] = 1; }, [&] { layer["mixer"] = ""; }, [&] { layer["options"] = Json::array(); }, [&] { layer = 3; }, [&] { json["layers"].push_back(layer); }, [&] { json["layers"] = Json::array(); },
                                                         [&] { json["schema"] = 0; }, [&] { json["schema"] = 99; }, [&] { json["teacher_hash"] = 5; }, [&] { json["teacher"] = Json::array(); }, [&] { layer["mixer"] = "gdn"; }};
         draw.oneOf(changes)();
         return json.dump();
     }},
    {"many values", true,
     [](Draw &draw) {
         const auto part = draw.oneOf(std::vector<std::string>{"[],", "{},", "1,", "\"\",", "{\"a\":1},"});
         std::string list;
         for (const auto size = std::size_t{1} << (12 + draw.below(12)); list.size() < size;)
             list += part;
         list.back() = ']';
         auto text = whole();
         text.insert(1, "\"strange\":[" + list + ",");
         return text;
     }},
};

}  // namespace

TEST_CASE("malformed configs are refused with one sentence or are valid") {
    const TemporaryFolder folder;
    const auto model = folder / "model";
    std::filesystem::copy(goldenPath("sharded"), model);
    const auto read = [&model] { static_cast<void>(openModel(model)); };
    for (const auto &text : {whole(), wholeHybrid()}) {
        writePlain(model / "config.json", text);
        CHECK_FALSE(refusedOrValid("the whole config", text.size(), read));
    }
    for (const auto &kind : kinds) {
        Draw draw(static_cast<std::uint64_t>(&kind - kinds.data()) + 100);
        int refused = 0;
        for (int i = 0; i < filesPerKind; ++i) {
            const auto text = kind.spoil(draw);
            writePlain(model / "config.json", text);
            refused += refusedOrValid(std::string(kind.name) + " " + std::to_string(i) + (text.size() < 900 ? ": " + text : ""), text.size(), read) ? 1 : 0;
        }
        CHECK_MESSAGE((kind.alwaysRefused ? refused == filesPerKind : refused > 0), kind.name, ": refused ", refused, " of ", filesPerKind);
    }
}

}  // namespace malformedconfig_tests
