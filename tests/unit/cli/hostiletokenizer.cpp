// SPDX-License-Identifier: GPL-3.0-or-later
// Damaged tokenizer.json files.
#include "damagedjson.h"
#include "wholefiles.h"

#include <nlohmann/json.hpp>

namespace fs = std::filesystem;

TEST_CASE("the program meets damaged tokenizers")
{
    meetHostileFiles({.name = "tokenizer",
                      .seed = 21,
                      .file = "model/tokenizer.json",
                      .furnish =
                          [](const fs::path &sandbox) {
                              whole::writeModel(sandbox / "model");
                              writePlain(sandbox / "text.txt", "hello the world, in 123\n\nthe\xCC\x81 \xF0\x9F\x98\x80 <s>in</s>\n" + std::string(300, 'a') + "\n");
                              writePlain(sandbox / "ids.txt", "[1, 3, 4, 47]\n[]\n");
                          },
                      .kinds = damagedJson([](Draw &) { return whole::tokenizer(); }),
                      .calls = {{"tokenize", "@model/tokenizer.json", "@text.txt"},
                                {"tokenize", "@model", "@text.txt", "--special"},
                                {"tokenize", "@model/tokenizer.json", "@ids.txt", "--detokenize"},
                                {"generate", "@model", "--prompt", "hello the", "-n", "2", "--json"},
                                {"perplexity", "@model", "@text.txt"}},
                      .isJson = true});
}
