// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/delimited.h"

#include <vector>

namespace stillroom::report {
namespace {

/// A spreadsheet computes what begins like this.
std::string harmless(const std::string &text)
{
    const std::string line = oneLine(text);
    const std::size_t first = line.find_first_not_of(' ');
    return first != std::string::npos && std::string("=+-@").find(line[first]) != std::string::npos ? "'" + line : line;
}

std::vector<std::vector<std::string>> fieldsOf(const Table &table)
{
    checkTable(table);
    std::vector<std::vector<std::string>> lines(table.rows.size() + 1);
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
        const Column &head = table.columns[column];
        const bool reaches = hasReach(table, column), counts = hasCounts(table, column);
        lines[0].push_back(harmless(headOf(head)));
        if (reaches)
            lines[0].push_back(harmless(headOf({head.title + " ± 95 %", head.unit})));
        if (counts)
            lines[0].push_back(harmless(head.title + " n"));
        for (std::size_t row = 0; row < table.rows.size(); ++row) {
            const Cell &cell = table.rows[row][column];
            std::vector<std::string> &line = lines[row + 1];
            line.push_back(cell.value ? exactText(*cell.value) : harmless(cell.text));
            if (reaches)
                line.push_back(cell.reach ? exactText(*cell.reach) : std::string());
            if (counts)
                line.push_back(cell.n ? std::to_string(*cell.n) : std::string());
        }
    }
    return lines;
}

std::string quoted(const std::string &field)
{
    if (field.find_first_of(",\"") == std::string::npos)
        return field;
    std::string all = "\"";
    for (const char one : field) {
        all += one;
        if (one == '"')
            all += '"';
    }
    return all + "\"";
}

}  // namespace

std::string csvText(const Table &table)
{
    std::string text;
    for (const std::vector<std::string> &line : fieldsOf(table)) {
        for (std::size_t i = 0; i < line.size(); ++i)
            text += (i > 0 ? "," : "") + quoted(line[i]);
        text += '\n';
    }
    return text;
}

std::string tsvText(const Table &table)
{
    std::string text;
    for (const std::vector<std::string> &line : fieldsOf(table)) {
        for (std::size_t i = 0; i < line.size(); ++i)
            text += (i > 0 ? "\t" : "") + line[i];
        text += '\n';
    }
    return text;
}

}  // namespace stillroom::report
