// SPDX-License-Identifier: GPL-3.0-or-later
// tokenize of the built program against Hugging Face's tokenizers on hostile strings (tests/golden/tokenizers).
#include "cli/program.h"
#include "temporaryfolder.h"
#include "testdata.h"
#include "text/hostilestrings.h"
#include "text/tokenizer.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace tokenizerparity_tests {

using nlohmann::json;
using stillroom::test::Answer;
using stillroom::test::runProgram;
namespace fs = std::filesystem;
namespace hostile = stillroom::text::test;

namespace {

constexpr const char *families[] = {"gpt2", "llama3", "qwen2", "llama2", "mistral"};

fs::path tokenizers() { return stillroom::test::testData() / "text" / "tokenizers"; }

json results() { return json::parse(std::ifstream(tokenizers() / "results.json")); }

std::vector<std::string> pieces(const std::string &text, char end)
{
    std::vector<std::string> all;
    std::size_t at = 0;
    for (std::size_t next = text.find(end); next != std::string::npos; at = next + 1, next = text.find(end, at))
        all.push_back(text.substr(at, next - at));
    CHECK(at == text.size());                         // the last one ends, too
    return all;
}

/// The ids of one line, joined by commas as the hashes want them.
std::string commaIds(const std::string &line)
{
    std::string joined;
    for (const json &id : json::parse(line))
        joined += (joined.empty() ? "" : ",") + std::to_string(id.get<std::int64_t>());
    return joined;
}

/// One input file, and what `tokenize` makes of it with these options.
class Inputs final {
public:
    Inputs(const std::vector<std::string> &documents, char end)
    {
        std::ofstream file(path(), std::ios::binary);
        for (const std::string &document : documents)
            file << document << end;
    }
    [[nodiscard]] std::string tokenized(const fs::path &tokenizer, const std::vector<std::string> &options) const
    {
        std::vector<std::string> words{"tokenize", tokenizer.string(), path()};
        words.insert(words.end(), options.begin(), options.end());
        const Answer answer = runProgram(words);
        CAPTURE(answer.err);
        REQUIRE(answer.status == 0);
        return answer.out;
    }

private:
    [[nodiscard]] std::string path() const { return (m_folder.path() / "in").string(); }
    TemporaryFolder m_folder;
};

/// Hostile strings that a NUL can end, with their numbers.
struct Strings {
    std::vector<std::size_t> indices;
    std::vector<std::string> texts;
};

Strings withoutNul(std::size_t count)
{
    const hostile::HostileStrings all(tokenizers() / "hostile.json");
    Strings some;
    for (std::size_t i = 0; i < count; ++i)
        if (std::string text = all.string(i); text.find('\0') == std::string::npos) {
            some.indices.push_back(i);
            some.texts.push_back(std::move(text));
        }
    return some;
}

}  // namespace

TEST_CASE("tokenize --nul, --special and --detokenize give Hugging Face's ids and text")
{
    const json expected = results();
    for (const char *family : families) {
        CAPTURE(family);
        const auto hashes = expected.at(family).at("strings").get<std::string>();
        const Strings strings = withoutNul(hashes.size() / 4);
        REQUIRE(strings.texts.size() > 1000);
        const fs::path file = tokenizers() / (std::string(family) + ".tokenizer.json");
        const Inputs texts(strings.texts, '\0');
        const auto plain = pieces(texts.tokenized(file, {"--nul"}), '\n'), framed = pieces(texts.tokenized(file, {"--nul", "--special"}), '\n');
        REQUIRE(plain.size() == strings.texts.size());
        REQUIRE(framed.size() == strings.texts.size());
        const auto decoded = pieces(Inputs(plain, '\0').tokenized(file, {"--nul", "--detokenize"}), '\0');
        REQUIRE(decoded.size() == strings.texts.size());
        // The goldens are hashes of four things; the fourth, text without special tokens, is no answer of the program.
        const auto tokenizer = stillroom::text::loadTokenizer(file);
        for (std::size_t i = 0; i < strings.texts.size(); ++i) {
            CAPTURE(strings.texts[i]);
            const std::string spoken = tokenizer->decode(json::parse(framed[i]).get<std::vector<stillroom::text::TokenId>>(), true);
            CHECK(hostile::folded(hostile::fnv1a(commaIds(plain[i]) + "|" + commaIds(framed[i]) + "|" + decoded[i] + "|" + spoken)) == hashes.substr(4 * strings.indices[i], 4));
        }
    }
}

TEST_CASE("tokenize takes one document a line where nothing ends in NUL")
{
    const json expected = results();
    const hostile::HostileStrings all(tokenizers() / "hostile.json");
    for (const char *family : {"gpt2", "llama2"}) {
        CAPTURE(family);
        const fs::path file = tokenizers() / (std::string(family) + ".tokenizer.json");
        std::vector<std::string> texts;
        json ids = json::array();
        const json &first = expected.at(family).at("first");
        for (std::size_t i = 0; i < first.size(); ++i)
            if (const std::string text = all.string(i + 1); text.find('\n') == std::string::npos) {
                texts.push_back(text);
                ids.push_back(first[i]);
            }
        REQUIRE(texts.size() > 5);
        const auto lines = pieces(Inputs(texts, '\n').tokenized(file, {"--special"}), '\n');
        REQUIRE(lines.size() == texts.size());
        for (std::size_t i = 0; i < lines.size(); ++i)
            CHECK(json::parse(lines[i]) == ids[i]);
    }
}

TEST_CASE("detokenize refuses what tokenize does not print")
{
    for (const char *line : {"1 2 3", "{\"ids\": [1]}", "[1, \"a\"]", "[1.5]"}) {
        const TemporaryFolder folder;
        std::ofstream(folder.path() / "ids") << line << '\n';
        const Answer answer = runProgram({"tokenize", (tokenizers() / "gpt2.tokenizer.json").string(), (folder.path() / "ids").string(), "--detokenize"});
        CHECK(answer.status == 4);
        CHECK(answer.err.find("write what tokenize prints") != std::string::npos);
    }
}

}  // namespace tokenizerparity_tests
