// SPDX-License-Identifier: GPL-3.0-or-later
// Packing streams: what it holds at once does not follow the size of the corpus.
#include "checkpoint/allocationmeter.h"
#include "temporaryfolder.h"
#include "text/corpus.h"
#include "text/wordtokenizer.h"

#include <doctest/doctest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <string>

namespace corpusmemory_tests {

using namespace stillroom::text;
namespace fs = std::filesystem;

namespace {

constexpr std::size_t megabyte = 1U << 20U;

/// Long words, so that a document has few tokens and a corpus of some megabytes is packed in no time.
const std::array<std::string, 4> longWords = {std::string(60, 'a'), std::string(60, 'b'), std::string(60, 'c'), std::string(60, 'd')};
const stillroom::test::WordTokenizer tokenizer({longWords[0], longWords[1], longWords[2], longWords[3], "?"});

/// Words until the file has `bytes`, `before` and `after` around about every kilobyte of them.
void writeWords(const fs::path &file, std::size_t bytes, const std::string &before, const std::string &after)
{
    std::ofstream stream(file, std::ios::binary);
    std::size_t written = 0;
    for (std::size_t line = 0; written < bytes; ++line) {
        std::string text = before;
        for (std::size_t word = 0; word < 16; ++word)
            text += (word > 0 ? " " : "") + longWords[(line * 7 + word * word + line / 5) % longWords.size()];
        text += after;
        stream << text;
        written += text.size();
    }
}

/// The most heap that packing a file takes.
std::size_t peakOf(const fs::path &file, const fs::path &cache)
{
    CorpusOptions options;
    options.inputs = {file};
    options.sequenceLength = 128;
    options.heldOutFraction = 0.1;
    const AllocationMeter meter;
    const PackedCorpus corpus = packCorpus(options, tokenizer, cache);
    CHECK(corpus.training.numTokens() + corpus.heldOut.numTokens() > static_cast<std::int64_t>(fs::file_size(file) / 80));      // all of it was packed
    return meter.peakBytes();
}

}  // namespace

TEST_CASE("packing four times the text takes no more memory, as text, as JSON lines and as a folder")
{
    const TemporaryFolder folder;
    const auto peak = [&](const std::string &name, std::size_t size, const std::string &before, const std::string &after) {
        const fs::path file = folder.path() / (std::to_string(size) + name);
        writeWords(file, size, before, after);
        const std::size_t bytes = peakOf(file, folder.path() / "packed");
        fs::remove(file);
        return bytes;
    };
    const struct {
        const char *name;
        std::string before, after;
    } kinds[] = {{".txt", "", "\n\n"}, {".jsonl", R"({"text": ")", "\"}\n"}};
    for (const auto &kind : kinds) {
        CAPTURE(kind.name);
        const std::size_t small = peak(kind.name, 4 * megabyte, kind.before, kind.after), large = peak(kind.name, 16 * megabyte, kind.before, kind.after);
        CHECK(large < 2 * megabyte);               // one that holds the text, or a token a word, takes 16 or 2
        CHECK(large < small + megabyte / 4);
    }
    const fs::path many = folder.path() / "many";
    fs::create_directory(many);
    for (int file = 0; file < 16; ++file)
        writeWords(many / (std::to_string(file) + ".txt"), megabyte, "", "\n\n");
    CorpusOptions options;
    options.inputs = {many};
    options.sequenceLength = 128;
    options.heldOutFraction = 0.1;
    const AllocationMeter meter;
    (void)packCorpus(options, tokenizer, folder.path() / "packed");
    CHECK(meter.peakBytes() < 2 * megabyte);
}

TEST_CASE("reading sequences of a packed corpus takes no memory of its size")
{
    const TemporaryFolder folder;
    const fs::path file = folder.path() / "corpus.txt";
    writeWords(file, 8 * megabyte, "", "\n\n");
    CorpusOptions options;
    options.inputs = {file};
    options.sequenceLength = 128;
    options.heldOutFraction = 0.1;
    const PackedCorpus corpus = packCorpus(options, tokenizer, folder.path() / "packed");
    std::array<TokenId, 128> ids{};
    std::array<std::int64_t, 128> documents{};
    const AllocationMeter meter;
    std::int64_t sum = 0;
    for (std::int64_t sequence = 0; sequence < corpus.training.numSequences(); ++sequence) {
        corpus.training.read(sequence, ids, documents);
        sum += ids[5];
    }
    CHECK(sum > 0);
    CHECK(meter.peakBytes() < megabyte / 16);
}

}  // namespace corpusmemory_tests
