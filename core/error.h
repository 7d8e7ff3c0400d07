// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace stillroom {

/// What kind of failure it is; decides the exit status of the command line (DESIGN: 0 done, 1 failed, 2 usage, 3 cancelled, 4 file).
enum class ErrorCode {
    Failed,       ///< the work could not be done                                   → 1
    NonFinite,    ///< a loss, gradient or input is NaN or infinite                 → 1
    OutOfMemory,  ///< refused beforehand by estimate, or caught                    → 1
    Io,           ///< writing or the disk failed                                   → 1
    Usage,        ///< a bad argument, or a spec whose content is wrong             → 2
    Cancelled,    ///< stopped on request                                           → 3
    BadFile,      ///< a file that cannot be opened, parsed or trusted              → 4
    Unsupported,  ///< a well-formed file with a feature that is not understood     → 4
};

/// The only exception type that leaves a room. `what()` is one sentence for the person: what is wrong, where, what to do.
class Error final : public std::runtime_error {
public:
    Error(ErrorCode code, const std::string &message, std::string detail = {});
    [[nodiscard]] ErrorCode code() const noexcept { return m_code; }
    /// For the log: a backtrace, the original exception's text, offsets. May be empty.
    [[nodiscard]] const std::string &detail() const noexcept { return m_detail; }

private:
    ErrorCode m_code;
    std::string m_detail;
};

/// Exit status of the command line for a code.
[[nodiscard]] int exitStatus(ErrorCode code) noexcept;

/// Stable name of a code, as it stands in events ("bad-file", "cancelled", …).
[[nodiscard]] const char *codeName(ErrorCode code) noexcept;

/// The inverse of codeName; Failed for a name that is not one.
[[nodiscard]] ErrorCode codeFromName(std::string_view name) noexcept;

}  // namespace stillroom
