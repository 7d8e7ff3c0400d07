// SPDX-License-Identifier: GPL-3.0-or-later
#include "choices/uniform.h"

#include "error.h"

#include <algorithm>

namespace stillroom::choices {
namespace {

/// {first, first + s, …} within `length` layers.
experiment::LayerSet startAligned(int first, int length, int keep)
{
    const int wide = (length + keep - 1) / keep;
    const int stride = (keep - 1) * wide < length ? wide : length / keep;
    experiment::LayerSet layers;
    for (int i = 0; i < keep; ++i)
        layers.push_back(first + i * stride);
    return layers;
}

experiment::LayerSet endAligned(int numLayers, int keep)
{
    experiment::LayerSet layers = startAligned(0, numLayers, keep);
    std::reverse(layers.begin(), layers.end());
    for (int &layer : layers)
        layer = numLayers - 1 - layer;
    return layers;
}

experiment::LayerSet rounded(int numLayers, int keep)
{
    if (keep == 1)
        return {numLayers / 2};
    experiment::LayerSet layers;
    for (int i = 0; i < keep; ++i)
        layers.push_back((2 * i * (numLayers - 1) + keep - 1) / (2 * (keep - 1)));
    return layers;
}

}  // namespace

experiment::LayerSet uniformGrid(Grid grid, int numLayers, int keep)
{
    experiment::checkNumLayers(numLayers);
    const int first = grid == Grid::LatterHalf ? numLayers / 2 : 0;
    if (keep < 0 || keep > numLayers - first)
        throw Error(ErrorCode::Usage, "K is " + std::to_string(keep) + ", but " + gridName(grid) + " of " + std::to_string(numLayers) + " layers keeps 0 to " + std::to_string(numLayers - first));
    if (keep == 0)
        return {};
    switch (grid) {
    case Grid::End: return endAligned(numLayers, keep);
    case Grid::Rounded: return rounded(numLayers, keep);
    case Grid::Start:
    case Grid::LatterHalf: break;
    }
    return startAligned(first, numLayers - first, keep);
}

std::string gridName(Grid grid)
{
    switch (grid) {
    case Grid::Start: return "uniform-start";
    case Grid::End: return "uniform-end";
    case Grid::Rounded: return "uniform-rounded";
    case Grid::LatterHalf: break;
    }
    return "uniform-latter-half";
}

std::optional<Grid> gridFromName(std::string_view name)
{
    for (const Grid grid : grids())
        if (gridName(grid) == name)
            return grid;
    return std::nullopt;
}

const std::vector<Grid> &grids()
{
    static const std::vector<Grid> all{Grid::Start, Grid::End, Grid::Rounded, Grid::LatterHalf};
    return all;
}

}  // namespace stillroom::choices
