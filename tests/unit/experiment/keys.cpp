// SPDX-License-Identifier: GPL-3.0-or-later
// What a stage's key depends on, tried field by field from the tables.
#include "experiment/spec.h"
#include "samples.h"

#include <algorithm>
#include <random>
#include <set>

using namespace stillroom;
using namespace stillroom::experiment;
using nlohmann::json;

namespace {

std::string keyOf(const json &spec)
{
    return stageKey(completeSpec(spec), {"teacher-hash"}, "cpu", "float32");
}

/// The same spec with every object's members written in another order.
std::string shuffledText(const json &value, std::mt19937 &generator)
{
    if (value.is_array()) {
        std::string text;
        for (const json &element : value)
            text += (text.empty() ? "" : ", ") + shuffledText(element, generator);
        return "[" + text + "]";
    }
    if (!value.is_object())
        return value.dump();
    std::vector<std::string> members;
    for (const auto &[name, child] : value.items())
        members.push_back(json(name).dump() + " : " + shuffledText(child, generator));
    std::shuffle(members.begin(), members.end(), generator);
    std::string text;
    for (const std::string &member : members)
        text += (text.empty() ? "" : ",\n") + member;
    return "{ " + text + " }";
}

/// Whole floats for whole numbers: 3 → 3.0.
json asFloats(const json &value)
{
    if (value.is_number_integer())
        return value.get<double>();
    json copy = value;
    if (value.is_structured()) {
        for (json &child : copy)
            child = asFloats(child);
    }
    return copy;
}

/// Other valid values for a field that now holds `value`.
std::vector<json> otherValues(const Field &field, const json &value)
{
    std::vector<json> others;
    switch (field.type) {
    case FieldType::Bool: return {!value.get<bool>()};
    case FieldType::Device: return {value == "cpu" ? "cuda:0" : "cpu"};
    case FieldType::Text: return {value.get<std::string>() + "x"};
    case FieldType::TextList: return field.choices.empty() ? std::vector<json>{{"some", "files"}, {"other"}} : std::vector<json>{json::array({field.choices[0]})};
    case FieldType::IntegerList: return {json::array({field.minimum + 1, field.minimum + 2}), json::array({field.minimum + 3})};
    case FieldType::Object: return {json{{"a", 1}}, json{{"a", {{"b", true}}}}};
    case FieldType::Choice:
        for (const std::string &choice : field.choices) {
            if (json(choice) != value)
                others.emplace_back(choice);
        }
        return others;
    case FieldType::Integer: return {value.get<double>() + 1 <= field.maximum ? value.get<double>() + 1 : field.minimum};
    case FieldType::Number: return {value.get<double>() == field.maximum ? (field.maximum + std::max(field.minimum, 0.0)) / 2 : std::min(field.maximum, value.get<double>() * 1.25 + 1e-9)};
    case FieldType::ObjectList:
    case FieldType::Spec: break;
    }
    return others;
}

int tried = 0;

void tryFields(const json &spec, const std::vector<Field> &fields, const json::json_pointer &place, bool hashedAbove)
{
    const std::string key = keyOf(spec);
    for (const Field &field : fields) {
        const json::json_pointer pointer = place / field.name;
        if (!spec.contains(pointer) || field.type == FieldType::ObjectList)
            continue;
        if (!field.fields.empty()) {
            tryFields(spec, field.fields, pointer, hashedAbove && field.hashed);
            continue;
        }
        std::set<std::string> keys{key};
        for (const json &other : otherValues(field, spec.at(pointer))) {
            json changed = spec;
            changed[pointer] = other;
            std::string changedKey;
            try {
                changedKey = keyOf(changed);
            } catch (const Error &) {
                continue;      // a rule between fields forbids it
            }
            ++tried;
            if (field.hashed && hashedAbove)
                CHECK_MESSAGE(keys.insert(changedKey).second, pointer.to_string());
            else
                CHECK_MESSAGE(changedKey == key, pointer.to_string());
        }
    }
}

}  // namespace

TEST_CASE("a key is 64 hexadecimal digits and differs between kinds, inputs, device classes and types")
{
    std::set<std::string> keys;
    for (const json &spec : samples::specs()) {
        const json completed = completeSpec(spec);
        const std::string key = keyOf(spec);
        CHECK(key.size() == 64);
        CHECK(key.find_first_not_of("0123456789abcdef") == std::string::npos);
        CHECK(keys.insert(key).second);
        CHECK(keys.insert(stageKey(completed, {"another"}, "cpu", "float32")).second);
        CHECK(keys.insert(stageKey(completed, {"teacher-hash", "data"}, "cpu", "float32")).second);
        CHECK(keys.insert(stageKey(completed, {"data", "teacher-hash"}, "cpu", "float32")).second);
        CHECK(keys.insert(stageKey(completed, {"teacher-hash"}, "cuda", "float32")).second);
        CHECK(keys.insert(stageKey(completed, {"teacher-hash"}, "cpu", "bfloat16")).second);
    }
}

TEST_CASE("a key does not change with the order of names, with defaults spelled out, or with 1 for 1.0")
{
    std::mt19937 generator(5);
    for (const json &spec : samples::specs()) {
        const std::string key = keyOf(spec);
        const json completed = completeSpec(spec);
        CHECK(keyOf(completed) == key);
        for (int i = 0; i < 20; ++i)
            CHECK(keyOf(json::parse(shuffledText(completed, generator))) == key);
        json floats = asFloats(completed);
        floats.erase("schema");
        if (floats.contains("stages")) {
            for (json &stage : floats["stages"])
                stage["spec"].erase("schema");
        }
        CHECK(keyOf(floats) == key);
    }
}

TEST_CASE("a key changes with every hashed field and with no other")
{
    for (const json &spec : samples::specs()) {
        json completed = completeSpec(spec);
        completed["name"] = "first";
        completed["notes"] = "as it was";
        tryFields(completed, kindSchema(completed.at("kind")).fields, json::json_pointer(""), true);
    }
    CHECK(tried > 300);
}

TEST_CASE("a pipeline's key follows its stages' hashed fields")
{
    const json pipeline = completeSpec(samples::specs().back());
    const std::string key = keyOf(pipeline);
    json renamed = pipeline;
    renamed["stages"][0]["spec"]["name"] = "other";
    renamed["stages"][0]["spec"]["teacher"] = "elsewhere";
    renamed["stages"][1]["spec"]["threads"] = 7;
    renamed["stages"][1]["spec"]["group_size"] = 3;
    CHECK(keyOf(renamed) == key);
    json changed = pipeline;
    changed["stages"][0]["spec"]["steps"] = 151;
    CHECK(keyOf(changed) != key);
    changed = pipeline;
    changed["stages"][2]["spec"]["keep_count"] = 3;
    CHECK(keyOf(changed) != key);
}

TEST_CASE("a key is what its definition says, so that other programs can compute it")
{
    // sha256 of Python's json.dumps(…, sort_keys=True, separators=(',', ':')) of {"compute_type":"float32","device_class":"cpu","inputs":["h"],"kind":"generate",
    // "parameters":{"chat":false,"ignore_eos":false,"max_new_tokens":64,"prompt":"a","seed":1,"temperature":0,"top_k":0,"top_p":1},"revision":1,"schema":1}
    const json spec = completeSpec(json::parse(R"({"kind": "generate", "model": "demo", "prompt": "a", "name": "n"})"));
    CHECK(stageKey(spec, {"h"}, "cpu", "float32") == "30da36e2f89b95897f2ec1b9984e4545f51a308893ba00a8b128e6417439789e");
}
