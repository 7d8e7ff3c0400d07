// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/modelopening.h"

#include "models/jobfeed.h"

#include <nlohmann/json.hpp>

#include <utility>

namespace stillroom::widgets {

ModelOpening::ModelOpening(Launch launch, QObject *parent) : QObject(parent), m_launch(std::move(launch)) {}

/// First all are told to stop, then one after the other is waited for.
ModelOpening::~ModelOpening()
{
    for (JobFeed *feed : findChildren<JobFeed *>())
        feed->requestStop();
}

bool ModelOpening::isOne(const nlohmann::json &completedSpec)
{
    return completedSpec.value("kind", std::string()) == "inspect" && !completedSpec.value("attention", false);
}

void ModelOpening::open(const nlohmann::json &completedSpec)
{
    leave();
    auto *feed = new JobFeed(this);
    try {
        m_launch(*feed, completedSpec);
    } catch (...) {
        delete feed;
        throw;
    }
    m_feed = feed;
    m_model = QString::fromStdString(completedSpec.at("model").get<std::string>());
    m_spec = completedSpec.dump();
    m_done = m_total = 0;
    connect(feed, &JobFeed::events, this, &ModelOpening::take);
    connect(feed, &JobFeed::ended, this, &ModelOpening::end);
    Q_EMIT begun();
}

void ModelOpening::cancel()
{
    if (!m_feed)
        return;
    leave();
    Q_EMIT cancelled();
}

void ModelOpening::leave()
{
    JobFeed *feed = std::exchange(m_feed, nullptr);
    if (!feed)
        return;
    feed->disconnect(this);
    connect(feed, &JobFeed::ended, feed, &QObject::deleteLater);
    feed->requestStop();
}

void ModelOpening::take(const std::vector<experiment::Event> &events)
{
    bool any = false;
    for (const experiment::Event &event : events)
        if (const auto *progress = std::get_if<experiment::Progress>(&event.body)) {
            m_done = static_cast<int>(progress->done);
            m_total = static_cast<int>(progress->total);
            any = true;
        }
    if (any)
        Q_EMIT progressed();
}

void ModelOpening::end(const experiment::Event &last)
{
    std::exchange(m_feed, nullptr)->deleteLater();
    Q_EMIT ended(m_spec, last);
}

}  // namespace stillroom::widgets
