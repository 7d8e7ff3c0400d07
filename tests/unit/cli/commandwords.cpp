// SPDX-License-Identifier: GPL-3.0-or-later
// The words of a command line: which are names, which are values, and what the program makes of the ones nobody gave.
#include "cli/program.h"
#include "temporaryfolder.h"

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace commandvocabularytests {

using nlohmann::json;
using stillroom::test::Answer;
using stillroom::test::runProgram;

namespace {

json specOf(std::vector<std::string> words)
{
    words.insert(words.begin(), {"score", "--teacher", "demo", "--print-spec"});
    const Answer answer = runProgram(words);
    CAPTURE(answer.err);
    REQUIRE(answer.status == 0);
    return answer.json();
}

void refuses(const std::vector<std::string> &words, const std::string &sentence)
{
    const Answer answer = runProgram(words);
    CAPTURE(answer.err);
    CHECK(answer.status == 2);
    CHECK(answer.out.empty());
    CHECK(answer.err.find(sentence) != std::string::npos);
}

/// A copy of the demo's teacher that says it was made for so many tokens.
std::string teacherFor(const std::filesystem::path &folder, std::int64_t context)
{
    std::filesystem::create_directories(folder);
    for (const auto &file : std::filesystem::directory_iterator(std::filesystem::path(std::getenv("STILLROOM_RESOURCES")) / "demo" / "teacher"))
        std::filesystem::copy_file(file.path(), folder / file.path().filename());
    json config = json::parse(std::ifstream(folder / "config.json"));
    config["max_position_embeddings"] = context;
    std::ofstream(folder / "config.json") << config;
    return folder.string();
}

std::string textOf(const std::filesystem::path &file)
{
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

/// Exit status of a call whose Ctrl+C came before it began: blocked, so that it waits until the program takes it.
int statusAfterInterrupt(std::vector<std::string> words, const std::filesystem::path &output)
{
    words.insert(words.begin(), STILLROOM_CLI);
    std::vector<char *> argv;
    for (std::string &word : words)
        argv.push_back(word.data());
    argv.push_back(nullptr);
    const pid_t child = ::fork();
    if (child == 0) {
        if (!std::freopen(output.c_str(), "w", stdout) || !std::freopen("/dev/null", "w", stderr))
            ::_exit(125);
        sigset_t interrupt;
        ::sigemptyset(&interrupt);
        ::sigaddset(&interrupt, SIGINT);
        ::sigprocmask(SIG_BLOCK, &interrupt, nullptr);
        ::kill(::getpid(), SIGINT);          // to the process: any of its threads may take it
        ::execv(STILLROOM_CLI, argv.data());
        ::_exit(125);
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

TEST_CASE("only names of options take hyphens for underscores: values and files keep what they are called")
{
    CHECK(specOf({"--name", "--my_name"})["name"] == "--my_name");
    CHECK(specOf({"--notes", "---\nfile_name"})["notes"] == "---\nfile_name");
    CHECK(specOf({"--data.source", "text", "--data.files", "--a_b.txt", "--batch_sequences", "3"})["data"]["files"] == json({"--a_b.txt"}));
    CHECK(specOf({"--data.source", "text", "--data.files=--a_b.txt", "--batch_sequences=3"})["batch_sequences"] == 3);
    CHECK(specOf({"--tokens_file", "--a_b.safetensors"})["data"]["files"] == json({"--a_b.safetensors"}));
    const TemporaryFolder folder;
    const std::string before = std::filesystem::current_path().string();
    std::filesystem::current_path(folder.path());
    std::ofstream("--my_text.txt") << "k00 v01 f02 k03";
    const Answer words = runProgram({"perplexity", "demo", "--json", "--", "--my_text.txt"});
    std::filesystem::current_path(before);
    CAPTURE(words.err);
    CHECK(words.status == 0);
    // What a prompt says reaches the tokenizer as it is: a teacher that calls its word k00 so goes on from it as the demo's does from k00.
    const std::string renamed = teacherFor(folder.path() / "renamed", 96);
    std::string vocabulary = textOf(folder.path() / "renamed" / "tokenizer.json");
    REQUIRE(vocabulary.find("\"k00\"") != std::string::npos);
    vocabulary.replace(vocabulary.find("\"k00\""), 5, "\"--k_00\"");
    std::ofstream(folder.path() / "renamed" / "tokenizer.json") << vocabulary;
    const auto next = [](const std::string &model, const std::string &prompt) { return runProgram({"generate", model, "--max_new_tokens", "1", "--json", "--prompt", prompt}).json()["ids"]; };
    CHECK(next(renamed, "--k_00") == next("demo", "k00"));
    CHECK(next(renamed, "--k_00") != next(renamed, "--k-00"));      // no word of its, so that the two can be told apart
    refuses({"score", "--teacher", "demo", "--batch_sequencez", "3"}, "\"--batch_sequencez\"; did you mean --batch-sequences?");
}

TEST_CASE("a short option of another command and an abbreviation lead to the option that is meant")
{
    refuses({"distill", "--teacher", "demo", "-k", "8"}, "\"-k\"; did you mean --keep-count?");
    refuses({"distill", "--teacher", "demo", "-k8"}, "did you mean --keep-count?");
    refuses({"distill", "--teacher", "demo", "--keep-c", "8"}, "did you mean --keep-count?");
    refuses({"distill", "--teacher", "demo", "-keep-count", "8"}, "did you mean --keep-count?");
    refuses({"score", "--teacher", "demo", "--sequence_len", "8"}, "did you mean --data.sequence-length?");
    refuses({"score", "--teach", "demo"}, "did you mean --teacher?");
    refuses({"score", "--teacher", "demo", "-q", "8"}, "score --help lists what it takes");
}

TEST_CASE("the help of runs lists the fields and states of a query")
{
    std::string help = runProgram({"runs", "--help"}).out;
    for (std::size_t at = help.find_first_of("\n "); at != std::string::npos; at = help.find_first_of("\n ", at + 1)) {       // lines are broken anywhere
        help.erase(at + 1, help.find_first_not_of("\n ", at) - at - 1);
        help[at] = ' ';
    }
    for (const char *words : {"mixer, probe, selector", "k, seed, tokens", "is: locked, pinned, running, finished, failed, cancelled, interrupted"})
        CHECK_MESSAGE(help.find(words) != std::string::npos, words);
}

TEST_CASE("of two ways of saying one thing none wins in silence")
{
    refuses({"distill", "--teacher", "demo", "--keep", "1,2", "--scores", "a run", "--print-spec"}, "both say which layers to keep");
    refuses({"score", "--teacher", "demo", "--tokens-file", "a.safetensors", "--data.files", "b.txt", "--print-spec"}, "--data.files");
    refuses({"score", "--teacher", "demo", "--tokens-file", "a.safetensors", "--data.source", "text", "--print-spec"}, "--data.source");
}

TEST_CASE("a list with nothing between two commas is refused, and JSON beside words makes no odd names")
{
    refuses({"score", "--teacher", "demo", "--print-spec", "--layers", "1,,3"}, "before and behind each comma");
    refuses({"score", "--teacher", "demo", "--print-spec", "--layers", ",", "--steps", "5"}, "before and behind each comma");
    refuses({"score", "--teacher", "demo", "--print-spec", "--data.files", "a.txt,"}, "before and behind each comma");
    CHECK(specOf({"--data.source", "text", "--data.files", "b.txt", "--data.files", R"(["a.txt"])"})["data"]["files"] == json({"b.txt", "a.txt"}));
    CHECK(specOf({"--data.source", "text", "--data.files", R"(["a,b.txt"])", "--data.files=c.txt,d.txt"})["data"]["files"] == json({"a,b.txt", "c.txt", "d.txt"}));
    CHECK(specOf({"--layers", "[1,3]", "--layers", "4"})["layers"] == json({1, 3, 4}));
    refuses({"score", "--teacher", "demo", "--steps", "5", "--steps", "6"}, "--steps");        // one value has one
}

TEST_CASE("run takes a file whose name begins like JSON")
{
    const TemporaryFolder folder;
    const std::string before = std::filesystem::current_path().string();
    std::filesystem::current_path(folder.path());
    std::ofstream("[draft].json") << R"({"kind": "score", "teacher": "demo", "name": "from the file"})";
    const Answer answer = runProgram({"run", "[draft].json", "--print-spec"});
    std::filesystem::current_path(before);
    CAPTURE(answer.err);
    REQUIRE(answer.status == 0);
    CHECK(answer.json()["name"] == "from the file");
    CHECK(runProgram({"run", "[1, 2]", "--print-spec"}).status == 2);
    CHECK(runProgram({"run", "--help"}).out.find("starts with { or [") != std::string::npos);
}

TEST_CASE("sequences fit the shortest context of all models that are named, and steps are counted in them")
{
    const TemporaryFolder folder;
    const std::string shorter = teacherFor(folder.path() / "shorter", 40), tiny = teacherFor(folder.path() / "tiny", 1);
    const auto spec = [](std::vector<std::string> words) {
        words.insert(words.end(), {"--print-spec"});
        const Answer answer = runProgram(words);
        CAPTURE(answer.err);
        REQUIRE(answer.status == 0);
        return std::pair(answer.json(), answer.err);
    };
    CHECK(spec({"evaluate", "--model", "demo", "--teacher", shorter}).first["data"]["sequence_length"] == 40);
    CHECK(spec({"evaluate", "--model", shorter, "--teacher", "demo"}).first["data"]["sequence_length"] == 40);
    CHECK(spec({"score", "--teacher", tiny}).first["data"]["sequence_length"] == 2);           // the fewest that a spec may say
    const auto [shortened, said] = spec({"distill", "--teacher", "demo", "--keep", "4", "--tokens", "96000", "--batch-sequences", "10"});
    CHECK(said.find("96 tokens instead of 512") != std::string::npos);
    CHECK(shortened["steps"] == 100);                                                          // of 10 times 96 tokens, not of 512
    CHECK(spec({"score", "--teacher", "demo", "--data.sequence-length", "512"}).second.empty());
    CHECK(spec({"score", "--teacher", "/not/there"}).first["data"]["sequence_length"] == 512);
    json stretched = json::parse(std::ifstream(std::filesystem::path(shorter) / "config.json"));
    stretched["rope_parameters"] = {{"rope_theta", 100.0}, {"rope_type", "yarn"}, {"factor", 2.0}, {"original_max_position_embeddings", 40}};
    std::ofstream(std::filesystem::path(shorter) / "config.json") << stretched;
    CHECK(spec({"score", "--teacher", shorter}).first["data"]["sequence_length"] == 80);
    std::ofstream(std::filesystem::path(shorter) / "config.json") << "{";
    const Answer damaged = runProgram({"score", "--teacher", shorter, "--print-spec"});
    CHECK(damaged.status == 4);                                                                // it is there and cannot be read: said, not passed over
    CHECK(damaged.err.find("config.json") != std::string::npos);
}

TEST_CASE("--dry-run stops on Ctrl+C")
{
    const TemporaryFolder folder;
    const std::vector<std::string> call{"score", "--teacher", "demo", "--dry-run", "--workspace", (folder.path() / "workspace").string()};
    REQUIRE(runProgram(call).status == 0);
    CHECK(statusAfterInterrupt(call, folder.path() / "out") == 3);
    CHECK(std::filesystem::file_size(folder.path() / "out") == 0);
}

// The whole demo takes two minutes of a core, too long for here; what it shows is tested in procedures (retrievallayer).
TEST_CASE("demo begins its run, stops on Ctrl+C and keeps the run as cancelled")
{
    const TemporaryFolder folder;
    const std::string workspace = (folder.path() / "workspace").string();
    CHECK(statusAfterInterrupt({"demo", "--json", "--workspace", workspace}, folder.path() / "out") == 3);
    CHECK(std::filesystem::file_size(folder.path() / "out") == 0);
    const json list = runProgram({"runs", "list", "demo", "--json", "--workspace", workspace}).json();
    REQUIRE_FALSE(list.empty());
    for (const json &row : list)
        CHECK(row.at("status") == "cancelled");
}

TEST_CASE("doctor tests each device, and says what it is called")
{
    const TemporaryFolder folder;
    const Answer answer = runProgram({"doctor", "--json", "--workspace", (folder.path() / "none").string()});
    CAPTURE(answer.err);
    REQUIRE(answer.status == 0);
    const json devices = answer.json().at("devices");
    REQUIRE(devices.size() == 1 + answer.json().at("cuda_devices").get<std::size_t>());
    for (const json &device : devices) {
        CHECK(device.at("passed") == true);
        CHECK_FALSE(device.at("name").get<std::string>().empty());
        CHECK(device.at("gradient_error").get<double>() < 1e-4);
        CHECK(device.contains("compute_capability") == (device.at("device") != "cpu"));
    }
    CHECK(runProgram({"doctor", "--workspace", (folder.path() / "none").string()}).out.find("\"gradient_error\":") != std::string::npos);
}

TEST_CASE("doctor says what the computer has even where the workspace cannot be read, and ends as that does")
{
    const TemporaryFolder folder;
    std::ofstream(folder.path() / "stillroom.db") << std::string(4096, 'x');
    const Answer answer = runProgram({"doctor", "--json", "--workspace", folder.path().string()});
    CHECK(answer.status == 4);
    CHECK(answer.err.find("stillroom.db") != std::string::npos);
    CHECK_FALSE(answer.json().at("devices").empty());
    CHECK(answer.json().at("workspace").at("path") == folder.path().string());
}

TEST_CASE("a word that is no command or option is named, with the nearest that is")
{
    refuses({"scoer", "--teacher", "demo"}, "there is no command \"scoer\"; did you mean score?");
    refuses({"--bad"}, "stillroom-cli does not take \"--bad\": stillroom-cli --help lists what it takes");
    refuses({"-v", "--verbos"}, "does not take \"--verbos\"; did you mean --verbose?");
    refuses({"frobnicate"}, "there is no command \"frobnicate\": stillroom-cli --help lists them");
    refuses({"score", "--teacher", "demo", "--stepz", "3"}, "score does not take \"--stepz\"; did you mean --steps?");
    refuses({"inspect", "demo", "text", "more"}, "inspect does not take \"more\"");
    CHECK(runProgram({"--help"}).status == 0);
    CHECK(runProgram({"--version"}).status == 0);
    CHECK(runProgram({"score", "--help"}).status == 0);
}

TEST_CASE("a list may be written as one word or word by word, and a field as in a spec")
{
    CHECK(specOf({"--data.source", "text", "--data.files", "a.txt", "--data.files", "b.txt"})["data"]["files"] == json({"a.txt", "b.txt"}));
    CHECK(specOf({"--layers", "1,3", "--layers=4"})["layers"] == json({1, 3, 4}));
    CHECK(specOf({"--data.held_out_sequences", "5", "--batch_sequences=3"}) == specOf({"--data.held-out-sequences", "5", "--batch-sequences", "3"}));
    CHECK(specOf({"--name", "with_underscore"})["name"] == "with_underscore");
    CHECK(specOf({"--name=with_underscore"})["name"] == "with_underscore");
}

}  // namespace commandvocabularytests
