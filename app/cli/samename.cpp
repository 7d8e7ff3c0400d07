// SPDX-License-Identifier: GPL-3.0-or-later
#include "samename.h"

#include "shownname.h"

#include <algorithm>
#include <iostream>

namespace stillroom::cli {

void sayIfNamedBefore(const store::Workspace &workspace, const std::string &name, const std::string &uuid)
{
    const auto isOther = [&](const store::Run &run) { return run.name == name && run.uuid != uuid; };
    const std::vector<store::Run> called = name.empty() ? std::vector<store::Run>() : workspace.runsCalled(name);
    if (const auto other = std::find_if(called.begin(), called.end(), isOther); other != called.end())
        std::cerr << "Note: the run " << shownName(other->uuid) << " is called \"" << shownName(name) << "\", too: name either by the beginning of its UUID\n";
}

}  // namespace stillroom::cli
