// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "error.h"

#include <doctest/doctest.h>
#include <functional>
#include <string>

/// Runs `work`, which must throw a stillroom::Error of `code`; returns its message.
inline std::string refusal(stillroom::ErrorCode code, const std::function<void()> &work)
{
    try {
        work();
    } catch (const stillroom::Error &error) {
        CHECK_MESSAGE(error.code() == code, error.what(), error.detail());
        const std::string message = error.what();
        CHECK(message.find('\n') == std::string::npos);
        CHECK(message.size() < 600);
        return message;
    }
    FAIL("nothing was thrown");
    return {};
}

inline bool holds(const std::string &text, const std::string &part)
{
    return text.find(part) != std::string::npos;
}
