// SPDX-License-Identifier: GPL-3.0-or-later
#include "mainwindow.h"

#include "error.h"
#include "models/session.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QSettings>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <nlohmann/json.hpp>

#include <atomic>
#include <chrono>
#include <thread>

using namespace stillroom;

namespace {

constexpr int numLayers = 6;

nlohmann::json description()
{
    return {{"name", "Made-up"}, {"path", "/made/up"}, {"format", "huggingface"}, {"architecture", "qwen2"}, {"num_layers", numLayers}, {"hidden_size", 64}, {"intermediate_size", 88},
            {"num_heads", 2}, {"num_kv_heads", 2}, {"head_dim", 32}, {"vocab_size", 162}, {"context_tokens", 256}, {"rope", {{"type", "default"}, {"theta", 100.0}, {"factor", 1.0}}},
            {"activation", "silu"}, {"tied_head", false}, {"parameters", 222400}, {"stored_types", {{"F32", 80}}}, {"kv_cache_bytes_per_token_bf16", 1536}, {"features", {"qkv_bias", "rope"}},
            {"layer_kinds", std::vector<std::string>(numLayers, "softmax")}, {"tokenizer", nullptr},
            {"mixers", {{{"mixer", "gdn"}, {"carries", nlohmann::json::array()}, {"does_not_carry", {"rope"}}, {"parameters_per_layer", 20772}, {"state_bytes_per_layer", 8192}}}},
            {"exports", {{{"format", "fla"}, {"exact", true}, {"reasons", nlohmann::json::array()}}}}};
}

/// Stands in for the compute rooms: opens at once, scores layer by layer, distils until it is told to stop.
struct MadeUp {
    std::atomic<bool> holdScoring{false}, failNext{false};

    nlohmann::json operator()(const nlohmann::json &spec, jobs::RunContext &context)
    {
        if (failNext.exchange(false))
            throw Error(ErrorCode::BadFile, "there is no model there");
        const auto kind = spec.at("kind").get<std::string>();
        if (kind == "inspect")
            return description();
        if (kind == "score")
            return score(context);
        for (std::int64_t step = 1; step <= 2000; ++step) {
            if (context.stop.stop_requested())
                throw Error(ErrorCode::Cancelled, "cancelled");
            context.sink(experiment::Metric{"distill/kl", step, step * 100, 1.0 / static_cast<double>(step), "nats/token"});
            context.sink(experiment::Progress{"stage 2", step, 2000, step * 100, 1.0, 2.0});
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        return {{"kind", "distill"}, {"selected", spec.at("keep")}, {"mixer", "gdn"}, {"measures", {{"kl_nats", 0.05}, {"se_nats", 0.001}, {"recall", 0.999}}}};
    }
    nlohmann::json score(jobs::RunContext &context)
    {
        for (int layer = -1; layer < numLayers; ++layer) {
            while (holdScoring && !context.stop.stop_requested())
                std::this_thread::sleep_for(std::chrono::milliseconds(2));
            experiment::LayerScore one;
            one.selector = "ga-s2";
            one.mixer = "gdn";
            one.layer = layer;
            one.klNats = one.score = layer < 0 ? 1.0 : layer == 4 ? 0.1 : 0.8 + 0.01 * layer;
            one.se = 0.002;
            one.numSequences = 64;
            one.tokens = 46080;
            context.sink(one);
        }
        return {{"kind", "score"}};
    }
};

}  // namespace

class WindowTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QCoreApplication::setOrganizationName(QStringLiteral("StillroomTest"));
        QCoreApplication::setApplicationName(QStringLiteral("window"));
    }
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support (propagateSizeHints|raise)\\(\\)).*")));
        QSettings().clear();
        m_folder = std::make_unique<QTemporaryDir>();
        m_madeUp = std::make_shared<MadeUp>();
        open();
    }
    void cleanup()
    {
        m_window.reset();
        m_session.reset();
    }

    void opensATeacherAndShowsIt()
    {
        QCOMPARE(m_session->teacher().numLayers, numLayers);
        QVERIFY(m_window->windowTitle().contains(QStringLiteral("Made-up")));
        QVERIFY(button(QStringLiteral("Score layers"))->isEnabled());
        QVERIFY(!button(QStringLiteral("Distil this hybrid"))->isEnabled());
    }

    void barsArriveLiveAndKIsOneValueEverywhere()
    {
        m_madeUp->holdScoring = true;
        button(QStringLiteral("Score layers"))->click();
        QTRY_VERIFY(m_session->job().isRunning());
        m_madeUp->holdScoring = false;
        QTRY_VERIFY(!m_session->job().isRunning());
        QCOMPARE(m_session->scores().bars().size(), std::size_t{numLayers});
        QCOMPARE(m_session->choice().ranking()->front(), 4);
        auto *slider = m_window->findChild<QSlider *>();
        auto *box = m_window->findChild<QSpinBox *>();
        auto *percent = m_window->findChild<QDoubleSpinBox *>();
        slider->setValue(3);
        QCOMPARE(box->value(), 3);
        QCOMPARE(percent->value(), 50.0);
        QCOMPARE(m_session->choice().keep(), 3);
        box->setValue(1);
        QCOMPARE(slider->value(), 1);
        QCOMPARE(m_session->choice().layers(), (experiment::LayerSet{4}));
        percent->setValue(33.3);
        QCOMPARE(m_session->choice().keep(), 2);
    }

    void draggingKRepaintsWithinAFrame()
    {
        scoreAll();
        auto *slider = m_window->findChild<QSlider *>();
        QElapsedTimer timer;
        timer.start();
        for (int i = 0; i < 60; ++i)
            slider->setValue(i % (numLayers + 1));
        // Not a benchmark: a guard against work that does not belong into a drag (0.5 s for each would be 30).
        QVERIFY2(timer.elapsed() < 15000, qPrintable(QString::number(timer.elapsed())));
    }

    void distillingCanBeCancelledAndSaysSo()
    {
        scoreAll();
        const QSignalSpy notices(m_session.get(), &widgets::Session::notice);
        button(QStringLiteral("Distil this hybrid"))->click();
        QTRY_VERIFY(!m_session->curve(QStringLiteral("distill/kl")).isEmpty());
        QTRY_VERIFY(m_window->findChild<QProgressBar *>()->isVisible());
        button(QStringLiteral("Cancel"))->click();
        QTRY_VERIFY(!m_session->job().isRunning());
        QVERIFY(!notices.isEmpty());
        QTRY_VERIFY(!m_session->resumableRun().isEmpty());   // once the recorder has taken the end in
        QTRY_VERIFY(find(QStringLiteral("Resume")));
    }

    void aMeasuredHybridIsShownAndThereAfterARestart()
    {
        scoreAll();
        m_session->choice().setKeep(1);
        button(QStringLiteral("Distil this hybrid"))->click();
        QTRY_VERIFY_WITH_TIMEOUT(!m_session->job().isRunning(), 30000);
        QVERIFY(m_session->measured({4}));
        QCOMPARE(*m_session->measured({4})->recall, 0.999);
        m_window.reset();
        m_session.reset();
        open();
        QTRY_VERIFY(m_session->measured({4}));
        QCOMPARE(m_session->scores().bars().size(), std::size_t{numLayers});
    }

    void whatCannotBeOpenedIsSaidInThePage()
    {
        m_madeUp->failNext = true;
        m_session->openTeacher(QStringLiteral("/nowhere"));
        QTRY_VERIFY(!m_session->job().isRunning());
        bool said = false;
        for (const QLabel *label : m_window->findChildren<QLabel *>())
            said = said || (label->isVisible() && label->text() == QStringLiteral("there is no model there"));
        QVERIFY(said);
        QCOMPARE(m_session->teacher().numLayers, numLayers);   // the teacher that was open stays
    }

    void closingWhileAJobRunsJoinsIt()
    {
        scoreAll();
        button(QStringLiteral("Distil this hybrid"))->click();
        QTRY_VERIFY(m_session->job().isRunning());
        m_window.reset();
        m_session.reset();     // stops and joins; the test would hang or crash otherwise
    }

    void everythingHasAnAccessibleNameOrText()
    {
        for (const QWidget *widget : m_window->findChildren<QWidget *>()) {
            if (!widget->isVisible() || widget->focusPolicy() == Qt::NoFocus || QString::fromLatin1(widget->metaObject()->className()).startsWith(QLatin1String("QDockWidget")))
                continue;
            const QString name = widget->accessibleName() + widget->property("text").toString() + widget->property("title").toString() + widget->windowTitle();
            const bool inner = qobject_cast<const QLabel *>(widget) || widget->objectName().startsWith(QLatin1String("qt_"));
            QVERIFY2(!name.isEmpty() || inner, widget->metaObject()->className());
        }
    }

    void theLayersPageWorksFromTheKeyboard()
    {
        scoreAll();
        QWidget *strip = nullptr;
        for (QWidget *widget : m_window->findChildren<QWidget *>())
            if (widget->accessibleName() == QStringLiteral("Hybrid strip"))
                strip = widget;
        QVERIFY(strip);
        QTest::keyClick(strip, Qt::Key_Home);
        QCOMPARE(m_session->selection().layer(), 0);
        QTest::keyClick(strip, Qt::Key_Right);
        QCOMPARE(m_session->selection().layer(), 1);
        QTest::keyClick(strip, Qt::Key_Space);
        QVERIFY(m_session->choice().isCustom());
        QVERIFY(m_session->choice().isKept(1));
        QTest::keyClick(m_window.get(), Qt::Key_Escape);
        QCOMPARE(m_session->selection().layer(), -1);
    }

private:
    void open()
    {
        m_session = std::make_unique<widgets::Session>(m_folder->path().toStdString(), [madeUp = m_madeUp](const nlohmann::json &spec, jobs::RunContext &context) { return (*madeUp)(spec, context); });
        m_window = std::make_unique<MainWindow>(*m_session, MainWindow::DemoSettings{{{"steps", 4}}, {{"steps", 4}}});
        m_window->show();
        m_session->openTeacher(QStringLiteral("demo"));
        QTRY_VERIFY(m_session->teacher().isValid());
        QTRY_VERIFY(!m_session->job().isRunning());
    }
    void scoreAll()
    {
        button(QStringLiteral("Score layers"))->click();
        QTRY_VERIFY(m_session->scores().ranking().has_value());
        QTRY_VERIFY(!m_session->job().isRunning());
    }
    QPushButton *find(const QString &text)     ///< null unless it is to be seen
    {
        for (QPushButton *one : m_window->findChildren<QPushButton *>())
            if (QString(one->text()).remove(QLatin1Char('&')) == text && one->isVisible())
                return one;
        return nullptr;
    }
    QPushButton *button(const QString &text)
    {
        QPushButton *found = find(text);
        if (!found)
            qFatal("no button %s", qPrintable(text));
        return found;
    }
    std::unique_ptr<QTemporaryDir> m_folder;
    std::shared_ptr<MadeUp> m_madeUp;
    std::unique_ptr<widgets::Session> m_session;
    std::unique_ptr<MainWindow> m_window;
};

QTEST_MAIN(WindowTest)
#include "window.moc"
