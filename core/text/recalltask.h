// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "text/tokenizer.h"

#include <cstdint>
#include <string>
#include <vector>

/// Synthetic recall: sequences in which the right next token is known and needs a look-up far back.
namespace stillroom::text {

/// What predicting the token after a position asks for.
enum class RecallTarget : std::uint8_t {
    None,      ///< the next token cannot be known (a new pair, a new query, a run's first fillers), or there is none
    Recall,    ///< a key is queried here: the next token is the value it was paired with
    Filler,    ///< the next filler follows from the last two
};

/// One sequence. `targets[t]` says what predicting `ids[t + 1]` asks for; the last entry is None.
struct RecallSequence {
    std::vector<TokenId> ids;
    std::vector<RecallTarget> targets;
};

/// "MQAR-mix", the task of the demo: N key-value pairs first; then, until the sequence is full, either a query (a key and its value) or a run of
/// fillers from a second-order Markov chain with two successors per state. The first two fillers of a run are uniform, the rest follow the chain.
/// Ids: keys 0 … numKeys-1, then the values, then the fillers.
struct RecallMixOptions {
    std::int64_t numKeys = 64, numValues = 64, numFillers = 32;
    std::int64_t pairs = 20;                    ///< N; keys and values are distinct within a sequence
    std::int64_t length = 96;                   ///< T tokens
    double queryProbability = 0.7;              ///< against a run of fillers
    std::int64_t fillerRunMinimum = 2, fillerRunMaximum = 4;   ///< tokens; each length is as likely
    double likelyProbability = 0.8;             ///< of the first of a state's two successors
    std::uint64_t chainSeed = 1;                ///< the chain belongs to the task: a teacher and its students share it
};

/// Draws MQAR-mix sequences. Sequence i of a seed is a pure function of (options, seed, i): it does not matter what was drawn before.
class RecallMix final {
public:
    /// \throws Error(Usage) for sizes that cannot be: more pairs than keys or values, no room for the pairs and one query, …
    explicit RecallMix(const RecallMixOptions &options);

    [[nodiscard]] RecallSequence sequence(std::uint64_t seed, std::int64_t index) const;
    /// The same chain and symbols with other sizes: what a curriculum asks for. \throws Error(Usage)
    [[nodiscard]] RecallSequence sequence(std::uint64_t seed, std::int64_t index, std::int64_t pairs, std::int64_t length) const;

    /// The two fillers that may follow fillers a and b (0 … numFillers-1), the likely one first; distinct.
    [[nodiscard]] std::pair<std::int64_t, std::int64_t> successors(std::int64_t a, std::int64_t b) const;
    [[nodiscard]] const RecallMixOptions &options() const { return m_options; }
    [[nodiscard]] std::int64_t vocabSize() const { return m_options.numKeys + m_options.numValues + m_options.numFillers; }
    /// Best accuracy on Filler targets: the share of the likely successor.
    [[nodiscard]] double fillerCeiling() const { return m_options.likelyProbability; }
    /// Words for the ids, in their order: k00 … , v00 … , f00 … .
    [[nodiscard]] std::vector<std::string> words() const;

private:
    RecallMixOptions m_options;
    std::vector<std::pair<std::int64_t, std::int64_t>> m_chain;   ///< by a · numFillers + b
};

/// Multi-query associative recall as in zoology (Arora et al. 2023, arXiv 2312.04927): the pairs come first, `passes` times over; the rest is slots of two
/// tokens, and each key stands once more in a slot g drawn without replacement with p(g) ∝ (g + 1)^(powerA - 1). Only the queried keys are targets;
/// as there, the token after a query is filler and not the value: the value is the label, in `answers`.
struct MqarOptions {
    std::int64_t vocabSize = 8192;              ///< V: keys from 1 … V/2-1, values from V/2 … V-1, each distinct within a sequence
    std::int64_t length = 64;                   ///< T, even, below V
    std::int64_t pairs = 4;                     ///< N
    std::int64_t passes = 1;                    ///< how often the pairs are listed (2: "just read twice")
    double powerA = 0.01;                       ///< a: 1 is uniform, near 0 most queries come soon
    bool randomFillers = true;                  ///< uniform over the vocabulary instead of token 0
};

struct MqarSequence {
    std::vector<TokenId> ids;
    std::vector<TokenId> answers;               ///< the value at a queried key's position, -100 elsewhere
};

/// Sequence `index` of `seed`. \throws Error(Usage) for sizes that cannot be (2N·passes + 2N > T, T odd, V ≤ T, N > V/2 - 1, …).
[[nodiscard]] MqarSequence mqarSequence(const MqarOptions &options, std::uint64_t seed, std::int64_t index);

}  // namespace stillroom::text
