// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/ticks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <utility>

namespace stillroom::report {
namespace {

constexpr double fewDecades = 2.5, slack = 1e-9, mostSteps = 5.0;
constexpr int mostPowers = 7;

double roundStep(double span)
{
    const double least = span / mostSteps, power = std::pow(10.0, std::floor(std::log10(least)));
    for (const double part : {1.0, 2.0, 5.0})
        if (part * power >= least * (1.0 - slack))
            return part * power;
    return 10.0 * power;
}

std::string textOf(double at, int digits)
{
    std::array<char, 40> text{};
    std::snprintf(text.data(), text.size(), "%.*g", digits, at);
    return text.data();
}

}  // namespace

std::vector<double> evenTicks(double low, double high)
{
    std::vector<double> ticks;
    const double span = high - low;
    if (!(span > 0.0) || !std::isfinite(span))
        return ticks;
    const double step = roundStep(span), first = std::ceil(low / step - slack);
    for (int i = 0; i <= static_cast<int>(mostSteps); ++i) {
        const double count = first + i, at = count == 0.0 ? 0.0 : count * step;      // not -0
        if (at <= high + slack * span && (ticks.empty() || at > ticks.back()))       // near the last digit of a double, counting on goes nowhere
            ticks.push_back(at);
    }
    return ticks;
}

std::vector<std::string> tickTexts(const std::vector<double> &ticks)
{
    double largest = 0.0, step = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < ticks.size(); ++i) {
        largest = std::max(largest, std::abs(ticks[i]));
        if (i > 0)
            step = std::min(step, std::abs(ticks[i] - ticks[i - 1]));
    }
    // The fewest digits that say every tick, to a small part of the way to the next one: powers of ten need one, 100.2 four.
    const auto isSaid = [&](double at, int digits) { return std::abs(std::strtod(textOf(at, digits).c_str(), nullptr) - at) <= std::max(1e-6 * std::min(step, std::abs(at)), 4e-16 * largest); };
    int digits = 3;
    while (digits < 17 && std::isfinite(largest) && !std::all_of(ticks.begin(), ticks.end(), [&](double at) { return isSaid(at, digits); }))
        ++digits;
    std::vector<std::string> texts;
    for (const double at : ticks)
        texts.push_back(textOf(at, digits));
    return texts;
}

std::vector<double> logTicks(double low, double high)
{
    std::vector<double> ticks;
    if (!(low > 0.0) || !(high > low) || !std::isfinite(high))
        return ticks;
    const int first = static_cast<int>(std::floor(std::log10(low))), last = static_cast<int>(std::floor(std::log10(high)));
    const bool few = std::log10(high / low) < fewDecades;
    const int every = few ? 1 : (last - first) / mostPowers + 1;
    for (int power = first; power <= last; power += every)
        for (const double part : {1.0, 2.0, 5.0})
            if (const double at = part * std::pow(10.0, power); (few || part == 1.0) && at >= low * (1.0 - slack) && at <= high * (1.0 + slack))
                ticks.push_back(at);
    return ticks.size() < 2 ? evenTicks(low, high) : ticks;
}

std::vector<std::optional<double>> labelPlaces(const std::vector<double> &wanted, double gap, double low, double high)
{
    std::vector<std::optional<double>> places(wanted.size());
    if (!(gap > 0.0) || !(high >= low))
        return places;
    const auto most = static_cast<std::size_t>((high - low) / gap) + 1, every = std::max<std::size_t>(1, (wanted.size() + most - 1) / most);
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < wanted.size(); i += every)
        if (std::isfinite(wanted[i]))
            order.push_back(i);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return wanted[a] < wanted[b]; });
    // Less their gaps, places must not fall: what would is pooled, as isotonic regression does.
    struct Pool {
        double sum;
        std::size_t count;
        [[nodiscard]] double mean() const { return sum / static_cast<double>(count); }
    };
    std::vector<Pool> pools;
    for (std::size_t rank = 0; rank < order.size(); ++rank) {
        pools.push_back({wanted[order[rank]] - gap * static_cast<double>(rank), 1});
        while (pools.size() > 1 && pools[pools.size() - 2].mean() > pools.back().mean()) {
            const Pool last = pools.back();
            pools.pop_back();
            pools.back().sum += last.sum;
            pools.back().count += last.count;
        }
    }
    std::size_t rank = 0;
    const double room = std::max(low, high - gap * (static_cast<double>(order.size()) - 1.0));
    for (const Pool &pool : pools)
        for (std::size_t i = 0; i < pool.count; ++i, ++rank)
            places[order[rank]] = std::clamp(pool.mean(), low, room) + gap * static_cast<double>(rank);
    return places;
}

std::size_t everyNthLabel(const std::vector<double> &places, const std::vector<double> &widths, double gap)
{
    const std::size_t count = std::min(places.size(), widths.size());
    const auto fit = [&](std::size_t every) {
        for (std::size_t i = every; i < count; i += every)
            if (!(places[i] - places[i - every] >= 0.5 * (widths[i] + widths[i - every]) + gap))
                return false;
        return true;
    };
    for (std::size_t power = 1;; power *= 10)
        for (const std::size_t part : {1U, 2U, 5U})
            if (part * power >= count || fit(part * power))
                return part * power;
}

int columnsThatFit(const std::vector<double> &widths, double spacing, double room)
{
    for (std::size_t columns = widths.size(); columns > 1; --columns) {
        double needed = static_cast<double>(columns - 1) * spacing;
        for (std::size_t column = 0; column < columns; ++column) {
            double widest = 0.0;
            for (std::size_t item = column; item < widths.size(); item += columns)
                widest = std::max(widest, widths[item]);
            needed += widest;
        }
        if (needed <= room)
            return static_cast<int>(columns);
    }
    return 1;
}

void alignZeros(double &lowA, double &highA, double &lowB, double &highB)
{
    const auto below = [](double low, double high) { return high > low ? -low / (high - low) : 0.0; };
    const double share = std::max(below(lowA, highA), below(lowB, highB));
    for (auto [low, high] : {std::pair{&lowA, &highA}, {&lowB, &highB}})
        if (share < 1.0 && *high > 0.0)
            *low = share > 0.0 ? -*high * share / (1.0 - share) : *low;
}

}  // namespace stillroom::report
