// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/documents.h"

#include "checkpoint/boundedjson.h"
#include "error.h"
#include "text/corpus.h"
#include "text/utf8.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <fstream>
#include <string>

namespace stillroom::text {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t documentBytes = 64 * 1024;
constexpr std::size_t longestDocumentBytes = 16 * documentBytes;
constexpr std::size_t lineBytesAtMost = 256u * 1024 * 1024;

/// A text with what is said of it: brackets without end are none.
constexpr checkpoint::JsonLimits lineLimits{.maxBytes = lineBytesAtMost + 1, .maxDepth = 64, .maxValues = 250'000, .maxStringBytes = lineBytesAtMost + 1};

bool isText(const fs::path &file)
{
    static constexpr std::array extensions = {".txt", ".text", ".md", ".rst", ".jsonl"};
    return std::any_of(extensions.begin(), extensions.end(), [&](const char *extension) { return file.extension() == extension; });
}

std::ifstream openText(const fs::path &file)
{
    std::ifstream stream(file, std::ios::binary);
    if (!stream)
        throw Error(ErrorCode::BadFile, file.string() + " cannot be read: check that it is there and that you may read it");
    return stream;
}

using Visit = std::function<bool(const std::string &, std::int64_t)>;

bool isBlank(const std::string &line)
{
    return line.find_first_not_of(" \t\r\n") == std::string::npos;
}

/// Appends what comes up to and with the next line end to `line`, but little more than `most` bytes: then it ends with a whole character.
/// Returns whether there was anything.
bool appendLine(std::istream &stream, std::string &line, std::size_t most)
{
    std::streambuf &in = *stream.rdbuf();
    constexpr int end = std::char_traits<char>::eof();
    const std::size_t before = line.size();
    for (int next = in.sgetc(); next != end; next = in.sgetc()) {
        const bool startsCharacter = (next & 0xc0) != 0x80;
        if (line.size() - before >= most && (startsCharacter || line.size() - before >= most + 4))
            break;
        line += static_cast<char>(in.sbumpc());
        if (next == '\n')
            break;
    }
    return line.size() > before;
}

/// Returns whether to go on, as visitJsonLines does.
bool visitTextFile(const fs::path &file, std::int64_t bytesBefore, const Visit &visit)
{
    std::ifstream stream = openText(file);
    std::string document, line;
    std::int64_t bytesRead = bytesBefore;
    const auto hand = [&] {
        if (!isValidUtf8(document))      // a tokenizer would read "�" in its place, and a file of anything else would be trained on as text
            throw Error(ErrorCode::BadFile, file.string() + " holds bytes that are not UTF-8, in the " + std::to_string(document.size()) + " bytes before byte " + std::to_string(bytesRead - bytesBefore)
                                                + ": convert it, for example with iconv -f latin1 -t utf-8, or leave it out");
        const bool goesOn = visit(document, bytesRead);
        document.clear();
        return goesOn;
    };
    for (; appendLine(stream, line, longestDocumentBytes); line.clear()) {
        bytesRead += static_cast<std::int64_t>(line.size());
        document += line;
        // Without a blank line in a long while (one huge paragraph, one huge line), any place will do.
        if ((isBlank(line) && document.size() >= documentBytes) || document.size() >= longestDocumentBytes)
            if (!hand())
                return false;
    }
    return document.empty() || hand();
}

bool visitJsonLines(const fs::path &file, const std::string &field, std::int64_t bytesBefore, const Visit &visit)
{
    std::ifstream stream = openText(file);
    std::string line;
    std::int64_t bytesRead = bytesBefore;
    for (std::int64_t number = 1; appendLine(stream, line, lineBytesAtMost + 1); ++number, line.clear()) {
        bytesRead += static_cast<std::int64_t>(line.size());
        const std::string where = file.string() + ", line " + std::to_string(number);
        if (line.size() > lineBytesAtMost)
            throw Error(ErrorCode::BadFile, where + " is longer than 256 MB: split the document");
        if (isBlank(line))
            continue;
        const nlohmann::json json = checkpoint::parseBoundedJson(line, where, lineLimits);
        if (!json.is_object())
            throw Error(ErrorCode::BadFile, where + " is not a JSON object: each line of a .jsonl file must be one");
        const auto found = json.find(field);
        if (found == json.end() || !found->is_string())
            throw Error(ErrorCode::BadFile, where + " has no text field \"" + field + "\": name the right one in data.text_field");
        if (!visit(found->get_ref<const std::string &>(), bytesRead))
            return false;
    }
    return true;
}

/// A pipe is read once, but a text is hashed, split and packed; a device may have no end.
void requireFile(const fs::path &input, const fs::file_status &status)
{
    if (fs::is_regular_file(status))
        return;
    const char *what = fs::is_fifo(status) ? "a pipe" : fs::is_socket(status) ? "a socket" : "a device";
    throw Error(ErrorCode::BadFile, input.string() + " is " + what + ", which cannot be read twice: write the text to a file and name that, or a folder of files");
}

}  // namespace

std::vector<fs::path> textFiles(const std::vector<fs::path> &inputs)
{
    std::vector<fs::path> files;
    for (const fs::path &input : inputs) {
        std::error_code error;
        const fs::file_status status = fs::status(input, error);
        if (!fs::exists(status))
            throw Error(ErrorCode::BadFile, input.string() + " is not there: check the path of the text");
        if (!fs::is_directory(status)) {
            requireFile(input, status);
            files.push_back(input);
            continue;
        }
        std::vector<fs::path> found;
        for (const fs::directory_entry &entry : fs::recursive_directory_iterator(input, fs::directory_options::skip_permission_denied))
            if (entry.is_regular_file() && isText(entry.path()))
                found.push_back(entry.path());
        if (found.empty())
            throw Error(ErrorCode::BadFile, input.string() + " holds no text: .txt, .text, .md, .rst and .jsonl files are read");
        std::sort(found.begin(), found.end());
        files.insert(files.end(), found.begin(), found.end());
    }
    return files;
}

void visitDocuments(const std::vector<fs::path> &inputs, const std::string &jsonField, const Visit &visit)
{
    std::int64_t bytesBefore = 0;
    for (const fs::path &file : textFiles(inputs)) {
        if (!(file.extension() == ".jsonl" ? visitJsonLines(file, jsonField, bytesBefore, visit) : visitTextFile(file, bytesBefore, visit)))
            return;
        bytesBefore += static_cast<std::int64_t>(fs::file_size(file));
    }
}

}  // namespace stillroom::text
