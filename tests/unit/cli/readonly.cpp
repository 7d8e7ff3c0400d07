// SPDX-License-Identifier: GPL-3.0-or-later
// Commands that only look work on a workspace that cannot be written; those that write say so.
#include "programcall.h"
#include "store/lines.h"
#include "store/workspace.h"
#include "temporaryfolder.h"

#include <doctest/doctest.h>

#include <cstdlib>

namespace readonly_tests {

using namespace stillroom;
namespace fs = std::filesystem;

namespace {

void setModes(const fs::path &folder, unsigned folders, unsigned files)
{
    fs::permissions(folder, fs::perms(folders));
    for (const fs::directory_entry &entry : fs::recursive_directory_iterator(folder))
        fs::permissions(entry.path(), fs::perms(entry.is_directory() ? folders : files));
}

/// A sandbox with a workspace of one scoring that may only be read.
class ReadOnlyWorkspace final {
public:
    ReadOnlyWorkspace()
    {
        fs::permissions(m_sandbox.path(), fs::perms(0755));
        fs::create_directories(m_sandbox.path() / "home");
        fs::permissions(m_sandbox.path() / "home", fs::perms(0777));
        LineWriter writer(workspace(), runName(1));
        writer.start(R"({"kind":"score","name":"first","teacher":"demo","selector":"ga-s2"})");
        for (int layer = 0; layer < 6; ++layer)      // as many as the demo teacher has: select asks it what the choice costs
            writer.say(experiment::LayerScore{.selector = "ga-s2", .mixer = "gdn", .layer = layer, .score = 0.9 - 0.1 * layer, .klNats = 0.9 - 0.1 * layer, .se = 0.01, .numSequences = 4, .tokens = 10});
        writer.say(experiment::Finished{.resultJson = "{}", .seconds = 1});
        (void)store::Workspace(workspace());
        setModes(workspace(), 0555, 0444);
    }
    ~ReadOnlyWorkspace() { setModes(workspace(), 0755, 0644); }
    [[nodiscard]] Outcome call(const std::vector<std::string> &arguments) const { return ProgramCall(arguments, m_sandbox.path(), m_notes.path(), Start::ForkedAsSomebody).finish(); }
    [[nodiscard]] fs::path workspace() const { return m_sandbox.path() / "workspace"; }

private:
    TemporaryFolder m_sandbox, m_notes;
};

}  // namespace

TEST_CASE("runs list and show, select, compare and doctor read a workspace that cannot be written")
{
    const ReadOnlyWorkspace made;
    const auto says = [&](const std::vector<std::string> &arguments, const std::string &words) {
        const Outcome outcome = made.call(arguments);
        CAPTURE(arguments.front());
        CAPTURE(outcome.errors);
        CHECK(outcome.status == 0);
        CAPTURE(outcome.output);
        CHECK(outcome.output.find(words) != std::string::npos);
    };
    says({"runs", "list"}, "first");
    says({"runs", "list", "--json"}, runName(1));
    says({"runs", "show", "first"}, "\"finished\"");
    says({"select", "first", "-k", "1"}, "keep 1 of 6 layers: [5]");
    says({"compare", "first", "4,5", "-k", "2"}, "Jaccard 1.000");
    says({"doctor"}, "\"read_only\":true");
    for (const fs::directory_entry &entry : fs::directory_iterator(made.workspace()))
        CHECK_FALSE(entry.path().filename().string().ends_with("-wal"));
}

TEST_CASE("doctor reports on a computer whose demo may not be looked at")
{
    const ReadOnlyWorkspace made;
    const TemporaryFolder locked;
    fs::create_directories(locked.path() / "resources");
    fs::permissions(locked.path(), fs::perms(0700));
    const std::string before = std::getenv("STILLROOM_RESOURCES");
    ::setenv("STILLROOM_RESOURCES", (locked.path() / "resources").c_str(), 1);
    const Outcome outcome = made.call({"doctor"});
    ::setenv("STILLROOM_RESOURCES", before.c_str(), 1);
    CAPTURE(outcome.errors);
    CHECK(outcome.status == 0);
    CHECK(outcome.output.find("\"demo_teacher\":false") != std::string::npos);
}

TEST_CASE("a run in a workspace that cannot be written is refused before it works")
{
    const ReadOnlyWorkspace made;
    const Outcome outcome = made.call({"reindex"});
    CHECK(outcome.status == 1);
    CHECK(outcome.errors.find("permissions") != std::string::npos);
}

TEST_CASE("reindex says that a workspace cannot be read, as of a file that cannot")
{
    const ReadOnlyWorkspace made;
    for (const fs::path &closed : {made.workspace(), made.workspace() / "runs"}) {
        fs::permissions(closed, fs::perms::none);
        const Outcome outcome = made.call({"reindex"});
        fs::permissions(closed, fs::perms(0555));
        CAPTURE(outcome.errors);
        CHECK(outcome.status == 4);
        CHECK(outcome.errors.find("cannot be read, so no run can be rebuilt; check its permissions") != std::string::npos);
    }
}

TEST_CASE("a model that may lie in a workspace which cannot be read is not just said to be nowhere")
{
    const ReadOnlyWorkspace made;
    fs::permissions(made.workspace(), fs::perms::none);
    const Outcome outcome = made.call({"generate", "0123456789ab", "--prompt", "k00"});
    fs::permissions(made.workspace(), fs::perms(0555));
    CAPTURE(outcome.errors);
    CHECK(outcome.status == 4);
    CHECK(outcome.errors.find("there is no model at \"0123456789ab\", and the workspace \"" + made.workspace().string() + "\" cannot be looked into (Permission denied)") != std::string::npos);
    CHECK(made.call({"generate", "0123456789ab", "--prompt", "k00"}).errors.find("looked into") == std::string::npos);
}

}  // namespace readonly_tests
