// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"
#include "error.h"
#include "procedures/modelargument.h"

#include <nlohmann/json.hpp>

#include <fstream>
#include <iostream>

namespace stillroom::cli {
namespace {

std::shared_ptr<const text::Tokenizer> openTokenizer(const std::string &name)
{
    if (name != "demo" && std::filesystem::exists(name))
        return text::loadTokenizer(name);
    return procedures::tokenizerOf(procedures::openModelArgument(name));
}

void encodeOne(const text::Tokenizer &tokenizer, const std::string &document, bool special)
{
    std::string line = "[";
    for (const text::TokenId id : tokenizer.encode(document, special))
        line += (line.size() > 1 ? ", " : "") + std::to_string(id);
    std::cout << line << "]\n";
}

void decodeOne(const text::Tokenizer &tokenizer, const std::string &document, char end)
{
    const nlohmann::json json = nlohmann::json::parse(document, nullptr, false);
    std::vector<text::TokenId> ids;
    if (!json.is_array())
        throw Error(ErrorCode::BadFile, "a line is not a JSON array of token ids: " + document.substr(0, 60));
    for (const auto &id : json) {
        if (!id.is_number_integer())
            throw Error(ErrorCode::BadFile, "a token id is not an integer: " + id.dump());
        ids.push_back(id.get<text::TokenId>());
    }
    std::cout << tokenizer.decode(ids) << end;
}

}  // namespace

int tokenize(const TokenizeOptions &options)
{
    const auto tokenizer = openTokenizer(options.tokenizer);
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
            decodeOne(*tokenizer, document, end);
        else
            encodeOne(*tokenizer, document, options.special);
    }
    std::cout.flush();
    return 0;
}

}  // namespace stillroom::cli
