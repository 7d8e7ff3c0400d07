// SPDX-License-Identifier: GPL-3.0-or-later
// AR and AR-MH: how many answers the teacher loses without one layer's attention.
#include "error.h"
#include "evaluation/answers.h"
#include "evaluation/likeliest.h"
#include "procedures/computesettings.h"
#include "procedures/generation.h"
#include "procedures/measuringmemory.h"
#include "procedures/modelargument.h"
#include "procedures/partialresults.h"
#include "procedures/progressmeter.h"
#include "procedures/selectors.h"
#include "selection/branches.h"
#include "text/sumprompts.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace stillroom::procedures {
namespace {

using evaluation::AnsweredPrompt;

constexpr std::array<SelectorField, 5> sumFields{{{"num_prompts", "500"}, {"num_pairs", "50"}, {"max_new_tokens", "32"}, {"answer_match", "\"first-integer\""}, {"skip_first", "0"}}};

constexpr std::int64_t mostLookUps = 10'000'000;

text::SumPromptOptions promptOptions(const ScoringPlan &plan, bool aliases)
{
    text::SumPromptOptions options;
    options.numPairs = plan.spec.at("num_pairs").get<std::int64_t>();
    options.aliases = aliases;
    return options;
}

std::vector<AnsweredPrompt> promptsFor(const ScoringPlan &plan, const text::Tokenizer &tokenizer, bool aliases)
{
    const text::SumPromptOptions options = promptOptions(plan, aliases);
    const std::vector<std::string> words = text::promptWords(tokenizer);
    std::vector<AnsweredPrompt> prompts;
    for (std::int64_t index = 0; index < plan.spec.at("num_prompts").get<std::int64_t>(); ++index) {
        text::SumPrompt prompt = text::sumPrompt(words, options, plan.spec.at("seed").get<std::uint64_t>(), index);
        prompts.push_back({tokenizer.encode(prompt.text, true), std::move(prompt.answer)});
    }
    return prompts;
}

/// Writes one prompt: what is wrong with the first is wrong with all.
template <bool aliases>
void checkSums(const ScoringPlan &plan)
{
    checkSkipFirst(plan);
    if (const auto prompts = plan.spec.at("num_prompts").get<std::int64_t>(), pairs = plan.spec.at("num_pairs").get<std::int64_t>(); prompts * pairs > mostLookUps)
        throw Error(ErrorCode::Usage, "The fields \"num_prompts\" and \"num_pairs\" ask for " + std::to_string(prompts * pairs) + " words in all but at most " + std::to_string(mostLookUps) + " are held in memory: make one of them smaller.");
    (void)text::sumPrompt(text::promptWords(*tokenizerOf(plan.files)), promptOptions(plan, aliases), plan.spec.at("seed").get<std::uint64_t>(), 0);
}

template <bool aliases>
SelectorCost sumCost(const ScoringPlan &plan)
{
    SelectorCost cost{.blockPasses = plan.numLayers() * (1 + static_cast<std::int64_t>(plan.layers.size())), .atMost = true};
    for (const AnsweredPrompt &prompt : promptsFor(plan, *tokenizerOf(plan.files), aliases))
        cost.measuredTokens += static_cast<std::int64_t>(prompt.ids.size()) + plan.spec.at("max_new_tokens").get<std::int64_t>();
    return cost;
}

/// Of prompts that are continued together: what every layer remembers of them, and the pass over the prompts or the logits of a token of each. The shorter ones are padded.
template <bool aliases>
MeasuringBytes sumMemory(const Measuring &measuring)
{
    const std::vector<AnsweredPrompt> prompts = promptsFor(measuring.plan, *tokenizerOf(measuring.plan.files), aliases);
    std::int64_t longest = 1;
    for (const AnsweredPrompt &prompt : prompts)
        longest = std::max(longest, std::ssize(prompt.ids));
    const std::int64_t together = evaluation::promptsTogether(statedSettings(measuring.plan.spec).device);
    const std::int64_t rows = std::min<std::int64_t>(std::ssize(prompts), together), tokens = longest + measuring.plan.spec.at("max_new_tokens").get<std::int64_t>();
    std::int64_t remembered = 0;
    for (const nn::Block &block : measuring.teacher.blocks)
        remembered += block.mixer->stateBytes(rows, tokens, measuring.computeType);
    const std::int64_t likeliest = evaluation::likeliestBytes(measuring.teacher, rows, measuring.computeType);
    return {0, remembered + std::max(passBytes(measuring, rows, longest, true), hiddenBytes(measuring, rows, longest) + likeliest)};
}

/// Answers of the teacher, and of it without one layer's attention at a time.
class AnswerLoss final {
public:
    AnswerLoss(const ScoringStage &stage, StageRun &run, bool aliases)
        : m_stage(stage), m_run(run), m_pieces(stage, run, {"skip_first"}), m_tokenizer(tokenizerOf(stage.teacher.files)), m_prompts(promptsFor(stage, *m_tokenizer, aliases)),
          m_silent(selection::withoutAttention(stage.teacher.model)), m_meter(run.sink, "answering without one attention at a time")
    {
        m_options.maxNewTokens = stage.spec.at("max_new_tokens").get<std::int64_t>();
        m_options.match = stage.spec.at("answer_match") == "substring" ? evaluation::AnswerMatch::Substring : evaluation::AnswerMatch::FirstInteger;
        m_options.stopIds = endIds(stage.teacher.files.config, m_tokenizer.get());
        m_options.batchSize = evaluation::promptsTogether(stage.settings.device);
        m_options.computeType = stage.settings.computeType;
        m_options.stop = run.stop;
    }

    Scored score()
    {
        Scored scored;
        const evaluation::Answers whole = answersOf("answers of the teacher", m_stage.teacher.model);
        for (const int layer : m_stage.layers) {
            nn::Transformer without = m_stage.teacher.model;
            without.blocks[static_cast<std::size_t>(layer)] = m_silent.blocks[static_cast<std::size_t>(layer)];
            scored.samples.push_back({layer, lostAnswers(whole, answersOf("answers without the attention of layer " + std::to_string(layer), without))});
            scored.scores.push_back(scoreOf(scored.samples.back()));
            m_run.sink(scored.scores.back());
        }
        scored.spent = {.measuredTokens = m_models > 0 ? m_tokens / m_models : 0, .blockPasses = m_models * m_stage.numLayers()};
        scored.notes["reused_models"] = m_reused;
        scored.notes["teacher_accuracy"] = whole.accuracy();
        scored.notes["answers"] = m_options.match == evaluation::AnswerMatch::Substring ? "the sum stands anywhere in the continuation, as published code tests: small sums are found in larger ones, too"
                                                                                        : "the first whole number of the continuation is the sum";
        if (whole.accuracy() == 0.0)
            m_run.sink(experiment::Warning{"The teacher answers none of the prompts, so that no layer's loss can be seen: give it an easier task (fewer num_pairs) or choose another selector."});
        return scored;
    }

private:
    /// Of one model: kept from an earlier run, or given now.
    evaluation::Answers answersOf(const std::string &piece, const nn::Transformer &model)
    {
        if (const auto kept = m_pieces.find(piece); kept && kept->contains("right") && kept->at("right").is_array() && kept->at("right").size() == m_prompts.size()) {
            ++m_reused;
            return {kept->at("right").get<std::vector<double>>(), 0};
        }
        evaluation::Answers found = answered(model);
        m_pieces.keep(piece, {{"right", found.right}});
        return found;
    }
    evaluation::Answers answered(const nn::Transformer &model)
    {
        const auto total = static_cast<std::int64_t>((m_stage.layers.size() + 1) * m_prompts.size());
        const std::int64_t before = (m_models + m_reused) * static_cast<std::int64_t>(m_prompts.size());
        m_options.progress = [&](std::int64_t done, std::int64_t) { m_meter.update(before + done, total, 0); };
        evaluation::Answers result = evaluation::answerPrompts(model, m_prompts, *m_tokenizer, m_options);
        m_tokens += result.tokens;
        ++m_models;
        return result;
    }
    /// By prompt: 1 where the answer was lost, -1 where it was found.
    [[nodiscard]] static std::vector<double> lostAnswers(const evaluation::Answers &whole, const evaluation::Answers &without)
    {
        std::vector<double> lost;
        for (std::size_t i = 0; i < whole.right.size(); ++i)
            lost.push_back(whole.right[i] - without.right[i]);
        return lost;
    }
    [[nodiscard]] experiment::LayerScore scoreOf(const ScoreSamples &lost) const
    {
        experiment::LayerScore score = estimatedScore(m_stage, lost.layer, overSequences(lost.values));
        score.unit = "accuracy";
        score.higherIsBetter = true;
        return score;
    }

    const ScoringStage &m_stage;
    StageRun &m_run;
    PartialResults m_pieces;
    std::shared_ptr<const text::Tokenizer> m_tokenizer;
    std::vector<AnsweredPrompt> m_prompts;
    nn::Transformer m_silent;
    evaluation::AnswerOptions m_options;
    ProgressMeter m_meter;
    std::int64_t m_tokens = 0, m_models = 0, m_reused = 0;
};

template <bool aliases>
Scored scoreSums(const ScoringStage &stage, StageRun &run)
{
    Scored scored = AnswerLoss(stage, run, aliases).score();
    rankFirstLayersLast(scored, stage);
    return scored;
}

constexpr std::string_view sumCostFormula = "L + 1 greedy continuations of every prompt";

}  // namespace

extern const Selector arSelector, arMhSelector;

constinit const Selector arSelector{
    .name = "ar",
    .help = "Keeps the layers without whose attention the teacher loses most answers on sums of looked-up digits.",
    .source = "associative recall, the AR baseline of arXiv 2512.20569",
    .costFormula = sumCostFormula,
    .needsAligned = false,
    .needsTokenizer = true,
    .fields = sumFields,
    .check = checkSums<false>,
    .cost = sumCost<false>,
    .memory = sumMemory<false>,
    .score = scoreSums<false>,
};

constinit const Selector arMhSelector{
    .name = "ar-mh",
    .help = "The same with words that name earlier words instead of a digit, so that a look-up takes several hops.",
    .source = "multi-hop associative recall, the AR-MH baseline of arXiv 2512.20569",
    .costFormula = sumCostFormula,
    .needsAligned = false,
    .needsTokenizer = true,
    .fields = sumFields,
    .check = checkSums<true>,
    .cost = sumCost<true>,
    .memory = sumMemory<true>,
    .score = scoreSums<true>,
};

}  // namespace stillroom::procedures
