// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

/// A spec as a list of fields, in words for people.
namespace stillroom::widgets {

/// Every innermost field and its value, by path: "data.recall.pairs".
[[nodiscard]] std::map<std::string, nlohmann::json> flatFields(const nlohmann::json &spec);
[[nodiscard]] QString specFieldName(const std::string &path);                                    ///< "Stage 1 › Steps"
[[nodiscard]] QString specValueText(const std::string &path, const nlohmann::json &value);       ///< "GDN", "0, 4", "yes"

struct SpecFieldText {
    QString name, value;
};
/// Those that are not as its kind has them where nothing is said, less its kind, what changes no number (name, notes, threads) and which layers it keeps. \param spec  completed
[[nodiscard]] std::vector<SpecFieldText> changedFields(const nlohmann::json &spec);

}  // namespace stillroom::widgets
