// SPDX-License-Identifier: GPL-3.0-or-later
#include "recurrence/tensorscan.h"

#include <ATen/ATen.h>

#include "error.h"
#include "recurrence/decay.h"
#include "recurrence/documents.h"
#include "recurrence/layout.h"
#include "recurrence/products.h"
#include "recurrence/scores.h"
#include "recurrence/triangular.h"

// Legend: L = N·P chunk-heads (chunk-major), P = B·H, C rows of a chunk, R = readers·C rows (q, then a), W = writers·C rows (k, then b).
// A chunk with incoming state S0 is, with readers R', writers W' weighted by the decay to the chunk's ends:
//     additive  Y = V
//     tied      Y = (I - Aab)^{-1} (V + A' S0)                    (b = k: what is written is V + U)
//     general   Y = [V; U],  U = (I - Aab)^{-1} (Aak V + A' S0)
//     O = Q' S0 + Aq Y                S1 = e^{G_C} S0 + W'^T Y
namespace stillroom::recurrence {
namespace {

/// Everything of all chunks that does not depend on the state.
struct Chunks {
    Segments segments;
    ChunkSegments chunkSegments;
    LogDecay decay;
    BoundaryWeights weights;
    at::Tensor readers_LRK, writers_LWK, v_LCV;
    at::Tensor weightedReaders_LRK, weightedWriters_LWK;
    at::Tensor scores_LRW;
    at::Tensor inverse_LCC;  ///< (I - Aab)^{-1}; undefined for additive writing
};

at::Tensor rowsOf(const at::Tensor &stack, std::int64_t part, const Form &form) { return stack.narrow(1, part * form.C, form.C); }

Chunks makeChunks(const Inputs &inputs, const Form &form) {
    Chunks chunks;
    chunks.segments = segmentsOf(inputs.documents_BT);
    chunks.chunkSegments = chunkSegments(chunks.segments, form);
    const auto load = [&](const at::Tensor &x) { return toChunks(x, chunks.segments, form, form.type); };
    if (form.decay != DecayKind::None)
        chunks.decay = logDecay(load(inputs.g));
    chunks.weights = boundaryWeights(chunks.decay, chunks.chunkSegments, form);
    chunks.readers_LRK = form.readers() == 1 ? load(inputs.q_BTHK) : at::cat({load(inputs.q_BTHK), load(inputs.a_BTHK)}, 1);
    chunks.writers_LWK = form.writers() == 1 ? load(inputs.k_BTHK) : at::cat({load(inputs.k_BTHK), load(inputs.b_BTHK)}, 1);
    chunks.v_LCV = load(inputs.v_BTHV);
    chunks.weightedReaders_LRK = weighted(chunks.readers_LRK, chunks.weights.read_LRD);
    chunks.weightedWriters_LWK = weighted(chunks.writers_LWK, chunks.weights.write_LWD);
    chunks.scores_LRW = scores(chunks.readers_LRK, chunks.writers_LWK, chunks.decay, chunks.chunkSegments, form);
    if (form.writing != Writing::Additive)
        chunks.inverse_LCC = unitLowerInverse(rowsOf(chunks.scores_LRW, 1, form).narrow(2, (form.writers() - 1) * form.C, form.C));
    return chunks;
}

/// [L,…] as [N,P,…], so that chunk n is a contiguous slice.
at::Tensor byChunk(const at::Tensor &x, const Form &form) { return x.unflatten(0, {form.N, form.B * form.H}); }

/// scale * state, with a scale that may be undefined (1).
void decayState(at::Tensor &state_PKV, const at::Tensor &carry_NPD1, std::int64_t n) {
    if (carry_NPD1.defined())
        state_PKV.mul_(carry_NPD1.select(0, n));
}

/// What drives the written values besides the state: V (tied) or Aak V (general).
at::Tensor drive(const Chunks &chunks, const Form &form) {
    if (form.writing == Writing::Tied)
        return chunks.v_LCV;
    return product(rowsOf(chunks.scores_LRW, 1, form).narrow(2, 0, form.C), chunks.v_LCV, form);
}

/// Written values Y [L,W,V] from the states at the chunk starts; `state_PKV` is carried along and `starts_NPKV` filled when given.
class ForwardPass {
public:
    ForwardPass(const Chunks &chunks, const Form &form) : m_chunks(chunks), m_form(form) {
        m_carry = chunks.weights.carry_LD1.defined() ? byChunk(chunks.weights.carry_LD1, form) : at::Tensor();
    }

    /// Fills `starts_NPKV`; `state_PKV` goes from initial to final. Returns Y.
    at::Tensor run(at::Tensor &state_PKV, at::Tensor &starts_NPKV, const std::stop_token &stop) const {
        const auto transposed = byChunk(m_chunks.weightedWriters_LWK, m_form).transpose(2, 3);
        if (m_form.writing == Writing::Additive) {
            const auto written_NPKV = byChunk(product(m_chunks.weightedWriters_LWK.transpose(1, 2), m_chunks.v_LCV, m_form), m_form);
            for (std::int64_t n = 0; n < m_form.N; ++n) {
                throwIfStopped(stop);
                starts_NPKV.select(0, n).copy_(state_PKV);
                decayState(state_PKV, m_carry, n);
                state_PKV.add_(written_NPKV.select(0, n));
            }
            return m_chunks.v_LCV;
        }
        const Solve solve(m_chunks, m_form);
        auto written_NPWV = solve.emptyWritten();
        for (std::int64_t n = 0; n < m_form.N; ++n) {
            throwIfStopped(stop);
            starts_NPKV.select(0, n).copy_(state_PKV);
            solve.chunk(n, state_PKV, written_NPWV);
            decayState(state_PKV, m_carry, n);
            state_PKV.add_(product(transposed.select(0, n), written_NPWV.select(0, n), m_form));
        }
        return written_NPWV.flatten(0, 1);
    }

    /// Y again, from states already known: every chunk in parallel.
    at::Tensor recompute(const at::Tensor &starts_NPKV) const {
        if (m_form.writing == Writing::Additive)
            return m_chunks.v_LCV;
        const auto driven = drive(m_chunks, m_form) +
                            product(rowsOf(m_chunks.weightedReaders_LRK, 1, m_form), starts_NPKV.flatten(0, 1), m_form);
        const auto solved = product(m_chunks.inverse_LCC, driven, solveForm());
        return m_form.writing == Writing::Tied ? solved : at::cat({m_chunks.v_LCV, solved}, 1);
    }

private:
    /// The triangular solve stays in the type of the state.
    Form solveForm() const {
        auto form = m_form;
        form.operandType = form.type;
        return form;
    }

    struct Solve {
        Solve(const Chunks &allChunks, const Form &sizes)
            : chunks(allChunks), form(sizes), erase_NPCK(byChunk(rowsOf(allChunks.weightedReaders_LRK, 1, sizes), sizes)),
              inverse_NPCC(byChunk(allChunks.inverse_LCC, sizes)), drive_NPCV(byChunk(drive(allChunks, sizes), sizes)) {}

        at::Tensor emptyWritten() const {
            auto written_NPWV = at::empty({form.N, form.B * form.H, form.writers() * form.C, form.V}, chunks.v_LCV.options());
            if (form.writing == Writing::General)
                written_NPWV.narrow(2, 0, form.C).copy_(byChunk(chunks.v_LCV, form));
            return written_NPWV;
        }

        void chunk(std::int64_t n, const at::Tensor &state_PKV, at::Tensor &written_NPWV) const {
            const auto driven = product(erase_NPCK.select(0, n), state_PKV, form).add_(drive_NPCV.select(0, n));
            written_NPWV.select(0, n).narrow(1, (form.writers() - 1) * form.C, form.C).copy_(at::bmm(inverse_NPCC.select(0, n), driven));
        }

        const Chunks &chunks;
        const Form &form;
        at::Tensor erase_NPCK, inverse_NPCC, drive_NPCV;
    };

    const Chunks &m_chunks;
    const Form &m_form;
    at::Tensor m_carry;
};

/// dY, dP and the gradients of the states, last chunk first.
struct StateGradients {
    at::Tensor outAndSolve_LRV;  ///< dO, then dP = gradient of what the triangular system is solved for
    at::Tensor written_LWV;      ///< dY
    at::Tensor ends_NPKV;        ///< gradient of the state at the end of each chunk
    at::Tensor initial_PKV;
};

StateGradients backwardPass(const Chunks &chunks, const at::Tensor &oGrad_LCV, at::Tensor stateGrad_PKV, const Form &form,
                            const std::stop_token &stop) {
    StateGradients grads;
    const bool solves = form.writing != Writing::Additive;
    const auto P = form.B * form.H;
    const auto solvedFrom = (form.writers() - 1) * form.C;
    auto outAndSolve_NPRV = at::empty({form.N, P, form.readers() * form.C, form.V}, oGrad_LCV.options());
    outAndSolve_NPRV.narrow(2, 0, form.C).copy_(byChunk(oGrad_LCV, form));
    auto written_NPWV = byChunk(product(rowsOf(chunks.scores_LRW, 0, form).transpose(1, 2), oGrad_LCV, form), form);
    const auto carry_NPD1 = chunks.weights.carry_LD1.defined() ? byChunk(chunks.weights.carry_LD1, form) : at::Tensor();
    const auto readersT_NPKR = byChunk(chunks.weightedReaders_LRK, form).transpose(2, 3);
    const auto writers_NPWK = byChunk(chunks.weightedWriters_LWK, form);
    const auto inverseT_NPCC = solves ? byChunk(chunks.inverse_LCC, form).transpose(2, 3) : at::Tensor();
    grads.ends_NPKV = at::empty({form.N, P, form.K, form.V}, oGrad_LCV.options());
    for (std::int64_t n = form.N - 1; n >= 0; --n) {
        throwIfStopped(stop);
        grads.ends_NPKV.select(0, n).copy_(stateGrad_PKV);
        auto written_PWV = written_NPWV.select(0, n);
        written_PWV.add_(product(writers_NPWK.select(0, n), stateGrad_PKV, form));
        if (solves)
            outAndSolve_NPRV.select(0, n).narrow(1, form.C, form.C)
                .copy_(at::bmm(inverseT_NPCC.select(0, n), written_PWV.narrow(1, solvedFrom, form.C)));
        decayState(stateGrad_PKV, carry_NPD1, n);
        stateGrad_PKV.add_(product(readersT_NPKR.select(0, n), outAndSolve_NPRV.select(0, n), form));
    }
    grads.outAndSolve_LRV = outAndSolve_NPRV.flatten(0, 1);
    grads.written_LWV = written_NPWV.flatten(0, 1);
    grads.initial_PKV = stateGrad_PKV;
    return grads;
}

/// Sum over the channels that share one decay.
at::Tensor perDecay(const at::Tensor &x_LCK, const Form &form) {
    return form.decay == DecayKind::Scalar ? x_LCK.sum(2, /*keepdim=*/true) : x_LCK;
}

/// Gradient of g: readers pull G (or X) up by reader·dReader, writers down by writer·dWriter; the chunk's end G_C collects what the
/// state carries over it.
at::Tensor decayGradient(const Chunks &chunks, const StateGradients &grads, const at::Tensor &readersGrad_LRK,
                         const at::Tensor &writersGrad_LWK, const at::Tensor &writersStateGrad_LWK, const at::Tensor &starts_NPKV,
                         const Form &form) {
    const auto read = perDecay(chunks.readers_LRK * readersGrad_LRK, form);
    const auto write = perDecay(chunks.writers_LWK * writersGrad_LWK, form);
    auto through_LCD = rowsOf(write, 0, form).neg();
    if (form.writers() == 2)
        through_LCD.sub_(rowsOf(write, 1, form));
    auto before_LCD = at::zeros_like(through_LCD);
    (form.read == Read::AfterWrite ? through_LCD : before_LCD).add_(rowsOf(read, 0, form));
    if (form.readers() == 2)
        before_LCD.add_(rowsOf(read, 1, form));
    const auto kept_LKV = starts_NPKV.flatten(0, 1) * grads.ends_NPKV.flatten(0, 1);
    auto end_LKD = kept_LKV.sum(2, /*keepdim=*/true) * chunks.weights.carry_LD1;
    auto end_L1K = end_LKD.transpose(1, 2) + (chunks.writers_LWK * writersStateGrad_LWK).sum(1, /*keepdim=*/true);
    through_LCD.slice(1, form.C - 1).add_(perDecay(end_L1K, form));
    return gradientOfDecay(through_LCD, before_LCD);
}

}  // namespace

void throwIfStopped(const std::stop_token &stop) {
    if (stop.stop_requested())
        throw Error(ErrorCode::Cancelled, "The recurrence was stopped on request.");
}

ScanResult tensorForward(const Inputs &inputs, const Form &form, const std::stop_token &stop) {
    const auto chunks = makeChunks(inputs, form);
    const auto options = chunks.v_LCV.options();
    const auto P = form.B * form.H;
    auto state_PKV = inputs.initialState_BHKV.defined() ? inputs.initialState_BHKV.reshape({P, form.K, form.V}).clone()
                                                        : at::zeros({P, form.K, form.V}, options);
    ScanResult result;
    result.starts_NPKV = at::empty({form.N, P, form.K, form.V}, options);
    const auto written_LWV = ForwardPass(chunks, form).run(state_PKV, result.starts_NPKV, stop);
    const auto o_LCV = product(rowsOf(chunks.weightedReaders_LRK, 0, form), result.starts_NPKV.flatten(0, 1), form)
                           .add_(product(rowsOf(chunks.scores_LRW, 0, form), written_LWV, form));
    result.o_BTHV = fromChunks(o_LCV, chunks.segments, form, inputs.v_BTHV);
    result.finalState_BHKV = state_PKV.view({form.B, form.H, form.K, form.V});
    return result;
}

Gradients tensorBackward(const Inputs &inputs, const Form &form, const at::Tensor &starts_NPKV, const at::Tensor &oGrad_BTHV,
                         const at::Tensor &finalStateGrad_BHKV, const std::stop_token &stop) {
    const auto chunks = makeChunks(inputs, form);
    const auto oGrad_LCV = oGrad_BTHV.defined() ? toChunks(oGrad_BTHV, chunks.segments, form, form.type) : at::zeros_like(chunks.v_LCV);
    const auto P = form.B * form.H;
    auto stateGrad_PKV = finalStateGrad_BHKV.defined() ? finalStateGrad_BHKV.reshape({P, form.K, form.V}).clone()
                                                       : at::zeros({P, form.K, form.V}, oGrad_LCV.options());
    const auto written_LWV = ForwardPass(chunks, form).recompute(starts_NPKV);
    const auto grads = backwardPass(chunks, oGrad_LCV, stateGrad_PKV, form, stop);

    auto [readersGrad_LRK, writersGrad_LWK] =
        scoresBackward(product(grads.outAndSolve_LRV, written_LWV.transpose(1, 2), form), chunks.readers_LRK, chunks.writers_LWK,
                       chunks.decay, chunks.chunkSegments, form);
    readersGrad_LRK.add_(weighted(product(grads.outAndSolve_LRV, starts_NPKV.flatten(0, 1).transpose(1, 2), form), chunks.weights.read_LRD));
    const auto writersStateGrad_LWK =
        weighted(product(written_LWV, grads.ends_NPKV.flatten(0, 1).transpose(1, 2), form), chunks.weights.write_LWD);
    writersGrad_LWK.add_(writersStateGrad_LWK);

    const auto store = [&](const at::Tensor &x_LCD, const at::Tensor &like) { return fromChunks(x_LCD, chunks.segments, form, like); };
    Gradients result;
    result.q_BTHK = store(rowsOf(readersGrad_LRK, 0, form), inputs.q_BTHK);
    result.k_BTHK = store(rowsOf(writersGrad_LWK, 0, form), inputs.k_BTHK);
    auto vGrad_LCV = form.writing == Writing::Tied ? rowsOf(grads.outAndSolve_LRV, 1, form) : rowsOf(grads.written_LWV, 0, form);
    if (form.writing == Writing::General)
        vGrad_LCV = vGrad_LCV + product(rowsOf(chunks.scores_LRW, 1, form).narrow(2, 0, form.C).transpose(1, 2),
                                        rowsOf(grads.outAndSolve_LRV, 1, form), form);
    result.v_BTHV = store(vGrad_LCV, inputs.v_BTHV);
    if (form.readers() == 2)
        result.a_BTHK = store(rowsOf(readersGrad_LRK, 1, form), inputs.a_BTHK);
    if (form.writers() == 2)
        result.b_BTHK = store(rowsOf(writersGrad_LWK, 1, form), inputs.b_BTHK);
    if (form.decay != DecayKind::None)
        result.g = store(decayGradient(chunks, grads, readersGrad_LRK, writersGrad_LWK, writersStateGrad_LWK, starts_NPKV, form), inputs.g);
    if (inputs.initialState_BHKV.defined())
        result.initialState_BHKV = grads.initial_PKV.view({form.B, form.H, form.K, form.V});
    return result;
}

}  // namespace stillroom::recurrence
