// SPDX-License-Identifier: GPL-3.0-or-later
#include "commandline.h"
#include "error.h"

#include <csignal>
#include <string_view>
#include <unistd.h>

namespace {

/// Files of models are mapped. One that becomes shorter meanwhile, because it is fetched or copied anew, cannot be read on.
void endOfMappedFile(int)
{
    constexpr std::string_view said = "stillroom-cli: a file that was being read became shorter: let whatever writes it finish, then run the command again\n";
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, said.data(), said.size());
    ::_exit(stillroom::exitStatus(stillroom::ErrorCode::BadFile));
}

}  // namespace

int main(int argc, char **argv)
{
    std::signal(SIGBUS, endOfMappedFile);
    return stillroom::cli::runCommandLine(argc, argv);
}
