// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

namespace stillroom::calibration {

/// \throws Error(Usage) where the student has not a multiple of the teacher's heads, or heads of another width: their contexts cannot be compared.
void requireComparableHeads(std::int64_t teacherHeads, std::int64_t teacherWidth, std::int64_t studentHeads, std::int64_t studentWidth);

/// How a student's contexts o stand to the teacher's y, head by head: the sums over tokens and channels from which everything else follows, in float64.
class ContextFit final {
public:
    /// \param teacher_NHV, student_NHV  contexts of the tokens that count. Where the student has several heads to one of the teacher, each is compared with it.
    /// \throws Error(Usage) for head counts or widths that cannot be compared.
    void add(const at::Tensor &teacher_NHV, const at::Tensor &student_NHV);
    /// σ = Σ y·o / max(Σ o², 1e-8) for each of `states` heads: the factor on o that comes nearest to y in the least-squares sense, not clamped.
    [[nodiscard]] std::vector<double> scales(std::size_t states) const;
    /// Σ y·o / √(Σ y² Σ o²), −1 … 1; 0 where one of them is zero. No factor on o changes it.
    [[nodiscard]] std::vector<double> cosines(std::size_t states) const;
    /// RMS of o over tokens and channels.
    [[nodiscard]] std::vector<double> studentRms(std::size_t states) const;

private:
    [[nodiscard]] std::vector<double> sums(const at::Tensor &perHead, std::size_t states) const;
    at::Tensor m_cross_H, m_teacher_H, m_student_H;   ///< Σ y·o, Σ y², Σ o², on the CPU
    double m_count = 0.0;                             ///< tokens · channels
};

}  // namespace stillroom::calibration
