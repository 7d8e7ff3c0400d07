// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "jobs/run.h"

#include <memory>

namespace stillroom::procedures {

class LoadedModels;     // stagerun.h

/// Every kind of experiment as the one function that `jobs` is handed. It keeps the models it loaded between runs.
[[nodiscard]] jobs::Procedure allProcedures();
/// The same with models that were loaded before.
[[nodiscard]] jobs::Procedure allProcedures(std::shared_ptr<LoadedModels> models);

}  // namespace stillroom::procedures
