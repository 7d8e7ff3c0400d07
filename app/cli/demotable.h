// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace stillroom::cli {

/// What the demo found, by seed, and commands that go on from there, each to be run as it stands where this one was. That of the window is left out where its program is not beside this one.
/// \param total  what `demo --json` prints. \param program  as it was invoked. \param workspace  as --workspace names it; empty: the usual one
void printDemo(const nlohmann::json &total, const std::string &program, const std::string &workspace, std::ostream &out);

}  // namespace stillroom::cli
