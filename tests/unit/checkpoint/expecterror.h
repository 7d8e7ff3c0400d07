// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "error.h"

#include <doctest/doctest.h>
#include <string>

/// Runs `work`, which must throw a stillroom::Error of this code whose message holds `part` and is one line.
template <typename Work>
void expectError(stillroom::ErrorCode code, const std::string &part, Work &&work) {
    try {
        work();
    } catch (const stillroom::Error &error) {
        const std::string message = error.what();
        CHECK_MESSAGE(error.code() == code, message);
        CHECK_MESSAGE(message.find(part) != std::string::npos, message, " should say: ", part);
        CHECK_MESSAGE(message.find('\n') == std::string::npos, message);
        return;
    }
    FAIL_CHECK("nothing was thrown; expected: " << part);
}
