// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace stillroom::cli {

/// The whole of `stillroom-cli`: parses the arguments, does the work, and says what fails in one line on standard error.
/// A library, so that a test can call it in processes that have LibTorch loaded already. \returns the exit status. \throws nothing
int runCommandLine(int argc, char **argv);

}  // namespace stillroom::cli
