// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/provenance.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace stillroom::report {

enum class Better { Neither, Lower, Higher };

struct Column {
    std::string title, unit;              ///< unit: empty for none
    int decimals = 2;                     ///< in texts for people; data files keep every digit
    Better better = Better::Neither;
};

/// A text, or a number with what is known of its uncertainty; neither: nothing is known.
struct Cell {
    std::string text;
    std::optional<double> value, reach;   ///< reach: half of the 95 % interval
    std::optional<std::int64_t> n;        ///< how many observations the value is a mean of
};
[[nodiscard]] Cell textCell(std::string text);
[[nodiscard]] Cell numberCell(double value, std::optional<double> reach = {}, std::optional<std::int64_t> n = {});

/// What a plot shows, as numbers; or a table of its own.
struct Table {
    std::string name;                     ///< also the stem of its file: "layer-scores"
    std::vector<Column> columns;
    std::vector<std::vector<Cell>> rows;
    std::string note;                     ///< what to know to read it; may be empty
    Provenance provenance;
};

/// \throws Error(Usage) for a row with more or fewer cells than there are columns, here as in all writers
void checkTable(const Table &table);
[[nodiscard]] bool isNumeric(const Table &table, std::size_t column);      ///< it has numbers, and no texts
[[nodiscard]] bool hasReach(const Table &table, std::size_t column);
[[nodiscard]] bool hasCounts(const Table &table, std::size_t column);
/// "KL gain (nats/token)"
[[nodiscard]] std::string headOf(const Column &column);

/// The row with the best value, where it is better than every other one by more than chance: |a - b| > √(reach_a² + reach_b²), the 95 % interval of the
/// difference of independent means. On the same sequences the paired interval would be smaller: this marks rather too few than too many.
/// Empty where the column has no direction, fewer than two numbers, or a number without its interval.
[[nodiscard]] std::optional<std::size_t> clearlyBest(const Table &table, std::size_t column);
/// "Mean ± 95 % interval; n = 64; seeds 1, 2." and the table's own note, as far as they are known.
[[nodiscard]] std::string footnote(const Table &table);

/// With these decimals, in the C locale; "nan", "inf", "-inf".
[[nodiscard]] std::string fixedText(double value, int decimals);
/// The shortest text that reads back as the same number.
[[nodiscard]] std::string exactText(double value);
/// Control characters and line breaks become spaces; bytes that are not UTF-8 U+FFFD.
[[nodiscard]] std::string oneLine(const std::string &text);

}  // namespace stillroom::report
