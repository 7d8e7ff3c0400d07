// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkpoint/malformed.h"

#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <vector>

/// Damages a file: returns the bytes to put in its place.
using Spoil = std::function<std::string(Draw &)>;
using Kinds = std::vector<Kind<Spoil>>;

/// One place where a file of some format enters the program.
struct HostileFormat {
    std::string name;
    std::uint64_t seed = 0;
    std::filesystem::path file;                                            ///< the one that is damaged, below the sandbox
    std::function<void(const std::filesystem::path &sandbox)> furnish;     ///< puts it and what it needs there, whole
    Kinds kinds;                                                           ///< truncations, header flips, lengths, counts, types, nesting, numbers out of range
    std::vector<std::vector<std::string>> calls;                           ///< arguments, taken in turn
    std::set<int> refusals{4};                                             ///< the exit statuses that a refusal may have
    int casesPerKind = 30;
    bool throughProgram = true;                                            ///< one more case of each kind starts the real program
    bool namesFile = true;                                                 ///< false: the call may come to refuse something else that the file leads to
    bool isJson = false;                                                   ///< then what is no JSON must be refused with 4
    std::string written;                                                   ///< what a call may write where the file turns out to be valid: a path's beginning
    std::string recorded;                                                  ///< what it may write in any case: the record of a run that failed
};

/// Runs the program on many damaged files of every kind, and demands of each call that it ends by itself with status 0 or a refusal; that a refusal is one line
/// that names the file and says what to do; that nothing in the sandbox changed; and that memory stays within twice the file and 64 MB above the same call on the whole file.
void meetHostileFiles(const HostileFormat &format);
