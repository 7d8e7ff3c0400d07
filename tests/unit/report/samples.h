// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/resultfigures.h"

#include <map>
#include <string>

namespace stillroom::test {

/// What people and files call things at their worst: every character that TeX, Markdown, CSV or a spreadsheet reads as more than a letter.
inline const std::string hostileText = "=cmd|' /C calc'!A0 \\end{document} $x_1$ 100% & #1 ~^{}<>\"`[*]\t\n\r,;";

/// Characters that plain pdfLaTeX stops at, unless it is told how to set them, in names as people give them.
inline const std::string worldlyText = "demo, seed 1 › random-1 → “GA·S2” ± 0.1 ≥ ½ µ β x² Łódź ąę Zürich 10⁻³ № 1 中文 Жук ▲ 😀";

inline report::Table results()
{
    report::Table table{"results", {{"model"}, {"KL", "nats/token", 3, report::Better::Lower}, {"recall", {}, 2, report::Better::Higher}, {"parameters", "M", 1}}, {}, {}, {}};
    table.rows = {{report::textCell("GA-S2, K = 4"), report::numberCell(0.1, 0.01, 64), report::numberCell(0.95, 0.02, 64), report::numberCell(134.5)},
                  {report::textCell("uniform"), report::numberCell(0.2345, 0.02, 64), report::numberCell(0.94, 0.02, 64), report::numberCell(-1.25)},
                  {report::textCell("none"), report::textCell({}), report::textCell({}), report::numberCell(0.5)}};
    table.provenance = {.title = "Results", .version = "0.1", .runs = {"11111111-2222-3333-4444-555555555555"}, .keys = {"abc"}, .seeds = {1, 2}, .settings = {{"K", "4"}}, .date = {}};
    return table;
}

/// Bars of four layers: layer 2 gains most.
inline report::LayerScoresShown scores()
{
    std::map<int, experiment::LayerScore> byLayer;
    for (int layer = -1; layer < 4; ++layer)
        byLayer[layer] = {.selector = "ga-s2", .mixer = "gdn", .layer = layer, .score = 1.0, .klNats = layer < 0 ? 1.0 : layer == 2 ? 0.25 : 0.75, .se = 0.0078125, .numSequences = 48, .tokens = 1000};
    return {.bars = analysis::layerBars(byLayer), .ranking = experiment::Ranking{2, 0, 1, 3}, .kept = experiment::LayerSet{2}, .unsettled = {}, .byRank = false, .overlaid = {}};
}

}  // namespace stillroom::test
