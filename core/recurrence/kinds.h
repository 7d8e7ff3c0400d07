// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// The variants of the recurrence, without any tensor library: the CPU kernel is compiled apart from it.
namespace stillroom::recurrence {

enum class DecayKind { None, Scalar, Channel };

enum class Writing {
    Additive,  ///< S' = … + k v^T
    Tied,      ///< … + k (v + S^T a)^T: a delta rule
    General,   ///< … + k v^T + b (S^T a)^T
};

}  // namespace stillroom::recurrence
