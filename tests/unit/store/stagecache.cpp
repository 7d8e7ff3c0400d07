// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/stagecache.h"
#include "experiment/digest.h"
#include "lines.h"
#include "refusal.h"
#include "store/filehashes.h"
#include "store/workspace.h"
#include "temporaryfolder.h"

#include <atomic>
#include <fstream>
#include <stop_token>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace stagecache_tests {

using namespace stillroom;
using namespace stillroom::store;
using nlohmann::json;

namespace {

const std::string key = experiment::sha256Hex("stage");

std::string contentOf(const std::filesystem::path &file)
{
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
}

Stage commitWeights(const StageCache &cache, const std::string &content, bool replace = false)
{
    const StageDraft draft = cache.beginStage(key);
    std::filesystem::create_directory(draft.folder / "model");
    std::ofstream(draft.folder / "model" / "weights") << content;
    return cache.commitStage(draft, json{{"kind", "align"}}, replace);
}

/// When the file's content or entry last changed, in nanoseconds.
std::int64_t changedNs(const std::filesystem::path &file)
{
    struct stat now {};
    REQUIRE(stat(file.c_str(), &now) == 0);
    return static_cast<std::int64_t>(now.st_ctim.tv_sec) * 1'000'000'000 + now.st_ctim.tv_nsec;
}

/// The third byte, in a file that keeps its length.
void damageOneByte(const std::filesystem::path &file)
{
    std::fstream stream(file, std::ios::binary | std::ios::in | std::ios::out);
    stream.seekg(2);
    const auto byte = static_cast<char>(stream.get() ^ 1);
    stream.seekp(2);
    stream.put(byte);
}

}  // namespace

TEST_CASE("a stage is absent until it is committed, then complete")
{
    const TemporaryFolder folder;
    const StageCache cache(folder.path());
    CHECK_FALSE(cache.findStage(key).has_value());
    const StageDraft draft = cache.beginStage(key);
    std::filesystem::create_directory(draft.folder / "inner");
    std::ofstream(draft.folder / "inner" / "weights") << "numbers";
    CHECK_FALSE(cache.findStage(key).has_value());
    const Stage stage = cache.commitStage(draft, json{{"kind", "align"}});
    CHECK(stage.folder == folder.path() / "artifacts" / key);
    CHECK(contentOf(stage.folder / "inner" / "weights") == "numbers");
    CHECK(json::parse(cache.findStage(key)->infoJson).at("kind") == "align");
    CHECK_FALSE(std::filesystem::exists(draft.folder));
}

TEST_CASE("the first of two equal stages stays, unless it is made afresh")
{
    const TemporaryFolder folder;
    const StageCache cache(folder.path());
    const StageDraft first = cache.beginStage(key), second = cache.beginStage(key), third = cache.beginStage(key);
    CHECK(first.folder != second.folder);
    std::ofstream(first.folder / "weights") << "first";
    std::ofstream(second.folder / "weights") << "second";
    std::ofstream(third.folder / "weights") << "third";
    cache.commitStage(first, json::object());
    CHECK(contentOf(cache.commitStage(second, json::object()).folder / "weights") == "first");
    CHECK_FALSE(std::filesystem::exists(second.folder));
    CHECK(contentOf(cache.commitStage(third, json::object(), true).folder / "weights") == "third");
    int numFolders = 0;
    for ([[maybe_unused]] const auto &entry : std::filesystem::directory_iterator(folder.path() / "artifacts"))
        ++numFolders;
    CHECK(numFolders == 1);
}

TEST_CASE("threads that commit the same stage at once all get the same whole one")
{
    const TemporaryFolder folder;
    const StageCache cache(folder.path());
    std::vector<std::string> contents(8);
    {
        std::vector<std::jthread> threads;
        for (std::size_t i = 0; i < contents.size(); ++i) {
            threads.emplace_back([&, i] {
                const StageDraft draft = cache.beginStage(key);
                std::ofstream(draft.folder / "weights") << "thread " << i;
                contents[i] = contentOf(cache.commitStage(draft, json::object()).folder / "weights");
            });
        }
    }
    for (const std::string &content : contents)
        CHECK(content == contents.front());
    CHECK(holds(contents.front(), "thread "));
}

TEST_CASE("a folder without a mark is no stage and gives way")
{
    const TemporaryFolder folder;
    const StageCache cache(folder.path());
    std::filesystem::create_directories(folder.path() / "artifacts" / key);
    std::ofstream(folder.path() / "artifacts" / key / "weights") << "half";
    CHECK_FALSE(cache.findStage(key).has_value());
    const StageDraft draft = cache.beginStage(key);
    std::ofstream(draft.folder / "weights") << "whole";
    CHECK(contentOf(cache.commitStage(draft, json::object()).folder / "weights") == "whole");
}

TEST_CASE("drafts of a killed process go, those of a living one stay")
{
    const TemporaryFolder folder;
    const StageCache cache(folder.path());
    const StageDraft mine = cache.beginStage(key);
    const pid_t child = fork();
    if (child == 0) {
        std::ofstream(cache.beginStage(key).folder / "weights") << "half";
        _exit(0);
    }
    REQUIRE(child > 0);
    waitpid(child, nullptr, 0);
    CHECK(cache.removeStaleDrafts() == 1);
    CHECK(cache.removeStaleDrafts() == 0);
    CHECK(std::filesystem::exists(mine.folder));
    cache.dropStage(mine);
    CHECK_FALSE(std::filesystem::exists(mine.folder));
}

TEST_CASE("checkpoints have a folder of their own that goes when they are dropped")
{
    const TemporaryFolder folder;
    const StageCache cache(folder.path());
    const auto place = cache.checkpointFolder(key);
    std::ofstream(place / "step-1") << "state";
    CHECK(cache.checkpointFolder(key) == place);
    CHECK(std::filesystem::exists(place / "step-1"));
    cache.dropCheckpoints(key);
    CHECK_FALSE(std::filesystem::exists(place));
    cache.dropCheckpoints(key);
}

TEST_CASE("what is no key cannot name a folder, and links are not committed")
{
    const TemporaryFolder folder;
    const StageCache cache(folder.path());
    for (const std::string &name : {std::string(), std::string("../.."), std::string(64, 'G'), std::string(63, 'a'), std::string(64, '/')})
        (void)refusal(ErrorCode::Usage, [&] { (void)cache.beginStage(name); });
    const StageDraft draft = cache.beginStage(key);
    std::filesystem::create_symlink("/etc/passwd", draft.folder / "weights");
    (void)refusal(ErrorCode::Failed, [&] { cache.commitStage(draft, json::object()); });
    CHECK_FALSE(cache.findStage(key).has_value());
}

TEST_CASE("a stage with a file that is cut or gone is none, and can be made again; one of before there were sizes is taken as it is")
{
    const TemporaryFolder folder;
    const StageCache cache(folder.path());
    const auto make = [&] {
        const StageDraft draft = cache.beginStage(key);
        std::filesystem::create_directory(draft.folder / "inner");
        std::ofstream(draft.folder / "inner" / "weights") << "numbers";
        std::ofstream(draft.folder / "empty").flush();
        return cache.commitStage(draft, json{{"kind", "align"}});
    };
    const std::filesystem::path weights = make().folder / "inner" / "weights";
    CHECK(json::parse(cache.findStage(key)->infoJson).at("files") == json{{"empty", {{"bytes", 0}, {"sha256", experiment::sha256Hex("")}}}, {"inner/weights", {{"bytes", 7}, {"sha256", experiment::sha256Hex("numbers")}}}});
    for (const bool gone : {false, true}) {
        if (gone)
            std::filesystem::remove(weights);
        else
            std::filesystem::resize_file(weights, 3);
        CHECK_FALSE(cache.findStage(key).has_value());
        CHECK(contentOf(make().folder / "inner" / "weights") == "numbers");
        CHECK(cache.findStage(key).has_value());
    }
    std::ofstream(folder.path() / "artifacts" / key / "DONE") << R"({"kind":"align"})";
    std::filesystem::remove(weights);
    CHECK(cache.findStage(key).has_value());
}

TEST_CASE("a stage with a file whose content changed in its length is found but not used, refused as an input, and can be made again")
{
    const TemporaryFolder folder;
    const StageCache cache(folder.path());
    const std::filesystem::path stage = commitWeights(cache, "numbers").folder, weights = stage / "model" / "weights";
    CHECK(cache.openStage(key).has_value());
    CHECK_NOTHROW(requireUnchanged(stage / "model"));
    damageOneByte(weights);
    CHECK(cache.findStage(key).has_value());
    CHECK_FALSE(cache.openStage(key).has_value());
    for (const std::filesystem::path &named : {stage, stage / "model", stage / "model" / "", weights}) {
        const std::string message = refusal(ErrorCode::BadFile, [&] { requireUnchanged(named); });
        CHECK(holds(message, weights.string()));
        CHECK(holds(message, "--fresh"));
    }
    CHECK(contentOf(commitWeights(cache, "numbers").folder / "model" / "weights") == "numbers");      // an equal one that is damaged does not win
    CHECK(cache.openStage(key).has_value());
    CHECK_NOTHROW(requireUnchanged(weights));
}

TEST_CASE("a file that grew, one that is gone, a damaged mark and a link into the stage are refused by name, too")
{
    const TemporaryFolder folder;
    const StageCache cache(folder.path());
    const std::filesystem::path stage = commitWeights(cache, "numbers").folder, weights = stage / "model" / "weights", link = folder.path() / "link";
    std::filesystem::create_directory_symlink(stage / "model", link);
    CHECK_NOTHROW(requireUnchanged(link));
    std::ofstream(weights, std::ios::app) << '!';
    for (const std::filesystem::path &named : {weights, link})
        CHECK(holds(refusal(ErrorCode::BadFile, [&] { requireUnchanged(named); }), weights.string()));
    CHECK_NOTHROW(requireUnchanged(stage / "mod"));      // another name that begins so
    std::filesystem::remove(weights);
    CHECK(holds(refusal(ErrorCode::BadFile, [&] { requireUnchanged(stage); }), weights.string()));
    std::ofstream(stage / "DONE") << "garbage";
    CHECK(holds(refusal(ErrorCode::BadFile, [&] { requireUnchanged(stage); }), (stage / "DONE").string()));
}

TEST_CASE("what was read of a file long past writing is remembered, and damage is seen whatever its time of writing says")
{
    const TemporaryFolder folder;
    const auto file = folder.path() / "weights";
    std::ofstream(file) << "numbers";
    const std::string whole = experiment::sha256Hex("numbers");
    std::stop_source stopped;
    stopped.request_stop();                  // nothing is read any more: only what is remembered comes back
    FileHashes later([] { return FileHashes::systemClock() + 3'000'000'000; });
    CHECK(later.of(file) == whole);
    CHECK(later.of(file, stopped.get_token()) == whole);
    const auto written = std::filesystem::last_write_time(file);
    const auto changed = changedNs(file);
    damageOneByte(file);
    do {
        std::filesystem::last_write_time(file, written);
    } while (changedNs(file) == changed);      // within one tick of the file system's clock
    (void)refusal(ErrorCode::Cancelled, [&] { (void)later.of(file, stopped.get_token()); });
    CHECK(later.of(file) == experiment::sha256Hex(contentOf(file)));
    FileHashes now;                          // changed just now, it may change again within such a tick
    CHECK(now.of(file) == later.of(file));
    (void)refusal(ErrorCode::Cancelled, [&] { (void)now.of(file, stopped.get_token()); });
}

TEST_CASE("reading a stage's files ends when a stop is requested, which is no damage")
{
    const TemporaryFolder folder;
    const StageCache cache(folder.path());
    const std::filesystem::path stage = commitWeights(cache, "numbers").folder;
    std::stop_source stopped;
    stopped.request_stop();
    (void)refusal(ErrorCode::Cancelled, [&] { (void)cache.openStage(key, stopped.get_token()); });
    (void)refusal(ErrorCode::Cancelled, [&] { requireUnchanged(stage, stopped.get_token()); });
    CHECK(cache.openStage(key).has_value());
}

TEST_CASE("marks of before there were hashes are taken as they are, their sizes looked at")
{
    const TemporaryFolder folder;
    const StageCache cache(folder.path());
    const std::filesystem::path stage = commitWeights(cache, "numbers").folder;
    std::ofstream(stage / "DONE") << R"({"files":{"model/weights":7},"kind":"align"})";
    damageOneByte(stage / "model" / "weights");
    CHECK(cache.openStage(key).has_value());
    CHECK_NOTHROW(requireUnchanged(stage));
    std::filesystem::resize_file(stage / "model" / "weights", 3);
    CHECK_FALSE(cache.openStage(key).has_value());
}

TEST_CASE("what lies in no stage is not asked for hashes")
{
    const TemporaryFolder folder;
    std::filesystem::create_directories(folder.path() / "artifacts" / "abc123");
    std::filesystem::create_directories(folder.path() / "artifacts" / key);
    for (const char *path : {"", "nowhere", "artifacts", "artifacts/abc123", "artifacts/abc123/model"})
        CHECK_NOTHROW(requireUnchanged(folder.path() / path));
    CHECK_NOTHROW(requireUnchanged(folder.path() / "artifacts" / key / "model"));      // never committed
    CHECK_NOTHROW(requireUnchanged("demo"));
}

TEST_CASE("a damaged mark marks no stage, and the stage can be made anew")
{
    const TemporaryFolder folder;
    const StageCache cache(folder.path());
    const std::string hash = experiment::sha256Hex("numbers");
    for (const std::string &mark : {std::string(), std::string("{"), std::string(4096, '\0'), std::string("[]"), std::string("null"), std::string(R"({"files":[]})"), std::string(R"({"files":{"model/weights":"7"}})"),
                                    std::string(R"({"files":{"model/weights":{}}})"), R"({"files":{"model/weights":{"bytes":-7,"sha256":")" + hash + R"("}}})"}) {
        CAPTURE(mark);
        for (const bool replace : {false, true}) {
            const std::filesystem::path stage = commitWeights(cache, "old", true).folder;
            std::ofstream(stage / "DONE", std::ios::binary) << mark;
            CHECK_FALSE(cache.findStage(key).has_value());
            CHECK_FALSE(cache.openStage(key).has_value());
            CHECK(holds(refusal(ErrorCode::BadFile, [&] { requireUnchanged(stage); }), stage.string()));
            CHECK(contentOf(commitWeights(cache, "new", replace).folder / "model" / "weights") == "new");
            CHECK(cache.openStage(key).has_value());
        }
    }
    for (const char *hashes : {R"({"bytes":3})", R"({"bytes":3,"sha256":7})", R"({"bytes":3,"sha256":""})"}) {
        CAPTURE(hashes);
        std::ofstream(folder.path() / "artifacts" / key / "DONE") << R"({"files":{"model/weights":)" << hashes << "}}";
        CHECK_FALSE(cache.openStage(key).has_value());
    }
}

TEST_CASE("a workspace with a damaged mark opens and lists")
{
    const TemporaryFolder folder;
    LineWriter writer(folder.path(), runName(1));
    writer.start();
    writer.say(experiment::Artifact{"align", key, "artifacts/" + key});
    writer.say(experiment::Finished{});
    std::ofstream(commitWeights(StageCache(folder.path()), "numbers").folder / "DONE").flush();
    const Workspace workspace(folder.path());
    CHECK(workspace.runs().size() == 1);
    CHECK_FALSE(workspace.stages().findStage(key).has_value());
}

}  // namespace stagecache_tests
