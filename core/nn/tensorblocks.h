// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace stillroom::nn {

/// From here on large tensors on the CPU lie in the process's `largeBlocks` (largeblocks.h), small ones where LibTorch puts them. In the C library's heap the gradients of
/// one layer, which stay, are cut out of the place of its activations, and those of the next layer do not fit there any more: stage 1 grew by several times what it
/// holds at once. For programs: called first in main.
void keepTensorsInLargeBlocks();

}  // namespace stillroom::nn
