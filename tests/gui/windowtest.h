// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "jobs/run.h"
#include "madeup.h"

#include <QObject>
#include <QString>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

class QAction;
class QListWidget;
class QTemporaryDir;

namespace stillroom {

class MainWindow;

namespace widgets {
class Session;
}

namespace test {

/// The main window over a workspace of its own, with made-up jobs: what tests through the window begin and end with.
class WindowTest : public QObject {
protected:
    /// \param name  whose settings it keeps
    static void nameProgram(const QString &name);
    /// Without settings, in an empty folder; a warning that nobody expects is a failure.
    void begin();
    void end();

    /// With jobs that m_madeUp does.
    void openWindow();
    /// \param perform  what jobs do, on their threads. \param demo  settings of the demo's jobs
    void openWindow(jobs::Procedure perform, const nlohmann::json &demo);
    /// The demo's teacher, open and at rest.
    void openDemo();
    /// Another one, and what the workspace knows of it.
    void openTeacher(const QString &argument);
    /// Of the menu bar, by its words without the mark of their letter; there is one.
    [[nodiscard]] QAction *menuAction(const QString &text) const;
    [[nodiscard]] QListWidget *pages() const;
    /// Whether a line of the window says it.
    [[nodiscard]] bool says(const QString &part) const;
    [[nodiscard]] std::filesystem::path workspace() const;

    std::unique_ptr<QTemporaryDir> m_folder;
    std::shared_ptr<MadeUp> m_madeUp;
    std::unique_ptr<widgets::Session> m_session;
    std::unique_ptr<MainWindow> m_window;

public:
    WindowTest();
    ~WindowTest() override;
    Q_DISABLE_COPY_MOVE(WindowTest)
};

}  // namespace test
}  // namespace stillroom
