// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"
#include "error.h"
#include "folders.h"
#include "procedures/modelargument.h"

#include <nlohmann/json.hpp>

#include <fstream>
#include <iostream>

namespace stillroom::cli {
namespace {

std::shared_ptr<const text::Tokenizer> openTokenizer(const std::string &name, const std::filesystem::path &workspace)
{
    if (name != "demo" && isThere(name))
        return text::loadTokenizer(name);
    return procedures::tokenizerOf(procedures::openModelArgument(name, workspaceOr(workspace)));
}

void encodeOne(const text::Tokenizer &tokenizer, const std::string &document, bool special)
{
    std::string line = "[";
    for (const text::TokenId id : tokenizer.encode(document, special))
        line += (line.size() > 1 ? ", " : "") + std::to_string(id);
    std::cout << line << "]\n";
}

void decodeOne(const text::Tokenizer &tokenizer, const std::string &document, const std::string &file, char end)
{
    const nlohmann::json json = nlohmann::json::parse(document, nullptr, false);
    std::vector<text::TokenId> ids;
    if (!json.is_array())
        throw Error(ErrorCode::BadFile, file + " holds a line that is not a JSON array of token ids: write what tokenize prints");
    for (const auto &id : json) {
        if (!id.is_number_integer())
            throw Error(ErrorCode::BadFile, file + " holds a token id that is not an integer: write what tokenize prints");
        ids.push_back(id.get<text::TokenId>());
    }
    std::cout << tokenizer.decode(ids) << end;
}

}  // namespace

int tokenize(const TokenizeOptions &options)
{
    const auto tokenizer = openTokenizer(options.tokenizer, options.workspace);
    std::ifstream file;
    if (options.file != "-") {
        file.open(options.file, std::ios::binary);
        if (!file)
            throw Error(ErrorCode::BadFile, options.file + " cannot be read: check that it is there");
    }
    std::istream &in = options.file == "-" ? std::cin : file;
    const char end = options.nul ? '\0' : '\n';
    for (std::string document; std::getline(in, document, end);) {
        if (options.detokenize)
            decodeOne(*tokenizer, document, options.file == "-" ? "standard input" : options.file, end);
        else
            encodeOne(*tokenizer, document, options.special);
    }
    std::cout.flush();
    return 0;
}

}  // namespace stillroom::cli
