// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

#include "recurrence/kinds.h"

/// The CPU form of the chunked recurrence: one batch row and head at a time, chunk after chunk, so that everything but inputs and
/// outputs stays in the core's own cache. Torch-free; compiled once per instruction set.
namespace stillroom::recurrence {

/// One head of one batch row. Pointers are to its first token; rows of a token are contiguous.
template <typename T>
struct HeadCall {
    std::int64_t tokens = 0, keyDim = 0, valueDim = 0, chunkLength = 64;
    DecayKind decay = DecayKind::None;
    Writing writing = Writing::Additive;
    bool readsAfterWrite = true;
    std::int64_t keyStride = 0, valueStride = 0, decayStride = 0;  ///< elements from one token to the next

    const T *q = nullptr, *k = nullptr, *v = nullptr, *g = nullptr, *a = nullptr, *b = nullptr;
    const T *initialState = nullptr;            ///< [K,V]; null: zero
    const std::int32_t *segments = nullptr;     ///< [tokens], non-decreasing from 0; null: one document, no padding
    const unsigned char *isPadding = nullptr;   ///< [tokens]; given with segments

    T *starts = nullptr;            ///< state at each chunk's start [K,V]: written by the forward (unless null), read by the backward
    std::int64_t startsStride = 0;  ///< elements from one chunk's state to the next

    T *o = nullptr, *finalState = nullptr;                          ///< forward's results
    const T *oGrad = nullptr, *finalStateGrad = nullptr;            ///< backward's inputs; null: zero
    T *qGrad = nullptr, *kGrad = nullptr, *vGrad = nullptr, *gGrad = nullptr, *aGrad = nullptr, *bGrad = nullptr;
    T *initialStateGrad = nullptr;  ///< [K,V]

    void *scratch = nullptr;        ///< of the kernel's scratchBytes, 64-byte aligned
    bool (*stopRequested)(const void *) = nullptr;  ///< asked between chunks
    const void *stopContext = nullptr;
};

/// One instruction set's functions. Both passes return false if they were stopped.
template <typename T>
struct HeadKernel {
    std::size_t (*scratchBytes)(const HeadCall<T> &);
    bool (*forward)(const HeadCall<T> &);
    bool (*backward)(const HeadCall<T> &);
};

struct HeadKernels {
    const char *instructionSet;
    HeadKernel<float> single;
    HeadKernel<double> wide;
};

/// The best set that this processor runs, chosen once. The environment variable STILLROOM_INSTRUCTION_SET (baseline, avx2, avx512)
/// asks for no more than its value: results of one set are the same bits on every machine with the same number of threads.
[[nodiscard]] const HeadKernels &headKernels();

}  // namespace stillroom::recurrence
