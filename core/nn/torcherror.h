// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "error.h"

#include <c10/util/Exception.h>

#include <new>
#include <stop_token>
#include <string>
#include <utility>

/// The edge between LibTorch's exceptions and ours, for every room that touches a tensor.
namespace stillroom::nn {

/// Runs `work`; what LibTorch throws leaves as Error: OutOfMemory where an allocation failed, else Failed with LibTorch's text as detail.
/// \param what  completes "… failed": "The forward pass".
template <typename Work>
decltype(auto) asStillroomError(const char *what, Work &&work)
{
    try {
        return std::forward<Work>(work)();
    } catch (const c10::OutOfMemoryError &error) {
        throw Error(ErrorCode::OutOfMemory, std::string(what) + " ran out of device memory: lower the batch size or the sequence length.", error.what());
    } catch (const c10::Error &error) {
        const std::string detail = error.what();
        // The heap says it in the one way, its own allocator in the other.
        if (detail.find("not enough memory") != std::string::npos || detail.find("can't allocate memory") != std::string::npos) {
            throw Error(ErrorCode::OutOfMemory, std::string(what) + " ran out of memory: lower the batch size or the sequence length.", detail);
        }
        throw Error(ErrorCode::Failed, std::string(what) + " failed inside LibTorch: " + error.what_without_backtrace(), detail);
    } catch (const std::bad_alloc &error) {
        throw Error(ErrorCode::OutOfMemory, std::string(what) + " ran out of memory: lower the batch size or the sequence length.", error.what());
    }
}

/// \throws Error(Cancelled) once a stop was requested.
inline void throwIfStopped(const std::stop_token &stop)
{
    if (stop.stop_requested()) {
        throw Error(ErrorCode::Cancelled, "Stopped on request.");
    }
}

}  // namespace stillroom::nn
