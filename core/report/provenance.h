// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiment/stagesource.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace stillroom::report {

struct Table;

/// A hybrid that was distilled, where its KL is shown.
struct HybridShown {
    experiment::StageSource source;
    int keep = 0;                                                     ///< K
    double klNats = 0.0, seNats = 0.0;                                ///< nats per token; NaN for an SE of one sequence
    std::int64_t n = 0;                                               ///< sequences
};

/// Where a figure or table came from. It goes into the metadata of every file that has room for it, and into a JSON file beside it.
struct Provenance {
    std::string title;                                                ///< what is shown
    std::string version;                                              ///< of the program
    std::vector<std::string> runs, keys;                              ///< UUIDs; keys of the stages, which hash their specs
    std::vector<std::int64_t> seeds;
    std::vector<std::pair<std::string, std::string>> settings;        ///< filters, smoothing, K and the like, in the order of their names
    std::string date;                                                 ///< "2026-12-01", only where somebody gave it: without it equal input makes equal bytes
    std::vector<HybridShown> hybrids = {};                            ///< each with its run, which is among `runs`, too
};

/// A second scoring that is shown beside the first: its run, key (may be empty) and seed, each once, and its name and mixer among the settings.
void addOverlay(Provenance &provenance, const std::string &name, const std::string &mixer, const std::string &run, const std::string &key, std::int64_t seed);

/// Hybrids that are shown: their runs and keys, each once, and what was measured.
void addHybrids(Provenance &provenance, const std::vector<HybridShown> &hybrids);

/// One line for the metadata of a file: "Stillroom 0.1 · runs 1a2b3c4d… · K = 4".
[[nodiscard]] std::string provenanceLine(const Provenance &provenance);
/// JSON with a newline at its end.
[[nodiscard]] std::string provenanceJson(const Provenance &provenance);
/// YYYY-MM-DD. \throws Error(Usage) for anything else but nothing
void checkDate(const std::string &date);

}  // namespace stillroom::report
