// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/packedwriter.h"

#include "error.h"

#include <nlohmann/json.hpp>

#include <unistd.h>

#include <string>

namespace stillroom::text {
namespace fs = std::filesystem;
namespace {

// The number of sequences is known only at the end, so room for the header is kept in front; safetensors allows it to be filled with spaces.
constexpr std::size_t headerBytes = 504;

[[noreturn]] void failWriting(const fs::path &file)
{
    throw Error(ErrorCode::Io, "writing " + file.string() + " failed: check the disk's free space and the folder's permissions");
}

}  // namespace

PackedWriter::PackedWriter(const fs::path &file, std::int64_t sequenceLength)
    : m_file(file), m_part(file.string() + "." + std::to_string(::getpid()) + ".part"), m_sequenceLength(sequenceLength)
{
    std::error_code error;
    fs::create_directories(file.parent_path(), error);
    m_stream.open(m_part, std::ios::binary | std::ios::trunc);
    if (!m_stream)
        failWriting(m_part);
    m_stream << std::string(8 + headerBytes, ' ');
}

PackedWriter::~PackedWriter()
{
    m_stream.close();
    std::error_code error;
    fs::remove(m_part, error);
}

void PackedWriter::append(std::span<const TokenId> document)
{
    for (const TokenId id : document) {
        m_ids.push_back(static_cast<std::int32_t>(id));
        m_documents.push_back(m_document);
        if (static_cast<std::int64_t>(m_ids.size()) == m_sequenceLength)
            writeSequence();
    }
    m_numTokens += static_cast<std::int64_t>(document.size());
    ++m_document;
}

void PackedWriter::writeSequence()
{
    for (const auto *row : {&m_ids, &m_documents})
        m_stream.write(reinterpret_cast<const char *>(row->data()), static_cast<std::streamsize>(row->size() * sizeof(std::int32_t)));
    if (!m_stream)
        failWriting(m_part);
    m_ids.clear();
    m_documents.clear();
    ++m_numSequences;
}

void PackedWriter::finish()
{
    if (!m_ids.empty()) {
        m_ids.resize(static_cast<std::size_t>(m_sequenceLength), 0);
        m_documents.resize(static_cast<std::size_t>(m_sequenceLength), -1);
        writeSequence();
    }
    const std::int64_t tokenBytes = m_numSequences * 2 * m_sequenceLength * static_cast<std::int64_t>(sizeof(std::int32_t));
    m_stream.write(reinterpret_cast<const char *>(&m_numTokens), sizeof m_numTokens);
    const nlohmann::json header = {
        {"tokens", {{"dtype", "I32"}, {"shape", {m_numSequences, 2, m_sequenceLength}}, {"data_offsets", {0, tokenBytes}}}},
        {"num_tokens", {{"dtype", "I64"}, {"shape", {1}}, {"data_offsets", {tokenBytes, tokenBytes + 8}}}}};
    std::string text = header.dump();
    text.resize(headerBytes, ' ');
    const std::uint64_t length = headerBytes;
    m_stream.seekp(0);
    m_stream.write(reinterpret_cast<const char *>(&length), sizeof length);
    m_stream << text;
    m_stream.close();
    std::error_code error;
    if (m_stream.fail() || (fs::rename(m_part, m_file, error), error))
        failWriting(m_file);
}

}  // namespace stillroom::text
