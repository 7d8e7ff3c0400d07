// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "steppedwork.h"
#include "windowtest.h"

#include <QStringList>

class QDockWidget;
class QPushButton;
class QTableView;

namespace stillroom {

namespace widgets {
class InterruptedLine;
class JobQueue;
class JobsPanel;
class JobsStrip;
class RunsPage;
}

namespace test {

/// A window whose jobs work in steps and wait where a test says so, and what it shows of them.
class JobsWindow : public WindowTest {
protected:
    void begin();
    void end();
    void open();
    void score(int seed);
    void showDock();

    [[nodiscard]] static QStringList runs(const widgets::JobQueue &queue);
    [[nodiscard]] QStringList calledRuns();
    [[nodiscard]] QString stripText() const;
    [[nodiscard]] static QString text(const QTableView &view, int row, int column);
    /// Null unless it is to be seen. \param in  the window, where it is null
    [[nodiscard]] QPushButton *find(const QString &name, const QWidget *in = nullptr) const;
    [[nodiscard]] QPushButton *button(const QString &name) const;      ///< of the strip
    [[nodiscard]] widgets::JobQueue &queue() const;
    [[nodiscard]] QDockWidget *dock() const;
    [[nodiscard]] widgets::JobsStrip *strip() const;
    [[nodiscard]] widgets::JobsPanel *panel() const;
    [[nodiscard]] widgets::InterruptedLine *line() const;
    [[nodiscard]] widgets::RunsPage *runsPage() const;

    std::shared_ptr<SteppedWork> m_work;
};

}  // namespace test
}  // namespace stillroom
