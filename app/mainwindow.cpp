// SPDX-License-Identifier: GPL-3.0-or-later
#include "mainwindow.h"

#include "dialogs/experimentdialog.h"
#include "pages/layerspage.h"
#include "pages/teacherpage.h"
#include "views/hybridstrip.h"
#include "views/inspector.h"
#include "views/jobsstrip.h"
#include "views/palette.h"

#include <QAction>
#include <QCloseEvent>
#include <QComboBox>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QListWidget>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QSettings>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace stillroom {

MainWindow::MainWindow(widgets::Session &session, DemoSettings demo, QWidget *parent) : QMainWindow(parent), m_session(session), m_demo(std::move(demo))
{
    setWindowTitle(tr("Stillroom"));
    setAcceptDrops(true);
    setMinimumSize(900, 600);
    auto *central = new QWidget(this);
    setCentralWidget(central);
    makePages();
    makeHeader(central);
    makeInspector();
    makeMenus();
    connect(&m_session, &widgets::Session::teacherChanged, this, &MainWindow::refreshHeader);
    connect(&m_session, &widgets::Session::teacherChanged, this, [this] { m_problemBox->hide(); });
    connect(&m_session, &widgets::Session::probeChanged, this, &MainWindow::refreshHeader);
    connect(&m_session, &widgets::Session::problem, this, &MainWindow::showProblem);
    connect(&m_session.job(), &widgets::JobFeed::started, this, [this] { m_problemBox->hide(); });
    connect(&m_session.job(), &widgets::JobFeed::ended, this, [this] {
        if (m_closing)
            close();
    });
    refreshHeader();
    restoreLayout();
}

void MainWindow::makePages()
{
    m_pageList = new QListWidget(this);
    m_pageList->setAccessibleName(tr("Pages"));
    m_pageList->setFrameShape(QFrame::NoFrame);
    m_pageList->setFixedWidth(fontMetrics().averageCharWidth() * 16);
    m_pages = new QStackedWidget(this);
    auto *teacher = new widgets::TeacherPage(m_session, this);
    auto *layers = new widgets::LayersPage(m_session, this);
    connect(teacher, &widgets::TeacherPage::openFolderRequested, this, &MainWindow::openFolder);
    connect(teacher, &widgets::TeacherPage::openFileRequested, this, &MainWindow::openFile);
    connect(teacher, &widgets::TeacherPage::scoreRequested, this, &MainWindow::score);
    connect(layers, &widgets::LayersPage::scoreRequested, this, &MainWindow::score);
    connect(layers, &widgets::LayersPage::distilRequested, this, &MainWindow::distil);
    struct Page {
        QString name, icon;
        QWidget *widget;
    };
    const Page pages[] = {{tr("Teacher"), QStringLiteral("teacher"), teacher}, {tr("Layers"), QStringLiteral("layers"), layers}};
    for (const auto &[name, icon, page] : pages) {
        auto *item = new QListWidgetItem(widgets::pageIcon(icon, palette()), name, m_pageList);
        item->setSizeHint({0, fontMetrics().height() * 2});
        item->setToolTip(tr("Ctrl+%1").arg(m_pageList->count()));
        m_pages->addWidget(page);
    }
    connect(m_pageList, &QListWidget::currentRowChanged, m_pages, &QStackedWidget::setCurrentIndex);
    m_pageList->setCurrentRow(0);
}

void MainWindow::makeHeader(QWidget *central)
{
    auto *outer = new QVBoxLayout(central);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(0);
    auto *middle = new QHBoxLayout;
    middle->setSpacing(0);
    middle->addWidget(m_pageList);
    auto *column = new QVBoxLayout;
    column->setSpacing(6);
    auto *header = new QVBoxLayout;
    header->setContentsMargins(16, 10, 16, 0);
    auto *line = new QHBoxLayout;
    m_teacherLine = new QLabel(central);
    m_probe = new QComboBox(central);
    m_probe->setAccessibleName(tr("Probe"));
    m_probe->setToolTip(tr("The linear mixer that takes the place of softmax"));
    auto *probeLabel = new QLabel(tr("&Probe:"), central);
    probeLabel->setBuddy(m_probe);
    connect(m_probe, &QComboBox::activated, this, [this](int index) { m_session.setProbe(m_probe->itemData(index).toString()); });
    line->addWidget(m_teacherLine, 1);
    line->addWidget(probeLabel);
    line->addWidget(m_probe);
    header->addLayout(line);
    header->addWidget(new widgets::HybridStrip(m_session, central));
    m_problemBox = new QWidget(central);
    auto *problemRow = new QHBoxLayout(m_problemBox);
    problemRow->setContentsMargins(8, 4, 4, 4);
    m_problem = new QLabel(m_problemBox);
    m_problem->setWordWrap(true);
    m_problem->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    auto *dismiss = new QToolButton(m_problemBox);
    dismiss->setText(tr("Dismiss"));
    connect(dismiss, &QToolButton::clicked, m_problemBox, &QWidget::hide);
    problemRow->addWidget(m_problem, 1);
    problemRow->addWidget(dismiss);
    m_problemBox->setAutoFillBackground(true);
    m_problemBox->setBackgroundRole(QPalette::AlternateBase);
    m_problemBox->hide();
    header->addWidget(m_problemBox);
    column->addLayout(header);
    column->addWidget(m_pages, 1);
    middle->addLayout(column, 1);
    outer->addLayout(middle, 1);
    outer->addWidget(new widgets::JobsStrip(m_session, central));
}

void MainWindow::makeInspector()
{
    m_inspector = new QDockWidget(tr("Inspector"), this);
    m_inspector->setObjectName(QStringLiteral("inspector"));
    m_inspector->setWidget(new widgets::Inspector(m_session, m_inspector));
    addDockWidget(Qt::RightDockWidgetArea, m_inspector);
}

void MainWindow::makeMenus()
{
    QMenu *file = menuBar()->addMenu(tr("&File"));
    file->addAction(tr("&Open teacher folder…"), QKeySequence::Open, this, &MainWindow::openFolder);
    file->addAction(tr("Open &GGUF file…"), QKeySequence(QStringLiteral("Ctrl+Shift+O")), this, &MainWindow::openFile);
    file->addAction(tr("Open the &demo"), this, [this] { m_session.openTeacher(QStringLiteral("demo")); });
    file->addSeparator();
    file->addAction(tr("&Quit"), QKeySequence::Quit, this, &QWidget::close);
    QMenu *run = menuBar()->addMenu(tr("&Run"));
    run->addAction(tr("&Score layers"), QKeySequence(QStringLiteral("Ctrl+R")), this, &MainWindow::score);
    run->addAction(tr("&Distil the chosen hybrid"), QKeySequence(QStringLiteral("Ctrl+D")), this, &MainWindow::distil);
    run->addAction(tr("&Cancel the job"), this, [this] { m_session.cancel(); });
    QMenu *view = menuBar()->addMenu(tr("&View"));
    for (int row = 0; row < m_pageList->count(); ++row)
        view->addAction(m_pageList->item(row)->text(), QKeySequence(QStringLiteral("Ctrl+%1").arg(row + 1)), this, [this, row] { m_pageList->setCurrentRow(row); });
    view->addSeparator();
    QAction *inspector = m_inspector->toggleViewAction();
    inspector->setShortcut(QKeySequence(QStringLiteral("Ctrl+I")));
    view->addAction(inspector);
}

void MainWindow::refreshHeader()
{
    const widgets::ModelDescription &t = m_session.teacher();
    m_teacherLine->setText(t.isValid() ? tr("%1 · %n layers · %2 parameters", nullptr, t.numLayers).arg(t.name, widgets::shortCount(static_cast<double>(t.parameters)))
                                       : tr("No teacher is open."));
    m_probe->clear();
    for (const widgets::MixerSupport &mixer : t.mixers)
        m_probe->addItem(mixer.kind.toUpper(), mixer.kind);
    m_probe->setCurrentIndex(m_probe->findData(m_session.probe()));
    m_probe->setEnabled(m_probe->count() > 0);
    setWindowTitle(t.isValid() ? tr("%1 — Stillroom").arg(t.name) : tr("Stillroom"));
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

void MainWindow::score()
{
    if (!m_session.teacher().isValid() || m_session.job().isRunning())
        return;
    m_pageList->setCurrentRow(1);
    if (const auto settings = experimentSettings(true))
        m_session.score(*settings, !m_session.scores().bars().empty());
}

void MainWindow::distil()
{
    if (!m_session.choice().isKnown() || m_session.job().isRunning())
        return;
    m_pageList->setCurrentRow(1);
    if (const auto settings = experimentSettings(false))
        m_session.distil(*settings);
}

std::optional<nlohmann::json> MainWindow::experimentSettings(bool scoring)
{
    if (m_session.teacher().argument == QLatin1String("demo"))
        return scoring ? m_demo.score : m_demo.distil;
    widgets::ExperimentDialog dialog(scoring ? widgets::ExperimentDialog::Kind::Score : widgets::ExperimentDialog::Kind::Distil, m_session.teacher().numLayers, this);
    if (dialog.exec() != QDialog::Accepted)
        return {};
    return dialog.settings();
}

void MainWindow::showProblem(const QString &text)
{
    m_problem->setText(text);
    m_problemBox->show();
}

void MainWindow::restoreLayout()
{
    const QSettings settings;
    if (!restoreGeometry(settings.value(QStringLiteral("window/geometry")).toByteArray()))
        resize(1280, 800);
    restoreState(settings.value(QStringLiteral("window/state")).toByteArray());
    m_pageList->setCurrentRow(settings.value(QStringLiteral("window/page"), 1).toInt());
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    if (m_session.job().isRunning()) {
        if (!m_closing) {
            const auto answer = QMessageBox::question(this, tr("A job is running"), tr("Stop it after its current step and close? A checkpoint is kept, and it can be resumed."),
                                                      QMessageBox::Yes | QMessageBox::Cancel, QMessageBox::Yes);
            if (answer == QMessageBox::Yes) {
                m_closing = true;
                m_session.cancel();
            }
        }
        event->ignore();   // closes by itself when the job has ended
        return;
    }
    QSettings settings;
    settings.setValue(QStringLiteral("window/geometry"), saveGeometry());
    settings.setValue(QStringLiteral("window/state"), saveState());
    settings.setValue(QStringLiteral("window/page"), m_pageList->currentRow());
    event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent *event)
{
    const QList<QUrl> urls = event->mimeData()->urls();
    if (urls.size() == 1 && urls.front().isLocalFile())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent *event)
{
    const QString path = event->mimeData()->urls().front().toLocalFile();
    event->acceptProposedAction();
    m_pageList->setCurrentRow(0);
    m_session.openTeacher(path);
}

void MainWindow::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape)
        m_session.selection().clear();
    else if (event->key() == Qt::Key_I && event->modifiers() == Qt::NoModifier)
        m_inspector->setVisible(!m_inspector->isVisible());
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
