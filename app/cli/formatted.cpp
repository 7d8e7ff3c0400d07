// SPDX-License-Identifier: GPL-3.0-or-later
#include "formatted.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cmath>
#include <cstdarg>
#include <cstdio>

namespace stillroom::cli {

std::string formatted(const char *format, ...)
{
    std::array<char, 512> text{};
    va_list values;
    va_start(values, format);
    std::vsnprintf(text.data(), text.size(), format, values);
    va_end(values);
    return text.data();
}

std::string numberText(const nlohmann::json &number, int decimals, int width)
{
    if (number.is_number() && std::isfinite(number.get<double>()))
        return formatted("%*.*f", width, decimals, number.get<double>());
    return std::string(static_cast<std::size_t>(width > 1 ? width - 1 : 0), ' ') + unknownText;
}

std::string counted(std::int64_t count, const std::string &noun)
{
    return std::to_string(count) + ' ' + noun + (count == 1 ? "" : "s");
}

std::string documentText(const nlohmann::json &document, int indent)
{
    return document.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace stillroom::cli
