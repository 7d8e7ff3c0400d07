// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "dialogs/experimentdialog.h"
#include "models/session.h"

#include <QMainWindow>
#include <QPointer>

#include <nlohmann/json.hpp>

#include <functional>

class QAction;
class QComboBox;
class QDockWidget;
class QLabel;
class QListWidget;
class QMenu;
class QStackedWidget;
class QTimer;

namespace stillroom {

class Closing;
class WindowJobs;
class WindowLayouts;
class WindowMemory;
namespace widgets {
class ComparePage;
class Inspector;
class MessageLine;
class NewExperiment;
class PlotView;
class RecentTeachers;
class RunsPage;
}
namespace store {
struct ExperimentRow;
}

/// The frame: pages on the left, the hybrid strip on top, the inspector on the right, the jobs strip at the bottom.
class MainWindow final : public QMainWindow {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(MainWindow)

public:
    /// Settings with which the window starts an experiment on the demo teacher: the measured ones, asked for nothing.
    struct DemoSettings {
        nlohmann::json score, distil;
    };
    /// \param offers  what layers may be scored with; without any the demo is scored as its settings say, and nothing is asked for
    MainWindow(widgets::Session &session, DemoSettings demo, widgets::SelectorOffers offers = {}, QWidget *parent = nullptr);
    /// What the window begins with. \param teacher  empty: the one that was open last, else the demo. \param link  goes before it where it names a teacher; empty for none
    void start(const QString &teacher, const QString &link = {});
    /// Shows what it leads to; a bad one is said in the page. See models/deeplink.h.
    void openLink(const QString &link);
    /// To the front, for who started the program once more.
    void comeForward();

protected:
    void changeEvent(QEvent *event) override;
    void closeEvent(QCloseEvent *event) override;
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dropEvent(QDropEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void makePages();
    void letFilesAndKeysPastFields();
    [[nodiscard]] bool isActionKey(const QKeySequence &keys) const;
    void makeCentre();
    void makeMessages();
    QLayout *makeHeader(QWidget *parent);
    void makeInspector();
    void makeMenus();
    void makeViewMenu();
    void makeLayoutMenu();
    void makeHelpMenu();
    void addPage(const QString &name, const QString &icon, QWidget *page);
    void refreshHeader();
    void refreshProbes();
    void refreshIcons();
    void refreshRecent();
    void refreshActions();
    void followWork();
    /// Chosen by key or command: the keyboard goes into it. A walk along the list of pages stays there.
    void showPage(int row);
    /// What Escape leaves: the words of a search first, then a dock, then the selected layer.
    void leave();
    /// The page's search, from wherever the keyboard is.
    void find();
    void sayWhatIsCopied();
    void sayInPassing(const QString &text);
    [[nodiscard]] QWidget &pageAt(int row) const;
    /// The keyboard goes where it was in the page, else into it.
    void goBackToPage();
    /// What one works with on a page; null where the Tab key reaches nothing of it.
    [[nodiscard]] static QWidget *mainOf(const QWidget &page);
    [[nodiscard]] bool isInHiddenDock(const QWidget *widget) const;
    /// What a run found, where there is a page of such things; else the inspector says what is known of it.
    void openRun(const store::ExperimentRow &row);
    void refreshInspector();
    [[nodiscard]] static widgets::PlotView *mainPlotOf(const QWidget &page);      ///< the largest that has something to show; null for none
    void showCommands();
    void showLayer(int layer);
    void showKeys();
    void showAbout();
    void openFolder();
    void openFile();
    void exportFocused();
    void exportPlot(const widgets::PlotView &plot);
    void score();
    void distil();
    void calibrate();
    /// Asks for what is not known, and goes on with it unless a person thinks better of it.
    void askFor(widgets::ExperimentDialog::Kind kind, const nlohmann::json &spec, const std::function<void(const nlohmann::json &settings)> &goOn);
    /// Any experiment, from nothing, or from a spec that is laid into its window.
    widgets::NewExperiment *newExperiment();
    void newExperimentFrom(const QString &run, const QString &task);
    void runFrom(widgets::NewExperiment *dialog, const nlohmann::json &spec);
    void startScoring(const nlohmann::json &settings);
    [[nodiscard]] bool isScored(const nlohmann::json &spec) const;      ///< whether its numbers are there already

    widgets::Session &m_session;
    DemoSettings m_demo;
    widgets::SelectorOffers m_offers;
    QListWidget *m_pageList = nullptr;
    QStackedWidget *m_pages = nullptr;
    QComboBox *m_probe = nullptr;
    QLabel *m_probeLabel = nullptr, *m_teacherName = nullptr, *m_teacherShape = nullptr, *m_chosen = nullptr;
    QWidget *m_strip = nullptr;
    QTimer *m_passingEnds = nullptr;
    QLabel *m_passing = nullptr;          ///< what was done a moment ago, or could not be, at the right of the status bar
    widgets::MessageLine *m_problem = nullptr, *m_notice = nullptr;
    widgets::RunsPage *m_runs = nullptr;
    WindowJobs *m_jobs = nullptr;
    Closing *m_closing = nullptr;
    widgets::ComparePage *m_compare = nullptr;
    widgets::RecentTeachers *m_recent = nullptr;
    QMenu *m_recentMenu = nullptr, *m_viewMenu = nullptr;
    QAction *m_scoreAction = nullptr, *m_distilAction = nullptr, *m_calibrateAction = nullptr, *m_cancelAction = nullptr, *m_layerLinkAction = nullptr;
    WindowMemory *m_memory = nullptr;
    WindowLayouts *m_layouts = nullptr;
    int m_linkedLayer = -1;               ///< of a link that came before a teacher was open
    QDockWidget *m_inspector = nullptr;
    widgets::Inspector *m_inspected = nullptr;
    QPointer<QWidget> m_pageFocus;        ///< where the keyboard was in the pages
    widgets::Background m_estimates, m_timings;        ///< of costs; apart, so that no cost waits for a teacher that is being timed
};

}  // namespace stillroom
