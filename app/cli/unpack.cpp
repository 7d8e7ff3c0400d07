// SPDX-License-Identifier: GPL-3.0-or-later
#include "unpack.h"

#include "error.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include <array>
#include <cstdlib>
#include <fcntl.h>
#include <sstream>
#include <vector>

namespace stillroom::cli {
namespace fs = std::filesystem;
namespace {

struct ProgramResult {
    int status = 0;
    std::string output;
};

/// Runs a program in `folder` without a shell; standard output and error together.
ProgramResult runProgram(const std::vector<std::string> &arguments, const fs::path &folder)
{
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
        throw Error(ErrorCode::Failed, "no pipe could be made to run " + arguments.front());
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
    ::posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
    std::vector<std::string> copies = arguments;
    std::vector<char *> pointers;
    for (std::string &argument : copies)
        pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    pid_t child = 0;
    const int failure = ::posix_spawnp(&child, pointers.front(), &actions, nullptr, pointers.data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    ProgramResult result;
    if (failure != 0) {
        ::close(ends[0]);
        throw Error(ErrorCode::Failed, arguments.front() + " is not installed: it is needed to fetch this");
    }
    std::array<char, 4096> buffer{};
    for (ssize_t got = 0; (got = ::read(ends[0], buffer.data(), buffer.size())) > 0;)
        result.output.append(buffer.data(), static_cast<std::size_t>(got));
    ::close(ends[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return result;
}

std::string lastLine(const std::string &output)
{
    std::istringstream lines(output);
    std::string line, last;
    while (std::getline(lines, line))
        if (line.find_first_not_of(" \t\r") != std::string::npos)
            last = line;
    return last;
}

fs::path onlyFile(const fs::path &folder, const std::string &ending)
{
    for (const fs::directory_entry &entry : fs::directory_iterator(folder))
        if (entry.path().string().ends_with(ending))
            return entry.path();
    throw Error(ErrorCode::Failed, "the download left no " + ending + " file");
}

fs::path download(const std::vector<std::string> &command, const std::string &package, const fs::path &folder, const std::string &ending, const std::string &remedy)
{
    const ProgramResult result = runProgram(command, folder);
    if (result.status != 0)
        throw Error(ErrorCode::Failed, "the package " + package + " could not be downloaded (" + lastLine(result.output) + "): " + remedy, result.output);
    return onlyFile(folder, ending);
}

}  // namespace

TemporaryFolder::TemporaryFolder(const fs::path &parent)
{
    fs::create_directories(parent);
    std::string pattern = (parent / "fetch-XXXXXX").string();
    if (!::mkdtemp(pattern.data()))
        throw Error(ErrorCode::Io, "no folder could be made in " + parent.string() + ": check its permissions and the disk's free space");
    m_path = pattern;
}

TemporaryFolder::~TemporaryFolder()
{
    std::error_code error;
    fs::remove_all(m_path, error);
}

fs::path downloadPythonPackage(const std::string &requirement, const fs::path &folder)
{
    return download({"python3", "-m", "pip", "download", "--quiet", "--no-deps", "--disable-pip-version-check", requirement}, requirement, folder, ".whl",
                    "check the network and that python3 has pip");
}

fs::path downloadDebianPackage(const std::string &package, const fs::path &folder)
{
    return download({"apt-get", "download", "-q", package}, package, folder, ".deb", "check the network, and run apt-get update as root first");
}

void unpackPackage(const fs::path &package, const fs::path &folder)
{
    const bool wheel = package.extension() == ".whl";
    const std::vector<std::string> command = wheel ? std::vector<std::string>{"python3", "-m", "zipfile", "-e", package.string(), folder.string()}
                                                   : std::vector<std::string>{"dpkg-deb", "-x", package.string(), folder.string()};
    const ProgramResult result = runProgram(command, folder);
    if (result.status != 0)
        throw Error(ErrorCode::Failed, package.filename().string() + " could not be unpacked (" + lastLine(result.output) + ")", result.output);
}

std::string readMaybeCompressed(const fs::path &file)
{
    gzFile stream = ::gzopen(file.c_str(), "rb");   // reads plain files through, too
    if (!stream)
        throw Error(ErrorCode::BadFile, file.string() + " cannot be read");
    std::string text;
    std::array<char, 65536> buffer{};
    int got = 0;
    while ((got = ::gzread(stream, buffer.data(), static_cast<unsigned>(buffer.size()))) > 0)
        text.append(buffer.data(), static_cast<std::size_t>(got));
    if (::gzclose(stream) != Z_OK || got < 0)       // a file that ends too early is told here alone
        throw Error(ErrorCode::BadFile, file.string() + " is a damaged gzip file");
    return text;
}

std::string inflateOne(std::string_view &bytes)
{
    z_stream stream{};
    if (::inflateInit(&stream) != Z_OK)
        throw Error(ErrorCode::Failed, "zlib could not start");
    stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(bytes.data()));   // zlib's older interface takes no const
    stream.avail_in = static_cast<uInt>(bytes.size());
    std::string text;
    std::array<char, 65536> buffer{};
    int status = Z_OK;
    while (status == Z_OK) {
        stream.next_out = reinterpret_cast<Bytef *>(buffer.data());
        stream.avail_out = static_cast<uInt>(buffer.size());
        status = ::inflate(&stream, Z_NO_FLUSH);
        text.append(buffer.data(), buffer.size() - stream.avail_out);
    }
    const std::size_t left = stream.avail_in;
    ::inflateEnd(&stream);
    if (status != Z_STREAM_END)
        throw Error(ErrorCode::BadFile, "a compressed part of the package is damaged");
    bytes.remove_prefix(bytes.size() - left);
    return text;
}

std::string stringVectorLines(std::string_view serialised)
{
    std::size_t at = 0;
    const auto number = [&]() -> std::int32_t {
        if (at + 4 > serialised.size())
            throw Error(ErrorCode::BadFile, "an R serialisation ends too early");
        std::uint32_t value = 0;
        for (int i = 0; i < 4; ++i)
            value = (value << 8) | static_cast<unsigned char>(serialised[at++]);
        return static_cast<std::int32_t>(value);
    };
    at = 14;                                            // "X\n", version, writer, oldest reader
    const std::int32_t encoding = number();             // length of the native encoding's name, which follows
    at += static_cast<std::size_t>(std::max(encoding, 0));
    number();                                           // flags of the vector
    const std::int32_t count = number();
    std::string text;
    for (std::int32_t i = 0; i < count; ++i) {
        number();                                       // flags of the string
        const std::int32_t length = std::max(number(), 0);   // -1: missing
        if (at + static_cast<std::size_t>(length) > serialised.size())
            throw Error(ErrorCode::BadFile, "an R serialisation ends too early");
        text.append(serialised.substr(at, static_cast<std::size_t>(length)));
        text += '\n';
        at += static_cast<std::size_t>(length);
    }
    return text;
}

}  // namespace stillroom::cli
