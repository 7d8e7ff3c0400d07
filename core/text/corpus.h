// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkpoint/tensorsource.h"
#include "text/tokenizer.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace stillroom::text {

/// What is packed, and how.
struct CorpusOptions {
    std::vector<std::filesystem::path> inputs;          ///< text files (.txt, .text, .md, .rst), .jsonl files, or folders of them (walked in name order)
    std::vector<std::filesystem::path> heldOutInputs;   ///< whole files that are only held out; may be empty
    std::string jsonField = "text";                     ///< of each line of a .jsonl file
    std::int64_t sequenceLength = 512;                  ///< T
    double heldOutFraction = 0.02;                      ///< of the documents in `inputs`, by the hash of their text, whatever else is in the corpus. Where that is none of a corpus below 16 MiB, the document with the lowest hash
};

/// One split, packed into sequences of T tokens, memory-mapped: any sequence can be read, none needs to be in memory.
class PackedTokens final {
public:
    PackedTokens() = default;
    explicit PackedTokens(const std::filesystem::path &file);   ///< \throws Error(BadFile)
    [[nodiscard]] std::int64_t numSequences() const { return m_numSequences; }
    [[nodiscard]] std::int64_t sequenceLength() const { return m_sequenceLength; }
    [[nodiscard]] std::int64_t numTokens() const { return m_numTokens; }          ///< padding of the last sequence not counted
    /// \param ids, documents  T values each. `documents` counts up within the split; -1 is padding (id 0).
    void read(std::int64_t sequence, std::span<TokenId> ids, std::span<std::int64_t> documents) const;

private:
    std::shared_ptr<const checkpoint::TensorSource> m_source;
    std::span<const std::byte> m_bytes;    ///< int32 [N, 2, T]: ids, documents
    std::int64_t m_numSequences = 0, m_sequenceLength = 0, m_numTokens = 0;
};

struct PackedCorpus {
    PackedTokens training, heldOut;
    std::string contentHash;               ///< SHA-256 over the texts, the tokenizer's identity and the options: what a spec's key holds
    std::int64_t numDocuments = 0;
};

/// Tokenises and packs a corpus into `cacheFolder`/<contentHash>/, or opens it there when it was packed before.
/// Documents follow each other, each ended by the tokenizer's first EOS where it has one; a text file is cut at blank lines into documents of about
/// 64 KiB, so that memory does not grow with the corpus. \param progress  bytes done and in all; may be empty.
/// \throws Error(BadFile) naming file and line, for what is not UTF-8, too, and when a split would be empty; Error(Usage) for options out of range; Error(Cancelled).
[[nodiscard]] PackedCorpus packCorpus(const CorpusOptions &options, const Tokenizer &tokenizer, const std::filesystem::path &cacheFolder,
                                      const std::function<void(std::int64_t, std::int64_t)> &progress = {}, std::stop_token stop = {});

/// Refuses what packCorpus would before it reads a text: options out of range, files that are not there, texts without a byte. \throws as packCorpus
void checkCorpus(const CorpusOptions &options);

/// The first `tokens` tokens of the split that packCorpus would hold out, or all there are, without packing: refuses what packCorpus would. Of a corpus above 16 MiB it reads
/// until it has them and some training text, so that what is bad further on is found in packing alone. \throws Error as packCorpus
[[nodiscard]] std::vector<TokenId> beginningOfHeldOut(const CorpusOptions &options, const Tokenizer &tokenizer, std::int64_t tokens, const std::stop_token &stop = {});

/// The content hash that packCorpus would give, without packing.
[[nodiscard]] std::string corpusHash(const CorpusOptions &options, const Tokenizer &tokenizer, const std::stop_token &stop = {});

/// Calls `visit(text, bytesRead)` for every document of a file or folder, in order, until it says false. What packing reads through.
void visitDocuments(const std::vector<std::filesystem::path> &inputs, const std::string &jsonField,
                    const std::function<bool(const std::string &text, std::int64_t bytesRead)> &visit);

/// Position `index` of the `epoch`-th pass over `size` items in an order that `seed` decides: a permutation per epoch, without a table.
[[nodiscard]] std::int64_t shuffledIndex(std::uint64_t seed, std::int64_t epoch, std::int64_t index, std::int64_t size);

}  // namespace stillroom::text
