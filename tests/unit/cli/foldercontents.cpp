// SPDX-License-Identifier: GPL-3.0-or-later
#include "foldercontents.h"

#include <fstream>
#include <iterator>

namespace fs = std::filesystem;

FolderContents contentsOf(const fs::path &folder)
{
    FolderContents contents;
    for (const auto &entry : fs::recursive_directory_iterator(folder)) {
        const std::string name = entry.path().lexically_relative(folder).string();
        if (!entry.is_regular_file()) {
            contents[name] = "a folder";
            continue;
        }
        std::ifstream stream(entry.path(), std::ios::binary);
        contents[name] = std::string(std::istreambuf_iterator<char>(stream), {});
    }
    return contents;
}

std::string changesBetween(const FolderContents &before, const FolderContents &after, const std::string &exempt)
{
    std::string changes;
    const auto say = [&](const std::string &name, const char *what) {
        if (exempt.empty() || !name.starts_with(exempt))
            changes += name + what + "\n";
    };
    for (const auto &[name, content] : after)
        if (const auto found = before.find(name); found == before.end())
            say(name, " is new");
        else if (found->second != content)
            say(name, " was changed");
    for (const auto &[name, content] : before)
        if (!after.contains(name))
            say(name, " is gone");
    return changes;
}
