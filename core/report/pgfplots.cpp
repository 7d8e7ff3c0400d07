// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/pgfplots.h"

#include "error.h"
#include "report/colours.h"
#include "report/latex.h"
#include "report/texcharacters.h"
#include "report/ticks.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>

namespace stillroom::report {
namespace {

constexpr double labelsOfAxisPt = 45.0;      // pgfplots takes off so much for them
constexpr double letterShare = 0.6;          // of the height of a font: at most as wide is a letter, on average

/// "0,114,178"
std::string channels(unsigned rgb)
{
    return std::to_string(rgb >> 16) + "," + std::to_string((rgb >> 8) & 0xffU) + "," + std::to_string(rgb & 0xffU);
}

std::string inches(double value)
{
    return fixedText(value, 4) + "in";
}

std::string fontOf(double points)
{
    return "\\fontsize{" + exactText(points) + "}{" + exactText(std::round(120.0 * points) / 100.0) + "}\\selectfont";
}

std::string dashOf(Dash dash)
{
    switch (dash) {
    case Dash::Solid: return "solid";
    case Dash::Dashed: return "densely dashed";
    case Dash::Dotted: return "densely dotted";
    case Dash::None: return "only marks";
    }
    return {};
}

std::string markOf(Mark mark, const std::string &colour)
{
    const auto filled = [&](const std::string &name, const std::string &fill) { return "mark=" + name + ", mark size=1.6pt, mark options={solid, draw=" + colour + ", fill=" + fill + "}"; };
    switch (mark) {
    case Mark::None: return "mark=none";
    case Mark::Disc: return filled("*", colour);
    case Mark::Circle: return filled("*", "white");
    case Mark::Diamond: return filled("diamond*", "white");
    case Mark::Triangle: return filled("triangle*", colour);
    case Mark::TriangleDown: return "mark=triangle*, mark size=1.6pt, mark options={solid, rotate=180, draw=" + colour + ", fill=white}";
    case Mark::Cross: return filled("x", colour);
    }
    return {};
}

/// Round numbers of a logarithmic axis. \param logarithms  they stand at their logarithms
std::string logarithmicTicks(const std::string &which, double low, double high, bool logarithms)
{
    std::string places, labels;
    for (const double at : logTicks(low, high)) {
        places += (places.empty() ? "" : ",") + exactText(logarithms ? std::log10(at) : at);
        labels += (labels.empty() ? "" : ",") + std::string("{$\\pgfmathprintnumber[std=-3:4, precision=3]{") + exactText(at) + "}$}";
    }
    return which + "tick={" + places + "}, " + which + "ticklabels={" + labels + "}";
}

/// Numbers side by side, as many as have room for themselves; names of other things all stay.
std::vector<std::pair<double, std::string>> ticksThatFit(const Axis &axis, const PageSize &size)
{
    const auto isNumber = [](const auto &tick) { return tick.second.find_first_not_of("0123456789.-") == std::string::npos; };
    if (axis.logarithmic || !std::all_of(axis.ticks.begin(), axis.ticks.end(), isNumber))
        return axis.ticks;
    const double letterPt = letterShare * size.smallPt, lengthPt = size.widthInches * texPointsPerInch - labelsOfAxisPt;
    std::vector<double> places, widths;
    for (const auto &[place, name] : axis.ticks) {
        places.push_back((place - axis.low) / (axis.high - axis.low) * lengthPt);
        widths.push_back(letterPt * static_cast<double>(name.size()));
    }
    const std::size_t every = everyNthLabel(places, widths, 0.5 * letterPt);
    std::vector<std::pair<double, std::string>> ticks;
    for (std::size_t i = 0; i < axis.ticks.size(); i += every)
        ticks.push_back(axis.ticks[i]);
    return ticks;
}

std::string axisOptions(const std::string &which, const Axis &axis)
{
    std::string text = "  " + which + "label={" + texLabel(axis.title) + "}, " + which + "min=" + exactText(axis.low) + ", " + which + "max=" + exactText(axis.high);
    if (axis.logarithmic)
        text += ", " + which + "mode=log" + (axis.ticks.empty() ? ",\n  " + logarithmicTicks(which, axis.low, axis.high, false) : "");
    if (axis.reversed)
        text += ", " + which + " dir=reverse";
    if (!axis.ticks.empty()) {
        std::string places, names;
        for (const auto &[place, name] : axis.ticks) {
            places += (places.empty() ? "" : ",") + exactText(place);
            names += (names.empty() ? "{" : ",{") + texEscaped(name) + "}";
        }
        text += ",\n  " + which + "tick={" + places + "}, " + which + "ticklabels={" + names + "}";
    }
    return text + ",\n";
}

/// A paper that takes the document in by its text, with the package standalone, leaves out what is above the picture: what the picture hangs on stands within it.
/// Widths of bars are in units of the axis from version 1.7 of pgfplots on; older behaviour, which a paper gets without a version of its own, makes hair lines of them.
std::string preamble(const Chart &chart, const Provenance &provenance)
{
    std::string text = "% To \\input this file in a paper, load there: \\usepackage{pgfplots,standalone} \\usepgfplotslibrary{fillbetween} \\usetikzlibrary{patterns}\n"
                       "% By itself it is a document. The numbers are in the .csv file of the same name: keep it where TeX looks for files.\n% " + oneLine(provenanceLine(provenance)) +
                       "\n\\documentclass[border=0pt]{standalone}\n\\usepackage{pgfplots}\n\\usepgfplotslibrary{fillbetween}\n\\usetikzlibrary{patterns}\n"
                       "\\begin{document}\n\\begin{tikzpicture}\n\\pgfplotsset{compat=1.16}\n";
    std::set<std::string> colours;
    for (const Series &one : chart.series)
        colours.insert(one.colour);
    for (const std::string &colour : colours)
        text += "\\definecolor{c" + colour + "}{HTML}{" + colour + "}\n";
    return text;
}

std::string addShade(const Series &series, const Axis &y)
{
    std::string text;
    for (const Point &point : series.points)
        text += "\\fill[fill=c" + series.colour + "] (axis cs:" + exactText(point.x - 0.5) + "," + exactText(y.low) + ") rectangle (axis cs:" + exactText(point.x + 0.5) + "," + exactText(y.high) + ");\n";
    return series.name.empty() ? text : text + "\\addlegendimage{area legend, draw=c" + series.colour + ", fill=c" + series.colour + "}\n";
}

/// With the numbers of the series alone.
std::string addPlot(const Series &series, std::size_t index, const std::string &csvName, const Axis &y)
{
    if (series.kind == SeriesKind::Shade)
        return addShade(series, y);
    const std::string colour = "c" + series.colour, only = "restrict expr to domain={\\thisrow{series}}{" + std::to_string(index) + ":" + std::to_string(index) + "}";
    const auto table = [&](const std::string &value) { return " table [x=x, y" + value + ", col sep=comma] {" + csvName + "};\n"; };
    if (series.kind == SeriesKind::Band) {
        const std::string low = "low" + std::to_string(index), high = "high" + std::to_string(index);
        const auto edge = [&](const std::string &name, const std::string &sign) {
            return "\\addplot[draw=none, mark=none, forget plot, name path=" + name + ", " + only + "]" + table(" expr=\\thisrow{y}" + sign + "\\thisrow{reach}");
        };
        return edge(low, "-") + edge(high, "+") + "\\addplot[draw=" + colour + "!25, fill=" + colour + "!25" + (series.name.empty() ? ", forget plot" : ", area legend") + "] fill between[of=" + low + " and " + high + "];\n";
    }
    std::string style = series.kind == SeriesKind::Bars ? "ybar, area legend, bar shift=0pt, bar width=0.7, draw=" + colour + ", " + (series.hatched ? "pattern=north east lines, pattern color=" + colour : "fill=" + colour) :
                                                          "draw=" + colour + ", line width=1pt, " + dashOf(series.dash) + ", " + markOf(series.mark, colour);
    if (std::any_of(series.points.begin(), series.points.end(), [](const Point &point) { return point.reach > 0.0; }))
        style += ", error bars/.cd, y dir=both, y explicit, error bar style={" + (series.kind == SeriesKind::Bars ? "black" : colour) + ", line width=0.6pt}, /pgfplots/.cd";
    if (series.name.empty())
        style += ", forget plot";
    return "\\addplot[" + style + ", " + only + "]" + table("=y, y error=reach");
}

/// What is not drawn has no image that a name could stand at.
bool isInLegend(const Series &series, bool second)
{
    return !series.name.empty() && !series.points.empty() && series.onSecondAxis == second;
}

std::string legend(const Chart &chart, bool second)
{
    std::string text;
    for (const Series &one : chart.series)
        if (isInLegend(one, second))
            text += "\\addlegendentry{" + texLabel(one.name) + "}\n";
    return text;
}

std::string commonOptions(const PageSize &size)
{
    return "  width=" + inches(size.widthInches) + ", height=" + inches(size.widthInches * size.ratio) + ",\n  font=" + fontOf(size.basePt) + ", tick label style={font=" + fontOf(size.smallPt) +
           ", /pgf/number format/fixed, /pgf/number format/precision=5}, scaled ticks=false, axis line style={line width=0.6pt},\n  legend style={font=" + fontOf(size.smallPt) + ", draw=none, fill=none, at={(1,1.02)}, anchor=south east},\n";
}

/// Where on the axis, 0 at its foot and 1 at its top.
double heightOn(const Axis &axis, double y)
{
    const double share = axis.logarithmic ? std::log(y / axis.low) / std::log(axis.high / axis.low) : (y - axis.low) / (axis.high - axis.low);
    return axis.reversed ? 1.0 - share : share;
}

constexpr double leaderPt = 5.0;

/// What the numbers and the title at the right take of it.
double secondAxisInches(const Chart &chart, const PageSize &size)
{
    return chart.secondY ? (2.2 * size.smallPt + 1.6 * size.basePt) / texPointsPerInch : 0.0;
}

/// What labels at the ends of lines take of the page's width.
double endLabelInches(const Chart &chart, const PageSize &size)
{
    std::size_t longest = 0;
    for (const Series &one : chart.series)
        if (one.end)
            longest = std::max({longest, numCharacters(one.end->text), numCharacters(chart.endTitle)});
    return longest == 0 ? 0.0 : (leaderPt + letterShare * size.smallPt * static_cast<double>(longest)) / texPointsPerInch;
}

/// Each in its line's colour, with a hair line to it where others push it aside; as many as there is room for.
std::string endLabels(const Chart &chart, const PageSize &size)
{
    std::vector<const Series *> labelled;
    for (const Series &one : chart.series)
        if (one.end && !one.points.empty())
            labelled.push_back(&one);
    if (labelled.empty())
        return {};
    std::stable_sort(labelled.begin(), labelled.end(), [](const Series *a, const Series *b) { return a->end->text.size() != b->end->text.size() ? a->end->text.size() < b->end->text.size() : a->end->text < b->end->text; });
    std::vector<double> wanted;
    for (const Series *one : labelled)
        wanted.push_back(heightOn(chart.y, one->end->y));
    const double gap = 1.05 * size.smallPt / std::max(1.0, size.widthInches * size.ratio * texPointsPerInch - labelsOfAxisPt);
    const auto places = labelPlaces(wanted, gap, 0.0, 1.0);
    const std::string font = "font=" + fontOf(size.smallPt);
    std::string text;
    for (std::size_t i = 0; i < labelled.size(); ++i) {
        if (!places[i])
            continue;
        const Series &one = *labelled[i];
        const std::string place = "([xshift=" + exactText(leaderPt) + "pt]axis description cs:1," + fixedText(*places[i], 4) + ")";
        text += "\\draw[draw=c" + one.colour + ", line width=0.4pt] (axis cs:" + exactText(one.points.back().x) + "," + exactText(one.end->y) + ") -- " + place + ";\n\\node[anchor=west, inner sep=1pt, " + font +
                ", text=c" + one.colour + "!60!black] at " + place + " {" + texEscaped(one.end->text) + "};\n";
    }
    return text + "\\node[anchor=south west, inner sep=1pt, " + font + "] at (axis description cs:1,1) {" + texEscaped(chart.endTitle) + "};\n";
}

int legendColumns(const Chart &chart, const PageSize &size, bool second)
{
    constexpr double signPt = 24.0;
    std::vector<double> widths;
    for (const Series &one : chart.series)
        if (isInLegend(one, second))
            widths.push_back(signPt + letterShare * size.smallPt * static_cast<double>(numCharacters(one.name)));
    return std::max(1, columnsThatFit(widths, 0.0, size.widthInches * texPointsPerInch));
}

/// Names in rows that fit; those of the second axis above the others.
std::string legendOptions(const Chart &chart, const PageSize &size, bool second)
{
    const std::string columns = "  legend columns=" + std::to_string(legendColumns(chart, size, second)) + ", legend cell align=left,\n";
    if (!second)
        return columns;
    const auto below = static_cast<int>(std::count_if(chart.series.begin(), chart.series.end(), [](const Series &one) { return isInLegend(one, false); }));
    const int columnsBelow = legendColumns(chart, size, false), rowsBelow = (below + columnsBelow - 1) / columnsBelow;
    return columns + "  axis y line*=right, axis x line=none, legend style={yshift=" + exactText(1.5 * size.smallPt * rowsBelow) + "pt},\n";
}

std::string axisOf(const Chart &chart, const PageSize &size, const std::string &csvName, bool second)
{
    const double aside = endLabelInches(chart, size), width = std::max(0.5 * size.widthInches, size.widthInches - aside - secondAxisInches(chart, size));
    const PageSize own{width, size.ratio * size.widthInches / width, size.basePt, size.smallPt};
    Axis x = chart.x;
    x.ticks = ticksThatFit(x, own);
    std::string text = "\\begin{axis}[\n" + commonOptions(own) + axisOptions("x", x) + axisOptions("y", second ? *chart.secondY : chart.y);
    text += legendOptions(chart, size, second);
    if (!second && chart.secondY)
        text += "  axis y line*=left,\n";
    if (aside > 0.0)
        text += "  clip=false,\n";
    text += "  unbounded coords=discard]\n";
    for (std::size_t i = 0; i < chart.series.size(); ++i)
        if (chart.series[i].onSecondAxis == second && !chart.series[i].points.empty())
            text += addPlot(chart.series[i], i, csvName, second ? *chart.secondY : chart.y);
    return text + legend(chart, second) + (second ? std::string() : endLabels(chart, size)) + "\\end{axis}\n";
}

/// Places along an axis and their names: all, or as many as can be read.
std::string namedTicks(const std::string &which, const std::vector<std::string> &names)
{
    const std::size_t mostNames = which == "x" ? 12 : 24;      // side by side they need more room
    const std::size_t every = std::max<std::size_t>(1, (names.size() + mostNames - 1) / mostNames);
    std::string places, labels;
    for (std::size_t place = 0; place < names.size(); place += every) {
        places += (place == 0 ? "" : ",") + std::to_string(place);
        labels += (place == 0 ? "{" : ",{") + texEscaped(names[place]) + "}";
    }
    return which + "tick={" + places + "}, " + which + "ticklabels={" + labels + "}";
}

std::string colourMap(const Cells &cells)
{
    if (!cells.diverging)
        return "colormap/viridis";
    return "colormap={difference}{rgb255=(" + channels(negativeRgb) + ") rgb255=(255,255,255) rgb255=(" + channels(positiveRgb) + ")}";
}

/// On a logarithmic scale the colours go by the logarithms, and the numbers beside them are those of the values.
std::string heatMap(const Cells &cells, const Chart &chart, const PageSize &size, const std::string &csvName)
{
    const auto meta = [&](double value) { return exactText(cells.logarithmic ? std::log10(value) : value); };
    const auto last = [](const std::vector<std::string> &names) { return std::to_string(names.size() - 1); };
    return "\\begin{axis}[\n" + commonOptions(size) + "  xlabel={" + texLabel(chart.x.title) + "}, ylabel={" + texLabel(chart.y.title) + "}, y dir=reverse, enlargelimits={abs=0.5}, axis on top," + (cells.square ? " axis equal image," : "") + "\n  xmin=0, xmax=" +
           last(cells.columns) + ", ymin=0, ymax=" + last(cells.rows) + ", " + namedTicks("x", cells.columns) + ",\n  " + namedTicks("y", cells.rows) + ",\n  point meta min=" + meta(cells.low) +
           ", point meta max=" + meta(cells.high) + ", " + colourMap(cells) + ", colorbar horizontal, colorbar style={xlabel={" + texLabel(cells.meaning) + "}, xlabel style={font=" + fontOf(size.basePt) + "}" +
           (cells.logarithmic ? ", " + logarithmicTicks("x", cells.low, cells.high, true) : "") + "}]\n\\addplot[matrix plot*, point meta=explicit, mesh/cols=" + std::to_string(cells.columns.size()) + "] table [x=x, y=y, " +
           (cells.logarithmic ? "meta expr={log10(\\thisrow{value})}" : "meta=value") + ", col sep=comma] {" + csvName + "};\n\\end{axis}\n";
}

bool hasColour(const Cells &cells, const std::optional<double> &value)
{
    return value && std::isfinite(*value) && (!cells.logarithmic || *value > 0.0);
}

std::string cellNumbers(const Cells &cells)
{
    std::string text = "x,y,value\n";
    for (std::size_t row = 0; row < cells.values.size(); ++row)
        for (std::size_t column = 0; column < cells.values[row].size(); ++column)
            text += std::to_string(column) + "," + std::to_string(row) + "," + (hasColour(cells, cells.values[row][column]) ? exactText(*cells.values[row][column]) : "nan") + "\n";
    return text;
}

std::string seriesNumbers(const std::vector<Series> &series)
{
    std::string text = "series,x,y,reach\n";
    for (std::size_t i = 0; i < series.size(); ++i)
        for (const Point &point : series[i].points)
            text += std::to_string(i) + "," + exactText(point.x) + "," + exactText(point.y) + "," + exactText(point.reach) + "\n";
    return text;
}

void check(const Chart &chart, const std::string &csvName)
{
    const auto plain = [](const char one) { return std::isalnum(static_cast<unsigned char>(one)) != 0 || one == '-' || one == '_' || one == '.'; };
    if (csvName.empty() || !std::all_of(csvName.begin(), csvName.end(), plain))
        throw Error(ErrorCode::Usage, "TeX is to read the file \"" + oneLine(csvName) + "\": use letters, digits, '-', '_' and '.' alone in its name");
    const bool any = std::any_of(chart.series.begin(), chart.series.end(), [](const Series &one) { return !one.points.empty(); });
    if (!any && (!chart.cells || chart.cells->rows.empty() || chart.cells->columns.empty()))
        throw Error(ErrorCode::Usage, "the figure is empty: measure what it shows first");
}

}  // namespace

PgfPlot pgfPlot(const Chart &chart, const PageSize &size, const std::string &csvName, const Provenance &provenance)
{
    check(chart, csvName);
    std::string tex = preamble(chart, provenance);
    if (chart.cells)
        tex += heatMap(*chart.cells, chart, size, csvName);
    else
        tex += axisOf(chart, size, csvName, false) + (chart.secondY ? axisOf(chart, size, csvName, true) : std::string());
    return {tex + "\\end{tikzpicture}\n\\end{document}\n", chart.cells ? cellNumbers(*chart.cells) : seriesNumbers(chart.series)};
}

}  // namespace stillroom::report
