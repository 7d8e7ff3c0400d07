// SPDX-License-Identifier: GPL-3.0-or-later
// What the program reads from and writes to, where that is no ordinary file; and words that CLI11 refuses.
#include "cli/program.h"
#include "temporaryfolder.h"

#include <algorithm>
#include <cstdlib>
#include <fcntl.h>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace streams_tests {

using stillroom::test::Answer;
using stillroom::test::runProgram;
namespace fs = std::filesystem;

namespace {

/// Runs lines of a shell in a folder; $CLI is the program. Standard error is left in FOLDER/err.
Answer shell(const fs::path &folder, const std::string &lines)
{
    std::ofstream(folder / "lines.sh") << "cd '" << folder.string() << "'\nCLI='" << STILLROOM_CLI << "'\n" << lines << '\n';
    const int status = std::system(("sh '" + (folder / "lines.sh").string() + "' 2> '" + (folder / "err").string() + "'").c_str());
    std::ifstream stream(folder / "err", std::ios::binary);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, {}, {std::istreambuf_iterator<char>(stream), {}}};
}

/// One sentence of the program's own.
void refuses(const std::vector<std::string> &words, int status, const std::string &sentence)
{
    const Answer answer = runProgram(words);
    CAPTURE(answer.err);
    CHECK(answer.status == status);
    CHECK(answer.out.empty());
    CHECK(answer.err.starts_with("stillroom-cli: "));
    CHECK(answer.err.find('\n') == answer.err.size() - 1);
    CHECK(answer.err.find(sentence) != std::string::npos);
}

/// One row of token 0 so many times, of which attention_mask keeps the first `kept`.
void writeTokens(const std::string &file, std::size_t length, std::size_t kept)
{
    const std::string shape = R"({"dtype":"I64","shape":[1,)" + std::to_string(length) + R"(],"data_offsets":[)", middle = std::to_string(8 * length), end = std::to_string(16 * length);
    std::string header = R"({"input_ids":)" + shape + "0," + middle + R"(]},"attention_mask":)" + shape + middle + "," + end + "]}}", mask(8 * length, '\0');
    header.resize((header.size() + 7) / 8 * 8, ' ');
    for (std::size_t i = 0; i < kept; ++i)
        mask[8 * i] = '\1';
    std::ofstream(file, std::ios::binary) << static_cast<char>(header.size()) << std::string(7, '\0') << header << std::string(8 * length, '\0') << mask;
}

}  // namespace

TEST_CASE("what could not be written to standard output is no success")
{
    const TemporaryFolder folder;
    for (const char *words : {"score --teacher demo --print-spec", "inspect demo --json", "score --list-selectors"}) {
        CAPTURE(words);
        const Answer answer = shell(folder.path(), std::string("$CLI ") + words + " > /dev/full");
        CHECK(answer.status == 1);
        CHECK(answer.err.find("standard output could not be written") != std::string::npos);
    }
}

TEST_CASE("a spec and a text may come from a pipe")
{
    const TemporaryFolder folder;
    std::ofstream(folder.path() / "spec.json") << R"({"kind": "score", "teacher": "demo", "name": "from a pipe"})";
    const auto printed = [&](const std::string &lines) {
        const Answer answer = shell(folder.path(), lines + " > out");
        CAPTURE(answer.err);
        CHECK(answer.status == 0);
        std::ifstream out(folder.path() / "out");
        return std::string(std::istreambuf_iterator<char>(out), {});
    };
    const std::string spec = printed("$CLI run spec.json --print-spec");
    CHECK(spec.find("from a pipe") != std::string::npos);
    CHECK(printed("cat spec.json | $CLI run - --print-spec") == spec);
    CHECK(printed("mkfifo pipe && (cat spec.json > pipe &) && $CLI run pipe --print-spec") == spec);
    CHECK(printed("echo k00 v01 f02 k03 | $CLI perplexity demo -").starts_with("perplexity "));
    std::ofstream(folder.path() / "scores.json") << R"({"num_layers": 3, "scores": [{"layer": 0, "score": 1}, {"layer": 1, "score": 3}, {"layer": 2, "score": 2}]})";
    const std::string chosen = printed("$CLI select scores.json -k 2 --workspace none");
    CHECK(printed("cat scores.json | $CLI select - -k 2 --workspace none") == chosen);
    CHECK(printed("rm -f pipe && mkfifo pipe && (cat scores.json > pipe &) && $CLI select pipe -k 2 --workspace none") == chosen);
    CHECK(printed("$CLI select scores.json -k 2 --json --workspace none | $CLI compare - 0,2 --workspace none").find("Jaccard 1.000") != std::string::npos);
    CHECK(printed("cat scores.json | $CLI compare - 0,2 -k 2 --workspace none").find("Jaccard 1.000") != std::string::npos);
    CHECK(shell(folder.path(), "cat scores.json | $CLI compare - - -k 2 --workspace none").err.find("standard input is named twice") != std::string::npos);
    CHECK(shell(folder.path(), "echo '{\"selected\": 3}' | $CLI select - -k 2 --workspace none").err.find("standard input holds no scores") != std::string::npos);
    CHECK(shell(folder.path(), "mkdir empty && echo '{\"figures\": []}' | $CLI figures --spec - --out figures --workspace empty").err.find("Standard input names no figure") != std::string::npos);
    CHECK(shell(folder.path(), "echo '{\"figures\": 3}' | $CLI figures --spec - --workspace empty").err.find("Standard input has no list \"figures\"") != std::string::npos);
    const Answer none = shell(folder.path(), "echo '[1, 2' | $CLI run -");
    CHECK(none.status == 4);
    CHECK(none.err.find("The spec") != std::string::npos);
    CHECK(shell(folder.path(), "head -c 20000000 /dev/zero | $CLI run -").err.find("holds more than 16 MiB") != std::string::npos);
}

TEST_CASE("a terminal is not waited for where a text is to come from standard input")
{
    const TemporaryFolder folder;
    const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
    if (terminal < 0 || ::grantpt(terminal) != 0 || ::unlockpt(terminal) != 0)      // a machine that has none
        return;
    const std::string name = ::ptsname(terminal);
    for (const char *words : {"run -", "select - -k 2", "compare - 0,1", "figures --spec - --workspace ."}) {
        CAPTURE(words);
        const Answer answer = shell(folder.path(), "timeout 20 $CLI " + std::string(words) + " < " + name);
        CHECK(answer.status == 2);
        CHECK(answer.err.find("standard input is a terminal: send a text there") != std::string::npos);
    }
    ::close(terminal);
}

TEST_CASE("tokenize says how many lines were not UTF-8")
{
    const TemporaryFolder folder;
    std::ofstream(folder.path() / "text", std::ios::binary) << "k01 v01\nk01 \xFF\xFE\n";
    const Answer answer = runProgram({"tokenize", "demo", (folder.path() / "text").string()});
    CHECK(answer.status == 0);
    CHECK(answer.err.find("warning: 1 line of ") != std::string::npos);
    CHECK(answer.err.find("not UTF-8") != std::string::npos);
    std::ofstream(folder.path() / "text", std::ios::binary) << "k01 v01\n";
    CHECK(runProgram({"tokenize", "demo", (folder.path() / "text").string()}).err.empty());
}

TEST_CASE("forward writes logits that are not finite as they are, and says how many")
{
    const TemporaryFolder folder;
    const auto safetensors = [](const std::string &header, const std::string &bytes) {
        std::string length(8, '\0');
        for (std::size_t i = 0; i < 8; ++i)
            length[i] = static_cast<char>((header.size() >> (8 * i)) & 0xFFU);
        return length + header + bytes;
    };
    std::ofstream(folder.path() / "tokens.safetensors", std::ios::binary) << safetensors(R"({"input_ids":{"dtype":"I64","shape":[1,3],"data_offsets":[0,24]}})", std::string(24, '\0'));
    const fs::path demo = fs::path(std::getenv("STILLROOM_RESOURCES")) / "demo" / "teacher", model = folder.path() / "model", weights = model / "model.safetensors";
    fs::copy(demo, model);
    const auto answer = [&] { return runProgram({"forward", model.string(), "--tokens", (folder.path() / "tokens.safetensors").string(), "--out", (folder.path() / "out.safetensors").string()}); };
    CHECK(answer().err.find("not finite") == std::string::npos);
    std::ifstream stream(weights, std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(stream), {}};
    std::size_t headerBytes = 0;
    for (std::size_t i = 0; i < 8; ++i)
        headerBytes |= static_cast<std::size_t>(static_cast<unsigned char>(bytes.at(i))) << (8 * i);
    const auto place = nlohmann::json::parse(bytes.substr(8, headerBytes)).at("model.norm.weight").at("data_offsets");
    const std::size_t first = place.at(0), last = place.at(1);
    bytes.replace(8 + headerBytes + first, last - first, last - first, '\xFF');      // NaN in every type of real numbers
    fs::remove(weights);
    std::ofstream(weights, std::ios::binary) << bytes;
    const Answer broken = answer();
    CAPTURE(broken.err);
    CHECK(broken.status == 0);
    CHECK(broken.out.empty());
    CHECK(broken.err.find("warning: the logits hold ") != std::string::npos);
    CHECK(broken.err.find("the tensor model.norm.weight holds values that are not finite") != std::string::npos);      // in an attention layer it might not come through
    CHECK(fs::is_regular_file(folder.path() / "out.safetensors"));
}

TEST_CASE("a mapped file that became shorter ends the program with a sentence")
{
    const TemporaryFolder folder;
    // The signal that the system sends then; a file that is cut just while it is read cannot be made to order.
    const Answer answer = shell(folder.path(), "mkfifo endless\n$CLI tokenize demo endless &\nprogram=$!\nsleep 1\nkill -BUS $program\nwait $program");
    CHECK(answer.status == 4);
    CHECK(answer.err.find("a file that was being read became shorter") != std::string::npos);
}

TEST_CASE("a folder, a device without an end and a file that cannot be read are no texts")
{
    const TemporaryFolder folder;
    refuses({"tokenize", "demo", folder.path().string()}, 4, "is a folder: give one file");
    refuses({"perplexity", "demo", folder.path().string()}, 4, "is a folder: give one file");
    refuses({"tokenize", "demo", "/dev/zero"}, 4, "a line of more than 256 MiB");
    if (fs::exists("/proc/self/mem")) {
        refuses({"tokenize", "demo", "/proc/self/mem"}, 4, "/proc/self/mem cannot be read to its end");
        refuses({"perplexity", "demo", "/proc/self/mem"}, 4, "/proc/self/mem cannot be read to its end");
    }
    std::ofstream(folder.path() / "lines") << "k00 v01\n\nf02";
    CHECK(runProgram({"tokenize", "demo", (folder.path() / "lines").string()}).out.find("]\n[]\n[") != std::string::npos);
}

TEST_CASE("words that cannot be used are refused in one sentence with the next step")
{
    refuses({}, 2, "stillroom-cli --help lists what it takes");
    refuses({"inspect"}, 2, "stillroom-cli inspect --help lists what it takes");
    refuses({"generate", "demo", "-n", "0"}, 2, "stillroom-cli generate --help lists what it takes");
    refuses({"generate", "demo", "--temperature", "inf"}, 2, "--temperature");
    for (const char *seed : {"-1", "18446744073709551615", "18446744073709551616", "1.5"})
        refuses({"generate", "demo", "--prompt", "k00", "--seed", seed}, 2, "--seed");
    refuses({"select", "--selector", "random", "--layers", "6", "-k", "2", "--seed", "-1"}, 2, "--seed");
}

TEST_CASE("bounds are said in words that can be read")
{
    refuses({"perplexity", "demo", "text", "--window", "-1"}, 2, "\"-1\" is not a whole number of 0 or more");
    refuses({"generate", "demo", "--prompt", "k00", "--top-k", "1.5"}, 2, "\"1.5\" is not a whole number of 0 or more");
    for (const char *heat : {"inf", "nan", "-0.5", "warm"})
        refuses({"generate", "demo", "--prompt", "k00", "--temperature", heat}, 2, "is not 0 or a finite number above 0");
    refuses({"select", "--selector", "random", "--layers", "6", "-k", "5000"}, 2, "is not a whole number from 0 to 4096");
}

TEST_CASE("a text that is not UTF-8 is refused, and words that the tokenizer does not know are counted")
{
    const TemporaryFolder folder;
    const std::string latin = (folder.path() / "latin").string(), strange = (folder.path() / "strange").string();
    std::ofstream(latin) << "k00 caf\xe9 v01";
    std::ofstream(strange) << "k00 coffee v01 tea k03";
    refuses({"perplexity", "demo", latin}, 4, "not UTF-8");
    refuses({"generate", "demo", "--prompt", "k00 caf\xe9"}, 4, "not UTF-8");
    const Answer known = runProgram({"generate", "demo", "--prompt", "k00 v01", "-n", "1", "--json"}), unknown = runProgram({"generate", "demo", "--prompt", "k00 coffee", "-n", "1", "--json"});
    CHECK(known.json()["unknown_tokens"] == 0);
    CHECK(known.err.empty());
    CHECK(unknown.json()["unknown_tokens"] == 1);
    CHECK(unknown.err.find("does not know 1 of the 2 tokens of the prompt") != std::string::npos);
    const Answer text = runProgram({"perplexity", "demo", strange, "--json"});
    CHECK(text.json()["unknown_tokens"] == 2);
    CHECK(text.err.find("does not know 2 of the 5 tokens") != std::string::npos);
    CHECK(std::count(text.err.begin(), text.err.end(), '\n') == 1);
}

TEST_CASE("perplexity reads files and pipes, not what has no end")
{
    const TemporaryFolder folder;
    for (const char *device : {"/dev/zero", "/dev/null"})
        refuses({"perplexity", "demo", device}, 4, "neither a file nor a pipe");
    CHECK(shell(folder.path(), "printf 'k00 v01 f02 k03' | $CLI perplexity demo /dev/stdin > /dev/null").status == 0);
    const Answer endless = shell(folder.path(), "tr '\\0' a < /dev/zero | $CLI perplexity demo /dev/stdin");
    CHECK(endless.status == 4);
    CHECK(endless.err.find("a line of more than 256 MiB") != std::string::npos);
}

TEST_CASE("forward says that what it is to write is no file before it reads anything")
{
    const TemporaryFolder folder;
    refuses({"forward", "demo", "--tokens", "absent", "--out", ""}, 2, "--out is empty");
    refuses({"forward", "demo", "--tokens", "absent", "--out", folder.path().string()}, 2, "--out names a folder");
    refuses({"forward", "demo", "--tokens", "absent", "--out", (folder.path() / "new").string() + "/"}, 2, "--out names a folder");
    for (const char *kept : {"stillroom.db", "stillroom.db-wal", "artifacts/key/model/model.safetensors", "runs/new.safetensors"})
        refuses({"forward", "demo", "--tokens", "absent", "--out", (folder.path() / kept).string(), "--workspace", folder.path().string()}, 2, "what runs made");
    std::ofstream(folder.path() / "file") << "text";
    for (const char *place : {"absent/out.safetensors", "file/out.safetensors"})
        refuses({"forward", "demo", "--tokens", "absent", "--out", (folder.path() / place).string()}, 2, "--out is in a folder that is not there");
    refuses({"forward", "demo", "--tokens", "absent", "--out", (folder.path() / std::string(300, 'x')).string()}, 1, "Cannot create");
    CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);      // looking leaves nothing behind
}

TEST_CASE("options that would not be read are refused")
{
    refuses({"generate", "demo", "--tokens", "absent", "--chat"}, 2, "leave --chat out");
    refuses({"generate", "demo", "--prompt", "k00", "--top-k", "163"}, 2, "top-k is 163, but the model has 162 tokens");
    CHECK(runProgram({"generate", "demo", "--prompt", "k00", "-n", "1", "--top-k", "162"}).status == 0);
    refuses({"tokenize", "demo", "absent", "--detokenize", "--special"}, 2, "leave one of them out");
    refuses({"inspect", "demo", "k00 v01"}, 2, "add --attention");
    refuses({"inspect", "demo", "--tokens", "absent", "--json"}, 2, "add --attention");
    refuses({"inspect", "demo", "--device", "abacus"}, 2, "abacus");        // though nothing is computed
    CHECK(runProgram({"inspect", "demo", "--device", "cpu"}).status == 0);
}

TEST_CASE("gradients of a loss over no token are refused")
{
    const TemporaryFolder folder;
    const std::string tokens = (folder.path() / "tokens.safetensors").string(), out = (folder.path() / "out.safetensors").string();
    const auto write = [&](const std::string &mask) {
        const std::string header = R"({"input_ids":{"dtype":"I64","shape":[1,3],"data_offsets":[0,24]},"attention_mask":{"dtype":"I64","shape":[1,3],"data_offsets":[24,48]}})";
        std::ofstream stream(tokens, std::ios::binary);
        stream << static_cast<char>(header.size()) << std::string(7, '\0') << header << std::string(24, '\0');
        for (const char kept : mask)
            stream << static_cast<char>(kept - '0') << std::string(7, '\0');
    };
    for (const char *mask : {"000", "010", "101"}) {
        write(mask);
        refuses({"forward", "demo", "--tokens", tokens, "--out", out, "--grads"}, 2, "2 neighbouring tokens that attention_mask keeps");
        CHECK_FALSE(fs::exists(out));
    }
    write("011");
    CHECK(runProgram({"forward", "demo", "--tokens", tokens, "--out", out, "--grads"}).status == 0);
    // What is written is counted, and a terminal obeys no file's name.
    const std::string hostile = (folder.path() / "evil\x1b]0;title\x07").string();
    const Answer written = runProgram({"forward", "demo", "--tokens", tokens, "--out", hostile});
    CHECK(written.status == 0);
    CHECK(written.err.find("Wrote 1 array to ") != std::string::npos);
    CHECK(written.err.find("evil?]0;title?") != std::string::npos);
    CHECK(fs::exists(hostile));
}

TEST_CASE("a model in a folder whose name is not UTF-8 is described all the same")
{
    const TemporaryFolder folder;
    const fs::path model = folder.path() / "bad\xff";
    fs::copy(fs::path(std::getenv("STILLROOM_RESOURCES")) / "demo" / "teacher", model);
    const Answer answer = runProgram({"inspect", model.string(), "--json"});
    CAPTURE(answer.err);
    REQUIRE(answer.status == 0);
    CHECK(answer.json()["num_layers"] == 6);
    refuses({"score", "--teacher", "demo", "--print-spec", "--tokens-file", "bad\xff"}, 2, "not UTF-8");
}

TEST_CASE("a text beyond the model's context is read with one warning, and one within it without")
{
    const auto warnings = [](const std::vector<std::string> &words) {
        const Answer answer = runProgram(words);
        CAPTURE(answer.err);
        CHECK(answer.status == 0);
        const std::size_t first = answer.err.find("warning: the model was made for 96 tokens");
        CHECK((first == std::string::npos || answer.err.find("warning: ", first + 1) == std::string::npos));
        return first != std::string::npos;
    };
    const TemporaryFolder folder;
    std::string prompt, file = (folder.path() / "text.txt").string();
    for (int i = 0; i < 40; ++i)
        prompt += "k00 v01 f02 ";
    std::ofstream(file) << prompt;
    CHECK(warnings({"generate", "demo", "--prompt", prompt, "-n", "1", "--ignore-eos"}));
    CHECK_FALSE(warnings({"generate", "demo", "--prompt", "k00 v01", "-n", "1", "--ignore-eos"}));
    const std::string whole = prompt.substr(0, 96 * 4 - 1);       // 96 words of three letters
    CHECK_FALSE(warnings({"generate", "demo", "--prompt", whole, "-n", "1", "--ignore-eos"}));      // the new token is never read
    CHECK(warnings({"generate", "demo", "--prompt", whole, "-n", "2", "--ignore-eos"}));
    CHECK(warnings({"perplexity", "demo", file, "--window", "100"}));
    CHECK_FALSE(warnings({"perplexity", "demo", file}));
    refuses({"perplexity", "demo", file, "--window", "100", "--stride", "101"}, 2, "the stride at most the window");       // and nothing before it
    const std::string tokens = (folder.path() / "tokens.safetensors").string();
    for (const std::size_t length : {std::size_t{96}, std::size_t{97}}) {
        CAPTURE(length);
        writeTokens(tokens, length, length);
        CHECK(warnings({"forward", "demo", "--tokens", tokens, "--out", (folder.path() / "out.safetensors").string()}) == (length > 96));
        CHECK(warnings({"inspect", "demo", "--attention", "--tokens", tokens}) == (length > 96));
    }
    CHECK_FALSE(warnings({"inspect", "demo", "--attention", prompt}));      // cut into windows that fit
    writeTokens(tokens, 120, 96);      // padding counts for nothing
    CHECK_FALSE(warnings({"inspect", "demo", "--attention", "--tokens", tokens}));
    CHECK_FALSE(warnings({"forward", "demo", "--tokens", tokens, "--out", (folder.path() / "out.safetensors").string()}));
    writeTokens(tokens, 120, 97);
    CHECK(warnings({"inspect", "demo", "--attention", "--tokens", tokens}));
}

TEST_CASE("attention is measured on a text that can be read, with a word about what cannot be spelled, and on tokens of which some are kept")
{
    refuses({"inspect", "demo", "--attention", "k00 \xff"}, 4, "the text holds bytes that are not UTF-8");
    const Answer unknown = runProgram({"inspect", "demo", "--attention", "k00 to be"}), known = runProgram({"inspect", "demo", "--attention", "k00 v01"});
    CHECK(unknown.status == 0);
    CHECK(unknown.err.find("warning: The model's tokenizer does not know 2 of the 3 tokens of the text") == 0);
    CHECK(known.err.empty());
    const TemporaryFolder folder;
    const std::string tokens = (folder.path() / "tokens.safetensors").string();
    writeTokens(tokens, 8, 0);
    refuses({"inspect", "demo", "--attention", "--tokens", tokens}, 4, "tokens.safetensors: attention_mask keeps no token");
}

TEST_CASE("an evaluation that could measure nothing is refused with what to do, and nothing is said before a refusal")
{
    const TemporaryFolder folder;
    const std::string file = (folder.path() / "text.txt").string(), tokens = (folder.path() / "tokens.safetensors").string(), workspace = (folder.path() / "ws").string();
    for (int i = 0; i < 400; ++i)
        std::ofstream(file, std::ios::app) << "k00 v01 k02 v03 ";
    writeTokens(tokens, 600, 600);
    const auto evaluation = [&](const std::vector<std::string> &data, const std::string &measures) {
        std::vector<std::string> words{"evaluate", "--model", "demo", "--measures", measures, "--data.held-out-sequences", "2", "--workspace", workspace};
        words.insert(words.end(), data.begin(), data.end());
        return words;
    };
    const auto text = [&](const char *length) { return std::vector<std::string>{"--data.source", "text", "--data.files", file, "--data.held-out-files", file, "--data.sequence-length", length}; };
    const std::string nothing = "nothing would be measured, for recall hides passkeys in sequences of 256 tokens at least, and --data.sequence-length is 128: give longer ones, or ask for another measure";
    refuses(evaluation(text("128"), "recall"), 2, nothing);
    refuses(evaluation(text("128"), "kl,recall"), 2, nothing);
    refuses(evaluation({"--tokens-file", tokens, "--data.sequence-length", "128"}, "recall"), 2, "nothing would be measured, for recall hides passkeys in text, and --data.source is tokens");
    refuses(evaluation(text("256"), "recall"), 2, "passkey documents cannot be made");       // and no word on the model's 96 tokens
    CHECK_FALSE(fs::exists(workspace));
    const Answer beside = runProgram(evaluation(text("128"), "recall,perplexity"));
    CAPTURE(beside.err);
    CHECK(beside.status == 0);
    CHECK(beside.err.find("longer than the 96 that the model was made for") != std::string::npos);
}

TEST_CASE("an option that is given twice is said to be, and a number without an answer is refused with those that have one")
{
    refuses({"generate", "demo", "--prompt", "k00", "--prompt", "k01"}, 2, "--prompt is given 2 times, but takes one value: give it once");
    refuses({"align", "--teacher", "demo", "--steps", "1", "--steps", "2", "--steps", "3"}, 2, "--steps is given 3 times");
    refuses({"select", "random", "-k", "1", "-k", "2", "--layers", "6"}, 2, "--keep is given 2 times");
    refuses({"select", "random", "-k", "7", "--layers", "6"}, 2, "-k is 7, but there are 6 layers: give 0 to 6");
    refuses({"compare", "--teacher", "demo", "-k", "7"}, 2, "-k is 7, but demo has 6 layers: give 0 to 6");
    refuses({"select", "random", "-k", "6", "--layers", "6", "--draws", "3"}, 2, "6 of 6 layers make only 1 set, not 3: draw fewer");
    refuses({"select", "random", "-k", "5", "--layers", "6", "--draws", "7"}, 2, "make only 6 different sets, not 7");
}

TEST_CASE("what is wrong in a file is said with its name and place")
{
    const TemporaryFolder folder;
    const std::string ids = (folder.path() / "ids.txt").string(), lines = (folder.path() / "text.jsonl").string(), tokens = (folder.path() / "short.safetensors").string();
    for (const auto &[line, sentence] : {std::pair{"[1, -1]", "ids.txt, line 2 holds the id -1, but the tokenizer has the ids 0 to 161"}, {"[1, 162]", "ids.txt, line 2 holds the id 162"},
                                         {"[18446744073709551615]", "ids.txt, line 2 holds the id 18446744073709551615"}, {"[\"a\"]", "ids.txt, line 2 holds a token id that is not an integer"},
                                         {"k00", "ids.txt, line 2 is not a JSON array of token ids"}}) {
        std::ofstream(ids) << "[1, 2]\n" << line << '\n';
        const Answer answer = runProgram({"tokenize", "demo", ids, "--detokenize"});
        CAPTURE(answer.err);
        CHECK(answer.status == 4);
        CHECK(answer.err.find(sentence) != std::string::npos);
    }
    const std::string workspace = (folder.path() / "ws").string();
    std::ofstream(lines) << R"({"x": "k00"})" << '\n';
    refuses({"align", "--teacher", "demo", "--data.source", "text", "--data.files", lines, "--workspace", workspace}, 4, "text.jsonl, line 1 has no text field \"text\": name the right one in --data.text-field");
    writeTokens(tokens, 16, 16);
    refuses({"align", "--teacher", "demo", "--tokens-file", tokens, "--data.sequence-length", "32", "--workspace", workspace}, 2, "short.safetensors has rows of 16 tokens, but --data.sequence-length is 32");
}

TEST_CASE("that a tokenizer cannot spell a text is said once, however many stages read it")
{
    const TemporaryFolder folder;
    const std::string file = (folder.path() / "text.txt").string();
    for (int i = 0; i < 100; ++i)
        std::ofstream(file, std::ios::app) << "k00 v01 k02 to be v03 ";
    const Answer answer = runProgram({"score", "--teacher", "demo", "--selector", "zero-shot-ga", "--alignment.steps", "1", "--alignment.batch-sequences", "1", "--data.source", "text", "--data.files", file,
                                      "--data.held-out-files", file, "--data.sequence-length", "32", "--data.held-out-sequences", "2", "--workspace", (folder.path() / "ws").string()});
    CAPTURE(answer.err);
    CHECK(answer.status == 0);
    const std::size_t first = answer.err.find("cannot spell 3");
    CHECK(first != std::string::npos);
    CHECK(answer.err.find("cannot spell 3", first + 1) == std::string::npos);
}

TEST_CASE("an empty workspace is not the default one")
{
    for (const std::vector<std::string> &words : {std::vector<std::string>{"runs", "list"}, {"generate", "demo", "--prompt", "k00"}, {"align", "--teacher", "demo", "--print-spec"}, {"doctor"}}) {
        std::vector<std::string> all = words;
        all.insert(all.end(), {"--workspace", ""});
        refuses(all, 2, "--workspace is empty: name a folder, or leave it out");
    }
}

TEST_CASE("what only sampling reads is said to be unread where nothing is sampled")
{
    const auto isSaid = [](const std::vector<std::string> &more) {
        std::vector<std::string> words{"generate", "demo", "--prompt", "k00 v01", "-n", "1"};
        words.insert(words.end(), more.begin(), more.end());
        const Answer answer = runProgram(words);
        CAPTURE(answer.err);
        CHECK(answer.status == 0);
        return answer.err.find("warning: nothing is sampled at temperature 0") != std::string::npos;
    };
    for (const char *option : {"--top-k", "--top-p", "--seed"}) {
        CAPTURE(option);
        CHECK(isSaid({option, "1"}) == (std::string(option) != "--top-p"));      // 1 is all of them, as if it was not given
        CHECK_FALSE(isSaid({option, "1", "--temperature", "0.5"}));
    }
    CHECK(isSaid({"--top-p", "0.9"}));
    CHECK_FALSE(isSaid({}));
}

TEST_CASE("a head that is said to be the embedding and is not is used, with a word about it")
{
    const TemporaryFolder folder;
    const fs::path model = folder.path() / "model";
    fs::copy(fs::path(std::getenv("STILLROOM_RESOURCES")) / "demo" / "teacher", model);
    nlohmann::json config = nlohmann::json::parse(std::ifstream(model / "config.json"));
    REQUIRE(config.at("tie_word_embeddings") == false);
    config["tie_word_embeddings"] = true;
    std::ofstream(model / "config.json") << config;
    const Answer tied = runProgram({"generate", model.string(), "--prompt", "k00 v01 k00", "-n", "3"}), whole = runProgram({"generate", "demo", "--prompt", "k00 v01 k00", "-n", "3"});
    CHECK(tied.status == 0);
    CHECK(tied.out == whole.out);
    CHECK(whole.err.empty());
    std::ofstream(folder.path() / "text.txt") << "k00 v01 k00";
    for (const Answer &answer : {tied, runProgram({"inspect", model.string()}), runProgram({"perplexity", model.string(), (folder.path() / "text.txt").string()})}) {
        CHECK(answer.err.find("warning: " + model.string() + " says in its config") == 0);
        CHECK(answer.err.find("holds a lm_head.weight that differs: that is used, as by transformers 5") != std::string::npos);
    }
}

TEST_CASE("without its resources the demo says where it looked, and keeps no run")
{
    const TemporaryFolder folder;
    const Answer answer = shell(folder.path(), "STILLROOM_RESOURCES=$PWD $CLI demo --workspace none");
    CHECK(answer.status == 4);
    CHECK(answer.err.find("The demo's teacher is not installed: it was looked for at") != std::string::npos);
    CHECK(answer.err.find("STILLROOM_RESOURCES") != std::string::npos);
    CHECK_FALSE(fs::exists(folder.path() / "none"));
    CHECK(shell(folder.path(), "STILLROOM_RESOURCES=$PWD $CLI inspect demo").err.find("it was looked for at") != std::string::npos);
}

TEST_CASE("only what a command answers is in its help")
{
    for (const char *kind : {"align", "calibrate", "score", "distill", "run"})
        CHECK(runProgram({kind, "--help"}).out.find("--dry-run") != std::string::npos);
    for (const char *kind : {"evaluate", "train-teacher"})
        CHECK(runProgram({kind, "--help"}).out.find("--dry-run") == std::string::npos);
}

TEST_CASE("reindex makes no workspace")
{
    const TemporaryFolder folder;
    const fs::path nowhere = folder.path() / "typing" / "error";
    refuses({"reindex", "--workspace", nowhere.string()}, 2, "there is no workspace at");
    CHECK_FALSE(fs::exists(nowhere.parent_path()));
}

TEST_CASE("a workspace that is a file is called one, whoever is to use it")
{
    const TemporaryFolder folder;
    const std::string file = (folder.path() / "file").string();
    std::ofstream(file) << "text";
    for (std::vector<std::string> words : {std::vector<std::string>{"runs", "list"}, {"runs", "show", "first"}, {"reindex"}, {"compare", "first", "0,1"}, {"align", "--teacher", "demo", "--steps", "1"}}) {
        words.insert(words.end(), {"--workspace", file});
        refuses(words, 2, "the workspace \"" + file + "\" is a file: name a folder instead");
    }
}

TEST_CASE("reindex reads no workspace whose runs are no folder")
{
    const TemporaryFolder folder;
    std::ofstream(folder.path() / "runs") << "text";
    refuses({"reindex", "--workspace", folder.path().string()}, 4, "cannot be read, so no run can be rebuilt; it is a file: move that away");
}

}  // namespace streams_tests
