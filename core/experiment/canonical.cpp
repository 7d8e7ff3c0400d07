// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/digest.h"
#include "experiment/jsontext.h"
#include "experiment/spec.h"

#include "error.h"

#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

namespace stillroom::experiment {

namespace {

using nlohmann::json;

class Writer final {
public:
    explicit Writer(json::error_handler_t badText) : m_badText(badText) {}

    void write(const json &value)
    {
        switch (value.type()) {
        case json::value_t::object: writeObject(value); break;
        case json::value_t::array: writeArray(value); break;
        case json::value_t::number_float: writeNumber(value.get<double>()); break;
        case json::value_t::string: writeText(value); break;
        case json::value_t::binary:
        case json::value_t::discarded: throw Error(ErrorCode::Usage, "Only plain JSON values can be written.");
        case json::value_t::null:
        case json::value_t::boolean:
        case json::value_t::number_integer:
        case json::value_t::number_unsigned: m_text += value.dump(); break;
        }
    }
    [[nodiscard]] std::string take() { return std::move(m_text); }

private:
    void writeObject(const json &value)
    {
        m_text += '{';
        bool first = true;
        for (const auto &[name, child] : value.items()) {     // std::map: sorted by the names' bytes
            if (!std::exchange(first, false))
                m_text += ',';
            writeText(json(name));
            m_text += ':';
            write(child);
        }
        m_text += '}';
    }
    void writeArray(const json &value)
    {
        m_text += '[';
        bool first = true;
        for (const json &child : value) {
            if (!std::exchange(first, false))
                m_text += ',';
            write(child);
        }
        m_text += ']';
    }
    void writeText(const json &text)
    {
        try {
            m_text += text.dump(-1, ' ', false, m_badText);
        } catch (const json::exception &error) {
            throw Error(ErrorCode::Usage, "A text holds bytes that are not UTF-8.", error.what());
        }
    }
    /// Whole numbers are written as such, so that 1 and 1.0 are one number.
    void writeNumber(double number)
    {
        if (!std::isfinite(number))
            throw Error(ErrorCode::Usage, "A number is not finite, which JSON cannot hold.");
        constexpr double exactIntegers = 9007199254740992.0;   // 2^53
        if (number == std::trunc(number) && std::abs(number) <= exactIntegers) {
            m_text += std::to_string(static_cast<std::int64_t>(number));
            return;
        }
        std::array<char, 32> digits{};
        const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
        m_text.append(digits.data(), end);
    }

    json::error_handler_t m_badText;
    std::string m_text;
};

std::string write(const json &value, json::error_handler_t badText)
{
    if (jsonDepth(value) > maximumJsonDepth)
        throw Error(ErrorCode::Usage, "The value nests deeper than " + std::to_string(maximumJsonDepth) + " levels.");
    Writer writer(badText);
    writer.write(value);
    return writer.take();
}

json hashedFields(const json &object, const std::vector<Field> &fields);

/// What of one field's value enters the key.
json hashedValue(const json &value, const Field &field)
{
    if (field.type == FieldType::Spec) {
        const KindSchema &schema = kindSchema(value.at("kind").get<std::string>());
        return json{{"kind", schema.kind}, {"revision", schema.revision}, {"parameters", hashedFields(value, schema.fields)}};
    }
    if (field.fields.empty())
        return value;
    if (field.type == FieldType::Object)
        return hashedFields(value, field.fields);
    json list = json::array();
    for (const json &element : value)
        list.push_back(hashedFields(element, field.fields));
    return list;
}

json hashedFields(const json &object, const std::vector<Field> &fields)
{
    json kept = json::object();
    for (const Field &field : fields) {
        if (field.hashed && object.contains(field.name))
            kept[field.name] = hashedValue(object.at(field.name), field);
    }
    return kept;
}

}  // namespace

std::string canonicalJson(const json &value)
{
    return write(value, json::error_handler_t::strict);
}

std::string compactJson(const json &value)
{
    return write(value, json::error_handler_t::replace);
}

std::string inUtf8(const std::string &text)
{
    // JSON's writer replaces; reading it back undoes its escapes.
    return json::parse(compactJson(text)).get<std::string>();
}

std::string stageKey(const json &completedSpec, const std::vector<std::string> &inputHashes, const std::string &deviceClass, const std::string &computeType)
{
    const json spec = completeSpec(completedSpec);
    const KindSchema &schema = kindSchema(spec.at("kind").get<std::string>());
    const json named{
        {"kind", schema.kind},
        {"schema", specSchema},
        {"revision", schema.revision},
        {"parameters", hashedFields(spec, schema.fields)},
        {"inputs", inputHashes},
        {"device_class", deviceClass},
        {"compute_type", computeType},
    };
    return sha256Hex(canonicalJson(named));
}

}  // namespace stillroom::experiment
