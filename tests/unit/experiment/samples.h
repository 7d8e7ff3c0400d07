// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "error.h"

#include <doctest/doctest.h>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace samples {

/// The shortest valid spec of every kind.
inline std::vector<nlohmann::json> specs()
{
    using nlohmann::json;
    return {
        json{{"kind", "train-teacher"}},
        json{{"kind", "inspect"}, {"model", "demo"}},
        json{{"kind", "align"}, {"teacher", "demo"}},
        json{{"kind", "score"}, {"teacher", "demo"}},
        json{{"kind", "distill"}, {"teacher", "demo"}, {"keep", {4, 0}}},
        json{{"kind", "evaluate"}, {"model", "demo"}},
        json{{"kind", "generate"}, {"model", "demo"}, {"prompt", "Once"}},
        json::parse(R"({"kind": "pipeline", "stages": [
            {"task": "align", "spec": {"kind": "align", "teacher": "demo"}},
            {"task": "score", "spec": {"kind": "score", "teacher": "demo", "init": "stage:align"}},
            {"task": "distill", "spec": {"kind": "distill", "teacher": "demo", "init": "stage:align", "keep_count": 2, "scores": "stage:score"}}]})"),
    };
}

/// Runs `work`, which must throw a stillroom::Error of `code`; returns its message.
inline std::string refusal(stillroom::ErrorCode code, const std::function<void()> &work)
{
    try {
        work();
    } catch (const stillroom::Error &error) {
        CHECK_MESSAGE(error.code() == code, error.what());
        const std::string message = error.what();
        CHECK(message.find('\n') == std::string::npos);
        CHECK(message.size() < 900);
        CHECK((message.empty() ? ' ' : message.back()) == (message.back() == '?' ? '?' : '.'));
        return message;
    }
    FAIL("nothing was thrown");
    return {};
}

inline bool holds(const std::string &text, const std::string &part)
{
    return text.find(part) != std::string::npos;
}

}  // namespace samples
