// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "temporaryfolder.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

/// Files of scores that tests of the command line choose from, and what they ask most often.
namespace stillroom::test {

/// Scores of six layers as `score` prints them; the ranking is 4, 0, 3, 1, 2, 5.
class ScoreFile final {
public:
    ScoreFile();
    [[nodiscard]] std::string path() const;
    /// Another file in its folder.
    [[nodiscard]] std::string beside(const std::string &name, const std::string &text) const;
    /// Scores that rank so, in such a file.
    [[nodiscard]] std::string ranked(const std::string &name, const std::vector<int> &ranking) const;

private:
    TemporaryFolder m_folder;
};

/// What `select` answers, outside any workspace.
[[nodiscard]] nlohmann::json selected(const std::vector<std::string> &arguments);

/// Refused with this status and nothing on standard output, in a message that holds `words`.
void refused(const std::vector<std::string> &arguments, const std::string &words, int status = 2);

}  // namespace stillroom::test
