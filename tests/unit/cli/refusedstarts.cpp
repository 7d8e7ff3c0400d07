// SPDX-License-Identifier: GPL-3.0-or-later
// How an experiment begins: what is refused then, beforehand and kept in the run alike, and by which names its start, its scores and its models go.
#include "cli/program.h"
#include "temporaryfolder.h"

#include <cstdint>
#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <sys/stat.h>
#include <vector>

namespace refusedstarts_tests {

namespace fs = std::filesystem;
using nlohmann::json;
using stillroom::test::Answer;
using stillroom::test::runProgram;

namespace {

using Words = std::vector<std::string>;

Words joined(Words words, const Words &more)
{
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

/// A workspace, and the smallest experiments on the demo's teacher.
class Bench final {
public:
    [[nodiscard]] Answer call(const Words &words) const { return runProgram(joined(words, {"--workspace", (m_folder.path() / "workspace").string()})); }
    [[nodiscard]] Answer experiment(const std::string &kind, const Words &words) const
    {
        Words all{kind, "--teacher", "demo", "--steps", "1", "--batch-sequences", "1", "--data.held-out-sequences", "2"};
        return call(joined(all, words));
    }
    [[nodiscard]] json result(const std::string &kind, Words words) const
    {
        words.emplace_back("--json");
        const Answer answer = experiment(kind, words);
        CAPTURE(answer.err);
        REQUIRE(answer.status == 0);
        return answer.json();
    }
    [[nodiscard]] json list(const Words &query) const { return call(joined({"runs", "list", "--json"}, query)).json(); }
    [[nodiscard]] json shown(const std::string &run) const { return call({"runs", "show", run}).json(); }
    [[nodiscard]] fs::path path() const { return m_folder.path(); }

private:
    TemporaryFolder m_folder;
};

std::string lastLine(const std::string &text)
{
    std::istringstream lines(text);
    std::string line, last;
    while (std::getline(lines, line))
        last = line;
    return last;
}

/// A copy of the demo's teacher whose last tensor begins with a NaN, whatever its type is.
std::string damagedTeacher(const fs::path &folder, std::string &tensor)
{
    fs::create_directories(folder);
    for (const auto &file : fs::directory_iterator(fs::path(std::getenv("STILLROOM_RESOURCES")) / "demo" / "teacher"))
        fs::copy_file(file.path(), folder / file.path().filename());
    std::fstream weights(folder / "model.safetensors", std::ios::binary | std::ios::in | std::ios::out);
    std::uint64_t size = 0;
    weights.read(reinterpret_cast<char *>(&size), sizeof size);
    std::string header(size, '\0');
    weights.read(header.data(), static_cast<std::streamsize>(size));
    const json described = json::parse(header);
    tensor = "model.layers.2.mlp.up_proj.weight";
    weights.seekp(static_cast<std::streamoff>(sizeof size + size + described.at(tensor).at("data_offsets")[0].get<std::uint64_t>()));
    weights.write("\xff\xff\xff\xff", 4);
    return folder.string();
}

}  // namespace

TEST_CASE("what a run refuses at its start its dry run refuses in the same words, and neither leaves a run")
{
    const Bench bench;
    const std::string start = bench.result("align", {"--layers", "0,1"})["key"], unknown(64, 'a');
    const std::size_t runsBefore = bench.list({}).size();
    const auto text = [&](const std::string &name, const std::string &content) {
        std::ofstream(bench.path() / name) << content;
        return (bench.path() / name).string();
    };
    const std::string pipe = (bench.path() / "pipe.txt").string(), good = text("good.txt", "k00 v01 f02\n"), blank = text("blank.txt", " \n");
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    const auto onText = [](const std::string &files, const Words &more = {}) { return joined({"--data.source", "text", "--data.files", files}, more); };
    struct Refused {
        std::string kind;
        Words words;
        int status;
        std::string sentence;
    };
    const std::vector<Refused> all{
        {"score", {"--init", unknown}, 2, "is not in this workspace"},
        {"score", {"--init", start, "--mixer.kind", "gla"}, 2, "init holds gdn mixers but --mixer.kind is gla"},
        {"score", {"--init", start}, 2, "init holds no mixer of layer 2, which the selector ga-s2 needs"},
        {"align", {"--init", start, "--layers", "4"}, 2, "init holds no layer 4"},
        {"align", {"--mixer.kind", "gdm"}, 2, "gdn"},
        {"distill", {"--keep", "1", "--init", unknown}, 2, "is not in this workspace"},
        {"distill", {"--keep", "1", "--init", start}, 2, "has no aligned mixer"},
        {"distill", {"--keep-count", "7", "--scores", "nothing"}, 2, "--keep-count is 7, but the teacher has 6 layers"},
        {"distill", {"--keep-count", "2", "--scores", "nothing"}, 2, "no run or stage"},
        {"distill", {"--keep", "1", "--tokens-file", (bench.path() / "absent.safetensors").string()}, 4, "absent.safetensors"},
        {"score", {"--data.recall.num-keys", "65"}, 2, "--data.recall.num-keys is 65, but the model was trained on a recall task with 64"},
        {"distill", {"--keep", "1", "--data.recall.chain-seed", "2"}, 2, "training.json\" holds (num_keys 64, num_values 64, num_fillers 32, chain_seed 1)"},
        {"align", onText(pipe), 4, "pipe.txt is a pipe"},
        {"align", {"--tokens-file", pipe}, 4, "pipe.txt"},
        {"score", onText(good, {"--data.held-out-files", pipe}), 4, "pipe.txt is a pipe"},
        {"distill", onText("/dev/zero", {"--keep", "1"}), 4, "/dev/zero is a device"},
        {"align", onText(text("bad.jsonl", "{\"text\": \"k00 v01\"}\n{\n")), 4, "bad.jsonl, line 2"},
        {"calibrate", onText(text("empty.txt", "")), 4, "empty.txt is empty"},
        {"align", onText(good), 4, "one document, of which nothing can be held out: name another text in --data.held-out-files"},
        {"align", onText(good, {"--data.held-out-files", blank}), 4, "leaves no held-out text"},
        {"align", onText(blank, {"--data.held-out-files", good}), 4, "leaves no training text"},
        {"align", onText(good, {"--data.held-out-fraction", "0"}), 2, "--data.held-out-fraction is 0"},
        {"align", onText(text("other.txt", "to be or not to be\n"), {"--data.held-out-files", (bench.path() / "other.txt").string()}), 2, "cannot spell"},
    };
    for (const Refused &one : all) {
        const Words words = one.kind == "calibrate" ? one.words : joined({"--steps", "1", "--batch-sequences", "1"}, one.words);
        const Words call = joined({one.kind, "--teacher", "demo", "--data.held-out-sequences", "2"}, words);
        const Answer dry = bench.call(joined(call, {"--dry-run"})), real = bench.call(call);
        CAPTURE(dry.err);
        CAPTURE(real.err);
        CHECK(dry.status == one.status);
        CHECK(real.status == one.status);
        CHECK(lastLine(dry.err) == lastLine(real.err));
        CHECK(dry.err.starts_with("stillroom-cli: "));       // no note on what will not be done
        CHECK(real.err.starts_with("stillroom-cli: "));
        CHECK(dry.err.find(one.sentence) != std::string::npos);
        CHECK(dry.out.empty());
    }
    CHECK(bench.list({}).size() == runsBefore);
    CHECK(bench.experiment("distill", {"--keep", "2,3,4,5", "--init", start, "--dry-run"}).status == 0);
}

TEST_CASE("a field that is missing or wrong is called by its option where options were written, and by its name in a spec")
{
    const auto says = [](const Words &words, const std::string &sentence) {
        const Answer answer = runProgram(joined(words, {"--print-spec"}));
        CAPTURE(answer.err);
        CHECK(answer.status == 2);
        CHECK(answer.err.find(sentence) != std::string::npos);
    };
    says({"score"}, "stillroom-cli: --teacher is missing; give a text.");
    says({"score", "--teacher", "demo", "--data.source", "poem"}, "--data.source is \"poem\" but must be one of");
    says({"align", "--teacher", "demo", "--steps", "1", "--tokens", "5000"}, "--steps and --tokens say the same thing twice");
    says({"score", "--teacher", "demo", "--evaluations", "3", "--evaluate-at-tokens", "0,5000"}, "stillroom-cli: --evaluations and --evaluate-at-tokens both say when the held-out set is measured; give one of them.");
    says({"run", R"({"kind": "pipeline", "stages": [{"task": "a", "spec": {"kind": "score", "teacher": "demo", "evaluations": 3, "evaluate_at_tokens": [5000]}}]})"},
         "The fields \"stages[0].spec.evaluations\" and \"stages[0].spec.evaluate_at_tokens\" both say");
    says({"distill", "--teacher", "demo"}, "exactly one of --keep, --keep-count and --keep-percent (0 are given)");
    says({"align", "--teacher", "demo", "--data.source", "data.files"}, "--data.source is \"data.files\" but must be");
    says({"run", R"({"kind": "score"})"}, "The field \"teacher\" is missing");
}

TEST_CASE("--resume goes on in the run that was stopped, and an interrupted run is refused beforehand without it")
{
    const Bench bench;
    const std::string key = bench.result("align", {"--name", "stopped"})["key"], uuid = bench.list({})[0]["uuid"];
    const fs::path workspace = bench.path() / "workspace", lines = workspace / "runs" / uuid / "events.jsonl";
    // As a run is left that was stopped: cancelled, nothing made, a checkpoint.
    std::string kept, line;
    for (std::ifstream events(lines); std::getline(events, line);) {
        json event = json::parse(line);
        if (event["type"] == "finished")
            event = {{"schema", event["schema"]}, {"run", event["run"]}, {"task", event["task"]}, {"seq", event["seq"]}, {"time", event["time"]}, {"type", "cancelled"}, {"message", "Stopped."}};
        kept += event.dump() + '\n';
    }
    std::ofstream(lines) << kept;
    fs::remove_all(workspace / "artifacts" / key);
    fs::create_directories(workspace / "checkpoints" / key);
    std::ofstream(workspace / "checkpoints" / key / "step") << 1;
    REQUIRE(bench.call({"reindex"}).status == 0);
    REQUIRE(bench.list({"is:cancelled"}).size() == 1);
    for (const Words &words : {Words{}, Words{"--dry-run"}}) {
        const Answer refused = bench.experiment("align", words);
        CAPTURE(refused.err);
        CHECK(refused.status == 2);
        CHECK(refused.err.find("was interrupted before") != std::string::npos);
    }
    CHECK(bench.experiment("align", {"--dry-run", "--resume"}).status == 0);
    fs::remove(workspace / "checkpoints" / key / "step");

    const Answer resumed = bench.experiment("align", {"--resume"});
    CAPTURE(resumed.err);
    CHECK(resumed.status == 0);
    CHECK(resumed.err.find("goes on in the run that was stopped: stopped, " + uuid) != std::string::npos);
    const json all = bench.list({});
    REQUIRE(all.size() == 1);
    CHECK(all[0]["uuid"] == uuid);
    CHECK(all[0]["name"] == "stopped");
    CHECK(all[0]["status"] == "finished");
}

TEST_CASE("a start is named by its run, or by the beginning of its key, and the run keeps the whole key")
{
    const Bench bench;
    const std::string key = bench.result("align", {"--name", "first start"})["key"];
    const json whole = bench.result("distill", {"--keep", "1", "--init", key});
    for (const std::string &name : {std::string("first start"), key.substr(0, 6)}) {
        CHECK(bench.result("distill", {"--keep", "1", "--init", name})["key"] == whole["key"]);
        CHECK(bench.shown(bench.list({"kind:distill"})[0]["uuid"])["spec"]["init"] == key);
        CHECK(bench.experiment("score", {"--init", name, "--dry-run"}).status == 0);
    }
    // A hybrid has a stage 1 of its own, which is what is taken of it: that is said.
    (void)bench.result("distill", {"--keep", "0,1,2,3,4", "--alignment.steps", "1", "--alignment.batch-sequences", "1", "--name", "own start"});
    const Answer taken = bench.experiment("distill", {"--keep", "0,1,2,3,4", "--init", "own start"});
    CAPTURE(taken.err);
    CHECK(taken.status == 0);
    CHECK(taken.err.find("start as stage 1 of \"own start\" left them") != std::string::npos);
    CHECK(bench.experiment("distill", {"--keep", "1", "--init", "first start"}).err.find("start as stage 1") == std::string::npos);
    const Answer wrong = bench.experiment("distill", {"--keep", "1", "--init", "second start"});
    CHECK(wrong.status == 2);
    CHECK(wrong.err.find("no align or calibrate stage of this workspace is called so") != std::string::npos);

    const std::string hybrid = bench.list({"kind:distill"})[0]["uuid"];
    CHECK(bench.call({"runs", "name", hybrid, "the hybrid"}).status == 0);
    for (const std::string &name : {hybrid, std::string("the hybrid")}) {       // wherever a model is taken, the run that made it may be named
        CHECK(bench.call({"generate", name, "--prompt", "k00 v01", "-n", "2", "--json"}).json()["ids"].size() <= 2);
        CHECK(bench.call({"inspect", name, "--json"}).json()["num_layers"] == 6);
    }
    const Answer none = bench.call({"inspect", "first start"});
    CHECK(none.status == 2);
    CHECK(none.err.find("made no model") != std::string::npos);
}

TEST_CASE("a run that had begun when it was refused keeps why, and is found as failed")
{
    const Bench bench;
    // As a window starts one: the run has begun there, so that its refusal belongs to it.
    const std::string begun = "0b5bd1ee-4bd0-4a52-9c2f-0f4b7a0c9d11";
    CHECK(bench.call({"run", R"({"kind": "score", "teacher": "demo", "selector": "ga-s9"})", "--run-id", begun}).status == 2);
    CHECK(bench.shown(begun)["failure"]["message"].get<std::string>().find("ga-s9") != std::string::npos);
    CHECK(bench.shown(begun)["kind"] == "score");
    for (const char *query : {"is:failed", "status:failed", "is=failed"}) {
        const json failed = bench.list({query});
        REQUIRE(failed.size() == 1);
        for (const json &row : failed)
            CHECK_FALSE(row["failure"]["message"].get<std::string>().empty());
    }
    CHECK(bench.list({"is:finished"}).empty());
}

TEST_CASE("weights that are not finite are a bad file, said before any work")
{
    const Bench bench;
    std::string tensor;
    const std::string teacher = damagedTeacher(bench.path() / "teacher", tensor);
    const Words few{"--steps", "1", "--batch-sequences", "1", "--data.held-out-sequences", "2"};
    for (const Words &words : {joined({"score", "--teacher", teacher}, few), joined({"distill", "--teacher", teacher, "--keep", "1"}, few), joined({"align", "--teacher", teacher}, few),
                               joined({"align", "--dry-run", "--teacher", teacher}, few), Words{"evaluate", "--model", teacher, "--measures", "perplexity"}, Words{"generate", teacher, "--prompt", "k00"}}) {
        const Answer answer = bench.call(words);
        CAPTURE(answer.err);
        CHECK(answer.status == 4);
        CHECK(answer.err.find(tensor) != std::string::npos);
        CHECK(answer.err.find("model.safetensors") != std::string::npos);
        CHECK(answer.err.find("not finite") != std::string::npos);
    }
}

TEST_CASE("a list that says nothing is refused, and none says that there is nothing in it")
{
    const auto refused = [](const Words &words, const std::string &sentence) {
        const Answer answer = runProgram(words);
        CAPTURE(answer.err);
        CHECK(answer.status == 2);
        CHECK(answer.out.empty());
        CHECK(answer.err.find(sentence) != std::string::npos);
    };
    refused({"distill", "--teacher", "demo", "--print-spec", "--keep", ""}, "--keep none");
    refused({"score", "--teacher", "demo", "--print-spec", "--layers", ""}, "--layers is empty");
    refused({"evaluate", "--model", "demo", "--print-spec", "--measures", ""}, "--measures is empty");
    refused({"evaluate", "--model", "demo", "--print-spec", "--measures", "[]"}, "name at least one measure: kl, perplexity");
    refused({"evaluate", "--model", "demo", "--print-spec", "--measures", "kl"}, "kl alone");
    CHECK(runProgram({"distill", "--teacher", "demo", "--print-spec", "--keep", "none"}).json()["keep"] == json::array());
    CHECK(runProgram({"evaluate", "--model", "demo", "--print-spec"}).status == 0);
}

TEST_CASE("tokens are counted in sequences as long as they will be")
{
    const Answer answer = runProgram({"distill", "--teacher", "demo", "--keep", "1", "--tokens", "5000", "--alignment.tokens", "2000", "--print-spec"});
    CAPTURE(answer.err);
    REQUIRE(answer.status == 0);
    CHECK(answer.json()["steps"] == 1);                      // of 32 sequences of 96 tokens
    CHECK(answer.json()["alignment"]["steps"] == 1);         // of 16
    const Answer fewer = runProgram({"distill", "--teacher", "demo", "--keep", "1", "--tokens", "3000", "--print-spec"});
    CHECK(fewer.status == 2);
    CHECK(fewer.err.find("one step takes 3072 tokens") != std::string::npos);
}

}  // namespace refusedstarts_tests
