// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/colours.h"

namespace stillroom::report {

std::string mixerColour(const std::string &mixer)
{
    if (mixer == "softmax")
        return "0072B2";
    if (mixer == "gdn")
        return "009E73";
    return mixer == "gla" ? "D55E00" : "CC79A7";
}

}  // namespace stillroom::report
