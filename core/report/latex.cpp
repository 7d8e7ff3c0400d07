// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/latex.h"

#include "report/texcharacters.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <utility>

namespace stillroom::report {
namespace {

/// The next character of a text in UTF-8, of which oneLine made valid. \returns it and how many bytes it takes
std::pair<char32_t, std::size_t> characterAt(const std::string &text, std::size_t at)
{
    const auto byte = [&](std::size_t where) { return where < text.size() ? static_cast<unsigned char>(text[where]) : 0U; };
    const unsigned first = byte(at);
    if (first < 0x80U)
        return {first, 1};
    const std::size_t length = first >= 0xf0U ? 4 : first >= 0xe0U ? 3 : 2;
    char32_t character = first & (0x7fU >> length);
    for (std::size_t i = 1; i < length; ++i)
        character = (character << 6U) | (byte(at + i) & 0x3fU);
    return {character, std::min(length, text.size() - at)};
}

std::string codePoint(char32_t character)
{
    std::array<char, 16> text{};
    std::snprintf(text.data(), text.size(), "U+%04X", static_cast<unsigned>(character));
    return text.data();
}

/// For XeLaTeX and LuaLaTeX the letters themselves; pdfLaTeX has none of them, and stops at one that it is not told of.
std::string unsettable(const std::string &letters, const std::string &codePoints)
{
    return letters.empty() ? std::string() : "{\\ifdefined\\Umathchar " + letters + "\\else " + codePoints + "\\fi}";
}

bool stands(const std::string &text, std::size_t at)
{
    const auto letter = [&](std::size_t where) { return where < text.size() && (std::isalnum(static_cast<unsigned char>(text[where])) != 0 || static_cast<unsigned char>(text[where]) >= 0x80U); };
    return std::isupper(static_cast<unsigned char>(text[at])) != 0 && (at == 0 || !letter(at - 1)) && !letter(at + 1);
}

/// A column of numbers without intervals: digits before the point, with a sign where one needs it.
std::string numberFormat(const Table &table, std::size_t column)
{
    std::size_t digits = 1;
    bool sign = false;
    for (const std::vector<Cell> &row : table.rows)
        if (const Cell &cell = row[column]; cell.value && std::isfinite(*cell.value)) {
            const std::string text = fixedText(*cell.value, table.columns[column].decimals);
            const bool negative = text.front() == '-';
            sign = sign || negative;
            digits = std::max(digits, std::min(text.size(), text.find('.')) - (negative ? 1 : 0));
        }
    return "S[table-format=" + std::string(sign ? "-" : "") + std::to_string(digits) + "." + std::to_string(table.columns[column].decimals) + "]";
}

std::string columnFormat(const Table &table, std::size_t column)
{
    if (!isNumeric(table, column))
        return "l";
    return hasReach(table, column) ? "r" : numberFormat(table, column);
}

std::string texCell(const Cell &cell, const Column &column, bool best)
{
    if (!cell.value)
        return cell.text.empty() ? "{--}" : texEscaped(cell.text);
    if (!std::isfinite(*cell.value))
        return std::isnan(*cell.value) ? "{--}" : *cell.value > 0.0 ? "{$\\infty$}" : "{$-\\infty$}";
    const std::string mean = fixedText(*cell.value, column.decimals);
    const bool known = cell.reach && std::isfinite(*cell.reach);
    if (!known)
        return mean;
    const std::string reach = fixedText(*cell.reach, column.decimals);
    return best ? "$\\mathbf{" + mean + " \\pm " + reach + "}$" : "$\\num{" + mean + "} \\pm \\num{" + reach + "}$";
}

constexpr double letterPt = 5.0, besidesPt = 6.0;      // letters of 10 pt, and the usual room at both sides of a column

/// Of the widest cell below the head.
std::size_t cellCharacters(const Table &table, std::size_t column)
{
    std::size_t most = 1;
    const int decimals = table.columns[column].decimals;
    for (const std::vector<Cell> &row : table.rows)
        if (const Cell &cell = row[column]; cell.value)
            most = std::max(most, fixedText(*cell.value, decimals).size() + (cell.reach ? 3 + fixedText(*cell.reach, decimals).size() : 0));
        else
            most = std::max(most, numCharacters(cell.text));
    return most;
}

/// A head in lines no longer than the cells below it, as far as its words allow.
std::vector<std::string> brokenHead(const std::string &head, std::size_t width)
{
    std::vector<std::string> words{""}, lines;
    for (const char one : head)
        if (one == ' ')
            words.emplace_back();
        else
            words.back() += one;
    for (const std::string &word : words)
        width = std::max(width, numCharacters(word));
    for (const std::string &word : words)
        if (!lines.empty() && numCharacters(lines.back()) + 1 + numCharacters(word) <= width)
            lines.back() += " " + word;
        else
            lines.push_back(word);
    return lines;
}

/// What stands above the rule, and how much smaller than the text the table has to be set to fit into a column.
struct Head {
    std::vector<std::vector<std::string>> lines_C;       ///< by column, the last one just above the rule
    std::string size;                                    ///< "\\footnotesize" and the like, or empty
};

Head headOfTable(const Table &table, double roomPt)
{
    Head head;
    const auto width = [&](double letters, double besides) {
        double sum = -2.0 * besides;
        for (std::size_t column = 0; column < table.columns.size(); ++column) {
            std::size_t widest = cellCharacters(table, column);
            for (const std::string &line : head.lines_C[column])
                widest = std::max(widest, numCharacters(line));
            sum += letters * static_cast<double>(widest) + 2.0 * besides;
        }
        return sum;
    };
    for (const Column &column : table.columns)
        head.lines_C.push_back({headOf(column)});
    if (width(letterPt, besidesPt) <= roomPt)
        return head;
    for (std::size_t column = 0; column < table.columns.size(); ++column)
        head.lines_C[column] = brokenHead(headOf(table.columns[column]), cellCharacters(table, column));
    if (width(letterPt, besidesPt) <= roomPt)
        return head;
    head.size = width(0.9 * letterPt, 4.0) <= roomPt ? "\\small\\setlength{\\tabcolsep}{4pt}" : width(0.8 * letterPt, 3.0) <= roomPt ? "\\footnotesize\\setlength{\\tabcolsep}{3pt}" : "\\scriptsize\\setlength{\\tabcolsep}{2pt}";
    return head;
}

/// The lines of all heads, as rows of the table.
std::string headRows(const Head &head)
{
    std::size_t most = 0;
    for (const auto &lines : head.lines_C)
        most = std::max(most, lines.size());
    std::string rows;
    for (std::size_t row = 0; row < most; ++row) {
        for (std::size_t column = 0; column < head.lines_C.size(); ++column) {
            const auto &lines = head.lines_C[column];
            const std::size_t above = most - lines.size();
            rows += (column > 0 ? " & " : "") + std::string("{") + (row < above ? std::string() : texLabel(lines[row - above])) + "}";
        }
        rows += " \\\\\n";
    }
    return rows;
}

std::string comments(const Table &table)
{
    std::string text = "% " + oneLine(provenanceLine(table.provenance)) + "\n";
    for (const std::string &run : table.provenance.runs)
        text += "% run " + oneLine(run) + "\n";
    return text + "% \\usepackage{booktabs,siunitx}\n";
}

}  // namespace

std::string texEscaped(const std::string &text)
{
    const std::string line = oneLine(text);
    std::string all, letters, codePoints;
    for (std::size_t at = 0; at < line.size();) {
        const auto [character, length] = characterAt(line, at);
        if (const std::string set = texOf(character); set.empty()) {
            letters += line.substr(at, length);
            codePoints += (codePoints.empty() ? "" : " ") + codePoint(character);
        } else {
            all += unsettable(std::exchange(letters, {}), std::exchange(codePoints, {})) + set;
        }
        at += length;
    }
    return all + unsettable(letters, codePoints);
}

std::string texLabel(const std::string &text)
{
    std::string all, plain;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (!stands(text, at)) {
            plain += text[at];
            continue;
        }
        all += texEscaped(std::exchange(plain, {})) + "$" + text[at] + "$";
    }
    return all + texEscaped(plain);
}

std::string latexText(const Table &table, double widthInches)
{
    checkTable(table);
    const Head head = headOfTable(table, widthInches * texPointsPerInch);
    std::string format, body;
    for (std::size_t column = 0; column < table.columns.size(); ++column)
        format += (column > 0 ? " " : "") + columnFormat(table, column);
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        for (std::size_t column = 0; column < table.columns.size(); ++column)
            body += (column > 0 ? " & " : "") + texCell(table.rows[row][column], table.columns[column], clearlyBest(table, column) == row);
        body += " \\\\\n";
    }
    const std::string below = footnote(table);
    return comments(table) + (head.size.empty() ? "" : "{" + head.size + "\n") + "\\begin{tabular}{@{}" + format + "@{}}\n\\toprule\n" + headRows(head) + "\\midrule\n" + body +
           "\\bottomrule\n\\end{tabular}" + (head.size.empty() ? "" : "}") + "\n" +
           (below.empty() ? "" : "\n\\smallskip\n{\\footnotesize " + texEscaped(below) + "}\n");
}

}  // namespace stillroom::report
