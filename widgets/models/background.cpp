// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/background.h"

#include <algorithm>

namespace stillroom::widgets {

Background::Background(QObject *parent) : QObject(parent), m_thread([this](const std::stop_token &stop) { work(stop); }) {}

Background::~Background() = default;

void Background::run(const std::string &name, Errand errand)
{
    {
        const std::lock_guard lock(m_mutex);
        std::erase_if(m_waiting, [&](const auto &one) { return one.first == name; });
        m_waiting.emplace_back(name, std::move(errand));
    }
    m_wake.notify_one();
}

void Background::work(const std::stop_token &stop)
{
    while (true) {
        Errand errand;
        {
            std::unique_lock lock(m_mutex);
            if (!m_wake.wait(lock, stop, [this] { return !m_waiting.empty(); }) || stop.stop_requested())
                return;
            errand = std::move(m_waiting.front().second);
            m_waiting.erase(m_waiting.begin());
        }
        // Dropped with this object where it goes before the answer comes.
        QMetaObject::invokeMethod(this, errand(), Qt::QueuedConnection);
    }
}

}  // namespace stillroom::widgets
