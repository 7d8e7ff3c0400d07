// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "store/workspace.h"

#include <string>

namespace stillroom::cli {

/// Names need not be unique, but a run whose name another one has can no longer be named by it: that is said on standard error.
/// \param uuid  of the run that gets the name; empty: it has not begun
void sayIfNamedBefore(const store::Workspace &workspace, const std::string &name, const std::string &uuid = {});

}  // namespace stillroom::cli
