// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobs/run.h"

#include "error.h"
#include "jobs/places.h"
#include "store/layout.h"

#include <nlohmann/json.hpp>
#include <utility>

namespace stillroom::jobs {

std::unique_ptr<Job> launch(const nlohmann::json &completedSpec, LaunchOptions options)
{
    if (options.runId.empty())
        options.runId = newUuid();
    static_cast<void>(store::runFolder(options.workspace, options.runId));      // refuses what is no UUID
    if (options.place == Place::WorkerThread) {
        if (!options.procedure)
            throw Error(ErrorCode::Usage, "A job in a worker thread needs a procedure.");
        return startThreadJob(completedSpec, std::move(options));
    }
    if (options.cliProgram.empty())
        throw Error(ErrorCode::Usage, "A job in a child process needs the path of stillroom-cli.");
    return startChildJob(completedSpec, std::move(options));
}

}  // namespace stillroom::jobs
