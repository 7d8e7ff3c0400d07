// SPDX-License-Identifier: GPL-3.0-or-later
#include "specoptions.h"

#include "text/writtentext.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <sstream>
#include <string_view>

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
    text::requireUtf8(value, option.option, ErrorCode::Usage);
    switch (option.field->type) {
    case FieldType::Text:
    case FieldType::Choice:
    case FieldType::Device: return value;
    case FieldType::IntegerList:
    case FieldType::TextList: return listOf(option, value);
    default: return parsed(option, value);
    }
}

/// A message in which options take the place of fields. What else stands between quotes is a value, and is left as it is.
class Renaming final {
public:
    explicit Renaming(const std::vector<SpecOption> &options)
    {
        for (const SpecOption &one : options) {
            std::string field;
            for (const std::string &part : one.path)
                field += (field.empty() ? "" : ".") + part;
            m_options[field] = one.option;
        }
    }
    [[nodiscard]] std::string operator()(const std::string &message)
    {
        for (std::size_t at = 0; at < message.size();) {
            const bool isQuoted = message[at] == '"';
            const std::size_t end = isQuoted ? message.find('"', at + 1) : wordEnd(message, at);
            if (end == std::string::npos || (!isQuoted && end == at)) {
                m_text += message[at++];
                continue;
            }
            const std::size_t next = isQuoted ? end + 1 : end;
            const std::string whole = message.substr(at, next - at), name = isQuoted ? message.substr(at + 1, end - at - 1) : whole;
            const auto found = m_options.find(name);
            if (found != m_options.end() && (isQuoted ? isNamed() : name.find_first_of("._") != std::string::npos))
                put(found->second);
            else
                m_text += whole;
            at = next;
        }
        return m_text;
    }

private:
    static constexpr std::array<std::string_view, 4> openings{"The field ", "the field ", "The fields ", "the fields "};

    /// Of letters, digits and what fields and paths have between them; the full stop of a sentence is not one.
    static std::size_t wordEnd(const std::string &message, std::size_t at)
    {
        constexpr std::string_view between = "._-/~";
        std::size_t end = at;
        while (end < message.size() && (std::isalnum(static_cast<unsigned char>(message[end])) != 0 || between.find(message[end]) != std::string_view::npos))
            ++end;
        while (end > at && message[end - 1] == '.')
            --end;
        return end;
    }
    /// Whether what comes next in quotes is a field: after the word, or after another field of the same list.
    [[nodiscard]] bool isNamed() const
    {
        const std::string_view sinceOption = std::string_view(m_text).substr(m_optionEnd);
        return std::any_of(openings.begin(), openings.end(), [&](std::string_view opening) { return m_text.ends_with(opening); })
            || (m_optionEnd > 0 && (sinceOption == ", " || sinceOption == " and " || sinceOption == ", and "));
    }
    void put(const std::string &option)
    {
        for (const std::string_view opening : openings)
            if (m_text.ends_with(opening))
                m_text.resize(m_text.size() - opening.size());
        m_text += option;
        m_optionEnd = m_text.size();
    }

    std::map<std::string, std::string> m_options;     ///< by the field
    std::string m_text;
    std::size_t m_optionEnd = 0;                      ///< in m_text, of the last option that was put
};

}  // namespace

bool SpecOption::isList() const
{
    return field->type == FieldType::IntegerList || field->type == FieldType::TextList;
}

std::vector<SpecOption> specOptions(const experiment::KindSchema &schema)
{
    std::vector<SpecOption> options;
    collect(schema.fields, {}, options);
    return options;
}

Error inOptions(const Error &error, const std::vector<SpecOption> &options)
{
    return {error.code(), Renaming(options)(error.what()), error.detail()};
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
