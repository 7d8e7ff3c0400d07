// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/tokenizerjson.h"

#include "error.h"
#include "shownname.h"

#include <fstream>
#include <limits>
#include <optional>
#include <system_error>

namespace stillroom::text {

namespace {

using nlohmann::json;

constexpr std::size_t deepest = 64;
constexpr std::size_t mostNodes = 500'000;   // of the small tree: 16 bytes each and what they hold

enum class Layout { TokenizerJson, VocabJson };

// Receives the parser's events. The long parts never become tree nodes, so memory stays near the file's own size.
class Reader final : public nlohmann::json_sax<json> {
public:
    Reader(Layout layout, std::string where) : m_layout(layout), m_where(std::move(where)) {}

    TokenizerJson result;

    bool null() override { return value(json(nullptr)); }
    bool boolean(bool flag) override { return value(json(flag)); }
    bool number_integer(number_integer_t number) override
    {
        return m_part == Part::Vocabulary ? fail("gives a token a negative id") : value(json(number));
    }
    bool number_unsigned(number_unsigned_t number) override
    {
        if (m_part == Part::Vocabulary && m_depth == m_partDepth) {
            result.vocabulary.add(m_key, number);
            return true;
        }
        return value(json(number));
    }
    bool number_float(number_float_t number, const string_t & /*text*/) override { return value(json(number)); }
    bool binary(binary_t & /*bytes*/) override { return fail("holds binary data"); }
    bool string(string_t &text) override
    {
        if (m_part == Part::Merges) {
            return mergeText(text);
        }
        return value(json(std::move(text)));
    }
    bool key(string_t &text) override
    {
        m_key = std::move(text);
        return true;
    }
    bool start_object(std::size_t /*size*/) override { return open(true); }
    bool end_object() override { return close(); }
    bool start_array(std::size_t /*size*/) override { return open(false); }
    bool end_array() override { return close(); }
    bool parse_error(std::size_t position, const std::string & /*token*/, const nlohmann::detail::exception &error) override
    {
        m_detail = error.what();
        return fail("is not valid JSON near byte " + std::to_string(position));
    }

    [[noreturn]] void raise() const { throw Error(ErrorCode::BadFile, m_where + " " + m_problem + "; replace the file by an undamaged copy.", m_detail); }

private:
    enum class Part { Tree, Vocabulary, Merges, Skipped };

    bool fail(std::string problem)
    {
        if (m_problem.empty()) {
            m_problem = std::move(problem);
        }
        return false;
    }

    /// \param depth  of the container that the key stands in
    [[nodiscard]] bool isAtMerges(std::size_t depth) const { return m_layout != Layout::VocabJson && depth == 2 && m_topKey == "model" && m_key == "merges"; }
    bool failAtMerges() { return fail("holds merges that are not a list"); }

    bool value(json node)
    {
        switch (m_part) {
        case Part::Tree: return isAtMerges(m_depth) ? failAtMerges() : place(std::move(node)) != nullptr;
        case Part::Vocabulary: return fail("gives the token '" + shownName(m_key) + "' something that is not an id");
        case Part::Merges: return fail("holds a merge rule that is not text");
        case Part::Skipped: return true;
        }
        return false;
    }

    json *place(json node)
    {
        if (++m_nodes > mostNodes) {
            fail("holds more than " + std::to_string(mostNodes) + " values beside the vocabulary");
            return nullptr;
        }
        if (m_stack.empty()) {
            result.rest = std::move(node);
            return &result.rest;
        }
        json &parent = *m_stack.back();
        if (parent.is_array()) {
            parent.push_back(std::move(node));
            return &parent.back();
        }
        const auto [child, isNew] = parent.get_ref<json::object_t &>().try_emplace(m_key, std::move(node));
        if (!isNew) {
            fail("names '" + shownName(m_key) + "' twice in one object");
            return nullptr;
        }
        return &child->second;
    }

    // Which part a container that opens here belongs to.
    [[nodiscard]] std::optional<Part> longPart(bool object) const
    {
        if (m_layout == Layout::VocabJson) {
            return m_depth == 1 && object ? std::optional(Part::Vocabulary) : std::nullopt;
        }
        if (m_depth != 3 || m_topKey != "model") {
            return std::nullopt;
        }
        if (m_key == "vocab") {
            return object ? Part::Vocabulary : Part::Skipped;
        }
        return m_key == "merges" && !object ? std::optional(Part::Merges) : std::nullopt;
    }

    bool open(bool object)
    {
        if (++m_depth > deepest) {
            return fail("is nested more than " + std::to_string(deepest) + " levels deep");
        }
        if (m_part == Part::Merges && m_depth == m_partDepth + 1 && !object) {
            m_pair.clear();
            return true;
        }
        if (m_part == Part::Skipped) {
            return true;
        }
        if (m_part != Part::Tree) {
            return value(json());
        }
        if (const std::optional<Part> part = longPart(object)) {
            return startPart(*part);
        }
        if (isAtMerges(m_depth - 1)) {
            return failAtMerges();
        }
        if (m_depth == 2) {
            m_topKey = m_key;
        }
        json *node = place(object ? json::object() : json::array());
        if (node == nullptr) {
            return false;
        }
        m_stack.push_back(node);
        return true;
    }

    bool startPart(Part part)
    {
        bool &seen = part == Part::Merges ? m_sawMerges : m_sawVocabulary;
        if (seen) {
            return fail("holds its vocabulary or its merges twice");
        }
        seen = true;
        result.vocabularyIsList = result.vocabularyIsList || part == Part::Skipped;
        m_part = part;
        m_partDepth = m_depth;
        return true;
    }

    bool close()
    {
        --m_depth;
        if (m_part == Part::Merges && m_depth == m_partDepth) {
            if (m_pair.size() != 2) {
                return fail("holds a merge rule that is not two tokens");
            }
            result.merges.add(m_pair[0], m_pair[1]);
            return true;
        }
        if (m_part != Part::Tree) {
            if (m_depth < m_partDepth) {
                m_part = Part::Tree;
            }
            return true;
        }
        m_stack.pop_back();
        return true;
    }

    bool mergeText(std::string &text)
    {
        if (m_depth > m_partDepth) {
            m_pair.push_back(std::move(text));
            return m_pair.size() <= 2 || fail("holds a merge rule that is not two tokens");
        }
        if (text.starts_with("#version")) {
            return true;
        }
        const std::size_t space = text.find(' ');
        if (space == std::string::npos || text.find(' ', space + 1) != std::string::npos) {
            return fail("holds the merge rule '" + shownName(text) + "', which is not two tokens with one space between");
        }
        result.merges.add(std::string_view(text).substr(0, space), std::string_view(text).substr(space + 1));
        return true;
    }

    Layout m_layout;
    std::string m_where;
    std::string m_problem;
    std::string m_detail;
    Part m_part = Part::Tree;
    std::size_t m_partDepth = 0;
    std::size_t m_depth = 0;
    std::size_t m_nodes = 0;
    bool m_sawVocabulary = false;
    bool m_sawMerges = false;
    std::string m_key;
    std::string m_topKey;
    std::vector<json *> m_stack;   // containers being filled; a parent does not move while its child is open
    std::vector<std::string> m_pair;
};

TokenizerJson parse(std::string_view bytes, Layout layout, const std::string &where)
{
    Reader reader(layout, where);
    if (!json::sax_parse(bytes.begin(), bytes.end(), &reader)) {
        reader.raise();
    }
    return std::move(reader.result);
}

}  // namespace

void MergeList::add(std::string_view left, std::string_view right)
{
    if (left.size() + right.size() > std::numeric_limits<std::uint32_t>::max() - m_bytes.size()) {
        throw Error(ErrorCode::BadFile, "The tokenizer's merge rules take more than 4 GiB together; use the model's own tokenizer file.");
    }
    for (const std::string_view part : {left, right}) {
        m_bytes.append(part);
        m_ends.push_back(static_cast<std::uint32_t>(m_bytes.size()));
    }
}

TokenizerJson parseTokenizerJson(std::string_view bytes, const std::string &where)
{
    TokenizerJson file = parse(bytes, Layout::TokenizerJson, where);
    if (!file.rest.is_object()) {
        throw Error(ErrorCode::BadFile, where + " is not a JSON object; replace the file by an undamaged copy.");
    }
    file.vocabulary.finish();
    return file;
}

TokenTable parseVocabJson(std::string_view bytes, const std::string &where)
{
    TokenizerJson file = parse(bytes, Layout::VocabJson, where);
    if (!file.rest.is_null()) {
        throw Error(ErrorCode::BadFile, where + " is not an object of tokens and ids; replace the file by an undamaged copy.");
    }
    file.vocabulary.finish();
    return std::move(file.vocabulary);
}

MergeList parseMergesText(std::string_view bytes, const std::string &where)
{
    MergeList merges;
    std::size_t lineNumber = 0;
    for (std::size_t begin = 0; begin < bytes.size();) {
        const std::size_t end = std::min(bytes.find('\n', begin), bytes.size());
        std::string_view line = bytes.substr(begin, end - begin);
        begin = end + 1;
        ++lineNumber;
        if (line.ends_with('\r')) {
            line.remove_suffix(1);
        }
        if (line.starts_with("#version") || (line.empty() && begin >= bytes.size())) {
            continue;
        }
        const std::size_t space = line.find(' ');
        if (space == std::string_view::npos || line.find(' ', space + 1) != std::string_view::npos) {
            throw Error(ErrorCode::BadFile, where + " does not hold two tokens with one space between on line " + std::to_string(lineNumber) + "; replace the file by an undamaged copy.");
        }
        merges.add(line.substr(0, space), line.substr(space + 1));
    }
    return merges;
}

std::string readTextFile(const std::filesystem::path &path, std::uintmax_t mostBytes)
{
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(path, error);
    if (error) {
        throw Error(ErrorCode::BadFile, path.string() + " cannot be read; check that it is a file and that you may read it.", error.message());
    }
    if (size > mostBytes) {
        throw Error(ErrorCode::BadFile, path.string() + " is larger than " + std::to_string(mostBytes >> 20U) + " MiB, which no tokenizer file is; use the model's own tokenizer file.");
    }
    std::string bytes(static_cast<std::size_t>(size), '\0');
    std::ifstream stream(path, std::ios::binary);
    if (!stream || !stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size()))) {
        throw Error(ErrorCode::BadFile, path.string() + " cannot be read; check that it is a file and that you may read it.");
    }
    return bytes;
}

}  // namespace stillroom::text
