// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/spectext.h"

#include "error.h"
#include "experiment/completion.h"
#include "experiment/jsontext.h"
#include "strictjson.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>
#include <variant>
#include <vector>

namespace stillroom::experiment {

namespace {

using nlohmann::json;
using Fields = std::vector<Field>;

int lineAt(std::string_view text, std::size_t at)
{
    const std::string_view before = text.substr(0, std::min(at, text.size()));
    return 1 + static_cast<int>(std::count(before.begin(), before.end(), '\n'));
}

/// Where the members of all objects of a JSON text stand. Stops where the text is none.
class Members final {
public:
    explicit Members(std::string_view text) : m_text(text) { static_cast<void>(value({}, 0)); }

    /// Of the member, else of the nearest object around it; 0 for the whole.
    [[nodiscard]] std::size_t placeOf(std::string path) const
    {
        while (!path.empty()) {
            for (const auto &[name, at] : m_found)
                if (name == path)
                    return at;
            const std::size_t end = path.find_last_of(".[");
            path.resize(end == std::string::npos ? 0 : end);
        }
        return 0;
    }
    /// Of the second of two members with one name.
    [[nodiscard]] std::size_t placeOfRepeated() const
    {
        std::set<std::string_view> names;
        for (const auto &[name, at] : m_found)
            if (!names.insert(name).second)
                return at;
        return 0;
    }

private:
    bool value(const std::string &path, int depth)
    {
        if (depth > maximumJsonDepth)
            return false;
        space();
        switch (next()) {
        case '{': return object(path, depth);
        case '[': return list(path, depth);
        case '"': return !string().empty();
        default: m_at = std::min(m_text.find_first_of(",]} \t\r\n", m_at), m_text.size()); return true;
        }
    }
    bool object(const std::string &path, int depth)
    {
        return sequence('}', [&](std::size_t) {
            const std::size_t at = m_at;
            const json name = json::parse(string(), nullptr, false);
            space();
            if (!name.is_string() || next() != ':')
                return false;
            ++m_at;
            const std::string inner = (path.empty() ? "" : path + '.') + name.get<std::string>();
            m_found.emplace_back(inner, at);
            return value(inner, depth + 1);
        });
    }
    bool list(const std::string &path, int depth)
    {
        return sequence(']', [&](std::size_t index) {
            const std::string inner = path + '[' + std::to_string(index) + ']';
            m_found.emplace_back(inner, m_at);
            return value(inner, depth + 1);
        });
    }
    template <typename Element>
    bool sequence(char close, Element element)
    {
        ++m_at;
        for (std::size_t index = 0;; ++index) {
            space();
            if (next() == close) {
                ++m_at;
                return true;
            }
            if (!element(index))
                return false;
            space();
            if (next() == ',')
                ++m_at;
            else if (next() != close)
                return false;
        }
    }
    /// With its quotes; empty where there is none.
    std::string string()
    {
        const std::size_t start = m_at;
        if (next() != '"')
            return {};
        for (++m_at; m_at < m_text.size() && m_text[m_at] != '"'; ++m_at)
            if (m_text[m_at] == '\\')
                ++m_at;
        m_at = std::min(m_at + 1, m_text.size());
        return std::string(m_text.substr(start, m_at - start));
    }
    void space() { m_at = std::min(m_text.find_first_not_of(" \t\r\n", m_at), m_text.size()); }
    [[nodiscard]] char next() const { return m_at < m_text.size() ? m_text[m_at] : '\0'; }

    std::string_view m_text;
    std::size_t m_at = 0;
    std::vector<std::pair<std::string, std::size_t>> m_found;
};

/// The first name that a sentence of this room quotes as a field.
std::string fieldNamedIn(const std::string &message)
{
    if (message.find("kind of spec") != std::string::npos)
        return "kind";
    for (const char *word : {"field \"", "fields \""}) {
        const std::size_t found = message.find(word);
        if (found == std::string::npos)
            continue;
        const std::size_t start = message.find('"', found) + 1;
        return message.substr(start, message.find('"', start) - start);
    }
    return {};
}

/// Of a text that is not JSON.
int faultyLine(std::string_view text)
{
    const auto parsed = strictJson(text, static_cast<std::size_t>(maximumJsonDepth), maximumJsonValues);
    const auto *fault = std::get_if<JsonFault>(&parsed);
    if (fault && fault->kind == JsonFault::Kind::NameTwice)
        return lineAt(text, Members(text).placeOfRepeated());
    return fault && fault->byte > 0 ? lineAt(text, fault->byte - 1) : 1;
}

/// The same fields, none of which must be given.
Fields allOptional(Fields fields)
{
    for (Field &field : fields) {
        field.optional = field.optional || field.defaultJson == "null";
        field.fields = allOptional(std::move(field.fields));
    }
    return fields;
}

bool takesEveryValue(json spec)
{
    if (!spec.is_object() || !spec.contains("kind") || !spec.at("kind").is_string())
        return false;
    try {
        const Fields fields = allOptional(kindSchema(spec.at("kind").get<std::string>()).fields);
        const json completed = completeFields(unpackSelection(std::move(spec)), fields, "", {"kind", "schema"});
        const json stages = completed.value("stages", json::array());
        return std::all_of(stages.begin(), stages.end(), [](const json &stage) { return !stage.contains("spec") || takesEveryValue(stage.at("spec")); });
    } catch (const Error &) {
        return false;
    }
}

/// \param around  a pipeline's own value of a field that its stages take from it; null: none
json stripped(const json &object, const Fields &fields, const json &around);

json strippedStages(const json &stages, const json &pipeline)
{
    json list = json::array();
    for (json stage : stages) {
        if (stage.is_object() && stage.contains("spec") && takesEveryValue(stage.at("spec")))
            stage["spec"] = stripped(stage.at("spec"), kindSchema(stage.at("spec").at("kind").get<std::string>()).fields, pipeline);
        list.push_back(std::move(stage));
    }
    return list;
}

json defaultOf(const Field &field, const json &around)
{
    return around.is_object() && around.contains(field.name) ? around.at(field.name) : json::parse(field.defaultJson);
}

json stripped(const json &object, const Fields &fields, const json &around)
{
    json kept = object;
    for (const Field &field : fields) {
        const auto given = kept.find(field.name);
        if (given == kept.end())
            continue;
        if (field.type == FieldType::Object && !field.fields.empty() && given->is_object()) {
            *given = stripped(*given, field.fields, nullptr);
            if (given->empty() && !field.optional)
                kept.erase(given);
        } else if (field.type == FieldType::ObjectList && given->is_array()) {
            *given = strippedStages(*given, object);
        } else if (*given == defaultOf(field, around)) {
            kept.erase(given);
        }
    }
    return kept;
}

/// An optional object of which nothing is left may mean that it is there: it goes only where it means nothing.
json withoutEmptyObjects(json spec, const json &completed)
{
    const Fields &fields = kindSchema(spec.at("kind").get<std::string>()).fields;
    for (const Field &field : fields) {
        const auto given = spec.find(field.name);
        if (!field.optional || given == spec.end() || !given->is_object() || !given->empty())
            continue;
        json shorter = spec;
        shorter.erase(field.name);
        if (completeSpec(shorter) == completed)
            spec = std::move(shorter);
    }
    return spec;
}

class SpecWriter final {
public:
    void spec(const json &value) { object(value, fieldsOfKind(value)); }
    [[nodiscard]] std::string take() { return std::move(m_text); }

private:
    void object(const json &value, const Fields *fields)
    {
        if (value.empty()) {
            m_text += "{}";
            return;
        }
        m_text += "{\n";
        ++m_depth;
        bool first = true;
        for (const std::string &name : ordered(value, fields)) {
            if (!std::exchange(first, false))
                m_text += ",\n";
            m_text += indent() + json(name).dump() + ": ";
            write(value.at(name), fieldNamed(name, fields));
        }
        --m_depth;
        m_text += '\n' + indent() + '}';
    }
    static const Field *fieldNamed(const std::string &name, const Fields *fields)
    {
        if (!fields)
            return nullptr;
        const auto found = std::find_if(fields->begin(), fields->end(), [&](const Field &field) { return field.name == name; });
        return found == fields->end() ? nullptr : &*found;
    }
    static std::vector<std::string> ordered(const json &value, const Fields *fields)
    {
        std::vector<std::string> names;
        const auto add = [&](const std::string &name) {
            if (value.contains(name) && std::find(names.begin(), names.end(), name) == names.end())
                names.push_back(name);
        };
        for (const char *first : {"kind", "schema"})
            add(first);
        if (fields)
            for (const Field &field : *fields)
                add(field.name);
        for (const auto &[name, inner] : value.items())
            add(name);
        return names;
    }
    void write(const json &value, const Field *field)
    {
        if (value.is_array())
            list(value, field);
        else if (value.is_object() && field && field->type == FieldType::Spec)
            object(value, fieldsOfKind(value));
        else if (value.is_object())
            object(value, field && !field->fields.empty() ? &field->fields : nullptr);
        else
            m_text += plain(value);
    }
    static const Fields *fieldsOfKind(const json &spec)
    {
        for (const KindSchema &schema : kinds())
            if (spec.value("kind", json()) == json(schema.kind))
                return &schema.fields;
        return nullptr;
    }
    void list(const json &values, const Field *field)
    {
        constexpr std::size_t longest = 80;
        std::string line;
        const bool nested = std::any_of(values.begin(), values.end(), [](const json &one) { return one.is_structured(); });
        for (std::size_t i = 0; i < values.size() && !nested; ++i)
            line += (i > 0 ? ", " : "") + plain(values[i]);
        if (!nested && line.size() <= longest) {
            m_text += '[' + line + ']';
            return;
        }
        m_text += "[\n";
        ++m_depth;
        for (std::size_t i = 0; i < values.size(); ++i) {
            m_text += (i > 0 ? ",\n" : "") + indent();
            if (values[i].is_object())
                object(values[i], field && !field->fields.empty() ? &field->fields : nullptr);
            else
                write(values[i], nullptr);
        }
        --m_depth;
        m_text += '\n' + indent() + ']';
    }
    static std::string plain(const json &value)
    {
        constexpr double exactIntegers = 9007199254740992.0;   // 2^53
        if (value.is_number_float() && value.get<double>() == std::trunc(value.get<double>()) && std::abs(value.get<double>()) < exactIntegers)
            return std::to_string(static_cast<std::int64_t>(value.get<double>()));
        return value.dump(-1, ' ', false, json::error_handler_t::replace);
    }
    [[nodiscard]] std::string indent() const { return std::string(static_cast<std::size_t>(2 * m_depth), ' '); }

    int m_depth = 0;
    std::string m_text;
};

}  // namespace

SpecReading readSpecText(std::string_view text)
{
    SpecReading reading;
    try {
        reading.given = parseJson(text, "The text");
    } catch (const Error &error) {
        reading.fault = SpecFault{error.what(), {}, faultyLine(text)};
        return reading;
    }
    try {
        reading.completed = completeSpec(reading.given);
        reading.given = unpackSelection(std::move(reading.given));
        reading.fits = true;
    } catch (const Error &error) {
        reading.fault = faultIn(text, error.what());
        reading.fits = takesEveryValue(reading.given);
        if (reading.fits)
            reading.given = unpackSelection(std::move(reading.given));
    }
    return reading;
}

SpecFault faultIn(std::string_view text, const std::string &message)
{
    const std::string field = fieldNamedIn(message);
    return {message, field, lineAt(text, Members(text).placeOf(field))};
}

std::string refusalOf(const Field &field, const std::string &path, const json &value)
{
    try {
        static_cast<void>(completeFields(json{{field.name, value}}, {field}, path));
        return {};
    } catch (const Error &error) {
        return error.what();
    }
}

json withoutDefaults(const json &spec)
{
    if (!takesEveryValue(spec))
        return spec;
    json shorter = stripped(spec, kindSchema(spec.at("kind").get<std::string>()).fields, nullptr);
    if (shorter.value("schema", json()) == json(specSchema))
        shorter.erase("schema");
    try {
        return withoutEmptyObjects(shorter, completeSpec(spec));
    } catch (const Error &) {
        return shorter;
    }
}

std::string specText(const json &spec)
{
    SpecWriter writer;
    writer.spec(spec);
    return writer.take() + '\n';
}

}  // namespace stillroom::experiment
