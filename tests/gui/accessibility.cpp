// SPDX-License-Identifier: GPL-3.0-or-later
#include "filledworkspace.h"
#include "madeup.h"
#include "mainwindow.h"

#include "dialogs/experimentdialog.h"
#include "models/session.h"
#include "pages/runspage.h"
#include "plots/plotview.h"
#include "views/controlstyle.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QAccessible>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollArea>
#include <QScrollBar>
#include <QSettings>
#include <QSignalSpy>
#include <QSplitter>
#include <QStyle>
#include <QTabBar>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

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
    void open(bool filled)
    {
        const std::filesystem::path workspace = (m_folder->path() + QStringLiteral("/workspace")).toStdString();
        if (filled)
            test::fillWorkspace(workspace);
        m_session = std::make_unique<widgets::Session>(workspace, [madeUp = std::make_shared<test::MadeUp>()](const nlohmann::json &spec, jobs::RunContext &context) { return (*madeUp)(spec, context); });
        m_window = std::make_unique<MainWindow>(*m_session, MainWindow::DemoSettings{{{"steps", 4}}, {{"steps", 4}}});
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
