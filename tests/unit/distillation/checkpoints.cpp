// SPDX-License-Identifier: GPL-3.0-or-later
#include "distillation/trainingcheckpoint.h"
#include "error.h"
#include "golden.h"
#include "temporaryfolder.h"

#include <csignal>
#include <cstdlib>
#include <doctest/doctest.h>
#include <fstream>
#include <iterator>
#include <string>

#include <sys/resource.h>

namespace checkpoints_tests {

using namespace stillroom;
using namespace stillroom::distillation;
namespace fs = std::filesystem;

namespace {

TrainingState stateAt(std::int64_t step, const std::string &key = "k")
{
    TrainingState state;
    state.kind = "stage-2";
    state.key = key;
    state.step = step;
    state.tokens = 100 * step;
    state.scalarsJson = R"({"loss":0.1})";
    state.weights = {{"keep-1/w", test::normal({7, 3}, static_cast<std::uint64_t>(step))}, {"scalar", at::tensor(2.5, at::kDouble)}};
    state.optimizer = {{"exp_avg.keep-1/w", test::normal({7, 3}, 99)}, {"step.keep-1/w", at::tensor(3.0F)}};
    return state;
}

void checkEqual(const std::vector<NamedTensor> &a, const std::vector<NamedTensor> &b)
{
    REQUIRE(a.size() == b.size());
    for (const auto &[name, tensor] : a)
        for (const auto &[otherName, other] : b)
            if (name == otherName)
                CHECK((at::equal(tensor, other) && tensor.scalar_type() == other.scalar_type()));
}

std::size_t numEntries(const fs::path &folder) { return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator())); }

/// No file of this process may grow beyond `bytes`: a full disk for whoever writes.
class FileSizeLimit {
public:
    explicit FileSizeLimit(rlim_t bytes)
    {
        ::getrlimit(RLIMIT_FSIZE, &m_before);
        m_handler = std::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{bytes, m_before.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FileSizeLimit()
    {
        ::setrlimit(RLIMIT_FSIZE, &m_before);
        std::signal(SIGXFSZ, m_handler);
    }
    FileSizeLimit(const FileSizeLimit &) = delete;
    FileSizeLimit &operator=(const FileSizeLimit &) = delete;

private:
    rlimit m_before{};
    void (*m_handler)(int) = nullptr;
};

}  // namespace

TEST_CASE("a checkpoint comes back bit for bit")
{
    const test::TemporaryFolder temporary;
    CheckpointFolder folder(temporary.path() / "run" / "checkpoints");
    CHECK_FALSE(folder.newest("k").has_value());
    const TrainingState written = stateAt(12);
    const fs::path path = folder.write(written);
    CHECK(fs::exists(path / "DONE"));
    const TrainingState read = folder.newest("k").value();
    CHECK(read.kind == written.kind);
    CHECK(read.step == 12);
    CHECK(read.tokens == 1200);
    CHECK(read.scalarsJson == written.scalarsJson);
    checkEqual(written.weights, read.weights);
    checkEqual(written.optimizer, read.optimizer);
}

TEST_CASE("the newest two are kept, and a final state replaces them without the optimizer's")
{
    const test::TemporaryFolder temporary;
    CheckpointFolder folder(temporary.path());
    for (const std::int64_t step : {3, 9, 10, 200})
        folder.write(stateAt(step));
    CHECK(folder.steps() == std::vector<std::int64_t>{10, 200});
    CHECK(numEntries(temporary.path()) == 2);
    folder.write(stateAt(200));   // the same step again
    CHECK(folder.newest("k")->step == 200);
    CHECK(numEntries(temporary.path()) == 2);

    CHECK_FALSE(folder.hasFinal());
    folder.writeFinal(stateAt(300));
    CHECK(folder.hasFinal());
    CHECK(folder.steps().empty());
    const TrainingState final = folder.newest("k").value();
    CHECK(final.step == 300);
    CHECK(final.optimizer.empty());
    CHECK(final.weights.size() == 2);
    folder.clear();
    CHECK(numEntries(temporary.path()) == 0);
}

TEST_CASE("what an interrupted write left is removed and never read")
{
    const test::TemporaryFolder temporary;
    {
        CheckpointFolder folder(temporary.path());
        folder.write(stateAt(5));
        fs::copy(temporary.path() / "step-000000000005", temporary.path() / ".writing-step-000000000006");
        fs::copy(temporary.path() / "step-000000000005", temporary.path() / "step-000000000007");
        fs::remove(temporary.path() / "step-000000000007" / "DONE");
    }
    const CheckpointFolder folder(temporary.path());
    CHECK(folder.steps() == std::vector<std::int64_t>{5});
    CHECK(folder.newest("k")->step == 5);
    CHECK_FALSE(fs::exists(temporary.path() / ".writing-step-000000000006"));
}

TEST_CASE("a damaged checkpoint is passed over, one of another spec is refused")
{
    const test::TemporaryFolder temporary;
    CheckpointFolder folder(temporary.path());
    folder.write(stateAt(5));
    const fs::path newest = folder.write(stateAt(6));
    SUBCASE("cut tensors") { fs::resize_file(newest / "state.safetensors", 100); }
    SUBCASE("other values of the same size")
    {
        std::fstream file(newest / "state.safetensors", std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(-1, std::ios::end).put('\x7F');
    }
    SUBCASE("another step of the same size")
    {
        std::ifstream file(newest / "state.json", std::ios::binary);
        std::string text{std::istreambuf_iterator<char>(file), {}};
        const std::size_t at = text.find("\"step\": 6");
        REQUIRE(at != std::string::npos);
        std::ofstream(newest / "state.json") << text.replace(at, 9, "\"step\": 7");
    }
    SUBCASE("missing tensors") { fs::remove(newest / "state.safetensors"); }
    SUBCASE("no JSON") { std::ofstream(newest / "state.json") << "{"; }
    SUBCASE("JSON of another shape") { std::ofstream(newest / "state.json") << R"({"schema":1,"kind":7})"; }
    SUBCASE("a schema from the future") { std::ofstream(newest / "state.json") << R"({"schema":999})"; }
    CHECK(folder.newest("k")->step == 5);
    try {
        (void)folder.newest("other");
        FAIL("not refused");
    } catch (const Error &error) {
        CHECK((error.code() == ErrorCode::Usage));
    }
}

TEST_CASE("DONE says what sha256sum says, and a checkpoint of an earlier version, whose DONE is empty, is taken up")
{
    const test::TemporaryFolder temporary;
    CheckpointFolder folder(temporary.path());
    const fs::path written = folder.write(stateAt(5));
    CHECK(std::system(("cd '" + written.string() + "' && sha256sum --check --strict --status DONE").c_str()) == 0);
    std::ofstream(written / "DONE") << "\n";
    CHECK(folder.newest("k")->step == 5);
}

TEST_CASE("a step beside a damaged end is not the end")
{
    const test::TemporaryFolder temporary;
    CheckpointFolder folder(temporary.path());
    folder.writeFinal(stateAt(9));
    CHECK(folder.newest("k")->isFinal);
    fs::resize_file(temporary.path() / "final" / "state.safetensors", 100);
    CHECK_FALSE(folder.newest("k").has_value());
    folder.write(stateAt(4));
    const std::optional<TrainingState> found = folder.newest("k");
    REQUIRE(found.has_value());
    CHECK(found->step == 4);
    CHECK_FALSE(found->isFinal);
}

TEST_CASE("a full disk is told, and the last checkpoint stays whole")
{
    const test::TemporaryFolder temporary;
    CheckpointFolder folder(temporary.path());
    folder.write(stateAt(5));
    TrainingState large = stateAt(6);
    large.weights.emplace_back("large", at::ones({1 << 18}));
    for (const rlim_t limit : {rlim_t{0}, rlim_t{100}, rlim_t{1} << 19}) {
        const FileSizeLimit full(limit);
        try {
            folder.write(large);
            FAIL("not told");
        } catch (const Error &error) {
            CHECK((error.code() == ErrorCode::Io));
        }
        CHECK(folder.newest("k")->step == 5);
        CHECK(numEntries(temporary.path()) == 1);
    }
    folder.write(large);
    CHECK(folder.newest("k")->step == 6);
}

TEST_CASE("a folder that cannot be made is told")
{
    const test::TemporaryFolder temporary;
    std::ofstream(temporary.path() / "file") << "x";
    try {
        CheckpointFolder folder(temporary.path() / "file" / "checkpoints");
        FAIL("not told");
    } catch (const Error &error) {
        CHECK((error.code() == ErrorCode::Io));
    }
}

}  // namespace checkpoints_tests
