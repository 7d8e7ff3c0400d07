// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace stillroom::checkpoint {

/// One object of a config file, read field by field. It remembers what was asked for: what is left at the end is not understood.
/// A field that is null counts as absent.
class ConfigFields {
public:
    /// \param where stands at the start of messages, e.g. "/models/x/config.json". \throws Error(BadFile) when `object` is none.
    ConfigFields(const nlohmann::json &object, std::string where);

    [[nodiscard]] const nlohmann::json *find(const char *key);   ///< null pointer when absent or null
    [[nodiscard]] bool isNull(const char *key) const;            ///< present with the value null
    /// For a field that has a default when it is absent, but no meaning as null. \throws Error(BadFile)
    void refuseNull(const char *key) const;
    /// Each throws Error(BadFile) naming the field, its value and the allowed range; the first forms also when it is absent.
    [[nodiscard]] std::int64_t integer(const char *key, std::int64_t least, std::int64_t most);
    [[nodiscard]] std::int64_t integer(const char *key, std::int64_t least, std::int64_t most, std::int64_t otherwise);
    [[nodiscard]] double number(const char *key, double least, double most);
    [[nodiscard]] double number(const char *key, double least, double most, double otherwise);
    [[nodiscard]] bool flag(const char *key, bool otherwise);
    [[nodiscard]] std::string text(const char *key, const std::string &otherwise);

    [[nodiscard]] std::vector<std::string> unread() const;       ///< keys with a value that nobody asked for, sorted
    [[nodiscard]] const nlohmann::json &json() const { return m_object; }
    [[nodiscard]] const std::string &where() const { return m_where; }
    [[noreturn]] void bad(const std::string &key, const std::string &why) const;           ///< Error(BadFile)
    [[noreturn]] void unsupported(const std::string &what, const std::string &advice = "use a model without it") const;                          ///< Error(Unsupported)

private:
    const nlohmann::json &m_object;
    std::string m_where;
    std::set<std::string, std::less<>> m_read;
};

}  // namespace stillroom::checkpoint
