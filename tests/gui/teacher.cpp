// SPDX-License-Identifier: GPL-3.0-or-later
#include "madeup.h"
#include "mainwindow.h"
#include "testdata.h"

#include "models/session.h"
#include "pages/continuations.h"
#include "pages/teacherpage.h"
#include "text/tokenizer.h"
#include "views/tokenizertryout.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSettings>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>

using namespace stillroom;

/// The teacher's page: what it says of a model, its tokenizer, and texts side by side.
class TeacherTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QCoreApplication::setOrganizationName(QStringLiteral("StillroomTest"));
        QCoreApplication::setApplicationName(QStringLiteral("teacher"));
    }
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support (propagateSizeHints|raise)\\(\\)).*")));
        QSettings().clear();
        m_folder = std::make_unique<QTemporaryDir>();
        m_madeUp = std::make_shared<test::MadeUp>();
    }
    void cleanup()
    {
        m_window.reset();
        m_session.reset();
    }

    void aModelIsTakenApart()
    {
        m_madeUp->model["sliding_window_tokens"] = {0, 0, 512, 512, 0, 0};
        m_madeUp->model["layer_kinds"] = {"softmax", "softmax", "softmax", "softmax", "gdn", "softmax"};
        open();
        QStringList texts;
        for (const QLabel *label : page()->findChildren<QLabel *>())
            texts << label->text();
        for (const char *expected : {"attention", "100 k", "45.0 %", "0–1", "2–3", "4", "5", "GDN", "sees the last 512 tokens", "sees the whole text", "a state of fixed size"})
            QVERIFY2(texts.contains(QString::fromUtf8(expected)), expected);
        QVERIFY(!texts.contains(QStringLiteral("output head")));      // it is tied: 0 parameters
    }

    void textsBecomeTokensAsOneTypes()
    {
        const std::filesystem::path file = test::testData() / "text/tokenizers" / tokenizerFile;
        m_madeUp->model["tokenizer"] = {{"path", file.string()}, {"chat_template", false}};
        open();
        auto *tryout = page()->findChild<widgets::TokenizerTryout *>();
        auto *text = tryout->findChild<QPlainTextEdit *>();
        page()->findChild<QTabWidget *>()->setCurrentWidget(tryout);
        text->setFocus();
        const QString typed = QStringLiteral("Hello  wörld,\n中 123");
        text->setPlainText(typed);
        const auto expected = text::loadTokenizer(file)->encode(typed.toStdString());
        QTRY_COMPARE(std::vector<text::TokenId>(tryout->ids().begin(), tryout->ids().end()), expected);
        QCOMPARE(tryout->pieces().size(), static_cast<qsizetype>(expected.size()));
        QVERIFY(tryout->pieces().join(QString()).contains(QStringLiteral("wörld")));
        for (QPushButton *button : tryout->findChildren<QPushButton *>())
            button->click();
        QVERIFY(QGuiApplication::clipboard()->text().startsWith(QStringLiteral("[%1").arg(expected.front())));
        text->setPlainText(QString(5000, QLatin1Char('a')) + QStringLiteral(" b c").repeated(500));
        QTRY_VERIFY(tryout->ids().size() > 1000);
        QCOMPARE(tryout->pieces().size(), 400);
    }

    void aDamagedTokenizerIsOneSentence()
    {
        m_madeUp->model["tokenizer"] = {{"path", (m_folder->path() + QStringLiteral("/tokenizer.json")).toStdString()}, {"chat_template", false}};
        open();
        auto *tryout = page()->findChild<widgets::TokenizerTryout *>();
        const auto said = [&] {
            for (const QLabel *label : tryout->findChildren<QLabel *>())
                if (label->text().contains(QStringLiteral("tokenizer.json")))
                    return true;
            return false;
        };
        QTRY_VERIFY(said());
        QVERIFY(tryout->ids().isEmpty());
    }

    void onePromptIsContinuedSideBySide()
    {
        m_madeUp->model["tokenizer"] = {{"path", (test::testData() / "text/tokenizers" / tokenizerFile).string()}, {"chat_template", true}};
        open();
        auto *panel = page()->findChild<widgets::Continuations *>();
        page()->findChild<QTabWidget *>()->setCurrentWidget(panel);
        auto *prompt = panel->findChild<QPlainTextEdit *>();
        auto *list = panel->findChild<QListWidget *>();
        QCOMPARE(list->count(), 1);
        QPushButton *write = panel->findChild<QPushButton *>();
        prompt->setPlainText(QString());
        QVERIFY(!write->isEnabled());
        prompt->setFocus();
        QTest::keyClicks(prompt, QStringLiteral("Once"));
        auto *second = new QListWidgetItem(QStringLiteral("a hybrid"), list);
        second->setData(Qt::UserRole, QStringLiteral("abc"));
        second->setCheckState(Qt::Checked);
        const nlohmann::json spec = panel->spec();
        QCOMPARE(spec["stages"].size(), std::size_t{2});
        QCOMPARE(spec["stages"][1]["spec"]["model"].get<std::string>(), std::string("abc"));
        QCOMPARE(spec["stages"][0]["spec"]["prompt"].get<std::string>(), std::string("Once"));
        QTest::keyClick(prompt, Qt::Key_Return, Qt::ControlModifier);
        for (const QPlainTextEdit *one : panel->findChildren<QPlainTextEdit *>())
            QVERIFY2(one->isVisible() && one->width() > 100, qPrintable(one->accessibleName()));
        const auto textOf = [&](const QString &name) {
            for (const QPlainTextEdit *one : panel->findChildren<QPlainTextEdit *>())
                if (one->accessibleName() == QStringLiteral("What %1 writes").arg(name))
                    return one->toPlainText();
            return QString();
        };
        QTRY_COMPARE(textOf(QStringLiteral("Made-up")), QStringLiteral("demo goes on"));
        QTRY_COMPARE(textOf(QStringLiteral("a hybrid")), QStringLiteral("abc goes on"));
        QTRY_VERIFY(!m_session->job().isRunning());
    }

private:
    void open()
    {
        m_session = std::make_unique<widgets::Session>(m_folder->path().toStdString() + "/workspace", [this](const nlohmann::json &spec, jobs::RunContext &context) {
            return spec.at("kind") == "pipeline" ? write(spec, context) : (*m_madeUp)(spec, context);
        });
        m_window = std::make_unique<MainWindow>(*m_session, MainWindow::DemoSettings{{{"steps", 4}}, {{"steps", 4}}});
        m_window->show();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        QTest::keyClick(m_window.get(), Qt::Key_1, Qt::ControlModifier);
        m_session->openTeacher(QStringLiteral("demo"));
        QTRY_VERIFY(m_session->teacher().isValid());
        QTRY_VERIFY(!m_session->job().isRunning());
    }
    /// The first writer says its text on the way; the second was there already, so that its text is in the result alone.
    static nlohmann::json write(const nlohmann::json &spec, jobs::RunContext &context)
    {
        nlohmann::json stages;
        for (const nlohmann::json &stage : spec.at("stages")) {
            const std::string task = stage.at("task"), text = stage.at("spec").at("model").get<std::string>() + " goes on";
            if (stages.empty())
                context.taskSink(task)(experiment::Text{"continuation", text});
            stages[task] = {{"reused", false}, {"result", {{"kind", "generate"}, {"continuations", {{{"ids", {1}}, {"text", text}}}}}}};
        }
        return {{"kind", "pipeline"}, {"stages", stages}};
    }
    [[nodiscard]] widgets::TeacherPage *page() const { return m_window->findChild<widgets::TeacherPage *>(); }
    static constexpr const char *tokenizerFile = "qwen2.tokenizer.json";
    std::unique_ptr<QTemporaryDir> m_folder;
    std::shared_ptr<test::MadeUp> m_madeUp;
    std::unique_ptr<widgets::Session> m_session;
    std::unique_ptr<MainWindow> m_window;
};

QTEST_MAIN(TeacherTest)
#include "teacher.moc"
