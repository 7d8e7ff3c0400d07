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
#include "views/messageoverlay.h"
#include "views/theme.h"

#include <QApplication>
#include <QListWidget>
#include <QPushButton>
#include <QSettings>
#include <QStackedWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include <qcustomplot.h>

using namespace stillroom;

namespace {

constexpr int layersRow = 1, leastPlotLines = 3;      // of text, inside the axes

}  // namespace

/// Messages lie over the page: nothing under them moves, and they are reached and closed by keyboard.
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
        widgets::MessageLine::setReadingTime(60'000, 0);      // where a test does not ask how long they stay
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

    void nothingMovesWhateverIsSaid_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::newRow("usual") << QSize(1400, 900);
        QTest::newRow("smallest") << QSize(900, 600);
    }
    void nothingMovesWhateverIsSaid()
    {
        QFETCH(const QSize, size);
        m_window->resize(size);
        QTest::qWait(100);
        QVERIFY(plots().size() >= 3);
        const auto places = [this] {
            QList<QRect> all;
            for (const QWidget *one : m_window->findChildren<QWidget *>())
                if (one->isVisible() && !isMessage(one))
                    all << placeOf(*one);
            return all;
        };
        const QList<QRect> before = places();
        Q_EMIT m_session->problem(QStringLiteral("There is no model there."));
        Q_EMIT m_session->jobs().said(QStringLiteral("The queue goes on."));
        Q_EMIT m_session->notice(QStringLiteral("An equal align stage is in the workspace already: its results are used (key 0123456789ab)."));
        QTest::qWait(100);
        QCOMPARE(m_window->size(), size);
        QCOMPARE(places(), before);
        const QList<widgets::MessageLine *> lines = shownLines();
        QCOMPARE(lines.size(), 3);
        const QRect ground = placeOf(*m_window->findChild<QStackedWidget *>(QStringLiteral("pages")));
        for (const widgets::MessageLine *line : lines) {
            QVERIFY2(ground.contains(placeOf(*line)), qPrintable(line->text()));
            QCOMPARE(line->visibleRegion().boundingRect(), line->rect());      // nothing lies over it
            for (const widgets::MessageLine *other : lines)
                QVERIFY(other == line || !placeOf(*line).intersects(placeOf(*other)));
        }
        QCOMPARE(placeOf(*lines.front()->parentWidget()).bottom(), ground.bottom());
        QTest::keyClick(m_window.get(), Qt::Key_1, Qt::ControlModifier);      // on another page, too
        QCOMPARE(shownLines().size(), 3);
        for (const widgets::MessageLine *line : shownLines())
            QCOMPARE(line->visibleRegion().boundingRect(), line->rect());
    }

    void theAxesOfThePlotsAreThere()
    {
        for (const widgets::PlotView *plot : plots()) {
            const auto *canvas = plot->findChild<QCustomPlot *>();
            QVERIFY2(canvas->axisRect()->height() >= leastPlotLines * m_window->fontMetrics().height(), qPrintable(QStringLiteral("%1: %2 pixels").arg(plot->accessibleName()).arg(canvas->axisRect()->height())));
            QVERIFY2(seen(*plot), qPrintable(plot->accessibleName()));
        }
    }

    void aNoticeIsReachedAndClosedByKeyboard_data()
    {
        QTest::addColumn<Qt::Key>("key");
        QTest::newRow("its button") << Qt::Key_Space;
        QTest::newRow("Escape") << Qt::Key_Escape;
    }
    void aNoticeIsReachedAndClosedByKeyboard()
    {
        QFETCH(const Qt::Key, key);
        Q_EMIT m_session->jobs().said(QStringLiteral("Scoring was cancelled. The queue goes on."));
        QCOMPARE(shownLines().size(), 1);
        widgets::MessageLine *line = shownLines().front();
        QCOMPARE(line->accessibleName(), line->text());      // read out as it comes
        m_window->activateWindow();
        QWidget *start = page()->findChild<QPushButton *>();
        start->setFocus(Qt::TabFocusReason);
        QTRY_COMPARE(QApplication::focusWidget(), start);
        QWidget *last = start;
        for (int i = 0; i < 500 && !line->isAncestorOf(QApplication::focusWidget()); ++i) {
            last = QApplication::focusWidget();
            QTest::keyClick(last, Qt::Key_Tab);
        }
        QVERIFY(line->isAncestorOf(QApplication::focusWidget()));
        QTest::keyClick(QApplication::focusWidget(), key);
        QVERIFY(!line->isVisible());
        QCOMPARE(shownLines().size(), 0);
        QCOMPARE(QApplication::focusWidget(), last);      // where it came from
    }

    void whatOnlyInformsLeavesOnceItWasRead()
    {
        widgets::MessageLine::setReadingTime(300, 0);
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        Q_EMIT m_session->problem(QStringLiteral("There is no model there."));
        Q_EMIT m_session->notice(QStringLiteral("A sentence."));
        Q_EMIT m_session->jobs().said(QStringLiteral("The queue goes on."));
        QCOMPARE(shownLines().size(), 3);
        QTRY_COMPARE(shownLines().size(), 1);
        QCOMPARE(shownLines().front()->text(), QStringLiteral("There is no model there."));      // stays until somebody has decided
        QTest::qWait(400);
        QCOMPARE(shownLines().size(), 1);
    }

    void whatIsBeingReadStays_data()
    {
        QTest::addColumn<QString>("reader");
        for (const char *reader : {"mouse", "keyboard"})
            QTest::newRow(reader) << QString::fromLatin1(reader);
    }
    void whatIsBeingReadStays()
    {
        QFETCH(const QString, reader);
        widgets::MessageLine::setReadingTime(300, 0);
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        Q_EMIT m_session->notice(QStringLiteral("A sentence."));
        QCOMPARE(shownLines().size(), 1);
        widgets::MessageLine *line = shownLines().front();
        auto *button = line->findChild<QToolButton *>();
        if (reader == QLatin1String("mouse"))
            QTest::mouseMove(button);
        else
            button->setFocus(Qt::TabFocusReason);
        QTest::qWait(700);
        QVERIFY(line->isVisible());
        if (reader == QLatin1String("mouse"))
            QTest::mouseMove(m_window.get(), QPoint(5, 5));
        else
            page()->findChild<QPushButton *>()->setFocus(Qt::TabFocusReason);
        QTRY_VERIFY(!line->isVisible());
    }

    void messagesAreSetApartFromThePage_data()
    {
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }
    void messagesAreSetApartFromThePage()
    {
        QFETCH(const bool, dark);
        widgets::applyTheme(dark ? widgets::Theme::Dark : widgets::Theme::Light);
        Q_EMIT m_session->problem(QStringLiteral("There is no model there."));
        Q_EMIT m_session->notice(QStringLiteral("A sentence."));
        QCOMPARE(shownLines().size(), 2);
        QTest::qWait(100);
        QWidget *overlay = shownLines().front()->parentWidget();
        const QImage picture = overlay->grab().toImage();
        const double scale = picture.devicePixelRatio();
        const auto lightness = [&](int y) { return picture.pixelColor(picture.width() - 2, static_cast<int>(y * scale)).lightness(); };
        for (const widgets::MessageLine *line : shownLines()) {
            const int above = lightness(line->geometry().top() - 1), within = lightness(line->geometry().top() + 1);
            QVERIFY2(std::abs(above - within) >= 60, qPrintable(QStringLiteral("%1 beside %2").arg(above).arg(within)));
        }
        widgets::applyTheme(widgets::Theme::System);
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
    [[nodiscard]] QList<widgets::MessageLine *> shownLines() const
    {
        QList<widgets::MessageLine *> shown;
        for (widgets::MessageLine *line : m_window->findChildren<widgets::MessageLine *>())
            if (line->isVisible() && qobject_cast<const widgets::MessageOverlay *>(line->parentWidget()))
                shown << line;
        return shown;
    }
    [[nodiscard]] static bool isMessage(const QWidget *widget)
    {
        for (; widget; widget = widget->parentWidget())
            if (qobject_cast<const widgets::MessageLine *>(widget) || qobject_cast<const widgets::MessageOverlay *>(widget))
                return true;
        return false;
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
