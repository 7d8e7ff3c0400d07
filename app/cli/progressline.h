// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiment/event.h"

#include <chrono>
#include <string>

namespace stillroom::cli {

/// Shows events on standard error: on a terminal one bar with the time left that redraws itself, elsewhere a plain line every few seconds.
class ProgressLine final {
public:
    explicit ProgressLine(bool quiet = false);
    ~ProgressLine();
    ProgressLine(const ProgressLine &) = delete;
    ProgressLine &operator=(const ProgressLine &) = delete;
    void show(const experiment::Event &event);

private:
    void showProgress(const std::string &task, const experiment::Progress &progress);
    void line(const std::string &text);     ///< a line of its own, the bar is drawn again below it
    bool m_quiet, m_terminal, m_barShown = false;
    std::string m_phase;
    std::chrono::steady_clock::time_point m_lastPlain{};
};

/// "1.2 M", "340 k": a count for people.
[[nodiscard]] std::string shortCount(double count);
/// "48 s", "3 min 20 s", "2 h 5 min".
[[nodiscard]] std::string shortDuration(double seconds);

}  // namespace stillroom::cli
