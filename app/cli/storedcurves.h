// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/layersamples.h"
#include "comparison/keptalone.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <vector>

namespace stillroom::cli {

/// curves.json of a score stage: what it keeps of every layer and held-out sequence. What cannot be read is said of the file, and what to do about it.
class StoredCurves final {
public:
    /// \throws Error(BadFile), here as below
    explicit StoredCurves(std::filesystem::path file);

    [[nodiscard]] comparison::KeptAloneKl keptAlone(int numLayers) const;
    /// What the scores are means of (of stages that did not keep samples: the KL of the students that keep one layer); nothing where a layer is missing.
    [[nodiscard]] std::optional<analysis::LayerSamples> samples(int numLayers) const;
    /// Runs `read`, whose failure is one of the file.
    void reading(const std::function<void()> &read) const;

private:
    std::filesystem::path m_file;
    std::shared_ptr<const nlohmann::json> m_json;
};

}  // namespace stillroom::cli
