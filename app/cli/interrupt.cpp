// SPDX-License-Identifier: GPL-3.0-or-later
#include "interrupt.h"

#include <csignal>
#include <cstdlib>
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
        for (int received = 0; ::sigwait(&signals, &received) == 0 && !leave.stop_requested();) {
            if (!m_source.request_stop())
                std::_Exit(3);
            std::cerr << "\nStopping after the current step; press Ctrl+C again to leave at once.\n";
        }
    });
}

InterruptToStop::~InterruptToStop()
{
    m_waiter.request_stop();
    ::pthread_kill(m_waiter.native_handle(), SIGTERM);   // ends its wait
}

}  // namespace stillroom::cli
