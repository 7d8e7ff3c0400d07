// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

namespace stillroom::cli {

/// Held-out KL of the students that keep one layer, and of the one that keeps none, at the last evaluation that all of them have.
struct KeptAloneKl {
    std::vector<std::vector<double>> kl_LS;      ///< by layer and sequence, nats per token; empty for a layer that is missing
    std::vector<double> allLinear_S;             ///< empty where it was not measured
};

/// \param curves  the list in curves.json of a score stage; students of other sets are passed over. \throws Error(BadFile)
[[nodiscard]] KeptAloneKl keptAloneKl(const nlohmann::json &curves, int numLayers);

}  // namespace stillroom::cli
