// SPDX-License-Identifier: GPL-3.0-or-later
// Writes one document of every kind that is made for TeX into a folder, with the worst names there are.
#include "report/figurespec.h"
#include "report/headfigures.h"
#include "report/latex.h"
#include "report/texcharacters.h"
#include "samples.h"

#include <filesystem>
#include <iostream>

int main(int argc, char **argv)
{
    using namespace stillroom;
    using namespace stillroom::report;
    if (argc != 2) {
        std::cerr << "usage: writetexsamples FOLDER\n";
        return 2;
    }
    const std::filesystem::path folder = argv[1];
    Table table = test::results();
    table.rows.push_back({textCell(test::hostileText), textCell({}), textCell({}), textCell({})});
    table.rows.push_back({textCell(test::worldlyText), textCell({}), textCell({}), textCell({})});
    writeFile(folder / "table.tex", "\\documentclass{article}\n\\usepackage{booktabs,siunitx}\n\\begin{document}\n" + latexText(table) + "\\end{document}\n");
    std::string characters;
    for (char32_t one = 0x20; one < 0x1f000; ++one)
        if (const std::string set = texOf(one); !set.empty())
            characters += set + " ";
    writeFile(folder / "characters.tex", "\\documentclass{article}\n\\begin{document}\n" + characters + "\n\\end{document}\n");
    LayerScoresShown scores = test::scores();
    scores.overlaid = OverlaidScores{test::hostileText, "gla", scores.bars};
    scores.overlaid->bars.axis = analysis::ScoreAxis::Residual;
    const std::vector<ChoiceShown> choices{{test::hostileText, experiment::LayerSet{0, 1}}, {test::worldlyText, experiment::LayerSet{1, 2}}, {"c", std::nullopt}};
    const analysis::RankTrajectory trajectory{{100, 200, 300}, {{0, 1, 2}, {1, 0, 2}, {1, 0, 2}}, {2, 2, 0}};
    const std::vector<std::vector<std::optional<double>>> heads{{0.5, 20.0}, {std::nullopt, std::nullopt}, {3.0, 0.0}};
    const std::vector<HeadValue> points{{0, 0, 0.5, 1.0}, {0, 1, 20.0, 0.25}, {2, 0, 3.0, 0.5}};
    const CurvesShown compared{.curves = {{test::hostileText, "0072B2", Dash::Dotted, {{1.0, 2.0}, {2.0, 1.0}}, {}}, {test::worldlyText, "009E73", Dash::Solid, {{1.0, 1.0}, {2.0, 0.5}}, {}}}, .who = "experiment", .xTitle = "steps", .valueTitle = test::hostileText};
    const std::vector<std::pair<std::string, Figure>> figures{
        {"head-map", headMapFigure({.statistic = {test::hostileText, "tokens", true}, .columns = "query head", .values_LC = heads, .low = 0.5, .high = 20.0}, {})},
        {"head-distribution", headScatterFigure({"a", "tokens", true}, {"b"}, "query head", points, {})},
        {"head-lags", headProfileFigure("head-lags", {.firstTokens = {0, 1, 2}, .lines = {{"attention", "0072B2", true, false, {0.5, 0.25, 0.25}}, {"decay", "009E73", false, true, {0.6, 0.3, 0.1}}}, .xTitle = "lag", .yTitle = "share"}, {})},
        {"head-student", tokenMapFigure("head-student", "map $M$", {{1.0}, {-2.0, 0.5}}, true, {})},
        {"run-curves", curvesFigure("run-curves", compared, {})},
        {"layer-scores", layerScoresFigure(scores, table.provenance)},
        {"ranks", ranksFigure(trajectory, {1}, 1, {})},
        {"curve", curveFigure({"training", {{100, 2.0}, {300, 0.5}}}, {"held out", {{300, 0.25}}}, "KL", "nats/token", "gdn", true, {})},
        {"overlap", overlapFigure(choices, analysis::OverlapMatrix({choices[0].layers, choices[1].layers, choices[2].layers}, 4), {})},
        {"agreement", agreementFigure(analysis::agreementCurve({0, 1, 2, 3}, {0, 1, 3, 2}, 4), 4, {})},
    };
    for (const auto &[name, figure] : figures) {
        FigureSpec spec;
        spec.plot = name;
        spec.formats = {"tikz"};
        writeTexts(figure, spec, folder);
    }
    return 0;
}
