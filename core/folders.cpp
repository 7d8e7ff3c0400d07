// SPDX-License-Identifier: GPL-3.0-or-later
#include "folders.h"

#include "error.h"

#include <cstdlib>
#include <string>

namespace stillroom {
namespace fs = std::filesystem;
namespace {

fs::path fromEnvironment(const char *name)
{
    const char *value = std::getenv(name);
    return value ? fs::path(value) : fs::path();
}

fs::path home()
{
    const fs::path set = fromEnvironment("HOME");
    return set.empty() ? fs::temp_directory_path() : set;
}

}  // namespace

fs::path cacheFolder()
{
    const fs::path set = fromEnvironment("XDG_CACHE_HOME");
    return (set.empty() ? home() / ".cache" : set) / "stillroom";
}

fs::path defaultWorkspace()
{
    if (const fs::path set = fromEnvironment("STILLROOM_WORKSPACE"); !set.empty())
        return set;
    const fs::path data = fromEnvironment("XDG_DATA_HOME");
    return (data.empty() ? home() / ".local" / "share" : data) / "stillroom" / "workspace";
}

fs::path workspaceOr(const fs::path &named)
{
    return named.empty() ? defaultWorkspace() : named;
}

fs::path resourceFolder()
{
    if (const fs::path set = fromEnvironment("STILLROOM_RESOURCES"); !set.empty())
        return set;
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    return program.parent_path().parent_path() / "share" / "stillroom";
}

bool isThere(const fs::path &path) noexcept
{
    std::error_code error;
    return path.native().find('\0') == std::string::npos && fs::exists(path, error);
}

void requireFolder(const fs::path &workspace)
{
    std::error_code error;
    if (isThere(workspace) && !fs::is_directory(workspace, error) && !error)
        throw Error(ErrorCode::Usage, "the workspace \"" + workspace.string() + "\" is a file: name a folder instead");
}

bool isWorkspaceThere(const fs::path &folder)
{
    std::error_code error;
    if (fs::exists(folder, error)) {
        requireFolder(folder);
        return true;
    }
    if (error)
        throw Error(ErrorCode::BadFile, "the workspace \"" + folder.string() + "\" cannot be looked for: " + error.message() + "; name another one with --workspace, or get leave to enter the folders above it");
    return false;
}

void requireWorkspace(const fs::path &folder, std::string_view remedy)
{
    if (!isWorkspaceThere(folder))
        throw Error(ErrorCode::Usage, "there is no workspace at \"" + folder.string() + "\": " + std::string(remedy));
}

bool isFileThere(const fs::path &path) noexcept
{
    std::error_code error;
    return isThere(path) && fs::is_regular_file(path, error);
}

}  // namespace stillroom
