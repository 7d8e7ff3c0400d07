// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/recorder.h"

#include "error.h"
#include "log.h"
#include "store/database.h"
#include "store/ingest.h"
#include "store/layout.h"
#include "store/recorderlock.h"
#include "store/scan.h"
#include "store/workspace.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <set>
#include <sqlite3.h>
#include <stop_token>
#include <thread>
#include <utility>

namespace stillroom::store {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr auto groupTime = std::chrono::milliseconds(250);
constexpr auto lookTime = std::chrono::seconds(1);
constexpr std::size_t groupNotices = 1000;

}  // namespace

struct Recorder::Impl {
    Impl(fs::path folder, CommitObserver commitObserver) : workspace(std::move(folder)), observer(std::move(commitObserver)), database(prepared(workspace)), ingestor(database, workspace)
    {
        lock = RecorderLock::take(workspace);
        thread = std::jthread([this](const std::stop_token &stop) { work(stop); });
        checker = std::jthread([this](const std::stop_token &stop) { check(stop); });
    }

    /// Makes the workspace where there is none. One that cannot be written can be read, but nothing can be recorded in it.
    static SQLite::Database prepared(const fs::path &folder)
    {
        const Workspace opened(folder);
        if (opened.isReadOnly())
            throw Error(ErrorCode::Io, "The workspace \"" + folder.string() + "\" cannot be written; check its folder's permissions, or choose another one.");
        return openDatabase(databaseFile(folder));
    }

    void work(const std::stop_token &stop)
    {
        while (true) {
            std::set<std::string> runs;
            std::uint64_t flushNumber = 0;
            {
                std::unique_lock guard(mutex);
                wake.wait_for(guard, stop, lookTime, [&] { return !noticed.empty() || flushWanted > flushDone; });
                wake.wait_for(guard, stop, groupTime, [&] { return flushWanted > flushDone || numNotices >= groupNotices || noticed.empty(); });
                runs.swap(noticed);
                numNotices = 0;
                flushNumber = flushWanted;
            }
            const bool isLast = stop.stop_requested();
            round(runs, isLast || flushNumber > flushDone);
            {
                const std::scoped_lock guard(mutex);
                flushDone = flushNumber;
            }
            flushed.notify_all();
            if (isLast)
                return;
        }
    }

    /// One group: what was noticed, and what other processes wrote.
    void round(const std::set<std::string> &runs, bool lookEverywhere)
    {
        try {
            if (!holdsLock() && !takeOver())
                return;
            std::vector<std::string> changed = takeInAll(ingestor, {runs.begin(), runs.end()});
            if (lookEverywhere || Clock::now() - lastLook >= lookTime) {
                const auto others = takeInAll(ingestor, lookEverywhere || folderChanged() ? runsWithNewLines(database, workspace) : runningRunsWithNewLines(database, workspace));
                changed.insert(changed.end(), others.begin(), others.end());
                markInterruptedRuns(database);
                lastLook = Clock::now();
            }
            setFailure(std::nullopt);
            if (observer && !changed.empty())
                observer(changed);
        } catch (const SQLite::Exception &error) {
            setFailure(asError(error, databaseFile(workspace)), runs);
        } catch (const Error &error) {
            setFailure(error, runs);
        } catch (const std::exception &error) {
            setFailure(Error(ErrorCode::Failed, "The recorder of " + workspace.string() + " failed.", error.what()), runs);
        }
    }

    bool holdsLock()
    {
        const std::scoped_lock guard(mutex);
        return lock.has_value();
    }

    bool takeOver()
    {
        auto taken = RecorderLock::tryToTake(workspace);
        const std::scoped_lock guard(mutex);
        lock = std::move(taken);
        lastLook = {};
        lastFolderTime = {};
        return lock.has_value();
    }

    /// A run that starts touches the folder runs/. The clock of folders is coarse, so a fresh time is looked at once more.
    bool folderChanged()
    {
        std::error_code error;
        const auto time = fs::last_write_time(runsFolder(workspace), error);
        const bool changed = error || time != lastFolderTime || fs::file_time_type::clock::now() - time < std::chrono::seconds(3);
        lastFolderTime = time;
        return changed;
    }

    /// What failed is tried again in the next round; a person hears of it once.
    void setFailure(std::optional<Error> error, const std::set<std::string> &again = {})
    {
        const std::scoped_lock guard(mutex);
        noticed.insert(again.begin(), again.end());
        if (error && (!failure || std::string(failure->what()) != error->what()))
            log::error(std::string(error->what()) + " " + error->detail());
        failure = std::move(error);
    }

    /// quick_check of a large database takes seconds, so it runs beside the rest on a connection of its own.
    void check(const std::stop_token &stop)
    {
        try {
            SQLite::Database own = openDatabase(databaseFile(workspace));
            const std::stop_callback interrupt(stop, [&own] { sqlite3_interrupt(own.getHandle()); });
            if (!stop.stop_requested())
                onDatabase(databaseFile(workspace), [&] { checkWhole(own, databaseFile(workspace)); });
        } catch (const Error &error) {
            if (!stop.stop_requested())
                log::error(std::string(error.what()) + " " + error.detail());
        }
    }

    const fs::path workspace;
    const CommitObserver observer;
    SQLite::Database database;           // used by `thread` alone, once it runs
    Ingestor ingestor;
    Clock::time_point lastLook{};
    fs::file_time_type lastFolderTime{};

    std::mutex mutex;                    // guards what follows
    std::condition_variable_any wake, flushed;
    std::optional<RecorderLock> lock;
    std::set<std::string> noticed;
    std::size_t numNotices = 0;
    std::uint64_t flushWanted = 0, flushDone = 0;
    std::optional<Error> failure;

    std::jthread thread, checker;        // last: they end before the rest goes
};

Recorder::Recorder(fs::path workspace, CommitObserver observer) : d(std::make_unique<Impl>(std::move(workspace), std::move(observer))) {}

Recorder::~Recorder() = default;

void Recorder::notice(const std::string &run)
{
    static_cast<void>(runFolder(d->workspace, run));      // refuses what is no UUID
    {
        const std::scoped_lock guard(d->mutex);
        d->noticed.insert(run);
        ++d->numNotices;
    }
    d->wake.notify_all();
}

bool Recorder::flush()
{
    std::unique_lock guard(d->mutex);
    const std::uint64_t number = ++d->flushWanted;
    d->wake.notify_all();
    d->flushed.wait(guard, [&] { return d->flushDone >= number; });
    if (d->failure)
        throw Error(*d->failure);
    return d->lock.has_value();
}

bool Recorder::isRecording() const
{
    const std::scoped_lock guard(d->mutex);
    return d->lock.has_value();
}

std::string Recorder::holder() const
{
    return isRecording() ? std::string() : RecorderLock::holder(d->workspace);
}

}  // namespace stillroom::store
