// SPDX-License-Identifier: GPL-3.0-or-later
#include "madeup.h"
#include "mainwindow.h"

#include "dialogs/formsection.h"
#include "dialogs/newexperiment.h"
#include "dialogs/specform.h"
#include "error.h"
#include "experiment/spectext.h"
#include "models/commandline.h"
#include "models/session.h"
#include "models/specdocument.h"
#include "models/specpresets.h"
#include "views/jsonedit.h"
#include "views/messageline.h"
#include "views/names.h"
#include "views/specwords.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QCheckBox>
#include <QDropEvent>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QMimeData>
#include <QProcess>
#include <QPushButton>
#include <QRegularExpression>
#include <QSettings>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBlock>
#include <QTextLayout>
#include <QTimer>

#include <algorithm>
#include <functional>
#include <semaphore>

using namespace stillroom;
using nlohmann::json;
using widgets::NewExperiment, widgets::SpecForm, widgets::JsonEdit, widgets::FormSection;

/// QCOMPARE would take JSON for one of Qt's numbers.
#define COMPARE_JSON(actual, expected) QCOMPARE(textOf(actual), textOf(expected))
#define TRY_COMPARE_JSON(actual, expected) QTRY_COMPARE(textOf(actual), textOf(expected))

static QString textOf(const json &value)
{
    return QString::fromStdString(value.dump());
}

/// Any experiment as a form and as JSON, with made-up costs and procedures.
class NewExperimentTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QCoreApplication::setOrganizationName(QStringLiteral("StillroomTest"));
        QCoreApplication::setApplicationName(QStringLiteral("newexperiment"));
        m_offers.list = {{.name = "ga-s2", .help = {}, .trains = true, .fields = {}},
                         {.name = "exhaustive", .help = {}, .trains = true, .fields = {{"set_size", "2"}, {"max_sets", "64"}}},
                         {.name = "beam-search", .help = {}, .fields = {{"beam", R"({"width": 4, "measure": "kl"})"}}}};
        m_offers.state = [](const json &spec, const std::filesystem::path &) {
            if (spec.value("seed", 0) == 13)
                throw Error(ErrorCode::Usage, "The field \"seed\" is 13 but nobody likes that.");
            return widgets::StatedCost{.stageOneTokens = 20'000, .students = 7, .studentTokens = spec.value("steps", 0) * 1000, .isWhole = spec.at("kind") != "inspect"};
        };
        m_offers.time = [this](const json &, const std::filesystem::path &, const std::stop_token &) {
            if (m_slow)
                m_timed.acquire();
            return widgets::TimedCost{90.0, 1 << 30, 1 << 20};
        };
    }
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support (propagateSizeHints|raise)\\(\\)).*")));
        QSettings().clear();
        m_folder = std::make_unique<QTemporaryDir>();
        m_window.reset();
        open();
    }
    void cleanup() { m_dialog.reset(); }

    void theTextFollowsTheForm()
    {
        type("steps", "12");
        COMPARE_JSON(spec().at("steps"), json(12));
        type("data.held_out_sequences", "8");
        COMPARE_JSON(spec().at("data"), (json{{"held_out_sequences", 8}}));
        type("alignment.layers", "0-2, 5");
        COMPARE_JSON(spec().at("alignment").at("layers"), (json{0, 1, 2, 5}));
        type("learning_rate_mixers", "3e-4");
        COMPARE_JSON(spec().at("learning_rate_mixers"), json(3e-4));
        QTRY_VERIFY(runButton()->isEnabled());
    }

    void theFormFollowsTheText()
    {
        write(R"({"kind": "score", "teacher": "elsewhere", "steps": 7, "data": {"files": ["a", "b"], "source": "text", "isolate_documents": false}})");
        QCOMPARE(shown("steps"), QStringLiteral("7"));
        QCOMPARE(shown("teacher"), QStringLiteral("elsewhere"));
        QCOMPARE(shown("data.files"), QStringLiteral("a\nb"));
        QVERIFY(!static_cast<QCheckBox *>(editor("data.isolate_documents"))->isChecked());
        write(R"({"kind": "distill", "teacher": "demo", "keep": [1, 2, 3, 5]})");
        QCOMPARE(shown("keep"), QStringLiteral("1-3, 5"));
        QCOMPARE(kindBox()->currentData().toString(), QStringLiteral("distill"));
    }

    void whatIsADefaultIsNotWritten()
    {
        type("steps", "12");
        type("steps", "30");
        QVERIFY(!spec().contains("steps"));
        QCOMPARE(shown("steps"), QStringLiteral("30"));      // what is being typed stays
        type("data.recall.pairs", "9");
        QVERIFY(spec().contains("data"));
        clear("data.recall.pairs");
        QVERIFY2(!spec().contains("data"), qPrintable(text()->toPlainText()));
        QCOMPARE(static_cast<QAbstractSpinBox *>(editor("data.recall.pairs"))->findChild<QLineEdit *>()->placeholderText(), QStringLiteral("20"));
    }

    void allDefaultsAreShownWhenAskedFor()
    {
        type("steps", "12");
        auto *all = find<QCheckBox>(QStringLiteral("Show all de&faults"));
        all->click();
        QVERIFY(spec() == experiment::completeSpec({{"kind", "score"}, {"teacher", "demo"}, {"steps", 12}}));
        json changed = spec();
        changed["seed"] = 5;
        write(QString::fromStdString(experiment::specText(changed)));
        QCOMPARE(shown("seed"), QStringLiteral("5"));
        QCOMPARE(shown("batch_sequences"), QString());      // a default, though the text says it
        all->click();
        COMPARE_JSON(spec(), (json{{"kind", "score"}, {"teacher", "demo"}, {"steps", 12}, {"seed", 5}}));
    }

    void aTextThatIsWrongLeavesTheFormAndSaysWhere()
    {
        type("steps", "12");
        QTRY_VERIFY(runButton()->isEnabled());
        write(QStringLiteral("{\n  \"kind\": \"score\",\n  \"teacher\": \"demo\",\n  \"stps\": 99\n}"));
        QVERIFY(!runButton()->isEnabled());
        QCOMPARE(shown("steps"), QStringLiteral("12"));
        QCOMPARE(text()->markedLine(), 4);
        QVERIFY(label("What is wrong").contains(QStringLiteral("did you mean \"steps\"?")));
        write(QStringLiteral("{\n  \"kind\": \"score\",\n  \"teacher\": \n}"));
        QCOMPARE(text()->markedLine(), 4);
        QCOMPARE(shown("steps"), QStringLiteral("12"));
        write(QStringLiteral("{\n  \"kind\": \"score\",\n  \"teacher\": \"demo\",\n  \"steps\": 99\n}"));
        QCOMPARE(text()->markedLine(), 0);
        QCOMPARE(shown("steps"), QStringLiteral("99"));
        QTRY_VERIFY(runButton()->isEnabled());
        QVERIFY(!labelNamed("What is wrong")->isVisible());
    }

    void theLineThatIsNamedIsTheOneThatIsMarked_data()
    {
        QTest::addColumn<QString>("text");
        QTest::newRow("comma") << "{\n  \"kind\": \"score\"\n  \"teacher\": \"demo\"\n}";
        QTest::newRow("end") << "{\n  \"kind\": \"score\",\n";
        QTest::newRow("end without a line end") << "{\n  \"kind\": \"score\",";
        QTest::newRow("line end in a text") << "{\n  \"kind\": \"sco\nre\"\n}";
        QTest::newRow("behind it") << "{\n  \"kind\": \"score\"\n}\n\nx";
        QTest::newRow("nothing") << "\n\n";
        QTest::newRow("twice") << "{\n  \"kind\": \"score\",\n  \"steps\": 3,\n  \"steps\": 4\n}";
        QTest::newRow("huge number") << "{\n  \"kind\": \"score\",\n  \"steps\": 1e999\n}";
        QTest::newRow("value") << "{\n  \"kind\": \"score\",\n  \"teacher\": \"demo\",\n  \"steps\": -3\n}";
        QTest::newRow("inner value") << "{\n  \"kind\": \"score\",\n  \"teacher\": \"demo\",\n  \"data\": {\n    \"sequence_length\": 0\n  }\n}";
        QTest::newRow("unknown field") << "{\n  \"kind\": \"score\",\n  \"teacher\": \"demo\",\n  \"stepps\": 3\n}";
        QTest::newRow("unknown kind") << "{\n  \"steps\": 3,\n  \"kind\": \"skore\"\n}";
        QTest::newRow("no object") << "\n[1, 2]";
    }
    void theLineThatIsNamedIsTheOneThatIsMarked()
    {
        QFETCH(const QString, text);
        write(text);
        QString said;
        for (const QLabel *one : m_dialog->findChildren<QLabel *>())
            if (one->accessibleName() == QStringLiteral("What is wrong"))
                said = one->text();
        const auto named = QRegularExpression(QStringLiteral("[Ll]ine ([0-9]+)")).match(said);
        QVERIFY2(named.hasMatch() || this->text()->markedLine() == 0, qPrintable(said));
        if (named.hasMatch())
            QVERIFY2(named.captured(1).toInt() == this->text()->markedLine(), qPrintable(QStringLiteral("%1: %2").arg(this->text()->markedLine()).arg(said)));
    }

    void aFieldThatIsWrongLeavesTheTextAndSaysWhy()
    {
        type("steps", "12");
        QTRY_VERIFY(runButton()->isEnabled());
        const QString before = text()->toPlainText();
        for (const char *wrong : {"twelve", "0", "1.5"}) {
            type("steps", wrong);
            COMPARE_JSON(spec().contains("steps") ? spec().at("steps") : json(), json(wrong == std::string("1.5") ? 1 : 12));
            QVERIFY2(label("Problem with Steps").contains(QStringLiteral("must be a whole number from 1")), wrong);
            QVERIFY(!runButton()->isEnabled());
            type("steps", "12");
        }
        QCOMPARE(text()->toPlainText(), before);
        QVERIFY(label("Problem with Steps").isEmpty());
        QTRY_VERIFY(runButton()->isEnabled());
    }

    void fieldsThatDoNotGoTogetherAreExplainedAtBoth()
    {
        type("steps", "12");
        type("tokens", "1000000");
        QVERIFY(label("What is wrong").contains(QStringLiteral("say the same thing twice")));
        QVERIFY(label("Problem with Steps").contains(QStringLiteral("say the same thing twice")));
        QVERIFY(!runButton()->isEnabled());
        clear("steps");
        QTRY_VERIFY(runButton()->isEnabled());
    }

    void whatOnlyTheExperimentKnowsIsSaidAtItsField()
    {
        type("seed", "13");
        QTRY_VERIFY(label("What is wrong").contains(QStringLiteral("nobody likes that")));
        QVERIFY(label("Problem with Seed").contains(QStringLiteral("nobody likes that")));
        QVERIFY(!runButton()->isEnabled());
        type("seed", "14");
        QTRY_VERIFY(runButton()->isEnabled());
    }

    void ctrlZGoesBackInBoth()
    {
        const QString before = text()->toPlainText();
        type("steps", "7");
        QVERIFY(text()->toPlainText() != before);
        text()->setFocus();
        QTest::keyClick(text(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(text()->toPlainText(), before);
        QCOMPARE(shown("steps"), QString());
        QTest::keyClick(text(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(shown("steps"), QStringLiteral("7"));
    }

    void everyFieldOfEveryKindHasANameATipAndAnEditor_data()
    {
        QTest::addColumn<QString>("kind");
        for (const experiment::KindSchema &schema : experiment::kinds())
            QTest::newRow(schema.kind.c_str()) << QString::fromStdString(schema.kind);
    }
    void everyFieldOfEveryKindHasANameATipAndAnEditor()
    {
        QFETCH(const QString, kind);
        json whole = {{"kind", kind.toStdString()}};
        if (kind == QLatin1String("pipeline"))
            whole["stages"] = {{{"task", "a"}, {"spec", {{"kind", "align"}, {"teacher", "demo"}}}}};
        write(QString::fromStdString(experiment::specText(whole)));
        QVERIFY(widgets::kindName(kind) != kind);
        std::vector<std::string> paths;
        for (const experiment::Field &field : experiment::kindSchema(kind.toStdString()).fields)
            collect(field, {}, paths);
        QVERIFY(paths.size() > 8);
        for (const std::string &path : paths) {
            QVERIFY2(form()->goTo(path), path.c_str());
            const QWidget *one = m_dialog->focusWidget();
            const QString raw = QString::fromStdString(path.substr(path.find_last_of('.') + 1));
            QVERIFY2(!one->accessibleName().isEmpty() && one->accessibleName() != raw, path.c_str());
            QVERIFY2(one->toolTip().contains(raw), path.c_str());
        }
    }

    void everyBoxOfAListSaysWhatItIs()
    {
        write(R"({"kind": "evaluate", "model": "demo", "teacher": "demo"})");
        auto *first = static_cast<QCheckBox *>(editor("measures"));
        QVERIFY(first->accessibleName().contains(first->text()));
        QVERIFY(first->isChecked());
        first->click();
        COMPARE_JSON(spec().at("measures"), (json{"perplexity", "recall"}));
        first->click();
        QVERIFY(!spec().contains("measures"));
    }

    void aSelectorBringsItsOwnFieldsAndTheirDefaults()
    {
        const auto isThere = [this](const char *path) { return form()->goTo(path) && editor(path)->isVisible(); };
        QVERIFY(isThere("steps"));
        QVERIFY(!isThere("set_size"));
        auto *selector = static_cast<QComboBox *>(editor("selector"));
        selector->setCurrentIndex(selector->findText(widgets::selectorName(QStringLiteral("exhaustive"))));
        COMPARE_JSON(spec().at("selector"), json("exhaustive"));
        QVERIFY(isThere("set_size"));
        QVERIFY(!isThere("beam.width"));
        QCOMPARE(static_cast<QAbstractSpinBox *>(editor("set_size"))->findChild<QLineEdit *>()->placeholderText(), QStringLiteral("2"));      // as the selector fills it in
        write(R"({"kind": "score", "teacher": "demo", "selector": "one-of-tomorrow"})");
        QCOMPARE(static_cast<QComboBox *>(editor("selector"))->currentText(), QStringLiteral("one-of-tomorrow"));
    }

    void stagesOfAPipelineAreForms()
    {
        kindBox()->setCurrentIndex(kindBox()->findData(QStringLiteral("pipeline")));
        Q_EMIT kindBox()->activated(kindBox()->currentIndex());
        QCOMPARE(spec().at("stages").size(), std::size_t{2});
        QTRY_VERIFY(runButton()->isEnabled());
        QVERIFY(!(form()->goTo("stages[0].spec.beam.width") && editor("stages[0].spec.beam.width")->isVisible()));
        type("stages[1].spec.steps", "55");
        COMPARE_JSON(spec().at("stages").at(1).at("spec").at("steps"), json(55));
        type("stages[0].task", "first");
        QVERIFY(!runButton()->isEnabled());                  // the other stage names it
        QVERIFY(label("What is wrong").contains(QStringLiteral("stage:score")));
        type("stages[1].spec.scores", "stage:first");
        QTRY_VERIFY(runButton()->isEnabled());
        find<QPushButton>(QStringLiteral("&Add stage"))->click();
        QTRY_COMPARE(spec().at("stages").size(), std::size_t{3});
        QVERIFY(form()->goTo("stages[2].task"));
        QTRY_VERIFY(editor("stages[2].task")->mapTo(form(), QPoint()).y() > 100);      // laid out
        for (QPushButton *button : m_dialog->findChildren<QPushButton *>())
            if (button->text() == QStringLiteral("Remove the stage") && button->isVisible() && button->mapTo(form(), QPoint()).y() > editor("stages[2].task")->mapTo(form(), QPoint()).y()) {
                button->click();
                break;
            }
        QTRY_COMPARE(spec().at("stages").size(), std::size_t{2});
    }

    void anotherKindKeepsWhatBothAreAbout()
    {
        type("teacher", "mine");
        type("data.sequence_length", "64");
        type("steps", "12");
        kindBox()->setCurrentIndex(kindBox()->findData(QStringLiteral("align")));
        Q_EMIT kindBox()->activated(kindBox()->currentIndex());
        COMPARE_JSON(spec(), (json{{"kind", "align"}, {"teacher", "mine"}, {"data", {{"sequence_length", 64}}}}));
    }

    void whatWasOpenComesBackWithAnotherKindOneSectionAtATime()
    {
        const auto numOpen = [this] {
            const auto sections = m_dialog->findChildren<widgets::FormSection *>();
            return std::count_if(sections.begin(), sections.end(), [](const widgets::FormSection *one) { return one->isVisible() && one->isOpen(); });
        };
        (void)editor("data.sequence_length");
        (void)editor("seed");
        const auto before = numOpen();
        QVERIFY(before >= 3);
        kindBox()->setCurrentIndex(kindBox()->findData(QStringLiteral("align")));
        Q_EMIT kindBox()->activated(kindBox()->currentIndex());
        QCoreApplication::sendPostedEvents();      // what is new is shown
        QVERIFY(numOpen() < before);               // all in one event would be felt
        QTRY_COMPARE(numOpen(), before);
        // What is on its way gives way to a newer form.
        kindBox()->setCurrentIndex(kindBox()->findData(QStringLiteral("score")));
        Q_EMIT kindBox()->activated(kindBox()->currentIndex());
        kindBox()->setCurrentIndex(kindBox()->findData(QStringLiteral("distill")));
        Q_EMIT kindBox()->activated(kindBox()->currentIndex());
        QTRY_COMPARE(numOpen(), before);
    }

    void shippedPresetsAreValidAndSayWhatTheyAreFor_data()
    {
        QTest::addColumn<QString>("kind");
        for (const char *kind : {"score", "distill", "calibrate", "align", "evaluate", "pipeline"})
            QTest::newRow(kind) << QString::fromLatin1(kind);
    }
    void shippedPresetsAreValidAndSayWhatTheyAreFor()
    {
        QFETCH(const QString, kind);
        const std::vector<widgets::SpecPreset> presets = widgets::shippedPresets(kind);
        QVERIFY(!presets.empty());
        json given = {{"kind", kind.toStdString()}, {"data", {{"source", "text"}, {"files", {"a.txt"}}, {"sequence_length", 64}}}, {kind == QLatin1String("evaluate") ? "model" : "teacher", "demo"}};
        if (kind == QLatin1String("distill"))
            given["keep"] = {1, 4};
        if (kind == QLatin1String("pipeline"))
            given = {{"kind", "pipeline"}, {"stages", {{{"task", "score"}, {"spec", {{"kind", "score"}, {"teacher", "demo"}}}},
                                                       {{"task", "distil"}, {"spec", {{"kind", "distill"}, {"teacher", "demo"}, {"keep_percent", 25}, {"scores", "stage:score"}}}}}}};
        for (const widgets::SpecPreset &preset : presets) {
            QVERIFY(!preset.purpose.isEmpty());
            const json merged = widgets::withPreset(given, preset.spec);
            try {
                (void)experiment::completeSpec(merged);
            } catch (const Error &error) {
                QFAIL(error.what());
            }
            if (kind == QLatin1String("pipeline"))
                continue;
            COMPARE_JSON(merged.at("data").at("files"), (json{"a.txt"}));
            if (merged.contains("alignment") && merged.at("alignment").contains("data"))
                COMPARE_JSON(merged.at("alignment").at("data").at("files"), (json{"a.txt"}));
        }
    }

    void aPresetIsLaidOverTheSpec()
    {
        type("teacher", "mine");
        type("seed", "3");
        preset(QStringLiteral("Quick look"))->trigger();
        COMPARE_JSON(spec().at("teacher"), json("mine"));
        COMPARE_JSON(spec().at("selector"), json("zero-shot-ga"));
        COMPARE_JSON(spec().at("alignment").at("tokens"), json(200'000));
        QVERIFY(!spec().contains("seed"));
        preset(QStringLiteral("Short distillation"))->trigger();
        QCOMPARE(shown("alignment.steps"), QString());      // a default is one wherever it comes from
    }

    void ownPresetsAreFilesAndComeBack()
    {
        const widgets::OwnPresets own(m_folder->path().toStdString());
        const QString odd = QStringLiteral("a/b: 50 % “quick”");
        own.save(odd, {{"kind", "score"}, {"teacher", "demo"}, {"steps", 12}, {"data", {{"files", {"x"}}, {"source", "text"}}}});
        QCOMPARE(own.list(QStringLiteral("score")).size(), std::size_t{1});
        QCOMPARE(own.list(QStringLiteral("score")).front().name, odd);
        QVERIFY(own.list(QStringLiteral("align")).empty());
        preset(odd)->trigger();
        COMPARE_JSON(spec().at("steps"), json(12));
        COMPARE_JSON(spec().at("teacher"), json("demo"));
        QAction *remove = preset(odd, QStringLiteral("&Delete"));
        remove->trigger();
        QVERIFY(own.list(QStringLiteral("score")).empty());
        find<QPushButton>(QStringLiteral("Undo"))->click();
        QCOMPARE(own.list(QStringLiteral("score")).size(), std::size_t{1});
        preset(odd)->trigger();
        COMPARE_JSON(spec().at("steps"), json(12));
    }

    void aPresetBringsItsStagesAlongForWhatIsOpen()
    {
        write(R"({"kind": "pipeline", "stages": []})");
        preset(QStringLiteral("Quick look"))->trigger();
        COMPARE_JSON(spec().at("stages").at(0).at("spec").at("teacher"), json("demo"));
        try {
            (void)experiment::completeSpec(spec());
        } catch (const Error &error) {
            QFAIL(error.what());
        }
    }

    void aPresetThatCannotBeReadIsNamed()
    {
        const widgets::OwnPresets own(m_folder->path().toStdString());
        own.save(QStringLiteral("good"), {{"kind", "score"}, {"steps", 12}});
        for (const auto &[name, contents] : {std::pair{"broken.json", "{\"kind\": "}, std::pair{"list.json", "[1, 2]"}}) {
            QFile file(m_folder->path() + QStringLiteral("/presets/") + QLatin1String(name));
            QVERIFY(file.open(QIODevice::WriteOnly) && file.write(contents) > 0);
        }
        preset(QStringLiteral("good"))->trigger();
        COMPARE_JSON(spec().at("steps"), json(12));
        QStringList said;
        for (const auto *line : m_dialog->findChildren<widgets::MessageLine *>())
            if (line->isVisible())
                said << line->text();
        QVERIFY2(said.join(QLatin1Char('\n')).contains(QStringLiteral("broken.json")) && said.join(QLatin1Char('\n')).contains(QStringLiteral("list.json")), qPrintable(said.join(QLatin1Char('\n'))));
    }

    void aPresetIsReplacedOnlyAfterAsking()
    {
        const widgets::OwnPresets own(m_folder->path().toStdString());
        own.save(QStringLiteral("mine"), {{"kind", "score"}, {"steps", 12}});
        type("steps", "7");
        const auto saveAs = [&](QMessageBox::StandardButton answer) {
            bool asked = false;
            std::function<void()> answering = [&] {
                if (auto *question = qobject_cast<QMessageBox *>(QApplication::activeModalWidget())) {
                    asked = true;
                    question->button(answer)->click();
                } else if (auto *input = qobject_cast<QInputDialog *>(QApplication::activeModalWidget())) {
                    input->setTextValue(QStringLiteral("mine"));
                    QTimer::singleShot(0, m_dialog.get(), answering);
                    input->accept();
                } else {
                    QTimer::singleShot(0, m_dialog.get(), answering);
                }
            };
            QTimer::singleShot(0, m_dialog.get(), answering);
            preset(QStringLiteral("&Save as a preset…"))->trigger();
            return asked;
        };
        QVERIFY(saveAs(QMessageBox::Cancel));
        COMPARE_JSON(own.list(QStringLiteral("score")).front().spec.at("steps"), json(12));
        QVERIFY(saveAs(QMessageBox::Yes));
        COMPARE_JSON(own.list(QStringLiteral("score")).front().spec.at("steps"), json(7));
    }

    void theCommandLineIsTheSpecAgainInAShell()
    {
        write(QString::fromStdString(experiment::specText({{"kind", "score"}, {"teacher", "it's $HOME `x` \"q\" \\ é"}, {"notes", "two\nlines"}})));
        find<QPushButton>(QStringLiteral("Copy &command line"))->click();
        const QString line = QGuiApplication::clipboard()->text();
        QVERIFY2(line.startsWith(QStringLiteral("stillroom-cli run ")), qPrintable(line));
        const QByteArrayList words = wordsOf(line);
        QCOMPARE(words.at(0), QByteArray("run"));
        COMPARE_JSON(json::parse(words.at(1).toStdString()), spec());
        QCOMPARE(words.at(2), QByteArray("--workspace"));
        QCOMPARE(words.at(3), m_folder->path().toUtf8());
        for (const QString &word : {QString(), QStringLiteral("a b"), QStringLiteral("'"), QStringLiteral("$(x)"), QStringLiteral("-n"), QStringLiteral("~"), QStringLiteral("a;b")})
            QCOMPARE(wordsOf(QStringLiteral("stillroom-cli ") + widgets::shellWord(word)), QByteArrayList{word.toUtf8()});
    }

    void aFileThatIsDroppedIsOpenedEvenWhereItIsWrong()
    {
        const QString path = m_folder->filePath(QStringLiteral("one.json"));
        put(path, "{\"kind\": \"align\",\n \"teacher\": \"demo\", \"steps\": \"many\"}");
        drop(m_dialog.get(), path);
        QCOMPARE(text()->markedLine(), 2);
        QVERIFY(label("What is wrong").contains(QStringLiteral("\"many\" but must be a whole number")));
        put(path, "{\"kind\": \"align\",\n \"teacher\": \"demo\", \"steps\": 3}");
        drop(m_dialog.get(), path);
        QCOMPARE(shown("steps"), QStringLiteral("3"));
        m_dialog->openFile(m_folder->filePath(QStringLiteral("none.json")));
        const auto lines = m_dialog->findChildren<widgets::MessageLine *>();
        QVERIFY(std::any_of(lines.begin(), lines.end(), [](const widgets::MessageLine *one) { return one->isVisible() && one->text().contains(QStringLiteral("cannot be opened")); }));
    }

    void theCostIsSaidAndDoesNotWaitForATeacherThatIsTimed()
    {
        QTRY_VERIFY(label("Cost").contains(QStringLiteral("7 students train")));
        QVERIFY(label("Time and memory").contains(QStringLiteral("not known")));
        m_slow = true;
        find<QPushButton>(QStringLiteral("&Time it"))->click();
        type("steps", "12");
        QTRY_VERIFY(label("Cost").contains(QStringLiteral("12 k tokens")));
        QTRY_VERIFY(runButton()->isEnabled());
        m_slow = false;
        m_timed.release();
        find<QPushButton>(QStringLiteral("&Time it"))->click();
        QTRY_VERIFY(label("Time and memory").contains(QStringLiteral("1 min 30 s")));
        kindBox()->setCurrentIndex(kindBox()->findData(QStringLiteral("inspect")));
        Q_EMIT kindBox()->activated(kindBox()->currentIndex());
        QTRY_VERIFY(label("Cost").contains(QStringLiteral("not known beforehand")));
    }

    void itFitsIntoTheSmallestWindow()
    {
        m_dialog->resize(900, 600);
        QTRY_COMPARE(m_dialog->size(), QSize(900, 600));
        for (const QPushButton *button : m_dialog->findChildren<QPushButton *>())
            if (button->isVisible() && !form()->isAncestorOf(button))
                QVERIFY2(m_dialog->rect().contains(QRect(button->mapTo(m_dialog.get(), QPoint()), button->size())), qPrintable(button->text()));
        QVERIFY(text()->width() > 250);
        for (const char *kind : {"score", "calibrate", "pipeline"}) {
            kindBox()->setCurrentIndex(kindBox()->findData(QString::fromLatin1(kind)));
            Q_EMIT kindBox()->activated(kindBox()->currentIndex());
            QVERIFY(form()->goTo(kind == std::string("pipeline") ? "stages[0].spec.data.recall.pairs" : "data.recall.pairs"));
            QTRY_VERIFY2(form()->width() <= form()->parentWidget()->width(), kind);
        }
    }

    void everythingIsReachedByTabInTheOrderInWhichItIsSeen()
    {
        QVERIFY(form()->goTo("data.recall.pairs"));      // makes editors that come last into being
        m_dialog->activateWindow();
        kindBox()->setFocus();
        std::vector<int> tops;
        bool leftTheForm = false;
        for (int i = 0; i < 200 && !leftTheForm; ++i) {
            QTest::keyClick(m_dialog->focusWidget(), Qt::Key_Tab);
            QWidget *now = m_dialog->focusWidget();
            if (form()->isAncestorOf(now))
                tops.push_back(now->mapTo(form(), QPoint()).y());
            leftTheForm = now == text();
        }
        QVERIFY(leftTheForm);
        QVERIFY2(tops.size() > 20, qPrintable(QString::number(tops.size())));
        int backwards = 0;
        for (std::size_t i = 1; i < tops.size(); ++i)
            backwards += tops[i] + 8 < tops[i - 1];
        QCOMPARE(backwards, 0);
    }

    void theWindowRunsWhatIsWritten()
    {
        openWindow();
        QTest::keyClick(m_window.get(), Qt::Key_N, Qt::ControlModifier);
        NewExperiment *dialog = nullptr;
        QTRY_VERIFY((dialog = m_window->findChild<NewExperiment *>()));
        COMPARE_JSON(json::parse(dialog->findChild<JsonEdit *>()->toPlainText().toStdString()).at("teacher"), json("demo"));
        auto *run = find<QPushButton>(QStringLiteral("&Run"), dialog);
        QTRY_VERIFY(run->isEnabled());
        run->click();
        QTRY_VERIFY(!m_session->job().isRunning() && !m_session->scores().bars().empty());
        QTRY_VERIFY(!m_window->findChild<NewExperiment *>());
        // The run is there, and begins another one.
        QTest::keyClick(m_window.get(), Qt::Key_5, Qt::ControlModifier);
        QTableView *runs = nullptr;
        for (QTableView *one : m_window->findChildren<QTableView *>())
            if (one->accessibleName() == QStringLiteral("Experiments"))
                runs = one;
        const auto rowOfScoring = [runs] {
            for (int row = 0; row < runs->model()->rowCount(); ++row)
                for (int column = 0; column < runs->model()->columnCount(); ++column)
                    if (runs->model()->index(row, column).data().toString() == widgets::selectorMark(QStringLiteral("ga-s2")))
                        return row;
            return -1;      // not read yet
        };
        QTRY_VERIFY(rowOfScoring() >= 0);
        QAction *another = nullptr;
        for (QAction *action : runs->actions())
            if (action->text().contains(QStringLiteral("from this run")))
                another = action;
        QVERIFY(another);
        runs->selectRow(rowOfScoring());
        QTRY_VERIFY(another->isEnabled());
        another->trigger();
        QTRY_VERIFY((dialog = m_window->findChild<NewExperiment *>()));
        TRY_COMPARE_JSON(json::parse(dialog->findChild<JsonEdit *>()->toPlainText().toStdString()), (json{{"kind", "score"}, {"teacher", "demo"}}));
    }

    void aFieldWithinWhatIsNoObjectCanBeMended()
    {
        widgets::SpecDocument document;
        document.replace({{"kind", "score"}, {"mixer", 5}, {"data", json::array({1})}});
        document.set("mixer.kind", "gla");
        document.set("data.sequence_length", 64);
        QVERIFY(document.spec().at("mixer") == json({{"kind", "gla"}}));
        QVERIFY(document.spec().at("data") == json({{"sequence_length", 64}}));
        QVERIFY(widgets::withPreset({{"kind", "pipeline"}}, {{"kind", "pipeline"}, {"stages", {1, 2}}}).at("stages") == json({1, 2}));
    }

    void valuesAreToldFromNames()
    {
        write(QString::fromStdString(json{{"kind", "score"}, {"teacher", "a \" b"}, {"steps", 12}}.dump()));
        const QList<QTextLayout::FormatRange> formats = text()->document()->firstBlock().layout()->formats();
        const auto colourAt = [&](qsizetype at) {
            for (const QTextLayout::FormatRange &one : formats)
                if (at >= one.start && at < one.start + one.length)
                    return one.format.foreground().color();
            return QColor();
        };
        const QString line = text()->toPlainText();
        const QColor name = colourAt(line.indexOf(QLatin1String("kind"))), value = colourAt(line.indexOf(QLatin1String("score")));
        QVERIFY(name != value);
        QCOMPARE(colourAt(line.indexOf(QLatin1String("teacher"))), name);
        QCOMPARE(colourAt(line.indexOf(QLatin1String(" b"))), value);
        QCOMPARE(colourAt(line.indexOf(QLatin1String("12"))), value);
        QVERIFY(colourAt(line.indexOf(QLatin1Char(':'))) != value);
    }

    void whatIsRefusedAtOnceStaysToBeMended()
    {
        openWindow();
        QTest::keyClick(m_window.get(), Qt::Key_N, Qt::ControlModifier);
        NewExperiment *dialog = nullptr;
        QTRY_VERIFY((dialog = m_window->findChild<NewExperiment *>()));
        Q_EMIT dialog->runRequested({{"kind", "score"}, {"stepz", 1}});
        const auto lines = dialog->findChildren<widgets::MessageLine *>();
        QVERIFY(std::any_of(lines.begin(), lines.end(), [](const widgets::MessageLine *one) { return one->isVisible() && one->text().contains(QStringLiteral("steps")); }));
        QVERIFY(dialog->isVisible());
    }

    void whatIsFoundOfAnotherTeacherIsNotShownAsThisOnes()
    {
        openWindow();
        m_session->run({{"kind", "score"}, {"teacher", "another"}});
        QTRY_VERIFY(m_session->job().isRunning());
        QTRY_VERIFY(!m_session->job().isRunning());
        QVERIFY(m_session->scores().sources().empty());
        m_session->run({{"kind", "score"}, {"teacher", "demo"}});
        QTRY_VERIFY(!m_session->scores().sources().empty());
    }

private:
    /// Every path that has an editor.
    static void collect(const experiment::Field &field, const std::string &prefix, std::vector<std::string> &paths)
    {
        if (field.type == experiment::FieldType::ObjectList) {
            paths.push_back(prefix + field.name + "[0].task");
            paths.push_back(prefix + field.name + "[0].spec.steps");
        } else if (field.fields.empty()) {
            paths.push_back(prefix + field.name);
        }
        if (field.type == experiment::FieldType::Object)
            for (const experiment::Field &inner : field.fields)
                collect(inner, prefix + field.name + '.', paths);
    }
    void open()
    {
        m_slow = false;
        NewExperiment::Subject subject;
        subject.teacher = QStringLiteral("demo");
        subject.workspace = m_folder->path().toStdString();
        m_dialog = std::make_unique<NewExperiment>(std::move(subject), m_offers, m_estimates, m_timings);
        m_dialog->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_dialog.get()));
    }
    void openWindow()
    {
        m_dialog.reset();
        m_window.reset();
        m_session.reset();
        m_madeUp = std::make_shared<test::MadeUp>();
        m_session = std::make_unique<widgets::Session>(m_folder->path().toStdString(), [madeUp = m_madeUp](const json &spec, jobs::RunContext &context) { return (*madeUp)(spec, context); });
        m_window = std::make_unique<MainWindow>(*m_session, MainWindow::DemoSettings{json::object(), json::object()}, m_offers);
        m_window->show();
        m_session->openTeacher(QStringLiteral("demo"));
        QTRY_VERIFY(m_session->teacher().isValid() && !m_session->job().isRunning());
    }
    [[nodiscard]] SpecForm *form() const { return m_dialog->findChild<SpecForm *>(); }
    [[nodiscard]] JsonEdit *text() const { return m_dialog->findChild<JsonEdit *>(); }
    [[nodiscard]] QPushButton *runButton() const { return find<QPushButton>(QStringLiteral("&Run")); }
    [[nodiscard]] json spec() const { return json::parse(text()->toPlainText().toStdString()); }
    [[nodiscard]] QComboBox *kindBox() const
    {
        for (QComboBox *box : m_dialog->findChildren<QComboBox *>())
            if (box->accessibleName() == QStringLiteral("Kind of experiment"))
                return box;
        return nullptr;
    }
    /// As a person writes it: all at once, which is one step.
    void write(const QString &all) const
    {
        text()->selectAll();
        text()->insertPlainText(all);
    }
    void write(const char *all) const { write(QString::fromUtf8(all)); }
    [[nodiscard]] QWidget *editor(const char *path) const
    {
        if (!form()->goTo(path))
            qFatal("no field %s", path);
        return m_dialog->focusWidget();
    }
    void type(const char *path, const char *keys) const
    {
        QWidget *one = editor(path);
        QTest::keyClick(one, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(one, QString::fromUtf8(keys));
    }
    void clear(const char *path) const
    {
        QWidget *one = editor(path);
        QTest::keyClick(one, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClick(one, Qt::Key_Delete);
    }
    [[nodiscard]] QString shown(const char *path) const
    {
        QWidget *one = editor(path);
        if (auto *lines = qobject_cast<QPlainTextEdit *>(one))
            return lines->toPlainText();
        auto *line = qobject_cast<QLineEdit *>(one);
        return (line ? line : one->findChild<QLineEdit *>())->text();
    }
    template <typename Widget>
    [[nodiscard]] Widget *find(const QString &words, const QWidget *in = nullptr) const
    {
        for (Widget *one : (in ? in : m_dialog.get())->template findChildren<Widget *>())
            if (one->text() == words)
                return one;
        return nullptr;
    }
    [[nodiscard]] QLabel *labelNamed(const char *name) const
    {
        QLabel *found = nullptr;
        for (QLabel *one : m_dialog->findChildren<QLabel *>())
            if (one->accessibleName() == QString::fromLatin1(name) && (!found || !one->text().isEmpty()))
                found = one;
        return found;
    }
    [[nodiscard]] QString label(const char *name) const { return labelNamed(name) ? labelNamed(name)->text() : QString(); }
    QAction *preset(const QString &name, const QString &submenu = {}) const
    {
        QMenu *menu = find<QPushButton>(QStringLiteral("&Presets"))->menu();
        Q_EMIT menu->aboutToShow();
        for (QAction *action : menu->actions())
            if (!submenu.isEmpty() && action->text() == submenu)
                menu = action->menu();
        for (QAction *action : menu->actions())
            if (action->text() == name)
                return action;
        qFatal("no preset %s", qPrintable(name));
    }
    static void put(const QString &path, const char *contents)
    {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(contents);
    }
    static void drop(QWidget *on, const QString &path)
    {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(path)});
        QDragEnterEvent enter({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(on, &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent event(QPointF(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(on, &event);
    }
    /// What a shell hands to the program.
    static QByteArrayList wordsOf(const QString &line)
    {
        QProcess shell;
        shell.start(QStringLiteral("/bin/sh"), {QStringLiteral("-c"), QStringLiteral("stillroom() { for word in \"$@\"; do printf '%s\\0' \"$word\"; done; }\n") + QString(line).replace(0, 13, QStringLiteral("stillroom"))});
        if (!shell.waitForFinished())
            return {};
        QByteArrayList words = shell.readAllStandardOutput().split('\0');
        words.removeLast();
        return words;
    }

    widgets::SelectorOffers m_offers;
    std::atomic<bool> m_slow{false};
    std::counting_semaphore<8> m_timed{0};
    widgets::Background m_estimates, m_timings;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::shared_ptr<test::MadeUp> m_madeUp;
    std::unique_ptr<widgets::Session> m_session;
    std::unique_ptr<MainWindow> m_window;
    std::unique_ptr<NewExperiment> m_dialog;
};

QTEST_MAIN(NewExperimentTest)
#include "newexperiment.moc"
