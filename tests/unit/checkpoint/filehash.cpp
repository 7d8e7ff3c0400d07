// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/atomicfile.h"
#include "checkpoint/modelfiles.h"
#include "expecterror.h"
#include "goldendata.h"
#include "temporaryfolder.h"

#include <cstdlib>
#include <optional>

namespace filehash_tests {

using namespace stillroom;
using namespace stillroom::checkpoint;

namespace {

// Sets an environment variable as long as it lives.
class Environment {
public:
    Environment(const char *name, const std::string &value) : m_name(name) {
        if (const char *old = std::getenv(name))
            m_before = old;
        ::setenv(name, value.c_str(), 1);
    }
    ~Environment() {
        if (m_before)
            ::setenv(m_name, m_before->c_str(), 1);
        else
            ::unsetenv(m_name);
    }
    Environment(const Environment &) = delete;
    Environment &operator=(const Environment &) = delete;

private:
    const char *m_name;
    std::optional<std::string> m_before;
};

// The hash, a hundred seconds later.
std::string laterHash(const std::filesystem::path &file, const std::stop_token &stop = {}) {
    return fileHash(file, stop, [] { return unixSeconds() + 100; });
}

const std::string abcHash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";   // FIPS 180-2, B.1

}  // namespace

TEST_CASE("SHA-256 of the standard's examples") {
    CHECK(sha256("abc") == abcHash);
    CHECK(sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    CHECK(sha256(std::string(1'000'000, 'a')) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");   // B.3
    const TemporaryFolder folder;
    writeFileAtomically(folder / "abc", std::string_view("abc"));
    CHECK(fileHash(folder / "abc") == abcHash);
    expectError(ErrorCode::BadFile, "Cannot read", [&] { static_cast<void>(fileHash(folder / "nothing")); });
    expectError(ErrorCode::BadFile, "is not a file", [&] { static_cast<void>(fileHash(folder.path())); });
}

TEST_CASE("the hash of a large file is remembered until the file changes") {
    const TemporaryFolder folder;
    const Environment cache("XDG_CACHE_HOME", (folder / "cache").string());
    const auto file = folder / "weights", store = (folder / "cache") / "stillroom" / "filehashes.json";
    writeFileAtomically(file, std::string_view(std::string(2 << 20, 'a')));
    const auto first = fileHash(file);
    CHECK_FALSE(std::filesystem::exists(store));   // changed just now: its time says nothing yet
    CHECK(laterHash(file) == first);
    REQUIRE(std::filesystem::exists(store));
    auto json = readJsonFile(store);
    REQUIRE(json.size() == 1);
    const auto key = json.begin().key();
    CHECK(json[key]["sha256"] == first);
    // What stands in the cache is used …
    json[key]["sha256"] = std::string(64, '0');
    writeFileAtomically(store, json.dump());
    CHECK(laterHash(file) == std::string(64, '0'));
    // … but not of another file in its place.
    writeFileAtomically(file, std::string_view(std::string(2 << 20, 'a')));
    CHECK(laterHash(file) == first);
    // A damaged cache is an empty one.
    writeFileAtomically(store, std::string_view("{\"" + key + "\": [[[["));
    CHECK(laterHash(file) == first);
    CHECK(readJsonFile(store)[key]["sha256"] == first);
}

TEST_CASE("a model that is unpacked over another one with its times kept has its own hash") {
    const TemporaryFolder folder;
    const Environment cache("XDG_CACHE_HOME", (folder / "cache").string());
    const auto file = folder / "weights";
    writeFileAtomically(file, std::string_view(std::string(2 << 20, 'a')));
    const auto written = std::filesystem::last_write_time(file);
    const auto first = laterHash(file);
    const std::string other(2 << 20, 'b');
    writeFileAtomically(file, std::string_view(other));
    std::filesystem::last_write_time(file, written);
    CHECK(laterHash(file) == sha256(other));
    CHECK(first == sha256(std::string(2 << 20, 'a')));
}

TEST_CASE("hashing ends when a stop is requested, and remembers nothing") {
    const TemporaryFolder folder;
    const Environment cache("XDG_CACHE_HOME", (folder / "cache").string());
    const auto file = folder / "weights";
    writeFileAtomically(file, std::string_view(std::string(2 << 20, 'a')));
    std::stop_source stopped;
    stopped.request_stop();
    expectError(ErrorCode::Cancelled, "Stopped", [&] { static_cast<void>(laterHash(file, stopped.get_token())); });
    CHECK_FALSE(std::filesystem::exists(folder / "cache"));
    const auto model = openModel(goldenPath("sharded"));
    expectError(ErrorCode::Cancelled, "Stopped", [&] { static_cast<void>(model.contentHash(stopped.get_token())); });
}

TEST_CASE("a cache that cannot be written is no error") {
    const TemporaryFolder folder;
    writeFileAtomically(folder / "blocked", std::string_view("a file where a folder should be"));
    const Environment cache("XDG_CACHE_HOME", (folder / "blocked").string());
    const auto file = folder / "weights";
    writeFileAtomically(file, std::string_view(std::string(2 << 20, 'a')));
    CHECK(laterHash(file) == sha256(std::string(2 << 20, 'a')));
}

TEST_CASE("a model's content hash covers config and weights, and not its place") {
    const TemporaryFolder folder;
    const auto from = goldenPath("sharded");
    std::filesystem::copy(from, folder / "copy");
    const auto hash = openModel(from).contentHash();
    CHECK(hash.size() == 64);
    CHECK(openModel(folder / "copy").contentHash() == hash);
    auto config = readJsonFile((folder / "copy") / "config.json");
    config["rms_norm_eps"] = 1e-3;
    writeFileAtomically((folder / "copy") / "config.json", config.dump());
    CHECK(openModel(folder / "copy").contentHash() != hash);
}

}  // namespace filehash_tests
