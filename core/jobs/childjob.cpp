// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobs/places.h"

#include "error.h"
#include "experiment/jsontext.h"
#include "jobs/eventlog.h"
#include "log.h"
#include "store/layout.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <poll.h>
#include <sstream>
#include <string_view>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

namespace stillroom::jobs {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::size_t maximumLineBytes = std::size_t{64} << 20U;

class Descriptor final {
public:
    explicit Descriptor(int number = -1) : m_number(number) {}
    ~Descriptor() { reset(); }
    Descriptor(const Descriptor &) = delete;
    Descriptor &operator=(const Descriptor &) = delete;
    [[nodiscard]] int get() const { return m_number; }
    void reset(int number = -1)
    {
        if (m_number >= 0)
            close(m_number);
        m_number = number;
    }

private:
    int m_number;
};

void makePipe(Descriptor &readEnd, Descriptor &writeEnd)
{
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0)
        throw Error(ErrorCode::Failed, "Cannot make a pipe to the job's process.", std::strerror(errno));
    readEnd.reset(ends[0]);
    writeEnd.reset(ends[1]);
}

std::vector<std::string> commandLine(const LaunchOptions &options, const fs::path &specFile)
{
    std::vector<std::string> words{options.cliProgram.string(), "run", specFile.string(), "--events", "--workspace", options.workspace.string(), "--run-id", options.runId};
    if (options.resume)
        words.emplace_back("--resume");
    if (options.fresh)
        words.emplace_back("--fresh");
    return words;
}

/// What runs between fork and exec: system calls that may follow a fork, and nothing else.
[[noreturn]] void becomeProgram(char *const *words, pid_t parent, int nullInput, int output, int messages, int failures)
{
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    signal(SIGINT, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    setpgid(0, 0);                                     // a Ctrl+C in the terminal reaches it through requestStop only
    const bool isBound = prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == parent;
    if (isBound && dup2(nullInput, 0) == 0 && dup2(output, 1) == 1 && dup2(messages, 2) == 2)
        execv(words[0], words);
    const int failure = errno;
    static_cast<void>(!write(failures, &failure, sizeof failure));
    _exit(127);
}

std::string signalName(int number)
{
    const char *name = sigabbrev_np(number);
    return name ? std::string("SIG") + name : "signal " + std::to_string(number);
}

std::string describedEnd(int status, const std::string &run)
{
    const std::string where = "; its messages are in runs/" + run + "/stderr.log.";
    if (WIFSIGNALED(status)) {
        const bool isKill = WTERMSIG(status) == SIGKILL;
        return "The job's process was ended by " + signalName(WTERMSIG(status)) + (isKill ? ", as the system does when memory runs out" : "") + where;
    }
    return "The job's process ended with status " + std::to_string(WEXITSTATUS(status)) + " without a last word" + where;
}

/// Not from before `begin`: a run that was resumed has what its earlier attempts said there.
std::string lastBytes(const fs::path &file, std::streamoff begin)
{
    constexpr std::streamoff longest = 4000;
    std::ifstream stream(file, std::ios::binary | std::ios::ate);
    const std::streamoff size = stream ? static_cast<std::streamoff>(stream.tellg()) : 0;
    stream.seekg(std::max(begin, size - longest));
    return {std::istreambuf_iterator<char>(stream), {}};
}

/// The sentence that the program ended with, as it prints one on standard error when it refuses something; empty where it said none.
std::string lastSentence(const std::string &messages)
{
    constexpr std::string_view prefix = "stillroom-cli: ";
    std::istringstream lines(messages);
    std::string line;
    for (std::string next; std::getline(lines, next);)
        if (!next.empty())
            line = next;
    return line.starts_with(prefix) ? line.substr(prefix.size()) : std::string();
}

/// As the program's exit status tells it.
ErrorCode codeOfStatus(int status)
{
    for (const ErrorCode code : {ErrorCode::Usage, ErrorCode::BadFile})
        if (WIFEXITED(status) && WEXITSTATUS(status) == exitStatus(code))
            return code;
    return ErrorCode::Failed;
}

class ChildJob final : public Job {
public:
    ChildJob(nlohmann::json spec, LaunchOptions options) : m_spec(std::move(spec)), m_options(std::move(options)), m_folder(store::runFolder(m_options.workspace, m_options.runId))
    {
        makePipe(m_stopRead, m_stopWrite);
        writeSpec();
        // The thread that forks must live as long as the child: PDEATHSIG fires when that thread ends.
        m_thread = std::jthread([this] { work(); });
        m_started.wait(Start::Pending);
        if (m_started == Start::Failed) {
            m_thread.join();
            throw Error(ErrorCode::Failed, "Cannot start the job's process \"" + m_options.cliProgram.string() + "\".", std::strerror(m_startFailure));
        }
    }
    ~ChildJob() override { ChildJob::requestStop(); }

    [[nodiscard]] const std::string &runId() const override { return m_options.runId; }
    void requestStop() override
    {
        if (!m_stopRequested.exchange(true))
            static_cast<void>(!write(m_stopWrite.get(), "x", 1));
    }
    [[nodiscard]] bool finished() const override { return m_finished; }
    void wait() override { m_finished.wait(false); }

private:
    enum class Start { Pending, Running, Failed };

    void writeSpec() const
    {
        std::error_code error;
        fs::create_directories(m_folder, error);
        std::ofstream stream(m_folder / "spec.json", std::ios::binary);
        stream << experiment::compactJson(m_spec) << '\n';
        stream.close();
        if (!stream)
            throw Error(ErrorCode::Io, "Cannot write \"" + (m_folder / "spec.json").string() + "\"; check the disk and its permissions.", error.message());
    }

    void work()
    {
        Descriptor output;
        const pid_t child = start(output);
        if (child > 0) {
            say(Start::Running);
            const int status = follow(child, output.get());
            if (!m_heardLast)
                sayLast(status);
        } else {
            say(Start::Failed);
        }
        m_finished = true;
        m_finished.notify_all();
    }

    void say(Start start)
    {
        m_started = start;
        m_started.notify_all();
    }

    /// Forks and waits until the program has replaced the copy. Returns the child, or -1 with m_startFailure set.
    pid_t start(Descriptor &output)
    {
        Descriptor outputWrite, failureRead, failureWrite;
        try {
            makePipe(output, outputWrite);
            makePipe(failureRead, failureWrite);
        } catch (const Error &) {
            m_startFailure = errno;
            return -1;
        }
        const Descriptor nullInput(open("/dev/null", O_RDONLY | O_CLOEXEC));
        const Descriptor messages(open((m_folder / "stderr.log").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
        m_messagesBegin = std::max<off_t>(0, lseek(messages.get(), 0, SEEK_END));
        std::vector<std::string> words = commandLine(m_options, m_folder / "spec.json");
        std::vector<char *> pointers;
        for (std::string &word : words)
            pointers.push_back(word.data());
        pointers.push_back(nullptr);
        const pid_t parent = getpid();
        const pid_t child = fork();
        if (child == 0)
            becomeProgram(pointers.data(), parent, nullInput.get(), outputWrite.get(), messages.get(), failureWrite.get());
        if (child < 0) {
            m_startFailure = errno;
            return -1;
        }
        failureWrite.reset();
        int failure = 0;
        ssize_t count = 0;
        do {
            count = read(failureRead.get(), &failure, sizeof failure);
        } while (count < 0 && errno == EINTR);
        if (count == static_cast<ssize_t>(sizeof failure)) {
            waitpid(child, nullptr, 0);
            m_startFailure = failure;
            return -1;
        }
        return child;
    }

    /// Hands on the child's lines until it ends. A stop is SIGINT, then SIGKILL when the time is over. Returns the wait status.
    int follow(pid_t child, int output)
    {
        std::string pending;
        std::optional<Clock::time_point> killAt;
        bool isOpen = true;
        while (isOpen) {
            std::array<pollfd, 2> watched{{{.fd = output, .events = POLLIN, .revents = 0}, {.fd = killAt ? -1 : m_stopRead.get(), .events = POLLIN, .revents = 0}}};
            const auto left = killAt ? std::chrono::duration_cast<std::chrono::milliseconds>(*killAt - Clock::now()).count() : -1;
            const int ready = poll(watched.data(), watched.size(), killAt ? static_cast<int>(std::clamp<std::int64_t>(left, 0, 60'000)) : -1);
            if (ready < 0 && errno != EINTR)
                log::error(std::string("Cannot wait for the job's process: ") + std::strerror(errno));
            if (killAt && Clock::now() >= *killAt) {
                kill(child, SIGKILL);
                break;
            }
            if (ready > 0 && watched[1].revents != 0) {
                kill(child, SIGINT);
                killAt = Clock::now() + m_options.stopGrace;
            }
            if (ready > 0 && watched[0].revents != 0)
                isOpen = readMore(output, pending);
        }
        return waitFor(child, killAt);
    }

    /// The child may close its output and live on, so the limits of a stop hold here too.
    int waitFor(pid_t child, std::optional<Clock::time_point> killAt)
    {
        int status = 0;
        while (waitpid(child, &status, WNOHANG) == 0) {
            if (m_stopRequested && !killAt) {
                kill(child, SIGINT);
                killAt = Clock::now() + m_options.stopGrace;
            }
            if (killAt && Clock::now() >= *killAt)
                kill(child, SIGKILL);
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        return status;
    }

    bool readMore(int output, std::string &pending)
    {
        std::array<char, 65536> buffer{};
        const ssize_t count = read(output, buffer.data(), buffer.size());
        if (count < 0)
            return errno == EINTR || errno == EAGAIN;
        if (count == 0)
            return false;
        pending.append(buffer.data(), static_cast<std::size_t>(count));
        std::size_t start = 0;
        for (std::size_t end = pending.find('\n'); end != std::string::npos; end = pending.find('\n', start)) {
            handOn(pending.substr(start, end - start));
            start = end + 1;
        }
        pending.erase(0, start);
        if (pending.size() > maximumLineBytes)
            pending.clear();
        return true;
    }

    void handOn(const std::string &line)
    {
        try {
            const experiment::Event event = experiment::fromLine(line);
            if (event.run != m_options.runId)
                throw Error(ErrorCode::BadFile, "The line belongs to another run.");
            m_heardStarted = m_heardStarted || std::holds_alternative<experiment::Started>(event.body);
            m_heardLast = m_heardLast || (experiment::isLast(event.body) && event.task == m_spec.value("kind", ""));
            if (m_options.observer)
                m_options.observer(event);
        } catch (const Error &error) {
            log::warning(std::string("The job's process wrote something that is no event. ") + error.what());
        }
    }

    /// The child is gone without a last event: its file gets one from here, with the reason that it gave, and a first one where it was refused before that,
    /// so that the run has a kind and a spec.
    void sayLast(int status)
    {
        const auto task = m_spec.value("kind", "");
        const std::string messages = lastBytes(m_folder / "stderr.log", m_messagesBegin), reason = WIFEXITED(status) ? lastSentence(messages) : std::string();
        const experiment::Failed failed{.code = codeName(reason.empty() ? ErrorCode::Failed : codeOfStatus(status)), .message = reason.empty() ? describedEnd(status, m_options.runId) : reason, .detail = messages};
        try {
            EventLog log(m_options.workspace, m_options.runId, m_options.observer);
            if (!m_heardStarted)
                log.append(task, startedFrom(m_spec, m_options.resume));
            log.appendLast(task, failed);
        } catch (const std::exception &error) {      // its thread is the program's
            log::error(error.what());
            if (m_options.observer)
                m_options.observer({.run = m_options.runId, .task = task, .seq = 0, .timeSeconds = 0.0, .body = failed});
        }
    }

    const nlohmann::json m_spec;
    const LaunchOptions m_options;
    const fs::path m_folder;
    Descriptor m_stopRead, m_stopWrite;
    std::atomic<Start> m_started{Start::Pending};
    std::atomic<bool> m_stopRequested{false}, m_finished{false};
    int m_startFailure = 0;
    off_t m_messagesBegin = 0;               ///< of this attempt, in the file that all of a run share
    bool m_heardStarted = false, m_heardLast = false;      // used by the thread alone
    std::jthread m_thread;                   // last: it ends before the rest goes
};

}  // namespace

std::unique_ptr<Job> startChildJob(const nlohmann::json &completedSpec, LaunchOptions options)
{
    return std::make_unique<ChildJob>(completedSpec, std::move(options));
}

}  // namespace stillroom::jobs
