// SPDX-License-Identifier: GPL-3.0-or-later
// What the program reads from and writes to, where that is no ordinary file; and words that CLI11 refuses.
#include "cli/program.h"
#include "temporaryfolder.h"

#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <sys/wait.h>
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

TEST_CASE("reindex makes no workspace")
{
    const TemporaryFolder folder;
    const fs::path nowhere = folder.path() / "typing" / "error";
    refuses({"reindex", "--workspace", nowhere.string()}, 2, "there is no workspace at");
    CHECK_FALSE(fs::exists(nowhere.parent_path()));
}

}  // namespace streams_tests
