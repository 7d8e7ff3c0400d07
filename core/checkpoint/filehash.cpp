// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/atomicfile.h"
#include "checkpoint/boundedjson.h"
#include "checkpoint/modelfiles.h"
#include "error.h"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <openssl/evp.h>
#include <optional>
#include <sys/stat.h>
#include <ctime>
#include <unistd.h>

namespace stillroom::checkpoint {

namespace {

using Json = nlohmann::json;

constexpr std::int64_t smallestCached = 1 << 20;        // smaller files are read faster than the cache
constexpr std::size_t mostEntries = 2000;
constexpr std::int64_t settledSeconds = 2;              // a file changed just now may change again within its time stamp's resolution

class Sha256 {
public:
    Sha256() : m_context(EVP_MD_CTX_new()) {
        if (!m_context || EVP_DigestInit_ex(m_context.get(), EVP_sha256(), nullptr) != 1)
            throw Error(ErrorCode::Failed, "SHA-256 is not available in this OpenSSL.");
    }
    void add(const void *bytes, std::size_t size) {
        if (EVP_DigestUpdate(m_context.get(), bytes, size) != 1)
            throw Error(ErrorCode::Failed, "SHA-256 failed.");
    }
    [[nodiscard]] std::string hex() {
        std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
        unsigned size = 0;
        if (EVP_DigestFinal_ex(m_context.get(), digest.data(), &size) != 1)
            throw Error(ErrorCode::Failed, "SHA-256 failed.");
        std::string text;
        for (unsigned i = 0; i < size; ++i) {
            text += "0123456789abcdef"[digest[i] >> 4U];
            text += "0123456789abcdef"[digest[i] & 15U];
        }
        return text;
    }

private:
    struct Free {
        void operator()(EVP_MD_CTX *context) const { EVP_MD_CTX_free(context); }
    };
    std::unique_ptr<EVP_MD_CTX, Free> m_context;
};

class OpenFile {
public:
    explicit OpenFile(const std::filesystem::path &path) : m_path(path), m_descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
        if (m_descriptor < 0)
            fail();
        if (::fstat(m_descriptor, &m_status) != 0 || !S_ISREG(m_status.st_mode)) {
            ::close(m_descriptor);
            throw Error(ErrorCode::BadFile, "Cannot read " + path.string() + ": it is not a file.");
        }
    }
    ~OpenFile() { ::close(m_descriptor); }
    OpenFile(const OpenFile &) = delete;
    OpenFile &operator=(const OpenFile &) = delete;
    [[nodiscard]] const struct stat &status() const { return m_status; }
    // read() and not a map: a map's pages would count as ours.
    [[nodiscard]] std::string hash(const std::stop_token &stop) const {
        Sha256 sum;
        std::vector<char> buffer(std::size_t{1} << 20);
        for (;;) {
            if (stop.stop_requested())
                throw Error(ErrorCode::Cancelled, "Stopped on request.");
            const auto count = ::read(m_descriptor, buffer.data(), buffer.size());
            if (count < 0 && errno == EINTR)
                continue;
            if (count < 0)
                fail();
            if (count == 0)
                return sum.hex();
            sum.add(buffer.data(), static_cast<std::size_t>(count));
        }
    }

private:
    [[noreturn]] void fail() const { throw Error(ErrorCode::BadFile, "Cannot read " + m_path.string() + ": " + std::strerror(errno) + "."); }
    std::filesystem::path m_path;
    int m_descriptor;
    struct stat m_status {};
};

std::filesystem::path cacheFile() {
    const char *xdg = std::getenv("XDG_CACHE_HOME");
    const char *home = std::getenv("HOME");
    if (xdg != nullptr && xdg[0] == '/')
        return std::filesystem::path(xdg) / "stillroom" / "filehashes.json";
    if (home != nullptr && home[0] == '/')
        return std::filesystem::path(home) / ".cache" / "stillroom" / "filehashes.json";
    return {};
}

// The cache as it is on disk; anything that is wrong with it only means an empty one.
Json readCache(const std::filesystem::path &file) {
    try {
        std::error_code ignored;
        if (std::filesystem::exists(file, ignored))
            if (auto json = readJsonFile(file); json.is_object())
                return json;
    } catch (const Error &) {
    }
    return Json::object();
}

/// What tells that a file is still the one that was hashed. The time of writing does not: who unpacks or copies with kept times sets it back, and two models of one
/// architecture are equally large.
struct Stamp {
    std::int64_t sizeBytes, changedSeconds, changedNanoseconds, device, inode;
};

Json toJson(const Stamp &stamp) {
    return Json::array({stamp.sizeBytes, stamp.changedSeconds, stamp.changedNanoseconds, stamp.device, stamp.inode});
}

std::optional<std::string> cached(const Json &cache, const std::string &path, const Stamp &stamp) {
    const auto found = cache.find(path);
    if (found == cache.end() || !found->is_object())
        return std::nullopt;
    const auto state = found->find("state");
    if (state == found->end() || *state != toJson(stamp))
        return std::nullopt;
    const auto hash = found->find("sha256");
    if (hash == found->end() || !hash->is_string() || hash->get_ref<const std::string &>().size() != 64)
        return std::nullopt;
    return hash->get<std::string>();
}

void remember(const std::filesystem::path &file, const std::string &path, const Stamp &stamp, const std::string &hash) {
    try {
        auto cache = readCache(file);   // again: another process may have written it meanwhile
        if (cache.size() >= mostEntries)
            cache = Json::object();
        cache[path] = {{"state", toJson(stamp)}, {"sha256", hash}};
        std::filesystem::create_directories(file.parent_path());
        writeFileAtomically(file, cache.dump(1));
    } catch (const std::exception &) {   // a cache that cannot be written is no cache: the hash is right all the same
    }
}

}  // namespace

std::string sha256(std::string_view bytes) {
    Sha256 sum;
    sum.add(bytes.data(), bytes.size());
    return sum.hex();
}

std::int64_t unixSeconds() {
    return std::time(nullptr);
}

std::string fileHash(const std::filesystem::path &file, const std::stop_token &stop, const std::function<std::int64_t()> &now) {
    static std::mutex mutex;
    const OpenFile opened(file);
    const auto &status = opened.status();
    const Stamp stamp{status.st_size, status.st_ctim.tv_sec, status.st_ctim.tv_nsec, static_cast<std::int64_t>(status.st_dev), static_cast<std::int64_t>(status.st_ino)};
    std::error_code problem;
    const auto path = std::filesystem::canonical(file, problem).string();
    const auto cache = cacheFile();
    const bool settled = now() - stamp.changedSeconds > settledSeconds;
    if (problem || cache.empty() || stamp.sizeBytes < smallestCached || !settled)
        return opened.hash(stop);
    {
        const std::lock_guard lock(mutex);
        if (const auto known = cached(readCache(cache), path, stamp))
            return *known;
    }
    const auto hash = opened.hash(stop);
    const std::lock_guard lock(mutex);
    remember(cache, path, stamp, hash);
    return hash;
}

std::string ModelFiles::contentHash(const std::stop_token &stop) const {
    if (files.size() == 1)
        return fileHash(files.front(), stop);
    std::string list;
    for (const auto &file : files)
        list += file.filename().string() + ' ' + fileHash(file, stop) + '\n';
    return sha256(list);
}

}  // namespace stillroom::checkpoint
