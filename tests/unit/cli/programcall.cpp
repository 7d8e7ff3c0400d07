// SPDX-License-Identifier: GPL-3.0-or-later
#include "programcall.h"

#include "commandline.h"

#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <grp.h>
#include <iostream>
#include <iterator>
#include <stdexcept>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;

constexpr unsigned nobody = 65534;
constexpr unsigned longestCallSeconds = 120;   // a sanitizer on a busy machine; a hang is a hang

void redirect(const fs::path &file, int descriptor, int flags)
{
    const int opened = ::open(file.c_str(), flags | O_CLOEXEC, 0600);
    if (opened < 0 || ::dup2(opened, descriptor) < 0)
        ::_exit(125);
}

void enter(const fs::path &sandbox)
{
    if (::chdir(sandbox.c_str()) != 0)
        ::_exit(125);
    for (const auto &[name, folder] : {std::pair("HOME", "home"), {"XDG_DATA_HOME", "home"}, {"XDG_CACHE_HOME", "home"}, {"TMPDIR", "home"}, {"STILLROOM_WORKSPACE", "workspace"}})
        ::setenv(name, (sandbox / folder).c_str(), 1);
    ::setenv("CUDA_VISIBLE_DEVICES", "", 1);   // a GPU's driver takes 600 MB and writes its kernels into HOME: neither is the damaged file's doing
}

std::int64_t residentBytes()
{
    std::int64_t pages = 0, resident = 0;
    std::ifstream("/proc/self/statm") >> pages >> resident;
    return resident * ::sysconf(_SC_PAGESIZE);
}

/// Ends a forked child without LibTorch's own clean-up, which takes longer than most calls; a sanitizer looks for leaks in it.
[[noreturn]] void leave(int status)
{
#ifdef __SANITIZE_ADDRESS__
    std::exit(status);
#endif
    std::cout.flush();
    std::cerr.flush();
    std::fflush(nullptr);
    ::_exit(status);
}

std::string contentOf(const fs::path &file)
{
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace

ProgramCall::ProgramCall(const std::vector<std::string> &arguments, const fs::path &sandbox, const fs::path &notes, Start start) : m_output(notes / "output"), m_errors(notes / "errors"), m_firstResident(notes / "first-resident")
{
    std::vector<std::string> words{"stillroom-cli"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char *> argv;
    for (std::string &word : words)
        argv.push_back(word.data());
    argv.push_back(nullptr);
    std::cout.flush();   // what stands in a buffer would be written twice
    std::cerr.flush();
    std::fflush(nullptr);
    m_process = ::fork();
    if (m_process < 0)
        throw std::runtime_error("cannot fork");
    if (m_process > 0)
        return;
    std::ofstream(m_firstResident) << residentBytes();
    redirect("/dev/null", STDIN_FILENO, O_RDONLY);
    redirect(m_output, STDOUT_FILENO, O_WRONLY | O_CREAT | O_TRUNC);
    redirect(m_errors, STDERR_FILENO, O_WRONLY | O_CREAT | O_TRUNC);
    enter(sandbox);
    if (start == Start::ForkedAsSomebody && ::geteuid() == 0 && (::setgroups(0, nullptr) != 0 || ::setgid(nobody) != 0 || ::setuid(nobody) != 0))
        ::_exit(125);
    ::alarm(longestCallSeconds);
    if (start == Start::Program) {
        ::execv(STILLROOM_PROGRAM, argv.data());
        ::_exit(125);
    }
    leave(stillroom::cli::runCommandLine(static_cast<int>(words.size()), argv.data()));
}

Outcome ProgramCall::finish() const
{
    int state = 0;
    rusage usage{};
    if (::wait4(m_process, &state, 0, &usage) != m_process)
        throw std::runtime_error("cannot wait for the program");
    Outcome outcome;
    outcome.status = WEXITSTATUS(state);
    outcome.signal = WIFSIGNALED(state) ? WTERMSIG(state) : 0;
    outcome.output = contentOf(m_output);
    outcome.errors = contentOf(m_errors);
    std::ifstream(m_firstResident) >> outcome.firstResidentBytes;
    outcome.peakResidentBytes = std::int64_t{usage.ru_maxrss} * 1024;
    return outcome;
}
