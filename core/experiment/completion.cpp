// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/completion.h"

#include "error.h"
#include "experiment/jsontext.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace stillroom::experiment {

namespace {

using nlohmann::json;

constexpr double exactIntegers = 9007199254740992.0;   // 2^53
constexpr std::size_t maximumListLength = 100'000;

std::string joined(const std::vector<std::string> &names)
{
    std::string text;
    for (const std::string &name : names)
        text += (text.empty() ? "" : ", ") + name;
    return text;
}

std::string rangeText(const Field &field)
{
    const bool low = field.minimum > -1e308;
    const bool high = field.maximum < 1e308;
    if (low && high)
        return " from " + shown(json(field.minimum)) + " to " + shown(json(field.maximum));
    if (low)
        return " of at least " + shown(json(field.minimum));
    return high ? " of at most " + shown(json(field.maximum)) : "";
}

std::string expectation(const Field &field)
{
    switch (field.type) {
    case FieldType::Bool: return "true or false";
    case FieldType::Integer: return "a whole number" + rangeText(field);
    case FieldType::Number: return "a number" + rangeText(field);
    case FieldType::Text: return "a text";
    case FieldType::Choice: return "one of " + joined(field.choices);
    case FieldType::Device: return "auto, cpu, cuda or cuda:N";
    case FieldType::IntegerList: return std::string("a list of ") + (field.set ? "different " : "") + "whole numbers" + rangeText(field);
    case FieldType::TextList: return field.choices.empty() ? "a list of texts" : "a list of texts from " + joined(field.choices);
    case FieldType::Object:
    case FieldType::Spec: return "an object";
    case FieldType::ObjectList: return "a list of objects";
    }
    return "something else";
}

[[noreturn]] void refuse(const Field &field, const std::string &path, const json &value)
{
    throw Error(ErrorCode::Usage, "The field \"" + path + field.name + "\" is " + shown(value) + " but must be " + expectation(field) + ".");
}

/// A whole number, also when written as 3.0 or 2e5.
json completeInteger(const json &value, const Field &field, const std::string &path)
{
    if (!value.is_number())
        refuse(field, path, value);
    const double number = value.get<double>();
    if (!(number == std::trunc(number)) || std::abs(number) > exactIntegers || number < field.minimum || number > field.maximum)
        refuse(field, path, value);
    return value.is_number_float() ? json(static_cast<std::int64_t>(number)) : json(value.get<std::int64_t>());
}

json completeNumber(const json &value, const Field &field, const std::string &path)
{
    if (!value.is_number())
        refuse(field, path, value);
    const double number = value.get<double>();
    if (!std::isfinite(number) || number < field.minimum || number > field.maximum)
        refuse(field, path, value);
    return number + 0.0;      // -0 becomes 0
}

/// UTF-8 without NUL, which would cut a path short.
bool plainText(const json &value)
{
    return value.is_string() && value.get_ref<const std::string &>().find('\0') == std::string::npos;
}

/// "cuda" is what other programs call the first one.
bool isDevice(const json &value)
{
    if (!value.is_string())
        return false;
    const auto &text = value.get_ref<const std::string &>();
    if (text == "auto" || text == "cpu" || text == "cuda")
        return true;
    const std::string cuda = "cuda:";
    const std::string index = text.substr(0, cuda.size()) == cuda ? text.substr(cuda.size()) : "";
    return !index.empty() && index.size() <= 3 && std::all_of(index.begin(), index.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool isChoice(const json &value, const Field &field)
{
    return value.is_string() && std::find(field.choices.begin(), field.choices.end(), value.get_ref<const std::string &>()) != field.choices.end();
}

void checkList(const json &value, const Field &field, const std::string &path)
{
    if (!value.is_array())
        refuse(field, path, value);
    if (value.size() > maximumListLength)
        throw Error(ErrorCode::Usage, "The field \"" + path + field.name + "\" lists more than " + std::to_string(maximumListLength) + " values; give fewer.");
}

json completeIntegers(const json &value, const Field &field, const std::string &path)
{
    checkList(value, field, path);
    json list = json::array();
    for (const json &element : value)
        list.push_back(completeInteger(element, field, path));
    if (field.set) {
        std::sort(list.begin(), list.end());
        if (std::adjacent_find(list.begin(), list.end()) != list.end())
            refuse(field, path, value);
    }
    return list;
}

json completeTexts(const json &value, const Field &field, const std::string &path)
{
    checkList(value, field, path);
    for (const json &element : value) {
        if (!plainText(element) || (!field.choices.empty() && !isChoice(element, field)))
            refuse(field, path, element);
    }
    return value;
}

json completeObjects(const json &value, const Field &field, const std::string &path)
{
    checkList(value, field, path);
    json list = json::array();
    for (std::size_t i = 0; i < value.size(); ++i) {
        const std::string place = path + field.name + "[" + std::to_string(i) + "].";
        if (!value[i].is_object())
            refuse(field, path, value);
        list.push_back(completeFields(value[i], field.fields, place));
    }
    return list;
}

json completeValue(const json &value, const Field &field, const std::string &path)
{
    bool fits = true;
    switch (field.type) {
    case FieldType::Integer: return completeInteger(value, field, path);
    case FieldType::Number: return completeNumber(value, field, path);
    case FieldType::IntegerList: return completeIntegers(value, field, path);
    case FieldType::TextList: return completeTexts(value, field, path);
    case FieldType::ObjectList: return completeObjects(value, field, path);
    case FieldType::Bool: fits = value.is_boolean(); break;
    case FieldType::Text: fits = plainText(value); break;
    case FieldType::Choice: fits = isChoice(value, field); break;
    case FieldType::Device: fits = isDevice(value); break;
    case FieldType::Object:
    case FieldType::Spec: fits = value.is_object(); break;
    }
    if (!fits)
        refuse(field, path, value);
    if (field.type == FieldType::Object && !field.fields.empty())
        return completeFields(value, field.fields, path + field.name + ".");
    return value;
}

/// The value of a field that the object does not give; discarded when it stays absent.
json absentValue(const Field &field, const std::string &path)
{
    if (field.optional)
        return json(json::value_t::discarded);
    if (field.defaultJson != "null")
        return completeValue(json::parse(field.defaultJson), field, path);
    if (field.type == FieldType::Object && !field.fields.empty())
        return completeFields(json::object(), field.fields, path + field.name + ".");
    throw Error(ErrorCode::Usage, "The field \"" + path + field.name + "\" is missing; give " + expectation(field) + ".");
}

void refuseUnknownNames(const json &object, const std::vector<Field> &fields, const std::string &path, const std::vector<std::string> &alsoAllowed)
{
    std::vector<std::string> names = alsoAllowed;
    for (const Field &field : fields)
        names.push_back(field.name);
    for (const auto &[name, value] : object.items()) {
        if (std::find(names.begin(), names.end(), name) != names.end())
            continue;
        const std::string nearest = nearestName(name, names);
        std::string where = shown(json(path + name));
        throw Error(ErrorCode::Usage, "There is no field " + where + (nearest.empty() ? "; the fields here are " + joined(names) + ": choose one." : "; did you mean \"" + path + nearest + "\"?"));
    }
}

}  // namespace

json completeFields(const json &object, const std::vector<Field> &fields, const std::string &path, const std::vector<std::string> &alsoAllowed)
{
    refuseUnknownNames(object, fields, path, alsoAllowed);
    json completed = json::object();
    for (const std::string &name : alsoAllowed) {
        if (object.contains(name))
            completed[name] = object.at(name);
    }
    for (const Field &field : fields) {
        const auto given = object.find(field.name);
        const bool isAbsent = given == object.end() || (field.optional && given->is_null());
        json value = isAbsent ? absentValue(field, path) : completeValue(*given, field, path);
        if (!value.is_discarded())
            completed[field.name] = std::move(value);
    }
    return completed;
}

std::string shown(const json &value)
{
    constexpr std::size_t longest = 60;
    if (value.is_number_float() && !std::isfinite(value.get<double>()))
        return "not finite";
    std::string text;
    if (value.is_structured() && (value.size() > longest || jsonDepth(value) > maximumJsonDepth))
        text = value.is_array() ? "a long list" : "a large object";
    else
        text = value.is_number() ? canonicalJson(value) : value.dump(-1, ' ', false, json::error_handler_t::replace);
    if (text.size() <= longest)
        return text;
    std::size_t end = longest - 3;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U)      // not inside a UTF-8 sequence
        --end;
    return text.substr(0, end) + "...";
}

}  // namespace stillroom::experiment
