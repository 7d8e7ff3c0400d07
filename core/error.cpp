// SPDX-License-Identifier: GPL-3.0-or-later
#include "error.h"

#include <utility>

namespace stillroom {

Error::Error(ErrorCode code, const std::string &message, std::string detail)
    : std::runtime_error(message), m_code(code), m_detail(std::move(detail))
{
}

int exitStatus(ErrorCode code) noexcept
{
    switch (code) {
    case ErrorCode::Usage: return 2;
    case ErrorCode::Cancelled: return 3;
    case ErrorCode::BadFile:
    case ErrorCode::Unsupported: return 4;
    case ErrorCode::Failed:
    case ErrorCode::NonFinite:
    case ErrorCode::OutOfMemory:
    case ErrorCode::Io: return 1;
    }
    return 1;
}

const char *codeName(ErrorCode code) noexcept
{
    switch (code) {
    case ErrorCode::Failed: return "failed";
    case ErrorCode::NonFinite: return "non-finite";
    case ErrorCode::OutOfMemory: return "out-of-memory";
    case ErrorCode::Io: return "io";
    case ErrorCode::Usage: return "usage";
    case ErrorCode::Cancelled: return "cancelled";
    case ErrorCode::BadFile: return "bad-file";
    case ErrorCode::Unsupported: return "unsupported";
    }
    return "failed";
}

ErrorCode codeFromName(std::string_view name) noexcept
{
    for (const ErrorCode code : {ErrorCode::NonFinite, ErrorCode::OutOfMemory, ErrorCode::Io, ErrorCode::Usage, ErrorCode::Cancelled, ErrorCode::BadFile, ErrorCode::Unsupported})
        if (name == codeName(code))
            return code;
    return ErrorCode::Failed;
}

}  // namespace stillroom
