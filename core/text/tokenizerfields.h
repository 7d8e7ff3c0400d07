// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace stillroom::text {

/// One component of a tokenizer.json ("normalizer", "pre_tokenizer", …), read field by field with errors that name it.
class ComponentFields {
public:
    /// \throws Error(BadFile) when `node` is not an object.
    ComponentFields(const nlohmann::json &node, std::string part);

    [[nodiscard]] const std::string &part() const noexcept { return m_part; }
    [[nodiscard]] std::string type() const { return string("type"); }

    // Each \throws Error(BadFile) for a wrong JSON type; the ones without a default also when the field is absent or null.
    [[nodiscard]] std::string string(const char *name) const;
    [[nodiscard]] std::string string(const char *name, const std::string &otherwise) const;
    [[nodiscard]] bool flag(const char *name) const;
    [[nodiscard]] bool flag(const char *name, bool otherwise) const;
    [[nodiscard]] std::uint32_t number(const char *name) const;
    [[nodiscard]] char32_t character(const char *name) const;
    [[nodiscard]] const nlohmann::json &array(const char *name) const;
    [[nodiscard]] const nlohmann::json &object(const char *name) const;
    [[nodiscard]] const nlohmann::json *find(const char *name) const;   ///< nullptr when absent or null

    /// "The tokenizer's <part> <what>."
    [[noreturn]] void bad(const std::string &what) const;
    /// Names the component type and where the way out lies.
    [[noreturn]] void unsupported(const std::string &what) const;
    [[noreturn]] void unsupportedType() const;

private:
    const nlohmann::json &m_node;
    std::string m_part;
};

/// The pattern of a Split or Replace: {"String": s} or {"Regex": s}.
struct PatternField {
    std::string text;
    bool regex = false;
};
[[nodiscard]] PatternField patternField(const ComponentFields &fields);

}  // namespace stillroom::text
