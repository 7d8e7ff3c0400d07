// SPDX-License-Identifier: GPL-3.0-or-later
// Damaged databases: a workspace whose stillroom.db is not what it was.
#include "damageddatabase.h"
#include "wholefiles.h"

#include "store/lines.h"

namespace {

namespace fs = std::filesystem;

void furnishWorkspace(const fs::path &sandbox)
{
    static const std::string bytes = wholeDatabase();
    writePlain(sandbox / "workspace" / "stillroom.db", bytes);
    whole::writeModel(sandbox / "model");
    writePlain(sandbox / "inspect.json", R"({"kind": "inspect", "model": "model"})");
}

}  // namespace

TEST_CASE("the program meets damaged databases")
{
    meetHostileFiles({.name = "database",
                      .seed = 51,
                      .file = "workspace/stillroom.db",
                      .furnish = furnishWorkspace,
                      .kinds = damagedDatabase(wholeDatabase()),
                      .calls = {{"runs", "list"}, {"doctor"}, {"runs", "show", runName(2)}, {"runs", "list", "--json"}, {"doctor", "--json"}, {"select", runName(1), "-k", "2"}, {"run", "@inspect.json"}},
                      .written = "workspace"});
}
