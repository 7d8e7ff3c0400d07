// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobs/run.h"

#include "error.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <sys/random.h>

namespace stillroom::jobs {

std::string newUuid()
{
    std::array<unsigned char, 16> bytes{};
    ssize_t numRead = 0;
    do {
        numRead = getrandom(bytes.data(), bytes.size(), 0);
    } while (numRead < 0 && errno == EINTR);
    if (numRead != static_cast<ssize_t>(bytes.size()))
        throw Error(ErrorCode::Failed, "The system gives no random numbers for a new run's name.", std::strerror(errno));
    bytes[6] = static_cast<unsigned char>((bytes[6] & 0x0FU) | 0x40U);      // version 4
    bytes[8] = static_cast<unsigned char>((bytes[8] & 0x3FU) | 0x80U);      // variant 10
    static constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        if (i == 4 || i == 6 || i == 8 || i == 10)
            text += '-';
        text += digits[bytes[i] >> 4U];
        text += digits[bytes[i] & 15U];
    }
    return text;
}

}  // namespace stillroom::jobs
