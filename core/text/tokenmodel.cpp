// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/tokenmodel.h"

#include "error.h"
#include "shownname.h"
#include "text/bpemodel.h"
#include "text/tokenizerfields.h"

namespace stillroom::text {

namespace {

// Words as they stand, or the unknown token.
class WordLevelModel final : public TokenModel {
public:
    WordLevelModel(TokenTable vocabulary, std::string unknown) : m_vocabulary(std::move(vocabulary)), m_unknown(std::move(unknown)), m_unknownId(m_vocabulary.find(m_unknown)) {}

    void encode(std::string_view piece, EncodeScratch & /*scratch*/, std::vector<std::uint32_t> &out) const override
    {
        const auto id = m_vocabulary.find(piece);
        if (!id && !m_unknownId) {
            throw Error(ErrorCode::Usage, "The tokenizer has no token for '" + shownName(piece) + "' and no unknown token to put in its place; use the model's own tokenizer file.");
        }
        out.push_back(id ? *id : *m_unknownId);
    }
    [[nodiscard]] const TokenTable &vocabulary() const noexcept override { return m_vocabulary; }
    [[nodiscard]] std::optional<std::uint32_t> unknownId() const noexcept override { return m_unknownId; }
    [[nodiscard]] std::string description() const override { return "WordLevel, " + std::to_string(m_vocabulary.size()) + " words"; }
    void appendIdentity(std::string &out) const override { out += "wordlevel\n" + m_unknown; }

private:
    TokenTable m_vocabulary;
    std::string m_unknown;
    std::optional<std::uint32_t> m_unknownId;
};

// An absent affix and an empty one are the same to the library's results.
std::optional<std::string> textOrNone(const ComponentFields &fields, const char *name)
{
    return fields.find(name) == nullptr ? std::nullopt : std::optional(fields.string(name));
}

std::unique_ptr<const TokenModel> makeBpe(TokenizerJson &file, const ComponentFields &fields, bool rawBytes)
{
    if (const nlohmann::json *dropout = fields.find("dropout"); dropout != nullptr && (!dropout->is_number() || dropout->get<double>() != 0.0)) {
        fields.unsupported("BPE with dropout, whose ids are random");
    }
    BpeOptions options;
    options.unknownToken = textOrNone(fields, "unk_token");
    options.continuingPrefix = textOrNone(fields, "continuing_subword_prefix");
    options.endOfWordSuffix = textOrNone(fields, "end_of_word_suffix");
    options.fuseUnknown = fields.flag("fuse_unk", false);
    options.byteFallback = fields.flag("byte_fallback", false);
    options.ignoreMerges = fields.flag("ignore_merges", false);
    options.rawBytes = rawBytes;
    for (auto *affix : {&options.continuingPrefix, &options.endOfWordSuffix}) {
        if (*affix && (*affix)->empty()) {
            affix->reset();
        }
    }
    return std::make_unique<BpeModel>(std::move(file.vocabulary), file.merges, std::move(options));
}

}  // namespace

std::unique_ptr<const TokenModel> makeTokenModel(TokenizerJson &file, bool rawBytes)
{
    const auto node = file.rest.find("model");
    if (node == file.rest.end()) {
        throw Error(ErrorCode::BadFile, "The tokenizer has no model; use the model's own tokenizer file.");
    }
    const ComponentFields fields(*node, "model");
    // Early files have no type; only BPE holds merges.
    const std::string type = fields.string("type", file.merges.size() > 0 ? "BPE" : "");
    if (type != "BPE" && type != "WordLevel") {
        fields.unsupported(type.empty() ? "of no named type" : "of type '" + shownName(type) + "'" + (type == "Unigram" ? " (its tokenizer.model, if there is one, can be read)" : ""));
    }
    if (file.vocabularyIsList || file.vocabulary.size() == 0) {
        fields.bad("has no vocabulary of tokens and ids");
    }
    if (type == "BPE") {
        return makeBpe(file, fields, rawBytes);
    }
    if (rawBytes) {
        fields.unsupported("WordLevel behind a ByteLevel pre-tokenizer");
    }
    return std::make_unique<WordLevelModel>(std::move(file.vocabulary), fields.string("unk_token", "<unk>"));
}

}  // namespace stillroom::text
