// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/atomicfile.h"

#include "expecterror.h"
#include "temporaryfolder.h"

#include <csignal>
#include <fstream>
#include <iterator>
#include <sys/resource.h>
#include <sys/stat.h>

namespace atomicfile_tests {

using namespace stillroom;
using namespace stillroom::checkpoint;

namespace {

std::string contents(const std::filesystem::path &path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::size_t filesIn(const std::filesystem::path &folder) {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

// While it lives, files of this process cannot grow beyond `bytes`: what a full disk does, without one.
class FileSizeLimit {
public:
    explicit FileSizeLimit(rlim_t bytes) {
        ::getrlimit(RLIMIT_FSIZE, &m_before);
        m_handler = std::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{bytes, m_before.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FileSizeLimit() {
        ::setrlimit(RLIMIT_FSIZE, &m_before);
        std::signal(SIGXFSZ, m_handler);
    }
    FileSizeLimit(const FileSizeLimit &) = delete;
    FileSizeLimit &operator=(const FileSizeLimit &) = delete;

private:
    rlimit m_before{};
    void (*m_handler)(int) = SIG_DFL;
};

}  // namespace

TEST_CASE("a file written atomically replaces the old one and leaves nothing else") {
    const TemporaryFolder folder;
    const auto file = folder / "notes.json";
    writeFileAtomically(file, std::string_view("first"));
    writeFileAtomically(file, std::string_view("second, with a \0 inside", 23));
    CHECK(contents(file) == std::string("second, with a \0 inside", 23));
    CHECK(filesIn(folder.path()) == 1);
    struct stat status {};
    REQUIRE(::stat(file.c_str(), &status) == 0);
    const mode_t mask = ::umask(0);
    ::umask(mask);
    CHECK((status.st_mode & 0777U) == (0666U & ~mask));   // as any other new file, not private as a temporary one
}

TEST_CASE("what is no ordinary file is not written over") {
    const TemporaryFolder folder;
    const auto pipe = folder / "pipe", sub = folder / "sub", link = folder / "link";
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    std::filesystem::create_directory(sub);
    std::filesystem::create_symlink("/dev/null", link);
    for (const auto &path : {pipe, sub, link})
        expectError(ErrorCode::Usage, "is no ordinary file", [&] { writeFileAtomically(path, std::string_view("text")); });
    CHECK(std::filesystem::is_fifo(pipe));
    CHECK(std::filesystem::is_directory(sub));
    CHECK(std::filesystem::is_symlink(link));
    CHECK(filesIn(folder.path()) == 3);
}

TEST_CASE("what a link leads to is written, and the link stays") {
    const TemporaryFolder folder;
    const auto file = folder / "sub" / "file", link = folder / "link", second = folder / "second";
    std::filesystem::create_directory(folder / "sub");
    std::filesystem::create_symlink("sub/file", link);      // not there yet
    std::filesystem::create_symlink("link", second);
    writeFileAtomically(second, std::string_view("first"));
    CHECK(contents(file) == "first");
    writeFileAtomically(link, std::string_view("second"));
    CHECK(contents(file) == "second");
    CHECK(std::filesystem::is_symlink(link));
    CHECK(std::filesystem::is_symlink(second));
}

TEST_CASE("a write that fails leaves the old file whole") {
    const TemporaryFolder folder;
    const auto file = folder / "weights";
    writeFileAtomically(file, std::string_view("old"));
    const std::string large(1 << 20, 'x');
    {
        const FileSizeLimit limit(4096);
        expectError(ErrorCode::Io, "Cannot write " + file.string(), [&] { writeFileAtomically(file, std::string_view(large)); });
    }
    CHECK(contents(file) == "old");
    CHECK(filesIn(folder.path()) == 1);
}

TEST_CASE("an uncommitted file never gets its name") {
    const TemporaryFolder folder;
    {
        AtomicFile file(folder / "half");
        file.write("half of it");
        CHECK(filesIn(folder.path()) == 1);
        CHECK_FALSE(std::filesystem::exists(folder / "half"));
    }
    CHECK(filesIn(folder.path()) == 0);
}

TEST_CASE("a folder that is not there is named") {
    expectError(ErrorCode::Io, "Cannot create /nonexistent/folder/file", [] { writeFileAtomically("/nonexistent/folder/file", std::string_view("x")); });
}

}  // namespace atomicfile_tests
