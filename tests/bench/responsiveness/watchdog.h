// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QEvent>
#include <QObject>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>
#include <vector>

namespace stillroom::bench {

/// How long the event loop of the thread that it was made on is away: another thread knocks every other millisecond, and what counts is how long it waits for the door.
/// An event posted earlier is answered earlier, so an answer has waited for all that the loop was doing.
class Watchdog final : public QObject {
public:
    Watchdog() : m_thread([this](const std::stop_token &stop) { knock(stop); }) {}
    ~Watchdog() override
    {
        m_thread.request_stop();
        m_thread.join();
        QCoreApplication::removePostedEvents(this);
    }
    /// Milliseconds that each answer took since the last call, ascending.
    [[nodiscard]] std::vector<double> take()
    {
        const std::scoped_lock lock(m_mutex);
        std::vector<double> waits;
        waits.swap(m_waits);
        std::sort(waits.begin(), waits.end());
        return waits;
    }

protected:
    bool event(QEvent *event) override
    {
        if (event->type() != QEvent::User)
            return QObject::event(event);
        const double waited = std::chrono::duration<double, std::milli>(Clock::now() - Clock::time_point(Clock::duration(m_knocked.load()))).count();
        {
            const std::scoped_lock lock(m_mutex);
            m_waits.push_back(waited);
        }
        m_answered = true;
        return true;
    }

private:
    using Clock = std::chrono::steady_clock;
    void knock(const std::stop_token &stop)
    {
        while (!stop.stop_requested()) {
            if (m_answered.exchange(false)) {
                m_knocked = Clock::now().time_since_epoch().count();
                QCoreApplication::postEvent(this, new QEvent(QEvent::User), Qt::HighEventPriority);
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
    }
    std::mutex m_mutex;
    std::vector<double> m_waits;
    std::atomic<Clock::rep> m_knocked{0};
    std::atomic<bool> m_answered{true};
    std::jthread m_thread;                     ///< last: it goes first
};

}  // namespace stillroom::bench
