// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "jobs/run.h"

namespace stillroom::procedures {

/// Every kind of experiment as the one function that `jobs` is handed. It keeps the models it loaded between runs.
[[nodiscard]] jobs::Procedure allProcedures();

}  // namespace stillroom::procedures
