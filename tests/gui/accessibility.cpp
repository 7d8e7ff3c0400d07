// SPDX-License-Identifier: GPL-3.0-or-later
#include "filledworkspace.h"
#include "madeup.h"
#include "mainwindow.h"

#include "dialogs/experimentdialog.h"
#include "models/session.h"
#include "pages/calibrationpage.h"
#include "pages/runspage.h"
#include "plots/layerbarplot.h"
#include "plots/plotview.h"
#include "tstranslator.h"
#include "views/controlstyle.h"
#include "views/focusring.h"
#include "views/keepcontrol.h"
#include "views/palette.h"
#include "views/theme.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QAccessible>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QDockWidget>
#include <QFocusFrame>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenuBar>
#include <QPointer>
#include <QPushButton>
#include <QRadioButton>
#include <QRegularExpression>
#include <QScrollArea>
#include <QScrollBar>
#include <QSettings>
#include <QSignalSpy>
#include <QSlider>
#include <QSplitter>
#include <QStyle>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QTemporaryDir>
#include <QPainter>
#include <QSpinBox>
#include <QStyleOption>
#include <QImage>
#include <QTest>

#include <map>
#include <set>

using namespace stillroom;

namespace {

/// Parts of controls that Qt makes for itself: the control that they are of is looked at.
bool isInner(const QWidget &widget)
{
    const QWidget *parent = widget.parentWidget();
    const QString name = widget.objectName();
    return (name.startsWith(QLatin1String("qt_")) && !name.startsWith(QLatin1String("qt_dockwidget_"))) || qobject_cast<const QScrollBar *>(&widget) || qobject_cast<const QSplitterHandle *>(&widget) || qobject_cast<const QHeaderView *>(&widget)
           || (parent && (qobject_cast<const QAbstractSpinBox *>(parent) || qobject_cast<const QComboBox *>(parent) || qobject_cast<const QLineEdit *>(parent) || qobject_cast<const QTabBar *>(parent)))
           || (qobject_cast<const QAbstractButton *>(&widget) && qobject_cast<const QAbstractItemView *>(parent));
}

bool isInteractive(const QWidget &widget)
{
    if (qobject_cast<const QLabel *>(&widget) || qobject_cast<const QScrollArea *>(&widget))
        return false;
    const bool control = qobject_cast<const QAbstractButton *>(&widget) || qobject_cast<const QComboBox *>(&widget) || qobject_cast<const QAbstractSpinBox *>(&widget) || qobject_cast<const QLineEdit *>(&widget)
                         || qobject_cast<const QAbstractSlider *>(&widget) || qobject_cast<const QAbstractItemView *>(&widget);
    return control || (widget.focusPolicy() & Qt::TabFocus) != 0;
}

QString nameOf(QWidget &widget)
{
    QAccessibleInterface *interface = QAccessible::queryAccessibleInterface(&widget);
    return interface ? interface->text(QAccessible::Name) : QString();
}

QString placeOf(const QWidget &widget)
{
    QStringList path;
    for (const QWidget *at = &widget; at && path.size() < 5; at = at->parentWidget())
        path.prepend(QString::fromLatin1(at->metaObject()->className()) + (at->objectName().isEmpty() ? QString() : QLatin1Char('#') + at->objectName()));
    return path.join(QStringLiteral(" > ")) + QStringLiteral(" \"") + widget.property("text").toString() + QStringLiteral("\" %1×%2").arg(widget.width()).arg(widget.height());
}

/// Whether the keyboard can come to it by itself.
bool takesFocus(const QWidget &widget)
{
    return widget.isVisible() && widget.isEnabled() && !widget.focusProxy() && (widget.focusPolicy() & Qt::TabFocus) != 0 && !isInner(widget) && widget.width() > 0;
}

/// Share of the pixels of a ring of this place that stand out from what they were before, as much as the guidelines ask for (3:1).
double ringShare(const QImage &before, const QImage &after, const QRect &ring, int thickness, const QRect &seen)
{
    int all = 0, standing = 0;
    for (int y = ring.top(); y <= ring.bottom(); ++y)
        for (int x = ring.left(); x <= ring.right(); ++x) {
            if (!before.rect().contains(x, y) || !seen.contains(x, y) || ring.adjusted(thickness, thickness, -thickness, -thickness).contains(x, y))
                continue;
            ++all;
            standing += widgets::contrast(before.pixelColor(x, y), after.pixelColor(x, y)) >= 3.0 ? 1 : 0;
        }
    return all > 0 ? static_cast<double>(standing) / all : 0.0;
}

/// What the widgets around it leave of it.
QRect shownPartOf(const QWidget &widget)
{
    QRect part = widget.rect();
    for (const QWidget *around = widget.parentWidget(); around; around = around->isWindow() ? nullptr : around->parentWidget())
        part &= QRect(widget.mapFrom(around, QPoint(0, 0)), around->size());
    return part;
}

/// What has no ring to be seen while it has the keyboard, each in a line.
QStringList withoutRing(QWidget &window, int &walked)
{
    QStringList faults;
    for (QWidget *widget : window.findChildren<QWidget *>()) {
        if (widget->window() != &window || !takesFocus(*widget) || shownPartOf(*widget).isEmpty())
            continue;
        ++walked;
        widget->setFocus(Qt::TabFocusReason);      // it may scroll
        const QRect there(widget->mapTo(&window, QPoint(0, 0)), widget->size());
        const QRect grabbed = there.adjusted(-4, -4, 4, 4);
        const QImage after = window.grab(grabbed).toImage();
        widget->clearFocus();
        const QImage before = window.grab(grabbed).toImage();
        const QRect own(QPoint(4, 4), widget->size()), seen = shownPartOf(*widget).translated(own.topLeft());      // the rest is scrolled away
        double best = 0.0;
        for (const int margin : {0, widgets::focusRingWidth})
            best = std::max(best, ringShare(before, after, own.adjusted(-margin, -margin, margin, margin), widgets::focusRingWidth, seen.adjusted(-margin, -margin, margin, margin)));
        if (best < 0.5)      // corners and lines that a ring crosses are as bright as it is
            faults << QStringLiteral("no ring (%1): ").arg(best, 0, 'f', 2) + placeOf(*widget);
    }
    return faults;
}

/// A radio button that Tab passes by: the arrow keys lead to it from the one of its group that is chosen.
bool isReachedByArrows(const QWidget &widget)
{
    const auto *radio = qobject_cast<const QRadioButton *>(&widget);
    return radio && !radio->isChecked() && radio->autoExclusive();
}

/// A button in a row of a view: Enter on the row does what it does.
bool isInARow(const QWidget &widget)
{
    const QWidget *viewport = widget.parentWidget();
    return viewport && qobject_cast<const QAbstractItemView *>(viewport->parentWidget());
}

/// Whether it closes a dock that a key closes too, so that Tab may pass it by.
bool closesWhatAKeyCloses(const QWidget &widget)
{
    const QDockWidget *dock = nullptr;
    for (const QWidget *around = widget.parentWidget(); around && !dock; around = around->parentWidget())
        dock = qobject_cast<const QDockWidget *>(around);
    const bool inTitle = dock && qobject_cast<const QAbstractButton *>(&widget) && (!dock->widget() || !dock->widget()->isAncestorOf(&widget));
    return inTitle && !dock->toggleViewAction()->shortcut().isEmpty();
}

/// What is to be seen and used of the window, but is not come to by Tab and by Shift+Tab, or does not let go of the keyboard; each in a line.
/// \param walked  how many were come to
QStringList notReachedByTab(QWidget &window, int &walked)
{
    QStringList faults;
    for (const auto &[key, how] : {std::pair{Qt::Key_Tab, "Tab"}, std::pair{Qt::Key_Backtab, "Shift+Tab"}}) {
        std::set<const QWidget *> reached;
        const QWidget *stuck = nullptr;
        for (int press = 0; press < 500 && !stuck; ++press) {
            QWidget *before = QApplication::focusWidget();
            QTest::keyClick(before ? before : &window, key);
            const QWidget *now = QApplication::focusWidget();
            stuck = now == before ? now : nullptr;
            for (const QWidget *at = now; at; at = at->parentWidget())
                reached.insert(at);           // a line of a spin box stands for the box
        }
        if (stuck)
            faults << QStringLiteral("%1 stays in: ").arg(QLatin1String(how)) + placeOf(*stuck);
        for (const QWidget *widget : window.findChildren<const QWidget *>()) {
            if (!widget->isVisible() || widget->window() != &window || !widget->isEnabled() || widget->focusProxy() || isInner(*widget) || !isInteractive(*widget) || widget->size().isEmpty())
                continue;
            walked += static_cast<int>(reached.count(widget));
            if (!reached.contains(widget) && !isReachedByArrows(*widget) && !isInARow(*widget) && !closesWhatAKeyCloses(*widget))
                faults << QStringLiteral("%1 passes by \"%2\": ").arg(QLatin1String(how), widget->accessibleName()) + placeOf(*widget);
        }
    }
    return faults;
}

/// The letter that is underlined; null for none.
QChar letterOf(const QString &text)
{
    for (qsizetype at = text.indexOf(QLatin1Char('&')); at >= 0 && at + 1 < text.size(); at = text.indexOf(QLatin1Char('&'), at + 2))
        if (text[at + 1] != QLatin1Char('&'))
            return text[at + 1].toLower();
    return {};
}

/// Letters that lead to two things of one window at once.
QStringList sharedLetters(const QWidget &window)
{
    std::map<QChar, QStringList> letters;
    const auto add = [&letters](const QString &text) {
        if (const QChar letter = letterOf(text); !letter.isNull() && !letters[letter].contains(text))
            letters[letter] << text;
    };
    for (const QWidget *widget : window.findChildren<const QWidget *>()) {
        if (!widget->isVisible() || widget->window() != &window || !widget->isEnabled())
            continue;
        const auto *label = qobject_cast<const QLabel *>(widget);
        if (label ? label->buddy() && label->buddy()->isEnabled() : qobject_cast<const QAbstractButton *>(widget) != nullptr)
            add(widget->property("text").toString());
        if (const auto *bar = qobject_cast<const QMenuBar *>(widget))
            for (const QAction *menu : bar->actions())
                add(menu->text());
        if (const auto *bar = qobject_cast<const QTabBar *>(widget))
            for (int tab = 0; tab < bar->count(); ++tab)
                add(bar->tabText(tab));
    }
    QStringList shared;
    for (const auto &[letter, texts] : letters)
        if (texts.size() > 1)
            shared << QStringLiteral("%1: %2").arg(letter).arg(texts.join(QStringLiteral(" / ")));
    return shared;
}

/// What is wrong with what is to be seen of the window, each in a line.
QStringList faultsOf(QWidget &window)
{
    QStringList faults;
    QList<QWidget *> all = window.findChildren<QWidget *>();
    all.prepend(&window);
    for (QWidget *widget : all) {
        if (!widget->isVisible() || widget->window() != &window || isInner(*widget))
            continue;
        if (isInteractive(*widget) && nameOf(*widget).trimmed().isEmpty())
            faults << QStringLiteral("no name: ") + placeOf(*widget);
        if (const auto *button = qobject_cast<const QAbstractButton *>(widget)) {
            if (button->text().isEmpty() && button->toolTip().isEmpty())
                faults << QStringLiteral("a picture without a tool tip: ") + placeOf(*widget);
            if (button->width() < widgets::leastHitArea || button->height() < widgets::leastHitArea)
                faults << QStringLiteral("too small: ") + placeOf(*widget);
        } else if (isInteractive(*widget) && widget->height() < widgets::leastHitArea) {
            faults << QStringLiteral("too low: ") + placeOf(*widget);
        }
        if (const auto *bar = qobject_cast<const QTabBar *>(widget))
            for (int tab = 0; tab < bar->count(); ++tab)
                if (bar->tabRect(tab).height() < widgets::leastHitArea)
                    faults << QStringLiteral("a low tab: ") + placeOf(*widget);
        if (const auto *view = qobject_cast<const QTableView *>(widget); view && view->verticalHeader()->defaultSectionSize() < widgets::leastHitArea)
            faults << QStringLiteral("low rows: ") + placeOf(*widget);
        if (const auto *plot = qobject_cast<const widgets::PlotView *>(widget)) {
            if (plot->accessibleName().isEmpty() || plot->accessibleDescription().isEmpty())
                faults << QStringLiteral("a plot that says nothing: ") + placeOf(*widget);
            if (!plot->findChild<QAction *>(QStringLiteral("tableTwin"), Qt::FindDirectChildrenOnly))
                faults << QStringLiteral("a plot without its table: ") + placeOf(*widget);
        }
    }
    return faults;
}

}  // namespace

/// All widgets of the window, with every page and dialog opened.
class AccessibilityTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QCoreApplication::setOrganizationName(QStringLiteral("StillroomTest"));
        QCoreApplication::setApplicationName(QStringLiteral("accessibility"));
        widgets::useControlStyle();
    }
    void init()
    {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support (propagateSizeHints\\(\\)|raise\\(\\)|grabbing the keyboard)).*")));
        QSettings().clear();
        m_folder = std::make_unique<QTemporaryDir>();
    }
    void cleanup()
    {
        m_window.reset();
        m_session.reset();
    }

    void theWalkFindsWhatIsWrong()
    {
        QWidget window;
        auto *button = new QPushButton(&window);
        button->setIcon(QApplication::style()->standardIcon(QStyle::SP_DialogOpenButton));
        button->setGeometry(0, 0, 20, 20);
        auto *line = new QLineEdit(&window);
        line->setGeometry(0, 40, 100, 30);
        window.show();
        QCOMPARE(faultsOf(window).size(), 4);      // button: name, tool tip, size; line: name
        button->setAccessibleName(QStringLiteral("Open"));
        button->setToolTip(QStringLiteral("Open"));
        button->resize(24, 24);
        line->setAccessibleName(QStringLiteral("Words"));
        QCOMPARE(faultsOf(window), QStringList());
    }

    void everyPage_data()
    {
        QTest::addColumn<bool>("filled");
        QTest::newRow("empty") << false;
        QTest::newRow("filled") << true;
    }
    void everyPage()
    {
        QFETCH(const bool, filled);
        open(filled);
        for (int row = 0; row < pages()->count(); ++row) {
            pages()->setCurrentRow(row);
            QTest::qWait(100);
            const QStringList faults = faultsOf(*m_window);
            QVERIFY2(faults.isEmpty(), qPrintable(pages()->item(row)->text() + QLatin1Char('\n') + faults.join(QLatin1Char('\n'))));
        }
    }

    void everyDialog_data()
    {
        QTest::addColumn<QKeyCombination>("key");
        QTest::newRow("commands") << QKeyCombination(Qt::CTRL, Qt::Key_K);
        QTest::newRow("keys") << QKeyCombination(Qt::Key_F1);
        QTest::newRow("export") << QKeyCombination(Qt::CTRL, Qt::Key_E);
        QTest::newRow("calibrate") << QKeyCombination(Qt::CTRL, Qt::Key_B);
    }
    void everyDialog()
    {
        QFETCH(const QKeyCombination, key);
        open(true);
        QTest::keyClick(m_window.get(), Qt::Key_2, Qt::ControlModifier);
        QTest::keyClick(m_window.get(), key.key(), key.keyboardModifiers());
        QDialog *dialog = nullptr;
        QTRY_VERIFY((dialog = shownDialog()) != nullptr);
        QTest::qWait(100);
        const QStringList faults = faultsOf(*dialog);
        QVERIFY2(faults.isEmpty(), qPrintable(faults.join(QLatin1Char('\n'))));
        dialog->reject();
    }

    void whatHasTheKeyboardWearsARing_data()
    {
        QTest::addColumn<widgets::Theme>("theme");
        QTest::newRow("light") << widgets::Theme::Light;
        QTest::newRow("dark") << widgets::Theme::Dark;
    }
    void whatHasTheKeyboardWearsARing()
    {
        QFETCH(const widgets::Theme, theme);
        widgets::applyTheme(theme);
        open(true);
        m_window->resize(1400, 900);
        m_window->findChild<QDockWidget *>(QStringLiteral("jobs"))->show();
        int walked = 0;
        QStringList faults;
        for (int row = 0; row < pages()->count(); ++row) {
            pages()->setCurrentRow(row);
            QTest::qWait(50);
            for (const QString &fault : withoutRing(*m_window, walked))
                if (!faults.contains(fault))
                    faults << fault;
        }
        for (const QKeyCombination key : dialogKeys()) {
            QDialog *dialog = openDialog(key);
            QVERIFY(dialog);
            faults << withoutRing(*dialog, walked);
            closeDialog(dialog);
        }
        QVERIFY2(faults.isEmpty(), qPrintable(faults.join(QLatin1Char('\n'))));
        QVERIFY2(walked > 120, qPrintable(QString::number(walked)));
        widgets::applyTheme(widgets::Theme::System);
    }

    void tabComesToEverything_data()
    {
        QTest::addColumn<bool>("filled");
        QTest::newRow("empty") << false;
        QTest::newRow("filled") << true;
    }
    void tabComesToEverything()
    {
        QFETCH(const bool, filled);
        open(filled);
        m_window->resize(1400, 900);
        m_window->findChild<QDockWidget *>(QStringLiteral("jobs"))->show();
        int walked = 0;
        QStringList faults;
        for (int row = 0; row < pages()->count(); ++row) {
            pages()->setCurrentRow(row);
            QTest::qWait(50);
            auto *tabs = pageTabs();
            for (int tab = 0; tab < (tabs ? tabs->count() : 1); ++tab) {
                if (tabs)
                    tabs->setCurrentIndex(tab);
                for (const QString &fault : notReachedByTab(*m_window, walked))
                    if (const QString said = pages()->item(row)->text() + QStringLiteral(": ") + fault; !faults.contains(said))
                        faults << said;
            }
        }
        if (filled)
            for (const QKeyCombination key : dialogKeys().mid(1)) {      // in the palette, the first, arrows move through the list while one writes
                QDialog *dialog = openDialog(key);
                QVERIFY(dialog);
                for (const QString &fault : notReachedByTab(*dialog, walked))
                    faults << dialog->windowTitle() + QStringLiteral(": ") + fault;
                closeDialog(dialog);
            }
        QVERIFY2(faults.isEmpty(), qPrintable(faults.join(QLatin1Char('\n'))));
        QVERIFY2(walked > (filled ? 240 : 60), qPrintable(QString::number(walked)));
    }
    void theWalkByTabFindsWhatItPassesBy()
    {
        QWidget window;
        QPushButton first(QStringLiteral("First"), &window), second(QStringLiteral("Second"), &window), third(QStringLiteral("Third"), &window);
        second.move(0, 40);
        third.move(0, 80);
        second.setFocusPolicy(Qt::ClickFocus);
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        int walked = 0;
        QCOMPARE(notReachedByTab(window, walked).size(), 2);      // there and back
        second.setFocusPolicy(Qt::StrongFocus);
        QCOMPARE(notReachedByTab(window, walked), QStringList());
    }

    void theRingIsThereWhenAWindowOpens()
    {
        open(true);
        QDialog *dialog = openDialog(QKeyCombination(Qt::CTRL, Qt::Key_N));
        QVERIFY(dialog && QTest::qWaitForWindowActive(dialog));
        const QWidget *focus = QApplication::focusWidget();
        QVERIFY(focus && focus->window() == dialog);
        const auto *ring = dialog->findChild<QFocusFrame *>();
        QTRY_VERIFY(ring && ring->isVisible());
        QCOMPARE(ring->widget(), focus);
        closeDialog(dialog);
    }

    void theRingLeavesThePainterAsItWas()
    {
        QImage image(60, 30, QImage::Format_ARGB32_Premultiplied);
        image.fill(Qt::white);
        QPainter painter(&image);
        painter.setClipRect(0, 0, 60, 15);      // the lower half is not to be painted on
        QStyleOption ring;
        ring.rect = image.rect();
        QApplication::style()->drawControl(QStyle::CE_FocusFrame, &ring, &painter);
        QCOMPARE(painter.clipBoundingRect().toRect(), QRect(0, 0, 60, 15));
        painter.end();
        QVERIFY(image.pixelColor(1, 1) != QColor(Qt::white));
        QCOMPARE(image.pixelColor(1, 28), QColor(Qt::white));
    }

    void theKeyboardComesBackFromADock()
    {
        open(true);
        QTest::keyClick(m_window.get(), Qt::Key_2, Qt::ControlModifier);
        QTRY_VERIFY(qobject_cast<widgets::LayerBarPlot *>(QApplication::focusWidget()));
        auto *dock = m_window->findChild<QDockWidget *>(QStringLiteral("jobs"));
        QSpinBox *keep = nullptr;
        for (const auto *one : m_window->findChildren<widgets::KeepControl *>())      // Overlap has one, too
            if (one->isVisible())
                keep = one->findChild<QSpinBox *>();
        QVERIFY(keep);
        for (const bool byEscape : {false, true}) {
            keep->setFocus();
            QVERIFY(keep->hasFocus());
            QTest::keyClick(m_window.get(), Qt::Key_J, Qt::ControlModifier);
            QTRY_VERIFY(dock->isVisible() && dock->isAncestorOf(QApplication::focusWidget()));
            if (byEscape)
                QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
            else
                QTest::keyClick(m_window.get(), Qt::Key_J, Qt::ControlModifier);
            QTRY_COMPARE(QApplication::focusWidget(), keep);      // where it was, and not merely in the page
            dock->hide();
            QTest::qWait(20);
            QCOMPARE(QApplication::focusWidget(), keep);
        }
    }

    void noLetterLeadsToTwoThings_data()
    {
        QTest::addColumn<bool>("chinese");
        QTest::newRow("English") << false;
        QTest::newRow("Chinese") << true;
    }
    void noLetterLeadsToTwoThings()
    {
        QFETCH(const bool, chinese);
        test::TsTranslator translator(QStringLiteral("stillroom_zh_CN.ts"));
        if (chinese)
            QVERIFY(QCoreApplication::installTranslator(&translator));
        open(true);
        QStringList shared;
        m_window->findChild<QDockWidget *>(QStringLiteral("jobs"))->show();
        for (const bool running : {false, true}) {
            if (running) {
                m_session->distil({{"steps", 4}});
                QTRY_VERIFY(m_session->job().isRunning());
            }
            for (int row = 0; row < pages()->count(); ++row) {
                pages()->setCurrentRow(row);
                QTest::qWait(50);
                auto *tabs = pageTabs();
                for (int tab = 0; tab < (tabs ? tabs->count() : 1); ++tab) {
                    if (tabs)
                        tabs->setCurrentIndex(tab);
                    for (const QString &one : sharedLetters(*m_window))
                        if (const QString said = pages()->item(row)->text() + QStringLiteral(": ") + one; !shared.contains(said))
                            shared << said;
                }
            }
        }
        m_session->cancel();
        QTRY_VERIFY(!m_session->job().isRunning());
        for (const QKeyCombination key : dialogKeys()) {
            QDialog *dialog = openDialog(key);
            QVERIFY(dialog);
            for (const QString &one : sharedLetters(*dialog))
                shared << dialog->windowTitle() + QStringLiteral(": ") + one;
            closeDialog(dialog);
        }
        m_window.reset();
        QCoreApplication::removeTranslator(&translator);
        QVERIFY2(shared.isEmpty(), qPrintable(shared.join(QLatin1Char('\n'))));
    }

    void everyPageFitsIntoItsWindow_data()
    {
        QTest::addColumn<bool>("chinese");
        QTest::addColumn<QSize>("size");
        for (const bool chinese : {false, true}) {
            const char *language = chinese ? "Chinese" : "English";
            QTest::addRow("%s", language) << chinese << QSize(1400, 900);
            QTest::addRow("%s, beside the inspector", language) << chinese << QSize(1100, 700);
            QTest::addRow("%s, smallest", language) << chinese << QSize(900, 600);
        }
    }
    /// A low window may scroll a page down, none to the side.
    void everyPageFitsIntoItsWindow()
    {
        QFETCH(const bool, chinese);
        QFETCH(const QSize, size);
        test::TsTranslator translator(QStringLiteral("stillroom_zh_CN.ts"));
        if (chinese)
            QVERIFY(QCoreApplication::installTranslator(&translator));
        open(true);
        m_window->resize(size);
        const bool isLow = size.height() < 900;
        QStringList scrolling;
        for (int row = 0; row < pages()->count(); ++row) {
            pages()->setCurrentRow(row);
            QTest::qWait(100);
            for (const QScrollArea *area : m_window->findChildren<const QScrollArea *>())
                if (area->isVisible() && area->window() == m_window.get() && ((!isLow && area->verticalScrollBar()->maximum() > 0) || area->horizontalScrollBar()->maximum() > 0))
                    scrolling << QStringLiteral("%1: %2, %3").arg(pages()->item(row)->text()).arg(area->verticalScrollBar()->maximum()).arg(area->horizontalScrollBar()->maximum());
            for (const QScrollBar *bar : m_window->findChildren<const QScrollBar *>())
                if (!isLow && bar->isVisible() && qobject_cast<const widgets::PlotView *>(bar->parentWidget()))
                    scrolling << QStringLiteral("%1: %2").arg(pages()->item(row)->text(), bar->accessibleName());
            for (const QSlider *slider : m_window->findChildren<const QSlider *>())
                if (slider->isVisible() && slider->width() < 60)
                    scrolling << QStringLiteral("%1: %2 of %3 px").arg(pages()->item(row)->text(), slider->accessibleName()).arg(slider->width());
        }
        m_window.reset();
        QCoreApplication::removeTranslator(&translator);
        QVERIFY2(scrolling.isEmpty(), qPrintable(scrolling.join(QLatin1Char('\n'))));
    }

    void nothingMovesUnderThePointer()
    {
        open(true);
        m_window->resize(1400, 900);
        pages()->setCurrentRow(1);
        m_session->choice().setKeep(2);
        QTest::qWait(50);
        QPushButton *distil = nullptr;
        for (QPushButton *one : m_window->findChildren<QPushButton *>())
            if (one->isVisible() && QString(one->text()).remove(QLatin1Char('&')) == QStringLiteral("Distil this hybrid"))
                distil = one;
        QSlider *slider = nullptr;
        for (QSlider *one : m_window->findChildren<QSlider *>())
            if (one->isVisible())
                slider = one;
        QVERIFY(distil && slider);
        const QPoint place = distil->mapTo(m_window.get(), QPoint(0, 0));
        const int length = slider->width();
        int worst = 0;
        while (worst < 5 && (m_session->choice().isKept(worst) || (m_session->choice().toggle(worst), !m_session->choice().isCustom())))
            ++worst;
        QVERIFY(m_session->choice().isCustom());
        Q_EMIT m_session->notice(QStringLiteral("A sentence."));
        QTest::qWait(50);
        QCOMPARE(slider->width(), length);
        QCOMPARE(distil->mapTo(m_window.get(), QPoint(0, 0)), place);
    }

    void whatCannotBeUsedSaysSo()
    {
        open(false);
        auto *empty = m_window->findChild<widgets::CalibrationPage *>();
        for (const QComboBox *one : empty->findChildren<QComboBox *>())
            QVERIFY2(!one->isEnabledTo(empty), qPrintable(one->accessibleName()));
        m_window.reset();
        m_session.reset();
        m_folder = std::make_unique<QTemporaryDir>();
        open(true);
        pages()->setCurrentRow(3);
        int disabled = 0;
        for (const QComboBox *one : m_window->findChild<widgets::CalibrationPage *>()->findChildren<QComboBox *>())
            if (one->isVisible() && !one->isEnabled()) {
                ++disabled;
                QVERIFY2(!one->toolTip().isEmpty(), qPrintable(one->accessibleName()));
            }
        QCOMPARE(disabled, 1);      // the moment, of what was measured once
    }

    void theSizeOnPaperIsSaidInWords()
    {
        open(true);
        QDialog *dialog = openDialog(QKeyCombination(Qt::CTRL, Qt::Key_E));
        QVERIFY(dialog);
        QString said;
        for (const QLabel *one : dialog->findChildren<QLabel *>())
            if (one->accessibleName() == QStringLiteral("Size on paper"))
                said = one->text();
        QCOMPARE(said, QStringLiteral("3.25 in × 2.01 in = 234 × 145 pt"));
        closeDialog(dialog);
    }

    void aLetterStaysWhereAKeyIsAdded()
    {
        open(true);
        QDialog *dialog = openDialog(QKeyCombination(Qt::CTRL, Qt::Key_N));
        QVERIFY(dialog && QTest::qWaitForWindowActive(dialog));
        for (const QPushButton *button : dialog->findChildren<QPushButton *>())
            if (const QChar letter = letterOf(button->text()); !letter.isNull())
                QCOMPARE(button->shortcut(), QKeySequence(QStringLiteral("Alt+") + letter.toUpper()));
        closeDialog(dialog);
    }

    void everyTableOfAPlot()
    {
        open(true);
        int tables = 0;
        for (int row = 0; row < pages()->count(); ++row) {
            pages()->setCurrentRow(row);
            QTest::qWait(100);
            for (const widgets::PlotView *plot : m_window->findChildren<widgets::PlotView *>()) {
                if (!plot->isVisible())
                    continue;
                plot->findChild<QAction *>(QStringLiteral("tableTwin"), Qt::FindDirectChildrenOnly)->trigger();
                QDialog *dialog = nullptr;
                QTRY_VERIFY((dialog = shownDialog()) != nullptr);
                const QStringList faults = faultsOf(*dialog);
                QVERIFY2(faults.isEmpty(), qPrintable(plot->accessibleName() + QLatin1Char('\n') + faults.join(QLatin1Char('\n'))));
                const auto *model = dialog->findChild<QTableView *>()->model();
                tables += model->rowCount() > 0 ? 1 : 0;
                delete dialog;
            }
        }
        QVERIFY2(tables >= 8, qPrintable(QString::number(tables)));
    }

    void nothingMovesByItself()
    {
        open(false);
        QVERIFY(!m_window->isAnimated());
        QCOMPARE(QApplication::style()->styleHint(QStyle::SH_Widget_Animation_Duration), 0);
        for (const Qt::UIEffect effect : {Qt::UI_AnimateMenu, Qt::UI_FadeMenu, Qt::UI_AnimateCombo, Qt::UI_AnimateTooltip, Qt::UI_FadeTooltip})
            QVERIFY(!QApplication::isEffectEnabled(effect));
    }

private:
    static QList<QKeyCombination> dialogKeys()
    {
        return {QKeyCombination(Qt::CTRL, Qt::Key_K), QKeyCombination(Qt::Key_F1), QKeyCombination(Qt::CTRL, Qt::Key_E), QKeyCombination(Qt::CTRL, Qt::Key_B), QKeyCombination(Qt::CTRL, Qt::Key_R), QKeyCombination(Qt::CTRL, Qt::Key_N)};
    }
    /// From the page of layers; null where none opens.
    QDialog *openDialog(QKeyCombination key)
    {
        m_window->activateWindow();
        if (!QTest::qWaitForWindowActive(m_window.get()))
            return nullptr;
        QTest::keyClick(m_window.get(), Qt::Key_2, Qt::ControlModifier);
        QTest::keyClick(m_window.get(), key.key(), key.keyboardModifiers());
        if (!QTest::qWaitFor([&] { return shownDialog() && QApplication::activeWindow() == shownDialog(); }))
            return nullptr;
        QTest::qWait(50);
        return shownDialog();
    }
    void closeDialog(QPointer<QDialog> dialog)
    {
        dialog->reject();
        QVERIFY(QTest::qWaitFor([&] { return !dialog; }));
    }
    [[nodiscard]] QTabWidget *pageTabs() const
    {
        for (QTabWidget *tabs : m_window->findChildren<QTabWidget *>())
            if (tabs->isVisible() && tabs->window() == m_window.get() && !m_window->findChild<QDockWidget *>(QStringLiteral("jobs"))->isAncestorOf(tabs))
                return tabs;
        return nullptr;
    }
    void open(bool filled)
    {
        const std::filesystem::path workspace = (m_folder->path() + QStringLiteral("/workspace")).toStdString();
        if (filled)
            test::fillWorkspace(workspace);
        m_session = std::make_unique<widgets::Session>(workspace, [madeUp = std::make_shared<test::MadeUp>()](const nlohmann::json &spec, jobs::RunContext &context) { return (*madeUp)(spec, context); });
        m_window = std::make_unique<MainWindow>(*m_session, MainWindow::DemoSettings{{{"steps", 4}}, {{"steps", 4}}}, offers());
        m_window->show();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        if (!filled)
            return;
        auto *runs = m_window->findChild<widgets::RunsPage *>();
        QTRY_COMPARE(runs->experiments().size(), std::size_t{7});
        QSignalSpy read(m_session.get(), &widgets::Session::storedRead);
        m_session->openTeacher(QStringLiteral("demo"));
        QTRY_VERIFY(!read.isEmpty());
        QTRY_VERIFY(!m_session->job().isRunning());
        QTRY_VERIFY(m_session->calibrations().report());
        m_session->selection().select(1);
        runs->findChild<QTableView *>()->selectAll();
        runs->findChild<QLineEdit *>()->setText(QStringLiteral("kind:distil"));
        Q_EMIT runs->compareRequested({runs->experiments().begin(), runs->experiments().begin() + 3});
    }
    static widgets::SelectorOffers offers()
    {
        widgets::SelectorOffers offers;
        offers.list = {{.name = "ga-s2", .help = {}, .trains = true, .fields = {}}, {.name = "exhaustive", .help = {}, .trains = true, .fields = {{"set_size", "1"}, {"max_sets", "64"}}}};
        offers.state = [](const nlohmann::json &, const std::filesystem::path &) { return widgets::StatedCost{.stageOneTokens = 20'000, .students = 7, .studentTokens = 140'000, .measuredTokens = 30'000}; };
        offers.time = [](const nlohmann::json &, const std::filesystem::path &, const std::stop_token &) { return widgets::TimedCost{90.0, 1 << 30, 1 << 20, false}; };
        return offers;
    }
    [[nodiscard]] QListWidget *pages() const { return m_window->findChild<QListWidget *>(); }
    [[nodiscard]] QDialog *shownDialog() const
    {
        for (QDialog *dialog : m_window->findChildren<QDialog *>())
            if (dialog->isVisible())
                return dialog;
        return nullptr;
    }
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<widgets::Session> m_session;
    std::unique_ptr<MainWindow> m_window;
};

QTEST_MAIN(AccessibilityTest)
#include "accessibility.moc"
