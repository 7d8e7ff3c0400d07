// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/resultfigures.h"

#include "report/delimited.h"
#include "samples.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

using namespace stillroom;
using namespace stillroom::report;

TEST_CASE("bars and their table say the same, in the order that is shown")
{
    LayerScoresShown shown = test::scores();
    shown.byRank = true;
    const Figure figure = layerScoresFigure(shown, {});
    CHECK(csvText(figure.table) ==
          "layer,rank,KL gain (nats/token),KL gain ± 95 % (nats/token),KL gain n,training tokens,stays softmax\n"
          "2,1,0.75,0.01571672276351376,48,1000,yes\n"
          "0,2,0.25,0.01571672276351376,48,1000,no\n"
          "1,3,0.25,0.01571672276351376,48,1000,no\n"
          "3,4,0.25,0.01571672276351376,48,1000,no\n");
    REQUIRE(figure.chart.series.size() == 2);
    CHECK(figure.chart.series[0].name == "stays softmax");
    REQUIRE(figure.chart.series[0].points.size() == 1);
    CHECK(figure.chart.series[0].points[0].x == 0.0);
    CHECK(figure.chart.series[1].points.at(2).x == 3.0);
    CHECK(figure.chart.x.title == "layer, best first");
}

TEST_CASE("a second scoring that measures something else has an axis of its own")
{
    LayerScoresShown shown = test::scores();
    shown.overlaid = OverlaidScores{"GLA", "gla", shown.bars};
    CHECK(!layerScoresFigure(shown, {}).chart.secondY);
    shown.overlaid->bars.axis = analysis::ScoreAxis::Residual;
    const Figure figure = layerScoresFigure(shown, {});
    REQUIRE(figure.chart.secondY);
    CHECK(figure.chart.secondY->title == "relative squared error");
    CHECK(figure.table.columns.back().title == "relative squared error, GLA");
}

TEST_CASE("values that a logarithmic axis cannot show are counted and stay in the table")
{
    const CurveShown training{"training", {{100, 2.0}, {200, 0.0}, {300, 0.5}}}, heldOut{"held out", {{300, 0.25}}};
    const Figure figure = curveFigure(training, heldOut, "KL", "nats/token", "gdn", true, {});
    CHECK(figure.table.rows.size() == 4);
    CHECK(figure.table.note == "Not on the axis: 1 of 4 values.");
    CHECK(figure.chart.series.at(0).points.size() == 2);
    CHECK(figure.chart.y.low == doctest::Approx(0.2));
}

TEST_CASE("layers that left a race are drawn as far as they were trained")
{
    const analysis::RankTrajectory trajectory{{100, 200, 300}, {{0, 1, 2}, {1, 0, 2}, {1, 0, 2}}, {2, 2, 0}};
    const Figure figure = ranksFigure(trajectory, {1}, 1, {});
    CHECK(csvText(figure.table) == "layer,rank after 100 tokens,rank after 200 tokens,rank after 300 tokens\n0,1,2,2\n1,2,1,1\n2,3,3,3\n");
    REQUIRE(figure.chart.series.size() == 4);
    CHECK(figure.chart.series[1].points.size() == 1);      // layer 2
    CHECK(figure.chart.series[2].name == "stays softmax");
    CHECK(figure.chart.series[3].name == "K = 1");
}

TEST_CASE("choices without a set at this K leave their cells empty")
{
    const std::vector<ChoiceShown> choices{{"a", experiment::LayerSet{0, 1}}, {"b", experiment::LayerSet{1, 2}}, {"c", std::nullopt}};
    const analysis::OverlapMatrix matrix({choices[0].layers, choices[1].layers, choices[2].layers}, 4);
    const Figure figure = overlapFigure(choices, matrix, {});
    CHECK(csvText(figure.table) == "number,choice,layers kept,J with 1,J with 2,J with 3\n1,a,\"0, 1\",1,0.3333333333333333,\n2,b,\"1, 2\",0.3333333333333333,1,\n3,c,,,,\n");
    REQUIRE(figure.chart.cells);
    CHECK(!figure.chart.cells->values[2][0]);
}

TEST_CASE("agreement is told beside chance")
{
    const Figure figure = agreementFigure(analysis::agreementCurve({0, 1, 2, 3}, {0, 1, 3, 2}, 4), 4, {});
    CHECK(figure.table.rows.size() == 4);
    REQUIRE(!figure.chart.series.empty());
    CHECK(figure.chart.series.front().kind == SeriesKind::Band);
    std::size_t points = 0;
    for (const Series &one : figure.chart.series)
        if (one.dash == Dash::None)
            points += one.points.size();
    CHECK(points == 4);
}

TEST_CASE("KL against K: the prediction with its band, what was measured with its intervals, the elbow and K")
{
    KlAgainstKShown shown{.numLayers = 4, .mixer = "gdn", .predicted = {}, .measured = {}, .trainedTokens = 500, .keep = 3};
    CHECK(klAgainstKFigure(shown, {}).table.rows.empty());
    CHECK(klAgainstKFigure(shown, {}).chart.series.empty());
    shown.predicted = analysis::shownPrediction({{0, 1, 2, 3, 4}, {{1.0, 1.5}, {0.25, 0.75}, {0.125, 0.375}, {-0.25, 0.0}, {-0.5, 0.0}}});
    shown.measured.points = {{1, {0.5, 0.25, 0.75, 0.02, 2}}, {4, {0.0, -0.125, 0.125, 0.01, 2}}};
    REQUIRE(shown.predicted.points.size() == 3);
    const Figure figure = klAgainstKFigure(shown, {});
    CHECK(figure.table.rows.size() == 4);                                       // K = 3 has neither
    CHECK(figure.table.columns.at(1).title == "KL, predicted");
    CHECK(figure.table.rows[1][2].reach == 0.25);
    CHECK(figure.table.rows[1][2].n == 2);
    CHECK_FALSE(figure.table.rows[0][2].value);
    CHECK(figure.table.rows[3][2].value == 0.0);
    CHECK(figure.table.note == "Predicted as if the gains of single layers added up. Measured on hybrids of seed 0 that were trained on 500 tokens each. Elbow, predicted: K = " + std::to_string(shown.predicted.elbow->keep) + ", 95 % from " +
                                   std::to_string(shown.predicted.elbow->low) + " to " + std::to_string(shown.predicted.elbow->high) + ".");
    std::vector<std::string> names;
    for (const Series &one : figure.chart.series)
        names.push_back(one.name);
    CHECK(names == std::vector<std::string>{"", "95 %", "predicted, additive", "measured", "elbow, predicted: K = " + std::to_string(shown.predicted.elbow->keep), "K = 3"});
    CHECK(figure.chart.series[0].kind == SeriesKind::Shade);
    CHECK(std::ssize(figure.chart.series[0].points) == shown.predicted.elbow->high - shown.predicted.elbow->low + 1);
    CHECK(figure.chart.series[1].kind == SeriesKind::Band);
    CHECK(figure.chart.series[3].points.at(0).reach == 0.25);
    CHECK(figure.chart.series[5].dash == Dash::Dotted);
    CHECK(figure.chart.y.low < -0.125);                                         // what was measured may lie below 0
    shown.measured.elbow = analysis::Elbow{.keep = 1, .low = 1, .high = 1, .share = 0.5, .found = 1.0};
    CHECK(klAgainstKFigure(shown, {}).chart.series.at(4).name == "elbow, measured: K = 1");
    const auto noted = [&](const char *sentence) { return klAgainstKFigure(shown, {}).table.note.find(sentence) != std::string::npos; };
    shown.trainedSeed = 3;
    CHECK(noted("Measured on hybrids of seed 3 that were trained on 500 tokens each."));
    shown.areHybridsOwn = false;
    CHECK(noted("500 tokens each, from another stage 1 or with another seed than this scoring."));
    shown.predicted = {};
    CHECK(klAgainstKFigure(shown, {}).table.rows.size() == 2);
}

TEST_CASE("the JSON of KL against K lists the hybrids with their runs and what was measured of each")
{
    KlAgainstKShown shown{.numLayers = 4, .mixer = "gdn", .predicted = {}, .measured = {}, .trainedTokens = 500, .keep = 3};
    shown.measured.points = {{1, {0.5, 0.25, 0.75, 0.02, 2}}, {2, {0.25, 0.125, 0.375, 0.01, 2}}};
    shown.hybrids = {{"k1", "run-1", "first"}, {"k2", "", ""}};
    const Provenance provenance = klAgainstKFigure(shown, {}).table.provenance;
    CHECK(provenance.runs == std::vector<std::string>{"run-1"});
    CHECK(provenance.keys == std::vector<std::string>{"k1", "k2"});
    const nlohmann::json hybrids = nlohmann::json::parse(provenanceJson(provenance)).at("hybrids");
    REQUIRE(hybrids.size() == 2);
    CHECK(hybrids[0] == nlohmann::json{{"run", "run-1"}, {"name", "first"}, {"stage_key", "k1"}, {"keep", 1}, {"kl_nats", 0.5}, {"se_nats", 0.02}, {"n", 2}});
    CHECK_FALSE(nlohmann::json::parse(provenanceJson({})).contains("hybrids"));
}

TEST_CASE("KL that was measured on one sequence has no interval")
{
    KlAgainstKShown shown{.numLayers = 3, .mixer = "gdn", .predicted = analysis::shownPrediction({{0, 1, 2, 3}, {{1.0}, {0.25}, {0.125}, {0.0625}}}), .measured = analysis::shownMeasurement({{1}, {{0.5}}}), .trainedTokens = 0, .keep = 9};
    const Figure figure = klAgainstKFigure(shown, {});
    CHECK_FALSE(figure.table.rows.at(1)[1].reach);
    CHECK_FALSE(figure.table.rows.at(1)[2].reach);
    for (const Series &one : figure.chart.series) {
        CHECK(one.kind != SeriesKind::Band);
        CHECK(one.dash != Dash::Dotted);                                        // K is not one of this teacher's
    }
    CHECK(klRange(shown).second == doctest::Approx(1.06));
}
