// SPDX-License-Identifier: GPL-3.0-or-later
#include "filledworkspace.h"
#include "madeup.h"
#include "mainwindow.h"

#include "models/jobrunner.h"
#include "models/session.h"
#include "pages/layerspage.h"
#include "plots/plotview.h"
#include "views/controlstyle.h"
#include "views/messageline.h"

#include <QListWidget>
#include <QPushButton>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include <qcustomplot.h>

using namespace stillroom;

namespace {

constexpr int layersRow = 1, leastPlotLines = 3;      // of text, inside the axes

}  // namespace

/// Messages in the page take room, and none of it from what is read: the plots keep their axes, and the buttons their places.
class NoticesTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QCoreApplication::setOrganizationName(QStringLiteral("StillroomTest"));
        QCoreApplication::setApplicationName(QStringLiteral("notices"));
        widgets::useControlStyle();
    }
    void init()
    {
        QSettings().clear();
        m_folder = std::make_unique<QTemporaryDir>();
        const std::filesystem::path workspace = (m_folder->path() + QStringLiteral("/workspace")).toStdString();
        test::fillWorkspace(workspace);
        m_session = std::make_unique<widgets::Session>(workspace, [madeUp = std::make_shared<test::MadeUp>()](const nlohmann::json &spec, jobs::RunContext &context) { return (*madeUp)(spec, context); });
        m_window = std::make_unique<MainWindow>(*m_session, MainWindow::DemoSettings{{{"steps", 4}}, {{"steps", 4}}});
        m_window->resize(1400, 900);
        m_window->show();
        m_session->openTeacher(QStringLiteral("demo"));
        QTRY_VERIFY(m_session->scores().ranking().has_value());
        for (QListWidget *pages : m_window->findChildren<QListWidget *>())
            if (pages->accessibleName() == QStringLiteral("Pages"))
                pages->setCurrentRow(layersRow);
        QTest::qWait(100);
    }
    void cleanup()
    {
        m_window.reset();
        m_session.reset();
    }

    void theAxesOfThePlotsAreThereWhateverIsSaid_data()
    {
        QTest::addColumn<bool>("all");
        QTest::newRow("a notice") << false;
        QTest::newRow("a notice, a problem, and a word about the queue") << true;
    }
    void theAxesOfThePlotsAreThereWhateverIsSaid()
    {
        QFETCH(const bool, all);
        QVERIFY(plots().size() >= 3);
        if (all) {
            Q_EMIT m_session->problem(QStringLiteral("There is no model there."));
            Q_EMIT m_session->jobs().said(QStringLiteral("The queue goes on."));
        }
        Q_EMIT m_session->notice(QStringLiteral("An equal align stage is in the workspace already: its results are used (key 0123456789ab)."));
        QTest::qWait(100);
        QCOMPARE(m_window->height(), 900);
        int numShown = 0;
        for (const widgets::MessageLine *line : m_window->findChildren<widgets::MessageLine *>()) {
            if (!line->isVisible())
                continue;
            ++numShown;
            for (const widgets::PlotView *plot : plots())
                QVERIFY2(!placeOf(*line).intersects(placeOf(*plot)), qPrintable(line->text() + QStringLiteral(" lies over ") + plot->accessibleName()));
        }
        QVERIFY(numShown >= (all ? 3 : 1));
        for (const widgets::PlotView *plot : plots()) {
            const auto *canvas = plot->findChild<QCustomPlot *>();
            QVERIFY2(canvas->axisRect()->height() >= leastPlotLines * m_window->fontMetrics().height(), qPrintable(QStringLiteral("%1: %2 pixels").arg(plot->accessibleName()).arg(canvas->axisRect()->height())));
            QVERIFY2(seen(*plot), qPrintable(plot->accessibleName()));
        }
    }

    void nothingThatIsPressedMoves()
    {
        const auto placesOfButtons = [this] {
            QList<QPoint> places;
            for (const QPushButton *one : page()->findChildren<QPushButton *>())
                if (one->isVisible() && !qobject_cast<const widgets::MessageLine *>(one->parentWidget()))
                    places << one->mapTo(m_window.get(), QPoint());
            return places;
        };
        const QList<QPoint> before = placesOfButtons();
        QVERIFY(before.size() >= 2);
        Q_EMIT m_session->notice(QStringLiteral("A sentence."));
        QTest::qWait(100);
        QCOMPARE(placesOfButtons(), before);
    }

private:
    [[nodiscard]] widgets::LayersPage *page() const { return m_window->findChild<widgets::LayersPage *>(); }
    [[nodiscard]] QList<widgets::PlotView *> plots() const
    {
        QList<widgets::PlotView *> shown;
        for (widgets::PlotView *one : page()->findChildren<widgets::PlotView *>())
            if (one->isVisible())
                shown << one;
        return shown;
    }
    [[nodiscard]] QRect placeOf(const QWidget &widget) const { return {widget.mapTo(m_window.get(), QPoint()), widget.size()}; }
    /// All of it, or it can be scrolled to.
    [[nodiscard]] bool seen(const QWidget &widget) const
    {
        const QRect whole(page()->mapTo(m_window.get(), QPoint()), page()->size());
        return whole.contains(placeOf(widget)) && widget.visibleRegion().boundingRect().width() > 0;
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<widgets::Session> m_session;
    std::unique_ptr<MainWindow> m_window;
};

QTEST_MAIN(NoticesTest)
#include "notices.moc"
