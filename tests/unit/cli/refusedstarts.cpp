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

TEST_CASE("what a run would refuse at its start its dry run refuses in the same words")
{
    const Bench bench;
    const std::string start = bench.result("align", {"--layers", "0,1"})["key"], unknown(64, 'a');
    const auto refusedAlike = [&](const std::string &kind, const Words &words, const std::string &sentence) {
        const Answer dry = bench.experiment(kind, joined(words, {"--dry-run"})), real = bench.experiment(kind, words);
        CAPTURE(dry.err);
        CAPTURE(real.err);
        CHECK(dry.status == real.status);
        CHECK((dry.status == 2 || dry.status == 4));
        CHECK(lastLine(dry.err) == lastLine(real.err));
        CHECK(dry.err.find(sentence) != std::string::npos);
        CHECK(dry.out.empty());
    };
    refusedAlike("score", {"--init", unknown}, "is not in this workspace");
    refusedAlike("score", {"--init", start, "--mixer.kind", "gla"}, "init holds gdn mixers");
    refusedAlike("align", {"--init", start, "--layers", "4"}, "init holds no layer 4");
    refusedAlike("distill", {"--keep", "1", "--init", unknown}, "is not in this workspace");
    refusedAlike("distill", {"--keep", "1", "--init", start}, "has no aligned mixer");
    refusedAlike("distill", {"--keep-count", "7", "--scores", "nothing"}, "the teacher has 6 layers");
    refusedAlike("distill", {"--keep-count", "2", "--scores", "nothing"}, "no run or stage");
    refusedAlike("distill", {"--keep", "1", "--tokens-file", (bench.path() / "absent.safetensors").string()}, "absent.safetensors");
    CHECK(bench.experiment("distill", {"--keep", "2,3,4,5", "--init", start, "--dry-run"}).status == 0);
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

TEST_CASE("a run that was refused keeps why, and is found as failed")
{
    const Bench bench;
    CHECK(bench.experiment("distill", {"--keep-count", "2", "--scores", "nothing"}).status == 2);
    // As a window starts one: the run has begun there, so that its refusal belongs to it.
    const std::string begun = "0b5bd1ee-4bd0-4a52-9c2f-0f4b7a0c9d11";
    CHECK(bench.call({"run", R"({"kind": "score", "teacher": "demo", "selector": "ga-s9"})", "--run-id", begun}).status == 2);
    CHECK(bench.shown(begun)["failure"]["message"].get<std::string>().find("ga-s9") != std::string::npos);
    CHECK(bench.shown(begun)["kind"] == "score");
    for (const char *query : {"is:failed", "status:failed", "is=failed"}) {
        const json failed = bench.list({query});
        REQUIRE(failed.size() == 2);
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
