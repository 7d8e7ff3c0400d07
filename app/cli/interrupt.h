// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stop_token>
#include <thread>

namespace stillroom::cli {

/// Turns the first SIGINT or SIGTERM into a stop request (the work ends with a checkpoint and exit status 3); the second leaves at once.
/// Must be made before any other thread, because it blocks both signals for all of them and waits for them on a thread of its own.
class InterruptToStop final {
public:
    InterruptToStop();
    ~InterruptToStop();
    InterruptToStop(const InterruptToStop &) = delete;
    InterruptToStop &operator=(const InterruptToStop &) = delete;
    [[nodiscard]] std::stop_token token() const { return m_source.get_token(); }

private:
    std::stop_source m_source;
    std::jthread m_waiter;
};

}  // namespace stillroom::cli
