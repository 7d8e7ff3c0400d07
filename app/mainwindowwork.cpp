// SPDX-License-Identifier: GPL-3.0-or-later
// How one works with the window: recent teachers, links, commands by name, keys.
#include "mainwindow.h"

#include "dialogs/newexperiment.h"
#include "models/deeplink.h"
#include "models/jobqueue.h"
#include "models/jobrunner.h"
#include "models/modelopening.h"
#include "models/recentteachers.h"
#include "pages/runspage.h"
#include "plots/plotview.h"
#include "views/commandpalette.h"
#include "views/keyaction.h"
#include "views/keysheet.h"
#include "views/inspector.h"
#include "views/labels.h"
#include "views/messageline.h"
#include "views/names.h"
#include "windowcommands.h"
#include "windowmemory.h"
#include "whynot.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QFileInfo>
#include <QGuiApplication>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QDockWidget>
#include <QMimeData>
#include <QScrollArea>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTableView>
#include <QTimer>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace stillroom {
namespace {

constexpr int teacherRow = 0, layersRow = 1, calibrationRow = 3, runsRow = 4, longestSaid = 80, longestCopied = 40;

constexpr int passingMs = 5000;

bool isInMessage(const QWidget *widget)
{
    while (widget && !qobject_cast<const widgets::MessageLine *>(widget))
        widget = widget->parentWidget();
    return widget;
}

/// The first thing of a page that the Tab key reaches; what a message offers only where there is nothing else; null for none.
QWidget *firstFocusOf(const QWidget &page)
{
    QWidget *offered = nullptr;
    for (QWidget *one = page.nextInFocusChain(); one != &page; one = one->nextInFocusChain()) {
        if (!page.isAncestorOf(one) || !one->isVisible() || !one->isEnabled() || one->focusProxy() || (one->focusPolicy() & Qt::TabFocus) == 0)
            continue;
        if (!isInMessage(one))
            return one;
        offered = offered ? offered : one;
    }
    return offered;
}

/// A table that has rows: what one works with on a page without plots.
QWidget *tableOf(const QWidget &page)
{
    for (auto *table : page.findChildren<QTableView *>())
        if (table->isVisible() && table->model() && table->model()->rowCount() > 0)
            return table;
    return nullptr;
}

/// Of runs, not of stages; equal names are told apart by the time.
std::vector<std::pair<QString, QString>> namedRuns(const std::vector<store::ExperimentRow> &rows)
{
    std::map<QString, int> alike;
    for (const store::ExperimentRow &row : rows)
        if (row.task.empty())
            ++alike[widgets::experimentName(row)];
    std::vector<std::pair<QString, QString>> named;
    for (const store::ExperimentRow &row : rows)
        if (row.task.empty()) {
            const QString name = widgets::experimentName(row);
            named.emplace_back(QString::fromStdString(row.uuid), alike.at(name) > 1 ? widgets::distinctName(name, widgets::startedText(row.startedSeconds)) : name);
        }
    return named;
}

/// What another program copies is none of ours, and to read it would wait for that program. Without a desktop there is no other, and Qt says of no clipboard whose it is.
bool isOurs(const QClipboard &clipboard)
{
    return clipboard.ownsClipboard() || QGuiApplication::platformName() == QLatin1String("offscreen");
}

}  // namespace

void MainWindow::followWork()
{
    m_passing = new widgets::QuietLabel({}, statusBar());
    m_passing->setAccessibleName(tr("Just now"));
    m_passing->setTextFormat(Qt::PlainText);
    m_passing->setContentsMargins(8, 0, 16, 0);
    statusBar()->addPermanentWidget(m_passing);
    m_passing->hide();      // the bar has shown it
    m_passingEnds = new QTimer(this);
    m_passingEnds->setSingleShot(true);
    m_passingEnds->setInterval(passingMs);
    connect(m_passingEnds, &QTimer::timeout, m_passing, &QWidget::hide);
    connect(QGuiApplication::clipboard(), &QClipboard::dataChanged, this, &MainWindow::sayWhatIsCopied);
    // When a dock goes, the keyboard would go to whatever comes next in the window.
    const auto returnFrom = [this](const QWidget *focus) {
        if (isInHiddenDock(focus))
            goBackToPage();
    };
    connect(qApp, &QApplication::focusChanged, this, [this, returnFrom](QWidget *old) {
        QMetaObject::invokeMethod(this, [returnFrom, was = QPointer<QWidget>(old)] { returnFrom(was); }, Qt::QueuedConnection);       // an editor of a cell is gone by then
    });
    widgets::describeKeys(*this, tr("Esc"), tr("Clear the search, leave the dock, select nothing"));
    widgets::describeKeys(*this, tr("I"), tr("Inspector on or off"));
    m_recent = new widgets::RecentTeachers(this);
    m_recentMenu->setToolTipsVisible(true);
    connect(m_recentMenu, &QMenu::aboutToShow, m_recent, &widgets::RecentTeachers::look);
    connect(m_recent, &widgets::RecentTeachers::changed, this, &MainWindow::refreshRecent);
    connect(&m_session, &widgets::Session::teacherChanged, this, [this] { m_recent->add(m_session.teacher().argument); });
    connect(&m_session, &widgets::Session::teacherChanged, this, &MainWindow::refreshActions);
    connect(&m_session, &widgets::Session::jobKindChanged, this, &MainWindow::refreshActions);
    connect(&m_session.jobs().queue(), &widgets::JobQueue::changed, this, &MainWindow::refreshActions);
    connect(&m_session.opening(), &widgets::ModelOpening::begun, this, &MainWindow::refreshActions);
    connect(&m_session.opening(), &widgets::ModelOpening::cancelled, this, &MainWindow::refreshActions);
    connect(&m_session.opening(), &widgets::ModelOpening::ended, this, &MainWindow::refreshActions);
    connect(&m_session.choice(), &widgets::HybridChoice::changed, this, &MainWindow::refreshActions);
    connect(&m_session.selection(), &widgets::LayerSelection::changed, this, &MainWindow::refreshActions);
    connect(&m_session, &widgets::Session::teacherChanged, this, [this] {
        if (const int layer = std::exchange(m_linkedLayer, -1); layer >= 0)
            showLayer(layer);
    });
    refreshRecent();
    refreshActions();
}

void MainWindow::refreshRecent()
{
    m_recentMenu->clear();
    for (const QString &argument : m_recent->list()) {
        QAction *action = m_recentMenu->addAction(m_recent->name(argument).replace(QLatin1Char('&'), QStringLiteral("&&")), this, [this, argument] { m_session.openTeacher(argument); });
        const bool missing = m_recent->isMissing(argument);
        action->setEnabled(!missing);
        action->setToolTip(missing ? tr("%1 is not there any more").arg(argument) : argument);
    }
    m_recentMenu->setEnabled(!m_recentMenu->isEmpty());
    if (m_recentMenu->isEmpty())
        return;
    m_recentMenu->addSeparator();
    connect(m_recentMenu->addAction(tr("&Clear list")), &QAction::triggered, m_recent, &widgets::RecentTeachers::clear, Qt::QueuedConnection);      // it goes, too
}

void MainWindow::refreshActions()
{
    for (QAction *action : {m_scoreAction, m_calibrateAction})      // while a job runs they wait in the queue
        allow(*action, m_session.teacher().isValid(), tr("Open a teacher first"));
    m_distilAction->setText(m_session.teacher().argument == QLatin1String("demo") ? tr("&Distil the chosen hybrid") : tr("&Distil the chosen hybrid…"));      // of the demo nothing is asked
    allow(*m_distilAction, m_session.choice().isKnown(), tr("Score the layers first, or choose some by hand"));
    const bool opens = m_session.opening().isUnderWay();
    m_cancelAction->setText(opens ? tr("&Cancel opening the model") : tr("&Cancel the job"));
    allow(*m_cancelAction, m_session.canCancel(), tr("No job is running or paused"));
    allow(*m_layerLinkAction, m_session.selection().layer() >= 0, tr("Select a layer first"));
}

void MainWindow::goBackToPage()
{
    const QWidget &page = pageAt(m_pageList->currentRow());
    QWidget *at = m_pageFocus && page.isAncestorOf(m_pageFocus) && m_pageFocus->isVisible() ? m_pageFocus.data() : mainOf(page);
    if (at)
        at->setFocus(Qt::OtherFocusReason);
}

/// Upwards from the widget: the keyboard also moves while the window's children go, and a search among them would find those that are half gone.
bool MainWindow::isInHiddenDock(const QWidget *widget) const
{
    for (; widget; widget = widget->parentWidget())
        if (const auto *dock = qobject_cast<const QDockWidget *>(widget))
            return dock->isHidden();
    return false;
}

void MainWindow::refreshInspector()
{
    m_inspected->showExperiment(m_pageList->currentRow() == runsRow ? m_runs->chosen() : std::nullopt);
}

void MainWindow::openRun(const store::ExperimentRow &row)
{
    const QString run = QString::fromStdString(row.uuid), task = QString::fromStdString(row.task);
    if (QString::fromStdString(row.teacher) == m_session.teacher().argument && m_session.teacher().isValid()) {
        const auto sources = m_session.scores().sources();
        const auto isOfIt = [&](const widgets::ScoreBook::Source &one) { return one.run == run && one.selector == QString::fromStdString(row.selector) && (task.isEmpty() || one.task == task); };
        const auto scored = row.kind == "score" ? std::find_if(sources.begin(), sources.end(), isOfIt) : sources.end();
        const auto &calibrations = m_session.calibrations().stored();
        if (scored != sources.end()) {
            m_session.scores().setSource(widgets::ScoreBook::Source(*scored));
            showPage(layersRow);
            return;
        }
        if (row.kind == "distill" && row.layers && row.status == store::RunStatus::Finished) {
            if (!row.mixer.empty())
                m_session.setProbe(QString::fromStdString(row.mixer));
            m_session.choice().setLayers(*row.layers);
            showPage(layersRow);
            return;
        }
        if (row.kind == "calibrate" && std::any_of(calibrations.begin(), calibrations.end(), [&](const widgets::StoredCalibration &one) { return one.run == run; })) {
            m_session.calibrations().choose(run);
            showPage(calibrationRow);
            return;
        }
    }
    m_inspector->show();
    refreshInspector();
}

QWidget &MainWindow::pageAt(int row) const { return *static_cast<QScrollArea *>(m_pages->widget(row))->widget(); }

void MainWindow::showPage(int row)
{
    m_pageList->setCurrentRow(row);
    if (QWidget *main = mainOf(pageAt(row)))
        main->setFocus(Qt::ShortcutFocusReason);
}

QWidget *MainWindow::mainOf(const QWidget &page)
{
    QWidget *main = mainPlotOf(page);
    if (!main)
        main = tableOf(page);
    return main ? main : firstFocusOf(page);
}

widgets::PlotView *MainWindow::mainPlotOf(const QWidget &page)
{
    widgets::PlotView *main = nullptr;
    const auto area = [](const QWidget *one) { return one->width() * one->height(); };
    for (widgets::PlotView *plot : page.findChildren<widgets::PlotView *>())
        if (plot->isVisible() && plot->hasFigure() && (!main || area(plot) > area(main)))
            main = plot;
    return main;
}

void MainWindow::leave()
{
    QWidget *focus = focusWidget();
    if (auto *words = qobject_cast<QLineEdit *>(focus); words && words->isClearButtonEnabled() && !words->text().isEmpty()) {
        words->clear();
        return;
    }
    for (const QDockWidget *dock : findChildren<QDockWidget *>())
        if (focus && dock->isAncestorOf(focus)) {
            goBackToPage();
            return;
        }
    m_session.selection().clear();
}

void MainWindow::find()
{
    for (QAction *action : pageAt(m_pageList->currentRow()).actions())
        if (action->shortcut() == QKeySequence(QKeySequence::Find) && action->isEnabled()) {
            action->trigger();
            return;
        }
}

/// Whatever was copied, by whichever key or button: something must be seen of it.
void MainWindow::sayWhatIsCopied()
{
    const QMimeData *contents = isOurs(*QGuiApplication::clipboard()) ? QGuiApplication::clipboard()->mimeData() : nullptr;
    if (!contents || !isVisible())
        return;
    if (contents->hasFormat(QStringLiteral("image/svg+xml")))
        sayInPassing(tr("Copied: the plot as SVG and PNG, its numbers as TSV and Markdown"));
    else if (contents->hasFormat(QStringLiteral("text/x-tex")))
        sayInPassing(tr("Copied: the table as TSV, Markdown and LaTeX"));
    else if (contents->hasText()) {
        const QString text = contents->text().trimmed();
        const auto lines = static_cast<int>(text.count(QLatin1Char('\n'))) + 1;
        sayInPassing(lines > 1 ? tr("Copied: %n lines", nullptr, lines) : tr("Copied: %1").arg(text.size() > longestCopied ? text.left(longestCopied) + QStringLiteral("…") : text));
    }
}

void MainWindow::sayInPassing(const QString &text)
{
    m_passing->setText(text);
    m_passing->show();
    m_passingEnds->start();
}

void MainWindow::showCommands()
{
    std::vector<widgets::Command> commands = menuCommands(*menuBar());
    QStringList known;
    for (const widgets::Command &one : commands)
        known << one.text;
    const int row = m_pageList->currentRow();
    for (widgets::Command &one : pageCommands(pageAt(row), m_pageList->item(row)->text(), known))
        commands.push_back(std::move(one));
    for (int layer = 0; layer < m_session.teacher().numLayers; ++layer)
        commands.push_back({tr("Layer %1").arg(layer), tr("Layer"), {}, {}, true, [this, layer] { showLayer(layer); }});
    for (const auto &[run, name] : namedRuns(m_runs->experiments()))
        commands.push_back({name, tr("Run"), {}, {}, true, [this, uuid = run] {
                                m_pageList->setCurrentRow(runsRow);
                                m_runs->showRun(uuid);
                            }});
    auto *palette = new widgets::CommandPalette(std::move(commands), this);
    palette->setAttribute(Qt::WA_DeleteOnClose);
    palette->open();
}

void MainWindow::showKeys()
{
    widgets::KeyGroup everywhere = menuKeys(*menuBar(), tr("Everywhere"));
    for (const QAction *action : actions())
        if (const QString keys = widgets::shownKeys(*action); !keys.isEmpty())
            everywhere.rows.emplace_back(keys, widgets::plainText(*action));
    std::vector<widgets::KeyGroup> groups{std::move(everywhere), pageKeys(*m_strip, m_strip->accessibleName())};
    int current = 0;
    for (int row = 0; row < m_pageList->count(); ++row)
        if (widgets::KeyGroup group = pageKeys(pageAt(row), m_pageList->item(row)->text()); !group.rows.empty()) {
            if (row == m_pageList->currentRow())
                current = static_cast<int>(groups.size());
            groups.push_back(std::move(group));
        }
    for (const QDockWidget *dock : findChildren<QDockWidget *>())
        if (widgets::KeyGroup group = pageKeys(*dock, dock->windowTitle()); !group.rows.empty())
            groups.push_back(std::move(group));
    groups.push_back({tr("New experiment"), widgets::NewExperiment::keys()});
    auto *sheet = new widgets::KeySheet(groups, current, this);
    sheet->setAttribute(Qt::WA_DeleteOnClose);
    sheet->open();
}

void MainWindow::start(const QString &teacher, const QString &link)
{
    const auto parsed = widgets::parseLink(link);
    if (!parsed || parsed->kind != widgets::DeepLink::Kind::Teacher) {
        const QString last = teacher.isEmpty() ? m_memory->teacher() : teacher;
        m_session.openTeacher(last.isEmpty() ? QStringLiteral("demo") : last);
    }
    if (!link.isEmpty())
        openLink(link);
}

void MainWindow::openLink(const QString &link)
{
    const auto parsed = widgets::parseLink(link);
    if (!parsed) {
        const QString said = link.size() > longestSaid ? link.left(longestSaid) + QStringLiteral("…") : link;
        m_problem->showText(tr("“%1” leads nowhere: a link names a run, a teacher or a layer.").arg(said));
        return;
    }
    switch (parsed->kind) {
    case widgets::DeepLink::Kind::Run:
        m_memory->forgetRuns();
        m_pageList->setCurrentRow(runsRow);
        m_runs->showRun(parsed->target);
        return;
    case widgets::DeepLink::Kind::Teacher:
        m_pageList->setCurrentRow(teacherRow);
        m_session.openTeacher(parsed->target);
        return;
    case widgets::DeepLink::Kind::Layer:
        m_memory->forgetLayer();
        if (m_session.teacher().isValid())
            showLayer(parsed->layer);
        else
            m_linkedLayer = parsed->layer;      // when the teacher is there
    }
}

void MainWindow::showLayer(int layer)
{
    if (layer >= m_session.teacher().numLayers) {
        m_problem->showText(tr("%1 has no layer %2: its layers are 0 to %3.").arg(m_session.teacher().name, QString::number(layer), QString::number(m_session.teacher().numLayers - 1)));
        return;
    }
    const int row = m_pageList->currentRow();
    if (row <= teacherRow || row >= runsRow)      // the pages between are about layers
        m_pageList->setCurrentRow(layersRow);
    m_session.selection().select(layer);
}

void MainWindow::comeForward()
{
    setWindowState(windowState() & ~Qt::WindowMinimized);
    show();
    raise();
    activateWindow();
}

}  // namespace stillroom
