// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "error.h"

#include <stop_token>

namespace stillroom::distillation {

/// \throws Error(Cancelled) once a stop was requested.
inline void throwIfStopped(const std::stop_token &stop)
{
    if (stop.stop_requested())
        throw Error(ErrorCode::Cancelled, "The training was stopped on request.");
}

}  // namespace stillroom::distillation
