// SPDX-License-Identifier: GPL-3.0-or-later
#include "bytesize.h"

#include "error.h"
#include "formatted.h"

#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

namespace stillroom::cli {
namespace {

constexpr std::string_view prefixes = "kmgt";

/// What the letters after a number multiply it by: "", "k", "KB", "MiB" …
std::optional<double> factorOf(std::string unit)
{
    for (char &c : unit)
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    if (unit.empty() || unit == "b")
        return 1.0;
    const std::size_t power = prefixes.find(unit.front());
    if (power == std::string_view::npos)
        return std::nullopt;
    const std::string rest = unit.substr(1);
    if (rest.empty() || rest == "ib" || rest == "i")
        return std::pow(1024.0, static_cast<double>(power) + 1.0);
    return rest == "b" ? std::optional(std::pow(1000.0, static_cast<double>(power) + 1.0)) : std::nullopt;
}

double numberFrom(const std::string &text, const char *what)
{
    double value = 0.0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    const std::string unit(end + (end != text.data() + text.size() && *end == ' ' ? 1 : 0));
    const auto factor = factorOf(unit);
    if (problem != std::errc() || !factor || !std::isfinite(value) || value < 0.0)
        throw Error(ErrorCode::Usage, "\"" + text + "\" is no " + what);
    return value * *factor;
}

}  // namespace

double bytesFrom(const std::string &text)
{
    return numberFrom(text, "number of bytes: write 67108864 or 64MiB");
}

std::string byteText(double bytes)
{
    constexpr std::array<const char *, 5> units{"bytes", "KiB", "MiB", "GiB", "TiB"};
    std::size_t unit = 0;
    while (unit + 1 < units.size() && std::abs(bytes) >= 1024.0) {
        bytes /= 1024.0;
        ++unit;
    }
    // "%.3g" would write 1.02e+03 for what is between two units.
    return std::abs(bytes) >= 999.5 ? formatted("%.0f %s", bytes, units[unit]) : formatted("%.3g %s", bytes, units[unit]);
}

std::int64_t tokensFrom(const std::string &text)
{
    const double tokens = numberFrom(text, "number of tokens: write 32768 or 32k");
    if (tokens != std::floor(tokens))
        throw Error(ErrorCode::Usage, "\"" + text + "\" is no number of tokens: write 32768 or 32k");
    if (tokens > 1e12)
        throw Error(ErrorCode::Usage, "\"" + text + "\" is more than the 1000000000000 tokens that a context may have");
    return static_cast<std::int64_t>(tokens);
}

}  // namespace stillroom::cli
