// SPDX-License-Identifier: GPL-3.0-or-later
#include "specoptions.h"

#include "error.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <sstream>

namespace stillroom::cli {
namespace {

using experiment::Field;
using experiment::FieldType;

std::string helpText(const Field &field)
{
    std::string help = field.help;
    std::string choices;
    for (const std::string &choice : field.choices)
        choices += (choices.empty() ? "" : "|") + choice;
    if (!choices.empty())
        help += " [" + choices + "]";
    if (!field.unit.empty())
        help += " (" + field.unit + ")";
    if (field.type == FieldType::IntegerList && field.optional)
        help += " none: an empty list.";
    if (field.defaultJson != "null")
        help += " Default: " + field.defaultJson;
    return help;
}

void collect(const std::vector<Field> &fields, const std::vector<std::string> &above, std::vector<SpecOption> &options)
{
    for (const Field &field : fields) {
        std::vector<std::string> path = above;
        path.push_back(field.name);
        if (field.type == FieldType::Object && !field.fields.empty()) {
            collect(field.fields, path, options);
            continue;
        }
        if (field.type == FieldType::ObjectList || field.type == FieldType::Spec)
            continue;   // those are written as a file
        std::string option = "--";
        for (const std::string &part : path)
            option += (option.size() > 2 ? "." : "") + part;
        std::replace(option.begin(), option.end(), '_', '-');
        options.push_back({option, path, &field, helpText(field)});
    }
}

nlohmann::json parsed(const SpecOption &option, const std::string &value)
{
    nlohmann::json json = nlohmann::json::parse(value, nullptr, false);
    if (json.is_discarded())
        throw Error(ErrorCode::Usage, option.option + " is \"" + value + "\": that cannot be read as a value for it");
    return json;
}

/// A field that is either given or absent says something with an empty list; of another one an empty list means the default, and is left out.
bool maySayNone(const SpecOption &option)
{
    return option.field->type == FieldType::IntegerList && option.field->optional;
}

nlohmann::json listOf(const SpecOption &option, const std::string &value)
{
    if (value.empty())          // of a script's variable that was never set, say
        throw Error(ErrorCode::Usage, option.option + " is empty: " + (maySayNone(option) ? "write " + option.option + " none to say that there are none" : "name something, or leave it out"));
    if (value == "none" && maySayNone(option))
        return nlohmann::json::array();
    if (!value.empty() && value.front() == '[')
        return parsed(option, value);
    if (value.starts_with(',') || value.ends_with(',') || value.find(",,") != std::string::npos)
        throw Error(ErrorCode::Usage, option.option + " is \"" + value + "\": a list has something before and behind each comma");
    nlohmann::json list = nlohmann::json::array();
    std::istringstream parts(value);
    for (std::string part; std::getline(parts, part, ',');)
        list.push_back(option.field->type == FieldType::TextList ? nlohmann::json(part) : parsed(option, part));
    return list;
}

nlohmann::json valueOf(const SpecOption &option, const std::string &value)
{
    requireUtf8(option.option, value);
    switch (option.field->type) {
    case FieldType::Text:
    case FieldType::Choice:
    case FieldType::Device: return value;
    case FieldType::IntegerList:
    case FieldType::TextList: return listOf(option, value);
    default: return parsed(option, value);
    }
}

}  // namespace

bool SpecOption::isList() const
{
    return field->type == FieldType::IntegerList || field->type == FieldType::TextList;
}

void requireUtf8(const std::string &option, const std::string &value)
{
    try {
        (void)nlohmann::json(value).dump();
    } catch (const nlohmann::json::exception &) {
        throw Error(ErrorCode::Usage, option + " holds bytes that are not UTF-8: write it as UTF-8 text");
    }
}

std::vector<SpecOption> specOptions(const experiment::KindSchema &schema)
{
    std::vector<SpecOption> options;
    collect(schema.fields, {}, options);
    return options;
}

void setOption(nlohmann::json &spec, const SpecOption &option, const std::vector<std::string> &values)
{
    nlohmann::json *place = &spec;
    for (const std::string &part : option.path)
        place = &(*place)[part];
    if (!option.isList()) {
        *place = valueOf(option, values.back());
        return;
    }
    nlohmann::json all = nlohmann::json::array();
    for (const std::string &value : values)
        for (nlohmann::json &one : valueOf(option, value))
            all.push_back(std::move(one));
    *place = std::move(all);
}

}  // namespace stillroom::cli
