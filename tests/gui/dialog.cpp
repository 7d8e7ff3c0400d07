// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/experimentdialog.h"
#include "views/costline.h"
#include "views/quantities.h"

#include "error.h"
#include "experiment/spec.h"
#include "models/choicebook.h"
#include "models/madescorings.h"
#include "store/scorings.h"
#include "views/names.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSettings>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTest>

#include <atomic>
#include <future>
#include <set>
#include <thread>

using namespace stillroom;
using widgets::ExperimentDialog;

/// What is asked before an experiment runs, with made-up costs.
class DialogTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QCoreApplication::setOrganizationName(QStringLiteral("StillroomTest"));
        QCoreApplication::setApplicationName(QStringLiteral("dialog"));
        m_offers.list = {{.name = "ga-s2", .help = {}, .trains = true, .fields = {}},
                         {.name = "exhaustive", .help = {}, .trains = true, .fields = {{"set_size", "1"}, {"max_sets", "64"}}},
                         {.name = "beam-search", .help = {}, .fields = {{"beam", R"({"width": 4, "measure": "kl"})"}}},
                         {.name = "ar", .help = {}, .needsStageOne = false, .needsTokenizer = true, .fields = {}},
                         {.name = "halo", .help = {}, .needsRecall = true, .fields = {}},
                         {.name = "one-of-tomorrow", .help = "Keeps what tomorrow needs.", .fields = {}}};
        m_offers.state = [](const nlohmann::json &spec, const std::filesystem::path &) {
            if (spec.at("kind") == "calibrate")
                return widgets::StatedCost{.calibrationTokens = 1024 * spec.at("sequences").get<std::int64_t>(), .phaseTwoTokens = spec.contains("phase_2") ? 2'000'000 : 0};
            if (spec.value("set_size", 0) > 3)
                throw Error(ErrorCode::Usage, "too many sets");
            return widgets::StatedCost{.stageOneTokens = 20'000, .students = 7, .studentTokens = 140'000, .measuredTokens = 30'000, .atMost = spec.at("selector") == "beam-search"};
        };
        m_offers.time = [](const nlohmann::json &, const std::filesystem::path &, const std::stop_token &) { return widgets::TimedCost{90.0, 1 << 30, 1 << 20, false}; };
    }
    void init() { QSettings().clear(); }

    void theCostIsSaidBeforeItRuns()
    {
        ExperimentDialog dialog(ExperimentDialog::Kind::Score, onDemo(), m_offers, m_estimates, m_timings);
        dialog.show();
        QVERIFY(!ok(dialog)->isEnabled());
        QTRY_VERIFY(ok(dialog)->isEnabled());
        QVERIFY(label(dialog, "Cost").contains(QStringLiteral("7 students train on 140 k tokens")));
        choose(dialog, "beam-search");
        QVERIFY(!ok(dialog)->isEnabled());                  // that of another one is not known yet
        QTRY_VERIFY(ok(dialog)->isEnabled());
        QVERIFY(label(dialog, "Cost").contains(QStringLiteral("at most 30 k tokens")));
        QVERIFY(label(dialog, "Time and memory").contains(QStringLiteral("not known")));
        for (QPushButton *button : dialog.findChildren<QPushButton *>())
            if (button->text() == QStringLiteral("&Time it"))
                button->click();
        QTRY_VERIFY(label(dialog, "Time and memory").contains(QStringLiteral("1 min 30 s")));
    }

    void aTimeSaysWhatItLeavesOut()
    {
        widgets::SelectorOffers partly = m_offers;
        partly.time = [](const nlohmann::json &, const std::filesystem::path &, const std::stop_token &) { return widgets::TimedCost{27.0, 1 << 30, 1 << 20, true}; };
        ExperimentDialog dialog(ExperimentDialog::Kind::Score, onDemo(), partly, m_estimates, m_timings);
        dialog.show();
        QTRY_VERIFY(ok(dialog)->isEnabled());
        button(dialog, "Time it")->click();
        QTRY_VERIFY(label(dialog, "Time and memory").contains(QStringLiteral("without what is in the workspace already")));
    }

    void aTimeIsNotForgottenWhenOneComesBack()
    {
        ExperimentDialog dialog(ExperimentDialog::Kind::Score, onDemo(), m_offers, m_estimates, m_timings);
        dialog.show();
        QTRY_VERIFY(ok(dialog)->isEnabled());
        button(dialog, "Time it")->click();
        QTRY_VERIFY(label(dialog, "Time and memory").contains(QStringLiteral("1 min 30 s")));
        choose(dialog, "beam-search");
        QTRY_VERIFY(ok(dialog)->isEnabled());
        QVERIFY(label(dialog, "Time and memory").contains(QStringLiteral("not known")));
        choose(dialog, "ga-s2");
        QVERIFY(label(dialog, "Time and memory").contains(QStringLiteral("1 min 30 s")));
    }

    void timingCanBeStoppedAndGoesWithTheDialog()
    {
        std::atomic<int> begun{0}, stopped{0};
        widgets::SelectorOffers slow = m_offers;
        slow.time = [&](const nlohmann::json &, const std::filesystem::path &, const std::stop_token &stop) -> widgets::TimedCost {
            ++begun;
            while (!stop.stop_requested())
                std::this_thread::yield();
            ++stopped;
            throw Error(ErrorCode::Cancelled, "stopped");
        };
        auto dialog = std::make_unique<ExperimentDialog>(ExperimentDialog::Kind::Score, onDemo(), slow, m_estimates, m_timings);
        dialog->show();
        QTRY_VERIFY(ok(*dialog)->isEnabled());
        button(*dialog, "Time it")->click();
        QTRY_COMPARE(begun.load(), 1);
        QVERIFY(ok(*dialog)->isEnabled());      // it can be begun meanwhile
        button(*dialog, "Stop")->click();
        QTRY_COMPARE(stopped.load(), 1);
        QVERIFY(label(*dialog, "Time and memory").contains(QStringLiteral("not known")));
        button(*dialog, "Time it")->click();
        QTRY_COMPARE(begun.load(), 2);
        dialog.reset();
        QTRY_COMPARE(stopped.load(), 2);
    }

    void aScoringBeginsWithASeedOfItsOwn()
    {
        ExperimentDialog::Subject subject = onDemo();
        subject.spec["teacher"] = "demo";
        subject.fixed = nlohmann::json{{"steps", 30}, {"seed", 1}, {"data", {{"source", "recall-task"}}}};
        nlohmann::json made = subject.spec;
        made.merge_patch(*subject.fixed);
        made["selector"] = "ga-s2";
        subject.made = {{"ga-s2", "gdn", 1, store::scoringSettings(experiment::completeSpec(made)), QStringLiteral("GA-S2 · GDN · run 1")}, {"ga-s2", "gdn", 2, "{}", QStringLiteral("another one")}, {"ga-s2", "gla", 3, "{}", QStringLiteral("of another probe")}};
        ExperimentDialog dialog(ExperimentDialog::Kind::Score, subject, m_offers, m_estimates, m_timings);
        dialog.show();
        auto *seed = seedBox(dialog);
        QCOMPARE(seed->value(), 3);
        QCOMPARE(dialog.settings().at("seed").get<int>(), 3);
        QVERIFY(label(dialog, "Equal run").isEmpty());
        choose(dialog, "halo");
        QCOMPARE(seed->value(), 1);      // nobody has scored with it
        choose(dialog, "ga-s2");
        QCOMPARE(seed->value(), 3);
        seed->setValue(1);
        QVERIFY(label(dialog, "Equal run").contains(QStringLiteral("GA-S2 · GDN · run 1")));
        seed->setValue(2);
        QVERIFY(label(dialog, "Equal run").isEmpty());      // with other settings
        choose(dialog, "halo");
        QCOMPARE(seed->value(), 2);      // what a person has written stays
    }

    void onlyWhatEndedIsMade()
    {
        widgets::ChoiceBook choices;
        choices.reset({6, 64});
        std::vector<store::Scoring> scorings(4);
        const store::RunStatus states[] = {store::RunStatus::Finished, store::RunStatus::Cancelled, store::RunStatus::Running, store::RunStatus::Finished};
        const nlohmann::json spec = experiment::completeSpec({{"kind", "score"}, {"teacher", "demo"}, {"mixer", {{"kind", "gdn"}}}, {"seed", 2}, {"data", {{"source", "recall-task"}}}});
        for (std::size_t i = 0; i < scorings.size(); ++i) {
            scorings[i].run = "run" + std::to_string(i);
            scorings[i].selector = "ga-s2";
            scorings[i].mixer = i == 3 ? "none" : "gdn";
            store::describeBySpec(scorings[i], spec);
            scorings[i].seed = static_cast<std::int64_t>(i) + 1;
            scorings[i].status = states[i];
        }
        choices.setScorings(scorings);
        const auto made = widgets::madeScorings(choices);
        QCOMPARE(made.size(), std::size_t{2});
        QCOMPARE(widgets::nextSeed(made, "ga-s2", "gdn", 1), 2);      // that of the cancelled one is free
        QCOMPARE(widgets::nextSeed(made, "ga-s2", "gdn", 4), 5);      // one that looks at the teacher alone is of every probe
        QCOMPARE(widgets::nextSeed(made, "ga-s2", "gla", 1), 1);
        QVERIFY(!widgets::equalScoring(made, spec));
        nlohmann::json first = spec;
        first["seed"] = 1;
        QCOMPARE(widgets::equalScoring(made, first), &made.front());
        QVERIFY(widgets::isScoredWith(made, "ga-s2", "gla"));
        QVERIFY(!widgets::isScoredWith({made.front()}, "ga-s2", "gla"));
    }

    void twoWindowsAreBothToldWhatTheyCost()
    {
        std::promise<void> gate;
        widgets::SelectorOffers slow = m_offers;
        slow.state = [opened = gate.get_future().share()](const nlohmann::json &, const std::filesystem::path &) {
            opened.wait();
            return widgets::StatedCost{.stageOneTokens = 1000};
        };
        widgets::Background busy, timings;
        busy.run("gate", [opened = slow.state]() -> widgets::Background::Answer {
            (void)opened({}, {});
            return {};
        });
        widgets::CostLine one(slow, busy, timings), other(slow, busy, timings);
        one.ask({{"kind", "score"}, {"seed", 1}}, {});
        other.ask({{"kind", "score"}, {"seed", 2}}, {});      // behind the gate both wait
        gate.set_value();
        QTRY_VERIFY(other.isAnswered());
        QVERIFY(one.isAnswered());
    }

    void allLabelsStandInOneColumn()
    {
        for (const auto kind : {ExperimentDialog::Kind::Score, ExperimentDialog::Kind::Calibrate}) {
            ExperimentDialog::Subject subject = onDemo();
            if (kind == ExperimentDialog::Kind::Calibrate)
                subject.spec["kind"] = "calibrate";
            ExperimentDialog dialog(kind, subject, m_offers, m_estimates, m_timings);
            dialog.show();
            if (kind == ExperimentDialog::Kind::Score)
                choose(dialog, "beam-search");
            QTest::qWait(20);
            std::set<int> columns;
            for (const QLabel *one : dialog.findChildren<QLabel *>())
                if (one->isVisible() && one->buddy())
                    columns.insert(one->buddy()->mapTo(&dialog, QPoint(0, 0)).x());
            QCOMPARE(columns.size(), std::size_t{1});
        }
    }

    void wordsUseTheRoomThatThereIs()
    {
        ExperimentDialog dialog(ExperimentDialog::Kind::Score, onDemo(), m_offers, m_estimates, m_timings);
        dialog.show();
        QTest::qWait(20);
        for (const QLabel *one : dialog.findChildren<QLabel *>())
            if (one->isVisible() && one->wordWrap() && !one->text().isEmpty())
                QVERIFY2(one->mapTo(&dialog, QPoint(one->width(), 0)).x() > dialog.width() * 3 / 4, qPrintable(one->text()));
    }

    void everySelectorSaysWhatItMeasures()
    {
        ExperimentDialog dialog(ExperimentDialog::Kind::Score, onDemo(), m_offers, m_estimates, m_timings);
        for (const char *name : {"ga-s2", "exhaustive", "beam-search", "halo"}) {
            choose(dialog, name);
            QVERIFY(label(dialog, "What it measures").startsWith(widgets::selectorMeasures(QString::fromLatin1(name))));
        }
        choose(dialog, "one-of-tomorrow");
        QCOMPARE(label(dialog, "What it measures"), QStringLiteral("Keeps what tomorrow needs."));
    }

    void itsOwnOptionsGoIntoTheSpec()
    {
        ExperimentDialog dialog(ExperimentDialog::Kind::Score, onDemo(), m_offers, m_estimates, m_timings);
        QVERIFY(!dialog.settings().contains("set_size"));
        choose(dialog, "exhaustive");
        box(dialog, "Softmax layers in a set")->setValue(2);
        QCOMPARE(dialog.settings().at("set_size").get<int>(), 2);
        QCOMPARE(dialog.settings().at("max_sets").get<int>(), 64);
        QCOMPARE(dialog.settings().at("steps").get<int>(), 30);      // the demo's own
        choose(dialog, "beam-search");
        QVERIFY(!dialog.settings().contains("set_size"));
        const nlohmann::json beam = dialog.settings().at("beam");
        QCOMPARE(beam.at("width").get<int>(), 4);
        QVERIFY(!beam.contains("largest_keep"));                      // left to the program
        box(dialog, "Largest K searched")->setValue(5);
        QCOMPARE(dialog.settings().at("beam").at("largest_keep").get<int>(), 5);
    }

    void whatIsRefusedIsSaidAndCannotBeStarted()
    {
        ExperimentDialog dialog(ExperimentDialog::Kind::Score, onDemo(), m_offers, m_estimates, m_timings);
        dialog.show();
        choose(dialog, "exhaustive");
        box(dialog, "Softmax layers in a set")->setValue(4);
        QTRY_COMPARE(label(dialog, "Cost"), QStringLiteral("too many sets"));
        QVERIFY(!ok(dialog)->isEnabled());
        box(dialog, "Softmax layers in a set")->setValue(3);
        QTRY_VERIFY(ok(dialog)->isEnabled());
    }

    void aSelectorThatCannotWorkHereSaysWhy()
    {
        ExperimentDialog demo(ExperimentDialog::Kind::Score, onDemo(), m_offers, m_estimates, m_timings);
        QVERIFY(text(demo, "ar").contains(QStringLiteral("needs the teacher's tokenizer")));
        QCOMPARE(text(demo, "halo"), widgets::selectorName(QStringLiteral("halo")));
        ExperimentDialog::Subject texts = onDemo();
        texts.fixed.reset();
        texts.hasTokenizer = true;
        ExperimentDialog own(ExperimentDialog::Kind::Score, texts, m_offers, m_estimates, m_timings);
        QCOMPARE(text(own, "halo"), widgets::selectorName(QStringLiteral("halo")));      // passkeys hide in texts
        QCOMPARE(text(own, "ar"), widgets::selectorName(QStringLiteral("ar")));
        QCOMPARE(label(own, "Cost"), QStringLiteral("Add at least one text."));
        texts.hasTokenizer = false;
        ExperimentDialog without(ExperimentDialog::Kind::Score, texts, m_offers, m_estimates, m_timings);
        QVERIFY(text(without, "halo").contains(QStringLiteral("needs the teacher's tokenizer")));
    }

    void aCalibrationAsksHowLayersStart()
    {
        ExperimentDialog::Subject subject = onDemo();
        subject.spec["kind"] = "calibrate";
        subject.fixed = nlohmann::json{{"data", {{"sequence_length", 128}}}};
        ExperimentDialog dialog(ExperimentDialog::Kind::Calibrate, subject, m_offers, m_estimates, m_timings);
        dialog.show();
        QTRY_VERIFY(ok(dialog)->isEnabled());
        QVERIFY(label(dialog, "Cost").contains(QStringLiteral("%1 tokens are read").arg(widgets::shortCount(8192))));
        QVERIFY(label(dialog, "Cost").contains(QStringLiteral("at most 2.0 M tokens")));
        QCOMPARE(dialog.settings().at("data").at("sequence_length").get<int>(), 128);
        box(dialog, "Tokens of the maps (0: none)")->setValue(0);
        QCOMPARE(dialog.settings().at("maps_tokens").get<int>(), 0);
        choose(dialog, "phase-1");
        QVERIFY(!dialog.settings().contains("phase_2"));        // a field of a phase that the arm has not is refused
        QTRY_VERIFY(ok(dialog)->isEnabled() && !label(dialog, "Cost").contains(QStringLiteral("phase 2")));
        choose(dialog, "naive-copy");
        QCOMPARE(dialog.settings().at("arm").get<std::string>(), std::string("naive-copy"));
    }

    void noHoleStandsUnderTheForm_data()
    {
        QTest::addColumn<bool>("texts");
        QTest::newRow("demo") << false;
        QTest::newRow("texts") << true;
    }
    void noHoleStandsUnderTheForm()
    {
        QFETCH(const bool, texts);
        ExperimentDialog::Subject subject = onDemo();
        if (texts)
            subject.fixed.reset();
        ExperimentDialog dialog(ExperimentDialog::Kind::Score, subject, m_offers, m_estimates, m_timings);
        dialog.show();
        const auto *scroll = dialog.findChild<QScrollArea *>();
        for (const QSize &size : {dialog.size(), QSize(900, 600), QSize(900, 300), QSize(1600, 1200)})
            for (const char *selector : {"ga-s2", "beam-search"}) {
                choose(dialog, selector);
                dialog.resize(size);
                QTRY_VERIFY2(scroll->viewport()->height() <= scroll->widget()->sizeHint().height() + 1, selector);
                QTRY_VERIFY2(scroll->widget()->width() <= scroll->viewport()->width(), selector);
                const QWidget *below = dialog.findChild<widgets::CostLine *>();
                QTRY_VERIFY2(below->y() - scroll->geometry().bottom() <= 16, selector);
            }
    }

    void enterScores()
    {
        ExperimentDialog dialog(ExperimentDialog::Kind::Score, onDemo(), m_offers, m_estimates, m_timings);
        const QSignalSpy accepted(&dialog, &QDialog::accepted);
        dialog.show();
        QTRY_VERIFY(ok(dialog)->isEnabled());
        QTest::keyClick(&dialog, Qt::Key_Return);
        QCOMPARE(accepted.count(), 1);
    }

private:
    static QPushButton *button(const QDialog &dialog, const char *words)
    {
        for (QPushButton *one : dialog.findChildren<QPushButton *>())
            if (QString(one->text()).remove(QLatin1Char('&')) == QString::fromLatin1(words))
                return one;
        qFatal("no button %s", words);
    }
    static QSpinBox *seedBox(const QDialog &dialog)
    {
        for (const QLabel *one : dialog.findChildren<QLabel *>())
            if (QString(one->text()).remove(QLatin1Char('&')) == QStringLiteral("Seed:"))
                return static_cast<QSpinBox *>(one->buddy());
        qFatal("no seed");
    }
    static ExperimentDialog::Subject onDemo() { return {{{"kind", "score"}, {"teacher", "demo"}, {"mixer", {{"kind", "gdn"}}}}, nlohmann::json{{"steps", 30}}, false, {}, {}}; }
    static QPushButton *ok(const QDialog &dialog) { return dialog.findChild<QDialogButtonBox *>()->button(QDialogButtonBox::Ok); }
    static void choose(const QDialog &dialog, const char *selector)
    {
        auto *all = dialog.findChild<QComboBox *>();
        all->setCurrentIndex(all->findData(QString::fromLatin1(selector)));
    }
    static QString text(const QDialog &dialog, const char *selector)
    {
        auto *all = dialog.findChild<QComboBox *>();
        return all->itemText(all->findData(QString::fromLatin1(selector)));
    }
    static QSpinBox *box(const QDialog &dialog, const char *name)
    {
        for (QSpinBox *one : dialog.findChildren<QSpinBox *>())
            if (one->accessibleName() == QString::fromLatin1(name))
                return one;
        qFatal("no box %s", name);
    }
    static QString label(const QDialog &dialog, const char *name)
    {
        for (const QLabel *one : dialog.findChildren<QLabel *>())
            if (one->accessibleName() == QString::fromLatin1(name))
                return one->text();
        return {};
    }
    widgets::SelectorOffers m_offers;
    widgets::Background m_estimates, m_timings;
};

QTEST_MAIN(DialogTest)
#include "dialog.moc"
