// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

/// Getting packages from registries and what is in them out: pip, apt-get, dpkg-deb and zlib do the work.
namespace stillroom::cli {

/// A folder that goes away with its object.
class TemporaryFolder final {
public:
    explicit TemporaryFolder(const std::filesystem::path &parent);
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder &) = delete;
    TemporaryFolder &operator=(const TemporaryFolder &) = delete;
    [[nodiscard]] const std::filesystem::path &path() const { return m_path; }

private:
    std::filesystem::path m_path;
};

/// \return the downloaded file. \throws Error(Failed) with the tool's own last line.
[[nodiscard]] std::filesystem::path downloadPythonPackage(const std::string &requirement, const std::filesystem::path &folder);
[[nodiscard]] std::filesystem::path downloadDebianPackage(const std::string &package, const std::filesystem::path &folder);
/// A .whl (a zip archive) or a .deb. \throws Error(Failed)
void unpackPackage(const std::filesystem::path &package, const std::filesystem::path &folder);

/// A gzip file's content; any other file as it is.
[[nodiscard]] std::string readMaybeCompressed(const std::filesystem::path &file);
/// Inflates one zlib stream at the front of `bytes` and moves past it. \throws Error(BadFile)
[[nodiscard]] std::string inflateOne(std::string_view &bytes);
/// The lines of an R serialisation (binary, version 3) that holds one vector of strings. \throws Error(BadFile)
[[nodiscard]] std::string stringVectorLines(std::string_view serialised);

}  // namespace stillroom::cli
