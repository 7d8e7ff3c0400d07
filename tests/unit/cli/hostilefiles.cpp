// SPDX-License-Identifier: GPL-3.0-or-later
#include "hostilefiles.h"

#include "foldercontents.h"
#include "programcall.h"
#include "reducedtests.h"
#include "store/workspace.h"
#include "temporaryfolder.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <regex>
#include <sys/wait.h>

namespace {

namespace fs = std::filesystem;

constexpr std::size_t callsAtOnce = 3;
constexpr std::int64_t allowedBytes = 64'000'000;
#ifdef __SANITIZE_ADDRESS__
constexpr bool measuresMemory = false;   // its shadow and its quarantine are memory, too
#else
constexpr bool measuresMemory = true;
#endif

bool saysWhatToDo(const std::string &message)
{
    static const std::regex advice(R"([;:,?(] ?(check|choose|convert|correct|delete|did you mean|download|give|lower|move|name|put|rebuild|rename|replace|save|shorten it|split|use|write|`stillroom-cli reindex` rebuilds)\b| must | [Gg]ive )");
    return std::regex_search(message, advice);
}

/// What is wrong with standard error after a refusal; empty: nothing.
std::string flawOf(const std::string &errors, const fs::path &sandbox, const fs::path &file)
{
    const std::string start = "stillroom-cli: ";
    if (errors.empty() || errors.find('\n') != errors.size() - 1)
        return "it is not one line";
    if (!errors.starts_with(start) || errors.size() < start.size() + 10 || errors.size() > 1200)
        return "it does not begin like an error, or is too short or too long";
    if (std::any_of(errors.begin(), errors.end() - 1, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }))
        return "it holds control characters";
    const auto names = [&](const fs::path &path) { return errors.find(path.string()) != std::string::npos; };
    const bool namesFolder = names(sandbox / file.parent_path()) || names(file.parent_path().string() + " has no weight");
    if (!file.empty() && !names(file) && !namesFolder)
        return "it does not name the file";
    return saysWhatToDo(errors) ? "" : "it does not say what to do";
}

/// A fork begins with what its parent has; of a program that was started, the kernel's number includes what the process was before.
std::int64_t takenBytes(const Outcome &outcome, Start start)
{
    return start == Start::Forked ? outcome.peakResidentBytes - outcome.firstResidentBytes : std::max(outcome.peakResidentBytes, outcome.firstResidentBytes);
}

struct Job {
    std::size_t kind = 0;
    int number = 0;
    Start start = Start::Forked;
};

/// A sandbox, and the call that is under way in it.
struct Place {
    fs::path sandbox, notes;
    Job job;
    std::size_t call = 0;
    std::string text;
    std::optional<ProgramCall> running;
};

class Meeting final {
public:
    explicit Meeting(const HostileFormat &format) : m_format(format)
    {
        const fs::path pattern = m_folder.path() / "whole";
        for (const char *name : {"home", "workspace"})
            fs::create_directories(pattern / name);
        { const stillroom::store::Workspace workspace(pattern / "workspace"); }
        m_format.furnish(pattern);
        m_whole = contentsOf(pattern);
        for (std::size_t i = 0; i < callsAtOnce; ++i) {
            m_places.push_back({.sandbox = m_folder.path() / ("sandbox" + std::to_string(i)), .notes = m_folder.path() / ("notes" + std::to_string(i))});
            fs::create_directory(m_places.back().notes);
            refurnish(m_places.back().sandbox);
        }
        m_refused.resize(m_format.kinds.size());
    }

    void run()
    {
        measureWholeFiles();
        auto jobs = allJobs();
        std::size_t numStarted = 0, numEnded = 0;
        while (numEnded < jobs.size()) {
            for (Place &place : m_places)
                if (!place.running && numStarted < jobs.size())
                    begin(place, jobs[numStarted++]);
            end(firstThatEnds());
            ++numEnded;
        }
        for (std::size_t kind = 0; kind < m_format.kinds.size(); ++kind)
            CHECK_MESSAGE(m_refused[kind] > 0, m_format.name, ", ", std::string(m_format.kinds[kind].name), ": nothing was refused");
    }

private:
    [[nodiscard]] std::vector<Job> allJobs() const
    {
        std::vector<Job> jobs;
        for (std::size_t kind = 0; kind < m_format.kinds.size(); ++kind) {
            for (int number = 0; number < reduced(m_format.casesPerKind, m_format.casesPerKind / 3); ++number)
                jobs.push_back({kind, number, Start::Forked});
            if (m_format.throughProgram)
                jobs.push_back({kind, m_format.casesPerKind, Start::Program});
        }
        return jobs;
    }

    void refurnish(const fs::path &sandbox) const
    {
        fs::remove_all(sandbox);
        fs::copy(m_folder.path() / "whole", sandbox, fs::copy_options::recursive);
    }

    /// A call's arguments: "@x" means x in the sandbox.
    [[nodiscard]] std::vector<std::string> arguments(std::size_t call, const fs::path &sandbox) const
    {
        std::vector<std::string> words = m_format.calls[call];
        for (std::string &word : words)
            if (word.starts_with('@'))
                word = (sandbox / word.substr(1)).string();
        return words;
    }

    void measureWholeFiles()
    {
        const Place &place = m_places.front();
        for (std::size_t call = 0; call < m_format.calls.size(); ++call)
            for (const Start start : {Start::Forked, Start::Program}) {
                if (start == Start::Program && (!m_format.throughProgram || call > 0))
                    continue;
                const Outcome outcome = ProgramCall(arguments(call, place.sandbox), place.sandbox, place.notes, start).finish();
                REQUIRE_MESSAGE((outcome.signal == 0 && outcome.status == 0), m_format.name, ", the whole file: ", outcome.errors);
                m_wholeBytes[{start, call}] = takenBytes(outcome, start);
                refurnish(place.sandbox);
            }
    }

    void begin(Place &place, const Job &job)
    {
        Draw draw(m_format.seed * 1'000'000 + job.kind * 1'000 + static_cast<std::uint64_t>(job.number));
        place.job = job;
        place.call = job.start == Start::Program ? 0 : static_cast<std::size_t>(job.number) % m_format.calls.size();
        place.text = m_format.kinds[job.kind].spoil(draw);
        writePlain(place.sandbox / m_format.file, place.text);
        place.running.emplace(arguments(place.call, place.sandbox), place.sandbox, place.notes, job.start);
    }

    Place &firstThatEnds()
    {
        siginfo_t ended{};
        REQUIRE(::waitid(P_ALL, 0, &ended, WEXITED | WNOWAIT) == 0);
        const auto found = std::find_if(m_places.begin(), m_places.end(), [&](const Place &place) { return place.running && place.running->process() == ended.si_pid; });
        REQUIRE(found != m_places.end());
        return *found;
    }

    void end(Place &place)
    {
        const Outcome outcome = place.running->finish();
        place.running.reset();
        std::string what = m_format.name + ", " + m_format.kinds[place.job.kind].name + " " + std::to_string(place.job.number) + (place.job.start == Start::Program ? ", the program" : "") + ",";
        for (const std::string &word : m_format.calls[place.call])
            what += " " + word;
        judge(what, place, outcome);
        m_refused[place.job.kind] += outcome.status != 0 ? 1 : 0;
        const bool untouched = judgeSandbox(what, place, outcome);
        if (untouched)
            writePlain(place.sandbox / m_format.file, m_whole.at(m_format.file.string()));
        else
            refurnish(place.sandbox);
    }

    void judge(const std::string &what, const Place &place, const Outcome &outcome) const
    {
        CHECK_MESSAGE(outcome.signal == 0, what, " was ended by the signal ", outcome.signal, ": ", outcome.errors);
        if (outcome.signal != 0)
            return;
        CHECK_MESSAGE((outcome.status == 0 || m_format.refusals.contains(outcome.status)), what, " ended with status ", outcome.status, ": ", outcome.errors.substr(0, 3000));
        CHECK_MESSAGE((outcome.status != 0 || !m_format.kinds[place.job.kind].alwaysRefused), what, " was taken as valid");
        if (m_format.isJson && !nlohmann::json::accept(place.text))
            CHECK_MESSAGE(outcome.status == 4, what, " is no JSON, but ended with status ", outcome.status, ": ", outcome.errors);
        if (outcome.status == 0) {
            CHECK_MESSAGE(outcome.errors.find("stillroom-cli: ") == std::string::npos, what, " did its work and yet said: ", outcome.errors);
        } else {
            const std::string flaw = flawOf(outcome.errors, place.sandbox, m_format.namesFile ? m_format.file : fs::path());
            CHECK_MESSAGE(flaw.empty(), what, ": ", flaw, ": ", outcome.errors.substr(0, 3000));
        }
        const std::int64_t more = takenBytes(outcome, place.job.start) - m_wholeBytes.at({place.job.start, place.call});
        if (measuresMemory)
            CHECK_MESSAGE(more <= 2 * static_cast<std::int64_t>(place.text.size()) + allowedBytes, what, " took ", more, " bytes for a file of ", place.text.size());
    }

    /// \returns whether nothing but the damaged file differs from the whole sandbox.
    bool judgeSandbox(const std::string &what, const Place &place, const Outcome &outcome) const
    {
        FolderContents expected = m_whole;
        expected[m_format.file.string()] = place.text;
        const FolderContents found = contentsOf(place.sandbox);
        const std::string &exempt = !m_format.recorded.empty() ? m_format.recorded : outcome.status == 0 ? m_format.written : std::string();
        const std::string changes = changesBetween(expected, found, exempt);
        CHECK_MESSAGE(changes.empty(), what, " wrote:\n", changes, outcome.errors);
        return found == expected;
    }

    HostileFormat m_format;
    TemporaryFolder m_folder;
    FolderContents m_whole;
    std::vector<Place> m_places;
    std::map<std::pair<Start, std::size_t>, std::int64_t> m_wholeBytes;   ///< what a call on the whole file takes
    std::vector<int> m_refused;                                         ///< by kind
};

}  // namespace

void meetHostileFiles(const HostileFormat &format)
{
    if (!measuresMemory)
        MESSAGE("skipped: the memory of the calls, which a sanitizer changes");
    Meeting(format).run();
}
