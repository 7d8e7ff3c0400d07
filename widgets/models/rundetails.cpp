// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/rundetails.h"

#include "models/comparison.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace stillroom::widgets {

RunDetails runDetails(const store::Workspace &workspace, const store::ExperimentRow &row)
{
    RunDetails details;
    const auto run = workspace.run(row.uuid);
    if (!run)
        return details;
    details.key = QString::fromStdString(run->key);
    details.device = QString::fromStdString(run->device);
    details.failure = QString::fromStdString(run->failureMessage);
    details.changed = changedFields(specOfStage(run->specJson, row.task));
    const std::vector<store::TaskInfo> tasks = workspace.tasks(row.uuid);
    const std::string task = row.task.empty() ? row.kind : row.task;
    if (const auto own = std::find_if(tasks.begin(), tasks.end(), [&](const store::TaskInfo &one) { return one.task == task; }); own != tasks.end()) {
        if (!own->key.empty())
            details.key = QString::fromStdString(own->key);
        if (!own->device.empty())
            details.device = QString::fromStdString(own->device);
    }
    return details;
}

}  // namespace stillroom::widgets
