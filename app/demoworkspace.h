// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

namespace stillroom {

/// Puts the demo's finished run, which ships with the program, into a workspace that is not there yet, so that the window opens on something.
/// The recorder takes its lines in like those of any other run. \throws Error(Io)
void seedDemoWorkspace(const std::filesystem::path &workspace);

}  // namespace stillroom
