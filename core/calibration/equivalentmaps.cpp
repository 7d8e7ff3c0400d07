// SPDX-License-Identifier: GPL-3.0-or-later
#include "calibration/equivalentmaps.h"

#include "error.h"
#include "nn/residualstream.h"
#include "nn/torcherror.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <string>

namespace stillroom::calibration {

at::Tensor mapsOf(const nn::TokenMixer &mixer, const at::Tensor &x_1TD, const nn::TokenPlaces &places, std::int64_t numHeads)
{
    return nn::asStillroomError("The maps of a layer", [&] {
        const c10::NoGradGuard noGrad;
        const at::Tensor maps_HTT = mixer.matrix(x_1TD, places)[0].to(at::kCPU, at::kFloat);
        const at::Tensor own_H = at::arange(numHeads, at::kLong).mul(maps_HTT.size(0)).floor_divide(numHeads);
        return maps_HTT.index_select(0, own_H);
    });
}

EquivalentMaps equivalentMaps(const nn::Transformer &teacher, const distillation::AlignedLayer &student, int head, const at::Tensor &ids_1T)
{
    return nn::asStillroomError("The maps of a head", [&] {
        const c10::NoGradGuard noGrad;
        if (student.layer < 0 || static_cast<std::size_t>(student.layer) >= teacher.blocks.size())
            throw Error(ErrorCode::Usage, "There is no layer " + std::to_string(student.layer) + "; the teacher's are 0 to " + std::to_string(teacher.blocks.size() - 1) + '.');
        if (head < 0 || head >= teacher.config.numHeads)
            throw Error(ErrorCode::Usage, "There is no head " + std::to_string(head) + "; the teacher's are 0 to " + std::to_string(teacher.config.numHeads - 1) + '.');
        if (ids_1T.dim() != 2 || ids_1T.size(0) != 1 || ids_1T.size(1) < 1 || ids_1T.size(1) > longestMap)
            throw Error(ErrorCode::Usage, "A map is made of one sequence of 1 to " + std::to_string(longestMap) + " tokens.");
        const auto layer = static_cast<std::size_t>(student.layer);
        const nn::TokenPlaces places = nn::placesFromMask(ids_1T.to(teacher.device()));
        const at::Tensor x_1TD = nn::ResidualStream(teacher, ids_1T, places, at::kFloat).through(layer).x_BTD;
        EquivalentMaps maps;
        maps.teacher_TT = mapsOf(*teacher.blocks[layer].mixer, x_1TD, places, teacher.config.numHeads)[head].contiguous();
        maps.student_TT = mapsOf(*student.mixer, x_1TD, places, teacher.config.numHeads)[head].contiguous();
        const at::Tensor a = maps.teacher_TT.to(at::kDouble), m = maps.student_TT.to(at::kDouble);
        const double lengths = a.norm().item<double>() * m.norm().item<double>();
        maps.cosine = lengths > 0.0 ? (a * m).sum().item<double>() / lengths : 0.0;
        return maps;
    });
}

}  // namespace stillroom::calibration
