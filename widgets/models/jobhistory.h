// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/session.h"
#include "store/workspace.h"

#include <QAbstractTableModel>
#include <QString>

#include <vector>

namespace stillroom::widgets {

/// A job of this workspace that began and is not in the queue: over, interrupted, or run by another program.
struct PastJob {
    QString run, spec, kind, teacher, mixer, selector, phase, failure;
    QString name;                       ///< what it did, and what tells it from others of the list: see models/jobnames.h
    store::RunStatus status = store::RunStatus::Finished;
    qint64 done = 0, total = 0;
    double workedSeconds = 0.0, endedSeconds = 0.0;      ///< endedSeconds: Unix time; of its last event where it has no end
    bool pinned = false, locked = false;

    [[nodiscard]] bool canGoOn() const { return status == store::RunStatus::Interrupted || status == store::RunStatus::Cancelled || status == store::RunStatus::Failed; }
    bool operator==(const PastJob &) const = default;
};

/// The workspace's jobs, newest first, less those in the queue and the mere openings of models. Read where it stops nobody, and only while somebody looks.
class JobHistory final : public QAbstractTableModel {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(JobHistory)

public:
    static constexpr int most = 300;
    enum Column { Job, Teacher, Phase, Progress, Took, Ended, State, NumColumns };
    enum Role { RunRole = Qt::UserRole };
    explicit JobHistory(Session &session, QObject *parent = nullptr);

    void setWatched(bool watched);
    [[nodiscard]] const PastJob &at(int row) const { return m_jobs[static_cast<std::size_t>(row)]; }
    [[nodiscard]] int rowOf(const QString &run) const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    void read();
    void take(std::vector<PastJob> jobs);
    [[nodiscard]] QString text(const PastJob &job, int column) const;
    Session &m_session;
    std::vector<PastJob> m_jobs;
    bool m_watched = false, m_stale = true;
};

}  // namespace stillroom::widgets
