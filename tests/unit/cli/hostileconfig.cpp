// SPDX-License-Identifier: GPL-3.0-or-later
// Damaged config.json files, of a teacher and of a hybrid.
#include "checkpoint/boundedjson.h"
#include "damagedjson.h"
#include "temporaryfolder.h"
#include "wholefiles.h"

#include <nlohmann/json.hpp>

namespace {

namespace fs = std::filesystem;

void meetConfigs(const char *name, std::uint64_t seed, void (*writeModel)(const fs::path &), bool throughProgram)
{
    const TemporaryFolder folder;
    writeModel(folder.path());
    const nlohmann::json config = stillroom::checkpoint::readJsonFile(folder.path() / "config.json");
    const auto furnish = [&](const fs::path &sandbox) {
        fs::copy(folder.path(), sandbox / "model", fs::copy_options::recursive);
        whole::writeTokens(sandbox / "tokens.safetensors");
    };
    meetHostileFiles({.name = name,
                      .seed = seed,
                      .file = "model/config.json",
                      .furnish = furnish,
                      .kinds = damagedJson([config](Draw &) { return config; }),
                      .calls = {{"inspect", "@model"}, {"inspect", "@model", "--json"}, {"forward", "@model", "--tokens", "@tokens.safetensors", "--out", "@out.safetensors"},
                                {"generate", "@model", "--prompt", "hello the", "-n", "2"}},
                      .throughProgram = throughProgram,
                      .isJson = true,
                      .written = "out.safetensors"});
}

}  // namespace

TEST_CASE("the program meets damaged configs")
{
    meetConfigs("config", 11, whole::writeModel, true);
}

TEST_CASE("the program meets damaged configs of hybrids")
{
    meetConfigs("hybrid config", 12, whole::writeHybrid, false);
}
