// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiment/distinction.h"

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

/// What tells an experiment from others: "Stage 1 › Steps 200 · seed 3"; empty where nothing does.
[[nodiscard]] QString distinctionText(const std::vector<experiment::SpecValue> &distinction);
/// The same of each of some siblings; those that are left alike are told apart by their runs. \param runs  UUIDs, one of each
[[nodiscard]] std::vector<QString> distinctionTexts(const std::vector<experiment::Sibling> &siblings, const std::vector<std::string> &runs);

struct SpecFieldText {
    QString name, value;
};
/// Those that are not as its kind has them where nothing is said, less its kind, what changes no number (name, notes, threads) and which layers it keeps. \param spec  completed
[[nodiscard]] std::vector<SpecFieldText> changedFields(const nlohmann::json &spec);

}  // namespace stillroom::widgets
