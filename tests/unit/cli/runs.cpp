// SPDX-License-Identifier: GPL-3.0-or-later
// runs: finding, naming and throwing away what a workspace holds.
#include "cli/program.h"
#include "temporaryfolder.h"

#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

namespace runs_tests {

using nlohmann::json;
using stillroom::test::Answer;
using stillroom::test::runProgram;

namespace {

/// The demo's workspace: one pipeline, "demo, seed 1", of a scoring and four hybrids.
class DemoRuns final {
public:
    DemoRuns() { std::filesystem::copy(std::filesystem::path(std::getenv("STILLROOM_RESOURCES")) / "demo" / "workspace" / "runs", m_folder.path() / "runs", std::filesystem::copy_options::recursive); }
    [[nodiscard]] Answer call(std::vector<std::string> words) const
    {
        words.insert(words.begin(), {"runs", "--workspace", m_folder.path().string()});
        return runProgram(words);
    }
    [[nodiscard]] json list(std::vector<std::string> words) const
    {
        words.insert(words.begin(), {"--json", "list"});
        const Answer answer = call(words);
        CAPTURE(answer.err);
        REQUIRE(answer.status == 0);
        return answer.json();
    }
    void refuses(const std::vector<std::string> &words, const std::string &sentence) const
    {
        const Answer answer = call(words);
        CAPTURE(answer.err);
        CHECK(answer.status == 2);
        CHECK(answer.out.empty());
        CHECK(answer.err.find(sentence) != std::string::npos);
    }
    [[nodiscard]] std::filesystem::path folder() const { return m_folder.path(); }
    /// The same lines as another run's.
    void copyRun(const std::string &uuid, const std::string &as) const
    {
        std::filesystem::copy(m_folder.path() / "runs" / uuid, m_folder.path() / "runs" / as);
        std::string lines = textOf(events(uuid));
        for (std::size_t at = lines.find(uuid); at != std::string::npos; at = lines.find(uuid, at))
            lines.replace(at, uuid.size(), as);
        std::ofstream(events(as)) << lines;
    }
    /// As if the program had been killed behind the first line that is so.
    template <typename Is> void keepUntil(const std::string &uuid, const Is &is) const
    {
        std::istringstream lines(textOf(events(uuid)));
        std::string kept, line;
        while (std::getline(lines, line)) {
            kept += line + '\n';
            if (is(json::parse(line)))
                break;
        }
        std::ofstream(events(uuid)) << kept;
        forgetDatabase();
    }
    /// Its last line says something else; the database is made anew from the lines.
    void endAsFailed(const std::string &uuid, const std::string &message) const
    {
        std::string lines = textOf(events(uuid));
        const std::size_t last = lines.rfind('\n', lines.size() - 2) + 1;
        json end = json::parse(lines.substr(last));
        end.erase("result");
        end.update({{"type", "failed"}, {"code", "io"}, {"message", message}, {"detail", ""}});
        std::ofstream(events(uuid)) << lines.substr(0, last) << end << '\n';
        forgetDatabase();
    }

private:
    [[nodiscard]] std::filesystem::path events(const std::string &uuid) const { return m_folder.path() / "runs" / uuid / "events.jsonl"; }
    void forgetDatabase() const
    {
        for (const char *file : {"stillroom.db", "stillroom.db-wal", "stillroom.db-shm"})
            std::filesystem::remove(m_folder.path() / file);
    }
    static std::string textOf(const std::filesystem::path &file)
    {
        std::ifstream stream(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(stream), {}};
    }

    TemporaryFolder m_folder;
};

}  // namespace

TEST_CASE("runs list finds by words, fields and measures")
{
    const DemoRuns demo;
    CHECK(demo.list({}).size() == 5);
    CHECK(demo.list({"kind:distill"}).size() == 4);
    CHECK(demo.list({"kl<0.1", "k=2"}).size() == 2);
    CHECK(demo.list({"recall<0.9"}).size() == 2);
    CHECK(demo.list({"--", "uniform", "-stage:end"}).size() == 1);
    const json best = demo.list({"stage=ga-s2"});
    REQUIRE(best.size() == 1);
    CHECK(best[0]["layers"] == json{3, 4});
    CHECK(best[0]["teacher"] == "demo");
    demo.refuses({"list", "recal<0.9"}, "did you mean \"recall\"");
    demo.refuses({"list", "is:misspelled"}, "behind \"is\" stands one of locked, pinned, running");
    const Answer table = demo.call({"list", "stage=ga-s2"});
    CHECK(table.out.find("0.0765") != std::string::npos);
    CHECK(demo.call({"list", "nothing-like-it"}).out.find("No experiment") != std::string::npos);
}

TEST_CASE("runs are named, tagged, noted, pinned, thrown away, brought back and purged")
{
    const DemoRuns demo;
    const std::string run = demo.list({})[0]["uuid"];
    const auto done = [&](const std::vector<std::string> &words, const std::string &said) {
        const Answer answer = demo.call(words);
        CAPTURE(answer.err);
        CHECK(answer.status == 0);
        CHECK(answer.err.find(said) != std::string::npos);
    };
    done({"name", run, "a", "better", "name"}, "is called \"a better name\"");
    done({"tag", "a better name", "paper", "figure 2"}, "has the tag \"paper\", \"figure 2\"");
    done({"tag", run, "paper"}, "had the tag \"paper\" before");
    done({"untag", run, "paper"}, "has no longer the tag \"paper\"");
    const Answer again = demo.call({"untag", run, "paper", "figure 3"});
    CHECK(again.err.find("did not have the tag \"paper\", \"figure 3\"") != std::string::npos);
    CHECK(again.err.find("no longer") == std::string::npos);
    done({"note", run, "seed 1 of three"}, "has the note");
    done({"pin", run.substr(0, 8)}, "is pinned");
    done({"pin", run}, "was pinned before");
    const json now = demo.list({"tag=\"figure 2\""});
    REQUIRE(now.size() == 5);
    CHECK(now[0]["name"] == "a better name");
    CHECK(now[0]["tags"] == json{"figure 2"});
    CHECK(now[0]["notes"] == "seed 1 of three");
    CHECK(now[0]["pinned"] == true);

    demo.refuses({"trash", run}, "pinned");
    done({"unpin", run}, "is not pinned");
    demo.refuses({"purge", run}, "in the trash");
    done({"restore", run}, "was not in the trash");
    done({"trash", run}, "is in the trash");
    done({"trash", run}, "was in the trash before");
    CHECK(demo.list({}).empty());
    CHECK(demo.list({"--trash"}).size() == 5);
    done({"restore", run}, "is back from the trash");
    CHECK(demo.list({}).size() == 5);
    done({"trash", run}, "is in the trash");
    const Answer purged = demo.call({"purge", run});
    CHECK(purged.status == 0);
    CHECK(purged.err.find(" of its own") != std::string::npos);
    CHECK(demo.list({"--trash"}).empty());
    CHECK_FALSE(std::filesystem::exists(demo.folder() / "runs" / run));
}

TEST_CASE("a name by which commands would find something else is refused wherever a run gets one")
{
    const DemoRuns demo;
    const std::string run = demo.list({})[0]["uuid"], other = "beefd1ee-4bd0-4a52-9c2f-0f4b7a0c9d11";
    demo.copyRun(run, other);
    for (const char *name : {"demo", "0,1", "stage:score", "beef"}) {
        CAPTURE(name);
        demo.refuses({"name", run, name}, "A run cannot be called \"" + std::string(name) + "\"");
        const std::vector<std::string> words{"align", "--teacher", "demo", "--name", name, "--workspace", demo.folder().string()};
        const Answer started = runProgram(words);
        CHECK(started.status == 2);
        CHECK(started.err.find("A run cannot be called") != std::string::npos);
    }
    const Answer tried = runProgram({"align", "--teacher", "demo", "--name", "0,1", "--workspace", demo.folder().string(), "--dry-run"});
    CHECK(tried.status == 2);
    CHECK(tried.err.find("A run cannot be called") != std::string::npos);
    CHECK(demo.list({}).size() == 10);
}

TEST_CASE("what lies in the trash is named as what does not")
{
    const DemoRuns demo;
    const std::string run = demo.list({})[0]["uuid"], name = demo.list({})[0]["name"], other = "0b5bd1ee-4bd0-4a52-9c2f-0f4b7a0c9d11";
    CHECK(demo.call({"trash", name}).status == 0);
    for (const std::vector<std::string> &words : {std::vector<std::string>{"show", name}, {"pin", name}, {"diff", name, run}})
        demo.refuses(words, "runs restore " + run);
    const Answer back = demo.call({"restore", name});
    CHECK(back.status == 0);
    CHECK(back.err.find("is back from the trash") != std::string::npos);
    // A second run of the same name: accepted, and said; thrown away, it is the one that is purged by the name.
    demo.copyRun(run, other);
    CHECK(demo.call({"name", other, name}).err.find("is called \"" + name + "\", too") != std::string::npos);
    CHECK(demo.call({"name", other, "quite another"}).err.find("too") == std::string::npos);
    CHECK(demo.call({"name", other, name}).status == 0);
    CHECK(demo.call({"trash", other}).status == 0);
    CHECK(demo.call({"purge", name}).status == 0);
    CHECK_FALSE(std::filesystem::exists(demo.folder() / "runs" / other));
    CHECK(std::filesystem::exists(demo.folder() / "runs" / run));
    demo.copyRun(run, other);
    CHECK(demo.call({"trash", run, other}).status == 0);
    demo.refuses({"restore", name}, other);
}

TEST_CASE("reindex says what it brings over from a damaged database, and where that is kept")
{
    const DemoRuns demo;
    const std::string run = demo.list({})[0]["uuid"];
    CHECK(demo.call({"name", run, "by", "hand"}).status == 0);
    CHECK(demo.call({"tag", run, "paper"}).status == 0);
    const std::filesystem::path database = demo.folder() / "stillroom.db", kept = demo.folder() / "stillroom.db.damaged-1";
    std::filesystem::resize_file(database, std::filesystem::file_size(database) - 4096);
    const Answer cut = runProgram({"reindex", "--workspace", demo.folder().string()});
    CAPTURE(cut.err);
    CHECK(cut.status == 0);
    CHECK(cut.err.find("Brought over from the damaged database (names: 1, notes: 0, tags: 1, pins: 0, locks: 0, runs in the trash: 0); the old file is kept at " + kept.string()) != std::string::npos);
    CHECK(demo.list({})[0]["name"] == "by hand");
    std::ofstream(database) << std::string(200, 'x');
    const Answer lost = runProgram({"reindex", "--workspace", demo.folder().string()});
    CHECK(lost.status == 0);
    CHECK(lost.err.find("Nothing could be read of the damaged database") != std::string::npos);
}

TEST_CASE("reindex names the runs that keep their rows, and those of which nothing is left")
{
    const DemoRuns demo;
    const auto shown = demo.list({});
    const std::string run = shown[0]["uuid"];
    const std::filesystem::path lines = demo.folder() / "runs" / run / "events.jsonl", database = demo.folder() / "stillroom.db";
    const auto reindexed = [&] {
        const Answer answer = runProgram({"reindex", "--workspace", demo.folder().string()});
        CHECK(answer.status == 0);
        return answer;
    };
    CHECK(reindexed().err.empty());
    std::filesystem::resize_file(lines, std::filesystem::file_size(lines) / 2);
    const Answer cut = reindexed();
    CHECK(cut.out == "0 runs rebuilt from their lines\n");
    CHECK(cut.err.find("1 run kept the rows that the database had") == 0);
    CHECK(cut.err.find(run) != std::string::npos);
    std::filesystem::remove_all(lines.parent_path());
    CHECK(reindexed().err.find("1 run kept the rows that the database had") == 0);
    CHECK(demo.list({}).size() == shown.size());
    std::filesystem::resize_file(database, std::filesystem::file_size(database) - 4096);
    const Answer gone = reindexed();
    CAPTURE(gone.err);
    CHECK(gone.err.find("Of 1 run that the damaged database names no lines are there") != std::string::npos);
    CHECK(gone.err.find(run) != std::string::npos);
}

TEST_CASE("a stage is shown as it ended, whatever became of its run")
{
    const DemoRuns demo;
    const std::string run = demo.list({})[0]["uuid"];
    demo.endAsFailed(run, "the disk is full");
    const json stage = demo.call({"show", "ga-s2"}).json(), whole = demo.call({"show", run}).json();
    CHECK(whole["status"] == "failed");
    CHECK(whole["failure"]["message"] == "the disk is full");
    CHECK(stage["status"] == "finished");
    CHECK(stage["run_status"] == "failed");
    CHECK_FALSE(stage.contains("failure"));
    CHECK(stage["finished"].get<double>() < whole["finished"].get<double>());
    CHECK(stage["started"].get<double>() > whole["started"].get<double>());
}

TEST_CASE("a locked run stays as it is until it is unlocked")
{
    const DemoRuns demo;
    const std::string run = demo.list({})[0]["uuid"];
    CHECK(demo.call({"lock", run}).err.find("is locked") != std::string::npos);
    CHECK(demo.call({"lock", run}).err.find("was locked before") != std::string::npos);
    demo.refuses({"trash", run}, "unlock it first");
    demo.refuses({"name", run, "other"}, "cannot be renamed");
    CHECK(demo.call({"list", "is:locked"}).out.find(run.substr(0, 8) + "  L ") != std::string::npos);
    CHECK(demo.list({"locked:"}).size() == 5);
    CHECK(demo.list({"--", "-is:locked"}).empty());
    CHECK(demo.list({})[0]["locked"] == true);
    CHECK(demo.call({"unlock", run}).err.find("is not locked") != std::string::npos);
    CHECK(demo.list({"is:locked"}).empty());
    CHECK(demo.call({"trash", run}).status == 0);
    CHECK(demo.call({"lock", run}).status == 0);
    demo.refuses({"purge", run}, "cannot be purged");
}

TEST_CASE("stages are named as the list prints them, by their keys, or by beginnings that fit one")
{
    const DemoRuns demo;
    const json all = demo.list({});
    const std::string run = all[0]["uuid"], name = all[0]["name"];
    const json stage = demo.call({"show", name + " > ga-s2"}).json();
    CHECK(stage["kind"] == "distill");
    CHECK(stage["task"] == "ga-s2");
    CHECK(stage["uuid"] == run);
    CHECK(stage["result"]["selected"] == json{3, 4});
    for (const std::string &text : {std::string("ga-s2"), run.substr(0, 8) + ">ga-s2", stage["key"].get<std::string>(), stage["key"].get<std::string>().substr(0, 6), std::string("rand")})
        CHECK(demo.call({"show", text}).json()["kind"] == "distill");
    CHECK(demo.call({"diff", "ga-s2", "uniform-end"}).out.find("keep") != std::string::npos);
    demo.refuses({"show", "uniform"}, "uniform-start");
    demo.refuses({"show", "uniform"}, "uniform-end");
    demo.refuses({"show", name + " > nothing"}, "no run or stage");
    demo.refuses({"trash", "ga-s2"}, "only as a whole");
    const Answer compared = runProgram({"compare", "ga-s2", name + " > score", "--layers", "6", "--json", "--workspace", demo.folder().string()});
    CAPTURE(compared.err);
    REQUIRE(compared.status == 0);
    CHECK(compared.json()["pairs"][0]["layers_a"] == json{3, 4});
}

TEST_CASE("what is written of a run is UTF-8, is something, and has an end")
{
    const DemoRuns demo;
    const std::string run = demo.list({})[0]["uuid"];
    for (const char *verb : {"tag", "name", "note"})
        demo.refuses({verb, run, "a\xff"}, "not UTF-8");
    demo.refuses({"tag", run, ""}, "one letter at least");
    demo.refuses({"name", run, std::string(100'000, 'x')}, "1000 are the most");
    CHECK(demo.list({})[0]["name"] != "a");
}

TEST_CASE("a run whose name or UUID begins with digits alone is no list of layers")
{
    const DemoRuns demo;
    const std::string run = demo.list({})[0]["uuid"];
    REQUIRE(demo.call({"name", run, "20261202"}).status == 0);
    const Answer compared = runProgram({"compare", "20261202 > score", "20261202>ga-s2", "0,4", "-k", "2", "--layers", "6", "--json", "--workspace", demo.folder().string()});
    CAPTURE(compared.err);
    CHECK(compared.status == 0);
    const Answer named = runProgram({"compare", "20261202", "0,4", "-k", "2", "--layers", "6", "--json", "--workspace", demo.folder().string()});
    CAPTURE(named.err);
    CHECK(named.err.find("not a list of layers") == std::string::npos);
    CHECK(named.status == 0);
    const Answer absent = runProgram({"compare", "99999999", "0,4", "--layers", "6", "--workspace", demo.folder().string()});
    CAPTURE(absent.err);
    CHECK(absent.status == 2);
    CHECK(absent.err.find("99999999") != std::string::npos);
}

TEST_CASE("the list says teachers and measures in words")
{
    const DemoRuns demo;
    const std::string table = demo.call({"list"}).out, head = table.substr(0, table.find('\n'));
    CHECK(head.find("teacher") != std::string::npos);
    CHECK(head.find("KL (nats/token)") != std::string::npos);
    CHECK(head.find('_') == std::string::npos);
    CHECK(demo.list({"teacher=demo"}).size() == 5);
}

TEST_CASE("runs diff shows the changed fields alone")
{
    const DemoRuns demo;
    const std::string run = demo.list({})[0]["uuid"];
    CHECK(demo.call({"diff", run, run}).out.find("equal") != std::string::npos);
    CHECK(demo.call({"diff", run, run, "--json"}).json().empty());
    demo.refuses({"diff", run}, "which two runs");
    demo.refuses({"diff", run, "nobody"}, "no run");
    demo.refuses({"show"}, "which run to show");
    demo.refuses({"tag", run}, "say what to tag");
    demo.refuses({"forget", run}, "action");
}

TEST_CASE("scores of a run that did not end are used with a word about it")
{
    const DemoRuns demo;
    const std::filesystem::path runs = demo.folder() / "runs";
    std::filesystem::path events;
    for (const auto &run : std::filesystem::directory_iterator(runs))
        events = run.path() / "events.jsonl";
    std::ifstream whole(events);
    std::string kept, line;
    for (int layers = 0; layers < 7 && std::getline(whole, line); kept += line + '\n')      // until every layer has been measured once
        layers += line.find("\"layer-score\"") != std::string::npos && line.find("\"ga-s2\"") != std::string::npos ? 1 : 0;
    whole.close();
    std::ofstream(events, std::ios::trunc) << kept;
    const std::string run = demo.list({})[0]["uuid"];
    const Answer chosen = runProgram({"select", run, "-k", "2", "--json", "--workspace", demo.folder().string()});
    CAPTURE(chosen.err);
    REQUIRE(chosen.status == 0);
    CHECK(chosen.err.find("is interrupted: its scores are those after") != std::string::npos);
}

TEST_CASE("scores of a stage that ended are used without a word, though its run was stopped later")
{
    const DemoRuns demo;
    const std::string run = demo.list({})[0]["uuid"];
    demo.keepUntil(run, [](const json &line) { return line["type"] == "finished" && line.value("task", std::string()) == "score"; });
    for (const std::string &scores : {run, run + " > score"}) {
        const Answer compared = runProgram({"compare", scores, "uniform-start", "-k", "2", "--workspace", demo.folder().string()});
        CAPTURE(compared.err);
        REQUIRE(compared.status == 0);
        CHECK(compared.err.find("Note:") == std::string::npos);
    }
}

TEST_CASE("where a stage has no scores or made no model, those of its run that do are named")
{
    const DemoRuns demo;
    const auto refuses = [&](std::vector<std::string> words, const std::string &sentence) {
        words.insert(words.end(), {"--workspace", demo.folder().string()});
        const Answer answer = runProgram(words);
        CAPTURE(answer.err);
        CHECK(answer.status == 2);
        CHECK(answer.err.find(sentence) != std::string::npos);
    };
    refuses({"select", "demo, seed 1 > align", "-k", "2"}, "has no stage \"align\": name a stage that has scores (score)\n");
    refuses({"select", "demo, seed 1 > ga-s2", "-k", "2"}, "holds no scores: name a stage that has scores (score)\n");
    refuses({"select", "demo, seed 1 > score:halo", "-k", "2"}, "holds no scores of the selector halo: it holds those of ga-s2\n");
    refuses({"select", "demo, seed 1 > score:ga-s2:gla", "-k", "2"}, "with the mixer gla: it holds those of ga-s2:gdn\n");
    refuses({"select", "demo, seed 1:halo", "-k", "2"}, "it holds those of ga-s1, ga-s2\n");
    refuses({"generate", "demo, seed 1 > hybrid", "--prompt", "a"}, "has no stage \"hybrid\": name a stage that has models (ga-s2, uniform-start");
    refuses({"generate", "demo, seed 1 > score", "--prompt", "a"}, "made no model: name a stage that has models (ga-s2, uniform-start");
}

TEST_CASE("of a run that was stopped, stages that have not finished are not named, and how the run comes to its end is said")
{
    const DemoRuns demo;
    const std::string run = demo.list({})[0]["uuid"];
    const auto said = [&](std::vector<std::string> words) {
        words.insert(words.end(), {"--workspace", demo.folder().string()});
        const Answer answer = runProgram(words);
        CHECK(answer.status == 2);
        return answer.err;
    };
    const auto contains = [](const std::string &text, const std::string &part) { return text.find(part) != std::string::npos; };
    demo.keepUntil(run, [](const json &line) { return line["type"] == "started" && line.value("task", std::string()) == "uniform-start"; });
    (void)demo.list({});      // takes the lines into the database
    const std::string other = said({"generate", run + " > hybrid", "--prompt", "a"}), begun = said({"generate", run + " > uniform-start", "--prompt", "a"});
    CAPTURE(other);
    CAPTURE(begun);
    CHECK(contains(other, "name a stage that has models (ga-s2)\n"));
    CHECK(contains(begun, "made no model: it has not finished; run it to its end with --resume (demo: by the same command again, without --resume), or name a stage that has models (ga-s2)\n"));

    demo.keepUntil(run, [](const json &line) { return line["type"] == "started" && line.value("task", std::string()) == "score"; });
    const std::string silent = said({"select", run + " > score", "-k", "2"}), unmade = said({"generate", run + " > score", "--prompt", "a"});
    CAPTURE(silent);
    CAPTURE(unmade);
    CHECK(contains(silent, "holds no scores: it has not finished; run it to its end with --resume"));
    CHECK(contains(unmade, "made no model: nothing in this run has models yet; run it to its end with --resume"));
}

TEST_CASE("the list tells seeds, selectors, kept layers and evaluated models apart")
{
    const DemoRuns demo;
    const std::string table = demo.call({"list"}).out, head = table.substr(0, table.find('\n'));
    CHECK(head.find("  seed  what") != std::string::npos);
    CHECK(table.find("     1  ga-s2  ") != std::string::npos);
    CHECK(table.find("     1  3,4    ") != std::string::npos);
    const std::string workspace = demo.folder().string();
    const Answer evaluated = runProgram({"evaluate", "--model", "demo", "--data.sequence-length", "32", "--data.recall.pairs", "4", "--data.held-out-sequences", "2", "--measures", "perplexity", "--seed", "7", "--workspace", workspace});
    CAPTURE(evaluated.err);
    REQUIRE(evaluated.status == 0);
    const json rows = demo.list({"kind=evaluate"});
    REQUIRE(rows.size() == 1);
    CHECK(rows[0]["model"] == "demo");
    CHECK(rows[0]["seed"] == 7);
    CHECK(demo.call({"list", "kind=evaluate"}).out.find("     7  of demo") != std::string::npos);
}

}  // namespace runs_tests
