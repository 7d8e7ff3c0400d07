// SPDX-License-Identifier: GPL-3.0-or-later
#include "runswindow.h"

#include "mainwindow.h"
#include "models/experimenttable.h"
#include "models/session.h"
#include "pages/comparepage.h"
#include "pages/runspage.h"
#include "store/lines.h"
#include "storedscorings.h"

#include <QLabel>
#include <QTableView>
#include <QTest>

#include <fstream>

namespace stillroom::test {

nlohmann::json distillSpec(int seed, const std::vector<int> &keep, const std::string &name)
{
    return {{"kind", "distill"}, {"name", name}, {"teacher", "demo"}, {"mixer", {{"kind", "gdn"}}}, {"keep", keep}, {"seed", seed}};
}

void RunsWindow::begin()
{
    WindowTest::begin();
    m_distilled.clear();
    m_onDisk.clear();
}

void RunsWindow::open(int experiments)
{
    for (int i = 0; i < experiments; ++i)
        write(i + 1, i < 3 ? distillSpec(i + 1, {3, 4}, "same") : distillSpec(1, {0, 1}, "other set"), i < 3 ? 0.1 * (i + 1) : 0.3);
    openWindow();
    QTRY_COMPARE(table().rowCount(), experiments);
}

void RunsWindow::openWindow()
{
    WindowTest::openWindow([this, madeUp = std::make_shared<MadeUp>()](const nlohmann::json &spec, jobs::RunContext &context) { return perform(spec, context, *madeUp); }, nlohmann::json());
    QTest::keyClick(m_window.get(), Qt::Key_5, Qt::ControlModifier);
    QTRY_VERIFY(page()->isVisible());
}

void RunsWindow::compareAll()
{
    view()->selectAll();
    view()->setFocus();
    QTest::keyClick(view(), Qt::Key_D);
    QTRY_VERIFY(compared()->isVisible());
}

void RunsWindow::write(int number, const nlohmann::json &spec, double kl, const std::vector<int> &selected, const nlohmann::json &more, const Course &course)
{
    LineWriter writer(workspace(), runName(number), goneProcess(), 1764480000.0 + 1000.0 * number);
    writer.say(experiment::Started{.kind = "distill", .key = "k" + std::to_string(number), .specJson = spec.dump(), .device = "cpu", .computeType = "float32", .resumed = course.resumed, .version = "0.1.0"}, "distill");
    for (int step = 0; step < course.steps; ++step) {
        if (step == course.pauseBefore)
            writer.wait(40000.0);
        writer.say(experiment::Metric{course.series, step, step * 100LL, step == 0 ? 0.0 : kl / step, "nats/token"}, "distill");
    }
    nlohmann::json measures = {{"kl_nats", kl}, {"se_nats", 0.01}, {"n", 64}, {"recall", 1.0 - kl}};
    measures.update(more);
    nlohmann::json result = {{"kind", "distill"}, {"selected", selected.empty() ? spec.at("keep") : nlohmann::json(selected)}, {"measures", measures}};
    const std::filesystem::path model = "artifacts/k" + std::to_string(number) + "/model";
    if (m_distilled.contains(number))
        result["model"] = model.string();
    if (m_onDisk.contains(number)) {
        std::filesystem::create_directories(workspace() / model);
        std::ofstream(workspace() / model / "config.json") << "{}";
    }
    writer.say(experiment::Finished{.resultJson = result.dump(), .seconds = 1.0}, "distill");
}

void RunsWindow::readAgain()
{
    m_session->withStore("look", [](store::Workspace &store) -> widgets::Background::Answer {
        (void)store.markInterrupted();
        return [] {};
    });
    Q_EMIT m_session->stored();
}

widgets::RunsPage *RunsWindow::page() const { return m_window->findChild<widgets::RunsPage *>(); }
widgets::ComparePage *RunsWindow::compared() const { return m_window->findChild<widgets::ComparePage *>(); }
QTableView *RunsWindow::view() const { return page()->findChild<QTableView *>(); }
widgets::ExperimentTable &RunsWindow::table() const { return *static_cast<widgets::ExperimentTable *>(view()->model()); }

int RunsWindow::column(const char *id) const
{
    const auto &columns = table().columns();
    for (std::size_t i = 0; i < columns.size(); ++i)
        if (columns[i].id == QLatin1String(id))
            return static_cast<int>(i);
    return -1;
}

bool RunsWindow::hasLabel(const QString &part) const
{
    for (const QLabel *label : page()->findChildren<QLabel *>())
        if (label->isVisible() && label->text().contains(part))
            return true;
    return false;
}

}  // namespace stillroom::test
