// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/budgettext.h"

#include "error.h"

#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

namespace stillroom::analysis {
namespace {

constexpr std::string_view prefixes = "kmgt";
constexpr std::int64_t kilo = 1024;

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

std::string trimmed(const std::string &text)
{
    const std::size_t first = text.find_first_not_of(' '), last = text.find_last_not_of(' ');
    return first == std::string::npos ? std::string() : text.substr(first, last - first + 1);
}

/// Before and after "at" or "@"; nothing after where neither stands.
std::pair<std::string, std::optional<std::string>> partsOf(const std::string &text)
{
    for (const std::string_view word : {std::string_view("@"), std::string_view(" at ")})
        if (const std::size_t at = text.find(word); at != std::string::npos)
            return {trimmed(text.substr(0, at)), trimmed(text.substr(at + word.size()))};
    return {trimmed(text), std::nullopt};
}

}  // namespace

double bytesFrom(const std::string &text)
{
    return numberFrom(text, "number of bytes: write 67108864 or 64MiB");
}

std::int64_t tokensFrom(const std::string &text)
{
    const double tokens = numberFrom(text, "number of tokens: write 32768 or 32k");
    if (tokens != std::floor(tokens) || tokens < 1.0)
        throw Error(ErrorCode::Usage, "\"" + text + "\" is no number of tokens: write 32768 or 32k");
    if (tokens > 1e12)
        throw Error(ErrorCode::Usage, "\"" + text + "\" is more than the 1000000000000 tokens that a context may have");
    return static_cast<std::int64_t>(tokens);
}

Budget kvBudgetFrom(const std::string &text, std::int64_t context)
{
    const auto [bytes, tokens] = partsOf(text);
    return {Budget::Kind::KvBytes, bytesFrom(bytes), tokens ? tokensFrom(*tokens) : context};
}

std::string contextText(std::int64_t tokens)
{
    return tokens > 0 && tokens % kilo == 0 ? std::to_string(tokens / kilo) + "k" : std::to_string(tokens);
}

}  // namespace stillroom::analysis
