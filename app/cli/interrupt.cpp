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
    // A terminal that was closed. Who asked that this be ignored (nohup) goes on being obeyed, which a signal that is waited for would not.
    if (struct sigaction hangUp{}; ::sigaction(SIGHUP, nullptr, &hangUp) == 0 && hangUp.sa_handler != SIG_IGN)
        ::sigaddset(&signals, SIGHUP);
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
