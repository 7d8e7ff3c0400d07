// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/corpus.h"

#include "error.h"
#include "temporaryfolder.h"
#include "text/documents.h"
#include "text/wordtokenizer.h"

#include <algorithm>
#include <doctest/doctest.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>
#include <sys/stat.h>
#include <utility>

using namespace stillroom;
using namespace stillroom::text;
namespace fs = std::filesystem;

namespace {

const test::WordTokenizer words({"a", "b", "c", "d", "?"});

fs::path write(const fs::path &file, const std::string &text)
{
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
    return file;
}

std::vector<std::string> documentsOf(const std::vector<fs::path> &inputs, const std::string &field = "text")
{
    std::vector<std::string> all;
    visitDocuments(inputs, field, [&](const std::string &text, std::int64_t) { all.push_back(text); return true; });
    return all;
}

/// The documents of a split, token by token, as its sequences hold them.
std::vector<std::vector<TokenId>> unpacked(const PackedTokens &split)
{
    std::vector<std::vector<TokenId>> documents;
    const auto length = static_cast<std::size_t>(split.sequenceLength());
    for (std::int64_t s = 0; s < split.numSequences(); ++s) {
        std::vector<TokenId> ids(length);
        std::vector<std::int64_t> numbers(length);
        split.read(s, ids, numbers);
        for (std::size_t t = 0; t < length; ++t)
            if (numbers[t] >= 0) {
                documents.resize(std::max(documents.size(), static_cast<std::size_t>(numbers[t]) + 1));
                documents[static_cast<std::size_t>(numbers[t])].push_back(ids[t]);
            }
    }
    return documents;
}

/// Document number i: its four digits to the base 4, as words.
std::string numbered(int i)
{
    std::string text;
    for (int digit = 0; digit < 4; ++digit, i /= 4)
        text += std::string(digit > 0 ? " " : "") + static_cast<char>('a' + i % 4);
    return text;
}

int numberOf(const std::vector<TokenId> &document)
{
    int number = 0;
    for (std::size_t digit = document.size(); digit-- > 0;)
        number = 4 * number + static_cast<int>(document[digit]);
    return number;
}

std::vector<int> numbersOf(const PackedTokens &split)
{
    std::vector<int> numbers;
    for (const std::vector<TokenId> &document : unpacked(split))
        numbers.push_back(document.size() == 4 ? numberOf(document) : -1);
    return numbers;
}

std::string jsonLines(int count, const std::string &field = "text")
{
    std::string lines;
    for (int i = 0; i < count; ++i)
        lines += nlohmann::json{{field, numbered(i)}}.dump() + '\n';
    return lines;
}

std::string refusalOf(const CorpusOptions &options, const fs::path &cache)
{
    try {
        (void)packCorpus(options, words, cache);
    } catch (const Error &error) {
        return error.what();
    }
    return {};
}

}  // namespace

TEST_CASE("packing loses no token, keeps the order, and numbers the documents")
{
    const TemporaryFolder place;
    const CorpusOptions options{.inputs = {write(place.path() / "x.jsonl", jsonLines(50))}, .sequenceLength = 7, .heldOutFraction = 0.3};
    const PackedCorpus corpus = packCorpus(options, words, place.path() / "cache");
    std::vector<int> training = numbersOf(corpus.training), heldOut = numbersOf(corpus.heldOut);
    CHECK(std::is_sorted(training.begin(), training.end()));
    CHECK(std::is_sorted(heldOut.begin(), heldOut.end()));
    CHECK(!heldOut.empty());
    CHECK(corpus.training.numTokens() == 4 * std::ssize(training));
    CHECK(corpus.training.numSequences() == (4 * std::ssize(training) + 6) / 7);
    std::vector<int> all(50);
    std::iota(all.begin(), all.end(), 0);
    training.insert(training.end(), heldOut.begin(), heldOut.end());
    std::sort(training.begin(), training.end());
    CHECK(training == all);
}

TEST_CASE("whether a document is held out does not hang on the others")
{
    const TemporaryFolder place;
    const auto heldOut = [&](int count) {
        const CorpusOptions options{.inputs = {write(place.path() / (std::to_string(count) + ".jsonl"), jsonLines(count))}, .sequenceLength = 5, .heldOutFraction = 0.25};
        return numbersOf(packCorpus(options, words, place.path() / "cache").heldOut);
    };
    std::vector<int> few = heldOut(40), many = heldOut(256);
    CHECK(few.size() > 2);
    CHECK(many.size() > 40);
    CHECK(many.size() < 90);
    many.erase(std::remove_if(many.begin(), many.end(), [](int number) { return number >= 40; }), many.end());
    CHECK(few == many);
}

TEST_CASE("of a few documents one at least is held out, and one at least is not")
{
    const TemporaryFolder place;
    for (const int count : {2, 3, 5}) {
        const CorpusOptions options{.inputs = {write(place.path() / (std::to_string(count) + ".jsonl"), jsonLines(count))}, .sequenceLength = 2, .heldOutFraction = 1e-6};
        const PackedCorpus corpus = packCorpus(options, words, place.path() / "cache");
        CHECK(numbersOf(corpus.heldOut).size() == 1);
        CHECK(std::ssize(numbersOf(corpus.training)) == count - 1);
    }
    const CorpusOptions one{.inputs = {write(place.path() / "one.txt", "a b c\n\nd a\n")}, .sequenceLength = 2, .heldOutFraction = 0.5};
    CHECK(refusalOf(one, place.path() / "cache").find("one document") != std::string::npos);
    CHECK(refusalOf(one, place.path() / "cache").find("data.held_out_files") != std::string::npos);
    CorpusOptions named = one;
    named.heldOutInputs = {write(place.path() / "other.txt", "b b\n")};
    named.heldOutFraction = 0.0;
    const PackedCorpus corpus = packCorpus(named, words, place.path() / "cache");
    CHECK(corpus.training.numTokens() == 5);
    CHECK(corpus.heldOut.numTokens() == 2);
}

TEST_CASE("a text file is cut at blank lines into documents that together are the file")
{
    const TemporaryFolder place;
    std::string text;
    for (int i = 0; text.size() < 300'000; ++i)
        text += "a b c d a b c d " + std::to_string(i) + (i % 10 == 9 ? "\n\n" : "\n");
    const std::vector<std::string> documents = documentsOf({write(place.path() / "long.txt", text)});
    CHECK(documents.size() == 5);
    CHECK(std::accumulate(documents.begin(), documents.end(), std::string()) == text);
    for (std::size_t i = 0; i + 1 < documents.size(); ++i) {
        CHECK(documents[i].size() >= 65'536);
        CHECK(documents[i].size() < 66'536);
        CHECK(documents[i].ends_with("\n\n"));
    }
}

TEST_CASE("one huge line is cut too, between characters")
{
    const TemporaryFolder place;
    std::string line;
    while (line.size() < 5'000'000)
        line += "\u00e9\u4e2d\U0001f600a";
    const std::vector<std::string> documents = documentsOf({write(place.path() / "line.txt", line)});
    CHECK(documents.size() == 5);
    CHECK(std::accumulate(documents.begin(), documents.end(), std::string()) == line);
    for (const std::string &document : documents) {
        CHECK(document.size() <= 1'048'576 + 4);
        CHECK((static_cast<unsigned char>(document.front()) & 0xc0) != 0x80);
    }
}

TEST_CASE("folders are walked in the order of names, and other files in them are left alone")
{
    const TemporaryFolder place;
    write(place.path() / "texts/b.txt", "second");
    write(place.path() / "texts/a/z.md", "first");
    write(place.path() / "texts/c.jsonl", "{\"text\": \"third\"}\n\n{\"text\": \"fourth\"}");
    write(place.path() / "texts/picture.png", "no text");
    CHECK(documentsOf({place.path() / "texts"}) == std::vector<std::string>{"first", "second", "third", "fourth"});
}

TEST_CASE("what cannot be read is named with its file and line")
{
    const TemporaryFolder place;
    const auto refusal = [&](const fs::path &input, const std::string &field) {
        try {
            (void)documentsOf({input}, field);
        } catch (const Error &error) {
            CHECK(error.code() == ErrorCode::BadFile);
            return std::string(error.what());
        }
        return std::string();
    };
    CHECK(refusal(place.path() / "nothing.txt", "text").find("nothing.txt is not there") != std::string::npos);
    CHECK(refusal(write(place.path() / "deep.jsonl", "{\"text\": \"a\", \"x\": " + std::string(100'000, '[') + std::string(100'000, ']') + "}\n"), "text").find("deep.jsonl, line 1") != std::string::npos);
    CHECK(refusal(write(place.path() / "twice.jsonl", "{\"text\": 5, \"text\": \"a\"}\n"), "text").find("names \"text\" twice") != std::string::npos);
    CHECK(refusal(write(place.path() / "x.jsonl", "{\"text\": \"a\"}\n[1]\n"), "text").find("x.jsonl, line 2 is not a JSON object") != std::string::npos);
    CHECK(refusal(write(place.path() / "y.jsonl", "\n{\"body\": \"a\"}\n"), "text").find("y.jsonl, line 2 has no text field \"text\"") != std::string::npos);
    CHECK(documentsOf({place.path() / "y.jsonl"}, "body") == std::vector<std::string>{"a"});
    // No text, or in another encoding: without a line's end it is given up after a megabyte.
    CHECK(refusal(write(place.path() / "bytes.txt", std::string(3'000'000, '\x80')), "text").find("bytes.txt holds bytes that are not UTF-8, in the 1048580 bytes before byte 1048580") != std::string::npos);
    CHECK(refusal(write(place.path() / "latin.txt", "plain\n\ncaf\xe9\n"), "text").find("latin.txt holds bytes that are not UTF-8") != std::string::npos);
    fs::create_directories(place.path() / "empty");
    CHECK(refusal(place.path() / "empty", "text").find("holds no text") != std::string::npos);
}

TEST_CASE("a pipe, a socket and a device are no texts, and are not opened")
{
    const TemporaryFolder place;
    const fs::path pipe = place.path() / "pipe.txt";
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    for (const fs::path &input : {pipe, fs::path("/dev/zero")})
        CHECK(refusalOf({.inputs = {input}}, place.path() / "cache").find(input.string() + " is a ") == 0);
    const fs::path text = write(place.path() / "text.txt", "a b\n");
    CHECK(refusalOf({.inputs = {text}, .heldOutInputs = {pipe}}, place.path() / "cache").find("is a pipe, which cannot be read twice") != std::string::npos);
}

TEST_CASE("the beginning of what is held out is that of the packed split, and what packing would refuse is refused")
{
    const TemporaryFolder place;
    const CorpusOptions options{.inputs = {write(place.path() / "x.jsonl", jsonLines(50))}, .sequenceLength = 7, .heldOutFraction = 0.3};
    std::vector<TokenId> heldOut;
    for (const std::vector<TokenId> &document : unpacked(packCorpus(options, words, place.path() / "cache").heldOut))
        heldOut.insert(heldOut.end(), document.begin(), document.end());
    CHECK(beginningOfHeldOut(options, words, 1000) == heldOut);
    CHECK(beginningOfHeldOut(options, words, 9) == std::vector<TokenId>(heldOut.begin(), heldOut.begin() + 9));
    const fs::path text = write(place.path() / "text.txt", "a b c\n");
    const std::vector<std::pair<CorpusOptions, std::string>> refused = {
        {{.inputs = {write(place.path() / "empty.txt", "")}}, "empty.txt is empty"},
        {{.inputs = {text}, .heldOutInputs = {place.path() / "empty.txt"}, .heldOutFraction = 0.0}, "empty.txt is empty"},
        {{.inputs = {text}}, "one document"},
        {{.inputs = {text}, .heldOutInputs = {write(place.path() / "blank.txt", " \n")}, .heldOutFraction = 0.0}, "leaves no held-out text"},
        {{.inputs = {place.path() / "blank.txt"}, .heldOutInputs = {text}, .heldOutFraction = 0.0}, "leaves no training text"},
        {{.inputs = {write(place.path() / "bad.jsonl", jsonLines(20) + "{\n")}, .sequenceLength = 2}, "bad.jsonl, line 21"}};
    for (const auto &[corpus, sentence] : refused) {
        CAPTURE(sentence);
        const std::string said = refusalOf(corpus, place.path() / "cache");
        CHECK(said.find(sentence) != std::string::npos);
        try {
            (void)beginningOfHeldOut(corpus, words, 1);
            FAIL("it was not refused");
        } catch (const Error &error) {
            CHECK(error.code() == ErrorCode::BadFile);
            CHECK(error.what() == said);
        }
    }
}

TEST_CASE("a packed corpus is used again, and its hash tells texts, options and tokenizers apart")
{
    const TemporaryFolder place;
    CorpusOptions options{.inputs = {write(place.path() / "x.jsonl", jsonLines(30))}, .sequenceLength = 6, .heldOutFraction = 0.2};
    int packed = 0;
    const auto pack = [&] { return packCorpus(options, words, place.path() / "cache", [&](std::int64_t done, std::int64_t all) { packed = done == all ? packed + 1 : packed; }); };
    const std::string first = pack().contentHash;
    CHECK(packed == 1);
    CHECK(pack().contentHash == first);
    CHECK(packed == 1);
    std::set<std::string> hashes{first};
    options.sequenceLength = 7;
    hashes.insert(corpusHash(options, words));
    options.heldOutFraction = 0.3;
    hashes.insert(corpusHash(options, words));
    write(place.path() / "x.jsonl", jsonLines(31));
    hashes.insert(corpusHash(options, words));
    CHECK(hashes.size() == 4);
}

TEST_CASE("packing stops when asked to, and leaves nothing that looks packed")
{
    const TemporaryFolder place;
    const CorpusOptions options{.inputs = {write(place.path() / "x.jsonl", jsonLines(200))}, .sequenceLength = 6, .heldOutFraction = 0.2};
    std::stop_source stop;
    CHECK_THROWS_AS((void)packCorpus(options, words, place.path() / "cache", [&](std::int64_t, std::int64_t) { stop.request_stop(); }, stop.get_token()), Error);
    const PackedCorpus corpus = packCorpus(options, words, place.path() / "cache");
    CHECK(numbersOf(corpus.training).size() + numbersOf(corpus.heldOut).size() == 200);
}

TEST_CASE("every pass over a corpus is another permutation of it")
{
    std::set<std::vector<std::int64_t>> orders;
    for (const std::int64_t epoch : {0, 1, 2}) {
        std::vector<std::int64_t> order, sorted;
        for (std::int64_t i = 0; i < 37; ++i)
            order.push_back(shuffledIndex(5, epoch, i, 37));
        orders.insert(order);
        sorted = order;
        std::sort(sorted.begin(), sorted.end());
        for (std::int64_t i = 0; i < 37; ++i)
            CHECK(sorted[static_cast<std::size_t>(i)] == i);
    }
    CHECK(orders.size() == 3);
}
