// SPDX-License-Identifier: GPL-3.0-or-later
#include "mixers/options.h"

#include "error.h"
#include "experiment/spec.h"
#include "shownname.h"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

namespace stillroom::mixers {

namespace {

std::string joined(const std::vector<std::string> &names)
{
    std::string text;
    for (const std::string &name : names)
        text += (text.empty() ? "\"" : ", \"") + name + '"';
    return text;
}

bool isOneOf(const std::vector<std::string> &allowed, const nlohmann::json &value)
{
    return value.is_string() && std::find(allowed.begin(), allowed.end(), value.get_ref<const std::string &>()) != allowed.end();
}

std::string range(double least, double most)
{
    return "a number from " + nlohmann::json(least).dump() + " to " + nlohmann::json(most).dump();
}

}  // namespace

OptionReader::OptionReader(std::string_view kind, const std::string &optionsJson)
    : m_kind(kind), m_completed(std::make_unique<nlohmann::json>(nlohmann::json::object()))
{
    m_given = std::make_unique<nlohmann::json>(nlohmann::json::parse(optionsJson.empty() ? "{}" : optionsJson, nullptr, false));
    if (!m_given->is_object())
        throw Error(ErrorCode::Usage, "The options of the mixer \"" + m_kind + "\" must be a JSON object, such as {\"output_gate\": true}.", optionsJson);
}

OptionReader::~OptionReader() = default;

const nlohmann::json *OptionReader::given(const std::string &name) const
{
    const auto found = m_given->find(name);
    return found == m_given->end() ? nullptr : &*found;
}

template <typename Value>
Value OptionReader::keep(const std::string &name, Value value)
{
    (*m_completed)[name] = value;
    return value;
}

void OptionReader::refuse(const std::string &name, const std::string &why) const
{
    const nlohmann::json *value = given(name);
    throw Error(ErrorCode::Usage, "The option \"" + name + "\" of the mixer \"" + m_kind + "\"" + (value ? " is " + shownName(value->dump()) + ", but it" : "") + ' ' + why + '.');
}

bool OptionReader::boolean(const std::string &name, bool byDefault)
{
    const nlohmann::json *value = given(name);
    if (!value)
        return keep(name, byDefault);
    if (!value->is_boolean())
        refuse(name, "must be true or false");
    return keep(name, value->get<bool>());
}

bool OptionReader::laterBoolean(const std::string &name)
{
    const bool value = boolean(name, false);
    if (!value)
        m_undescribed.push_back(name);
    return value;
}

std::int64_t OptionReader::integer(const std::string &name, std::int64_t byDefault, std::int64_t least, std::int64_t most)
{
    const nlohmann::json *value = given(name);
    if (!value)
        return keep(name, byDefault);
    const bool tooLarge = value->is_number_unsigned() && value->get<std::uint64_t>() > static_cast<std::uint64_t>(most);
    if (!value->is_number_integer() || tooLarge || value->get<std::int64_t>() < least || value->get<std::int64_t>() > most)
        refuse(name, "must be a whole number from " + std::to_string(least) + " to " + std::to_string(most));
    return keep(name, value->get<std::int64_t>());
}

double OptionReader::number(const std::string &name, double byDefault, double least, double most)
{
    const nlohmann::json *value = given(name);
    if (!value)
        return keep(name, byDefault);
    if (!value->is_number() || !(value->get<double>() >= least && value->get<double>() <= most))
        refuse(name, "must be " + range(least, most));
    return keep(name, value->get<double>());
}

std::optional<double> OptionReader::numberOrNull(const std::string &name, double least, double most)
{
    const nlohmann::json *value = given(name);
    if (!value || value->is_null()) {
        (*m_completed)[name] = nullptr;
        return std::nullopt;
    }
    if (!value->is_number() || !(value->get<double>() >= least && value->get<double>() <= most))
        refuse(name, "must be null or " + range(least, most));
    return keep(name, value->get<double>());
}

std::string OptionReader::choice(const std::string &name, const std::string &byDefault, const std::vector<std::string> &allowed)
{
    const nlohmann::json *value = given(name);
    if (!value)
        return keep(name, byDefault);
    if (!isOneOf(allowed, *value))
        refuse(name, "must be one of " + joined(allowed));
    return keep(name, value->get<std::string>());
}

std::optional<std::string> OptionReader::choiceOrNull(const std::string &name, const std::vector<std::string> &allowed)
{
    const nlohmann::json *value = given(name);
    if (!value || value->is_null()) {
        (*m_completed)[name] = nullptr;
        return std::nullopt;
    }
    if (!isOneOf(allowed, *value))
        refuse(name, "must be null or one of " + joined(allowed));
    return keep(name, value->get<std::string>());
}

void OptionReader::settle(const std::string &name, bool value)
{
    (*m_completed)[name] = value;
}

void OptionReader::settle(const std::string &name, const char *value)
{
    (*m_completed)[name] = value;
}

std::string OptionReader::finish() const
{
    for (const auto &[name, value] : m_given->items()) {
        if (m_completed->contains(name))
            continue;
        std::vector<std::string> known;
        for (const auto &[knownName, knownValue] : m_completed->items())
            known.push_back(knownName);
        const std::string nearest = experiment::nearestName(name, known);
        throw Error(ErrorCode::Usage, "The mixer \"" + m_kind + "\" has no option \"" + shownName(name) + "\"" +
                                          (nearest.empty() ? "; it has " + joined(known) + '.' : "; did you mean \"" + nearest + "\"?"));
    }
    nlohmann::json described = *m_completed;
    for (const std::string &name : m_undescribed)
        described.erase(name);
    return experiment::canonicalJson(described);
}

}  // namespace stillroom::mixers
