// SPDX-License-Identifier: GPL-3.0-or-later
// Compiled once per instruction set, each time in a namespace of its own (STILLROOM_KERNEL). It uses no library function, so that
// no shared inline code is compiled for a set that the processor may lack.
#include "recurrence/kernel/chunkscores.h"

// One chunk with incoming state S0, readers R (q, a) and writers W (k, b); R', W' carry the decay to the chunk's ends:
//     additive  Y = V          tied  Y = (I - Aab)^{-1} (V + A' S0)          general  Y = [V; U], U = (I - Aab)^{-1} (Aak V + A' S0)
//     O = Q' S0 + Aq Y                S1 = e^{G_C} S0 + W'^T Y
namespace stillroom::recurrence::STILLROOM_KERNEL {
namespace {

template <typename T>
class Head {
public:
    explicit Head(const HeadCall<T> &call) : m_call(call), m_w(call), m_arena(call.scratch), m_buffers(call, m_arena) {}

    bool forward();
    bool backward();

private:
    [[nodiscard]] std::int64_t numChunks() const { return (m_call.tokens + m_w.C - 1) / m_w.C; }
    [[nodiscard]] bool stopped() const { return m_call.stopRequested && m_call.stopRequested(m_call.stopContext); }
    [[nodiscard]] bool solves() const { return m_call.writing != Writing::Additive; }
    /// The writer whose values come out of the triangular system: k if it is tied to a, else b.
    [[nodiscard]] int solvedWriter() const { return m_w.numWriters - 1; }

    void loadSegments(ChunkSpan span);
    void loadChunk(ChunkSpan span);
    void scalarDecay(ChunkSpan span);
    void channelDecay(ChunkSpan span);
    void fromStart(ChunkSpan span, int x, const T *rows, T *to) const;
    void toEnd(ChunkSpan span, const T *rows, T *to) const;
    void decayState(T *state) const;

    void score(ChunkSpan span);
    void write(ChunkSpan span);
    void read(ChunkSpan span);

    void writtenGradients(ChunkSpan span);
    void valueGradients(ChunkSpan span);
    void boundaryGradients(ChunkSpan span);
    void scoreGradients(ChunkSpan span, int x, int y);
    void decayGradients(ChunkSpan span);
    void storeGradients(ChunkSpan span);

    const HeadCall<T> &m_call;
    const Widths<T> m_w;
    Arena m_arena;
    Buffers<T> m_buffers;
    bool m_oneDocument = true;    ///< the current chunk's rows and its incoming state are of one document
    std::int64_t m_gammaRows = 0; ///< without decay gamma never changes: this many rows of it are there
};

template <typename T>
void Head<T>::loadSegments(ChunkSpan span) {
    if (!m_call.segments)
        return;
    std::int32_t *segment = m_buffers.segment;
    segment[0] = span.first == 0 ? 0 : m_call.segments[span.first - 1];
    for (std::int64_t r = 0; r < span.rows; ++r)
        segment[r + 1] = m_call.segments[span.first + (r < span.tokens ? r : span.tokens - 1)];
    m_oneDocument = segment[0] == segment[span.rows];
}

template <typename T>
void Head<T>::loadChunk(ChunkSpan span) {
    loadSegments(span);
    const T *readers[2] = {m_call.q, m_call.a}, *writers[2] = {m_call.k, m_call.b};
    for (int x = 0; x < m_w.numReaders; ++x)
        loadRows(m_call, span, readers[x], m_call.keyStride, m_w.K, m_buffers.reader[x], m_w.keyWidth);
    for (int y = 0; y < m_w.numWriters; ++y)
        loadRows(m_call, span, writers[y], m_call.keyStride, m_w.K, m_buffers.writer[y], m_w.keyWidth);
    loadRows(m_call, span, m_call.v, m_call.valueStride, m_w.V, m_buffers.value, m_w.valueWidth);
    if (m_call.decay == DecayKind::Channel)
        channelDecay(span);
    else
        scalarDecay(span);
    for (std::int64_t i = 0; i < m_w.K; ++i) {
        if (!m_oneDocument)
            m_buffers.carry[i] = 0;
        else if (m_call.decay != DecayKind::Channel)
            m_buffers.carry[i] = m_buffers.rowFromStart[span.rows];
    }
    for (int x = 0; x < m_w.numReaders; ++x)
        fromStart(span, x, m_buffers.reader[x], m_buffers.readerFromStart[x]);
    for (int y = 0; y < m_w.numWriters; ++y)
        toEnd(span, m_buffers.writer[y], m_buffers.writerToEnd[y]);
}

/// Weights from sums in double: their differences stay exact after a strong decay. No decay is a decay of zero.
template <typename T>
void Head<T>::scalarDecay(ChunkSpan span) {
    double *sum = m_buffers.logSum;
    if (m_call.decay == DecayKind::None && m_gammaRows >= span.rows)
        return;
    sum[0] = 0;
    for (std::int64_t r = 0; r < span.rows; ++r) {
        const bool decays = m_call.decay == DecayKind::Scalar && r < span.tokens && !(m_call.isPadding && m_call.isPadding[span.first + r]);
        sum[r + 1] = sum[r] + (decays ? static_cast<double>(m_call.g[(span.first + r) * m_call.decayStride]) : 0.0);
    }
    T *starts = m_buffers.rowFromStart;
    for (std::int64_t r = 0; r < paddedWidth<T>(span.rows + 1); ++r)
        starts[r] = r <= span.rows ? static_cast<T>(sum[r]) : 0;
    for (std::int64_t r = 0; r < paddedWidth<T>(span.rows + 1); r += lanes<T>)
        store(starts + r, expOfNegative<T>(load(starts + r)));
    constexpr T unseen = static_cast<T>(-1e30);
    for (std::int64_t i = 0; i < m_w.C; ++i)
        m_buffers.gamma[i] = 0;
    for (std::int64_t r = 0; r < span.rows; ++r) {
        T *row = m_buffers.gamma + (r + 1) * m_w.C;
        const std::int64_t width = (r / 16 + 1) * 16;
        const double here = sum[r + 1];
        for (std::int64_t i = 0; i < width; ++i)
            row[i] = static_cast<T>(here - sum[i + 1]);
        for (std::int64_t i = r + 1; i < width; ++i)
            row[i] = unseen;
        for (std::int64_t i = 0; i < width; i += lanes<T>)
            store(row + i, expOfNegative<T>(load(row + i)));
        for (std::int64_t i = width; i < width + 16 && i < m_w.C; ++i)
            row[i] = 0;  // the reader row after this one may be of the next block
    }
    m_gammaRows = span.rows;
}

template <typename T>
void Head<T>::channelDecay(ChunkSpan span) {
    loadRows(m_call, span, m_call.g, m_call.decayStride, m_w.K, m_buffers.decay, m_w.keyWidth);
    for (std::int64_t j = 0; j < m_w.keyWidth; j += lanes<T>) {
        Vector<T> sum{}, product = Vector<T>{} + static_cast<T>(1);
        store(m_buffers.channelFromStart + j, product);
        for (std::int64_t r = 0; r < span.rows; ++r) {
            const std::int64_t at = r * m_w.keyWidth + j;
            const Vector<T> g = load(m_buffers.decay + at), decay = expOfNegative<T>(g);
            sum += g;
            product *= decay;
            store(m_buffers.decay + at, decay);
            store(m_buffers.channelFromStart + at + m_w.keyWidth, product);
        }
        store(m_buffers.carry + j, expOfNegative<T>(sum));  // from the sum: products would add up their rounding over the chunks
        product = Vector<T>{} + static_cast<T>(1);
        for (std::int64_t r = span.rows - 1; r >= 0; --r) {
            const std::int64_t at = r * m_w.keyWidth + j;
            store(m_buffers.channelToEnd + at, product);
            product *= load(m_buffers.decay + at);
        }
    }
}

/// Rows of reader x times what is left, when they read, of the state at the chunk's start; nothing in another document.
template <typename T>
void Head<T>::fromStart(ChunkSpan span, int x, const T *rows, T *to) const {
    const std::int64_t shift = seesOwnRow(m_call, x) ? 1 : 0;
    for (std::int64_t r = 0; r < span.rows; ++r) {
        const T *from = rows + r * m_w.keyWidth, *channels = m_buffers.channelFromStart + (r + shift) * m_w.keyWidth;
        T *target = to + r * m_w.keyWidth;
        const T here = m_oneDocument || m_buffers.segment[r + 1] == m_buffers.segment[0] ? static_cast<T>(1) : static_cast<T>(0);
        const T weight = m_call.decay == DecayKind::Channel ? here : here * m_buffers.rowFromStart[r + shift];
        for (std::int64_t j = 0; j < m_w.keyWidth; j += lanes<T>) {
            const Vector<T> scaled = weight * load(from + j);
            store(target + j, m_call.decay == DecayKind::Channel ? scaled * load(channels + j) : scaled);
        }
    }
}

/// Writer rows times what is left of their write at the chunk's end; nothing of an earlier document.
template <typename T>
void Head<T>::toEnd(ChunkSpan span, const T *rows, T *to) const {
    const T *last = m_buffers.gamma + span.rows * m_w.C;
    for (std::int64_t r = 0; r < span.rows; ++r) {
        const T *from = rows + r * m_w.keyWidth, *channels = m_buffers.channelToEnd + r * m_w.keyWidth;
        T *target = to + r * m_w.keyWidth;
        const T here = m_oneDocument || m_buffers.segment[r + 1] == m_buffers.segment[span.rows] ? static_cast<T>(1) : static_cast<T>(0);
        const T weight = m_call.decay == DecayKind::Channel ? here : here * last[r];
        for (std::int64_t j = 0; j < m_w.keyWidth; j += lanes<T>) {
            const Vector<T> scaled = weight * load(from + j);
            store(target + j, m_call.decay == DecayKind::Channel ? scaled * load(channels + j) : scaled);
        }
    }
}

template <typename T>
void Head<T>::decayState(T *state) const {
    for (std::int64_t i = 0; i < m_w.K; ++i)
        for (std::int64_t j = 0; j < m_w.valueWidth; j += lanes<T>)
            store(state + i * m_w.valueWidth + j, m_buffers.carry[i] * load(state + i * m_w.valueWidth + j));
}

template <typename T>
void Head<T>::score(ChunkSpan span) {
    for (int x = 0; x < m_w.numReaders; ++x)
        for (int y = 0; y < m_w.numWriters; ++y) {
            if (m_call.decay == DecayKind::Channel)
                ChannelScores<T>(m_call, m_buffers, m_w, x, y).forward(0, span.rows);
            else
                uniformScores(m_call, m_buffers, m_w, span, x, y);
            if (!m_oneDocument)
                maskDocuments(m_buffers, m_w, span, m_buffers.scores[x][y]);
        }
}

/// What the chunk writes: v as it is, or through the triangular system.
template <typename T>
void Head<T>::write(ChunkSpan span) {
    if (!solves())
        return;
    const std::int64_t width = m_w.valueWidth;
    T *y = m_buffers.written[solvedWriter()];
    if (m_call.writing == Writing::Tied)
        for (std::int64_t j = 0; j < span.rows * width; j += lanes<T>)
            store(y + j, load(m_buffers.value + j));
    else
        lowerProduct(Target::Overwrite, span.rows, width, m_buffers.scores[1][0], m_w.C, m_buffers.value, y);
    multiply<T>(Target::Add, span.rows, width, m_w.K, {m_buffers.readerFromStart[1], m_w.keyWidth, 1}, m_buffers.state, width, y, width);
    solveLower(span.rows, width, m_buffers.scores[1][solvedWriter()], m_w.C, y, width);
}

template <typename T>
void Head<T>::read(ChunkSpan span) {
    const std::int64_t width = m_w.valueWidth;
    T *o = m_buffers.solved[0];
    multiply<T>(Target::Overwrite, span.rows, width, m_w.K, {m_buffers.readerFromStart[0], m_w.keyWidth, 1}, m_buffers.state, width, o, width);
    for (int y = 0; y < m_w.numWriters; ++y)
        lowerProduct(Target::Add, span.rows, width, m_buffers.scores[0][y], m_w.C, m_buffers.written[y], o);
    storeRows(m_call, span, o, width, m_call.o, m_call.valueStride, m_w.V);
}

template <typename T>
bool Head<T>::forward() {
    loadState(m_call.initialState, m_w, m_buffers.state);
    for (std::int64_t n = 0; n < numChunks(); ++n) {
        if (stopped())
            return false;
        if (m_call.starts)
            storeState(m_buffers.state, m_w, m_call.starts + n * m_call.startsStride);
        const ChunkSpan span = chunkSpan(n, m_w.C, m_call.tokens);
        loadChunk(span);
        score(span);
        write(span);
        read(span);
        decayState(m_buffers.state);
        for (int y = 0; y < m_w.numWriters; ++y)
            multiply<T>(Target::Add, m_w.K, m_w.valueWidth, span.rows, {m_buffers.writerToEnd[y], 1, m_w.keyWidth}, m_buffers.written[y],
                        m_w.valueWidth, m_buffers.state, m_w.valueWidth);
    }
    storeState(m_buffers.state, m_w, m_call.finalState);
    return true;
}

/// dY, and the gradient of what the triangular system was solved for.
template <typename T>
void Head<T>::writtenGradients(ChunkSpan span) {
    const std::int64_t width = m_w.valueWidth;
    for (int y = 0; y < m_w.numWriters; ++y) {
        multiply<T>(Target::Overwrite, span.rows, width, m_w.K, {m_buffers.writerToEnd[y], m_w.keyWidth, 1}, m_buffers.stateGrad, width,
                    m_buffers.writtenGrad[y], width);
        upperProduct(Target::Add, span.rows, width, m_buffers.scores[0][y], m_w.C, m_buffers.solved[0], m_buffers.writtenGrad[y]);
    }
    if (!solves())
        return;
    const T *grad = m_buffers.writtenGrad[solvedWriter()];
    for (std::int64_t j = 0; j < span.rows * width; j += lanes<T>)
        store(m_buffers.solved[1] + j, load(grad + j));
    solveLowerTransposed(span.rows, width, m_buffers.scores[1][solvedWriter()], m_w.C, m_buffers.solved[1], width);
}

template <typename T>
void Head<T>::valueGradients(ChunkSpan span) {
    const T *grad = m_call.writing == Writing::Tied ? m_buffers.solved[1] : m_buffers.writtenGrad[0];
    if (m_call.writing == Writing::General)
        upperProduct(Target::Add, span.rows, m_w.valueWidth, m_buffers.scores[1][0], m_w.C, m_buffers.solved[1], m_buffers.writtenGrad[0]);
    storeRows(m_call, span, grad, m_w.valueWidth, m_call.vGrad, m_call.valueStride, m_w.V);
}

/// Gradients of readers and writers through the states at the chunk's ends, and of the decay over its end.
template <typename T>
void Head<T>::boundaryGradients(ChunkSpan span) {
    const std::int64_t width = m_w.keyWidth, values = m_w.valueWidth;
    for (std::int64_t i = 0; i < m_w.K; ++i) {
        Vector<T> kept{};
        for (std::int64_t j = 0; j < values; j += lanes<T>)
            kept += load(m_buffers.state + i * values + j) * load(m_buffers.stateGrad + i * values + j);
        m_buffers.endGrad[i] = m_buffers.carry[i] * sumOfLanes<T>(kept);
    }
    transpose(m_w.K, m_w.V, m_buffers.state, values, m_buffers.stateT, width);
    for (int x = 0; x < m_w.numReaders; ++x) {
        multiply<T>(Target::Overwrite, span.rows, width, m_w.V, {m_buffers.solved[x], values, 1}, m_buffers.stateT, width,
                    m_buffers.readerGrad[x], width);
        fromStart(span, x, m_buffers.readerGrad[x], m_buffers.readerGrad[x]);
    }
    transpose(m_w.K, m_w.V, m_buffers.stateGrad, values, m_buffers.stateT, width);
    for (int y = 0; y < m_w.numWriters; ++y) {
        multiply<T>(Target::Overwrite, span.rows, width, m_w.V, {m_buffers.written[y], values, 1}, m_buffers.stateT, width,
                    m_buffers.writerGrad[y], width);
        toEnd(span, m_buffers.writerGrad[y], m_buffers.writerGrad[y]);
        for (std::int64_t j = 0; j < width; j += lanes<T>) {
            Vector<T> sum = load(m_buffers.endGrad + j);
            for (std::int64_t r = 0; r < span.rows; ++r)
                sum += load(m_buffers.writer[y] + r * width + j) * load(m_buffers.writerGrad[y] + r * width + j);
            store(m_buffers.endGrad + j, sum);
        }
        transpose(span.rows, m_w.V, m_buffers.written[y], values, m_buffers.writtenT[y], m_w.C);
    }
}

template <typename T>
void Head<T>::scoreGradients(ChunkSpan span, int x, int y) {
    for (std::int64_t first = 0; first < span.rows; first += 16)
        multiply<T>(Target::Overwrite, 16, first + 16, m_w.V, {m_buffers.solved[x] + first * m_w.valueWidth, m_w.valueWidth, 1},
                    m_buffers.writtenT[y], m_w.C, m_buffers.scoresGrad + first * m_w.C, m_w.C);
    if (!m_oneDocument)
        maskDocuments(m_buffers, m_w, span, m_buffers.scoresGrad);
    if (m_call.decay == DecayKind::Channel)
        ChannelScores<T>(m_call, m_buffers, m_w, x, y).backward(0, span.rows);
    else
        uniformScoresBackward(m_call, m_buffers, m_w, span, x, y);
}

/// Readers pull their G (or X) up by reader·dReader, writers theirs down by writer·dWriter, and g collects every G and X after it:
/// one walk from the last row to the first, which starts anew where a document ends. The result lies in `product`.
template <typename T>
void Head<T>::decayGradients(ChunkSpan span) {
    const std::int64_t width = m_w.keyWidth;
    for (std::int64_t j = 0; j < width; j += lanes<T>) {
        Vector<T> through = load(m_buffers.endGrad + j), before{};
        for (std::int64_t r = span.rows - 1; r >= 0; --r) {
            const std::int64_t at = r * width + j;
            Vector<T> beforeRow{};
            for (int x = 0; x < m_w.numReaders; ++x)
                (seesOwnRow(m_call, x) ? through : beforeRow) += load(m_buffers.reader[x] + at) * load(m_buffers.readerGrad[x] + at);
            for (int y = 0; y < m_w.numWriters; ++y)
                through -= load(m_buffers.writer[y] + at) * load(m_buffers.writerGrad[y] + at);
            const bool startsDocument = !m_oneDocument && m_buffers.segment[r + 1] != m_buffers.segment[r];
            store(m_buffers.product + at, startsDocument ? Vector<T>{} : through + before);
            through = startsDocument ? Vector<T>{} : through;
            before = startsDocument ? Vector<T>{} : before + beforeRow;
        }
    }
    if (m_call.decay == DecayKind::Channel) {
        storeRows(m_call, span, m_buffers.product, width, m_call.gGrad, m_call.decayStride, m_w.K);
        return;
    }
    for (std::int64_t r = 0; r < span.rows; ++r) {
        Vector<T> sum{};
        for (std::int64_t j = 0; j < width; j += lanes<T>)
            sum += load(m_buffers.product + r * width + j);
        m_buffers.product[r * width] = sumOfLanes<T>(sum);
    }
    storeRows(m_call, span, m_buffers.product, width, m_call.gGrad, m_call.decayStride, 1);
}

template <typename T>
void Head<T>::storeGradients(ChunkSpan span) {
    T *readers[2] = {m_call.qGrad, m_call.aGrad}, *writers[2] = {m_call.kGrad, m_call.bGrad};
    for (int x = 0; x < m_w.numReaders; ++x)
        storeRows(m_call, span, m_buffers.readerGrad[x], m_w.keyWidth, readers[x], m_call.keyStride, m_w.K);
    for (int y = 0; y < m_w.numWriters; ++y)
        storeRows(m_call, span, m_buffers.writerGrad[y], m_w.keyWidth, writers[y], m_call.keyStride, m_w.K);
}

template <typename T>
bool Head<T>::backward() {
    loadState(m_call.finalStateGrad, m_w, m_buffers.stateGrad);
    for (std::int64_t j = 0; j < m_w.V * m_w.keyWidth; ++j)
        m_buffers.stateT[j] = 0;
    for (std::int64_t j = 0; j < m_w.keyWidth; ++j)
        m_buffers.endGrad[j] = 0;
    for (std::int64_t n = numChunks() - 1; n >= 0; --n) {
        if (stopped())
            return false;
        const ChunkSpan span = chunkSpan(n, m_w.C, m_call.tokens);
        loadChunk(span);
        loadState<T>(m_call.starts + n * m_call.startsStride, m_w, m_buffers.state);
        loadRows(m_call, span, m_call.oGrad ? m_call.oGrad : m_call.v, m_call.valueStride, m_call.oGrad ? m_w.V : 0, m_buffers.solved[0],
                 m_w.valueWidth);
        score(span);
        write(span);
        writtenGradients(span);
        valueGradients(span);
        boundaryGradients(span);
        for (int x = 0; x < m_w.numReaders; ++x)
            for (int y = 0; y < m_w.numWriters; ++y)
                scoreGradients(span, x, y);
        if (m_call.decay != DecayKind::None)
            decayGradients(span);
        storeGradients(span);
        decayState(m_buffers.stateGrad);
        for (int x = 0; x < m_w.numReaders; ++x)
            multiply<T>(Target::Add, m_w.K, m_w.valueWidth, span.rows, {m_buffers.readerFromStart[x], 1, m_w.keyWidth}, m_buffers.solved[x],
                        m_w.valueWidth, m_buffers.stateGrad, m_w.valueWidth);
    }
    if (m_call.initialStateGrad)
        storeState(m_buffers.stateGrad, m_w, m_call.initialStateGrad);
    return true;
}

template <typename T>
std::size_t scratchBytes(const HeadCall<T> &call) {
    Arena arena(nullptr);
    static_cast<void>(Buffers<T>(call, arena));
    return arena.used();
}

template <typename T>
bool forward(const HeadCall<T> &call) {
    return Head<T>(call).forward();
}

template <typename T>
bool backward(const HeadCall<T> &call) {
    return Head<T>(call).backward();
}

}  // namespace

extern const HeadKernels kernels;
const HeadKernels kernels{STILLROOM_KERNEL_NAME,
                          {scratchBytes<float>, forward<float>, backward<float>},
                          {scratchBytes<double>, forward<double>, backward<double>}};

}  // namespace stillroom::recurrence::STILLROOM_KERNEL
