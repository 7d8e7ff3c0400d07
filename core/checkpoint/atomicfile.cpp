// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/atomicfile.h"

#include "error.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace stillroom::checkpoint {

namespace {

std::filesystem::path folderOf(const std::filesystem::path &file) {
    const auto parent = file.parent_path();
    return parent.empty() ? std::filesystem::path(".") : parent;
}

// mkstemp makes the file readable by its owner only; a plain open() would have honoured the umask.
mode_t ordinaryMode() {
    const mode_t mask = ::umask(0);
    ::umask(mask);
    return static_cast<mode_t>(0666) & ~mask;
}

// A rename takes the place of whatever bears the name: of a device, a pipe, a socket too.
void refuseOtherThanFile(const std::filesystem::path &target) {
    std::error_code unknown;
    const std::filesystem::file_status status = std::filesystem::status(target, unknown);      // none where it cannot be looked at: opening says why
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
        throw Error(ErrorCode::Usage, "\"" + target.string() + "\" is no ordinary file, so nothing is written there: name a file.");
}

// A rename would take the place of the link itself: what it leads to is meant, also where that is not there yet.
std::filesystem::path followed(std::filesystem::path target) {
    refuseOtherThanFile(target);
    std::error_code unknown;
    constexpr int longestChain = 40;      // as Linux follows
    for (int i = 0; i < longestChain && std::filesystem::is_symlink(target, unknown); ++i) {
        const std::filesystem::path next = std::filesystem::read_symlink(target, unknown);
        if (unknown)
            break;
        target = next.is_absolute() ? next : target.parent_path() / next;
    }
    return target;
}

}  // namespace

AtomicFile::AtomicFile(std::filesystem::path target) : m_target(followed(std::move(target))) {
    std::string pattern = (folderOf(m_target) / ("." + m_target.filename().string() + ".XXXXXX")).string();
    m_descriptor = ::mkostemp(pattern.data(), O_CLOEXEC);
    if (m_descriptor < 0)
        fail("create");
    m_temporary = pattern;
    static const mode_t mode = ordinaryMode();   // once: reading the mask means setting it for a moment
    static_cast<void>(::fchmod(m_descriptor, mode));   // a file system without modes is no reason to stop
}

AtomicFile::~AtomicFile() {
    if (m_descriptor >= 0)
        ::close(m_descriptor);
    if (!m_temporary.empty())
        ::unlink(m_temporary.c_str());
}

void AtomicFile::fail(const char *doing) const {
    const int number = errno;
    throw Error(ErrorCode::Io, std::string("Cannot ") + doing + " " + m_target.string() + ": " + std::strerror(number)
                                   + (number == ENOSPC || number == EDQUOT ? "; free some space and try again." : "."));
}

void AtomicFile::write(std::span<const std::byte> bytes) {
    constexpr std::size_t largestCall = std::size_t{1} << 30;   // Linux writes at most 2 GiB a call
    while (!bytes.empty()) {
        const auto written = ::write(m_descriptor, bytes.data(), std::min(bytes.size(), largestCall));
        if (written < 0) {
            if (errno == EINTR)
                continue;
            fail("write");
        }
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
}

void AtomicFile::commit() {
    if (::fsync(m_descriptor) != 0)
        fail("flush");
    const int descriptor = std::exchange(m_descriptor, -1);
    if (::close(descriptor) != 0)
        fail("close");
    if (::rename(m_temporary.c_str(), m_target.c_str()) != 0)
        fail("name");
    m_temporary.clear();
    const int folder = ::open(folderOf(m_target).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0)
        return;   // a folder that may be written but not read: the rename stands, only its flush is left to the system
    static_cast<void>(::fsync(folder));   // some network file systems refuse it for folders
    ::close(folder);
}

void writeFileAtomically(const std::filesystem::path &path, std::span<const std::byte> bytes) {
    AtomicFile file(path);
    file.write(bytes);
    file.commit();
}

void writeFileAtomically(const std::filesystem::path &path, std::string_view text) {
    writeFileAtomically(path, std::as_bytes(std::span(text)));
}

}  // namespace stillroom::checkpoint
