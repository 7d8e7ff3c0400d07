// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/table.h"

#include "error.h"
#include "experiment/jsontext.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>

namespace stillroom::report {
namespace {

std::string notFinite(double value)
{
    return std::isnan(value) ? "nan" : value > 0.0 ? "inf" : "-inf";
}

template <typename Has> bool anyCell(const Table &table, std::size_t column, const Has &has)
{
    return std::any_of(table.rows.begin(), table.rows.end(), [&](const std::vector<Cell> &row) { return has(row[column]); });
}

/// "n = 64", "n = 48 to 64"; empty where nothing is known.
std::string countsOf(const Table &table)
{
    std::set<std::int64_t> counts;
    for (const std::vector<Cell> &row : table.rows)
        for (const Cell &cell : row)
            if (cell.n)
                counts.insert(*cell.n);
    if (counts.empty())
        return {};
    const std::string least = std::to_string(*counts.begin());
    return "n = " + (counts.size() == 1 ? least : least + " to " + std::to_string(*counts.rbegin()));
}

}  // namespace

Cell textCell(std::string text)
{
    return {.text = std::move(text), .value = {}, .reach = {}, .n = {}};
}

Cell numberCell(double value, std::optional<double> reach, std::optional<std::int64_t> n)
{
    return {.text = {}, .value = value, .reach = reach, .n = n};
}

void checkTable(const Table &table)
{
    for (std::size_t row = 0; row < table.rows.size(); ++row)
        if (table.rows[row].size() != table.columns.size())
            throw Error(ErrorCode::Usage, "row " + std::to_string(row + 1) + " of the table " + table.name + " has " + std::to_string(table.rows[row].size()) + " cells: give one a column, " +
                                              std::to_string(table.columns.size()));
}

bool isNumeric(const Table &table, std::size_t column)
{
    return anyCell(table, column, [](const Cell &cell) { return cell.value.has_value(); }) && !anyCell(table, column, [](const Cell &cell) { return !cell.text.empty(); });
}

bool hasReach(const Table &table, std::size_t column)
{
    return anyCell(table, column, [](const Cell &cell) { return cell.reach.has_value(); });
}

bool hasCounts(const Table &table, std::size_t column)
{
    return anyCell(table, column, [](const Cell &cell) { return cell.n.has_value(); });
}

std::string headOf(const Column &column)
{
    return column.unit.empty() ? column.title : column.title + " (" + column.unit + ")";
}

std::optional<std::size_t> clearlyBest(const Table &table, std::size_t column)
{
    const Better better = table.columns[column].better;
    std::optional<std::size_t> best;
    std::size_t numbers = 0;
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        const Cell &cell = table.rows[row][column];
        if (!cell.value || better == Better::Neither)
            continue;
        if (!std::isfinite(*cell.value) || !cell.reach || !std::isfinite(*cell.reach))
            return std::nullopt;
        ++numbers;
        const double leader = best ? *table.rows[*best][column].value : 0.0;
        if (!best || (better == Better::Lower ? *cell.value < leader : *cell.value > leader))
            best = row;
    }
    if (numbers < 2)
        return std::nullopt;
    const Cell &leader = table.rows[*best][column];
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        const Cell &rival = table.rows[row][column];
        if (row != *best && rival.value && !(std::abs(*rival.value - *leader.value) > std::hypot(*rival.reach, *leader.reach)))
            return std::nullopt;
    }
    return best;
}

std::string footnote(const Table &table)
{
    std::vector<std::string> parts;
    bool reaches = false;
    for (std::size_t column = 0; column < table.columns.size(); ++column)
        reaches = reaches || hasReach(table, column);
    if (reaches)
        parts.push_back("mean ± 95 % interval");
    if (const std::string counts = countsOf(table); !counts.empty())
        parts.push_back(counts);
    std::string seeds;
    for (const std::int64_t seed : table.provenance.seeds)
        seeds += (seeds.empty() ? "" : ", ") + std::to_string(seed);
    if (!seeds.empty())
        parts.push_back((table.provenance.seeds.size() == 1 ? "seed " : "seeds ") + seeds);
    std::string all;
    for (const std::string &part : parts)
        all += (all.empty() ? "" : "; ") + part;
    if (!all.empty()) {
        if (all.front() == 'm')
            all.front() = 'M';
        all += ".";
    }
    return table.note.empty() ? all : all.empty() ? table.note : all + " " + table.note;
}

std::string fixedText(double value, int decimals)
{
    if (!std::isfinite(value))
        return notFinite(value);
    std::array<char, 400> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, std::clamp(decimals, 0, 17)).ptr;
    std::string made(text.data(), end);
    if (made.front() == '-' && made.find_first_not_of("-0.") == std::string::npos)      // a zero has no sign
        made.erase(0, 1);
    return made;
}

std::string exactText(double value)
{
    if (!std::isfinite(value))
        return notFinite(value);
    std::array<char, 32> text{};
    return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

std::string oneLine(const std::string &text)
{
    std::string clean = experiment::inUtf8(text);
    for (char &one : clean)
        if (static_cast<unsigned char>(one) < 0x20U || one == 0x7F)
            one = ' ';
    return clean;
}

}  // namespace stillroom::report
