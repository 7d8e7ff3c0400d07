// SPDX-License-Identifier: GPL-3.0-or-later
#include "mainwindow.h"
#include "settled.h"
#include "storedscorings.h"
#include "testdata.h"
#include "windowtest.h"

#include "analysis/chanceoverlap.h"
#include "analysis/layersets.h"
#include "analysis/margin.h"
#include "choices/uniform.h"
#include "comparison/teacherchoices.h"
#include "models/overlaptable.h"
#include "models/rankdraws.h"
#include "models/session.h"
#include "models/specfields.h"
#include "pages/overlappage.h"
#include "plots/agreementplot.h"
#include "plots/layerbarplot.h"
#include "plots/overlapplot.h"
#include "plots/rankplot.h"
#include "views/inspector.h"
#include "views/pairstrips.h"
#include "views/palette.h"

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QItemSelectionModel>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QSignalSpy>
#include <QSlider>
#include <QTableView>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

using namespace stillroom;

namespace {

constexpr int smolLayers = 30, smolHidden = 576;

double lightness(const QColor &colour)
{
    const auto linear = [](double part) { return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4); };
    const double y = 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
    return y > 216.0 / 24389.0 ? 116.0 * std::cbrt(y) - 16.0 : y * 24389.0 / 27.0;      // CIE L*
}

}  // namespace

/// The overlap page and the ranks over tokens, through the real window.
class OverlapTest final : public test::WindowTest {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { nameProgram(QStringLiteral("overlap")); }
    void init() { begin(); }
    void cleanup() { end(); }

    void everyChoiceStandsInTheMatrix()
    {
        openMeasured();
        std::set<QString> names;
        for (const auto &entry : m_session->choices().entries())
            names.insert(entry.name);
        QCOMPARE(names.size(), m_session->choices().entries().size());
        for (const char *name : {"GA-S2 · GDN", "SMART of GA-S2 · GDN", "zero-shot GA · GDN", "uniform, from the first layer", "random (seed 1)"})
            QVERIFY2(names.contains(QString::fromUtf8(name)), name);
        QCOMPARE(table().rowCount(), 9);
    }

    void cellsAreJaccardIndicesAtTheSharedK()
    {
        openMeasured();
        page()->findChild<QSlider *>()->setValue(7);
        QCOMPARE(m_session->choice().keep(), 7);
        const int ga = row("GA-S2 · GDN"), grid = row("uniform, to the last layer");
        const experiment::LayerSet best = experiment::topLayers(*m_session->scores().ranking(), 7), uniform = choices::uniformGrid(choices::Grid::End, smolLayers, 7);
        QCOMPARE(table().overlapAt(ga, grid)->jaccard, analysis::jaccard(best, uniform));
        QCOMPARE(table().overlapAt(grid, ga)->jaccard, table().overlapAt(ga, grid)->jaccard);
        const double p = analysis::ChanceOverlap(7, 7, smolLayers).atLeast(analysis::numShared(best, uniform));
        QCOMPARE(table().isBeyondChance(ga, grid), p < 0.05);
        QVERIFY(table().sentence(ga, grid).contains(QStringLiteral("p = ")));
        QVERIFY(!table().isBeyondChance(ga, ga));      // a choice against itself says nothing
    }

    void aSmallerTeacherTakesThePlaceOfALargerOneWhileItsLayersAreInSight()
    {
        openMeasured();
        showPage(Qt::Key_2);      // whose costs are computed at each change of K
        m_session->choice().setKeep(20);
        m_madeUp->model = test::description(6, 64);
        m_session->openTeacher(QStringLiteral("small"));
        QTRY_COMPARE(m_session->teacher().numLayers, 6);
        QCOMPARE(m_session->choice().numLayers(), 6);
        QVERIFY(m_session->choice().keep() <= 6);
        QVERIFY(m_session->scores().bars().empty());
        m_madeUp->model = test::description(smolLayers, smolHidden);
        m_session->choice().setKeep(5);
        m_session->openTeacher(QStringLiteral("demo"));
        QTRY_COMPARE(m_session->choice().numLayers(), smolLayers);
        QTRY_VERIFY(m_session->scores().ranking().has_value());
    }

    void theOverlapOfTwoScoringsHasAnIntervalOverHeldOutSequences()
    {
        const std::filesystem::path curves = test::testData() / "selection/smollm2-gdn-curves.json";
        test::writeScoring(workspace(), 1, test::measuredEvaluations(curves), 1, {}, "{}", curves);
        test::writeScoring(workspace(), 2, test::measuredEvaluations(curves, "zero-shot-ga"), 1, {}, "{}", curves);      // on the same sequences, which are drawn together
        test::writeScoring(workspace(), 3, test::measuredEvaluations(curves, "kl-bypass"), 1, {{"data", {{"held_out_sequences", 47}}}}, "{}", curves);      // on others
        test::writeScoring(workspace(), 4, test::measuredEvaluations(curves, "ppl-bypass"));                            // kept nothing by sequence
        openScorings(4);
        m_session->choice().setKeep(8);
        auto *view = page()->findChild<QTableView *>();
        const auto pair = [&](const char *a, const char *b) {
            if (row(a) < 0 || row(b) < 0)
                return QStringLiteral("no such choice");
            view->setCurrentIndex(table().index(row(a), row(b)));
            return words();
        };
        const QString says = QStringLiteral("Over other held-out sequences J is ");
        QTRY_VERIFY(pair("GA-S2 · GDN", "zero-shot GA · GDN").contains(says + QStringLiteral("1.00 to 1.00")));
        QTRY_VERIFY(pair("GA-S2 · GDN", "KL bypass · GDN").contains(says));
        int numUnsure = 0;      // sizes at which other sequences choose others
        for (int keep = 1; keep < smolLayers; ++keep) {
            m_session->choice().setKeep(keep);
            test::settle();
            QVERIFY(pair("GA-S2 · GDN", "zero-shot GA · GDN").contains(says + QStringLiteral("1.00 to 1.00")));
            const QString words = pair("GA-S2 · GDN", "KL bypass · GDN");
            QVERIFY(words.contains(says));
            numUnsure += words.contains(says + QStringLiteral("1.00 to 1.00")) ? 0 : 1;
        }
        QVERIFY(numUnsure > 0);
        QVERIFY(!pair("GA-S2 · GDN", "PPL bypass · GDN").contains(says));
        QVERIFY(!pair("GA-S2 · GDN", "uniform, from the first layer").contains(says));
    }

    void theInspectorSaysHowSureTheRankIsAndWhoKeepsTheLayer()
    {
        const std::filesystem::path curves = test::testData() / "selection/smollm2-gdn-curves.json";
        test::writeScoring(workspace(), 1, test::measuredEvaluations(curves), 1, {}, "{}", curves);
        openScorings(1);
        m_session->choice().setKeep(8);
        const experiment::Ranking ranking = *m_session->scores().ranking();
        const auto values = store::heldOutValues(workspace(), "artifacts/key-1", smolLayers);
        QVERIFY(values);
        const analysis::BootstrapRanks draws(analysis::LayerSamples(values->values_LS), 2000, store::drawSeed(m_session->choices().scorings().front().heldOut));
        const analysis::LayerSamples samples(values->values_LS);
        for (int keep = 1; keep < smolLayers; ++keep) {      // as select judges it: paired, sequence by sequence
            m_session->choice().setKeep(keep);
            QTRY_COMPARE(m_session->unsettledLayers(), analysis::tieBand(samples, ranking, keep));
        }
        m_session->choice().setKeep(8);
        for (const int layer : {ranking[0], ranking[7], ranking[29]}) {
            m_session->selection().select(layer);
            const auto interval = draws.rankInterval(layer);
            QTRY_COMPARE(inspected("Rank, 95 %"), interval.low == interval.high ? QStringLiteral("%1, whichever sequences are held out").arg(interval.low)
                                                                                  : QStringLiteral("%1 to %2, by other held-out sequences").arg(interval.low).arg(interval.high));
            QCOMPARE(inspected("Among the best 8"), QStringLiteral("in %1 % of draws").arg(QLocale().toString(100.0 * draws.chanceOfTop(layer, 8), 'f', 0)));
            int keeping = 0;
            for (const auto &entry : m_session->choices().entries())
                if (const auto layers = entry.choice.rule->at(8); layers && std::binary_search(layers->begin(), layers->end(), layer))
                    ++keeping;
            QVERIFY(inspected("Kept at K = 8 by").startsWith(QStringLiteral("%1 of ").arg(keeping)));
            QCOMPARE(inspected("Kept at K = 8 by").contains(QStringLiteral("GA-S2 · GDN")), m_session->choice().isKept(layer));
        }
    }

    void aChoiceWithoutASetLeavesItsCellsEmpty()
    {
        openMeasured();
        m_session->choice().setKeep(20);
        const int half = row("uniform, latter half");
        QVERIFY(!table().overlapAt(half, 0));
        QCOMPARE(table().data(table().index(half, 0), Qt::DisplayRole).toString(), QStringLiteral("–"));
        QVERIFY(table().sentence(half, 0).contains(QStringLiteral("has no set of 20 layers")));
    }

    void theKeyboardWalksAndOpensThePair()
    {
        openMeasured();
        auto *matrix = page()->findChild<widgets::OverlapPlot *>();
        matrix->setFocus();
        QTest::keyClick(matrix, Qt::Key_Home);
        QTest::keyClick(matrix, Qt::Key_Up);
        QTest::keyClick(matrix, Qt::Key_Down);
        QTest::keyClick(matrix, Qt::Key_Down);
        QTest::keyClick(matrix, Qt::Key_Right);
        QCOMPARE(current(), std::pair(2, 1));
        QVERIFY(matrix->accessibleDescription().contains(table().entry(2).name));
        QTest::keyClick(matrix, Qt::Key_Return);
        auto *strips = page()->findChild<widgets::PairStrips *>();
        QTRY_VERIFY(strips->hasFocus());
        QTest::keyClick(strips, Qt::Key_End);
        QCOMPARE(m_session->selection().layer(), smolLayers - 1);
        QTest::keyClick(strips, Qt::Key_Left);
        QCOMPARE(m_session->selection().layer(), smolLayers - 2);
        QVERIFY(words().contains(QStringLiteral("Kept by both: ")));
        QTest::keyClick(m_window.get(), Qt::Key_Escape);
        QCOMPARE(m_session->selection().layer(), -1);
    }

    void aClickOnACellChoosesIt()
    {
        openMeasured();
        auto *matrix = page()->findChild<widgets::OverlapPlot *>();
        QWidget *canvas = nullptr;
        for (QObject *child : matrix->children())
            canvas = canvas ? canvas : qobject_cast<QWidget *>(child);
        QVERIFY(canvas);
        QTest::qWait(50);
        QSet<int> rows;
        for (int y = 2; y < canvas->height(); y += 4) {
            QTest::mouseClick(canvas, Qt::LeftButton, {}, {canvas->width() / 2, y});
            rows.insert(current().first);
        }
        QCOMPARE(rows.size(), table().rowCount());
    }

    void theTableTwinFollowsTheMatrix()
    {
        openMeasured();
        for (QRadioButton *button : page()->findChildren<QRadioButton *>())
            if (QString(button->text()).remove(QLatin1Char('&')) == QStringLiteral("table"))
                button->click();
        auto *view = page()->findChild<QTableView *>();
        QVERIFY(view->isVisible());
        view->setFocus();
        view->setCurrentIndex(table().index(3, 2));
        QVERIFY(words().contains(table().entry(3).name));
        QTest::keyClick(view, Qt::Key_Down);
        QCOMPARE(current(), std::pair(4, 2));
        const QString number = QLocale().toString(table().overlapAt(4, 2)->jaccard, 'f', 2);
        QVERIFY(view->model()->data(view->currentIndex(), Qt::DisplayRole).toString().startsWith(number));
        QCOMPARE(view->model()->data(view->currentIndex(), Qt::AccessibleTextRole).toString(), table().sentence(4, 2));
    }

    void theModelKeepsItsPromisesWhileChoicesComeAndGo()
    {
        widgets::ChoiceBook choices;
        widgets::HybridChoice hybrid;
        widgets::OverlapTable model(choices, hybrid);
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(model.rowCount(), 0);
        choices.reset({6, 64});
        hybrid.reset(6);
        model.refresh();
        QCOMPARE(model.rowCount(), 5);
        const QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
        for (int keep = 0; keep <= 6; ++keep) {
            hybrid.setKeep(keep);
            model.refresh();
        }
        QCOMPARE(resets.count(), 0);          // another K moves nobody
        for (int layer = 0; layer < 6; ++layer) {
            choices.add("run", "score", {test::klScore("ga-s2", layer, 0.1 * layer, 0.01, 100)});
            model.refresh();
        }
        QCOMPARE(model.rowCount(), 7);
        choices.setByHand(experiment::LayerSet{1, 2});
        model.refresh();
        QCOMPARE(model.rowCount(), 8);
        QVERIFY(model.asTsv().contains(QStringLiteral("1, 2")));
        choices.setByHand(std::nullopt);
        choices.reset({});
        model.refresh();
        QCOMPARE(model.rowCount(), 0);
    }

    void namesakesAreToldApart()
    {
        widgets::ChoiceBook choices;
        choices.reset({2, 64});
        std::vector<store::Scoring> scorings(2);
        for (std::size_t i = 0; i < 2; ++i) {
            scorings[i].run = i == 0 ? "aaaaaaaa-1" : "bbbbbbbb-2";
            scorings[i].selector = "ga-s2";
            scorings[i].mixer = "gdn";
            scorings[i].seed = static_cast<std::int64_t>(i) + 1;
            scorings[i].status = store::RunStatus::Finished;
        }
        choices.setScorings(scorings);
        QCOMPARE(choices.entries()[0].name, QStringLiteral("GA-S2 · GDN · seed 1"));
        QCOMPARE(choices.entries()[1].name, QStringLiteral("GA-S2 · GDN · seed 2"));
        QCOMPARE(choices.scoresLabel(scorings[1]), QStringLiteral("GA-S2 (short distillation) · probe GDN · seed 2"));
        scorings[1].seed = 1;
        scorings[0].settings = R"({"kind":"score","stage1":{"steps":100}})";
        scorings[1].settings = R"({"kind":"score","stage1":{"steps":200}})";
        choices.setScorings(scorings);
        const QString steps = widgets::specFieldName("stage1.steps");
        QCOMPARE(choices.entries()[0].name, QStringLiteral("GA-S2 · GDN · ") + steps + QStringLiteral(" 100"));
        QCOMPARE(choices.entries()[1].name, QStringLiteral("GA-S2 · GDN · ") + steps + QStringLiteral(" 200"));
        QCOMPARE(choices.scoresLabel(scorings[0]), QStringLiteral("GA-S2 (short distillation) · probe GDN · ") + steps + QStringLiteral(" 100"));
        scorings[0].name = "short";      // what a person called it says more
        choices.setScorings(scorings);
        QCOMPARE(choices.scoresLabel(scorings[0]), QStringLiteral("GA-S2 (short distillation) · probe GDN · short"));
        scorings[0].name.clear();
        scorings[0].settings = scorings[1].settings;
        choices.setScorings(scorings);
        QCOMPARE(choices.entries()[0].name, QStringLiteral("GA-S2 · GDN · run aaaaaaaa"));
        QCOMPARE(choices.entries()[1].name, QStringLiteral("GA-S2 · GDN · run bbbbbbbb"));
        scorings[1].seed = 2;
        scorings[1].status = store::RunStatus::Running;      // not all that it will say
        choices.setScorings(scorings);
        QCOMPARE(choices.entries()[1].name, QStringLiteral("GA-S2 · GDN · seed 2 · running"));
        scorings[1].status = store::RunStatus::Cancelled;
        choices.setScorings(scorings);
        QCOMPARE(choices.entries()[0].name, QStringLiteral("GA-S2 · GDN"));
        for (const widgets::ChoiceBook::Entry &entry : choices.entries())
            QVERIFY(entry.choice.run != scorings[1].run);
        QVERIFY(choices.scoringName(scorings[1]).contains(QStringLiteral("stopped")));
    }

    void whatIsMeasuredLiveIsTheChoiceThatTheStoreWillGive()
    {
        const std::string spec = R"({"kind":"score","teacher":"demo","mixer":{"kind":"gdn"},"seed":4,"selector":"ga-s2","data":{"source":"recall-task"},"early_stop":{"enabled":true}})";
        widgets::ChoiceBook live, stored;
        const QSignalSpy changed(&live, &widgets::ChoiceBook::entriesChanged), grown(&live, &widgets::ChoiceBook::scoringsChanged);
        for (widgets::ChoiceBook *book : {&live, &stored})
            book->reset({6, 64});
        const int generation = live.generation();
        std::vector<experiment::LayerScore> all;
        for (std::int64_t evaluation = 1; evaluation <= 3; ++evaluation)
            for (int layer = 0; layer < 6; ++layer) {
                all.push_back(test::klScore("ga-s2", layer, 0.1 * ((layer * 5 + static_cast<int>(evaluation)) % 7), 0.01, 100 * evaluation));
                live.add("aaaabbbb", "score", {all.back()}, spec);
            }
        QCOMPARE(live.generation(), generation);
        store::Scoring one;
        std::tie(one.run, one.task, one.selector, one.mixer, one.status) = std::tuple("aaaabbbb", "score", "ga-s2", "gdn", store::RunStatus::Running);
        store::describeBySpec(one, nlohmann::json::parse(spec));
        one.evaluations = all;
        one.scores.assign(all.end() - 6, all.end());
        one.ranking = experiment::rank(one.scores, 6);
        stored.setScorings({one});
        QVERIFY(live.entries() == stored.entries());
        QCOMPARE(live.scorings().front().settings, one.settings);      // so that an equal one is known again
        QVERIFY(comparison::isRace(live.scorings().front()));
        QCOMPARE(live.scorings().front().seed, 4);
        // The same scores say nothing new: nobody has to draw it again.
        const auto times = changed.count(), growths = grown.count();
        live.add("aaaabbbb", "score", {all.back()}, spec);
        QCOMPARE(changed.count(), times);
        QCOMPARE(grown.count(), growths + 1);
        stored.setScorings({one});
        const QSignalSpy again(&stored, &widgets::ChoiceBook::entriesChanged);
        stored.setScorings({one});
        QCOMPARE(again.count(), 0);
        QCOMPARE(stored.generation(), 4);
    }

    void manyReasonsMakeOneRefresh()
    {
        openMeasured();
        showPage(Qt::Key_2);
        auto *ranks = m_window->findChild<widgets::RankPlot *>();
        QVERIFY(test::settle());
        const QSignalSpy drawn(ranks, &widgets::RankPlot::changed);
        for (int layer = 0; layer < 5; ++layer)
            m_session->selection().select(layer);
        QCOMPARE(drawn.count(), 0);
        QVERIFY(test::settle());
        QCOMPARE(drawn.count(), 1);
        showPage();
        QVERIFY(test::settle());
        const QSignalSpy refreshed(&shownTable(), &QAbstractItemModel::dataChanged);
        for (const int keep : {3, 4, 5, 6})
            m_session->choice().setKeep(keep);
        QVERIFY(test::settle());
        QCOMPARE(refreshed.count(), 1);
        QCOMPARE(shownTable().keep(), 6);
    }

    void theOverlaysAreCalledAsTheyAreNow()
    {
        openMeasured();
        auto *overlay = combo(QStringLiteral("Scores laid over the bars"));
        QCOMPARE(overlay->itemText(1), QStringLiteral("zero-shot GA · GDN"));
        std::vector<store::Scoring> scorings = m_session->choices().scorings();
        for (store::Scoring &one : scorings)
            if (one.selector == "zero-shot-ga")
                one.status = store::RunStatus::Cancelled;
        m_session->choices().setScorings(scorings);
        QVERIFY2(overlay->itemText(1).contains(QStringLiteral("stopped")), qPrintable(overlay->itemText(1)));
        showPage(Qt::Key_2);
        m_window->resize(1600, 900);
        QTRY_VERIFY2(overlay->width() >= overlay->sizeHint().width() && overlay->sizeHint().width() > overlay->fontMetrics().horizontalAdvance(overlay->itemText(1)), "the name of a scoring is cut off beside empty room");
    }

    void theWholeTableIsCopiedForASpreadsheet()
    {
        openMeasured();
        m_session->choice().setKeep(8);
        auto *matrix = page()->findChild<widgets::OverlapPlot *>();
        matrix->setFocus();
        QTest::keyClick(matrix, Qt::Key_C, Qt::ControlModifier);
        const QStringList lines = QGuiApplication::clipboard()->text().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 10);
        for (int line = 0; line < 10; ++line)
            QCOMPARE(lines[line].split(QLatin1Char('\t')).size(), 12);
        QCOMPARE(lines[1].split(QLatin1Char('\t'))[4].toDouble(), table().overlapAt(0, 1)->jaccard);
    }

    void thePairStaysWhenOtherChoicesCome()
    {
        openMeasured();
        page()->findChild<QTableView *>()->setCurrentIndex(table().index(row("random (seed 1)"), row("uniform, both ends")));
        const QString before = words();
        m_session->choices().add("newrun00", "score", {test::klScore("ga-s2", 0, 0.5, 0.01, 100)});
        QCOMPARE(table().rowCount(), 10);
        QCOMPARE(words(), before);
        QCOMPARE(current().first, row("random (seed 1)"));
    }

    void anEmptyWorkspaceSaysTheNextStep()
    {
        open();
        showPage();
        QPushButton *next = nullptr;
        for (QPushButton *button : page()->findChildren<QPushButton *>())
            if (button->isVisible() && QString(button->text()).remove(QLatin1Char('&')) == QStringLiteral("Score layers…"))
                next = button;
        QVERIFY(next);
        QCOMPARE(table().rowCount(), 5);       // rules there are
        next->click();
        QTRY_VERIFY(m_session->scores().ranking().has_value());
        QTRY_VERIFY(!m_session->job().isRunning());
        showPage();
        QVERIFY(!next->isVisible());
        QTRY_COMPARE(table().rowCount(), 7);   // with SMART of it; once the store has it, it is still one
        QTest::qWait(600);
        QCOMPARE(table().rowCount(), 7);
    }

    void aScoringThatRunsIsThereAtOnce()
    {
        open();
        m_madeUp->holdScoring = true;
        m_session->score(nlohmann::json::object(), true);
        QTRY_VERIFY(m_session->job().isRunning());
        m_madeUp->holdScoring = false;
        QTRY_VERIFY(!m_session->choices().scorings().empty());
        QTRY_VERIFY(!m_session->job().isRunning());
        const store::Scoring *scoring = m_session->choices().latest("ga-s2", "gdn");
        QVERIFY(scoring && scoring->ranking);
        QCOMPARE(scoring->ranking->front(), 4);
    }

    void aSetByHandIsComparedToo()
    {
        openMeasured();
        m_session->choice().toggle(0);
        QVERIFY(row("your set by hand") >= 0);
        QCOMPARE(*table().layers(row("your set by hand")), m_session->choice().layers());
        m_session->choice().useRanking();
        QCOMPARE(row("your set by hand"), -1);
    }

    void theOverlayIsOnTheSameAxisWhereItMeasuresTheSame()
    {
        openMeasured();
        showPage(Qt::Key_2);
        auto *bars = m_window->findChild<widgets::LayerBarPlot *>();
        auto *overlay = combo(QStringLiteral("Scores laid over the bars"));
        QVERIFY(overlay);
        QCOMPARE(overlay->count(), 2);         // none, and the other scoring
        QVERIFY(bars->overlayAxisTitle().isEmpty());
        overlay->setFocus();
        QTest::keyClick(overlay, Qt::Key_Down);
        QCOMPARE(overlay->currentText(), QStringLiteral("zero-shot GA · GDN"));
        QVERIFY(!bars->overlayAxisTitle().isEmpty());
        m_session->scores().setSource({QStringLiteral("zero-shot-ga"), QStringLiteral("gdn")});
        QCOMPARE(overlay->currentText(), QStringLiteral("none"));      // it is the bars now
        QVERIFY(bars->overlayAxisTitle().isEmpty());
        QCOMPARE(overlay->itemText(1), QStringLiteral("GA-S2 · GDN"));
    }

    void ranksFollowTheTokensAndTheSelection()
    {
        openMeasured();
        showPage(Qt::Key_2);
        auto *ranks = m_window->findChild<widgets::RankPlot *>();
        QVERIFY(ranks->trajectory().tokens_E.size() > 2);
        QCOMPARE(ranks->trajectory().rankings_E.back(), *m_session->scores().ranking());
        ranks->setFocus();
        QTest::keyClick(ranks, Qt::Key_Home);
        QCOMPARE(m_session->selection().layer(), m_session->scores().ranking()->front());
        QTest::keyClick(ranks, Qt::Key_Down);
        QCOMPARE(m_session->selection().layer(), (*m_session->scores().ranking())[1]);
        m_session->choice().setKeep(smolLayers);
        QTRY_VERIFY(ranks->lastChange().contains(QStringLiteral("never changed")));
        QVERIFY(!ranks->accessibleDescription().isEmpty());
    }

    void aLayerThatLeftARaceKeepsItsPlace()
    {
        std::vector<experiment::LayerScore> race;
        for (int evaluation = 1; evaluation <= 4; ++evaluation)
            for (int layer = 0; layer < test::numLayers; ++layer)
                if (evaluation <= 2 || layer >= 4 || (evaluation == 3 && layer == 3))      // 0 to 2 leave after the second, 3 after the third
                    race.push_back(test::klScore("ga-s2", layer, 0.1 + 0.1 * layer, 0.01, 100 * evaluation));
        test::writeScoring(workspace(), 1, race, 1, {{"early_stop", {{"enabled", true}}}});
        open();
        showPage(Qt::Key_2);
        auto *ranks = m_window->findChild<widgets::RankPlot *>();
        QTRY_COMPARE(ranks->trajectory().tokens_E.size(), std::size_t{4});
        QVERIFY(ranks->trajectory().hasLeft(0));
        QVERIFY(!ranks->trajectory().hasLeft(5));
        QCOMPARE(ranks->trajectory().rankings_E.back(), (experiment::Ranking{0, 1, 2, 3, 4, 5}));
        QVERIFY(ranks->accessibleDescription().contains(QStringLiteral("4 settled early")));
        ranks->setFocus();
        QTest::keyClick(ranks, Qt::Key_Home);      // settled layers are walked along too
        QCOMPARE(m_session->selection().layer(), 0);
    }

    void whatStoppingEarlySavedIsSaid()
    {
        std::vector<experiment::LayerScore> race;
        for (int layer = 0; layer < test::numLayers; ++layer)
            race.push_back(test::klScore("ga-s2", layer, 0.1 + 0.1 * layer, 0.01, 100));
        test::writeScoring(workspace(), 1, race, 1, {{"early_stop", {{"enabled", true}}}},
                           R"({"selector":"ga-s2","mixer":"gdn","notes":{"early_stop":{"rule":"race","stopped":true,"tokens":100,"planned_tokens":200,"saved_fraction":0.4123}}})");
        open();
        showPage(Qt::Key_2);
        QTRY_COMPARE(m_session->scores().bars().size(), std::size_t{test::numLayers});
        QVERIFY(shownLabel(QStringLiteral("early stop at 100 of 200 tokens: 41 % of the tokens saved")));
    }

    void whatASearchFoundIsUsedAtItsOwnK()
    {
        std::vector<experiment::LayerScore> effects;
        for (int layer = 0; layer < test::numLayers; ++layer)
            effects.push_back(test::klScore("exhaustive", layer, 0.1 + 0.1 * layer, 0.01, 100));
        test::writeScoring(workspace(), 1, effects, 1, {}, R"({"selector":"exhaustive","mixer":"gdn","ranking":[0,1,2,3,4,5],"sets":[{"keep":2,"layers":[3,5]}]})");
        open();
        showPage(Qt::Key_2);
        QTRY_COMPARE(m_session->choice().foundSizes(), std::vector<int>{2});
        m_session->choice().setKeep(2);
        QCOMPARE(m_session->choice().layers(), (experiment::LayerSet{3, 5}));
        QVERIFY(m_session->unsettledLayers().empty());
        QVERIFY(shownLabel(QStringLiteral("K = 2: the set that the search found")));
        m_session->choice().setKeep(3);
        QCOMPARE(m_session->choice().layers(), (experiment::LayerSet{0, 1, 2}));
        QVERIFY(shownLabel(QStringLiteral("it found sets of their own at K = 2")));
        showPage();
        m_session->choice().setKeep(2);
        QCOMPARE(*table().layers(row("exhaustive · GDN")), m_session->choice().layers());      // both pages speak of the same set
    }

    void whatIsStoredWhileAJobRunsIsReadOnceItIsOver()
    {
        open();
        m_madeUp->holdScoring = true;
        m_session->score(nlohmann::json::object(), true);
        QTRY_VERIFY(m_session->job().isRunning());
        std::vector<experiment::LayerScore> others;
        for (int layer = 0; layer < test::numLayers; ++layer)
            others.push_back(test::klScore("gr-s2", layer, 0.1 * layer, 0.01, 100));
        const QSignalSpy stored(m_session.get(), &widgets::Session::stored);
        test::writeScoring(workspace(), 7, others);      // another process
        QTRY_VERIFY_WITH_TIMEOUT(!stored.isEmpty(), 10000);
        QTest::qWait(1500);      // the recorder finds runs of others within a second
        QCOMPARE(m_session->choices().latest("gr-s2", "gdn"), nullptr);     // the job's own events are quicker, meanwhile
        m_madeUp->holdScoring = false;
        QTRY_VERIFY(!m_session->job().isRunning());
        QTRY_VERIFY(m_session->choices().latest("gr-s2", "gdn"));
        QTRY_VERIFY(m_session->choices().latest("ga-s2", "gdn"));
    }

    void aFilterLeavesTheChoicesThatFit()
    {
        openMeasured();
        QLineEdit *words = nullptr;
        for (QLineEdit *one : page()->findChildren<QLineEdit *>())
            if (one->accessibleName() == QStringLiteral("Choices by name"))
                words = one;
        auto *matrix = page()->findChild<widgets::OverlapPlot *>();
        matrix->setFocus();
        QTest::keyClick(matrix, Qt::Key_F, Qt::ControlModifier);
        QTRY_VERIFY(words->hasFocus());
        QTest::keyClicks(words, QStringLiteral("uniform end"));
        QCOMPARE(table().rowCount(), 1);          // "uniform, both ends"
        QCOMPARE(table().entry(0).name, QStringLiteral("uniform, both ends"));
        words->clear();
        QCOMPARE(table().rowCount(), 9);
        auto *group = combo(QStringLiteral("Choices by selector"));
        group->setFocus();
        QTest::keyClicks(group, QStringLiteral("SMART"));
        QCOMPARE(table().rowCount(), 2);
        QCOMPARE(table().entry(1).name, QStringLiteral("SMART of GA-S2 · GDN"));
        group->setFocus();
        QTest::keyClick(group, Qt::Key_Home);
        QCOMPARE(table().rowCount(), 9);
        m_session->choice().setKeep(20);          // the latter half of 30 layers has no such set
        auto *withSet = page()->findChild<QCheckBox *>();
        withSet->click();
        QCOMPARE(table().rowCount(), 8);
        QCOMPARE(row("uniform, latter half"), -1);
        m_session->choice().setKeep(10);
        QCOMPARE(table().rowCount(), 9);
    }

    void namesStayWhileTheMatrixScrolls()
    {
        std::vector<experiment::LayerScore> scores;
        for (int layer = 0; layer < test::numLayers; ++layer)
            scores.push_back(test::klScore("ga-s2", layer, 0.1 * layer, 0.01, 100));
        for (int number = 1; number <= 20; ++number)
            test::writeScoring(workspace(), number, scores, number);
        open();
        QTRY_COMPARE(m_session->choices().scorings().size(), std::size_t{20});
        m_window->resize(900, 600);
        showPage();
        QTest::qWait(100);
        auto *matrix = page()->findChild<widgets::OverlapPlot *>();
        QCOMPARE(table().rowCount(), 45);
        QVERIFY(matrix->shownRows().second < 45);
        const QImage before = matrix->grab().toImage();
        matrix->setFocus();
        QTest::keyClick(matrix, Qt::Key_Home, Qt::ControlModifier);
        QCOMPARE(current(), std::pair(0, 0));
        QTest::keyClick(matrix, Qt::Key_End, Qt::ControlModifier);
        QCOMPARE(current(), std::pair(44, 44));
        QCOMPARE(matrix->shownRows().second, 45);
        QCOMPARE(matrix->shownColumns().second, 45);
        QTest::keyClick(matrix, Qt::Key_Home);      // the first column, in the last row: its name is still beside it
        QCOMPARE(matrix->shownColumns().first, 0);
        QTest::qWait(50);
        const QImage after = matrix->grab().toImage();
        const QRect names(0, 0, 60, after.height() / 2);
        QVERIFY(before.copy(names) != after.copy(names));                     // other names
        QTest::keyClick(matrix, Qt::Key_PageUp);
        QCOMPARE(current().first, 44 - (matrix->shownRows().second - matrix->shownRows().first));
        QVERIFY(current().first >= matrix->shownRows().first && current().first < matrix->shownRows().second);
        for (int step = 0; step < 45; ++step)       // every row is reached, and seen
            QTest::keyClick(matrix, Qt::Key_Up);
        QCOMPARE(matrix->shownRows().first, 0);
        QTest::keyClick(matrix, Qt::Key_Down, Qt::NoModifier);
        QVERIFY(test::settle());
        QVERIFY(matrix->accessibleDescription().contains(table().entry(1).name));
    }

    void ranksGrowWhileAJobScores()
    {
        open();
        showPage(Qt::Key_2);
        auto *ranks = m_window->findChild<widgets::RankPlot *>();
        QVERIFY(ranks->trajectory().tokens_E.empty());
        m_session->score(nlohmann::json::object(), true);
        QTRY_COMPARE(ranks->trajectory().tokens_E.size(), std::size_t{1});
        QTRY_VERIFY(!m_session->job().isRunning());
        QCOMPARE(ranks->trajectory().rankings_E.back().front(), 4);
    }

    void theMapIsEvenAndNumbersStandOut()
    {
        constexpr int steps = 32;
        const double rise = (lightness(widgets::sequentialColour(1.0)) - lightness(widgets::sequentialColour(0.0))) / steps;
        QVERIFY(rise > 2.0);
        for (int step = 0; step <= steps; ++step) {
            const QColor colour = widgets::sequentialColour(static_cast<double>(step) / steps);
            QVERIFY(widgets::contrast(colour, widgets::inkOn(colour)) >= 4.5);
            if (step == 0)
                continue;
            const double by = lightness(colour) - lightness(widgets::sequentialColour(static_cast<double>(step - 1) / steps));
            QVERIFY2(by > 0.6 * rise && by < 1.5 * rise, qPrintable(QString::number(by / rise)));
        }
    }

private:
    /// SmolLM2's curves in the workspace: GA-S2, and as a second scoring its first evaluation.
    void openMeasured()
    {
        const std::filesystem::path curves = test::testData() / "selection/smollm2-gdn-curves.json";
        test::writeScoring(workspace(), 2, test::measuredEvaluations(curves));
        auto early = test::measuredEvaluations(curves, "zero-shot-ga");
        std::int64_t first = early.front().tokens;
        for (const auto &score : early)
            first = std::min(first, score.tokens);
        std::erase_if(early, [&](const auto &score) { return score.tokens > first; });
        test::writeScoring(workspace(), 1, early);
        openScorings(2);
    }
    void openScorings(std::size_t number)
    {
        m_madeUp->model = test::description(smolLayers, smolHidden);
        open();
        QTRY_COMPARE(m_session->choices().scorings().size(), number);
        QTRY_VERIFY(m_session->scores().ranking().has_value());
        showPage();
    }
    /// The inspector's value of that name; empty where it has no such row.
    QString inspected(const char *name)
    {
        for (const QLabel *label : m_window->findChild<widgets::Inspector *>()->findChildren<QLabel *>())
            if (label->isVisible() && label->accessibleName() == QString::fromUtf8(name))
                return label->text();
        return {};
    }
    void open()
    {
        openWindow();
        openDemo();
    }
    void showPage(Qt::Key page = Qt::Key_3) { QTest::keyClick(m_window.get(), page, Qt::ControlModifier); }
    widgets::OverlapPage *page() { return m_window->findChild<widgets::OverlapPage *>(); }
    widgets::OverlapTable &table()
    {
        (void)test::settle();
        return shownTable();
    }
    widgets::OverlapTable &shownTable() { return *static_cast<widgets::OverlapTable *>(page()->findChild<QTableView *>()->model()); }
    std::pair<int, int> current()
    {
        (void)test::settle();
        const QModelIndex cell = page()->findChild<QTableView *>()->currentIndex();
        return {cell.row(), cell.column()};
    }
    int row(const char *name)
    {
        const widgets::OverlapTable &shown = table();
        for (int row = 0; row < shown.rowCount(); ++row)
            if (shown.entry(row).name == QString::fromUtf8(name))
                return row;
        return -1;
    }
    QString words()
    {
        (void)test::settle();
        for (const QLabel *label : page()->findChildren<QLabel *>())
            if (label->accessibleName() == QStringLiteral("The chosen pair"))
                return label->text();
        return {};
    }
    bool shownLabel(const QString &part)
    {
        (void)test::settle();
        for (const QLabel *label : m_window->findChildren<QLabel *>())
            if (label->isVisible() && label->text().contains(part))
                return true;
        return false;
    }
    QComboBox *combo(const QString &name)
    {
        for (QComboBox *box : m_window->findChildren<QComboBox *>())
            if (box->accessibleName() == name)
                return box;
        return nullptr;
    }
};

QTEST_MAIN(OverlapTest)
#include "overlap.moc"
