// SPDX-License-Identifier: GPL-3.0-or-later
#include "calibration/teacherstream.h"

#include "distillation/batchplaces.h"
#include "error.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <string>
#include <utility>

namespace stillroom::calibration {

at::Tensor SequenceInLayer::counted(const at::Tensor &values_1T) const
{
    return values_1T[0].index_select(0, counted_N);
}

TeacherStream::TeacherStream(const nn::Transformer &teacher, const distillation::Batch &sequences, at::ScalarType computeType, std::stop_token stop)
    : m_stop(std::move(stop))
{
    for (std::int64_t row = 0; row < sequences.ids_BT.size(0); ++row) {
        const distillation::Batch one = distillation::rowsOf(sequences, row, 1);
        SequenceInLayer sequence;
        sequence.places = distillation::placesOf(one, teacher.device());
        const at::Tensor counted_T = sequence.places.documents_BT.defined() ? sequence.places.documents_BT[0].ge(0) : at::ones({one.ids_BT.size(1)}, at::kBool);
        sequence.counted_N = counted_T.nonzero().squeeze(1).to(teacher.device());
        if (sequence.counted_N.size(0) == 0)
            continue;   // nothing but padding
        m_streams.emplace_back(teacher, one.ids_BT, sequence.places, computeType, m_stop);
        m_sequences.push_back(std::move(sequence));
    }
    if (m_sequences.empty())
        throw Error(ErrorCode::Usage, "There is no token to calibrate on.");
}

std::vector<SequenceInLayer> TeacherStream::through(std::size_t layer, const nn::SoftmaxMixer &mixer, LayerAttentionSums &sums)
{
    std::vector<SequenceInLayer> inLayer = m_sequences;
    for (std::size_t i = 0; i < inLayer.size(); ++i) {
        const nn::MixerValues teachers = m_streams[i].through(layer);
        inLayer[i].x_1TD = teachers.x_BTD;
        inLayer[i].target_1TD = teachers.y_BTD;
        inLayer[i].context_1THV = sums.add(mixer, inLayer[i].x_1TD, inLayer[i].places, m_stop);
    }
    return inLayer;
}

std::int64_t TeacherStream::numTokens() const
{
    std::int64_t tokens = 0;
    for (const SequenceInLayer &sequence : m_sequences)
        tokens += sequence.counted_N.size(0);
    return tokens;
}

const nn::SoftmaxMixer &softmaxLayer(const nn::Transformer &teacher, int layer)
{
    if (layer < 0 || static_cast<std::size_t>(layer) >= teacher.blocks.size())
        throw Error(ErrorCode::Usage, "There is no layer " + std::to_string(layer) + "; the teacher's are 0 to " + std::to_string(teacher.blocks.size() - 1) + '.');
    const auto *mixer = dynamic_cast<const nn::SoftmaxMixer *>(teacher.blocks[static_cast<std::size_t>(layer)].mixer.get());
    if (!mixer)
        throw Error(ErrorCode::Usage, "Layer " + std::to_string(layer) + " of the teacher is no softmax attention: it has nothing to calibrate from.");
    return *mixer;
}

std::vector<distillation::AlignedLayer> inOrder(const nn::Transformer &teacher, std::vector<distillation::AlignedLayer> students)
{
    std::sort(students.begin(), students.end(), [](const auto &a, const auto &b) { return a.layer < b.layer; });
    for (std::size_t i = 0; i < students.size(); ++i) {
        (void)softmaxLayer(teacher, students[i].layer);
        if (i > 0 && students[i].layer == students[i - 1].layer)
            throw Error(ErrorCode::Usage, "Layer " + std::to_string(students[i].layer) + " is given twice.");
    }
    return students;
}

}  // namespace stillroom::calibration
