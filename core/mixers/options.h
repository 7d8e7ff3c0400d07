// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace stillroom::mixers {

/// Reads a mixer's options one by one, checks each and fills in its default. What was read and completed is the mixer's whole
/// description: completing a completed text changes nothing.
class OptionReader final {
public:
    /// \param kind  for messages. \throws Error(Usage) if `optionsJson` is not a JSON object.
    OptionReader(std::string_view kind, const std::string &optionsJson);
    ~OptionReader();
    OptionReader(const OptionReader &) = delete;
    OptionReader &operator=(const OptionReader &) = delete;

    /// Each: the given value if there is one, else `byDefault`. \throws Error(Usage) naming the option, its value and what is allowed.
    bool boolean(const std::string &name, bool byDefault);
    /// One that came later and is false without being told: described only where it is true, so that what was made before keeps its description and with it its key.
    bool laterBoolean(const std::string &name);
    std::int64_t integer(const std::string &name, std::int64_t byDefault, std::int64_t least, std::int64_t most);
    double number(const std::string &name, double byDefault, double least, double most);
    std::optional<double> numberOrNull(const std::string &name, double least, double most);
    std::string choice(const std::string &name, const std::string &byDefault, const std::vector<std::string> &allowed);
    std::optional<std::string> choiceOrNull(const std::string &name, const std::vector<std::string> &allowed);

    /// Replaces an option's completed value by what it comes to on this teacher (a bias to carry becomes false where there is none).
    void settle(const std::string &name, bool value);
    void settle(const std::string &name, const char *value);
    /// \throws Error(Usage) "<kind>'s option <name> <why>"
    [[noreturn]] void refuse(const std::string &name, const std::string &why) const;
    /// The completed options as canonical JSON (sorted keys). \throws Error(Usage) for an option that was never asked for, naming the nearest.
    [[nodiscard]] std::string finish() const;

private:
    [[nodiscard]] const nlohmann::json *given(const std::string &name) const;
    template <typename Value>
    Value keep(const std::string &name, Value value);

    std::string m_kind;
    std::unique_ptr<nlohmann::json> m_given, m_completed;
    std::vector<std::string> m_undescribed;      ///< names that finish leaves out
};

}  // namespace stillroom::mixers
