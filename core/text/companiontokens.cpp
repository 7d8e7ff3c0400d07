// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/companiontokens.h"

#include "error.h"
#include "shownname.h"

#include <algorithm>

namespace stillroom::text {

namespace {

using nlohmann::json;

AddedToken tokenFrom(const std::string &content, const json &flags, bool special)
{
    const auto flag = [&](const char *name, bool otherwise) {
        return flags.is_object() && flags.contains(name) && flags.at(name).is_boolean() ? flags.at(name).get<bool>() : otherwise;
    };
    AddedToken token;
    token.content = content;
    token.singleWord = flag("single_word", false);
    token.leftStrip = flag("lstrip", false);
    token.rightStrip = flag("rstrip", false);
    token.special = flag("special", special);
    token.normalized = flag("normalized", !token.special);
    return token;
}

void addOnce(std::vector<CompanionToken> &list, CompanionToken token)
{
    if (std::ranges::none_of(list, [&](const CompanionToken &known) { return known.token.content == token.token.content; })) {
        list.push_back(std::move(token));
    }
}

std::vector<CompanionToken> numberedTokens(const CompanionFiles &files)
{
    std::vector<CompanionToken> numbered;
    if (files.config.is_object() && files.config.contains("added_tokens_decoder") && files.config.at("added_tokens_decoder").is_object()) {
        for (const auto &[key, token] : files.config.at("added_tokens_decoder").items()) {
            const std::optional<std::string> content = token.is_object() ? tokenText(token, "content") : std::nullopt;
            if (!content || key.empty() || key.size() > 9 || key.find_first_not_of("0123456789") != std::string::npos) {
                throw Error(ErrorCode::BadFile, "The tokenizer_config.json holds an added token without an id or a text; use the model's own tokenizer files.");
            }
            numbered.push_back({tokenFrom(*content, token, false), std::stoull(key)});
        }
    } else if (files.addedTokens.is_object()) {
        for (const auto &[content, id] : files.addedTokens.items()) {
            if (!id.is_number_unsigned()) {
                throw Error(ErrorCode::BadFile, "The added_tokens.json gives the token '" + shownName(content) + "' something that is not an id; use the model's own tokenizer files.");
            }
            numbered.push_back({tokenFrom(content, nullptr, false), id.get<std::uint64_t>()});
        }
    }
    std::ranges::sort(numbered, {}, [](const CompanionToken &token) { return *token.id; });
    return numbered;
}

}  // namespace

std::vector<CompanionToken> companionTokens(const CompanionFiles &files)
{
    std::vector<CompanionToken> list;
    for (CompanionToken &token : numberedTokens(files)) {
        addOnce(list, std::move(token));
    }
    for (const char *name : {"bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token"}) {
        const json &from = files.config.is_object() && files.config.contains(name) ? files.config : files.specialTokens;
        if (const auto content = tokenText(from, name)) {
            addOnce(list, {tokenFrom(*content, from.at(name), true), std::nullopt});
        }
    }
    return list;
}

}  // namespace stillroom::text
