// SPDX-License-Identifier: GPL-3.0-or-later
// One side of the tokenizer benchmark; run.py is the other and drives both. Usage: bench_tokenizer TOKENIZER TEXT
// Documents of TEXT are separated by NUL. First prints {"load_seconds", "bytes", "documents"}; then for every line on standard input encodes all documents once,
// in one thread, and prints {"seconds", "tokens", "hash"}.
#include "error.h"
#include "text/tokenizer.h"
#include "text/tokenizerjson.h"

#include <chrono>
#include <iostream>

#include <nlohmann/json.hpp>

namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start)
{
    return std::chrono::duration<double>(Clock::now() - start).count();
}

std::vector<std::string_view> documentsOf(std::string_view text)
{
    std::vector<std::string_view> documents;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\0', begin), text.size());
        documents.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return documents;
}

nlohmann::json onePass(const stillroom::text::Tokenizer &tokenizer, const std::vector<std::string_view> &documents)
{
    std::size_t tokens = 0;
    std::uint64_t hash = 0;
    const auto start = Clock::now();
    for (const std::string_view document : documents) {
        const auto ids = tokenizer.encode(document);
        tokens += ids.size();
        for (const auto id : ids) {
            hash = hash * 31U + static_cast<std::uint64_t>(id);
        }
    }
    return {{"seconds", secondsSince(start)}, {"tokens", tokens}, {"hash", hash & 0xFFFFFFFFU}};
}

}  // namespace

int main(int argc, char **argv)
{
    if (argc != 3) {
        std::cerr << "usage: bench_tokenizer TOKENIZER TEXT\n";
        return 2;
    }
    try {
        const auto start = Clock::now();
        const auto tokenizer = stillroom::text::loadTokenizer(argv[1]);
        const double loadSeconds = secondsSince(start);
        const std::string text = stillroom::text::readTextFile(argv[2]);
        const auto documents = documentsOf(text);
        std::cout << nlohmann::json{{"load_seconds", loadSeconds}, {"bytes", text.size()}, {"documents", documents.size()}} << std::endl;
        for (std::string line; std::getline(std::cin, line);) {
            std::cout << onePass(*tokenizer, documents) << std::endl;
        }
    } catch (const stillroom::Error &error) {
        std::cerr << error.what() << '\n';
        return stillroom::exitStatus(error.code());
    }
    return 0;
}
