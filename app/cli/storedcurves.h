// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/layersamples.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <vector>

namespace stillroom::cli {

/// Held-out KL of the students that keep one layer, and of the one that keeps none, at the last evaluation that all of them have.
struct KeptAloneKl {
    std::vector<std::vector<double>> kl_LS;      ///< by layer and sequence, nats per token; empty for a layer that is missing
    std::vector<double> allLinear_S;             ///< empty where it was not measured
};

/// curves.json of a score stage: what it keeps of every layer and held-out sequence. What cannot be read is said of the file, and what to do about it.
class StoredCurves final {
public:
    /// \throws Error(BadFile), here as below
    explicit StoredCurves(std::filesystem::path file);

    /// Students of other sets are passed over.
    [[nodiscard]] KeptAloneKl keptAlone(int numLayers) const;
    /// What the scores are means of (of stages that did not keep samples: the KL of the students that keep one layer); nothing where a layer is missing.
    [[nodiscard]] std::optional<analysis::LayerSamples> samples(int numLayers) const;
    /// Runs `read`, whose failure is one of the file.
    void reading(const std::function<void()> &read) const;

private:
    [[nodiscard]] KeptAloneKl keptAloneOf(int numLayers) const;

    std::filesystem::path m_file;
    std::shared_ptr<const nlohmann::json> m_json;
};

}  // namespace stillroom::cli
