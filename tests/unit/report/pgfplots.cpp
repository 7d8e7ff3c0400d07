// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/pgfplots.h"

#include "error.h"
#include "samples.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>

using namespace stillroom;
using namespace stillroom::report;

TEST_CASE("a pgfplots document has its size in inches, its labels as TeX and its numbers beside it")
{
    const PgfPlot plot = pgfPlot(layerScoresFigure(test::scores(), {}).chart, {}, "scores.tikz.csv", test::results().provenance);
    CHECK(plot.csv == "series,x,y,reach\n0,2,0.75,0.01571672276351376\n1,0,0.25,0.01571672276351376\n1,1,0.25,0.01571672276351376\n1,3,0.25,0.01571672276351376\n");
    CHECK(plot.tex ==
          "% To \\input this file in a paper, load there: \\usepackage{pgfplots,standalone} \\usepgfplotslibrary{fillbetween} \\usetikzlibrary{patterns}\n"
          "% By itself it is a document. The numbers are in the .csv file of the same name: keep it where TeX looks for files.\n"
          "% Stillroom 0.1 · run 11111111 · K = 4\n"
          "\\documentclass[border=0pt]{standalone}\n\\usepackage{pgfplots}\n\\usepgfplotslibrary{fillbetween}\n\\usetikzlibrary{patterns}\n"
          "\\begin{document}\n\\begin{tikzpicture}\n\\pgfplotsset{compat=1.16}\n"
          "\\definecolor{c0072B2}{HTML}{0072B2}\n\\definecolor{cB3B3B3}{HTML}{B3B3B3}\n\\begin{axis}[\n"
          "  width=3.2500in, height=2.0085in,\n"
          "  font=\\fontsize{8}{9.6}\\selectfont, tick label style={font=\\fontsize{6}{7.2}\\selectfont, /pgf/number format/fixed, /pgf/number format/precision=5}, scaled ticks=false, axis line style={line width=0.6pt},\n"
          "  legend style={font=\\fontsize{6}{7.2}\\selectfont, draw=none, fill=none, at={(1,1.02)}, anchor=south east},\n"
          "  xlabel={layer}, xmin=-0.6, xmax=3.6,\n"
          "  xtick={0,1,2,3}, xticklabels={{0},{1},{2},{3}},\n"
          "  ylabel={KL gain (nats/token)}, ymin=0, ymax=0.8116597261293246,\n"
          "  legend columns=2, legend cell align=left,\n  unbounded coords=discard]\n"
          "\\addplot[ybar, area legend, bar shift=0pt, bar width=0.7, draw=c0072B2, fill=c0072B2, error bars/.cd, y dir=both, y explicit, error bar style={black, line width=0.6pt}, /pgfplots/.cd, "
          "restrict expr to domain={\\thisrow{series}}{0:0}] table [x=x, y=y, y error=reach, col sep=comma] {scores.tikz.csv};\n"
          "\\addplot[ybar, area legend, bar shift=0pt, bar width=0.7, draw=cB3B3B3, fill=cB3B3B3, error bars/.cd, y dir=both, y explicit, error bar style={black, line width=0.6pt}, /pgfplots/.cd, "
          "restrict expr to domain={\\thisrow{series}}{1:1}] table [x=x, y=y, y error=reach, col sep=comma] {scores.tikz.csv};\n"
          "\\addlegendentry{stays softmax}\n\\addlegendentry{becomes linear}\n"
          "\\end{axis}\n\\end{tikzpicture}\n\\end{document}\n");
}

TEST_CASE("numbers along the axis are as many as have room on the page, names of runs all stay")
{
    const auto named = [](int count, double widthInches, const std::string &before) {
        Chart chart;
        chart.x = {"layer", -0.6, count - 0.4, false, false, {}};
        for (int i = 0; i < count; ++i)
            chart.x.ticks.emplace_back(i, before + std::to_string(i));
        chart.y = {"y", 0.0, 1.0, false, false, {}};
        chart.series = {{.name = "a", .kind = SeriesKind::Bars, .colour = "0072B2", .points = {{0.0, 0.5}}}};
        const std::string tex = pgfPlot(chart, {widthInches, usualRatio, 8.0, 6.0}, "a.csv", {}).tex;
        const std::size_t from = tex.find("xtick={") + 7, to = tex.find('}', from);
        return 1 + std::count(tex.begin() + static_cast<std::ptrdiff_t>(from), tex.begin() + static_cast<std::ptrdiff_t>(to), ',');
    };
    CHECK(named(6, 3.25, "") == 6);
    CHECK(named(30, 3.25, "") == 15);
    CHECK(named(30, 6.75, "") == 30);
    CHECK(named(80, 3.25, "") == 16);
    CHECK(named(30, 3.25, "run ") == 30);
}

TEST_CASE("names that TeX would not read, and empty figures, are refused")
{
    const Chart chart = layerScoresFigure(test::scores(), {}).chart;
    for (const char *wrong : {"", "a b.csv", "a{.csv", "../a.csv", "ä.csv"})
        CHECK_THROWS_AS(static_cast<void>(pgfPlot(chart, {}, wrong, {})), Error);
    CHECK_THROWS_AS(static_cast<void>(pgfPlot({}, {}, "a.csv", {})), Error);
}

TEST_CASE("ranks have their layers at the ends of their lines, an overlay has room for its axis")
{
    const analysis::RankTrajectory trajectory{{100, 200}, {{0, 1, 2}, {1, 0, 2}}, {1, 1, 1}};
    const std::string ranks = pgfPlot(ranksFigure(trajectory, {1}, 1, {}).chart, {}, "ranks.csv", {}).tex;
    for (const char *label : {" {0};", " {1};", " {2};", " {layer};"})
        CHECK(ranks.find(label) != std::string::npos);
    CHECK(ranks.find("width=3.2500in") == std::string::npos);
    LayerScoresShown scores = test::scores();
    scores.unsettled = {0};
    scores.overlaid = OverlaidScores{"GA-S1", "gdn", scores.bars};
    scores.overlaid->bars.axis = analysis::ScoreAxis::Residual;
    const std::string bars = pgfPlot(layerScoresFigure(scores, {}).chart, {}, "bars.csv", {}).tex;
    CHECK(bars.find("\\fill[fill=cEDEDED] (axis cs:-0.5,0) rectangle (axis cs:0.5,") != std::string::npos);
    CHECK(bars.find("\\addlegendentry{not settled}") != std::string::npos);
    CHECK(bars.find("width=3.2500in") == std::string::npos);
}

TEST_CASE("a legend counts characters, not bytes, and names what is drawn alone")
{
    Chart chart;
    chart.x = {"x", 0.0, 1.0, false, false, {}};
    chart.y = {"y", 0.0, 1.0, false, false, {}};
    const auto columnsFor = [&](const std::string &name) {
        chart.series.clear();
        for (int i = 0; i < 4; ++i)
            chart.series.push_back({.name = name + std::to_string(i), .colour = "0072B2", .points = {{0.0, 0.5}}});
        const std::string tex = pgfPlot(chart, {}, "a.csv", {}).tex;
        const std::size_t at = tex.find("legend columns=");
        REQUIRE(at != std::string::npos);
        return tex.substr(at, tex.find(',', at) - at);
    };
    CHECK(columnsFor("\u03b1\u03b2\u03b3\u03b4\u03b5\u03b6\u03b7\u03b8") == columnsFor("abcdefgh"));
    CHECK(columnsFor("abcdefghabcdefgh") != columnsFor("abcdefgh"));      // as many columns as that many bytes would have had

    chart.series = {{.name = "", .kind = SeriesKind::Shade, .colour = "EDEDED", .points = {{0.5, 0.0}}}, {.name = "empty", .colour = "0072B2", .points = {}}, {.name = "drawn", .colour = "0072B2", .points = {{0.0, 0.5}}}};
    const std::string tex = pgfPlot(chart, {}, "a.csv", {}).tex;
    CHECK(tex.find("\\addlegendimage") == std::string::npos);
    CHECK(tex.find("\\addlegendentry{empty}") == std::string::npos);
    CHECK(tex.find("\\addlegendentry{drawn}") != std::string::npos);
}
