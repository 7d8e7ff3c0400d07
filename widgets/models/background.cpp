// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/background.h"

namespace stillroom::widgets {

Background::Background(QObject *parent) : QObject(parent), m_thread([this](const std::stop_token &stop) { work(stop); }) {}

Background::~Background() = default;

void Background::run(const std::string &name, Errand errand)
{
    run(name, StoppableErrand([errand = std::move(errand)](const std::stop_token &) { return errand(); }));
}

void Background::run(const std::string &name, StoppableErrand errand)
{
    stop(name);
    {
        const std::lock_guard lock(m_mutex);
        m_waiting.emplace_back(name, std::move(errand));
    }
    m_wake.notify_one();
}

void Background::stop(const std::string &name)
{
    const std::lock_guard lock(m_mutex);
    for (auto &[waiting, errand] : m_waiting)
        if (waiting == name) {
            waiting.clear();
            errand = [gone = std::move(errand)](const std::stop_token &) { return Answer(); };
        }
    if (m_underWay == name)
        m_stopUnderWay.request_stop();
}

void Background::release(std::shared_ptr<const void> last)
{
    {
        const std::lock_guard lock(m_mutex);
        m_waiting.emplace_back(std::string(), [last = std::move(last)](const std::stop_token &) { return Answer(); });
    }
    m_wake.notify_one();
}

void Background::work(const std::stop_token &stop)
{
    while (true) {
        StoppableErrand errand;
        std::stop_source own;
        {
            std::unique_lock lock(m_mutex);
            if (!m_wake.wait(lock, stop, [this] { return !m_waiting.empty(); }) || stop.stop_requested())
                return;
            m_underWay = m_waiting.front().first;
            m_stopUnderWay = own;
            errand = std::move(m_waiting.front().second);
            m_waiting.erase(m_waiting.begin());
        }
        const std::stop_callback withAll(stop, [&own] { own.request_stop(); });
        Answer answer = errand(own.get_token());
        {
            const std::lock_guard lock(m_mutex);
            m_underWay.clear();
        }
        // Dropped with this object where it goes before the answer comes.
        if (answer)
            QMetaObject::invokeMethod(this, std::move(answer), Qt::QueuedConnection);
    }
}

}  // namespace stillroom::widgets
