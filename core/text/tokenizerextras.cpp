// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/tokenizerextras.h"

#include "checkpoint/boundedjson.h"
#include "error.h"
#include "text/tokenizerjson.h"
#include "text/utf8.h"

#include <algorithm>

namespace stillroom::text {

namespace {

using nlohmann::json;

constexpr std::uintmax_t mostCompanionBytes = 16U * 1024U * 1024U;

json readJson(const std::filesystem::path &path)
{
    std::error_code error;
    if (!std::filesystem::exists(path, error)) {
        return nullptr;
    }
    json file = checkpoint::readJsonFile(path);
    if (!file.is_object()) {
        throw Error(ErrorCode::BadFile, path.string() + " is not a JSON object; replace it by an undamaged copy.");
    }
    return file;
}

// `chat_template` is Jinja source, or a list of named ones of which "default" counts.
std::optional<std::string> templateIn(const json &config)
{
    const auto found = config.is_object() ? config.find("chat_template") : config.end();
    if (!config.is_object() || found == config.end()) {
        return std::nullopt;
    }
    if (found->is_string()) {
        return found->get<std::string>();
    }
    if (found->is_array()) {
        for (const json &entry : *found) {
            if (entry.is_object() && entry.contains("template") && entry.at("template").is_string() && tokenText(entry, "name") == "default") {
                return entry.at("template").get<std::string>();
            }
        }
    }
    return std::nullopt;
}

}  // namespace

CompanionFiles readCompanions(const std::filesystem::path &folder)
{
    CompanionFiles files;
    files.config = readJson(folder / "tokenizer_config.json");
    files.specialTokens = readJson(folder / "special_tokens_map.json");
    files.addedTokens = readJson(folder / "added_tokens.json");
    files.generation = readJson(folder / "generation_config.json");
    std::error_code error;
    if (std::filesystem::exists(folder / "chat_template.jinja", error)) {
        files.chatTemplate = repairUtf8(readTextFile(folder / "chat_template.jinja", mostCompanionBytes));
    } else {
        files.chatTemplate = templateIn(files.config);
    }
    return files;
}

std::optional<std::string> tokenText(const json &file, const char *name)
{
    if (!file.is_object()) {
        return std::nullopt;
    }
    const auto found = file.find(name);
    if (found == file.end()) {
        return std::nullopt;
    }
    if (found->is_string()) {
        return found->get<std::string>();
    }
    return found->is_object() ? tokenText(*found, "content") : std::nullopt;
}

TokenizerExtras makeExtras(const CompanionFiles &files, const std::function<std::optional<TokenId>(std::string_view)> &idOf)
{
    TokenizerExtras extras;
    extras.chatTemplate = files.chatTemplate;
    const auto named = [&](const char *name) -> std::optional<TokenId> {
        const json &from = files.config.is_object() && files.config.contains(name) ? files.config : files.specialTokens;
        const std::optional<std::string> text = tokenText(from, name);
        return text ? idOf(*text) : std::nullopt;
    };
    extras.bosId = named("bos_token");
    if (const auto eos = named("eos_token")) {
        extras.eosIds.push_back(*eos);
    }
    if (files.generation.is_object() && files.generation.contains("eos_token_id")) {
        const json &field = files.generation.at("eos_token_id");
        for (const json &id : field.is_array() ? field : json::array({field})) {
            if (id.is_number_unsigned() && id.get<std::uint64_t>() < TokenTable::idLimit &&
                std::ranges::find(extras.eosIds, id.get<TokenId>()) == extras.eosIds.end()) {
                extras.eosIds.push_back(id.get<TokenId>());
            }
        }
    }
    return extras;
}

}  // namespace stillroom::text
