// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/corpus.h"

#include "checkpoint/modelfiles.h"
#include "error.h"
#include "text/documents.h"
#include "text/packedwriter.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace stillroom::text {
namespace fs = std::filesystem;
namespace {

constexpr int packingSchema = 2;      // 2: long lines are cut, of a small corpus one document is held out

constexpr std::int64_t smallCorpusBytes = 16 << 20;

/// The first 53 bits of the text's hash as a fraction in [0, 1): a document is held out when it lies below the wanted share.
double hashFraction(const std::string &text)
{
    const std::string hash = checkpoint::sha256(text);
    const auto bits = std::stoull(hash.substr(0, 13), nullptr, 16) << 1;
    return static_cast<double>(bits) / 9007199254740992.0;
}

std::int64_t totalBytes(const std::vector<fs::path> &inputs)
{
    std::int64_t sum = 0;
    for (const fs::path &file : textFiles(inputs))
        sum += static_cast<std::int64_t>(fs::file_size(file));
    return sum;
}

void checkOptions(const CorpusOptions &options)
{
    if (options.inputs.empty())
        throw Error(ErrorCode::Usage, "the corpus names no text: give at least one file or folder");
    if (options.sequenceLength < 2 || options.sequenceLength > (1 << 24))
        throw Error(ErrorCode::Usage, "sequence_length is " + std::to_string(options.sequenceLength) + ": it must lie between 2 and 16777216 tokens");
    if (!(options.heldOutFraction >= 0.0 && options.heldOutFraction < 1.0))
        throw Error(ErrorCode::Usage, "held_out_fraction must be at least 0 and below 1");
}

/// Documents with a fraction below this are held out: the wanted share; in a small corpus where chance gives it no document, so much that one is.
double heldOutLimit(const CorpusOptions &options)
{
    if (options.heldOutFraction == 0.0 || !options.heldOutInputs.empty() || totalBytes(options.inputs) > smallCorpusBytes)
        return options.heldOutFraction;
    std::int64_t documents = 0;
    double lowest = 1.0;
    visitDocuments(options.inputs, options.jsonField, [&](const std::string &text, std::int64_t) {
        ++documents;
        lowest = std::min(lowest, hashFraction(text));
        return true;
    });
    if (documents == 1)
        throw Error(ErrorCode::BadFile, "the corpus is one document, of which nothing can be held out: name another text in data.held_out_files, or give more documents");
    return std::max(options.heldOutFraction, std::nextafter(lowest, 1.0));
}

void refuseEmpty(const std::vector<fs::path> &inputs)
{
    const std::vector<fs::path> files = textFiles(inputs);
    if (!files.empty() && totalBytes(inputs) == 0)
        throw Error(ErrorCode::BadFile, files.front().string() + (files.size() > 1 ? " and the other texts are" : " is") + " empty: give a text with words in it");
}

void requireSplits(bool hasTraining, bool hasHeldOut, const CorpusOptions &options)
{
    if (!hasTraining)
        throw Error(ErrorCode::BadFile, "the corpus leaves no training text: give more text, or lower data.held_out_fraction");
    if (!hasHeldOut && (options.heldOutFraction > 0.0 || !options.heldOutInputs.empty()))
        throw Error(ErrorCode::BadFile, "the corpus leaves no held-out text: give more text, raise data.held_out_fraction, or name a text in data.held_out_files");
}

enum class Split { Training, HeldOut };

/// Every document and where it belongs, in the order in which splits are packed, until `visit(split, text, bytesRead)` says false. 	hrows Error(Cancelled)
void visitSplits(const CorpusOptions &options, const std::stop_token &stop, const std::function<bool(Split, const std::string &, std::int64_t)> &visit)
{
    const double limit = heldOutLimit(options);
    const auto goOn = [&](Split split, const std::string &text, std::int64_t bytesRead) {
        if (stop.stop_requested())
            throw Error(ErrorCode::Cancelled, "reading the corpus was cancelled");
        return visit(split, text, bytesRead);
    };
    bool wantsMore = true;
    visitDocuments(options.inputs, options.jsonField, [&](const std::string &text, std::int64_t bytesRead) {
        wantsMore = goOn(hashFraction(text) < limit ? Split::HeldOut : Split::Training, text, bytesRead);
        return wantsMore;
    });
    const std::int64_t before = wantsMore ? totalBytes(options.inputs) : 0;
    if (wantsMore)
        visitDocuments(options.heldOutInputs, options.jsonField, [&](const std::string &text, std::int64_t bytesRead) { return goOn(Split::HeldOut, text, before + bytesRead); });
}

/// A document as it is packed: ended by the first EOS there is; nothing for one without a token.
std::vector<TokenId> documentTokens(const Tokenizer &tokenizer, const std::string &text)
{
    std::vector<TokenId> ids = tokenizer.encode(text);
    if (const std::vector<TokenId> eos = tokenizer.eosIds(); !ids.empty() && !eos.empty())
        ids.push_back(eos.front());
    return ids;
}

}  // namespace

void checkCorpus(const CorpusOptions &options)
{
    checkOptions(options);
    refuseEmpty(options.inputs);
    refuseEmpty(options.heldOutInputs);
}

std::string corpusHash(const CorpusOptions &options, const Tokenizer &tokenizer, const std::stop_token &stop)
{
    checkOptions(options);
    nlohmann::json described = {{"schema", packingSchema}, {"tokenizer", tokenizer.identity()}, {"field", options.jsonField},
                                {"sequence_length", options.sequenceLength}, {"held_out_fraction", options.heldOutFraction}};
    for (const auto &[name, inputs] : {std::pair("inputs", &options.inputs), std::pair("held_out", &options.heldOutInputs)}) {
        described[name] = nlohmann::json::array();
        for (const fs::path &file : textFiles(*inputs))
            described[name].push_back({checkpoint::fileHash(file, stop), file.extension() == ".jsonl" ? "jsonl" : "text"});
    }
    return checkpoint::sha256(described.dump());
}

std::vector<TokenId> beginningOfHeldOut(const CorpusOptions &options, const Tokenizer &tokenizer, std::int64_t tokens, const std::stop_token &stop)
{
    checkCorpus(options);
    const bool isSmall = totalBytes(options.inputs) + totalBytes(options.heldOutInputs) <= smallCorpusBytes;
    bool hasTraining = false;
    std::vector<TokenId> heldOut;
    const auto wantsHeldOut = [&] { return std::ssize(heldOut) < tokens; };
    visitSplits(options, stop, [&](Split split, const std::string &text, std::int64_t) {
        if (split == Split::HeldOut && wantsHeldOut()) {
            const std::vector<TokenId> ids = documentTokens(tokenizer, text);
            heldOut.insert(heldOut.end(), ids.begin(), ids.end());
        } else if (split == Split::Training && !hasTraining) {
            hasTraining = !documentTokens(tokenizer, text).empty();
        }
        return isSmall || !hasTraining || wantsHeldOut();
    });
    requireSplits(hasTraining, !heldOut.empty(), options);
    heldOut.resize(static_cast<std::size_t>(std::min<std::int64_t>(tokens, std::ssize(heldOut))));
    return heldOut;
}

PackedCorpus packCorpus(const CorpusOptions &options, const Tokenizer &tokenizer, const fs::path &cacheFolder,
                        const std::function<void(std::int64_t, std::int64_t)> &progress, std::stop_token stop)
{
    checkCorpus(options);
    PackedCorpus corpus;
    corpus.contentHash = corpusHash(options, tokenizer, stop);
    const fs::path folder = cacheFolder / corpus.contentHash;
    const fs::path trainingFile = folder / "training.safetensors";
    const fs::path heldOutFile = folder / "held_out.safetensors";
    if (!fs::exists(trainingFile) || !fs::exists(heldOutFile)) {
        PackedWriter training(trainingFile, options.sequenceLength);
        PackedWriter heldOut(heldOutFile, options.sequenceLength);
        const std::int64_t total = totalBytes(options.inputs) + totalBytes(options.heldOutInputs);
        visitSplits(options, stop, [&](Split split, const std::string &text, std::int64_t bytesRead) {
            const std::vector<TokenId> ids = documentTokens(tokenizer, text);
            if (ids.empty())
                return true;
            (split == Split::HeldOut ? heldOut : training).append(ids);
            if (progress)
                progress(bytesRead, total);
            return true;
        });
        training.finish();
        heldOut.finish();
    }
    corpus.training = PackedTokens(trainingFile);
    corpus.heldOut = PackedTokens(heldOutFile);
    requireSplits(corpus.training.numSequences() > 0, corpus.heldOut.numSequences() > 0, options);
    return corpus;
}

PackedTokens::PackedTokens(const fs::path &file) : m_source(checkpoint::openSafetensors(file))
{
    const checkpoint::TensorInfo *tokens = m_source->find("tokens");
    const checkpoint::TensorInfo *count = m_source->find("num_tokens");
    if (!tokens || !count || tokens->dtype != checkpoint::DType::I32 || tokens->shape.size() != 3 || tokens->shape[1] != 2 || count->numElements() != 1)
        throw Error(ErrorCode::BadFile, file.string() + " is not a packed corpus: delete its folder, it will be packed again");
    m_numSequences = tokens->shape[0];
    m_sequenceLength = tokens->shape[2];
    m_source->readInt64("num_tokens", std::span(&m_numTokens, 1));
    m_bytes = m_source->bytes("tokens");
}

void PackedTokens::read(std::int64_t sequence, std::span<TokenId> ids, std::span<std::int64_t> documents) const
{
    const auto length = static_cast<std::size_t>(m_sequenceLength);
    if (sequence < 0 || sequence >= m_numSequences || ids.size() != length || documents.size() != length)
        throw Error(ErrorCode::Usage, "sequence " + std::to_string(sequence) + " is outside the packed corpus of " + std::to_string(m_numSequences) + " sequences");
    const std::size_t rowBytes = length * sizeof(std::int32_t);
    const std::byte *row = m_bytes.data() + static_cast<std::size_t>(sequence) * 2 * rowBytes;
    const auto copy = [&](const std::byte *from, std::span<std::int64_t> to) {
        for (std::size_t t = 0; t < length; ++t) {
            std::int32_t value = 0;
            std::memcpy(&value, from + t * sizeof value, sizeof value);
            to[t] = value;
        }
    };
    copy(row, ids);
    copy(row + rowBytes, documents);
}

std::int64_t shuffledIndex(std::uint64_t seed, std::int64_t epoch, std::int64_t index, std::int64_t size)
{
    if (size <= 0 || index < 0 || index >= size)
        throw Error(ErrorCode::Usage, "index " + std::to_string(index) + " is outside 0 … " + std::to_string(size - 1));
    // A four-round Feistel network on the smallest even number of bits that holds `size`, walked until it lands inside.
    unsigned halfBits = 1;
    while (halfBits < 32 && (std::uint64_t{1} << (2 * halfBits)) < static_cast<std::uint64_t>(size))
        ++halfBits;
    const std::uint64_t mask = (std::uint64_t{1} << halfBits) - 1;
    const auto mix = [](std::uint64_t x) {   // splitmix64's finaliser
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
        x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
        return x ^ (x >> 31);
    };
    const std::uint64_t key = mix(seed + 0x9e3779b97f4a7c15ULL * static_cast<std::uint64_t>(epoch + 1));
    auto value = static_cast<std::uint64_t>(index);
    do {
        std::uint64_t left = value >> halfBits, right = value & mask;
        for (std::uint64_t round = 0; round < 4; ++round) {
            const std::uint64_t next = left ^ (mix(right ^ mix(key + round)) & mask);
            left = right;
            right = next;
        }
        value = (left << halfBits) | right;
    } while (value >= static_cast<std::uint64_t>(size));
    return static_cast<std::int64_t>(value);
}

}  // namespace stillroom::text
