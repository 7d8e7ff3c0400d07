// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include "recurrence/arguments.h"

namespace stillroom::recurrence {

/// Packed documents as the chunked form needs them. Segment s is the s-th document of a batch row; padding belongs to the
/// document before it (at the left: to the first), so a state is handed through padding unchanged.
struct Segments {
    at::Tensor padding_BT;  ///< bool: the token is padding
    at::Tensor segment_BT;  ///< int64, non-decreasing from 0
    [[nodiscard]] bool defined() const { return segment_BT.defined(); }
};

/// Nothing if `documents_BT` is undefined. No host synchronisation.
[[nodiscard]] Segments segmentsOf(const at::Tensor &documents_BT);

/// Segments by chunk row, for masks. Legend: L = N·B·H chunk-heads (chunk-major), C rows.
struct ChunkSegments {
    at::Tensor sameSegment_LCC;  ///< bool: reader row r and writer row i are of one document
    at::Tensor seesStart_LC1;    ///< bool: row is of the document that the chunk's incoming state belongs to
    at::Tensor reachesEnd_LC1;   ///< bool: row is of the document that the chunk's outgoing state belongs to
    at::Tensor carried_L11;      ///< bool: incoming and outgoing state belong to one document
    [[nodiscard]] bool defined() const { return sameSegment_LCC.defined(); }
};

[[nodiscard]] ChunkSegments chunkSegments(const Segments &segments, const Form &form);

}  // namespace stillroom::recurrence
