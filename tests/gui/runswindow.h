// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "windowtest.h"

#include <set>
#include <string>
#include <vector>

class QTableView;

namespace stillroom {

namespace widgets {
class ComparePage;
class ExperimentTable;
class RunsPage;
}

namespace test {

nlohmann::json distillSpec(int seed, const std::vector<int> &keep, const std::string &name);

/// Of a distillation's lines.
struct Course {
    int steps = 5, pauseBefore = -1;      ///< half a second each; a pause of a night
    bool resumed = false;
    std::string series = "distill/kl";
};

/// A window that shows the runs of a workspace of made-up distillations: what the tests of their table and of their comparison begin with.
class RunsWindow : public WindowTest {
protected:
    void begin();

    /// Three repetitions of one distillation and one of another set.
    void open(int experiments);
    void openWindow();
    void compareAll();
    /// \param more  measures besides
    void write(int number, const nlohmann::json &spec, double kl, const std::vector<int> &selected = {}, const nlohmann::json &more = nlohmann::json::object(), const Course &course = {});
    void readAgain();
    /// What a job of the window does. Called on its thread.
    virtual nlohmann::json perform(const nlohmann::json &spec, jobs::RunContext &context, MadeUp &madeUp) { return madeUp(spec, context); }

    [[nodiscard]] widgets::RunsPage *page() const;
    [[nodiscard]] widgets::ComparePage *compared() const;
    [[nodiscard]] QTableView *view() const;
    [[nodiscard]] widgets::ExperimentTable &table() const;
    [[nodiscard]] int column(const char *id) const;
    [[nodiscard]] bool hasLabel(const QString &part) const;

    std::set<int> m_distilled, m_onDisk;      ///< numbers of those that made a hybrid, and of those where it still is
};

}  // namespace test
}  // namespace stillroom
