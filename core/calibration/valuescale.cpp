// SPDX-License-Identifier: GPL-3.0-or-later
#include "calibration/valuescale.h"

#include "error.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace stillroom::calibration {

void requireComparableHeads(std::int64_t teacherHeads, std::int64_t teacherWidth, std::int64_t studentHeads, std::int64_t studentWidth)
{
    if (studentHeads % teacherHeads != 0 || teacherWidth != studentWidth)
        throw Error(ErrorCode::Usage, "A mixer of " + std::to_string(studentHeads) + " heads of width " + std::to_string(studentWidth) + " cannot be calibrated to a teacher with "
                                          + std::to_string(teacherHeads) + " of width " + std::to_string(teacherWidth) + ": start it from the teacher's weights, or use align.");
}

void ContextFit::add(const at::Tensor &teacher_NHV, const at::Tensor &student_NHV)
{
    const c10::NoGradGuard noGrad;
    const std::int64_t heads = student_NHV.size(1), teacherHeads = teacher_NHV.size(1);
    requireComparableHeads(teacherHeads, teacher_NHV.size(2), heads, student_NHV.size(2));
    const at::Tensor o_NHV = student_NHV.to(at::kDouble), y_NHV = teacher_NHV.to(at::kDouble).repeat_interleave(heads / teacherHeads, 1);
    const auto total = [](const at::Tensor &product_NHV) { return product_NHV.sum(at::IntArrayRef({0, 2})).to(at::kCPU); };
    const auto added = [](const at::Tensor &sum, const at::Tensor &term) { return sum.defined() ? sum + term : term; };
    m_cross_H = added(m_cross_H, total(y_NHV * o_NHV));
    m_teacher_H = added(m_teacher_H, total(y_NHV * y_NHV));
    m_student_H = added(m_student_H, total(o_NHV * o_NHV));
    m_count += static_cast<double>(o_NHV.size(0) * o_NHV.size(2));
}

std::vector<double> ContextFit::sums(const at::Tensor &perHead, std::size_t states) const
{
    if (!perHead.defined())
        return std::vector<double>(states, 0.0);
    const at::Tensor pooled = perHead.view({static_cast<std::int64_t>(states), -1}).sum(1).contiguous();
    return {pooled.const_data_ptr<double>(), pooled.const_data_ptr<double>() + states};
}

std::vector<double> ContextFit::scales(std::size_t states) const
{
    std::vector<double> result = sums(m_cross_H, states);
    const std::vector<double> student = sums(m_student_H, states);
    for (std::size_t state = 0; state < states; ++state)
        result[state] /= std::max(student[state], 1e-8);
    return result;
}

std::vector<double> ContextFit::cosines(std::size_t states) const
{
    std::vector<double> result = sums(m_cross_H, states);
    const std::vector<double> student = sums(m_student_H, states), teacher = sums(m_teacher_H, states);
    for (std::size_t state = 0; state < states; ++state) {
        const double lengths = std::sqrt(student[state]) * std::sqrt(teacher[state]);
        result[state] = lengths > 0.0 ? result[state] / lengths : 0.0;
    }
    return result;
}

std::vector<double> ContextFit::studentRms(std::size_t states) const
{
    std::vector<double> result = sums(m_student_H, states);
    const double headsToAState = m_student_H.defined() ? static_cast<double>(m_student_H.size(0)) / static_cast<double>(states) : 1.0;
    for (double &value : result)
        value = m_count > 0.0 ? std::sqrt(value / (m_count * headsToAState)) : 0.0;
    return result;
}

}  // namespace stillroom::calibration
