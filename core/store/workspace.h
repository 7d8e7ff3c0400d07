// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiment/event.h"
#include "process.h"
#include "store/stagecache.h"

#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

/// The workspace: a folder with stillroom.db (SCHEMA.md), artifacts/<key>/ and runs/<uuid>/.
namespace stillroom::store {

/// Interrupted: its process is gone without a last event; it can be resumed.
enum class RunStatus { Running, Finished, Failed, Cancelled, Interrupted };
[[nodiscard]] const char *statusName(RunStatus status) noexcept;      ///< "running", …

struct Run {
    std::string uuid, name, notes, kind;
    std::string key;                                     ///< of its stage; empty for a pipeline or when unknown
    std::string specJson = "{}";                         ///< completed
    RunStatus status = RunStatus::Running;
    double startedSeconds = 0.0;                         ///< Unix time
    std::optional<double> finishedSeconds;
    double heartbeatSeconds = 0.0;                       ///< time of its last event
    ProcessIdentity process;
    std::string version, device, computeType;
    int threads = 1;
    bool resumed = false;
    int numResumed = 0;                                  ///< rises whenever it goes on from a checkpoint; of one that did so before this was counted too small by as much
    experiment::Progress progress;                       ///< the latest
    std::string resultJson = "null";                     ///< of `finished`
    std::string failureCode, failureMessage, failureDetail;
    std::vector<std::string> tags;
    bool pinned = false, locked = false, trashed = false;
};

struct RunFilter {
    std::string kind = {};                                    ///< empty: all
    std::string key = {};                                     ///< empty: all
    std::string tag = {};                                     ///< empty: all
    std::optional<RunStatus> status = {};
    bool trashed = false;                                ///< true: only those in the trash
    int limit = 0;                                       ///< 0: all
};

/// A stage within a run; the run itself is the task named like its kind.
struct TaskInfo {
    std::string task, kind, key, device, computeType;
    std::optional<double> startedSeconds, finishedSeconds;
    std::string resultJson = "null";
    /// It handed back a result. One that failed or was cancelled has an end, too, and none.
    [[nodiscard]] bool isFinished() const { return resultJson != "null"; }
};

struct MetricPoint {
    std::int64_t step = 0, tokens = 0;
    double value = 0.0;                                  ///< may be NaN or infinite
    double timeSeconds = 0.0;
};

/// A curve of a run and its last point.
struct SeriesInfo {
    std::string task, series, unit;
    MetricPoint last;
};

/// The stage of a run whose events hold curves.
struct CurveHolder {
    std::string run, task;
    friend bool operator==(const CurveHolder &a, const CurveHolder &b) = default;
};

struct StoredScore {
    std::string task;
    experiment::LayerScore score;
};
struct StoredTable {
    std::string task;
    experiment::Table table;
};
struct StoredArtifact {
    std::string task;
    experiment::Artifact artifact;
};
struct StoredText {
    std::string task;
    experiment::Text text;
};
struct StoredWarning {
    std::string task, message;
    double timeSeconds = 0.0;
};

/// One connection: use it from one thread at a time; other threads open their own on the same folder.
class Workspace final {
public:
    /// Opens the workspace, or makes it where there is none; migrates an older database after a backup (stillroom.db.v<N>.bak);
    /// marks runs whose process is gone as interrupted. A folder that cannot be written is read all the same, through a temporary copy of its database.
    /// \throws Error(BadFile) for what is no whole Stillroom database (it is left untouched), for one that a newer version wrote, and for what cannot be read; Error(Io)
    explicit Workspace(std::filesystem::path folder);
    ~Workspace();
    Workspace(Workspace &&) noexcept;
    Workspace &operator=(Workspace &&) noexcept;

    [[nodiscard]] const std::filesystem::path &folder() const;
    /// Whether the folder cannot be written: then all that changes something throws Error(Io).
    [[nodiscard]] bool isReadOnly() const;
    [[nodiscard]] StageCache stages() const;

    /// Newest first.
    [[nodiscard]] std::vector<Run> runs(const RunFilter &filter = {}) const;
    [[nodiscard]] std::optional<Run> run(const std::string &uuid) const;
    /// A UUID, a unique prefix of one (4 characters or more), or a name. \throws Error(Usage) when none or several match, which it names,
    /// or one in the trash does.
    [[nodiscard]] Run findRun(const std::string &text) const;
    /// Of this UUID, else of this name and not in the trash, and with this beginning (4 characters or more) of a UUID, in the trash only where none has the name; newest first of each.
    /// \param onlyTrashed  of those in the trash alone
    [[nodiscard]] std::vector<Run> runsCalled(const std::string &text, bool onlyTrashed = false) const;
    [[nodiscard]] std::optional<Run> latestFinished(const std::string &kind) const;
    /// Runs of this stage that can be resumed, newest first.
    [[nodiscard]] std::vector<Run> resumable(const std::string &key) const;

    [[nodiscard]] std::vector<TaskInfo> tasks(const std::string &uuid) const;
    /// UUIDs of the runs that hold scores, neither failed nor in the trash; oldest first.
    [[nodiscard]] std::vector<std::string> runsWithScores() const;
    /// Every evaluation of every layer, by task, selector, mixer, tokens, layer.
    [[nodiscard]] std::vector<StoredScore> scores(const std::string &uuid) const;
    /// Of one selector, mixer and task (empty: the first there is), each layer at its own last token count (one that left a race early has fewer), by layer.
    [[nodiscard]] std::vector<experiment::LayerScore> lastScores(const std::string &uuid, const std::string &selector = {}, const std::string &mixer = {}, const std::string &task = {}) const;
    [[nodiscard]] std::vector<SeriesInfo> series(const std::string &uuid) const;
    /// Who holds the curves of a run's stage: the run itself, or, where its result was in the workspace already, the first run that has them. None where no run here does, for example
    /// because it was removed for good.
    [[nodiscard]] std::optional<CurveHolder> curveHolder(const std::string &uuid, const std::string &task) const;
    /// By step. \param fromStep  the first that is wanted
    [[nodiscard]] std::vector<MetricPoint> metric(const std::string &uuid, const std::string &task, const std::string &series, std::int64_t fromStep = std::numeric_limits<std::int64_t>::min()) const;
    [[nodiscard]] std::vector<StoredTable> tables(const std::string &uuid) const;
    /// \param role  empty: all
    [[nodiscard]] std::vector<StoredArtifact> artifacts(const std::string &uuid, const std::string &role = {}) const;
    [[nodiscard]] std::vector<StoredText> texts(const std::string &uuid) const;
    [[nodiscard]] std::vector<StoredWarning> warnings(const std::string &uuid) const;

    /// Whether a run may be called so. \param uuid  its own, empty for one that has not begun
    /// \throws Error(Usage) for what is not UTF-8 or too long, what commands read as something else, and what another run's UUID begins with
    void checkName(const std::string &name, const std::string &uuid = {}) const;
    /// What people write is UTF-8 and not without end. \throws Error(Usage) where it is not, for an empty tag, as checkName, and where a run to be named is locked.
    void setName(const std::string &uuid, const std::string &name);
    void setNotes(const std::string &uuid, const std::string &notes);
    void addTag(const std::string &uuid, const std::string &tag);
    void removeTag(const std::string &uuid, const std::string &tag);
    /// A pinned run can be neither trashed nor purged.
    void setPinned(const std::string &uuid, bool pinned);
    /// A locked run can be neither renamed nor trashed nor purged; tags, notes and pins are not what it is.
    void setLocked(const std::string &uuid, bool locked);
    /// \throws Error(Usage) where it is pinned or locked and would go into the trash.
    void setTrashed(const std::string &uuid, bool trashed);
    /// Removes a trashed run for good: its rows and its folder, not the stages it made, which other runs may use. \throws Error(Usage) unless it is in the trash and not locked.
    void purge(const std::string &uuid);

    /// Changes whenever another connection has written: poll it to know when to read again.
    [[nodiscard]] std::int64_t dataVersion() const;
    /// Runs whose process is gone become interrupted; done at open. Returns how many.
    int markInterrupted();
    /// SQLite's quick_check. \throws Error(BadFile) when the database is damaged.
    void checkIntegrity() const;

private:
    struct Impl;
    std::unique_ptr<Impl> d;
};

}  // namespace stillroom::store
