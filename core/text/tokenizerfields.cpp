// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/tokenizerfields.h"

#include "error.h"
#include "shownname.h"
#include "text/utf8.h"

#include <limits>

namespace stillroom::text {

using nlohmann::json;

ComponentFields::ComponentFields(const json &node, std::string part) : m_node(node), m_part(std::move(part))
{
    if (!m_node.is_object()) {
        bad("is not an object");
    }
}

const json *ComponentFields::find(const char *name) const
{
    const auto found = m_node.find(name);
    return found == m_node.end() || found->is_null() ? nullptr : &*found;
}

std::string ComponentFields::string(const char *name) const
{
    const json *field = find(name);
    if (field == nullptr || !field->is_string()) {
        bad("has no text in '" + std::string(name) + "'");
    }
    return field->get<std::string>();
}

std::string ComponentFields::string(const char *name, const std::string &otherwise) const
{
    return find(name) == nullptr ? otherwise : string(name);
}

bool ComponentFields::flag(const char *name) const
{
    const json *field = find(name);
    if (field == nullptr || !field->is_boolean()) {
        bad("has neither true nor false in '" + std::string(name) + "'");
    }
    return field->get<bool>();
}

bool ComponentFields::flag(const char *name, bool otherwise) const
{
    return find(name) == nullptr ? otherwise : flag(name);
}

std::uint32_t ComponentFields::number(const char *name) const
{
    const json *field = find(name);
    if (field == nullptr || !field->is_number_unsigned() || field->get<std::uint64_t>() > std::numeric_limits<std::uint32_t>::max()) {
        bad("has no whole number in '" + std::string(name) + "'");
    }
    return static_cast<std::uint32_t>(field->get<std::uint64_t>());
}

char32_t ComponentFields::character(const char *name) const
{
    const std::string text = string(name);
    if (text.empty() || utf8Length(text.front()) != text.size()) {
        bad("needs one character in '" + std::string(name) + "'");
    }
    return utf8At(text, 0).value;
}

const json &ComponentFields::array(const char *name) const
{
    const json *field = find(name);
    if (field == nullptr || !field->is_array()) {
        bad("has no list in '" + std::string(name) + "'");
    }
    return *field;
}

const json &ComponentFields::object(const char *name) const
{
    const json *field = find(name);
    if (field == nullptr || !field->is_object()) {
        bad("has no object in '" + std::string(name) + "'");
    }
    return *field;
}

void ComponentFields::bad(const std::string &what) const
{
    throw Error(ErrorCode::BadFile, "The tokenizer's " + m_part + " " + what + "; use the model's own tokenizer file.");
}

void ComponentFields::unsupported(const std::string &what) const
{
    throw Error(ErrorCode::Unsupported, "The tokenizer's " + m_part + " is or uses " + what + ", which is not understood; use a tokenizer without it.");
}

void ComponentFields::unsupportedType() const
{
    unsupported("'" + shownName(type()) + "'");
}

PatternField patternField(const ComponentFields &fields)
{
    const json &pattern = fields.object("pattern");
    if (pattern.size() == 1) {
        for (const char *kind : {"String", "Regex"}) {
            const auto found = pattern.find(kind);
            if (found != pattern.end() && found->is_string()) {
                return {found->get<std::string>(), kind[0] == 'R'};
            }
        }
    }
    fields.bad("has a pattern that is neither String nor Regex");
}

}  // namespace stillroom::text
