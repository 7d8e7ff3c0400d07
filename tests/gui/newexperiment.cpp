// SPDX-License-Identifier: GPL-3.0-or-later
#include "madeup.h"
#include "mainwindow.h"
#include "openexperiment.h"

#include "dialogs/newexperiment.h"
#include "dialogs/specform.h"
#include "error.h"
#include "experiment/spectext.h"
#include "models/commandline.h"
#include "models/session.h"
#include "models/specpresets.h"
#include "views/jsonedit.h"
#include "views/messageline.h"
#include "views/names.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDropEvent>
#include <QInputDialog>
#include <QMenu>
#include <QMessageBox>
#include <QMimeData>
#include <QProcess>
#include <QPushButton>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <algorithm>
#include <functional>

using namespace stillroom;
using nlohmann::json;
using widgets::NewExperiment, widgets::JsonEdit;

/// The dialog of a new experiment, with made-up costs and procedures: presets, files, the command line, the cost, and the window that runs what is written.
class NewExperimentTest final : public test::OpenExperiment {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { nameProgram(QStringLiteral("newexperiment")); }
    void init() { begin(); }
    void cleanup()
    {
        end();
        m_window.reset();
        m_session.reset();
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

    std::shared_ptr<test::MadeUp> m_madeUp;
    std::unique_ptr<widgets::Session> m_session;
    std::unique_ptr<MainWindow> m_window;
};

QTEST_MAIN(NewExperimentTest)
#include "newexperiment.moc"
