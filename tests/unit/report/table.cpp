// SPDX-License-Identifier: GPL-3.0-or-later
#include "error.h"
#include "report/delimited.h"
#include "report/latex.h"
#include "report/markdown.h"
#include "samples.h"

#include <doctest/doctest.h>

#include <limits>

using namespace stillroom;
using namespace stillroom::report;

TEST_CASE("CSV holds every digit, units in the head, intervals and counts in columns of their own")
{
    CHECK(csvText(test::results()) ==
          "model,KL (nats/token),KL ± 95 % (nats/token),KL n,recall,recall ± 95 %,recall n,parameters (M)\n"
          "\"GA-S2, K = 4\",0.1,0.01,64,0.95,0.02,64,134.5\n"
          "uniform,0.2345,0.02,64,0.94,0.02,64,-1.25\n"
          "none,,,,,,,0.5\n");
}

TEST_CASE("a hostile text stays one field that no spreadsheet computes")
{
    Table table{"hostile", {{"a"}, {"b"}}, {{textCell(test::hostileText), textCell("\xFF\xC3")}}, {}, {}};
    CHECK(csvText(table) == "a,b\n\"'=cmd|' /C calc'!A0 \\end{document} $x_1$ 100% & #1 ~^{}<>\"\"`[*]   ,;\",\xEF\xBF\xBD\xEF\xBF\xBD\n");
    CHECK(tsvText(table) == "a\tb\n'=cmd|' /C calc'!A0 \\end{document} $x_1$ 100% & #1 ~^{}<>\"`[*]   ,;\t\xEF\xBF\xBD\xEF\xBF\xBD\n");
    table.rows = {{textCell("  @sum"), textCell("-1+2")}};
    CHECK(tsvText(table) == "a\tb\n'  @sum\t'-1+2\n");
}

TEST_CASE("LaTeX is booktabs, with S columns for plain numbers and bold for the clearly best alone")
{
    CHECK(latexText(test::results()) ==
          "% Stillroom 0.1 · run 11111111 · K = 4\n"
          "% run 11111111-2222-3333-4444-555555555555\n"
          "% \\usepackage{booktabs,siunitx}\n"
          "{\\small\\setlength{\\tabcolsep}{4pt}\n"
          "\\begin{tabular}{@{}l r r S[table-format=-3.1]@{}}\n"
          "\\toprule\n"
          "{} & {KL} & {} & {parameters} \\\\\n{model} & {(nats/token)} & {recall} & {($M$)} \\\\\n"
          "\\midrule\n"
          "GA-S2, K = 4 & $\\mathbf{0.100 \\pm 0.010}$ & $\\num{0.95} \\pm \\num{0.02}$ & 134.5 \\\\\n"
          "uniform & $\\num{0.234} \\pm \\num{0.020}$ & $\\num{0.94} \\pm \\num{0.02}$ & -1.2 \\\\\n"
          "none & {--} & {--} & 0.5 \\\\\n"
          "\\bottomrule\n"
          "\\end{tabular}}\n"
          "\n\\smallskip\n{\\footnotesize Mean $\\pm$ 95 \\% interval; n = 64; seeds 1, 2.}\n");
}

TEST_CASE("TeX sets every text as it stands")
{
    CHECK(latexText(test::results(), 6.75).find("{KL (nats/token)} & {recall}") != std::string::npos);      // there is room
    CHECK(latexText(test::results(), 3.0).find("{\\footnotesize\\setlength{\\tabcolsep}{3pt}\n\\begin{tabular}") != std::string::npos);
    CHECK(latexText(test::results(), 2.0).find("{\\scriptsize\\setlength{\\tabcolsep}{2pt}\n\\begin{tabular}") != std::string::npos);
    CHECK(texEscaped("a_b & 50% #1 $x$ {y} \\z ~ ^") == "a\\_b \\& 50\\% \\#1 \\$x\\$ \\{y\\} \\textbackslash{}z \\textasciitilde{} \\textasciicircum{}");
    CHECK(texEscaped("[2pt]*") == "{[}2pt{]}{*}");      // after \\ these would be its arguments
    CHECK(texEscaped("−KL ≥ 0") == "$-$KL $\\ge$ 0");
    CHECK(texLabel("K, softmax layers kept") == "$K$, softmax layers kept");
    CHECK(texLabel("KL gain") == "KL gain");
    CHECK(texEscaped("demo › GA·S2 → Zürich, Łódź, ì") == "demo $\\rangle$ GA$\\cdot$S2 $\\rightarrow$ Z\\\"{u}rich, {\\L}\\'{o}d\\'{z}, \\`{\\i}");
    CHECK(texEscaped("a中文b") == "a{\\ifdefined\\Umathchar 中文\\else U+4E2D U+6587\\fi}b");
    CHECK(texEscaped("😀") == "{\\ifdefined\\Umathchar 😀\\else U+1F600\\fi}");
    CHECK(texEscaped("a\xFF") == "a{\\ifdefined\\Umathchar \uFFFD\\else U+FFFD\\fi}");
    const std::string hostile = texEscaped(test::hostileText);
    CHECK(hostile.find("\\end{") == std::string::npos);
    CHECK(hostile.find('\n') == std::string::npos);
}

TEST_CASE("Markdown keeps the table whole, whatever a cell says")
{
    CHECK(markdownText(test::results()) ==
          "| model | KL (nats/token) | recall | parameters (M) |\n"
          "| :--- | ---: | ---: | ---: |\n"
          "| GA-S2, K = 4 | **0.100 ± 0.010** | 0.95 ± 0.02 | 134.5 |\n"
          "| uniform | 0.234 ± 0.020 | 0.94 ± 0.02 | -1.2 |\n"
          "| none | – | – | 0.5 |\n"
          "\nMean ± 95 % interval; n = 64; seeds 1, 2.\n");
    const Table table{"hostile", {{"a|b"}}, {{textCell("x|y\n<b>*z*</b>")}}, {}, {}};
    CHECK(markdownText(table) == "| a\\|b |\n| :--- |\n| x\\|y \\<b\\>\\*z\\*\\</b\\> |\n");
}

TEST_CASE("the best is called so only where it is better than every other one by more than chance")
{
    Table table{"best", {{"KL", {}, 2, Better::Lower}}, {{numberCell(0.125, 0.375)}, {numberCell(0.75, 0.5)}}, {}, {}};
    CHECK(!clearlyBest(table, 0));      // 0.625 is not more than √(0.375² + 0.5²) = 0.625
    table.rows[1][0].value = 0.7501;
    CHECK(clearlyBest(table, 0) == 0U);
    table.columns[0].better = Better::Higher;
    CHECK(clearlyBest(table, 0) == 1U);
    table.rows.push_back({numberCell(0.5, 5.0)});      // could be better than all
    CHECK(!clearlyBest(table, 0));
    table.rows.back()[0].reach.reset();
    CHECK(!clearlyBest(table, 0));
    table.columns[0].better = Better::Neither;
    table.rows.pop_back();
    CHECK(!clearlyBest(table, 0));
}

TEST_CASE("numbers are written alike everywhere")
{
    CHECK(fixedText(-0.0001, 2) == "0.00");
    CHECK(fixedText(1234567.5, 1) == "1234567.5");
    CHECK(fixedText(std::numeric_limits<double>::quiet_NaN(), 2) == "nan");
    CHECK(exactText(0.1) == "0.1");
    CHECK(exactText(-std::numeric_limits<double>::infinity()) == "-inf");
}

TEST_CASE("a table with a ragged row is refused")
{
    const Table table{"ragged", {{"a"}, {"b"}}, {{textCell("x")}}, {}, {}};
    CHECK_THROWS_AS(static_cast<void>(csvText(table)), Error);
    CHECK_THROWS_AS(static_cast<void>(latexText(table)), Error);
    CHECK_THROWS_AS(static_cast<void>(markdownText(table)), Error);
}

TEST_CASE("a second scoring is part of where a figure came from, each run, key and seed once")
{
    Provenance provenance{.title = {}, .version = {}, .runs = {"r1"}, .keys = {"k1"}, .seeds = {1}, .settings = {{"K", "2"}, {"selector", "ga-s2"}}, .date = {}};
    addOverlay(provenance, "r2/score/ga-s1/gla", "gla", "r2", "k2", 1);
    addOverlay(provenance, "r1/score/ga-s1/gdn", "gdn", "r1", "", 3);
    CHECK(provenance.runs == std::vector<std::string>{"r1", "r2"});
    CHECK(provenance.keys == std::vector<std::string>{"k1", "k2"});
    CHECK(provenance.seeds == std::vector<std::int64_t>{1, 3});
    REQUIRE(provenance.settings.size() == 6);
    CHECK(provenance.settings[1] == std::pair<std::string, std::string>("overlay", "r2/score/ga-s1/gla"));
    CHECK(provenance.settings[3] == std::pair<std::string, std::string>("overlay mixer", "gla"));
    CHECK(provenance.settings[5].first == "selector");
}

TEST_CASE("where it came from is told without today's date")
{
    const Provenance provenance = test::results().provenance;
    CHECK(provenanceLine(provenance) == "Stillroom 0.1 · run 11111111 · K = 4");
    CHECK(provenanceJson(provenance) == "{\n \"program\": \"Stillroom\",\n \"runs\": [\n  \"11111111-2222-3333-4444-555555555555\"\n ],\n \"schema\": 1,\n \"seeds\": [\n  1,\n  2\n ],\n"
                                        " \"settings\": {\n  \"K\": \"4\"\n },\n \"stage_keys\": [\n  \"abc\"\n ],\n \"title\": \"Results\",\n \"version\": \"0.1\"\n}\n");
    CHECK_NOTHROW(checkDate("2026-02-28"));
    for (const char *wrong : {"2026-02-30", "2026-2-3", "today", "2026-02-28x"})
        CHECK_THROWS_AS(checkDate(wrong), Error);
}
