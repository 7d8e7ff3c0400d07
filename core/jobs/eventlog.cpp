// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobs/eventlog.h"

#include "error.h"
#include "experiment/jsontext.h"
#include "log.h"
#include "process.h"
#include "store/lastnumbers.h"
#include "store/layout.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace stillroom::jobs {

namespace {

namespace fs = std::filesystem;

double now()
{
    return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

[[noreturn]] void refuse(const fs::path &path, int failure)
{
    const std::string why = failure == ENOSPC ? "the disk is full" : "check the disk and its permissions";
    throw Error(ErrorCode::Io, "Cannot write \"" + path.string() + "\": " + why + ".", std::strerror(failure));
}

/// Says which process runs this: how others tell an interrupted run.
void writeProcess(const fs::path &folder)
{
    const fs::path draft = folder / "process.json.new";
    std::ofstream stream(draft, std::ios::binary);
    stream << experiment::compactJson(toJson(thisProcess())) << '\n';
    stream.close();
    std::error_code error;
    fs::rename(draft, folder / "process.json", error);
    if (!stream || error)
        refuse(folder / "process.json", error ? error.value() : errno);
}

bool mustLast(const experiment::EventBody &body)
{
    return experiment::isLast(body) || std::holds_alternative<experiment::CheckpointSaved>(body) || std::holds_alternative<experiment::Artifact>(body);
}

}  // namespace

EventLog::EventLog(const fs::path &workspace, std::string run, Observer observer)
    : m_run(std::move(run)), m_file(store::eventsFile(workspace, m_run)), m_observer(std::move(observer))
{
    std::error_code error;
    fs::create_directories(m_file.parent_path(), error);
    if (error)
        refuse(m_file.parent_path(), error.value());
    m_descriptor = open(m_file.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (m_descriptor < 0)
        refuse(m_file, errno);
    try {
        if (flock(m_descriptor, LOCK_EX | LOCK_NB) != 0)
            throw Error(ErrorCode::Usage, "The run " + m_run + " is being written by another process; wait for it or stop it.");
        const auto taken = store::lastNumbers(workspace, m_run);      // before anything is written
        readExisting();
        goOnBehind(taken);
        writeProcess(m_file.parent_path());
        fs::last_write_time(store::runsFolder(workspace), fs::file_time_type::clock::now(), error);     // tells recorders that a run begins
    } catch (...) {
        close(m_descriptor);
        throw;
    }
}

EventLog::~EventLog()
{
    close(m_descriptor);
}

/// The last number of every task; a line that a killed process left unfinished is closed, so that the next one stands on its own.
void EventLog::readExisting()
{
    std::ifstream stream(m_file, std::ios::binary);
    std::string line;
    bool isOpen = false;
    while (std::getline(stream, line)) {
        isOpen = stream.eof();
        try {
            const experiment::Event event = experiment::fromLine(line);
            std::int64_t &last = m_lastSeq[event.task];
            last = std::max(last, event.seq);
        } catch (const Error &error) {
            log::warning("A line of " + m_file.string() + " cannot be read. " + error.what());
        }
    }
    if (isOpen)
        writeLine("\n", false);
}

void EventLog::goOnBehind(const std::map<std::string, std::int64_t> &taken)
{
    constexpr std::int64_t mostSeq = std::int64_t{1} << 53;      // no run comes near it, and every reader of JSON can say it
    for (const auto &[task, seq] : taken) {
        std::int64_t &last = m_lastSeq[task];
        if (seq > last && seq < mostSeq)
            m_numLost += seq - last;
        last = std::max(last, seq);
    }
    for (const auto &[task, last] : m_lastSeq)
        if (last >= mostSeq)
            throw Error(ErrorCode::BadFile, "The run " + m_run + " cannot go on, since its events are numbered up to " + std::to_string(last) + ", as Stillroom never does; start it anew (--fresh).");
}

void EventLog::writeLine(const std::string &line, bool flush)
{
    struct stat before {};
    if (fstat(m_descriptor, &before) != 0)
        refuse(m_file, errno);
    std::size_t written = 0;
    while (written < line.size()) {
        const ssize_t count = write(m_descriptor, line.data() + written, line.size() - written);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0) {
            const int failure = errno;
            if (written > 0 && ftruncate(m_descriptor, before.st_size) != 0)
                log::warning("A torn line stays in " + m_file.string() + ".");
            refuse(m_file, failure);
        }
        written += static_cast<std::size_t>(count);
    }
    if (flush && fdatasync(m_descriptor) != 0)
        refuse(m_file, errno);
}

experiment::Event EventLog::numbered(const std::string &task, experiment::EventBody body)
{
    return {.run = m_run, .task = task, .seq = m_lastSeq[task] + 1, .timeSeconds = now(), .body = std::move(body)};
}

experiment::Event EventLog::append(const std::string &task, experiment::EventBody body)
{
    const std::scoped_lock guard(m_mutex);
    const experiment::Event event = numbered(task, std::move(body));
    writeLine(experiment::toLine(event) + "\n", mustLast(event.body));
    m_lastSeq[task] = event.seq;
    if (m_observer)
        m_observer(event);
    return event;
}

experiment::Event EventLog::appendLast(const std::string &task, experiment::EventBody body)
{
    const std::scoped_lock guard(m_mutex);
    const experiment::Event event = numbered(task, std::move(body));
    try {
        writeLine(experiment::toLine(event) + "\n", true);
    } catch (const Error &error) {
        const auto *failed = std::get_if<experiment::Failed>(&event.body);
        if (!failed || failed->message != error.what())      // else the event says it
            log::error(error.what());
    }
    m_lastSeq[task] = event.seq;
    if (m_observer)
        m_observer(event);
    return event;
}

}  // namespace stillroom::jobs
