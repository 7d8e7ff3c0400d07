// SPDX-License-Identifier: GPL-3.0-or-later
#include "mainwindow.h"

#include "closing.h"
#include "dialogs/exportdialog.h"
#include "dialogs/newexperiment.h"
#include "error.h"
#include "experiment/spec.h"
#include "models/deeplink.h"
#include "models/jobrunner.h"
#include "models/madescorings.h"
#include "models/modelopening.h"
#include "pages/calibrationpage.h"
#include "pages/comparepage.h"
#include "pages/layerspage.h"
#include "pages/overlappage.h"
#include "pages/runspage.h"
#include "pages/teacherpage.h"
#include "views/choicebox.h"
#include "views/hybridstrip.h"
#include "views/inspector.h"
#include "views/interruptedline.h"
#include "views/jobsstrip.h"
#include "views/labels.h"
#include "views/messageline.h"
#include "views/messageoverlay.h"
#include "views/names.h"
#include "views/palette.h"
#include "views/quantities.h"
#include "views/theme.h"
#include "windowjobs.h"
#include "windowlayouts.h"
#include "windowmemory.h"
#include "whynot.h"

#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QAction>
#include <QApplication>
#include <QActionGroup>
#include <QClipboard>
#include <QCloseEvent>
#include <QComboBox>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QListWidget>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QPointer>
#include <QSettings>
#include <QScrollArea>
#include <QStackedWidget>
#include <QStatusBar>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace stillroom {
namespace {

constexpr int longestShown = 80;

/// Of a link as long as somebody likes.
QString shownLink(const QString &link) { return link.size() > longestShown ? link.left(longestShown) + QStringLiteral("…") : link; }

/// Qt's own has a button too small to hit, without a word of what it does.
QWidget *titleBar(QDockWidget &dock, const QString &hiding)
{
    auto *bar = new QWidget(&dock);
    auto *row = new QHBoxLayout(bar);
    row->setContentsMargins(12, 0, 4, 0);
    row->addWidget(new QLabel(dock.windowTitle(), bar), 1);
    auto *hide = new QToolButton(bar);
    hide->setAutoRaise(true);
    hide->setIcon(dock.style()->standardIcon(QStyle::SP_TitleBarCloseButton));
    hide->setToolTip(hiding);
    hide->setAccessibleName(hiding);
    hide->setFocusPolicy(Qt::NoFocus);      // it has a key
    QObject::connect(hide, &QToolButton::clicked, &dock, &QWidget::hide);
    row->addWidget(hide);
    return bar;
}

}  // namespace

MainWindow::MainWindow(widgets::Session &session, DemoSettings demo, widgets::SelectorOffers offers, QWidget *parent)
    : QMainWindow(parent), m_session(session), m_demo(std::move(demo)), m_offers(std::move(offers))
{
    setWindowTitle(tr("Stillroom"));
    setAcceptDrops(true);
    setMinimumSize(900, 600);
    setAnimated(false);      // nothing moves by itself
    makePages();
    makeCentre();
    makeInspector();
    makeMenus();
    connect(&m_session, &widgets::Session::teacherChanged, this, &MainWindow::refreshHeader);
    connect(&m_session, &widgets::Session::teacherChanged, this, [this] { m_problem->hide(); });
    connect(&m_session, &widgets::Session::probeChanged, this, &MainWindow::refreshHeader);
    connect(&m_session.choice(), &widgets::HybridChoice::changed, this, &MainWindow::refreshHeader);
    connect(&m_session, &widgets::Session::problem, this, [this](const QString &text) {
        m_problem->showText(text);
        if (!m_session.teacher().isValid())
            m_pageList->setCurrentRow(0);   // where the next step is
    });
    connect(&m_session.jobs(), &widgets::JobRunner::asked, m_problem, &QWidget::hide);
    connect(&m_session.opening(), &widgets::ModelOpening::begun, m_problem, &QWidget::hide);
    refreshHeader();
    setTabOrder(m_pageList, m_probe);      // the header stands above the pages
    setTabOrder(m_probe, m_strip);
    followWork();
    m_memory = new WindowMemory({*this, m_session, *m_pageList, *m_runs, *m_compare});
    makeLayoutMenu();
    m_memory->restore();
    letFilesAndKeysPastFields();
}

void MainWindow::makePages()
{
    m_pageList = new QListWidget(this);
    m_pageList->setAccessibleName(tr("Pages"));
    m_pageList->setFrameShape(QFrame::NoFrame);
    m_pageList->viewport()->setBackgroundRole(QPalette::Window);
    m_pageList->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_pageList->setFixedWidth(widgets::letterWidth(fontMetrics()) * 18);
    m_pages = new QStackedWidget(this);
    m_pages->setObjectName(QStringLiteral("pages"));
    auto *teacher = new widgets::TeacherPage(m_session, this);
    auto *layers = new widgets::LayersPage(m_session, this);
    auto *overlap = new widgets::OverlapPage(m_session, this);
    auto *calibration = new widgets::CalibrationPage(m_session, this);
    connect(teacher, &widgets::TeacherPage::openFolderRequested, this, &MainWindow::openFolder);
    connect(teacher, &widgets::TeacherPage::openFileRequested, this, &MainWindow::openFile);
    connect(teacher, &widgets::TeacherPage::scoreRequested, this, &MainWindow::score);
    connect(layers, &widgets::LayersPage::scoreRequested, this, &MainWindow::score);
    connect(layers, &widgets::LayersPage::distilRequested, this, &MainWindow::distil);
    connect(overlap, &widgets::OverlapPage::scoreRequested, this, &MainWindow::score);
    connect(calibration, &widgets::CalibrationPage::calibrateRequested, this, &MainWindow::calibrate);
    connect(layers, &widgets::LayersPage::openTeacherRequested, this, [this] { m_pageList->setCurrentRow(0); });
    addPage(tr("Teacher"), QStringLiteral("teacher"), teacher);
    addPage(tr("Layers"), QStringLiteral("layers"), layers);
    addPage(tr("Overlap"), QStringLiteral("overlap"), overlap);
    addPage(tr("Calibration"), QStringLiteral("calibration"), calibration);
    m_runs = new widgets::RunsPage(m_session, this);
    addPage(tr("Runs"), QStringLiteral("runs"), m_runs);
    connect(m_runs, &widgets::RunsPage::experimentRequested, this, &MainWindow::newExperimentFrom);
    const int runsRow = m_pageList->count() - 1;
    m_compare = new widgets::ComparePage(m_session, this);
    addPage(tr("Compare"), QStringLiteral("compare"), m_compare);
    connect(m_compare, &widgets::ComparePage::runsRequested, this, [this, runsRow] { m_pageList->setCurrentRow(runsRow); });
    connect(m_runs, &widgets::RunsPage::compareRequested, this, [this, runsRow](const std::vector<store::ExperimentRow> &rows) {
        m_compare->compare(rows);
        showPage(runsRow + 1);      // what had the keyboard there before may be what they take the place of
    });
    m_jobs = new WindowJobs(m_session, *m_runs, this);
    m_closing = new Closing(m_session, this);
    connect(m_jobs, &WindowJobs::leaveRequested, this, &MainWindow::goBackToPage);
    connect(qApp, &QApplication::focusChanged, this, [this](const QWidget *was, QWidget *now) {
        const bool isPassedOn = isInHiddenDock(was);      // Qt gives it to whatever comes next, and nobody chose that
        if (now && m_pages->isAncestorOf(now) && !isPassedOn)
            m_pageFocus = now;
    });
    connect(m_runs, &widgets::RunsPage::openRequested, this, &MainWindow::openRun);
    connect(m_jobs, &WindowJobs::problem, this, [this](const QString &text) { m_problem->showText(text); });
    connect(m_jobs, &WindowJobs::showRunRequested, this, [this, runsRow](const QString &run) {
        m_pageList->setCurrentRow(runsRow);
        m_runs->showRun(run);
    });
    refreshIcons();
    for (const widgets::PlotView *plot : findChildren<widgets::PlotView *>())
        connect(plot, &widgets::PlotView::exportRequested, this, [this, plot] { exportPlot(*plot); });
    connect(m_pageList, &QListWidget::currentRowChanged, m_pages, &QStackedWidget::setCurrentIndex);
    m_pageList->setCurrentRow(0);
}

/// A page scrolls where the window is too low for it, or the font too large.
void MainWindow::addPage(const QString &name, const QString &icon, QWidget *page)
{
    auto *item = new QListWidgetItem(name, m_pageList);
    item->setData(Qt::UserRole, icon);
    item->setSizeHint({0, fontMetrics().height() * 2});
    item->setToolTip(tr("Ctrl+%1").arg(m_pageList->count()));
    auto *scroll = new QScrollArea(m_pages);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(page);
    scroll->viewport()->setBackgroundRole(QPalette::Base);
    page->setBackgroundRole(QPalette::Base);
    m_pages->addWidget(scroll);
}

void MainWindow::makeCentre()
{
    auto *central = new QWidget(this);
    setCentralWidget(central);
    auto *middle = new QHBoxLayout(central);
    middle->setContentsMargins(0, 0, 0, 0);
    middle->setSpacing(0);
    auto *paper = new QWidget(central);
    paper->setAutoFillBackground(true);
    paper->setBackgroundRole(QPalette::Base);
    auto *column = new QVBoxLayout(paper);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(makeHeader(paper));
    column->addWidget(m_pages, 1);
    makeMessages();
    middle->addWidget(m_pageList);
    middle->addWidget(paper, 1);
    statusBar()->setSizeGripEnabled(false);
    statusBar()->setContentsMargins(0, 0, 0, 0);
    statusBar()->addWidget(m_jobs->strip(), 1);
}

/// Over the pages, whichever is shown.
void MainWindow::makeMessages()
{
    auto *messages = new widgets::MessageOverlay(m_pages);
    m_problem = new widgets::MessageLine(widgets::MessageLine::Kind::Problem, messages);
    m_notice = new widgets::MessageLine(widgets::MessageLine::Kind::Notice, messages);
    for (widgets::MessageLine *line : {m_problem, m_notice, m_jobs->strip()->said()})
        messages->add(line);
    for (widgets::MessageLine *line : {m_notice, m_jobs->strip()->said()})
        line->setLeavesByItself(true);
    connect(&m_session, &widgets::Session::notice, m_notice, &widgets::MessageLine::showText);
    connect(&m_session, &widgets::Session::teacherChanged, m_notice, &QWidget::hide);
    connect(&m_session.job(), &widgets::JobFeed::started, m_notice, &QWidget::hide);
}

QLayout *MainWindow::makeHeader(QWidget *parent)
{
    auto *header = new QVBoxLayout;
    header->setContentsMargins(16, 12, 16, 4);
    header->setSpacing(8);
    m_teacherName = widgets::nameHeading(widgets::HeadingLevel::Section, parent);
    m_teacherShape = new widgets::QuietLabel({}, parent);
    m_chosen = new widgets::QuietLabel({}, parent);
    m_probe = new widgets::ChoiceBox(parent);
    m_probe->setAccessibleName(tr("Probe"));
    m_probe->setToolTip(tr("The linear mixer that takes the place of softmax"));
    m_probeLabel = new QLabel(tr("&Probe:"), parent);
    m_probeLabel->setBuddy(m_probe);
    connect(m_probe, &QComboBox::activated, this, [this](int index) { m_session.setProbe(m_probe->itemData(index).toString()); });
    auto *line = new QHBoxLayout;
    line->setSpacing(8);
    line->addWidget(m_teacherName);
    line->addWidget(m_teacherShape, 1);
    line->addWidget(m_probeLabel);
    line->addWidget(m_probe);
    auto *stripLine = new QHBoxLayout;
    stripLine->setSpacing(16);
    m_strip = new widgets::HybridStrip(m_session, parent);
    stripLine->addWidget(m_strip, 1);
    stripLine->addWidget(m_chosen);
    header->addLayout(line);
    header->addLayout(stripLine);
    header->addWidget(m_closing->line());
    header->addWidget(m_jobs->interruptedLine());
    return header;
}

void MainWindow::makeInspector()
{
    m_inspector = new QDockWidget(tr("Inspector"), this);
    m_inspector->setObjectName(QStringLiteral("inspector"));
    m_inspector->setFeatures(QDockWidget::DockWidgetClosable | QDockWidget::DockWidgetMovable);
    m_inspected = new widgets::Inspector(m_session, m_inspector);
    m_inspector->setWidget(m_inspected);
    connect(m_runs, &widgets::RunsPage::chosenChanged, this, &MainWindow::refreshInspector);
    connect(m_pageList, &QListWidget::currentRowChanged, this, &MainWindow::refreshInspector);
    connect(&m_session.jobs().queue(), &widgets::JobQueue::changed, this, &MainWindow::refreshInspector);
    addDockWidget(Qt::RightDockWidgetArea, m_inspector);
    m_inspector->setTitleBarWidget(titleBar(*m_inspector, tr("Hide the inspector (I)")));
}

void MainWindow::makeMenus()
{
    QMenu *file = menuBar()->addMenu(tr("&File"));
    file->addAction(tr("&Open teacher folder…"), QKeySequence::Open, this, &MainWindow::openFolder);
    file->addAction(tr("Open &GGUF file…"), QKeySequence(QStringLiteral("Ctrl+Shift+O")), this, &MainWindow::openFile);
    file->addAction(tr("Open the &demo"), this, [this] { m_session.openTeacher(QStringLiteral("demo")); });
    m_recentMenu = file->addMenu(tr("Open &recent"));
    file->addSeparator();
    file->addAction(tr("&Export…"), QKeySequence(QStringLiteral("Ctrl+E")), this, &MainWindow::exportFocused);
    file->addSeparator();
    file->addAction(tr("&Quit"), QKeySequence::Quit, this, &QWidget::close);
    QMenu *edit = menuBar()->addMenu(tr("&Edit"));
    QAction *undo = m_runs->edits().createUndoAction(edit, tr("&Undo")), *redo = m_runs->edits().createRedoAction(edit, tr("&Redo"));
    undo->setShortcut(QKeySequence::Undo);
    redo->setShortcut(QKeySequence::Redo);
    edit->addActions({undo, redo});
    edit->addSeparator();
    m_layerLinkAction = edit->addAction(tr("Copy &link to the layer"), this, [this] { QGuiApplication::clipboard()->setText(widgets::layerLink(m_session.selection().layer())); });
    QMenu *run = menuBar()->addMenu(tr("&Run"));
    run->addAction(tr("&New experiment…"), QKeySequence::New, this, [this] { newExperiment(); });
    m_scoreAction = run->addAction(tr("&Score layers…"), QKeySequence(QStringLiteral("Ctrl+R")), this, &MainWindow::score);
    m_distilAction = run->addAction(tr("&Distil the chosen hybrid"), QKeySequence(QStringLiteral("Ctrl+D")), this, &MainWindow::distil);
    m_calibrateAction = run->addAction(tr("Cali&brate linear layers…"), QKeySequence(QStringLiteral("Ctrl+B")), this, &MainWindow::calibrate);
    m_cancelAction = run->addAction(tr("&Cancel the job"), QKeySequence(QStringLiteral("Ctrl+.")), this, [this] { m_session.cancel(); });
    m_jobs->addToRunMenu(*run);
    makeViewMenu();
    makeHelpMenu();
}

void MainWindow::makeViewMenu()
{
    QMenu *view = m_viewMenu = menuBar()->addMenu(tr("&View"));
    for (int row = 0; row < m_pageList->count(); ++row)
        view->addAction(m_pageList->item(row)->text(), QKeySequence(QStringLiteral("Ctrl+%1").arg(row + 1)), this, [this, row] { showPage(row); });
    view->addSeparator();
    view->addAction(tr("&Commands…"), QKeySequence(QStringLiteral("Ctrl+K")), this, &MainWindow::showCommands);
    QAction *inspector = m_inspector->toggleViewAction();
    inspector->setShortcut(QKeySequence(QStringLiteral("Ctrl+I")));
    view->addAction(inspector);
    m_jobs->addToViewMenu(*view);
    QMenu *themes = view->addMenu(tr("&Theme"));
    auto *group = new QActionGroup(themes);
    const std::pair<widgets::Theme, QString> choices[] = {{widgets::Theme::System, tr("&As the system")}, {widgets::Theme::Light, tr("&Light")}, {widgets::Theme::Dark, tr("&Dark")}};
    for (const auto &[theme, name] : choices) {
        QAction *action = group->addAction(themes->addAction(name));
        action->setCheckable(true);
        action->setChecked(theme == widgets::rememberedTheme());
        connect(action, &QAction::triggered, this, [theme = theme] {
            widgets::rememberTheme(theme);
            widgets::applyTheme(theme);
        });
    }
}

void MainWindow::makeLayoutMenu()
{
    m_layouts = new WindowLayouts(*m_memory, m_runs->edits(), *this);
    m_layouts->addTo(*m_viewMenu);
    m_viewMenu->addAction(tr("&Reset layout"), this, [this] { m_memory->resetLayout(); });
}

void MainWindow::makeHelpMenu()
{
    QMenu *help = menuBar()->addMenu(tr("&Help"));
    help->addAction(tr("&Keys"), QKeySequence(Qt::Key_F1), this, &MainWindow::showKeys);
    help->addAction(tr("&About Stillroom"), this, &MainWindow::showAbout);
}

void MainWindow::showAbout()
{
    QMessageBox::about(this, tr("About Stillroom"),
                       tr("<h3>Stillroom %1</h3><p>Turns pretrained softmax Transformers into hybrids with linear attention.</p>"
                          "<p>Free software under the GNU General Public License, version 3 or later. It comes with no warranty.</p><p>Qt %2</p>")
                           .arg(QCoreApplication::applicationVersion().toHtmlEscaped(), QString::fromLatin1(qVersion())));
}

void MainWindow::refreshHeader()
{
    const widgets::ModelDescription &t = m_session.teacher();
    const widgets::HybridChoice &choice = m_session.choice();
    for (QWidget *widget : std::initializer_list<QWidget *>{m_teacherName, m_teacherShape, m_strip, m_chosen, m_probeLabel, m_probe})
        widget->setVisible(t.isValid());
    m_teacherName->setText(widgets::teacherName(t.name));
    m_teacherShape->setText(t.isValid() ? tr("%n layers · %1 parameters", nullptr, t.numLayers).arg(widgets::shortCount(static_cast<double>(t.parameters))) : QString());
    m_chosen->setText(choice.isKnown() ? tr("%1 softmax · %2 %3").arg(choice.keep()).arg(choice.numLayers() - choice.keep()).arg(m_session.probe().toUpper()) : QString());
    refreshProbes();
    m_probe->setCurrentIndex(m_probe->findData(m_session.probe()));
    setWindowTitle(t.isValid() ? tr("%1 — Stillroom").arg(widgets::teacherName(t.name)) : tr("Stillroom"));
}

/// Only where they are others: a combo box that is filled anew lays the window out anew, and this is called while K is dragged.
void MainWindow::refreshProbes()
{
    QStringList kinds, shown;
    for (const widgets::MixerSupport &mixer : m_session.teacher().mixers)
        kinds << mixer.kind;
    for (int i = 0; i < m_probe->count(); ++i)
        shown << m_probe->itemData(i).toString();
    if (kinds == shown)
        return;
    m_probe->clear();
    for (const QString &kind : kinds)
        m_probe->addItem(kind.toUpper(), kind);
}

void MainWindow::refreshIcons()
{
    for (int row = 0; row < m_pageList->count(); ++row) {
        QListWidgetItem *item = m_pageList->item(row);
        item->setIcon(widgets::pageIcon(item->data(Qt::UserRole).toString(), palette()));
    }
}

void MainWindow::changeEvent(QEvent *event)
{
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_pageList)
        refreshIcons();
}

void MainWindow::openFolder()
{
    const QString folder = QFileDialog::getExistingDirectory(this, tr("Open a Hugging Face folder"));
    if (!folder.isEmpty())
        m_session.openTeacher(folder);
}

void MainWindow::openFile()
{
    const QString file = QFileDialog::getOpenFileName(this, tr("Open a GGUF file"), {}, tr("GGUF models (*.gguf)"));
    if (!file.isEmpty())
        m_session.openTeacher(file);
}

/// The plot that has the focus, else the page's main one.
void MainWindow::exportFocused()
{
    const widgets::PlotView *chosen = nullptr;
    for (const QWidget *at = focusWidget(); at && !chosen; at = at->parentWidget())
        chosen = qobject_cast<const widgets::PlotView *>(at);
    if (!chosen || !chosen->isVisible() || !chosen->hasFigure())
        chosen = mainPlotOf(pageAt(m_pageList->currentRow()));
    if (chosen)
        exportPlot(*chosen);
    else
        m_problem->showText(tr("There is no plot to export on this page yet."));
}

void MainWindow::exportPlot(const widgets::PlotView &plot)
{
    auto *dialog = new widgets::ExportDialog(plot, m_session.teacher().argument.toStdString(), QCoreApplication::applicationVersion().toStdString(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void MainWindow::score()
{
    if (!m_session.teacher().isValid())
        return;
    m_pageList->setCurrentRow(1);
    askFor(widgets::ExperimentDialog::Kind::Score, m_session.scoreSpec(), [this](const nlohmann::json &settings) { startScoring(settings); });
}

/// Anew only where an equal one has ended: one that was broken off goes on from its checkpoint, and with another seed or selector an equal stage 1 is there to be used.
void MainWindow::startScoring(const nlohmann::json &settings)
{
    nlohmann::json spec = m_session.scoreSpec();
    spec.merge_patch(settings);
    m_session.score(settings, isScored(spec));
}

bool MainWindow::isScored(const nlohmann::json &spec) const
{
    const std::vector<widgets::MadeScoring> made = widgets::madeScorings(m_session.choices());
    if (m_offers.list.empty())      // nothing was asked: whoever scores once more wants it measured anew
        return widgets::isScoredWith(made, spec.value("selector", std::string("ga-s2")), m_session.probe().toStdString());
    try {
        return widgets::equalScoring(made, experiment::completeSpec(spec)) != nullptr;
    } catch (const Error &) {      // said when it starts
        return false;
    }
}

void MainWindow::distil()
{
    if (!m_session.choice().isKnown())
        return;
    m_pageList->setCurrentRow(1);
    askFor(widgets::ExperimentDialog::Kind::Distil, m_session.distilSpec(), [this](const nlohmann::json &settings) { m_session.distil(settings); });
}

void MainWindow::calibrate()
{
    if (!m_session.teacher().isValid())
        return;
    m_pageList->setCurrentRow(3);
    askFor(widgets::ExperimentDialog::Kind::Calibrate, m_session.calibrateSpec(), [this](const nlohmann::json &settings) { m_session.calibrate(settings); });
}

void MainWindow::askFor(widgets::ExperimentDialog::Kind kind, const nlohmann::json &spec, const std::function<void(const nlohmann::json &)> &goOn)
{
    using Dialog = widgets::ExperimentDialog;
    const bool demo = m_session.teacher().argument == QLatin1String("demo"), scoring = kind == Dialog::Kind::Score, calibrating = kind == Dialog::Kind::Calibrate;
    if (demo && !calibrating && (!scoring || m_offers.list.empty())) {
        goOn(scoring ? m_demo.score : m_demo.distil);
        return;
    }
    nlohmann::json given = m_demo.score;
    if (calibrating)
        given = {{"data", m_demo.score.value("data", nlohmann::json::object())}};
    Dialog::Subject subject{spec, demo ? std::optional(given) : std::nullopt, m_session.teacher().hasTokenizer, m_session.workspace(), {}};
    if (scoring)
        subject.made = widgets::madeScorings(m_session.choices());
    auto *dialog = new Dialog(kind, std::move(subject), m_offers, m_estimates, m_timings, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [dialog, goOn] { goOn(dialog->settings()); });
    dialog->open();
}

widgets::NewExperiment *MainWindow::newExperiment()
{
    const bool demo = m_session.teacher().argument == QLatin1String("demo");
    widgets::NewExperiment::Subject subject;
    subject.workspace = m_session.workspace();
    subject.teacher = m_session.teacher().argument;
    subject.mixer = m_session.probe();
    if (m_session.choice().isKnown())
        subject.keep = m_session.choice().layers();
    if (demo) {
        subject.data = m_demo.score.value("data", nlohmann::json::object());
        for (const auto &[kind, spec] : {std::pair{"score", m_demo.score}, std::pair{"distill", m_demo.distil}}) {
            widgets::SpecPreset preset{tr("The demo's own"), tr("The lengths that were measured for the demo teacher and its recall task."), spec};
            preset.spec["kind"] = kind;
            subject.presets.push_back(std::move(preset));
        }
    } else if (m_session.teacher().isValid()) {
        subject.data = {{"source", "text"}};
        for (const QString &file : QSettings().value(QStringLiteral("experiment/files")).toStringList())
            subject.data["files"].push_back(file.toStdString());
    }
    auto *dialog = new widgets::NewExperiment(std::move(subject), m_offers, m_estimates, m_timings, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &widgets::NewExperiment::runRequested, this, [this, dialog](const nlohmann::json &spec) { runFrom(dialog, spec); });
    dialog->show();
    return dialog;
}

/// The window of what is refused at once stays, so that nothing has to be written again.
void MainWindow::runFrom(widgets::NewExperiment *dialog, const nlohmann::json &spec)
{
    QString refusal;
    const auto heard = connect(&m_session, &widgets::Session::problem, dialog, [&refusal](const QString &text) { refusal = text; });
    m_session.run(spec);
    disconnect(heard);
    if (refusal.isEmpty())
        dialog->accept();
    else
        dialog->say(refusal);
}

void MainWindow::newExperimentFrom(const QString &run, const QString &task)
{
    m_session.withStore("pattern", [window = QPointer<MainWindow>(this), run, task](store::Workspace &workspace) -> widgets::Background::Answer {
        const auto stored = workspace.run(run.toStdString());
        if (!stored)
            return [window] {
                if (window)
                    window->m_problem->showText(tr("The run is not in this workspace any more."));
            };
        nlohmann::json spec = nlohmann::json::parse(stored->specJson);
        for (const nlohmann::json &stage : nlohmann::json(spec.value("stages", nlohmann::json::array())))
            if (!task.isEmpty() && stage.at("task") == task.toStdString())
                spec = stage.at("spec");
        return [window, spec] {
            if (window)
                window->newExperiment()->load(spec);
        };
    });
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    if (!m_closing->mayClose()) {
        event->ignore();
        return;
    }
    m_memory->save();
    event->accept();
}

/// Also of what cannot be opened: a refusal without a word would not say why.
void MainWindow::dragEnterEvent(QDragEnterEvent *event)
{
    if (event->mimeData()->hasUrls())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent *event)
{
    const QList<QUrl> urls = event->mimeData()->urls();
    if (urls.isEmpty())
        return;
    event->acceptProposedAction();
    const QString path = urls.front().toLocalFile();
    if (urls.size() > 1)
        m_problem->showText(tr("Drop one model or one spec at a time."));
    else if (path.isEmpty())
        m_problem->showText(tr("“%1” is not on this computer: download it first, then drop its folder or file here.").arg(shownLink(urls.front().toDisplayString())));
    else if (path.endsWith(QLatin1String(".json"), Qt::CaseInsensitive) && !QFileInfo(path).isDir())
        newExperiment()->openFile(path);
    else {
        m_pageList->setCurrentRow(0);
        m_session.openTeacher(path);
    }
}

/// A field would take a file for text, its name where the model was meant; and on a plain X11 it would take Ctrl+E, Ctrl+K and Ctrl+D for the editing that Emacs has there.
void MainWindow::letFilesAndKeysPastFields()
{
    for (QWidget *one : findChildren<QWidget *>())
        if (one->acceptDrops() || qobject_cast<QAbstractSpinBox *>(one))
            one->installEventFilter(this);
}

bool MainWindow::eventFilter(QObject *watched, QEvent *event)
{
    const bool isFile = event->type() == QEvent::DragEnter && static_cast<const QDragEnterEvent *>(event)->mimeData()->hasUrls();
    const bool isKey = event->type() == QEvent::ShortcutOverride && isActionKey(QKeySequence(static_cast<const QKeyEvent *>(event)->keyCombination()));
    if (!isFile && !isKey)
        return QMainWindow::eventFilter(watched, event);
    event->ignore();      // and the window around it is asked
    return true;
}

/// Whether an action of the window, in a menu or of a page, has these keys and they mean something else than in a field.
bool MainWindow::isActionKey(const QKeySequence &keys) const
{
    if (!keys[0].keyboardModifiers().testFlag(Qt::ControlModifier))
        return false;
    for (const QKeySequence::StandardKey key : {QKeySequence::Undo, QKeySequence::Redo, QKeySequence::Copy})
        if (QKeySequence::keyBindings(key).contains(keys))
            return false;
    const QList<QAction *> actions = findChildren<QAction *>();
    return std::any_of(actions.begin(), actions.end(), [&keys](const QAction *action) { return action->shortcuts().contains(keys); });
}

void MainWindow::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape)
        leave();
    else if (event->matches(QKeySequence::Find))
        find();
    else if (event->key() == Qt::Key_I && event->modifiers() == Qt::NoModifier)
        m_inspector->setVisible(!m_inspector->isVisible());
    else if (const QString reason = whyNot(*this, QKeySequence(event->keyCombination())); !reason.isEmpty())
        sayInPassing(reason);
    else
        QMainWindow::keyPressEvent(event);
}

void MainWindow::resizeEvent(QResizeEvent *event)
{
    QMainWindow::resizeEvent(event);
    // Below this width the inspector would leave no room for the page: it comes on I.
    const bool narrow = width() < 1100;
    if (narrow != m_inspector->isHidden() && event->oldSize().isValid() && (event->oldSize().width() < 1100) != narrow)
        m_inspector->setVisible(!narrow);
}

}  // namespace stillroom
