// SPDX-License-Identifier: GPL-3.0-or-later
// A workspace that may be read but not written: another person's folder, a read-only disk.
#include "error.h"
#include "lines.h"
#include "store/recorder.h"
#include "store/reindex.h"
#include "store/stagecache.h"
#include "store/workspace.h"
#include "temporaryfolder.h"

#include <cmath>
#include <cstdlib>
#include <doctest/doctest.h>
#include <functional>
#include <grp.h>
#include <set>
#include <sys/wait.h>
#include <unistd.h>

namespace readonly_tests {

using namespace stillroom;
using namespace stillroom::store;
namespace fs = std::filesystem;

namespace {

/// Runs `work` in a child process that is not the super-user, who may write everywhere. \returns what it wrote, and "" when it died
std::string asSomebody(const std::function<std::string()> &work)
{
    int ends[2] = {-1, -1};
    REQUIRE(::pipe(ends) == 0);
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        if (::geteuid() == 0 && (::setgroups(0, nullptr) != 0 || ::setgid(65534) != 0 || ::setuid(65534) != 0))
            ::_exit(1);
        std::string answer;
        try {
            answer = work();
        } catch (const std::exception &error) {
            answer = std::string("threw: ") + error.what();
        }
        const auto written = ::write(ends[1], answer.data(), answer.size());
        ::_exit(written == static_cast<ssize_t>(answer.size()) ? 0 : 1);
    }
    ::close(ends[1]);
    std::string answer;
    char buffer[4096];
    for (ssize_t bytes = 0; (bytes = ::read(ends[0], buffer, sizeof buffer)) > 0;)
        answer.append(buffer, static_cast<std::size_t>(bytes));
    ::close(ends[0]);
    int state = 0;
    REQUIRE(::waitpid(child, &state, 0) == child);
    CHECK(state == 0);
    return answer;
}

void setWritable(const fs::path &folder, bool writable)
{
    const fs::perms more = writable ? fs::perms::owner_write : fs::perms::none;
    std::vector<fs::path> all{folder};
    for (const fs::directory_entry &entry : fs::recursive_directory_iterator(folder))
        all.push_back(entry.path());
    for (const fs::path &path : all)
        fs::permissions(path, (fs::is_directory(path) ? fs::perms(0555) : fs::perms(0444)) | more);
}

/// A workspace with a run of one score, and what it holds besides.
class Library final {
public:
    Library()
    {
        LineWriter writer(path(), runName(1));
        writer.start();
        writer.say(experiment::LayerScore{.selector = "ga-s2", .mixer = "gdn", .layer = 0, .score = 0.5, .klNats = 0.5, .se = 0.1, .numSequences = 4, .tokens = 10});
        writer.say(experiment::Finished{.resultJson = "{}", .seconds = 1});
        fs::permissions(m_folder.path(), fs::perms(0755));
    }
    ~Library() { setWritable(m_folder.path(), true); }
    [[nodiscard]] fs::path path() const { return m_folder.path() / "workspace"; }
    void lock() const { setWritable(path(), false); }

private:
    TemporaryFolder m_folder;
};

std::string listed(const fs::path &workspace)
{
    const Workspace opened(workspace);
    std::string text = opened.isReadOnly() ? "read-only" : "writable";
    for (const Run &run : opened.runs())
        text += " " + run.uuid + " " + statusName(run.status) + " " + std::to_string(opened.lastScores(run.uuid).size());
    return text;
}

std::string contents(const fs::path &folder)
{
    std::set<std::string> names;
    for (const fs::directory_entry &entry : fs::recursive_directory_iterator(folder))
        names.insert(entry.path().string() + (entry.is_regular_file() ? " " + std::to_string(entry.file_size()) : ""));
    std::string all;
    for (const std::string &name : names)
        all += name + "\n";
    return all;
}

}  // namespace

TEST_CASE("a workspace is read where it cannot be written, and stays as it is")
{
    const Library library;
    SUBCASE("with a database") { (void)listed(library.path()); }
    SUBCASE("with lines that its database does not hold yet")
    {
        (void)listed(library.path());
        LineWriter writer(library.path(), runName(2));
        writer.start();
        writer.say(experiment::Finished{.resultJson = "{}", .seconds = 1});
    }
    SUBCASE("without a database") {}
    SUBCASE("with what a killed writer left in the log")
    {
        const pid_t child = ::fork();
        REQUIRE(child >= 0);
        if (child == 0) {
            const Recorder recorder(library.path());
            Workspace(library.path()).setName(runName(1), "named in the log");
            ::_exit(0);            // as killed: the log is not moved into the database
        }
        int state = 0;
        ::waitpid(child, &state, 0);
        REQUIRE(fs::file_size(library.path() / "stillroom.db-wal") > 0);
        fs::remove(library.path() / "stillroom.db-shm");
        const fs::path path = library.path();
        library.lock();
        CHECK(asSomebody([&] { return Workspace(path).findRun("named in the log").uuid; }) == runName(1));
    }
    library.lock();
    const std::string before = contents(library.path());
    const std::string answer = asSomebody([&] { return listed(library.path()); });
    CAPTURE(answer);
    CHECK(answer.starts_with("read-only"));
    CHECK(answer.find(runName(1) + " finished 1") != std::string::npos);
    CHECK(contents(library.path()) == before);
}

TEST_CASE("what would be lost is refused: nothing is written to the copy of a read-only workspace")
{
    const Library library;
    (void)listed(library.path());
    library.lock();
    for (const auto &[what, change] : std::vector<std::pair<std::string, std::function<void(Workspace &)>>>{
             {"name", [](Workspace &w) { w.setName(runName(1), "x"); }}, {"tag", [](Workspace &w) { w.addTag(runName(1), "x"); }}, {"pin", [](Workspace &w) { w.setPinned(runName(1), true); }},
             {"lock", [](Workspace &w) { w.setLocked(runName(1), true); }},
             {"trash", [](Workspace &w) { w.setTrashed(runName(1), true); }}, {"purge", [](Workspace &w) { w.purge(runName(1)); }}}) {
        CAPTURE(what);
        const std::string answer = asSomebody([&, &change = change] {
            Workspace workspace(library.path());
            change(workspace);
            return std::string("done");
        });
        CHECK(answer == "threw: The workspace \"" + library.path().string() + "\" cannot be written; check its folder's permissions.");
    }
    CHECK(asSomebody([&] {
              const Recorder recorder(library.path());
              return std::string("done");
          }).find("cannot be written") != std::string::npos);
}

TEST_CASE("a damaged database that cannot be written is refused by its own name, and no copy stays behind")
{
    const Library library;
    std::ofstream(library.path() / "stillroom.db") << std::string(5000, 'x');
    library.lock();
    const TemporaryFolder temporary;
    fs::permissions(temporary.path(), fs::perms(0777));
    const std::string answer = asSomebody([&] {
        ::setenv("TMPDIR", temporary.path().c_str(), 1);
        return listed(library.path());
    });
    CAPTURE(answer);
    CHECK(answer.find("threw: The database \"" + (library.path() / "stillroom.db").string() + "\"") == 0);
    CHECK(fs::is_empty(temporary.path()));
}

TEST_CASE("a workspace of which nobody can tell what it holds is not shown as empty: what cannot be read is named, with what to do")
{
    const Library library;
    (void)listed(library.path());
    library.lock();
    const fs::path database = library.path() / "stillroom.db";
    const auto listedBySomebody = [&] { return asSomebody([&] { return listed(library.path()); }); };
    fs::permissions(database, fs::perms::none);
    CHECK(listedBySomebody() == "threw: The database file \"" + database.string() + "\" cannot be read; check its permissions.");
    fs::permissions(database, fs::perms(0444));
    for (const unsigned mode : {0000U, 0444U}) {
        fs::permissions(library.path(), fs::perms(mode));
        CHECK(listedBySomebody() == "threw: The workspace \"" + library.path().string() + "\" cannot be read; check its folder's permissions.");
    }
    fs::permissions(library.path(), fs::perms(0111));      // neither listed nor written, but each file in it can be read
    CHECK(listedBySomebody().starts_with("read-only " + runName(1)));
    fs::permissions(library.path(), fs::perms(0555));
}

TEST_CASE("runs that cannot be looked at do not count as gone: nothing is rebuilt")
{
    const TemporaryFolder folder;
    fs::permissions(folder.path(), fs::perms(0777));
    const fs::path workspace = folder.path() / "workspace", runs = workspace / "runs";
    CHECK(asSomebody([&] {
              LineWriter writer(workspace, runName(1));
              writer.start();
              (void)listed(workspace);
              fs::permissions(runs, fs::perms::none);
              std::string answer;
              try {
                  answer = std::to_string(reindex(workspace).numRuns);
              } catch (const Error &error) {
                  answer = error.what();
              }
              fs::permissions(runs, fs::perms(0755));
              return answer + " " + std::to_string(reindex(workspace).numRuns);
          }) == "The folder \"" + runs.string() + "\" cannot be read, so no run can be rebuilt; check its permissions. 1");
}

TEST_CASE("an old result that cannot be removed does not stand in the way of the one made afresh")
{
    const TemporaryFolder folder;
    fs::permissions(folder.path(), fs::perms(0777));
    const fs::path workspace = folder.path() / "workspace";
    CHECK(asSomebody([&] {
              const auto commit = [&](const std::string &content) {
                  const StageCache cache(workspace);
                  const StageDraft draft = cache.beginStage(std::string(64, 'a'));
                  fs::create_directory(draft.folder / "model");
                  std::ofstream(draft.folder / "model" / "weights") << content;
                  return cache.commitStage(draft, nlohmann::json::object(), true).folder;
              };
              fs::permissions(commit("old") / "model", fs::perms(0555));
              std::ifstream weights(commit("new") / "model" / "weights");
              const std::string content(std::istreambuf_iterator<char>(weights), {});
              setWritable(workspace, true);
              return content;
          }) == "new");
}

TEST_CASE("a draft that cannot be removed stops neither who drops it nor who opens the workspace")
{
    const TemporaryFolder folder;
    fs::permissions(folder.path(), fs::perms(0777));
    const fs::path workspace = folder.path() / "workspace";
    CHECK(asSomebody([&] {
              const StageCache cache(workspace);
              const StageDraft draft = cache.beginStage(std::string(64, 'a'));
              const ProcessIdentity gone = goneProcess();
              const fs::path stale = workspace / "artifacts" / (".draft-aaaaaaaaaaaaaaaa-" + gone.boot.substr(0, 8) + "-" + std::to_string(gone.pid) + "-" + std::to_string(gone.startTicks) + "-0");
              fs::create_directory(stale);
              for (const fs::path &one : {draft.folder, stale}) {
                  std::ofstream(one / "weights") << "numbers";
                  fs::permissions(one, fs::perms(0555));
              }
              cache.dropStage(draft);
              const Workspace opened(workspace);
              const int numRemoved = cache.removeStaleDrafts();
              setWritable(workspace, true);
              return std::to_string(numRemoved) + " and then " + std::to_string(cache.removeStaleDrafts());
          }) == "0 and then 1");
}

TEST_CASE("an error over one sequence that an older version stored as 0 is not known")
{
    const TemporaryFolder folder;
    LineWriter writer(folder.path(), runName(1));
    writer.start();
    writer.say(experiment::LayerScore{.selector = "ga-s2", .mixer = "gdn", .layer = 0, .score = 0.5, .klNats = 0.5, .se = 0.0, .numSequences = 1, .tokens = 10});
    CHECK(std::isnan(Workspace(folder.path()).lastScores(runName(1)).at(0).se));
}

}  // namespace readonly_tests
