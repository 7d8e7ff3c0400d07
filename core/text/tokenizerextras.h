// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "text/tokenizer.h"

#include <functional>

#include <nlohmann/json.hpp>

namespace stillroom::text {

/// What the files beside a tokenizer say about it.
struct TokenizerExtras {
    std::optional<TokenId> bosId;
    std::vector<TokenId> eosIds;
    std::optional<std::string> chatTemplate;
};

/// The small files of a Hugging Face folder; null where a file is absent.
struct CompanionFiles {
    nlohmann::json config;             ///< tokenizer_config.json
    nlohmann::json specialTokens;      ///< special_tokens_map.json
    nlohmann::json addedTokens;        ///< added_tokens.json
    nlohmann::json generation;         ///< generation_config.json
    std::optional<std::string> chatTemplate;   ///< chat_template.jinja
};

/// \throws Error(BadFile) for a file that is there and cannot be parsed.
[[nodiscard]] CompanionFiles readCompanions(const std::filesystem::path &folder);

/// The text of a token field: a string, or an object with `content`. nullopt when absent or null.
[[nodiscard]] std::optional<std::string> tokenText(const nlohmann::json &file, const char *name);

/// BOS and EOS from tokenizer_config.json, else special_tokens_map.json; more EOS ids from generation_config.json.
[[nodiscard]] TokenizerExtras makeExtras(const CompanionFiles &files, const std::function<std::optional<TokenId>(std::string_view)> &idOf);

}  // namespace stillroom::text
