// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/chart.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace stillroom::report {

/// One measure of several runs, a bar for each.
struct RunBarsShown {
    std::string measure, unit;                         ///< unit: empty where the name of the measure has it
    Better better = Better::Neither;
    struct Bar {
        std::string name, colour;                      ///< colour: six hexadecimal digits
        bool hatched = false;
        std::optional<double> value, reach;            ///< none: not measured; reach: half of the 95 % interval, none where it is not known
        std::optional<std::int64_t> n;                 ///< held-out sequences that the interval is over; of perplexity, which has none, the tokens
    };
    std::vector<Bar> bars;                             ///< as they stand side by side, the baseline first
};
/// Bars stand on 0; a run that was not measured has a place and no bar.
[[nodiscard]] Figure runBarsFigure(const RunBarsShown &shown, Provenance provenance);

}  // namespace stillroom::report
