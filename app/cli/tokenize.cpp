// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"
#include "error.h"
#include "folders.h"
#include "formatted.h"
#include "procedures/modelargument.h"
#include "shownname.h"
#include "text/utf8.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <ios>
#include <iostream>

namespace stillroom::cli {
namespace {

std::shared_ptr<const text::Tokenizer> openTokenizer(const std::string &name, const std::filesystem::path &workspace)
{
    if (name != "demo" && isThere(name))
        return text::loadTokenizer(name);
    return procedures::tokenizerOf(procedures::openModelArgument(name, workspaceOr(workspace)));
}

/// \return whether the document is UTF-8; what is not is read as U+FFFD
bool encodeOne(const text::Tokenizer &tokenizer, const std::string &document, bool special)
{
    std::string line = "[";
    for (const text::TokenId id : tokenizer.encode(document, special))
        line += (line.size() > 1 ? ", " : "") + std::to_string(id);
    std::cout << line << "]\n";
    return text::isValidUtf8(document);
}

/// \param place  of the document, for a sentence: "ids.txt, line 3"
void decodeOne(const text::Tokenizer &tokenizer, const std::string &document, const std::string &place, char end)
{
    const nlohmann::json json = nlohmann::json::parse(document, nullptr, false);
    std::vector<text::TokenId> ids;
    if (!json.is_array())
        throw Error(ErrorCode::BadFile, place + " is not a JSON array of token ids: write what tokenize prints");
    for (const auto &id : json) {
        if (!id.is_number_integer())
            throw Error(ErrorCode::BadFile, place + " holds a token id that is not an integer: write what tokenize prints");
        if (id < 0 || id >= tokenizer.vocabSize())
            throw Error(ErrorCode::BadFile, place + " holds the id " + id.dump() + ", but the tokenizer has the ids 0 to " + std::to_string(tokenizer.vocabSize() - 1) + ": use the tokenizer that the ids come from");
        ids.push_back(id.get<text::TokenId>());
    }
    std::cout << tokenizer.decode(ids) << end;
}

constexpr std::size_t longestDocumentBytes = std::size_t{1} << 28U;

/// What comes before the next `end`. \return whether there was anything. \throws Error(BadFile) for what cannot be read, or has no end within reason
bool nextDocument(std::istream &in, std::string &document, char end, const std::string &name)
{
    document.clear();
    std::streambuf &buffer = *in.rdbuf();
    constexpr int none = std::char_traits<char>::eof();
    try {
        for (int next = buffer.sbumpc(); next != none; next = buffer.sbumpc()) {
            if (next == static_cast<unsigned char>(end))
                return true;
            if (document.size() == longestDocumentBytes)
                throw Error(ErrorCode::BadFile, name + " has a line of more than 256 MiB: break it into shorter ones");
            document += static_cast<char>(next);
        }
    } catch (const std::ios_base::failure &) {
        throw Error(ErrorCode::BadFile, name + " cannot be read to its end: check the file and its disk");
    }
    return !document.empty();
}

}  // namespace

int tokenize(const TokenizeOptions &options)
{
    if (options.detokenize && options.special)
        throw Error(ErrorCode::Usage, "--special adds tokens to a text, and --detokenize takes token ids: leave one of them out");
    const auto tokenizer = openTokenizer(options.tokenizer, options.workspace);
    std::ifstream file;
    if (options.file != "-") {
        if (std::error_code unknown; std::filesystem::is_directory(options.file, unknown))
            throw Error(ErrorCode::BadFile, options.file + " is a folder: give one file");
        file.open(options.file, std::ios::binary);
        if (!file)
            throw Error(ErrorCode::BadFile, options.file + " cannot be read: check that it is there");
    }
    std::istream &in = options.file == "-" ? std::cin : file;
    const std::string name = options.file == "-" ? "standard input" : options.file;
    const char end = options.nul ? '\0' : '\n';
    const std::string unit = options.nul ? "document" : "line";
    std::int64_t numInvalid = 0, number = 0;
    for (std::string document; nextDocument(in, document, end, name);) {
        ++number;
        if (options.detokenize)
            decodeOne(*tokenizer, document, name + ", " + unit + ' ' + std::to_string(number), end);
        else if (!encodeOne(*tokenizer, document, options.special))
            ++numInvalid;
    }
    std::cout.flush();
    if (numInvalid > 0)
        std::cerr << "warning: " << counted(numInvalid, unit) << " of " << shownLine(name) << " held bytes that are not UTF-8, which were read as U+FFFD: convert it\n";
    return 0;
}

}  // namespace stillroom::cli
