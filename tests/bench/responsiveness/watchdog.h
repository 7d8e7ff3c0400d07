// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QEvent>
#include <QObject>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>
#include <mutex>
#include <pthread.h>
#include <thread>
#include <utility>
#include <vector>

namespace stillroom::bench {

/// How long the event loop of the thread that it was made on is away: another thread knocks every other millisecond, and what counts is how long it waits for the door.
/// An event posted earlier is answered earlier, so an answer has waited for all that the loop was doing. On a machine that others use, too, part of a wait is theirs:
/// what the thread itself worked meanwhile is said beside it.
class Watchdog final : public QObject {
public:
    /// Milliseconds of each answer, ascending.
    struct Waits {
        std::vector<double> waited, worked;      ///< worked: of processor time
    };
    Watchdog() : m_clock(clockOfThisThread()), m_thread([this](const std::stop_token &stop) { knock(stop); }) {}
    ~Watchdog() override
    {
        m_thread.request_stop();
        m_thread.join();
        QCoreApplication::removePostedEvents(this);
    }
    /// Since the last call.
    [[nodiscard]] Waits take()
    {
        Waits waits;
        {
            const std::scoped_lock lock(m_mutex);
            std::swap(waits, m_waits);
        }
        std::sort(waits.waited.begin(), waits.waited.end());
        std::sort(waits.worked.begin(), waits.worked.end());
        return waits;
    }

protected:
    bool event(QEvent *event) override
    {
        if (event->type() != QEvent::User)
            return QObject::event(event);
        const double waited = std::chrono::duration<double, std::milli>(Clock::now() - Clock::time_point(Clock::duration(m_knocked.load()))).count();
        const double worked = workedMs() - m_workedAtKnock;
        {
            const std::scoped_lock lock(m_mutex);
            m_waits.waited.push_back(waited);
            m_waits.worked.push_back(worked);
        }
        m_answered = true;
        return true;
    }

private:
    using Clock = std::chrono::steady_clock;
    static clockid_t clockOfThisThread()
    {
        clockid_t clock{};
        pthread_getcpuclockid(pthread_self(), &clock);
        return clock;
    }
    /// Of the thread that is watched, on whichever one it is asked.
    [[nodiscard]] double workedMs() const
    {
        timespec time{};
        clock_gettime(m_clock, &time);
        return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
    }
    void knock(const std::stop_token &stop)
    {
        while (!stop.stop_requested()) {
            if (m_answered.exchange(false)) {
                m_workedAtKnock = workedMs();
                m_knocked = Clock::now().time_since_epoch().count();
                QCoreApplication::postEvent(this, new QEvent(QEvent::User), Qt::HighEventPriority);
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
    }
    std::mutex m_mutex;
    Waits m_waits;
    clockid_t m_clock;
    std::atomic<double> m_workedAtKnock{0.0};
    std::atomic<Clock::rep> m_knocked{0};
    std::atomic<bool> m_answered{true};
    std::jthread m_thread;                     ///< last: it goes first
};

}  // namespace stillroom::bench
