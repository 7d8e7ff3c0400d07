// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "error.h"
#include "experiment/spec.h"

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

/// A kind of spec written as command-line options: every field of its schema is one, so the two cannot drift apart.
namespace stillroom::cli {

struct SpecOption {
    std::string option;                    ///< "--data.sequence-length"
    std::vector<std::string> path;         ///< {"data", "sequence_length"}
    const experiment::Field *field = nullptr;
    std::string help;                      ///< with unit, range, choices and default
    [[nodiscard]] bool isList() const;
};

/// In the schema's order. The list lives as long as the program.
[[nodiscard]] std::vector<SpecOption> specOptions(const experiment::KindSchema &schema);

/// Puts values given as text into the spec: numbers, "true"/"false", comma-separated lists, JSON for free-form objects.
/// \param values  as often as the option was written; only a list's may be more than one, and they follow each other. \throws Error(Usage), also for a list that is empty
/// or has an empty part: "none" says of an optional list that it has nothing in it
void setOption(nlohmann::json &spec, const SpecOption &option, const std::vector<std::string> &values);

/// The same error for a person who wrote options: where its message names a field of the spec (The field "mixer.kind", or data.files within a sentence), the option stands for it.
[[nodiscard]] Error inOptions(const Error &error, const std::vector<SpecOption> &options);

}  // namespace stillroom::cli
