// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

namespace stillroom::comparison {

/// Held-out KL of the students that keep one layer, and of the one that keeps none, at the last evaluation that all of them have.
struct KeptAloneKl {
    std::vector<std::vector<double>> kl_LS;      ///< by layer and sequence, nats per token; empty for a layer that is missing
    std::vector<double> allLinear_S;             ///< empty where it was not measured
    [[nodiscard]] bool isWhole() const;          ///< every layer is there, and the all-linear student
};

/// Students of other sets, and those that were never measured, are passed over. \param curves  as a score stage's curves.json lists them
/// \throws Error(BadFile) as experiment::studentKlFromJson
[[nodiscard]] KeptAloneKl keptAlone(const nlohmann::json &curves, int numLayers);

}  // namespace stillroom::comparison
