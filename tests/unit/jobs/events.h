// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "error.h"
#include "experiment/spec.h"
#include "jobs/run.h"
#include "store/layout.h"

#include <condition_variable>
#include <doctest/doctest.h>
#include <fstream>
#include <functional>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

/// Keeps what an observer hears; from any thread.
class Heard final {
public:
    std::function<void(const stillroom::experiment::Event &)> observer()
    {
        return [this](const stillroom::experiment::Event &event) {
            const std::scoped_lock guard(m_mutex);
            m_events.push_back(event);
            m_more.notify_all();
        };
    }
    std::vector<stillroom::experiment::Event> events()
    {
        const std::scoped_lock guard(m_mutex);
        return m_events;
    }
    /// Waits until an event of this type was heard.
    void waitFor(const std::string &type)
    {
        std::unique_lock guard(m_mutex);
        m_more.wait(guard, [&] {
            for (const auto &event : m_events) {
                if (stillroom::experiment::typeName(event.body) == type)
                    return true;
            }
            return false;
        });
    }

private:
    std::mutex m_mutex;
    std::condition_variable m_more;
    std::vector<stillroom::experiment::Event> m_events;
};

inline std::vector<stillroom::experiment::Event> eventsInFile(const std::filesystem::path &workspace, const std::string &run)
{
    std::vector<stillroom::experiment::Event> events;
    std::ifstream stream(stillroom::store::eventsFile(workspace, run));
    for (std::string line; std::getline(stream, line);)
        events.push_back(stillroom::experiment::fromLine(line));
    return events;
}

/// started, metric, … in order
inline std::string types(const std::vector<stillroom::experiment::Event> &events)
{
    std::string text;
    for (const auto &event : events)
        text += (text.empty() ? "" : " ") + stillroom::experiment::typeName(event.body);
    return text;
}

inline int numLast(const std::vector<stillroom::experiment::Event> &events, const std::string &task)
{
    int count = 0;
    for (const auto &event : events)
        count += event.task == task && stillroom::experiment::isLast(event.body) ? 1 : 0;
    return count;
}

inline nlohmann::json alignSpec(const nlohmann::json &options = nlohmann::json::object())
{
    return stillroom::experiment::completeSpec({{"kind", "align"}, {"teacher", "demo"}, {"mixer", {{"options", options}}}});
}
