// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiment/score.h"

#include <filesystem>
#include <map>
#include <vector>

namespace stillroom::procedures {

/// What was measured of layer sets so far, by sequence; kept in a file, so that nothing is measured twice.
class SetBook final {
public:
    /// An empty book where there is no such file, or it is damaged: then its sets are measured anew. \throws Error(Io)
    [[nodiscard]] static SetBook read(const std::filesystem::path &file);
    void write(const std::filesystem::path &file) const;

    void add(const std::vector<experiment::LayerSet> &sets, const std::vector<std::vector<double>> &perSequence);
    [[nodiscard]] std::vector<experiment::LayerSet> missing(const std::vector<experiment::LayerSet> &sets) const;
    /// \throws Error(Failed) for a set that was not measured.
    [[nodiscard]] const std::vector<double> &at(const experiment::LayerSet &set) const;
    [[nodiscard]] std::size_t size() const { return m_values.size(); }

private:
    std::map<experiment::LayerSet, std::vector<double>> m_values;
};

}  // namespace stillroom::procedures
