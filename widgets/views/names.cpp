// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/names.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>
#include <utility>
#include <vector>

namespace stillroom::widgets {
namespace {

struct Names {
    Q_DECLARE_TR_FUNCTIONS(Names)
};

QString featureName(const QString &feature)
{
    const std::pair<const char *, QString> known[] = {
        {"qkv_bias", Names::tr("biases on queries, keys and values")},
        {"output_bias", Names::tr("bias after attention")},
        {"qk_norm", Names::tr("norms on queries and keys")},
        {"rope", Names::tr("rotary positions")},
        {"rope_scaling", Names::tr("scaled rotary positions")},
        {"sliding_window", Names::tr("sliding window")},
        {"grouped_query", Names::tr("grouped queries")},
        {"wide_heads", Names::tr("head width other than D/H")},
    };
    for (const auto &[name, words] : known)
        if (feature == QLatin1String(name))
            return words;
    return feature;
}

/// One selector in words. The identifiers are the field's own; what is a word is translated.
struct SelectorWords {
    const char *selector;
    QString mark;             ///< as papers write it
    QString name;             ///< with what tells it from its neighbours
    QString measures;         ///< one line
};

const std::vector<SelectorWords> &selectorWords()
{
    static const std::vector<SelectorWords> all = {
        {"ga-s2", QStringLiteral("GA-S2"), Names::tr("GA-S2 (short distillation)"), Names::tr("How close to the teacher the student with this one softmax layer comes after a short distillation")},
        {"gr-s2", QStringLiteral("GR-S2"), Names::tr("GR-S2 (short distillation of the others)"), Names::tr("How far from the teacher the student with this one linear layer stays after a short distillation")},
        {"avg-s2", QStringLiteral("AVG-S2"), Names::tr("AVG-S2 (mean of both ranks)"), Names::tr("The mean of a layer's ranks by GA-S2 and by GR-S2")},
        {"exhaustive", Names::tr("exhaustive"), Names::tr("exhaustive search"), Names::tr("Every set of so many layers, each distilled a short while: the truth that the others approximate, for small models")},
        {"greedy-replace", Names::tr("greedy"), Names::tr("greedy replacement"), Names::tr("Makes the layer linear that hurts least beside those before it, one after another; what goes last is kept first")},
        {"beam-search", Names::tr("beam search"), Names::tr("beam search over sets"), Names::tr("Adds one softmax layer at a time to the best few sets so far, each measured as a whole, as PostNAS does")},
        {"gates", Names::tr("gates"), Names::tr("gates (only they are trained)"), Names::tr("Whether a layer's gate between softmax and linear attention stays open when only the gates are trained, as in FlashMorph and DASH")},
        {"zero-shot-ga", Names::tr("zero-shot GA"), Names::tr("zero-shot GA (no training)"), Names::tr("How much the layer helps as the only softmax layer, without training after stage 1")},
        {"zero-shot-gr", Names::tr("zero-shot GR"), Names::tr("zero-shot GR (no training)"), Names::tr("How much harm the layer does as the only linear layer, without training after stage 1")},
        {"ga-s1", QStringLiteral("GA-S1"), Names::tr("GA-S1 (stage-1 residual)"), Names::tr("What stage 1 could not imitate of the layer's attention: a first look")},
        {"gr-s1", QStringLiteral("GR-S1"), Names::tr("GR-S1 (stage-1 residual)"), Names::tr("The same as GA-S1: stage 1 gives every layer the teacher's own input")},
        {"ppl-bypass", Names::tr("PPL bypass"), Names::tr("PPL bypass (attention zeroed)"), Names::tr("How much the teacher's perplexity rises without the layer's attention")},
        {"kl-bypass", Names::tr("KL bypass"), Names::tr("KL bypass (attention zeroed)"), Names::tr("How far the teacher's predictions move, in KL, without the layer's attention")},
        {"mse-bypass", Names::tr("MSE bypass"), Names::tr("MSE bypass (attention zeroed)"), Names::tr("How far the final hidden states move, in squared error, without the layer's attention")},
        {"ar", QStringLiteral("AR"), Names::tr("AR (associative recall)"), Names::tr("How many answers on sums of looked-up digits the teacher loses without the layer's attention")},
        {"ar-mh", QStringLiteral("AR-MH"), Names::tr("AR-MH (multi-hop recall)"), Names::tr("The same with words that name earlier words, so that a look-up takes several hops")},
        {"halo", QStringLiteral("HALO"), Names::tr("HALO (recall against the rest)"), Names::tr("How much recall, and how little else, the layer costs as the only linear layer")},
        {"light-transfer", QStringLiteral("LightTransfer"), Names::tr("LightTransfer (laziness)"), Names::tr("How little the layer's last queries look at the first and the most recent tokens alone")},
    };
    return all;
}

const SelectorWords *wordsOf(const QString &selector)
{
    const auto &all = selectorWords();
    const auto found = std::find_if(all.begin(), all.end(), [&](const SelectorWords &one) { return selector == QLatin1String(one.selector); });
    return found == all.end() ? nullptr : &*found;
}

struct NamedField {
    const char *object, *field;
    QString name;
};

const std::vector<NamedField> &fieldWords()
{
    static const std::vector<NamedField> all = {
        {"", "name", Names::tr("Name")},
        {"", "notes", Names::tr("Notes")},
        {"", "threads", Names::tr("Threads")},
        {"", "device", Names::tr("Device")},
        {"", "compute_type", Names::tr("Type of activations")},
        {"", "seed", Names::tr("Seed")},
        {"", "checkpoint_interval_seconds", Names::tr("Checkpoint every")},
        {"", "teacher", Names::tr("Teacher")},
        {"", "model", Names::tr("Model")},
        {"", "mixer", Names::tr("Linear mixer")},
        {"mixer", "kind", Names::tr("Mixer")},
        {"mixer", "expand", Names::tr("Heads widened by")},
        {"mixer", "options", Names::tr("Mixer's options")},
        {"", "data", Names::tr("Data")},
        {"data", "source", Names::tr("Source")},
        {"data", "files", Names::tr("Files")},
        {"data", "held_out_files", Names::tr("Held-out files")},
        {"data", "held_out_fraction", Names::tr("Share held out")},
        {"data", "held_out_sequences", Names::tr("Held-out sequences")},
        {"data", "text_field", Names::tr("Field of the text")},
        {"data", "sequence_length", Names::tr("Sequence length")},
        {"data", "isolate_documents", Names::tr("Isolate documents")},
        {"data", "recall", Names::tr("Recall task")},
        {"recall", "num_keys", Names::tr("Keys")},
        {"recall", "num_values", Names::tr("Values")},
        {"recall", "num_fillers", Names::tr("Fillers")},
        {"recall", "pairs", Names::tr("Pairs in a sequence")},
        {"recall", "query_probability", Names::tr("Chance of a query")},
        {"recall", "filler_run_minimum", Names::tr("Shortest run of fillers")},
        {"recall", "filler_run_maximum", Names::tr("Longest run of fillers")},
        {"recall", "filler_likely_probability", Names::tr("Chance of the likelier filler")},
        {"recall", "chain_seed", Names::tr("Seed of the fillers")},
        {"", "steps", Names::tr("Steps")},
        {"", "tokens", Names::tr("Tokens")},
        {"", "batch_sequences", Names::tr("Batch")},
        {"", "micro_batch_sequences", Names::tr("Micro-batch (0: whole batch)")},
        {"", "schedule", Names::tr("Learning-rate schedule")},
        {"", "warmup_steps", Names::tr("Warm-up")},
        {"", "min_lr_ratio", Names::tr("Last learning rate, as a share")},
        {"", "decay_fraction", Names::tr("Share of steps that decay")},
        {"", "clip_norm", Names::tr("Gradient norm clipped at (0: not)")},
        {"", "beta1", Names::tr("AdamW β₁")},
        {"", "beta2", Names::tr("AdamW β₂")},
        {"", "eps", Names::tr("AdamW ε")},
        {"", "weight_decay", Names::tr("Weight decay")},
        {"", "checkpoint_blocks", Names::tr("Recompute blocks in backward")},
        {"", "layers", Names::tr("Layers (empty: all)")},
        {"", "loss", Names::tr("Distance of outputs")},
        {"", "learning_rate", Names::tr("Learning rate")},
        {"", "init", Names::tr("Start from")},
        {"", "alignment", Names::tr("Stage 1")},
        {"alignment", "data", Names::tr("Data of stage 1")},
        {"", "kl_budget_mb", Names::tr("Memory of the KL (0: by size)")},
        {"", "temperature", Names::tr("Temperature")},
        {"", "ce_weight", Names::tr("Weight of cross-entropy")},
        {"", "reverse_kl_weight", Names::tr("Weight of reverse KL")},
        {"", "learning_rate_mixers", Names::tr("Learning rate, fast group")},
        {"", "learning_rate_rest", Names::tr("Learning rate, the rest")},
        {"", "fast_group", Names::tr("Fast group")},
        {"", "train", Names::tr("What trains")},
        {"", "evaluations", Names::tr("Evaluations")},
        {"", "evaluate_at_tokens", Names::tr("Evaluate at tokens")},
        {"model", "num_layers", Names::tr("Layers L")},
        {"model", "hidden_size", Names::tr("Hidden size D")},
        {"model", "num_heads", Names::tr("Query heads H")},
        {"model", "num_kv_heads", Names::tr("Key/value heads")},
        {"model", "head_dim", Names::tr("Head width")},
        {"model", "intermediate_size", Names::tr("MLP width")},
        {"model", "hidden_act", Names::tr("Activation")},
        {"model", "rope_theta", Names::tr("Rotary base θ")},
        {"model", "qkv_bias", Names::tr("Biases on Q, K, V")},
        {"model", "tied_head", Names::tr("Head tied to embedding")},
        {"model", "local_init", Names::tr("Start as local heads")},
        {"model", "retrieval_layer", Names::tr("Retrieval layer")},
        {"model", "local_peak", Names::tr("Peak of local heads")},
        {"", "curriculum", Names::tr("Curriculum")},
        {"curriculum", "enabled", Names::tr("Grow the task")},
        {"curriculum", "start_pairs", Names::tr("Pairs at the start")},
        {"curriculum", "recall_threshold", Names::tr("Recall that grows it")},
        {"curriculum", "growth", Names::tr("Growth")},
        {"curriculum", "running_average", Names::tr("Weight of the past")},
        {"curriculum", "start_length", Names::tr("Length at the start")},
        {"curriculum", "batch_tokens", Names::tr("Tokens in a step")},
        {"", "stopping", Names::tr("Stopping")},
        {"stopping", "recall", Names::tr("Recall that is enough")},
        {"stopping", "extra_steps", Names::tr("Steps after that")},
        {"stopping", "evaluate_every_steps", Names::tr("Measure every")},
        {"stopping", "restart_step", Names::tr("Restart at (0: never)")},
        {"stopping", "restarts", Names::tr("Restarts, at most")},
        {"", "other_tokens_weight", Names::tr("Weight of unknowable tokens")},
        {"", "attention", Names::tr("Attention statistics")},
        {"", "tokens_file", Names::tr("File of token ids")},
        {"", "text", Names::tr("Text")},
        {"", "arm", Names::tr("Start by")},
        {"", "phase_1", Names::tr("Phase 1")},
        {"phase_1", "dropped_keys", Names::tr("First keys left out")},
        {"phase_1", "decay_rule", Names::tr("Decay from look-back by")},
        {"phase_1", "longest_distance", Names::tr("Cap on the look-back (0: none)")},
        {"phase_1", "mean_decay", Names::tr("Correct the mean decay")},
        {"phase_1", "write_init", Names::tr("Write gate set by")},
        {"phase_1", "least_beta", Names::tr("Least write strength β")},
        {"phase_1", "most_beta", Names::tr("Most write strength β")},
        {"phase_1", "least_entropy_spread", Names::tr("Least spread of entropies")},
        {"phase_1", "kernel_scale", Names::tr("Fit values with 1/√d")},
        {"phase_1", "least_scale", Names::tr("Least factor on values")},
        {"phase_1", "most_scale", Names::tr("Most factor on values")},
        {"phase_1", "gate_init", Names::tr("Output gate from")},
        {"phase_1", "gate_amplitude", Names::tr("Amplitude of the gate")},
        {"phase_1", "mean_of_rms", Names::tr("Mean of RMS")},
        {"phase_1", "set_decay", Names::tr("Set decays")},
        {"phase_1", "set_write_strength", Names::tr("Set write gates")},
        {"phase_1", "set_value_scale", Names::tr("Scale values")},
        {"phase_1", "set_output_gate", Names::tr("Set output gates")},
        {"", "phase_2", Names::tr("Phase 2")},
        {"phase_2", "learning_rate_copied", Names::tr("Learning rate, copied parts")},
        {"phase_2", "learning_rate_new", Names::tr("Learning rate, gates and decays")},
        {"phase_2", "learning_rate_output", Names::tr("Learning rate, output")},
        {"phase_2", "decay_all", Names::tr("Weight decay on decays too")},
        {"phase_2", "best_after_update", Names::tr("Best weights after the update")},
        {"phase_2", "patience_steps", Names::tr("Patience (0: never stops)")},
        {"phase_2", "least_improvement", Names::tr("Least improvement")},
        {"", "selector", Names::tr("Selector")},
        {"", "include_all_linear", Names::tr("Score all-linear too")},
        {"", "group_size", Names::tr("Students in lock-step (0: by memory)")},
        {"", "early_stop", Names::tr("Early stop")},
        {"early_stop", "enabled", Names::tr("Stop when it is sure")},
        {"early_stop", "rule", Names::tr("Rule")},
        {"early_stop", "error", Names::tr("Chance of an error")},
        {"early_stop", "window", Names::tr("Small changes in a row")},
        {"early_stop", "keep", Names::tr("Values of K wanted")},
        {"", "laziness", Names::tr("Laziness")},
        {"", "gates", Names::tr("Gates")},
        {"", "beam", Names::tr("Beam search")},
        {"", "keep", Names::tr("Softmax layers")},
        {"", "keep_count", Names::tr("or their number K")},
        {"", "keep_percent", Names::tr("or K in percent")},
        {"", "scores", Names::tr("Scores that choose")},
        {"", "measures", Names::tr("Measures")},
        {"", "window", Names::tr("Window (0: by model)")},
        {"", "stride", Names::tr("Stride (0: window)")},
        {"", "prompt", Names::tr("Prompt")},
        {"", "top_k", Names::tr("Top k (0: all)")},
        {"", "top_p", Names::tr("Top p")},
        {"", "chat", Names::tr("As a chat")},
        {"", "ignore_eos", Names::tr("Ignore end of text")},
        {"", "stages", Names::tr("Stages")},
        {"stages", "task", Names::tr("Name of the stage")},
        {"", "score_by", Names::tr("Measured by")},
        {"", "skip_first", Names::tr("First layers ranked last")},
        {"", "set_size", Names::tr("Softmax layers in a set")},
        {"", "max_sets", Names::tr("At most so many sets")},
        {"", "replace_until", Names::tr("Softmax layers left at the end")},
        {"", "num_prompts", Names::tr("Prompts")},
        {"", "num_pairs", Names::tr("Words in a prompt")},
        {"", "max_new_tokens", Names::tr("Tokens of an answer, at most")},
        {"", "answer_match", Names::tr("An answer is right by")},
        {"", "residual", Names::tr("Form of the residual")},
        {"", "formula", Names::tr("Formula")},
        {"", "sequences", Names::tr("Calibration sequences")},
        {"", "maps_tokens", Names::tr("Tokens of the maps (0: none)")},
        {"", "taylor_error", Names::tr("Measure Taylor errors")},
        {"", "recipe", Names::tr("All other settings, as")},
        {"laziness", "statistic", Names::tr("Laziness of a layer")},
        {"laziness", "keep_count", Names::tr("K that frequency is counted for")},
        {"laziness", "last_queries", Names::tr("Last queries looked at")},
        {"laziness", "sink_tokens", Names::tr("First tokens of a lazy layer")},
        {"laziness", "recent_tokens", Names::tr("Recent tokens of a lazy layer (0: by length)")},
        {"gates", "form", Names::tr("Gate made by")},
        {"gates", "start", Names::tr("Gates start at")},
        {"gates", "linearisation", Names::tr("Pull towards linear")},
        {"gates", "hidden_states", Names::tr("Hidden states to keep")},
        {"gates", "learning_rate", Names::tr("Learning rate of the gates")},
        {"gates", "data", Names::tr("Trained on")},
        {"gates", "pairs", Names::tr("Passkeys in a sequence")},
        {"gates", "queries", Names::tr("Passkeys asked for (0: all)")},
        {"gates", "value_digits", Names::tr("Digits of a passkey")},
        {"gates", "answers_only", Names::tr("Count the answers only")},
        {"gates", "runs", Names::tr("Trainings")},
        {"beam", "width", Names::tr("Sets that stay from size to size")},
        {"beam", "largest_keep", Names::tr("Largest K searched")},
        {"beam", "measure", Names::tr("Measured by")},
        {"beam", "supernet_steps", Names::tr("Steps of the supernet (0: none)")},
        {"beam", "supernet_learning_rate", Names::tr("Learning rate of the supernet")},
        {"beam", "sampling", Names::tr("Layers of a supernet step")},
        {"beam", "keep_probability", Names::tr("Chance of a softmax layer")},
        {"beam", "hidden_states", Names::tr("Hidden states to keep")},
    };
    return all;
}

QString gridName(const QString &grid)
{
    const std::pair<const char *, QString> known[] = {
        {"uniform-start", Names::tr("uniform, from the first layer")},
        {"uniform-end", Names::tr("uniform, to the last layer")},
        {"uniform-rounded", Names::tr("uniform, both ends")},
        {"uniform-latter-half", Names::tr("uniform, latter half")},
    };
    for (const auto &[name, words] : known)
        if (grid == QLatin1String(name))
            return words;
    return grid;
}

}  // namespace

QString selectorName(const QString &selector)
{
    const SelectorWords *words = wordsOf(selector);
    return words ? words->name : selectorMark(selector);
}

QString selectorMark(const QString &selector)
{
    if (const SelectorWords *words = wordsOf(selector))
        return words->mark;
    static const std::pair<const char *, const char *> published[] = {
        {"ga-s2-gla", "GA-S2 (GLA)"}, {"mse", "MSE"}, {"ppl", "PPL"}, {"postnas", "PostNAS"}, {"smart", "SMART"},
    };
    for (const auto &[name, mark] : published)
        if (selector == QLatin1String(name))
            return QString::fromLatin1(mark);
    return selector == QLatin1String("uniform") ? Names::tr("uniform") : selector;
}

QString selectorMeasures(const QString &selector)
{
    const SelectorWords *words = wordsOf(selector);
    return words ? words->measures : QString();
}

QString fieldName(const QString &object, const QString &field)
{
    const NamedField *anywhere = nullptr;
    for (const NamedField &one : fieldWords()) {
        if (field != QLatin1String(one.field))
            continue;
        if (object == QLatin1String(one.object))
            return one.name;
        if (*one.object == '\0')
            anywhere = &one;
    }
    return anywhere ? anywhere->name : field;
}

QString fieldChoiceName(const QString &choice)
{
    const std::pair<const char *, QString> known[] = {
        {"kl", Names::tr("KL to the teacher")},           {"perplexity", Names::tr("perplexity")},           {"recall", Names::tr("recall")},
        {"first-integer", Names::tr("its first number")}, {"substring", Names::tr("the sum anywhere in it")}, {"paper", Names::tr("as in the paper")},
        {"code", Names::tr("as in its code")},            {"mean", Names::tr("mean")},                       {"frequency", Names::tr("how often among the laziest")},
        {"clamp", Names::tr("clamping")},                 {"sigmoid", Names::tr("sigmoid")},                 {"softmax", Names::tr("softmax of two (DASH)")},
        {"final", Names::tr("after the last layer")},     {"every-layer", Names::tr("after every layer")},   {"passkeys", Names::tr("passkeys hidden in the texts")},
        {"stillroom", Names::tr("measured best")},       {"published", Names::tr("in the published code")},
        {"corpus", Names::tr("the texts alone")},         {"uniform-size", Names::tr("uniform in size")},    {"bernoulli", Names::tr("each by itself")},
        {"auto", Names::tr("automatic")},                 {"head", Names::tr("whole heads")},                {"row", Names::tr("single rows (published code)")},
        {"recall-task", Names::tr("recall task")},        {"text", Names::tr("texts")},                      {"tokens", Names::tr("token ids")},
        {"cosine", Names::tr("cosine")},                  {"constant", Names::tr("constant")},               {"linear", Names::tr("linear")},
        {"wsd", Names::tr("constant, then linear")},      {"relative-mse", Names::tr("relative squared error")}, {"rms", Names::tr("RMS (published code)")},
        {"squared", Names::tr("squared error (paper)")},  {"mean-square", Names::tr("mean squared error")},  {"rms-scaled", Names::tr("RMS, scaled")},
        {"new-mixers", Names::tr("the linear mixers")},   {"all", Names::tr("everything")},                  {"mixers", Names::tr("linear mixers alone")},
        {"half-life", Names::tr("half-life")},            {"mean-lag", Names::tr("mean lag")},               {"data", Names::tr("its mean on the data")},
        {"weight", Names::tr("row scale (published)")},   {"bias", Names::tr("a bias of its own")},         {"keep", Names::tr("as it was drawn")},            {"from-values", Names::tr("the value projection")},
        {"race", Names::tr("race of paired tests")},      {"stable", Names::tr("stable sets")},              {"hidden-cosine", Names::tr("cosine of hidden states")},
        {"silu", QStringLiteral("SiLU")},                 {"gelu", QStringLiteral("GELU")},
    };
    for (const auto &[name, words] : known)
        if (choice == QLatin1String(name))
            return words;
    return armName(choice);
}

QString teacherName(const QString &name)
{
    return name == QLatin1String("Demo teacher") ? Names::tr("Demo teacher") : name;
}

QString probeName(const QString &mixer)
{
    return mixer == QLatin1String("none") ? Names::tr("no student") : mixer.toUpper();
}

QString scoresName(const QString &selector, const QString &mixer)
{
    return (mixer == QLatin1String("none") ? Names::tr("%1 · %2") : Names::tr("%1 · probe %2")).arg(selectorName(selector), probeName(mixer));
}

QString choiceName(const comparison::Choice &choice)
{
    const QString selector = selectorMark(QString::fromStdString(choice.selector)), probe = probeName(QString::fromStdString(choice.probe));
    switch (choice.origin) {
    case comparison::Origin::Scoring: return Names::tr("%1 · %2").arg(selector, probe);
    case comparison::Origin::Smart: return Names::tr("SMART of %1 · %2").arg(selector, probe);
    case comparison::Origin::Uniform: return gridName(selector);
    case comparison::Origin::Random: return Names::tr("random (seed %1)").arg(choice.seed);
    case comparison::Origin::Published: return Names::tr("published %1 · %2").arg(selector, probe);
    case comparison::Origin::ByHand: break;
    }
    return Names::tr("your set by hand");
}

QString choiceGroup(const comparison::Choice &choice)
{
    switch (choice.origin) {
    case comparison::Origin::Scoring: return selectorMark(QString::fromStdString(choice.selector));
    case comparison::Origin::Smart: return selectorMark(QStringLiteral("smart"));
    case comparison::Origin::Uniform: return selectorMark(QStringLiteral("uniform"));
    case comparison::Origin::Random: return Names::tr("random");
    case comparison::Origin::Published: return Names::tr("published");
    case comparison::Origin::ByHand: break;
    }
    return Names::tr("by hand");
}

QString seedName(std::int64_t seed)
{
    return Names::tr("seed %1").arg(seed);
}

QString runName(const QString &uuid)
{
    return Names::tr("run %1").arg(uuid.left(8));
}

QString distinctName(const QString &name, const QString &distinction)
{
    return Names::tr("%1 · %2").arg(name, distinction);
}

QString layerNames(const experiment::LayerSet &layers)
{
    QStringList names;
    for (const int layer : layers)
        names << QString::number(layer);
    return names.isEmpty() ? Names::tr("none") : names.join(QStringLiteral(", "));
}

QString armName(const QString &arm)
{
    const std::pair<const char *, QString> known[] = {
        {"naive-copy", Names::tr("naive copy")}, {"zero-gate", Names::tr("closed gate")},  {"small-gate", Names::tr("all but closed gate")},
        {"phase-1", Names::tr("phase 1")},       {"phase-2", Names::tr("phase 2 alone")}, {"both", Names::tr("phases 1 and 2")},
    };
    for (const auto &[name, words] : known)
        if (arm == QLatin1String(name))
            return words;
    return arm;
}

QString phaseName(const QString &phase)
{
    const std::pair<const char *, QString> known[] = {
        {"packing", Names::tr("packing the texts")},
        {"training", Names::tr("training")},
        {"stage 1", Names::tr("stage 1")},
        {"held-out residuals", Names::tr("residuals on the held-out texts")},
        {"stage 2", Names::tr("stage 2")},
        {"zero-shot scoring", Names::tr("zero-shot scores")},
        {"zeroing one attention at a time", Names::tr("zeroing one attention at a time")},
        {"answering without one attention at a time", Names::tr("answering without one attention at a time")},
        {"recall with one linear layer at a time", Names::tr("recall with one linear layer at a time")},
        {"replacing layer after layer", Names::tr("replacing layer after layer")},
        {"laziness", Names::tr("laziness of the layers")},
        {"supernet", Names::tr("training the supernet")},
        {"heads", Names::tr("reading the attention")},
        {"phase 1", Names::tr("phase 1: reading the attention")},
        {"phase 2", Names::tr("phase 2: aligning every layer")},
        {"composed student", Names::tr("measuring the student as a whole")},
        {"Taylor error", Names::tr("Taylor errors")},
        {"maps", Names::tr("maps of the heads")},
    };
    for (const auto &[name, words] : known)
        if (phase == QLatin1String(name))
            return words;
    static const QRegularExpression gates(QStringLiteral("^gates, run (\\d+)$")), sets(QStringLiteral("^sets of (\\d+) layers$"));
    if (const auto match = gates.match(phase); match.hasMatch())
        return Names::tr("training the gates, run %1").arg(match.captured(1));
    if (const auto match = sets.match(phase); match.hasMatch())
        return Names::tr("sets of %1 layers").arg(match.captured(1));
    if (phase.startsWith(QLatin1String("scoring")))
        return Names::tr("training every candidate");
    return phase;
}

QString featureNames(const QStringList &features)
{
    QStringList names;
    for (const QString &feature : features)
        names << featureName(feature);
    return names.isEmpty() ? Names::tr("nothing") : names.join(QStringLiteral(", "));
}

}  // namespace stillroom::widgets
