// SPDX-License-Identifier: GPL-3.0-or-later
#include "interrupt.h"

#include <csignal>
#include <cstdlib>
#include <ctime>
#include <iostream>

namespace stillroom::cli {

InterruptToStop::InterruptToStop()
{
    sigset_t signals;
    ::sigemptyset(&signals);
    ::sigaddset(&signals, SIGINT);
    ::sigaddset(&signals, SIGTERM);
    ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    m_waiter = std::jthread([this, signals](const std::stop_token &leave) {
        const timespec briefly{0, 100'000'000};
        while (!leave.stop_requested()) {
            if (::sigtimedwait(&signals, nullptr, &briefly) < 0)
                continue;
            if (!m_source.request_stop())
                std::_Exit(3);
            std::cerr << "\nStopping after the current step; press Ctrl+C again to leave at once.\n";
        }
    });
}

InterruptToStop::~InterruptToStop() = default;

}  // namespace stillroom::cli
