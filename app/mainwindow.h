// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/session.h"

#include <QMainWindow>

#include <nlohmann/json.hpp>

#include <optional>

class QComboBox;
class QDockWidget;
class QLabel;
class QListWidget;
class QStackedWidget;

namespace stillroom {

/// The frame: pages on the left, the hybrid strip on top, the inspector on the right, the jobs strip at the bottom.
class MainWindow final : public QMainWindow {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(MainWindow)

public:
    /// Settings with which the window starts an experiment on the demo teacher: the measured ones, asked for nothing.
    struct DemoSettings {
        nlohmann::json score, distil;
    };
    MainWindow(widgets::Session &session, DemoSettings demo, QWidget *parent = nullptr);

protected:
    void closeEvent(QCloseEvent *event) override;
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dropEvent(QDropEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void makePages();
    void makeHeader(QWidget *central);
    void makeInspector();
    void makeMenus();
    void refreshHeader();
    void openFolder();
    void openFile();
    void score();
    void distil();
    [[nodiscard]] std::optional<nlohmann::json> experimentSettings(bool scoring);   ///< nothing when a person thought better of it
    void showProblem(const QString &text);
    void restoreLayout();

    widgets::Session &m_session;
    DemoSettings m_demo;
    QListWidget *m_pageList = nullptr;
    QStackedWidget *m_pages = nullptr;
    QComboBox *m_probe = nullptr;
    QLabel *m_teacherLine = nullptr, *m_problem = nullptr;
    QWidget *m_problemBox = nullptr;
    QDockWidget *m_inspector = nullptr;
    bool m_closing = false;
};

}  // namespace stillroom
