// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/latex.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <string_view>
#include <utility>

namespace stillroom::report {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 34> setInTex{{
    {"\\", "\\textbackslash{}"}, {"{", "\\{"}, {"}", "\\}"}, {"$", "\\$"}, {"&", "\\&"}, {"#", "\\#"}, {"_", "\\_"}, {"%", "\\%"}, {"~", "\\textasciitilde{}"}, {"^", "\\textasciicircum{}"},
    {"<", "\\textless{}"}, {">", "\\textgreater{}"}, {"|", "\\textbar{}"}, {"\"", "''"}, {"`", "\\textasciigrave{}"}, {"[", "{[}"}, {"]", "{]}"}, {"*", "{*}"}, {"\xE2\x88\x92", "$-$"}, {"±", "$\\pm$"},
    {"·", "$\\cdot$"}, {"×", "$\\times$"}, {"≤", "$\\le$"}, {"≥", "$\\ge$"}, {"≈", "$\\approx$"}, {"→", "$\\to$"}, {"…", "\\ldots{}"}, {"–", "--"}, {"—", "---"}, {"\xC2\xA0", "~"}, {"∩", "$\\cap$"},
    {"∪", "$\\cup$"}, {"◆", "$\\diamond$"}, {"‖", "$\\Vert$"},
}};

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
    std::string all;
    for (std::size_t at = 0; at < line.size();) {
        const std::string_view rest = std::string_view(line).substr(at);
        const auto found = std::find_if(setInTex.begin(), setInTex.end(), [&](const auto &one) { return rest.starts_with(one.first); });
        if (found == setInTex.end()) {
            all += line[at++];
        } else {
            all += found->second;
            at += found->first.size();
        }
    }
    return all;
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

std::string latexText(const Table &table)
{
    checkTable(table);
    std::string format, head, body;
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
        format += (column > 0 ? " " : "") + columnFormat(table, column);
        head += (column > 0 ? " & " : "") + std::string("{") + texLabel(headOf(table.columns[column])) + "}";
    }
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        for (std::size_t column = 0; column < table.columns.size(); ++column)
            body += (column > 0 ? " & " : "") + texCell(table.rows[row][column], table.columns[column], clearlyBest(table, column) == row);
        body += " \\\\\n";
    }
    const std::string below = footnote(table);
    return comments(table) + "\\begin{tabular}{@{}" + format + "@{}}\n\\toprule\n" + head + " \\\\\n\\midrule\n" + body + "\\bottomrule\n\\end{tabular}\n" +
           (below.empty() ? "" : "\n\\smallskip\n{\\footnotesize " + texEscaped(below) + "}\n");
}

}  // namespace stillroom::report
