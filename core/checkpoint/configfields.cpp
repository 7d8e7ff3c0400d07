// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/configfields.h"

#include "error.h"
#include "shownname.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

namespace stillroom::checkpoint {

namespace {

std::string shown(double value) {
    std::ostringstream text;
    text << value;
    return text.str();
}

}  // namespace

ConfigFields::ConfigFields(const nlohmann::json &object, std::string where) : m_object(object), m_where(std::move(where)) {
    if (!object.is_object())
        throw Error(ErrorCode::BadFile, m_where + " is not a JSON object; replace the file by an undamaged copy.");
}

void ConfigFields::bad(const std::string &key, const std::string &why) const {
    const std::string place = m_where.ends_with(',') ? m_where.substr(0, m_where.size() - 1) : m_where;     // of a part, "config, layer 1,": a colon follows here
    throw Error(ErrorCode::BadFile, place + ": \"" + shownName(key) + "\" " + why + "; correct it there.");
}

void ConfigFields::unsupported(const std::string &what, const std::string &advice) const {
    throw Error(ErrorCode::Unsupported, m_where + " " + what + "; " + advice + ".");
}

const nlohmann::json *ConfigFields::find(const char *key) {
    m_read.insert(key);
    const auto found = m_object.find(key);
    return found == m_object.end() || found->is_null() ? nullptr : &*found;
}

bool ConfigFields::isNull(const char *key) const {
    const auto found = m_object.find(key);
    return found != m_object.end() && found->is_null();
}

void ConfigFields::refuseNull(const char *key) const {
    if (isNull(key))
        bad(key, "is null, but must have a value or not be there");
}

std::int64_t ConfigFields::integer(const char *key, std::int64_t least, std::int64_t most) {
    const auto *value = find(key);
    if (value == nullptr)
        bad(key, "is missing");
    const bool whole = value->is_number_integer() && !(value->is_number_unsigned() && value->get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX));
    if (!whole || value->get<std::int64_t>() < least || value->get<std::int64_t>() > most)
        bad(key, "is " + shownName(value->dump()) + ", but must be an integer from " + std::to_string(least) + " to " + std::to_string(most));
    return value->get<std::int64_t>();
}

std::int64_t ConfigFields::integer(const char *key, std::int64_t least, std::int64_t most, std::int64_t otherwise) {
    return find(key) == nullptr ? otherwise : integer(key, least, most);
}

double ConfigFields::number(const char *key, double least, double most) {
    const auto *value = find(key);
    if (value == nullptr)
        bad(key, "is missing");
    if (!value->is_number() || !std::isfinite(value->get<double>()) || value->get<double>() < least || value->get<double>() > most)
        bad(key, "is " + shownName(value->dump()) + ", but must be a number from " + shown(least) + " to " + shown(most));
    return value->get<double>();
}

double ConfigFields::number(const char *key, double least, double most, double otherwise) {
    return find(key) == nullptr ? otherwise : number(key, least, most);
}

bool ConfigFields::flag(const char *key, bool otherwise) {
    const auto *value = find(key);
    if (value == nullptr)
        return otherwise;
    if (!value->is_boolean())
        bad(key, "is " + shownName(value->dump()) + ", but must be true or false");
    return value->get<bool>();
}

std::string ConfigFields::text(const char *key, const std::string &otherwise) {
    const auto *value = find(key);
    if (value == nullptr)
        return otherwise;
    if (!value->is_string())
        bad(key, "is " + shownName(value->dump()) + ", but must be a text");
    return value->get<std::string>();
}

std::vector<std::string> ConfigFields::unread() const {
    std::vector<std::string> keys;
    for (const auto &item : m_object.items())
        if (!item.value().is_null() && !m_read.contains(item.key()))
            keys.push_back(item.key());
    return keys;
}

}  // namespace stillroom::checkpoint
