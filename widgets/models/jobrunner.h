// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiment/event.h"
#include "jobs/remainingtime.h"
#include "models/jobqueue.h"

#include <QObject>
#include <QPointer>
#include <QUndoStack>

#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>

namespace stillroom::widgets {

class JobFeed;

/// Does the jobs of the queue, one after the other: one computes at a time. A job that fails or is cancelled does not stop those that wait.
class JobRunner final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(JobRunner)

public:
    /// Starts it through the feed. \throws stillroom::Error when it cannot be started
    using Launch = std::function<void(const QueuedJob &job)>;
    /// Unix time in seconds.
    using Clock = std::function<double()>;
    /// How a job left the queue, or that it was paused.
    enum class End { Finished, Failed, Cancelled, Paused };
    /// What cancelling now may cost.
    struct Risk {
        double seconds = 0.0;                   ///< of work since the last checkpoint, or since the job began
        std::optional<qint64> checkpointStep;   ///< none yet: empty
    };

    JobRunner(JobFeed &feed, Launch launch, QObject *parent = nullptr);

    [[nodiscard]] JobQueue &queue() { return m_queue; }
    [[nodiscard]] const JobQueue &queue() const { return m_queue; }
    void setClock(Clock clock) { m_clock = std::move(clock); }
    [[nodiscard]] Risk risk() const;            ///< of the job that runs

    /// Puts it into the queue, where it begins at once if nothing runs. An equal experiment that is in the queue already stays there once; a paused one goes on. \param run  to go on with; empty: a new one
    void ask(const nlohmann::json &completedSpec, bool resume, bool fresh, const QString &run = {});
    void pause(const QString &run);             ///< of the one that runs: stops at a checkpoint, and the next begins
    void resume(const QString &run);            ///< of a paused one: before those that wait
    void cancel(const QString &run);            ///< of one that does not run: takes it out
    void cancelAll();                           ///< also takes out those that wait
    /// No job begins any more, and the one that runs is paused: the window closes.
    void close();

    /// Both are steps of undo; they do nothing to the one that runs.
    void remove(const QString &run);
    void move(const QString &run, int row);
    /// \param edits  where the steps of undo go; null: they cannot be undone
    void setEdits(QUndoStack *edits) { m_edits = edits; }

Q_SIGNALS:
    void asked();                               ///< a person has asked for a job
    void begun(const stillroom::widgets::QueuedJob &job);
    /// After its last event. What waits begins when everybody has heard it.
    void ended(const stillroom::widgets::QueuedJob &job, const stillroom::experiment::Event &last, stillroom::widgets::JobRunner::End end);
    void said(const QString &text);             ///< about the queue, in one sentence
    void problem(const QString &text);

private:
    class Removal;
    class Move;
    void beginNext();
    void handle(const std::vector<experiment::Event> &events);
    void handleEnd(const experiment::Event &last);
    /// \return whether there is a job that it is about
    bool note(const experiment::Progress &progress, const std::string &task, double seconds);
    void showProgress(const experiment::Progress &progress);
    void edit(QUndoCommand *step);
    void sayWhatFollows(const QueuedJob &job, End end);

    JobFeed &m_feed;
    Launch m_launch;
    Clock m_clock;
    JobQueue m_queue;
    QPointer<QUndoStack> m_edits;
    std::map<QString, jobs::RemainingTime> m_remaining;     ///< by run, over its pauses
    experiment::Progress m_first;                           ///< of the phase: tokens of a step are counted from here, whatever was done before
    std::string m_firstTask;
    std::int64_t m_lastDone = 0;
    double m_safeSeconds = 0.0;                             ///< when what is done was last safe: the last checkpoint, or the beginning
    std::optional<qint64> m_checkpointStep;
    bool m_closing = false;
};

}  // namespace stillroom::widgets
