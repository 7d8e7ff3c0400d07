// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

/// The most heap memory that `new` held at once since the meter was made, above what it held then. One meter at a time.
class AllocationMeter {
public:
    AllocationMeter();
    [[nodiscard]] std::size_t peakBytes() const;

private:
    std::size_t m_start;
};
