// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiment/event.h"
#include "models/session.h"

#include <QAbstractTableModel>
#include <QString>

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace stillroom::widgets {

/// A line of a job's log.
struct LogLine {
    enum class Kind { Event, Notice, Problem };
    Kind kind = Kind::Event;
    QString text, detail;
    QString place;                  ///< equal places share a line that is overwritten and goes to the end ("phase stage 2"); empty: equal texts share one that counts
    double timeSeconds = 0.0;       ///< Unix time, of the last of them
    int count = 1;
    bool ends = false;              ///< its last word: what is said later is another turn's
};
/// What a job said, for its log; empty for measured values, which are curves elsewhere.
[[nodiscard]] std::optional<LogLine> logLine(const experiment::Event &event);

/// The log of one job: out of its file, and live while it runs, in the order of time. Repeated messages are one line with a count.
class JobLog final : public QAbstractTableModel {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(JobLog)

public:
    static constexpr int most = 2000;          ///< lines; older ones go
    enum Column { Time, Kind, Message, NumColumns };
    enum Role { SecondsRole = Qt::UserRole };       ///< Unix time
    explicit JobLog(Session &session, QObject *parent = nullptr);

    /// \param run  UUID; empty: none
    void show(const QString &run);
    [[nodiscard]] QString run() const { return m_run; }
    [[nodiscard]] bool isRead() const { return m_read; }
    /// For the clipboard: one line each. Without any, all.
    [[nodiscard]] QString asText(const QModelIndexList &rows) const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

Q_SIGNALS:
    void read();                               ///< what the file holds is here

private:
    void take(const QString &run, const std::vector<experiment::Event> &events);
    /// What it says, where that is new.
    [[nodiscard]] std::optional<LogLine> fresh(const experiment::Event &event);
    [[nodiscard]] int rowOf(const LogLine &line) const;      ///< of the line that it shares; -1 for none
    /// The line says this now, as the last one: the log is in the order of time.
    void repeat(int row, const LogLine &line);
    void add(const experiment::Event &event);
    [[nodiscard]] QString text(const LogLine &line, int column) const;
    Session &m_session;
    QString m_run;
    std::deque<LogLine> m_lines;
    std::map<std::string, std::int64_t> m_lastSeq;          ///< by task: what the file and the live events share is taken once
    std::vector<experiment::Event> m_arrived;               ///< live ones, while the file is read
    bool m_read = false;
};

}  // namespace stillroom::widgets
