// SPDX-License-Identifier: GPL-3.0-or-later
#include "demoworkspace.h"

#include "error.h"
#include "folders.h"

namespace stillroom {
namespace fs = std::filesystem;

void seedDemoWorkspace(const fs::path &workspace)
{
    const fs::path shipped = resourceFolder() / "demo" / "workspace" / "runs";
    if (isThere(workspace / "stillroom.db") || isThere(workspace / "runs") || !isThere(shipped))
        return;
    std::error_code error;
    fs::create_directories(workspace, error);
    if (!error)
        fs::copy(shipped, workspace / "runs", fs::copy_options::recursive, error);
    if (error)
        throw Error(ErrorCode::Io, workspace.string() + " cannot be written (" + error.message() + "): choose another workspace");
}

}  // namespace stillroom
