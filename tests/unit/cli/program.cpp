// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/program.h"

#include "temporaryfolder.h"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <sys/wait.h>

namespace stillroom::test {
namespace {

std::string quoted(const std::string &text)
{
    std::string out = "'";
    for (const char c : text)
        out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
}

std::string content(const std::filesystem::path &file)
{
    std::ostringstream all;
    all << std::ifstream(file).rdbuf();
    return all.str();
}

}  // namespace

Answer runProgram(const std::vector<std::string> &arguments)
{
    const TemporaryFolder folder;
    std::string command = quoted(STILLROOM_CLI);
    for (const std::string &argument : arguments)
        command += " " + quoted(argument);
    command += " >" + quoted((folder.path() / "out").string()) + " 2>" + quoted((folder.path() / "err").string()) + " </dev/null";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, content(folder.path() / "out"), content(folder.path() / "err")};
}

}  // namespace stillroom::test
