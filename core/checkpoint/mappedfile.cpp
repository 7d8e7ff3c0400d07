// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/mappedfile.h"

#include "error.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace stillroom::checkpoint {

namespace {

[[noreturn]] void cannotOpen(const std::filesystem::path &path, const std::string &why, const std::string &advice = "check the path and its permissions") {
    throw Error(ErrorCode::BadFile, "Cannot open " + path.string() + ": " + why + "; " + advice + ".");
}

}  // namespace

MappedFile::MappedFile(const std::filesystem::path &path) : m_path(path) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);   // not to wait at a pipe
    if (descriptor < 0)
        cannotOpen(path, std::strerror(errno));
    struct stat status {};
    const bool known = ::fstat(descriptor, &status) == 0;
    if (!known || !S_ISREG(status.st_mode) || status.st_size <= 0) {
        ::close(descriptor);
        if (!known)
            cannotOpen(path, "its state cannot be read");
        if (!S_ISREG(status.st_mode))
            cannotOpen(path, "it is not a file", "name a file");
        cannotOpen(path, "it is empty", "replace it by an undamaged copy");
    }
    m_sizeBytes = static_cast<std::size_t>(status.st_size);
    void *address = ::mmap(nullptr, m_sizeBytes, PROT_READ, MAP_PRIVATE, descriptor, 0);
    const int number = errno;
    ::close(descriptor);
    if (address == MAP_FAILED)
        cannotOpen(path, std::strerror(number));
    m_data = static_cast<const std::byte *>(address);
}

MappedFile::~MappedFile() {
    if (m_data != nullptr)
        ::munmap(const_cast<std::byte *>(m_data), m_sizeBytes);
}

void MappedFile::release(std::span<const std::byte> part) const {
    if (part.empty())
        return;
    // Linux maps 64 KiB around a page that is touched: also what lies before it and was given back already.
    // Giving back too much is harmless, neighbours are only mapped again.
    constexpr std::size_t around = std::size_t{64} << 10;
    const auto offset = static_cast<std::size_t>(part.data() - m_data);
    const auto begin = (offset > around ? offset - around : 0) / around * around;
    const auto end = std::min(offset + part.size() + around, m_sizeBytes);
    static_cast<void>(::madvise(const_cast<std::byte *>(m_data) + begin, end - begin, MADV_DONTNEED));
}

}  // namespace stillroom::checkpoint
