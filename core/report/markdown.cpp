// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/markdown.h"

namespace stillroom::report {
namespace {

std::string markdownEscaped(const std::string &text)
{
    std::string all;
    for (const char one : oneLine(text)) {
        if (std::string("\\`*_[]<>|#~&$").find(one) != std::string::npos)
            all += '\\';
        all += one;
    }
    return all;
}

std::string cellText(const Cell &cell, const Column &column, bool best)
{
    if (!cell.value)
        return cell.text.empty() ? "–" : markdownEscaped(cell.text);
    std::string text = fixedText(*cell.value, column.decimals);
    if (cell.reach)
        text += " ± " + fixedText(*cell.reach, column.decimals);
    return best ? "**" + text + "**" : text;
}

}  // namespace

std::string markdownText(const Table &table)
{
    checkTable(table);
    std::string head = "|", rule = "|", body;
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
        head += " " + markdownEscaped(headOf(table.columns[column])) + " |";
        rule += isNumeric(table, column) ? " ---: |" : " :--- |";
    }
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        body += "|";
        for (std::size_t column = 0; column < table.columns.size(); ++column)
            body += " " + cellText(table.rows[row][column], table.columns[column], clearlyBest(table, column) == row) + " |";
        body += "\n";
    }
    const std::string below = footnote(table);
    return head + "\n" + rule + "\n" + body + (below.empty() ? "" : "\n" + markdownEscaped(below) + "\n");
}

}  // namespace stillroom::report
