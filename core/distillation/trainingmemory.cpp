// SPDX-License-Identifier: GPL-3.0-or-later
#include "distillation/trainingmemory.h"

#include "distillation/allocationmeter.h"
#include "distillation/batchplaces.h"
#include "distillation/klhead.h"
#include "error.h"
#include "nn/torcherror.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

namespace stillroom::distillation {
namespace {

constexpr std::int64_t longestProbe = 1024;

struct MicroBatch {
    std::int64_t sequences = 1, length = 1;
    [[nodiscard]] std::int64_t tokens() const { return sequences * length; }
};

void check(const MicroBatch &micro)
{
    if (micro.sequences < 1 || micro.length < 1)
        throw Error(ErrorCode::Usage, "A micro-batch has at least one sequence of one token, not " + std::to_string(micro.sequences) + " of " + std::to_string(micro.length) + ".");
}

/// What one block's forward pass takes: held at its end, and in between.
struct BlockBytes {
    std::int64_t held = 0, peak = 0;
};

/// What a block is given in a probe.
struct ProbeInput {
    at::Tensor h_BTD;
    nn::TokenPlaces places;
};

ProbeInput probeInput(const nn::Transformer &model, std::size_t layer, at::ScalarType computeType, const MicroBatch &micro)
{
    const at::NoGradGuard noGrad;
    const at::Tensor ids_BT = at::zeros({micro.sequences, micro.length}, at::kLong);
    ProbeInput input{model.embed(ids_BT, computeType), placesOf({ids_BT, {}, {}}, model.device())};
    (void)model.runBlocks(input.h_BTD, input.places, layer, layer + 1);   // makes the tables that layers share
    return input;
}

/// \param work  gives back what is held at its end
template <typename Work>
BlockBytes bytesOf(Work &&work)
{
    at::Tensor held;
    const auto meter = measureAllocations([&] { held = work(); });
    return {meter->nowBytes(), meter->peakBytes()};
}

BlockBytes probe(const nn::Transformer &model, std::size_t layer, at::ScalarType computeType, const MicroBatch &micro, bool train)
{
    ProbeInput input = probeInput(model, layer, computeType, micro);
    input.h_BTD = input.h_BTD.detach().requires_grad_(train);
    const at::AutoGradMode grad(train);
    return bytesOf([&] { return model.runBlocks(input.h_BTD, input.places, layer, layer + 1); });
}

/// A mixer alone, there and back.
BlockBytes probeAlignment(const nn::Transformer &teacher, const AlignedLayer &student, const StageOneOptions &options, const MicroBatch &micro)
{
    const ProbeInput input = probeInput(teacher, static_cast<std::size_t>(student.layer), options.computeType, micro);
    const std::shared_ptr<nn::TokenMixer> mixer = student.mixer->clone();
    mixer->visitParameters([](const std::string &, at::Tensor &tensor, nn::ParameterTraits) { tensor = tensor.detach().requires_grad_(); });
    const at::AutoGradMode grad(true);
    return bytesOf([&] {
        outputLossSums(options.loss, input.h_BTD, mixer->forward(input.h_BTD, input.places, nullptr), {}).numerator.backward();
        return at::Tensor();
    });
}

/// From probes of one and two sequences: what does not depend on the tokens, and the rest scaled to the micro-batch.
/// \param probed  BlockBytes of a MicroBatch
template <typename Probe>
BlockBytes scaledBytes(const MicroBatch &micro, Probe &&probed)
{
    const std::int64_t length = std::min(micro.length, longestProbe);
    const BlockBytes one = probed(MicroBatch{1, length}), two = probed(MicroBatch{2, length});
    const auto scaled = [&](std::int64_t first, std::int64_t second) {
        const std::int64_t each = std::max<std::int64_t>(0, second - first), fixed = std::max<std::int64_t>(0, first - each);
        return fixed + each * micro.tokens() / length;
    };
    return {scaled(one.held, two.held), scaled(one.peak, two.peak)};
}

/// The model with handles that require a gradient where they train: what StageTwo makes, without copying.
nn::Transformer trainingView(const nn::Transformer &model, Trainable trainable)
{
    nn::Transformer view = model;
    for (nn::Block &block : view.blocks)
        block.mixer = block.mixer->clone();
    view.visitParameters([&](const std::string &name, at::Tensor &tensor, nn::ParameterTraits) { tensor = tensor.detach().requires_grad_(trains(name, trainable)); });
    return view;
}

std::int64_t hiddenBytes(const nn::Transformer &model, at::ScalarType computeType, const MicroBatch &micro)
{
    return micro.tokens() * model.embedding_VD.size(1) * static_cast<std::int64_t>(at::elementSize(computeType));
}

std::string kindOf(const nn::TokenMixer &mixer) { return std::string(mixer.kind()) + mixer.optionsJson(); }

using BytesByKind = std::map<std::string, BlockBytes>;

/// Each kind of block once.
BytesByKind blockKinds(const nn::Transformer &model, at::ScalarType computeType, const MicroBatch &micro, bool train)
{
    BytesByKind kinds;
    for (std::size_t layer = 0; layer < model.blocks.size(); ++layer)
        if (const std::string kind = kindOf(*model.blocks[layer].mixer); !kinds.contains(kind))
            kinds[kind] = scaledBytes(micro, [&](const MicroBatch &part) { return probe(model, layer, computeType, part, train); });
    return kinds;
}

/// Each kind of mixer once.
BytesByKind alignedKinds(const nn::Transformer &teacher, const std::vector<AlignedLayer> &students, const StageOneOptions &options, const MicroBatch &micro)
{
    BytesByKind kinds;
    for (const AlignedLayer &student : students)
        if (const std::string kind = kindOf(*student.mixer); !kinds.contains(kind))
            kinds[kind] = scaledBytes(micro, [&](const MicroBatch &part) { return probeAlignment(teacher, student, options, part); });
    return kinds;
}

std::int64_t largestPeak(const BytesByKind &kinds)
{
    std::int64_t largest = 0;
    for (const auto &[kind, bytes] : kinds)
        largest = std::max(largest, bytes.peak);
    return largest;
}

/// What blocks share in a forward pass: angles of RoPE and, where sequences hold several documents, a mask of their pairs. While the mask is made, two of bools stand beside it; a block comes later.
std::int64_t blockAndTables(const nn::Transformer &model, at::ScalarType computeType, const MicroBatch &micro, bool documents, std::int64_t block)
{
    const auto element = static_cast<std::int64_t>(at::elementSize(computeType));
    const std::int64_t angles = 2 * micro.tokens() * model.config.headDim * element, pairs = documents ? micro.tokens() * micro.length : 0;
    return angles + pairs * element + std::max(block, 2 * pairs);
}

std::int64_t activationBytes(const nn::Transformer &view, const StageTwoOptions &options, const MicroBatch &micro)
{
    const std::int64_t hidden = hiddenBytes(view, options.computeType, micro);
    const std::int64_t ends = 3 * hidden;   // embedding, final norm and the head's input
    if (options.checkpointBlocks)
        return ends + static_cast<std::int64_t>(view.blocks.size()) * hidden;
    const auto kinds = blockKinds(view, options.computeType, micro, true);
    return std::accumulate(view.blocks.begin(), view.blocks.end(), ends, [&](std::int64_t sum, const nn::Block &block) { return sum + kinds.at(kindOf(*block.mixer)).held; });
}

KlHeadBytes headBytes(const nn::Transformer &teacher, const nn::Transformer &student, const StageTwoOptions &options, const MicroBatch &micro)
{
    const auto hidden = [&](const nn::Transformer &model, bool grad) {   // only shape, type and device matter: one number, expanded
        const at::Tensor one = at::empty({1, 1}, model.embedding_VD.options().dtype(options.computeType).requires_grad(false));
        return one.expand({micro.tokens(), model.embedding_VD.size(1)}).detach().requires_grad_(grad);
    };
    KlHeadOptions head;
    head.budgetBytes = options.headBudgetBytes;
    return klHeadBytes({hidden(teacher, false), teacher.head_VD}, {hidden(student, true), student.head_VD}, head);
}

std::int64_t weightBytes(nn::Transformer model)
{
    std::int64_t bytes = 0;
    model.visitParameters([&](const std::string &, at::Tensor &tensor, nn::ParameterTraits) { bytes += static_cast<std::int64_t>(tensor.nbytes()); });
    return bytes;
}

}  // namespace

StudentBytes studentBytes(const nn::Transformer &student, const StageTwoOptions &options, std::int64_t sequences, std::int64_t length)
{
    return nn::asStillroomError("Estimating the memory of stage 2", [&] {
        const MicroBatch micro{sequences, length};
        check(micro);
        nn::Transformer view = trainingView(student, options.trainable);
        StudentBytes bytes;
        view.visitParameters([&](const std::string &, at::Tensor &tensor, nn::ParameterTraits) { bytes.weights += tensor.requires_grad() ? static_cast<std::int64_t>(tensor.nbytes()) : 0; });
        bytes.gradients = bytes.weights;
        bytes.moments = 2 * bytes.weights;
        bytes.activations = activationBytes(view, options, micro);
        const KlHeadBytes head = headBytes(view, view, options, micro);
        bytes.head = head.results + head.castsPerStudent;
        return bytes;
    });
}

std::int64_t sharedBytes(const nn::Transformer &teacher, const StageTwoOptions &options, std::int64_t sequences, std::int64_t length)
{
    return nn::asStillroomError("Estimating the memory of stage 2", [&] {
        const MicroBatch micro{sequences, length};
        check(micro);
        const nn::Transformer view = trainingView(teacher, options.trainable);
        const std::int64_t forward = largestPeak(blockKinds(view, options.computeType, micro, false));
        std::int64_t backward = 0;
        for (const auto &[kind, bytes] : blockKinds(view, options.computeType, micro, true))
            backward = std::max(backward, bytes.held);   // gradients of about what a block keeps
        if (options.checkpointBlocks)
            backward *= 2;   // and the block's recomputed activations
        const KlHeadBytes head = headBytes(teacher, view, options, micro);
        const std::int64_t slices = head.total() - head.results - head.castsPerStudent;
        return weightBytes(teacher) + hiddenBytes(teacher, options.computeType, micro) + std::max({forward, backward, slices});
    });
}

std::int64_t forwardBytes(const nn::Transformer &model, at::ScalarType computeType, std::int64_t sequences, std::int64_t length, bool documents)
{
    return nn::asStillroomError("Estimating the memory of a forward pass", [&] {
        const MicroBatch micro{sequences, length};
        check(micro);
        return 2 * hiddenBytes(model, computeType, micro) + blockAndTables(model, computeType, micro, documents, largestPeak(blockKinds(model, computeType, micro, false)));
    });
}

std::int64_t alignmentBytes(const nn::Transformer &teacher, const std::vector<AlignedLayer> &students, const StageOneOptions &options, std::int64_t sequences, std::int64_t length, bool documents)
{
    return nn::asStillroomError("Estimating the memory of stage 1", [&] {
        const MicroBatch micro{sequences, length};
        check(micro);
        const std::int64_t hidden = hiddenBytes(teacher, options.computeType, micro);
        const std::int64_t target = 2 * hidden;      // what the mixer is given, and what it should make of it
        const std::int64_t block = std::max(largestPeak(blockKinds(teacher, options.computeType, micro, false)), largestPeak(alignedKinds(teacher, students, options, micro)));
        return 2 * hidden + target + blockAndTables(teacher, options.computeType, micro, documents, block);
    });
}

int lockStepGroup(std::int64_t budgetBytes, const StudentBytes &student, std::int64_t sharedBytes, int numStudents)
{
    const std::int64_t fitting = (budgetBytes - sharedBytes) / std::max<std::int64_t>(student.total(), 1);
    if (budgetBytes < sharedBytes || fitting < 1)
        throw Error(ErrorCode::OutOfMemory, "Stage 2 takes about " + std::to_string((sharedBytes + student.total()) >> 20) + " MiB with one student, but "
                                                + std::to_string(budgetBytes >> 20) + " MiB are allowed; make micro-batches smaller (--micro-batch-sequences 1), recompute blocks in backward (--checkpoint-blocks true), or train the mixers only (--train mixers).");
    return static_cast<int>(std::min<std::int64_t>(fitting, numStudents));
}

}  // namespace stillroom::distillation
