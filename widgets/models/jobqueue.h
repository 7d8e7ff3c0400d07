// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiment/distinction.h"

#include <QAbstractTableModel>
#include <QString>

#include <map>
#include <optional>
#include <vector>

namespace stillroom::widgets {

enum class JobState { Waiting, Running, Pausing, Cancelling, Paused };
[[nodiscard]] QString jobStateText(JobState state);

/// A job that was asked for and is not over.
struct QueuedJob {
    QString run;                        ///< UUID: given when it is asked for, and kept over pauses
    QString spec;                       ///< completed, JSON
    bool resume = false;                ///< takes up what an equal, interrupted stage left
    bool fresh = false;                 ///< computes anew what exists
    JobState state = JobState::Waiting;
    bool hasBegun = false;              ///< it has a run in the workspace
    QString kind, teacher, mixer, selector;      ///< of its spec; empty where its kind has none
    experiment::Sibling told;           ///< the rest of its spec, by which it is told from others of its kind
    QString phase;                      ///< the latest that it said
    qint64 done = 0, total = 0;
    std::optional<double> tokensPerSecond, secondsLeft;

    [[nodiscard]] bool isActive() const { return state == JobState::Running || state == JobState::Pausing || state == JobState::Cancelling; }
};
/// With what the spec says of it. \param specJson  completed
[[nodiscard]] QueuedJob queuedJob(const QString &run, const QString &specJson, bool resume, bool fresh);

/// What runs and what waits, in the order in which it is done: at most one job runs, and it stands first. Pure order and states; who runs them is the JobRunner.
class JobQueue final : public QAbstractTableModel {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(JobQueue)

public:
    enum Column { Job, Teacher, Phase, Progress, Left, Rate, State, NumColumns };
    enum Role { RunRole = Qt::UserRole };       ///< UUID
    explicit JobQueue(QObject *parent = nullptr);

    [[nodiscard]] const QueuedJob *find(const QString &run) const;      ///< null where there is none; until the queue changes
    [[nodiscard]] const QueuedJob &at(int row) const { return m_jobs[static_cast<std::size_t>(row)]; }
    [[nodiscard]] int rowOf(const QString &run) const;                  ///< -1 where there is none
    [[nodiscard]] const std::vector<QueuedJob> &jobs() const { return m_jobs; }
    [[nodiscard]] const QueuedJob *running() const;                     ///< null while none is
    [[nodiscard]] const QueuedJob *paused() const;                      ///< the first one; null where none is
    [[nodiscard]] int numWaiting() const;
    /// Whose turn it is: the first that waits. None while the queue is held.
    [[nodiscard]] QString next() const;
    [[nodiscard]] bool isHeld() const { return m_held; }
    void setHeld(bool held);

    void append(const QueuedJob &job);
    /// \param row  where it stood; after the running one in any case
    void insert(int row, const QueuedJob &job);
    /// \return false where it may not go there: the running one stays first. \param row  of the queue as it is afterwards
    bool move(const QString &run, int row);
    /// \return what was taken out; empty where it is not there
    std::optional<QueuedJob> take(const QString &run);
    /// A job that begins goes to the front, one that waits again goes before those that wait.
    void setState(const QString &run, JobState state);
    void setProgress(const QString &run, const QString &phase, qint64 done, qint64 total, std::optional<double> tokensPerSecond, std::optional<double> secondsLeft);

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

Q_SIGNALS:
    /// Order, members or states are others; not for progress.
    void changed();

private:
    [[nodiscard]] int firstFreeRow() const { return running() ? 1 : 0; }
    [[nodiscard]] int firstWaitingRow() const;
    void moveRow(int from, int to);
    void nameJobs();
    [[nodiscard]] QString text(int row, int column) const;
    std::vector<QueuedJob> m_jobs;
    std::map<QString, QString> m_names;      ///< by run: what a job is called among these
    bool m_held = false;
};

}  // namespace stillroom::widgets
