// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/hybridchoice.h"
#include "models/layerselection.h"
#include "models/scorebook.h"

#include <QSignalSpy>
#include <QTest>

using namespace stillroom;
using widgets::ScoreBook;

namespace {

experiment::LayerScore klScore(int layer, double kl, double se = 0.01, const char *selector = "ga-s2")
{
    experiment::LayerScore score;
    score.selector = selector;
    score.mixer = "gdn";
    score.layer = layer;
    score.score = kl;
    score.klNats = kl;
    score.se = se;
    score.numSequences = 64;
    score.tokens = 1000;
    return score;
}

experiment::LayerScore residual(int layer, double value)
{
    experiment::LayerScore score = klScore(layer, value, 0.0, "ga-s1");
    score.klNats.reset();
    score.higherIsBetter = true;
    score.unit = "relative squared error";
    return score;
}

store::Scoring scoring(const char *run, std::vector<experiment::LayerScore> scores, store::RunStatus status = store::RunStatus::Finished)
{
    store::Scoring made;
    made.run = run;
    made.task = "score";
    made.selector = scores.front().selector;
    made.mixer = scores.front().mixer;
    made.status = status;
    made.scores = std::move(scores);
    return made;
}

}  // namespace

class ChoiceTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void keepAndPercentAreOneValue()
    {
        widgets::HybridChoice choice;
        choice.reset(30);
        choice.setRanking(experiment::Ranking{5, 3, 1, 0, 2, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29});
        QCOMPARE(choice.keep(), 8);   // 25 % of 30 is 7.5: half up
        choice.setPercent(10.0);
        QCOMPARE(choice.keep(), 3);
        QCOMPARE(choice.layers(), (experiment::LayerSet{1, 3, 5}));
        choice.setKeep(99);
        QCOMPARE(choice.keep(), 30);
        QCOMPARE(choice.percent(), 100.0);
    }

    void aSetThatTheRankingWouldKeepIsTheRankings()
    {
        widgets::HybridChoice choice;
        choice.reset(4);
        choice.setRanking(experiment::Ranking{2, 0, 1, 3});
        choice.setKeep(2);
        choice.toggle(3);
        QVERIFY(choice.isCustom());
        choice.toggle(3);
        QVERIFY(!choice.isCustom());
        QCOMPARE(choice.keep(), 2);
        choice.toggle(1);      // the next of the ranking: what K = 3 keeps
        QVERIFY(!choice.isCustom());
        QCOMPARE(choice.keep(), 3);
        widgets::HybridChoice unscored;
        unscored.reset(4);
        unscored.toggle(1);
        unscored.toggle(1);
        QVERIFY(unscored.isCustom());      // there is no ranking to go back to
    }

    void togglingMakesACustomSetAndTheRankingIsOneCallAway()
    {
        widgets::HybridChoice choice;
        choice.reset(4);
        choice.setRanking(experiment::Ranking{2, 0, 1, 3});
        choice.setKeep(2);
        const QSignalSpy changed(&choice, &widgets::HybridChoice::changed);
        choice.toggle(3);
        QVERIFY(choice.isCustom());
        QCOMPARE(choice.layers(), (experiment::LayerSet{0, 2, 3}));
        choice.toggle(0);
        QCOMPARE(choice.keep(), 2);
        choice.useRanking();
        QCOMPARE(choice.layers(), (experiment::LayerSet{0, 2}));
        QCOMPARE(changed.count(), 3);
        choice.toggle(17);            // no such layer: nothing happens
        QVERIFY(!choice.isCustom());
    }

    void gainsAreMeasuredFromTheAllLinearStudent()
    {
        ScoreBook book;
        book.clear(3);
        book.setScorings({scoring("a", {klScore(-1, 1.0), klScore(0, 0.8), klScore(1, 0.3)})});
        QVERIFY(!book.ranking());     // a layer is missing
        QCOMPARE(book.axis(), ScoreBook::Axis::KlGain);
        book.setScorings({scoring("a", {klScore(-1, 1.0), klScore(0, 0.8), klScore(1, 0.3), klScore(2, 0.9)})});
        QCOMPARE(*book.ranking(), (experiment::Ranking{1, 0, 2}));
        QCOMPARE(book.bar(1)->value, 0.7);
        QVERIFY(qAbs(book.bar(1)->reach - 0.0199834) < 1e-6);      // t(63, 0.975) = 1.99834: 64 sequences
    }

    void withoutTheAllLinearStudentTheWorstLayerIsZero()
    {
        ScoreBook book;
        book.clear(2);
        book.setScorings({scoring("a", {klScore(0, 0.8), klScore(1, 0.3)})});
        QCOMPARE(book.axis(), ScoreBook::Axis::KlAboveWorst);
        QCOMPARE(book.bar(0)->value, 0.0);
        QCOMPARE(book.bar(1)->value, 0.5);
    }

    void trainedScoresTakeThePlaceOfResidualsUnlessAPersonChose()
    {
        const store::Scoring look = scoring("a", {residual(0, 0.2), residual(1, 0.6)});
        ScoreBook book;
        book.clear(2);
        book.setScorings({look});
        QCOMPARE(book.axis(), ScoreBook::Axis::Residual);
        QCOMPARE(*book.ranking(), (experiment::Ranking{1, 0}));
        book.setScorings({look, scoring("b", {klScore(0, 0.1), klScore(1, 0.4)})});
        QCOMPARE(book.source()->selector, QStringLiteral("ga-s2"));
        QCOMPARE(*book.ranking(), (experiment::Ranking{0, 1}));
        book.setSource({QStringLiteral("ga-s1"), QStringLiteral("gdn")});
        book.setScorings({look, scoring("b", {klScore(0, 0.1), klScore(1, 0.4)}), scoring("c", {klScore(0, 0.2), klScore(1, 0.4)})});
        QCOMPARE(book.source()->selector, QStringLiteral("ga-s1"));
    }

    void scoresOfTheSelectorThatWasAskedForAreShown()
    {
        const store::Scoring before = scoring("a", {klScore(0, 0.1), klScore(1, 0.4)});
        ScoreBook book;
        book.clear(2);
        book.setScorings({before});
        book.setSource({QStringLiteral("ga-s2"), QStringLiteral("gdn")});
        book.beginLive(QStringLiteral("b"), QStringLiteral("ar"));
        const store::Scoring look = scoring("b", {residual(0, 0.2)}, store::RunStatus::Running);      // a first look on the way
        book.setScorings({before, look});
        QCOMPARE(book.source()->selector, QStringLiteral("ga-s2"));
        book.setScorings({before, look, scoring("b", {klScore(0, 0.3, 0.01, "ar")}, store::RunStatus::Running)});
        QCOMPARE(book.source()->selector, QStringLiteral("ar"));
        book.setScorings({before, look, scoring("b", {klScore(0, 0.3, 0.01, "ar")}), scoring("c", {klScore(0, 0.2), klScore(1, 0.3)}, store::RunStatus::Running)});      // another process's
        QCOMPARE(book.source()->selector, QStringLiteral("ar"));
    }

    void whatWasBrokenOffNeverTakesThePlaceOfWhatEnded()
    {
        const store::Scoring ended = scoring("a", {klScore(0, 0.1), klScore(1, 0.4)});
        const auto second = [](store::RunStatus status) { return scoring("b", {klScore(0, 0.4), klScore(1, 0.1)}, status); };
        ScoreBook book;
        book.clear(2);
        book.setScorings({ended, second(store::RunStatus::Cancelled)});
        QCOMPARE(book.source()->run, QStringLiteral("a"));
        book.setScorings({scoring("0", {klScore(0, 0.2), klScore(1, 0.4)}), ended, second(store::RunStatus::Cancelled)});
        QCOMPARE(book.sources().size(), std::size_t{3});
        QCOMPARE(book.sources().front().run, QStringLiteral("a"));      // the newest of those that ended
        QCOMPARE(book.sources().back().run, QStringLiteral("b"));
        // It can be looked at all the same, and be gone.
        book.setSource(book.sources().back());
        QCOMPARE(*book.ranking(), (experiment::Ranking{1, 0}));
        book.setScorings({ended});
        QCOMPARE(book.source()->run, QStringLiteral("a"));
        // Where nothing else is, it is what there is.
        book.setScorings({});
        QVERIFY(!book.source());
        QVERIFY(book.bars().empty());
        book.setScorings({second(store::RunStatus::Interrupted)});
        QCOMPARE(book.source()->run, QStringLiteral("b"));
        book.setScorings({ended, second(store::RunStatus::Interrupted)});      // out of the trash
        QCOMPARE(book.source()->run, QStringLiteral("a"));
    }

    void aStoppedJobGivesWayToWhatWasShownBefore()
    {
        const store::Scoring old = scoring("a", {klScore(0, 0.1), klScore(1, 0.4)}), newer = scoring("b", {klScore(0, 0.2), klScore(1, 0.4)});
        const auto third = [](store::RunStatus status) { return scoring("c", {klScore(0, 0.4), klScore(1, 0.1)}, status); };
        ScoreBook book;
        book.clear(2);
        book.setScorings({old, newer});
        book.setSource({QStringLiteral("ga-s2"), QStringLiteral("gdn"), QStringLiteral("a"), QStringLiteral("score")});
        book.beginLive(QStringLiteral("c"), QStringLiteral("ga-s2"));
        QCOMPARE(book.source()->run, QStringLiteral("a"));
        book.setScorings({old, newer, third(store::RunStatus::Running)});
        QCOMPARE(book.source()->run, QStringLiteral("c"));
        book.setScorings({old, newer, third(store::RunStatus::Cancelled)});
        book.endLive();
        QCOMPARE(book.source()->run, QStringLiteral("a"));
        book.beginLive(QStringLiteral("c"), QStringLiteral("ga-s2"));      // resumed
        book.setScorings({old, newer, third(store::RunStatus::Running)});
        book.setScorings({old, newer, third(store::RunStatus::Finished)});
        book.endLive();
        QCOMPARE(book.source()->run, QStringLiteral("c"));
    }

    void whatAPersonChoseIsStillChosenAfterAStoppedJob()
    {
        const store::Scoring old = scoring("a", {klScore(0, 0.1), klScore(1, 0.4)}), other = scoring("d", {klScore(0, 0.3), klScore(1, 0.2)});
        ScoreBook book;
        book.clear(2);
        book.setScorings({old});
        book.setSource({QStringLiteral("ga-s2"), QStringLiteral("gdn"), QStringLiteral("a"), QStringLiteral("score")});
        book.beginLive(QStringLiteral("c"), QStringLiteral("ga-s2"));
        book.setScorings({old, scoring("c", {klScore(0, 0.4)}, store::RunStatus::Running)});
        QCOMPARE(book.source()->run, QStringLiteral("c"));
        book.setScorings({old, scoring("c", {klScore(0, 0.4)}, store::RunStatus::Cancelled)});
        book.endLive();
        QCOMPARE(book.source()->run, QStringLiteral("a"));
        book.setScorings({old, scoring("c", {klScore(0, 0.4)}, store::RunStatus::Cancelled), other});      // of another process
        QCOMPARE(book.source()->run, QStringLiteral("a"));
    }

    void theRunsOwnRankingGoesBeforeItsScores()
    {
        store::Scoring race = scoring("a", {klScore(0, 0.5), klScore(1, 0.3), klScore(2, 0.4)});
        race.ranking = experiment::Ranking{0, 2, 1};      // which chose layer 0 early
        race.sets = {{1, 2}};
        ScoreBook book;
        book.clear(3);
        book.setScorings({race});
        QCOMPARE(*book.ranking(), (experiment::Ranking{0, 2, 1}));
        QCOMPARE(book.found(), (std::vector<experiment::LayerSet>{{1, 2}}));
        const QSignalSpy changed(&book, &ScoreBook::changed);
        book.setScorings({race});
        QCOMPARE(changed.count(), 0);
        race.ranking = experiment::Ranking{0, 1};         // of another model of the same name
        book.setScorings({race});
        QCOMPARE(*book.ranking(), (experiment::Ranking{1, 2, 0}));
        QVERIFY(book.found().empty());
        QCOMPARE(changed.count(), 1);
    }

    void whatAnotherProcessMeasuredAnewComesToTheFront()
    {
        const store::Scoring first = scoring("a", {klScore(-1, 1.0), klScore(0, 0.5), klScore(1, 0.3), klScore(2, 0.4)});
        ScoreBook book;
        book.clear(3);
        book.setScorings({first});
        const QSignalSpy changed(&book, &ScoreBook::changed);
        book.setScorings({first, scoring("b", {klScore(0, 0.5), klScore(1, 0.7), klScore(2, 0.4)})});
        QCOMPARE(changed.count(), 1);
        QCOMPARE(*book.bar(1)->score.klNats, 0.7);
        QCOMPARE(*book.ranking(), (experiment::Ranking{2, 0, 1}));
    }

    void aSearchSaysItsSetsAtTheirOwnK()
    {
        widgets::HybridChoice choice;
        choice.reset(6);
        choice.setRanking(experiment::Ranking{5, 3, 1, 0, 2, 4}, {{0, 4}, {1, 2, 3, 5}});
        choice.setKeep(2);
        QVERIFY(choice.isFound());
        QCOMPARE(choice.layers(), (experiment::LayerSet{0, 4}));      // not the first two of the ranking
        QVERIFY(choice.isKept(4));
        QVERIFY(!choice.isKept(5));
        QCOMPARE(choice.foundSizes(), (std::vector<int>{2, 4}));
        choice.setKeep(3);
        QVERIFY(!choice.isFound());
        QCOMPARE(choice.layers(), (experiment::LayerSet{1, 3, 5}));
        choice.setKeep(2);
        choice.toggle(1);                                             // a set by hand starts from what is shown
        QCOMPARE(choice.layers(), (experiment::LayerSet{0, 1, 4}));
        QVERIFY(!choice.isFound());
        choice.useRanking();
        QCOMPARE(choice.layers(), (experiment::LayerSet{0, 4}));
        choice.setRanking(experiment::Ranking{5, 3, 1, 0, 2, 4});
        QCOMPARE(choice.layers(), (experiment::LayerSet{3, 5}));
        QVERIFY(choice.foundSizes().empty());
    }

    void theTieBandNamesLayersNearTheBoundary()
    {
        ScoreBook book;
        book.clear(4);
        book.setScorings({scoring("a", {klScore(0, 0.100, 0.001), klScore(1, 0.500, 0.02), klScore(2, 0.510, 0.02), klScore(3, 0.900, 0.001)})});
        QCOMPARE(book.tieBand(2), (std::vector<int>{1, 2}));
        QCOMPARE(book.tieBand(1), std::vector<int>());
        QCOMPARE(book.tieBand(0), std::vector<int>());
        QCOMPARE(book.tieBand(4), std::vector<int>());
    }

    void selectionTellsOfChangesOnly()
    {
        widgets::LayerSelection selection;
        const QSignalSpy changed(&selection, &widgets::LayerSelection::changed);
        selection.select(3);
        selection.select(3);
        selection.clear();
        QCOMPARE(changed.count(), 2);
        QCOMPARE(selection.layer(), -1);
    }
};

QTEST_MAIN(ChoiceTest)
#include "choice.moc"
