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
    return score;
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
        book.add({klScore(-1, 1.0), klScore(0, 0.8), klScore(1, 0.3)});
        QVERIFY(!book.ranking());     // a layer is missing
        QCOMPARE(book.axis(), ScoreBook::Axis::KlGain);
        book.add(klScore(2, 0.9));
        QCOMPARE(*book.ranking(), (experiment::Ranking{1, 0, 2}));
        QCOMPARE(book.bar(1)->value, 0.7);
        QVERIFY(qAbs(book.bar(1)->reach - 0.0196) < 1e-4);
    }

    void withoutTheAllLinearStudentTheWorstLayerIsZero()
    {
        ScoreBook book;
        book.clear(2);
        book.add({klScore(0, 0.8), klScore(1, 0.3)});
        QCOMPARE(book.axis(), ScoreBook::Axis::KlAboveWorst);
        QCOMPARE(book.bar(0)->value, 0.0);
        QCOMPARE(book.bar(1)->value, 0.5);
    }

    void trainedScoresTakeThePlaceOfResidualsUnlessAPersonChose()
    {
        ScoreBook book;
        book.clear(2);
        book.add({residual(0, 0.2), residual(1, 0.6)});
        QCOMPARE(book.axis(), ScoreBook::Axis::Residual);
        QCOMPARE(*book.ranking(), (experiment::Ranking{1, 0}));
        book.add({klScore(0, 0.1), klScore(1, 0.4)});
        QCOMPARE(book.source()->selector, QStringLiteral("ga-s2"));
        QCOMPARE(*book.ranking(), (experiment::Ranking{0, 1}));
        book.setSource({QStringLiteral("ga-s1"), QStringLiteral("gdn")});
        book.add(klScore(0, 0.2));
        QCOMPARE(book.source()->selector, QStringLiteral("ga-s1"));
    }

    void scoresOfTheSelectorThatWasAskedForAreShown()
    {
        ScoreBook book;
        book.clear(2);
        book.add({klScore(0, 0.1), klScore(1, 0.4)});
        book.setSource({QStringLiteral("ga-s2"), QStringLiteral("gdn")});
        book.add(klScore(0, 0.3, 0.01, "kl-bypass"));
        QCOMPARE(book.source()->selector, QStringLiteral("ga-s2"));
        book.expect(QStringLiteral("ar"));
        book.add(residual(0, 0.2));                                    // a first look on the way
        QCOMPARE(book.source()->selector, QStringLiteral("ga-s2"));
        book.add(klScore(0, 0.3, 0.01, "ar"));
        QCOMPARE(book.source()->selector, QStringLiteral("ar"));
        book.add(klScore(1, 0.2));
        QCOMPARE(book.source()->selector, QStringLiteral("ar"));
    }

    void aVerdictHoldsUntilNewScoresArrive()
    {
        ScoreBook book;
        book.clear(3);
        book.add({klScore(0, 0.5), klScore(1, 0.3), klScore(2, 0.4)});
        const QSignalSpy changed(&book, &ScoreBook::changed);
        const ScoreBook::Source gdn{QStringLiteral("ga-s2"), QStringLiteral("gdn")}, gla{QStringLiteral("ga-s2"), QStringLiteral("gla")};
        book.setVerdicts({{gdn, {{0, 2, 1}, {{1, 2}}}}, {gla, {{0, 1}, {}}}});     // a race chose layer 0 early; the other one is of another model
        QCOMPARE(*book.ranking(), (experiment::Ranking{0, 2, 1}));
        QCOMPARE(book.found(), (std::vector<experiment::LayerSet>{{1, 2}}));
        book.setVerdicts({{gdn, {{0, 2, 1}, {{1, 2}}}}});
        QCOMPARE(changed.count(), 1);
        book.add(klScore(0, 0.45));
        QCOMPARE(*book.ranking(), (experiment::Ranking{1, 2, 0}));
        QVERIFY(book.found().empty());
    }

    void whatWasStoredEarlierGivesWayToWhatIsThere()
    {
        ScoreBook book;
        book.clear(3);
        book.add(klScore(1, 0.3));
        book.addOlder({klScore(0, 0.5), klScore(1, 0.9), klScore(2, 0.8), klScore(2, 0.4), klScore(0, 0.1, 0.01, "zero-shot-ga")});
        QCOMPARE(*book.bar(1)->score.klNats, 0.3);      // a job has just measured it
        QCOMPARE(*book.bar(2)->score.klNats, 0.4);      // the later of two stored ones
        QCOMPARE(*book.ranking(), (experiment::Ranking{1, 2, 0}));
        QCOMPARE(book.sources().size(), std::size_t{2});
    }

    void whatAnotherProcessMeasuredAnewTakesItsPlace()
    {
        ScoreBook book;
        book.clear(3);
        book.add({klScore(-1, 1.0), klScore(0, 0.5), klScore(1, 0.3), klScore(2, 0.4)});
        QSignalSpy changed(&book, &ScoreBook::changed);
        book.setStored({klScore(-1, 1.0), klScore(0, 0.5), klScore(1, 0.3), klScore(2, 0.4)});
        QCOMPARE(changed.count(), 0);
        book.setStored({klScore(0, 0.5), klScore(1, 0.3), klScore(1, 0.7), klScore(2, 0.4)});      // later ones go before earlier ones
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
        book.add({klScore(0, 0.100, 0.001), klScore(1, 0.500, 0.02), klScore(2, 0.510, 0.02), klScore(3, 0.900, 0.001)});
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
