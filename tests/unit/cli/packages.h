// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <initializer_list>
#include <map>
#include <string>

/// Small packages as registries hold them, written byte by byte. Files are path to content.
namespace stillroom::test {

using PackagedFiles = std::map<std::string, std::string>;

/// A zip archive of stored files, which is what a wheel is.
[[nodiscard]] std::string wheelOf(const PackagedFiles &files);
/// An ar archive with debian-binary, control.tar and data.tar.
[[nodiscard]] std::string debOf(const PackagedFiles &files);
[[nodiscard]] std::string gzipped(const std::string &text);
/// One zlib stream.
[[nodiscard]] std::string deflated(const std::string &text);
/// R's serialisation (binary, big-endian, version 3) of one vector of strings; a null pointer is a missing one.
[[nodiscard]] std::string serialisedStrings(std::initializer_list<const char *> strings);

}  // namespace stillroom::test
