// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <sys/types.h>
#include <vector>

/// How the program is started. Forked: a child of this test, which has LibTorch loaded already, calls what the program's main() calls;
/// it costs milliseconds where a start of the real program costs 0.4 s. ForkedAsSomebody: not as the super-user, who may write everywhere.
enum class Start { Forked, ForkedAsSomebody, Program };

/// What one call of stillroom-cli came to.
struct Outcome {
    int status = 0;                       ///< exit status; of no meaning after a signal
    int signal = 0;                       ///< what ended it, or 0; SIGALRM: it had not come to an end
    std::string output, errors;           ///< standard output and standard error
    std::int64_t firstResidentBytes = 0, peakResidentBytes = 0;   ///< of the child as it was forked, and the most it had
};

/// A call of stillroom-cli that is under way. It works in `sandbox`: its home, workspace, temporary and current folder lie in there.
class ProgramCall final {
public:
    /// \param sandbox  a folder with home/ and workspace/.
    /// \param notes    a folder outside of the sandbox for what the program prints.
    ProgramCall(const std::vector<std::string> &arguments, const std::filesystem::path &sandbox, const std::filesystem::path &notes, Start start);

    [[nodiscard]] pid_t process() const { return m_process; }
    /// Waits for its end.
    [[nodiscard]] Outcome finish() const;

private:
    std::filesystem::path m_output, m_errors, m_firstResident;
    pid_t m_process = 0;
};
