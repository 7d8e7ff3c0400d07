// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiment/event.h"

#include <QObject>
#include <QString>

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace stillroom::widgets {

class JobFeed;

/// The model that is being opened: on a thread of its own, beside whatever computes, for headers and a description need no place in its queue.
/// Another wish takes its place. What nobody waits for any more is told to stop, and its thread ends when it has heard it: nothing waits for that.
class ModelOpening final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(ModelOpening)

public:
    /// Starts the spec through the feed. \throws stillroom::Error when it cannot be started
    using Launch = std::function<void(JobFeed &feed, const nlohmann::json &completedSpec)>;
    explicit ModelOpening(Launch launch, QObject *parent = nullptr);
    /// Tells all to stop, and joins.
    ~ModelOpening() override;

    /// Whether a spec only looks at a model. What also computes waits for its turn among the jobs.
    [[nodiscard]] static bool isOne(const nlohmann::json &completedSpec);
    /// \throws stillroom::Error as Launch does
    void open(const nlohmann::json &completedSpec);
    void cancel();
    [[nodiscard]] bool isUnderWay() const { return m_feed != nullptr; }
    [[nodiscard]] QString model() const { return m_model; }      ///< the one that is, or was, being opened; as a person wrote it
    [[nodiscard]] int done() const { return m_done; }            ///< parts of the description
    [[nodiscard]] int total() const { return m_total; }          ///< 0: not known yet

Q_SIGNALS:
    void begun();
    void progressed();
    void cancelled();
    /// \param spec  JSON, completed. \param last  finished or failed
    void ended(const std::string &spec, const stillroom::experiment::Event &last);

private:
    void take(const std::vector<experiment::Event> &events);
    void end(const experiment::Event &last);
    void leave();
    Launch m_launch;
    JobFeed *m_feed = nullptr;      ///< a child, as those that were left and have not ended
    QString m_model;
    std::string m_spec;
    int m_done = 0, m_total = 0;
};

}  // namespace stillroom::widgets
