// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/colours.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace stillroom::report {

std::string mixerColour(const std::string &mixer)
{
    if (mixer == "softmax")
        return "0072B2";
    if (mixer == "gdn")
        return "009E73";
    return mixer == "gla" ? "D55E00" : "CC79A7";
}

unsigned sequentialRgb(double share)
{
    static constexpr std::array<unsigned, 9> nodes{0x440154, 0x472d7b, 0x3b528b, 0x2c728e, 0x21918c, 0x28ae80, 0x5ec962, 0xaddc30, 0xfde725};
    constexpr auto steps = static_cast<int>(nodes.size()) - 1;
    const double at = std::clamp(share, 0.0, 1.0) * steps;
    const int below = std::min(static_cast<int>(at), steps - 1);
    const double part = at - below;
    unsigned mixed = 0;
    for (const int shift : {16, 8, 0}) {
        const auto channel = [&](int node) { return static_cast<double>((nodes[static_cast<std::size_t>(node)] >> shift) & 0xffU); };
        mixed |= static_cast<unsigned>(std::lround(channel(below) * (1.0 - part) + channel(below + 1) * part)) << shift;
    }
    return mixed;
}

std::string hexOf(unsigned rgb)
{
    std::array<char, 8> text{};
    std::snprintf(text.data(), text.size(), "%06X", rgb & 0xffffffU);
    return text.data();
}

}  // namespace stillroom::report
