// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/recalltask.h"

#include "error.h"
#include "text/randomdraws.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace stillroom::text {

namespace {

constexpr std::int64_t largestVocabulary = 1 << 24;
constexpr std::int64_t largestLength = 1 << 24;

[[noreturn]] void refuseTask(const std::string &why) { throw Error(ErrorCode::Usage, "the recall task cannot be made: " + why); }

void requireRange(const char *name, std::int64_t value, std::int64_t minimum, std::int64_t maximum)
{
    if (value < minimum || value > maximum)
        refuseTask(std::string(name) + " is " + std::to_string(value) + ", give " + std::to_string(minimum) + " to " + std::to_string(maximum));
}

void requireShare(const char *name, double value)
{
    if (!(value >= 0.0 && value <= 1.0))
        refuseTask(std::string(name) + " is " + std::to_string(value) + ", give 0 to 1");
}

void checkSizes(const RecallMixOptions &options, std::int64_t pairs, std::int64_t length)
{
    requireRange("pairs", pairs, 1, std::min(options.numKeys, options.numValues));
    requireRange("length", length, 2 * pairs + 2, largestLength);
}

void checkMix(const RecallMixOptions &options)
{
    requireRange("num_keys", options.numKeys, 1, largestVocabulary);
    requireRange("num_values", options.numValues, 1, largestVocabulary);
    requireRange("num_fillers", options.numFillers, 2, 4096);
    requireRange("filler_run_minimum", options.fillerRunMinimum, 1, largestLength);
    requireRange("filler_run_maximum", options.fillerRunMaximum, options.fillerRunMinimum, largestLength);
    requireShare("query_probability", options.queryProbability);
    requireShare("filler_likely_probability", options.likelyProbability);
    checkSizes(options, options.pairs, options.length);
}

void checkMqar(const MqarOptions &options)
{
    requireRange("length", options.length, 2, largestLength);
    if (options.length % 2 != 0)
        refuseTask("length is " + std::to_string(options.length) + ", give an even number");
    requireRange("vocab_size", options.vocabSize, options.length + 1, largestVocabulary);
    requireRange("passes", options.passes, 1, largestLength);
    requireRange("pairs", options.pairs, 1, options.vocabSize / 2 - 1);
    if (!std::isfinite(options.powerA))
        refuseTask("power_a is not finite, give a number such as 0.01");
    // counted in slots of two tokens: the listed pairs, then at least one slot for each query
    if (options.pairs * (options.passes + 1) > options.length / 2)
        refuseTask("length is " + std::to_string(options.length) + ", but " + std::to_string(options.pairs) + " pairs listed " + std::to_string(options.passes) +
               " time(s) and queried once need at least " + std::to_string(2 * options.pairs * (options.passes + 1)));
}

}  // namespace

RecallMix::RecallMix(const RecallMixOptions &options) : m_options(options)
{
    checkMix(options);
    RandomDraws draws(seedFor(options.chainSeed, "filler-chain"));
    m_chain.reserve(static_cast<std::size_t>(options.numFillers * options.numFillers));
    for (std::int64_t state = 0; state < options.numFillers * options.numFillers; ++state) {
        const std::int64_t likely = draws.below(options.numFillers);
        const std::int64_t other = draws.below(options.numFillers - 1);   // any but the likely one
        m_chain.emplace_back(likely, other < likely ? other : other + 1);
    }
}

std::pair<std::int64_t, std::int64_t> RecallMix::successors(std::int64_t a, std::int64_t b) const
{
    requireRange("filler", a, 0, m_options.numFillers - 1);
    requireRange("filler", b, 0, m_options.numFillers - 1);
    return m_chain[static_cast<std::size_t>(a * m_options.numFillers + b)];
}

RecallSequence RecallMix::sequence(std::uint64_t seed, std::int64_t index) const
{
    return sequence(seed, index, m_options.pairs, m_options.length);
}

RecallSequence RecallMix::sequence(std::uint64_t seed, std::int64_t index, std::int64_t pairs, std::int64_t length) const
{
    checkSizes(m_options, pairs, length);
    RandomDraws draws(seedFor(seed, "recall-mix", 0, index));
    const std::vector<std::int64_t> keys = draws.distinct(pairs, m_options.numKeys);
    const std::vector<std::int64_t> values = draws.distinct(pairs, m_options.numValues);

    RecallSequence made;
    const auto append = [&](TokenId id, RecallTarget targetBefore) {
        if (!made.targets.empty())
            made.targets.back() = targetBefore;
        made.ids.push_back(id);
        made.targets.push_back(RecallTarget::None);
    };
    const auto appendPair = [&](std::size_t n, RecallTarget valueTarget) {
        append(keys[n], RecallTarget::None);
        append(m_options.numKeys + values[n], valueTarget);
    };
    const auto appendRun = [&] {
        const std::int64_t run = m_options.fillerRunMinimum + draws.below(m_options.fillerRunMaximum - m_options.fillerRunMinimum + 1);
        std::int64_t last[2] = {};
        for (std::int64_t i = 0; i < run; ++i) {
            std::int64_t next = 0;
            if (i < 2) {
                next = draws.below(m_options.numFillers);
            } else {
                const auto [likely, other] = successors(last[0], last[1]);
                next = draws.unit() < m_options.likelyProbability ? likely : other;
            }
            append(m_options.numKeys + m_options.numValues + next, i < 2 ? RecallTarget::None : RecallTarget::Filler);
            last[0] = last[1];
            last[1] = next;
        }
    };

    const auto numPairs = static_cast<std::size_t>(pairs);
    const auto numTokens = static_cast<std::size_t>(length);
    for (std::size_t n = 0; n < numPairs; ++n)
        appendPair(n, RecallTarget::None);
    while (made.ids.size() < numTokens) {
        if (draws.unit() < m_options.queryProbability)
            appendPair(static_cast<std::size_t>(draws.below(pairs)), RecallTarget::Recall);
        else
            appendRun();
    }
    made.ids.resize(numTokens);
    made.targets.resize(numTokens);
    made.targets.back() = RecallTarget::None;
    return made;
}

std::vector<std::string> RecallMix::words() const
{
    std::vector<std::string> all;
    const auto add = [&all](char letter, std::int64_t count) {
        for (std::int64_t n = 0; n < count; ++n)
            all.push_back(letter + std::string(n < 10 ? "0" : "") + std::to_string(n));
    };
    add('k', m_options.numKeys);
    add('v', m_options.numValues);
    add('f', m_options.numFillers);
    return all;
}

MqarSequence mqarSequence(const MqarOptions &options, std::uint64_t seed, std::int64_t index)
{
    checkMqar(options);
    RandomDraws draws(seedFor(seed, "mqar", 0, index));
    const std::int64_t half = options.vocabSize / 2;
    const std::vector<std::int64_t> keys = draws.distinct(options.pairs, half - 1);
    const std::vector<std::int64_t> values = draws.distinct(options.pairs, options.vocabSize - half);
    const std::int64_t listed = 2 * options.pairs * options.passes;
    const std::vector<std::int64_t> slots = draws.powerLawSlots(options.pairs, (options.length - listed) / 2, options.powerA - 1.0);

    MqarSequence made;
    made.ids.resize(static_cast<std::size_t>(options.length));
    made.answers.assign(made.ids.size(), -100);
    for (std::size_t t = 0; t < static_cast<std::size_t>(listed); ++t) {
        const std::size_t n = t / 2 % keys.size();
        made.ids[t] = t % 2 == 0 ? 1 + keys[n] : half + values[n];
    }
    for (std::size_t t = static_cast<std::size_t>(listed); t < made.ids.size(); ++t)
        made.ids[t] = options.randomFillers ? draws.below(options.vocabSize) : 0;
    for (std::size_t n = 0; n < keys.size(); ++n) {
        const auto place = static_cast<std::size_t>(listed + 2 * slots[n]);
        made.ids[place] = 1 + keys[n];
        made.answers[place] = half + values[n];
    }
    return made;
}

}  // namespace stillroom::text
