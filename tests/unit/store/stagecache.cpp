// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/stagecache.h"
#include "experiment/digest.h"
#include "lines.h"
#include "refusal.h"
#include "store/workspace.h"
#include "temporaryfolder.h"

#include <atomic>
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
    CHECK(json::parse(cache.findStage(key)->infoJson).at("files") == json{{"empty", 0}, {"inner/weights", 7}});
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

TEST_CASE("a mark that cannot be read is said so")
{
    const TemporaryFolder folder;
    const StageCache cache(folder.path());
    cache.commitStage(cache.beginStage(key), json::object());
    std::ofstream(folder.path() / "artifacts" / key / "DONE") << "{";
    (void)refusal(ErrorCode::BadFile, [&] { (void)cache.findStage(key); });
}

}  // namespace stagecache_tests
