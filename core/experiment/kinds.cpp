// SPDX-License-Identifier: GPL-3.0-or-later
// Every kind of spec as a table. A field's default is what the method's authors or our measurements found to serve; help texts say what it does.
#include "experiment/spec.h"

#include "error.h"
#include "experiment/completion.h"
#include "experiment/score.h"

#include <algorithm>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <utility>

/// Marks a text that the window says in other languages; lupdate knows it by this name.
#define QT_TRANSLATE_NOOP(context, text) text

namespace stillroom::experiment {

namespace {

using Fields = std::vector<Field>;

constexpr double maximumCount = 9007199254740992.0;    // 2^53: exact in every JSON reader
constexpr double maximumTokens = 1e6;                  // in one sequence
constexpr double maximumLayer = mostLayers - 1;

Fields together(std::initializer_list<Fields> groups)
{
    Fields all;
    for (const Fields &group : groups)
        all.insert(all.end(), group.begin(), group.end());
    return all;
}

Field field(std::string name, FieldType type, std::string preset, std::string help)
{
    Field made;
    made.name = std::move(name);
    made.type = type;
    made.defaultJson = std::move(preset);
    made.help = std::move(help);
    return made;
}

Field flag(std::string name, bool preset, std::string help)
{
    return field(std::move(name), FieldType::Bool, preset ? "true" : "false", std::move(help));
}

Field integer(std::string name, std::string preset, double minimum, double maximum, std::string unit, std::string help)
{
    Field made = field(std::move(name), FieldType::Integer, std::move(preset), std::move(help));
    made.minimum = minimum;
    made.maximum = maximum;
    made.unit = std::move(unit);
    return made;
}

Field number(std::string name, std::string preset, double minimum, double maximum, std::string unit, std::string help)
{
    Field made = integer(std::move(name), std::move(preset), minimum, maximum, std::move(unit), std::move(help));
    made.type = FieldType::Number;
    return made;
}

Field text(std::string name, std::string preset, std::string help)
{
    return field(std::move(name), FieldType::Text, std::move(preset), std::move(help));
}

Field choice(std::string name, const std::string &preset, std::vector<std::string> choices, std::string help)
{
    Field made = field(std::move(name), FieldType::Choice, '"' + preset + '"', std::move(help));
    made.choices = std::move(choices);
    return made;
}

Field texts(std::string name, std::string preset, std::string help)
{
    return field(std::move(name), FieldType::TextList, std::move(preset), std::move(help));
}

Field object(std::string name, Fields fields, std::string help)
{
    Field made = field(std::move(name), FieldType::Object, "null", std::move(help));
    made.fields = std::move(fields);
    return made;
}

/// Numbers whose order does not matter.
Field integers(std::string name, double minimum, double maximum, std::string unit, std::string help)
{
    Field made = integer(std::move(name), "[]", minimum, maximum, std::move(unit), std::move(help));
    made.type = FieldType::IntegerList;
    made.set = true;
    return made;
}

/// Does not change the numbers, or enters the key by content.
Field unhashed(Field made)
{
    made.hashed = false;
    return made;
}

Field optional(Field made)
{
    made.optional = true;
    made.defaultJson = "null";
    return made;
}

Field required(Field made)
{
    made.defaultJson = "null";
    return made;
}

/// A path, an artifact's hash, or in a pipeline "stage:TASK".
Field file(std::string name, std::string help)
{
    return unhashed(required(text(std::move(name), "null", std::move(help))));
}

Fields common()
{
    return {
        unhashed(optional(text("name", "null", QT_TRANSLATE_NOOP("Spec", "A name for people.")))),
        unhashed(optional(text("notes", "null", QT_TRANSLATE_NOOP("Spec", "Notes for people.")))),
        unhashed(integer("threads", "1", 1, 1024, "", QT_TRANSLATE_NOOP("Spec", "Threads of the tensor library; one is best beside other work."))),
        unhashed(field("device", FieldType::Device, "\"auto\"", QT_TRANSLATE_NOOP("Spec", "Where to compute: auto, cpu, cuda or cuda:N."))),
        unhashed(choice("compute_type", "auto", {"auto", "float32", "bfloat16", "float64"}, QT_TRANSLATE_NOOP("Spec", "Type of activations; auto is float32 on the CPU and bfloat16 on CUDA."))),
        integer("seed", "1", 0, maximumCount, "", QT_TRANSLATE_NOOP("Spec", "Every random number of the run follows from it.")),
        unhashed(number("checkpoint_interval_seconds", "300", 0, 1e6, "s", QT_TRANSLATE_NOOP("Spec", "A checkpoint is written when this much time has passed since the last one."))),
    };
}

Field teacher()
{
    return file("teacher", QT_TRANSLATE_NOOP("Spec", "A model's folder or GGUF file, a run that made one model, an artifact's key, or \"demo\"."));
}

Field mixer()
{
    return object("mixer", {
        text("kind", "\"gdn\"", QT_TRANSLATE_NOOP("Spec", "The linear token mixer, e.g. gdn or gla.")),
        choice("expand", "head", {"head", "row"}, QT_TRANSLATE_NOOP("Spec", "How teacher K/V heads are widened: whole heads, or single rows as two public code bases do (only to reproduce them).")),
        field("options", FieldType::Object, "{}", QT_TRANSLATE_NOOP("Spec", "The mixer's own options.")),
    }, QT_TRANSLATE_NOOP("Spec", "The student's linear layer."));
}

Field recall()
{
    return object("recall", {
        integer("num_keys", "64", 1, 1e6, "", QT_TRANSLATE_NOOP("Spec", "Key symbols.")),
        integer("num_values", "64", 1, 1e6, "", QT_TRANSLATE_NOOP("Spec", "Value symbols.")),
        integer("num_fillers", "32", 1, 1e6, "", QT_TRANSLATE_NOOP("Spec", "Filler symbols of the Markov chain.")),
        integer("pairs", "20", 1, 1e6, "", QT_TRANSLATE_NOOP("Spec", "Key-value pairs in one sequence.")),
        number("query_probability", "0.7", 0, 1, "", QT_TRANSLATE_NOOP("Spec", "Chance that a query follows rather than a run of fillers.")),
        integer("filler_run_minimum", "2", 1, 1e6, "tokens", QT_TRANSLATE_NOOP("Spec", "Shortest run of fillers.")),
        integer("filler_run_maximum", "4", 1, 1e6, "tokens", QT_TRANSLATE_NOOP("Spec", "Longest run of fillers.")),
        number("filler_likely_probability", "0.8", 0.5, 1, "", QT_TRANSLATE_NOOP("Spec", "Chance of the likelier of a filler's two successors.")),
        integer("chain_seed", "1", 0, maximumCount, "", QT_TRANSLATE_NOOP("Spec", "Draws the chain of fillers; the same for a teacher and its students.")),
    }, QT_TRANSLATE_NOOP("Spec", "The synthetic recall task."));
}

Field data(const std::string &sequenceLength)
{
    return object("data", {
        choice("source", "recall-task", {"recall-task", "text", "tokens"}, QT_TRANSLATE_NOOP("Spec", "Synthetic recall sequences, text files, or files of token ids.")),
        unhashed(texts("files", "[]", QT_TRANSLATE_NOOP("Spec", "Text, JSONL or token files, or folders of them."))),
        unhashed(texts("held_out_files", "[]", QT_TRANSLATE_NOOP("Spec", "Files to measure on; empty: documents are held out by hash."))),
        number("held_out_fraction", "0.05", 0, 0.9, "", QT_TRANSLATE_NOOP("Spec", "Share of documents held out when no files are named.")),
        integer("held_out_sequences", "64", 1, 1e7, "sequences", QT_TRANSLATE_NOOP("Spec", "Size of the fixed, paired held-out set.")),
        text("text_field", "\"text\"", QT_TRANSLATE_NOOP("Spec", "The field of a JSONL line that holds the text.")),
        integer("sequence_length", sequenceLength, 2, maximumTokens, "tokens", QT_TRANSLATE_NOOP("Spec", "Tokens in one sequence.")),
        flag("isolate_documents", true, QT_TRANSLATE_NOOP("Spec", "Documents packed into one sequence do not see each other.")),
        recall(),
    }, QT_TRANSLATE_NOOP("Spec", "What to train and measure on."));
}

/// AdamW, schedule, clipping and length, with this stage's defaults.
struct TrainingDefaults {
    std::string steps, batchSequences, schedule, warmupSteps, beta2, weightDecay;
    double fewestSteps = 1;      ///< 0 where the stage makes sense without training
};

Fields training(const TrainingDefaults &preset)
{
    return {
        integer("steps", preset.steps, preset.fewestSteps, 1e9, "steps", preset.fewestSteps > 0 ? QT_TRANSLATE_NOOP("Spec", "Optimizer steps (or give tokens).") : QT_TRANSLATE_NOOP("Spec", "Optimizer steps (or give tokens); 0: measure the hybrid as its start makes it.")),
        optional(integer("tokens", "null", 1, maximumCount, "tokens", QT_TRANSLATE_NOOP("Spec", "Instead of steps: training tokens, rounded down to whole steps."))),
        integer("batch_sequences", preset.batchSequences, 1, 1e6, "sequences", QT_TRANSLATE_NOOP("Spec", "Sequences in one optimizer step.")),
        integer("micro_batch_sequences", "0", 0, 1e6, "sequences", QT_TRANSLATE_NOOP("Spec", "Sequences in one forward pass, gradients are accumulated; 0: the whole batch.")),
        choice("schedule", preset.schedule, {"cosine", "constant", "linear", "wsd"}, QT_TRANSLATE_NOOP("Spec", "Learning rate over the steps; wsd: constant, then linear decay.")),
        integer("warmup_steps", preset.warmupSteps, 0, 1e9, "steps", QT_TRANSLATE_NOOP("Spec", "Linear warm-up.")),
        number("min_lr_ratio", "0", 0, 1, "", QT_TRANSLATE_NOOP("Spec", "Last learning rate as a share of the first.")),
        number("decay_fraction", "0.3", 0, 1, "", QT_TRANSLATE_NOOP("Spec", "Share of the steps that decay (wsd only).")),
        number("clip_norm", "1", 0, 1e9, "", QT_TRANSLATE_NOOP("Spec", "Gradient norm above which gradients are scaled down; 0: no clipping.")),
        number("beta1", "0.9", 0, 0.999999, "", QT_TRANSLATE_NOOP("Spec", "AdamW.")),
        number("beta2", preset.beta2, 0, 0.999999, "", QT_TRANSLATE_NOOP("Spec", "AdamW.")),
        number("eps", "1e-8", 1e-30, 1, "", QT_TRANSLATE_NOOP("Spec", "AdamW.")),
        number("weight_decay", preset.weightDecay, 0, 10, "", QT_TRANSLATE_NOOP("Spec", "AdamW; never on decays, their biases and norms.")),
        unhashed(flag("checkpoint_blocks", false, QT_TRANSLATE_NOOP("Spec", "Compute each block again in backward instead of keeping its activations: less memory, same numbers."))),
    };
}

Fields alignment()
{
    return together({
        {integers("layers", 0, maximumLayer, "", QT_TRANSLATE_NOOP("Spec", "Layers to align; empty: all.")),
         choice("loss", "relative-mse", {"relative-mse", "rms", "squared", "mean-square", "rms-scaled"}, QT_TRANSLATE_NOOP("Spec", "Distance between teacher and student attention outputs, per layer.")),
         number("learning_rate", "1e-3", 1e-12, 10, "", QT_TRANSLATE_NOOP("Spec", "Of the student mixers."))},
        training({.steps = "150", .batchSequences = "16", .schedule = "cosine", .warmupSteps = "0", .beta2 = "0.95", .weightDecay = "0"}),
    });
}

/// Stage 1 as a part of a score or distill spec.
Fields start()
{
    Fields fields = alignment();
    Field ownData = optional(data("512"));
    ownData.help = QT_TRANSLATE_NOOP("Spec", "What stage 1 trains on; left out: the same as the rest.");
    fields.push_back(ownData);
    Field within = optional(object("alignment", fields, QT_TRANSLATE_NOOP("Spec", "Stage 1, when no init is given.")));
    return {unhashed(optional(text("init", "null", QT_TRANSLATE_NOOP("Spec", "Mixers to start from, as an align or calibrate stage leaves them: a run, its artifact's key or the beginning of it, or stage:TASK; left out: stage 1 is part of this run.")))), within};
}

/// A fixed number of megabytes would not do: the gradients of a large head alone take hundreds.
Field klBudget()
{
    return integer("kl_budget_mb", "0", 0, 1e6, "MiB", QT_TRANSLATE_NOOP("Spec", "Memory of the distillation loss: the gradients it makes and the logits of one slice of tokens; 0: the gradients and 256 MiB."));
}

Fields distillation(const std::string &steps, double fewestSteps)
{
    return together({
        {number("temperature", "1", 1e-3, 1e3, "", QT_TRANSLATE_NOOP("Spec", "Of both softmaxes in the KL; the loss carries its square.")),
         number("ce_weight", "0", 0, 1e3, "", QT_TRANSLATE_NOOP("Spec", "Weight of next-token cross-entropy.")),
         number("reverse_kl_weight", "0", 0, 1e3, "", QT_TRANSLATE_NOOP("Spec", "Weight of KL(student ‖ teacher).")),
         number("learning_rate_mixers", "1e-4", 0, 10, "", QT_TRANSLATE_NOOP("Spec", "Of the fast group.")),
         number("learning_rate_rest", "7e-6", 0, 10, "", QT_TRANSLATE_NOOP("Spec", "Of everything else that trains.")),
         choice("fast_group", "new-mixers", {"new-mixers", "published"}, QT_TRANSLATE_NOOP("Spec", "What the fast group holds: the linear mixers, or as published every attention and its norm.")),
         choice("train", "all", {"all", "mixers"}, QT_TRANSLATE_NOOP("Spec", "Train everything, or the linear mixers alone.")),
         klBudget()},
        training({.steps = steps, .batchSequences = "32", .schedule = "constant", .warmupSteps = "0", .beta2 = "0.95", .weightDecay = "0.01", .fewestSteps = fewestSteps}),
    });
}

Fields evaluationSchedule()
{
    return {
        integer("evaluations", "6", 1, 1e5, "", QT_TRANSLATE_NOOP("Spec", "How often the held-out set is measured, at equal distances, the last at the end.")),
        integers("evaluate_at_tokens", 0, maximumCount, "tokens", QT_TRANSLATE_NOOP("Spec", "Instead of equal distances: token counts, each rounded up to a whole step; 0: before the first.")),
    };
}

KindSchema trainTeacher()
{
    Field shape = object("model", {
        integer("num_layers", "6", 1, maximumLayer, "", QT_TRANSLATE_NOOP("Spec", "L.")),
        integer("hidden_size", "64", 1, 65536, "", QT_TRANSLATE_NOOP("Spec", "D.")),
        integer("num_heads", "2", 1, 4096, "", QT_TRANSLATE_NOOP("Spec", "H, query heads.")),
        integer("num_kv_heads", "2", 1, 4096, "", QT_TRANSLATE_NOOP("Spec", "Key/value heads.")),
        integer("head_dim", "32", 2, 4096, "", QT_TRANSLATE_NOOP("Spec", "Width of a head.")),
        integer("intermediate_size", "88", 1, 1e6, "", QT_TRANSLATE_NOOP("Spec", "Width of the MLP.")),
        choice("hidden_act", "silu", {"silu", "gelu"}, QT_TRANSLATE_NOOP("Spec", "Activation of the gated MLP.")),
        number("rope_theta", "100", 1, 1e12, "", QT_TRANSLATE_NOOP("Spec", "Base of the rotary position embedding.")),
        flag("qkv_bias", true, QT_TRANSLATE_NOOP("Spec", "Biases on queries, keys and values.")),
        flag("tied_head", false, QT_TRANSLATE_NOOP("Spec", "The output head is the embedding.")),
        flag("local_init", true, QT_TRANSLATE_NOOP("Spec", "Start all layers but the retrieval layer as local heads (retrieval is learned).")),
        integer("retrieval_layer", "4", 0, maximumLayer, "", QT_TRANSLATE_NOOP("Spec", "The layer that starts free.")),
        number("local_peak", "12", 0, 1000, "", QT_TRANSLATE_NOOP("Spec", "Attention score of a local head at the place it starts to look at.")),
    }, QT_TRANSLATE_NOOP("Spec", "The teacher's shape and its start."));
    Field curriculum = object("curriculum", {
        flag("enabled", true, QT_TRANSLATE_NOOP("Spec", "Grow the number of pairs and the sequence length as recall is learned.")),
        integer("start_pairs", "3", 1, 1e6, "", QT_TRANSLATE_NOOP("Spec", "Pairs at the start.")),
        number("recall_threshold", "0.9", 0, 1, "", QT_TRANSLATE_NOOP("Spec", "Running recall above which the task grows.")),
        number("growth", "1.35", 1, 10, "", QT_TRANSLATE_NOOP("Spec", "Factor on the pairs.")),
        number("running_average", "0.9", 0, 0.999999, "", QT_TRANSLATE_NOOP("Spec", "Weight of the past in the running recall.")),
        integer("start_length", "24", 2, maximumTokens, "tokens", QT_TRANSLATE_NOOP("Spec", "Sequence length at the start.")),
        integer("batch_tokens", "1536", 1, maximumCount, "tokens", QT_TRANSLATE_NOOP("Spec", "Steps with short sequences hold more of them, up to so many tokens.")),
    }, QT_TRANSLATE_NOOP("Spec", "From easy to hard."));
    Field stopping = object("stopping", {
        number("recall", "0.985", 0, 1, "", QT_TRANSLATE_NOOP("Spec", "Held-out recall that counts as solved.")),
        integer("extra_steps", "250", 0, 1e9, "steps", QT_TRANSLATE_NOOP("Spec", "Steps after that; the learning rate falls to zero along them.")),
        integer("evaluate_every_steps", "25", 1, 1e9, "steps", QT_TRANSLATE_NOOP("Spec", "Distance of measurements.")),
        integer("restart_step", "600", 0, 1e9, "steps", QT_TRANSLATE_NOOP("Spec", "With the first pairs unlearned at this step, restart with the next seed; 0: never.")),
        integer("restarts", "4", 0, 1000, "", QT_TRANSLATE_NOOP("Spec", "At most so many restarts.")),
    }, QT_TRANSLATE_NOOP("Spec", "When to stop and when to start again."));
    return {.kind = "train-teacher", .help = QT_TRANSLATE_NOOP("Spec", "Train the small demo teacher on the recall task."),
            .fields = together({common(), {shape, data("96"), curriculum, stopping, number("learning_rate", "2e-3", 1e-12, 10, "", QT_TRANSLATE_NOOP("Spec", "Of all parameters.")),
                                    number("other_tokens_weight", "0.3", 0, 10, "", QT_TRANSLATE_NOOP("Spec", "Weight of the tokens that cannot be known, beside 1 for those that can: above 0 the teacher is a language model of its whole task."))},
                                training({.steps = "2500", .batchSequences = "32", .schedule = "constant", .warmupSteps = "100", .beta2 = "0.95", .weightDecay = "0"})})};
}

KindSchema inspect()
{
    return {.kind = "inspect", .help = QT_TRANSLATE_NOOP("Spec", "A model's shape, sizes and, if asked, attention statistics per layer and head."),
            .fields = together({common(), {
                file("model", QT_TRANSLATE_NOOP("Spec", "A model's folder or GGUF file, a run that made one model, an artifact's key, or \"demo\".")),
                flag("attention", false, QT_TRANSLATE_NOOP("Spec", "Measure attention statistics.")),
                unhashed(optional(text("tokens_file", "null", QT_TRANSLATE_NOOP("Spec", "Token ids to measure on (safetensors with input_ids).")))),
                optional(text("text", "null", QT_TRANSLATE_NOOP("Spec", "A text to measure on."))),
            }})};
}

KindSchema align()
{
    return {.kind = "align", .help = QT_TRANSLATE_NOOP("Spec", "Stage 1: every linear layer learns its softmax layer's output."),
            .fields = together({common(), {teacher(), mixer(), data("512"),
                unhashed(optional(text("init", "null", QT_TRANSLATE_NOOP("Spec", "Mixers to start from: a calibrate or align run, its artifact's key or the beginning of it, or stage:TASK; left out: copies of the teacher's weights.")))),
            }, alignment()})};
}

/// What is left out is filled in by the recipe, for those arms that have the phase.
Fields calibrationPhases()
{
    return {
        optional(object("phase_1", {
            optional(integer("dropped_keys", "null", 0, 1024, "tokens", QT_TRANSLATE_NOOP("Spec", "First keys of a document that are left out of look-back and entropy. Default: 1, published: 0"))),
            optional(choice("decay_rule", "half-life", {"half-life", "mean-lag"}, QT_TRANSLATE_NOOP("Spec", "Half is forgotten after the mean look-back, or the kernel's mean lag is the mean look-back. Default: half-life"))),
            optional(number("longest_distance", "null", 0, maximumTokens, "tokens", QT_TRANSLATE_NOOP("Spec", "Cap on the look-back; 0: none. Default: 0"))),
            optional(flag("mean_decay", false, QT_TRANSLATE_NOOP("Spec", "Correct each decay until its mean over the calibration tokens is the target. Default: false"))),
            optional(choice("write_init", "data", {"data", "weight", "bias", "keep"}, QT_TRANSLATE_NOOP("Spec", "How the write gate gets to its target: by its mean over the calibration tokens, by row scale as published (which misses it), by a bias where the mixer has one (gdn's option write_bias), or not at all. Default: data, published: weight"))),
            optional(number("least_beta", "null", 1e-6, 0.999999, "", QT_TRANSLATE_NOOP("Spec", "Write strength of a layer's least concentrated head. Default: 0.3"))),
            optional(number("most_beta", "null", 1e-6, 0.999999, "", QT_TRANSLATE_NOOP("Spec", "Write strength of its most concentrated head. Default: 0.7"))),
            optional(number("least_entropy_spread", "null", 1e-9, 100, "nats", QT_TRANSLATE_NOOP("Spec", "Entropies of a layer's heads that lie closer together do not fill that range. Default: 0.001"))),
            optional(flag("kernel_scale", true, QT_TRANSLATE_NOOP("Spec", "Fit values to what the mixer reads, with its 1/√d; published code leaves that out. Default: true, published: false"))),
            optional(number("least_scale", "null", 1e-6, 1e6, "", QT_TRANSLATE_NOOP("Spec", "Smallest factor on a head's values. Default: 0.1"))),
            optional(number("most_scale", "null", 1e-6, 1e6, "", QT_TRANSLATE_NOOP("Spec", "Largest factor on a head's values. Default: 10"))),
            optional(choice("gate_init", "keep", {"from-values", "keep"}, QT_TRANSLATE_NOOP("Spec", "The output gate: a small multiple of the value projection, or as it was drawn. Default: keep, published: from-values"))),
            optional(number("gate_amplitude", "null", 0, 1e6, "", QT_TRANSLATE_NOOP("Spec", "Of the gate, as a share of the teacher's amplitude. Default: 0.01"))),
            optional(flag("mean_of_rms", false, QT_TRANSLATE_NOOP("Spec", "Compare a mean of RMS with one RMS over everything, as published. Default: false, published: true"))),
            optional(flag("set_decay", true, QT_TRANSLATE_NOOP("Spec", "Set decays. Default: true"))),
            optional(flag("set_write_strength", true, QT_TRANSLATE_NOOP("Spec", "Set write gates. Default: true"))),
            optional(flag("set_value_scale", false, QT_TRANSLATE_NOOP("Spec", "Scale values. Default: false, published: true"))),
            optional(flag("set_output_gate", true, QT_TRANSLATE_NOOP("Spec", "Set output gates. Default: true"))),
        }, QT_TRANSLATE_NOOP("Spec", "What is read off the teacher's attention, and what is set by it."))),
        optional(object("phase_2", {
            optional(integer("steps", "null", 1, 1e9, "steps", QT_TRANSLATE_NOOP("Spec", "Optimizer steps of every layer, each on all calibration tokens. Default: 300"))),
            optional(choice("loss", "relative-mse", {"relative-mse", "rms", "squared", "mean-square", "rms-scaled"}, QT_TRANSLATE_NOOP("Spec", "Distance between teacher and student attention outputs. Default: relative-mse, published: mean-square"))),
            optional(number("learning_rate_copied", "null", 0, 10, "", QT_TRANSLATE_NOOP("Spec", "Of query, key and value projections. Default: 1e-4"))),
            optional(number("learning_rate_new", "null", 0, 10, "", QT_TRANSLATE_NOOP("Spec", "Of gates and decays. Default: 1e-3"))),
            optional(number("learning_rate_output", "null", 0, 10, "", QT_TRANSLATE_NOOP("Spec", "Of output projection and norm; 0: frozen. Default: 0"))),
            optional(number("weight_decay", "null", 0, 10, "", QT_TRANSLATE_NOOP("Spec", "AdamW. Default: 0.01"))),
            optional(flag("decay_all", false, QT_TRANSLATE_NOOP("Spec", "Weight decay on decays and their biases too, as published. Default: false, published: true"))),
            optional(flag("best_after_update", false, QT_TRANSLATE_NOOP("Spec", "Keep the weights one update past the best loss, as published. Default: false, published: true"))),
            optional(number("clip_norm", "null", 0, 1e9, "", QT_TRANSLATE_NOOP("Spec", "Gradient norm of a layer above which it is scaled down; 0: none. Default: 1"))),
            optional(integer("patience_steps", "null", 0, 1e9, "steps", QT_TRANSLATE_NOOP("Spec", "A layer stops when it has not improved for so long; 0: never. Default: 50, published: 0"))),
            optional(number("least_improvement", "null", 0, 0.999999, "", QT_TRANSLATE_NOOP("Spec", "What counts as improved, as a share of the best loss. Default: 0.001, published: 0"))),
            optional(integer("micro_batch_sequences", "null", 0, 1e6, "sequences", QT_TRANSLATE_NOOP("Spec", "Sequences of one pass; 0: all. Default: 0"))),
        }, QT_TRANSLATE_NOOP("Spec", "Alignment of each layer with the teacher's attention output."))),
    };
}

KindSchema calibrate()
{
    return {.kind = "calibrate", .revision = 3, .help = QT_TRANSLATE_NOOP("Spec", "Taylor-Calibrate: start linear layers from what the teacher's attention does, then align them."),
            .fields = together({common(), {
                teacher(), mixer(), data("512"),
                choice("arm", "both", {"naive-copy", "zero-gate", "small-gate", "phase-1", "phase-2", "both"}, QT_TRANSLATE_NOOP("Spec", "The copied weights alone, with the output gate closed or all but closed, with Phase 1 (closed form), Phase 2 (alignment), or both.")),
                choice("recipe", "stillroom", {"stillroom", "published"}, QT_TRANSLATE_NOOP("Spec", "What fills in the fields of the phases that are left out: our defaults, or what the published code does in these fields (only to reproduce it; its scattered rows are mixer.expand, its 4 sequences of 256 tokens sequences and data.sequence_length).")),
                integers("layers", 0, maximumLayer, "", QT_TRANSLATE_NOOP("Spec", "Layers to calibrate; empty: all.")),
                integer("sequences", "8", 1, 1e5, "sequences", QT_TRANSLATE_NOOP("Spec", "Calibration sequences, drawn from the training text by the seed.")),
                flag("taylor_error", false, QT_TRANSLATE_NOOP("Spec", "Measure how far the Taylor expansions of orders 1 and 2 are from each head's attention.")),
                optional(integer("maps_tokens", "null", 0, 1024, "tokens", QT_TRANSLATE_NOOP("Spec", "First tokens of the first sequence over which every head's attention is kept beside its student's map; 0: none. Default: 64"))),
            }, calibrationPhases()})};
}

/// What single selectors read, each an object of its own.
Fields selectorObjects()
{
    return {
        optional(object("laziness", {
            choice("statistic", "mean", {"mean", "frequency"}, QT_TRANSLATE_NOOP("Spec", "Mean laziness, or the share of sequences in which the layer is among the laziest.")),
            optional(integer("keep_count", "null", 0, maximumLayer, "", QT_TRANSLATE_NOOP("Spec", "Frequency: K, so that the laziest L - K of a sequence count. Default: a quarter of the layers"))),
            integer("last_queries", "32", 1, maximumTokens, "tokens", QT_TRANSLATE_NOOP("Spec", "Queries at a document's end whose attention is measured.")),
            integer("sink_tokens", "4", 0, maximumTokens, "tokens", QT_TRANSLATE_NOOP("Spec", "First keys that a lazy layer looks at.")),
            integer("recent_tokens", "0", 0, maximumTokens, "tokens", QT_TRANSLATE_NOOP("Spec", "Last keys that a lazy layer looks at; 0: 1020, or half of the sequence where that is fewer.")),
        }, QT_TRANSLATE_NOOP("Spec", "Of light-transfer."))),
        optional(object("gates", {
            choice("form", "clamp", {"clamp", "sigmoid", "softmax"}, QT_TRANSLATE_NOOP("Spec", "How a gate is made of what trains: itself, cut to 0 to 1; a sigmoid; or the softmax of two logits (DASH).")),
            number("start", "0.5", 0, 1, "", QT_TRANSLATE_NOOP("Spec", "Every gate before the first step.")),
            number("linearisation", "0.1", 0, 1e6, "", QT_TRANSLATE_NOOP("Spec", "Weight of the mean gate in the loss: the pull towards linear layers.")),
            choice("hidden_states", "final", {"final", "every-layer"}, QT_TRANSLATE_NOOP("Spec", "Hidden states that are to stay the teacher's.")),
            number("learning_rate", "0.05", 1e-12, 10, "", QT_TRANSLATE_NOOP("Spec", "Of the gates.")),
            choice("data", "passkeys", {"passkeys", "corpus"}, QT_TRANSLATE_NOOP("Spec", "Train on passkeys hidden in the text and asked for at its end, or on the text alone. The recall task is used as it is.")),
            integer("pairs", "4", 1, 1e4, "", QT_TRANSLATE_NOOP("Spec", "Passkeys hidden in one sequence.")),
            integer("queries", "0", 0, 1e4, "", QT_TRANSLATE_NOOP("Spec", "Passkeys asked for; 0: all.")),
            integer("value_digits", "5", 1, 15, "", QT_TRANSLATE_NOOP("Spec", "Digits of a passkey.")),
            flag("answers_only", false, QT_TRANSLATE_NOOP("Spec", "Count only the positions that predict an asked passkey.")),
            integer("runs", "3", 1, 1000, "", QT_TRANSLATE_NOOP("Spec", "Trainings on different data: their mean is the score, their spread its error.")),
        }, QT_TRANSLATE_NOOP("Spec", "Of gates."))),
        optional(object("beam", {
            integer("width", "4", 1, 4096, "", QT_TRANSLATE_NOOP("Spec", "Sets that stay from size to size.")),
            optional(integer("largest_keep", "null", 1, maximumLayer, "", QT_TRANSLATE_NOOP("Spec", "K up to which sets are searched. Default: half of the layers"))),
            choice("measure", "kl", {"kl", "perplexity", "recall"}, QT_TRANSLATE_NOOP("Spec", "What is measured of a set on the held-out data: KL to the teacher, the loss on the text itself, or wrong answers in the recall task (in text: wrong tokens of passkeys hidden in it).")),
            integer("supernet_steps", "0", 0, 1e9, "steps", QT_TRANSLATE_NOOP("Spec", "Train the linear mixers for any choice of layers first, a random one in each step; 0: stage 1's mixers as they are.")),
            number("supernet_learning_rate", "1e-3", 1e-12, 10, "", QT_TRANSLATE_NOOP("Spec", "Of the linear mixers in the supernet.")),
            choice("sampling", "uniform-size", {"uniform-size", "bernoulli"}, QT_TRANSLATE_NOOP("Spec", "Softmax layers of a step: a uniform number up to largest_keep and a uniform set of that size, or each layer by itself.")),
            number("keep_probability", "0.25", 0, 1, "", QT_TRANSLATE_NOOP("Spec", "Bernoulli: chance of a layer to be softmax.")),
            choice("hidden_states", "every-layer", {"final", "every-layer"}, QT_TRANSLATE_NOOP("Spec", "Hidden states that the supernet keeps the teacher's.")),
        }, QT_TRANSLATE_NOOP("Spec", "Of beam-search."))),
    };
}

/// Read by some selectors only: they fill in what is left out, the others refuse it, so that no selector's key holds another one's fields.
Fields selectorFields()
{
    return {
        optional(choice("score_by", "kl", {"kl", "perplexity"}, QT_TRANSLATE_NOOP("Spec", "What is measured on the held-out set: KL to the teacher, or the loss on the text itself. Default: kl"))),
        optional(integer("skip_first", "null", 0, maximumLayer, "", QT_TRANSLATE_NOOP("Spec", "So many first layers are ranked last: zeroing their attention breaks most models, which says little of them. Default: 0"))),
        optional(integer("set_size", "null", 1, maximumLayer, "", QT_TRANSLATE_NOOP("Spec", "Softmax layers in each set that is tried. Default: 1"))),
        optional(integer("max_sets", "null", 1, 5e4, "", QT_TRANSLATE_NOOP("Spec", "Refuse to try more sets than this. Default: 64"))),
        optional(integer("replace_until", "null", 0, maximumLayer, "", QT_TRANSLATE_NOOP("Spec", "Stop replacing when so many softmax layers are left. Default: 0"))),
        optional(integer("num_prompts", "null", 2, 1e6, "", QT_TRANSLATE_NOOP("Spec", "Prompts that the teacher answers. Default: 500"))),
        optional(integer("num_pairs", "null", 3, 1e5, "", QT_TRANSLATE_NOOP("Spec", "Words with a digit in each prompt. Default: 50"))),
        optional(integer("max_new_tokens", "null", 1, maximumTokens, "tokens", QT_TRANSLATE_NOOP("Spec", "At most so many tokens of an answer; published code takes 200. Default: 32"))),
        optional(choice("answer_match", "first-integer", {"first-integer", "substring"}, QT_TRANSLATE_NOOP("Spec", "When an answer is right: its first whole number is the sum, or the sum stands anywhere in it, as published code tests (only to reproduce it). Default: first-integer"))),
        optional(choice("residual", "relative-mse", {"relative-mse", "rms", "squared", "mean-square", "rms-scaled"}, QT_TRANSLATE_NOOP("Spec", "Form of the stage-1 loss that layers are ranked by: squared as the paper has it, rms as its code, or relative to the teacher's output. They order layers differently. Default: relative-mse"))),
        optional(choice("formula", "paper", {"paper", "code"}, QT_TRANSLATE_NOOP("Spec", "HALO's formula as in the paper, or as in its code (ε 1e-10, scores capped at 50). Default: paper"))),
    };
}

KindSchema score()
{
    return {.kind = "score", .help = QT_TRANSLATE_NOOP("Spec", "What each layer gains as the only softmax layer."),
            .fields = together({common(), {
                teacher(), mixer(), data("512"),
                text("selector", "\"ga-s2\"", QT_TRANSLATE_NOOP("Spec", "What scores the layers, for example ga-s2 (a short stage 2 per layer) or zero-shot-ga (none).")),
                integers("layers", 0, maximumLayer, "", QT_TRANSLATE_NOOP("Spec", "Layers to score; empty: all.")),
                flag("include_all_linear", true, QT_TRANSLATE_NOOP("Spec", "Score the student without softmax layers too, so that a KL gain can be shown.")),
                unhashed(integer("group_size", "0", 0, maximumLayer + 2, "", QT_TRANSLATE_NOOP("Spec", "Students that train in lock-step; 0: from a memory estimate."))),
                optional(object("early_stop", {
                    flag("enabled", false, QT_TRANSLATE_NOOP("Spec", "Stop the training of students whose place is sure, and all of it when every place is.")),
                    optional(choice("rule", "", {"race", "stable"},
                                    QT_TRANSLATE_NOOP("Spec", "race: layers leave one by one as paired tests settle their place, within the error; stable: all stop when the best layers no longer change, without a bound on the error. "
                                    "Left out: race where the selector has a value of each layer on each sequence, else stable."))),
                    optional(number("error", "null", 1e-6, 0.5, "", QT_TRANSLATE_NOOP("Spec", "race: chance of any wrong decision, over all evaluations. Left out: 0.05."))),
                    integer("window", "3", 1, 1000, "evaluations", QT_TRANSLATE_NOOP("Spec", "stable: how many changes in a row must be small.")),
                    integers("keep", 1, maximumLayer, "", QT_TRANSLATE_NOOP("Spec", "The values of K whose sets are wanted.")),
                }, QT_TRANSLATE_NOOP("Spec", "Of ga-s2, gr-s2 and avg-s2. Saves tokens; approximate."))),
            }, selectorFields(), selectorObjects(), start(), evaluationSchedule(), distillation("30", 1)})};
}

KindSchema distill()
{
    return {.kind = "distill", .revision = 3, .help = QT_TRANSLATE_NOOP("Spec", "Stage 2: train the hybrid that keeps the chosen softmax layers."),
            .fields = together({common(), {
                teacher(), mixer(), data("512"),
                optional(integers("keep", 0, maximumLayer, "", QT_TRANSLATE_NOOP("Spec", "Softmax layers to keep."))),
                optional(integer("keep_count", "null", 0, maximumLayer, "", QT_TRANSLATE_NOOP("Spec", "Instead of keep: K, the best layers of `scores`."))),
                optional(number("keep_percent", "null", 0, 100, "%", QT_TRANSLATE_NOOP("Spec", "Instead of keep: K as a share of the layers, rounded half up."))),
                unhashed(optional(text("scores", "null", QT_TRANSLATE_NOOP("Spec", "Scores that keep_count or keep_percent choose from: a run, an artifact, a file or stage:TASK.")))),
            }, start(), evaluationSchedule(), distillation("100", 0)})};
}

KindSchema evaluate()
{
    Field measures = texts("measures", "[\"kl\",\"perplexity\",\"recall\"]", QT_TRANSLATE_NOOP("Spec", "What to measure; recall needs the recall task, or text in sequences of 256 tokens at least, in which passkeys are hidden; KL and hidden-cosine need a teacher."));
    measures.choices = {"kl", "perplexity", "recall", "hidden-cosine"};
    return {.kind = "evaluate", .revision = 3, .help = QT_TRANSLATE_NOOP("Spec", "Measure a model on held-out data."),
            .fields = together({common(), {
                file("model", QT_TRANSLATE_NOOP("Spec", "The model to measure.")),
                unhashed(optional(text("teacher", "null", QT_TRANSLATE_NOOP("Spec", "For KL: the model to compare with.")))),
                data("512"),
                measures,
                integer("batch_sequences", "16", 1, 1e6, "sequences", QT_TRANSLATE_NOOP("Spec", "Sequences in one forward pass.")),
                integer("window", "0", 0, maximumTokens, "tokens", QT_TRANSLATE_NOOP("Spec", "Perplexity: tokens in one window; 0: the model's context, at most 2048.")),
                integer("stride", "0", 0, maximumTokens, "tokens", QT_TRANSLATE_NOOP("Spec", "Perplexity: tokens from window to window; 0: the window.")),
                klBudget(),
            }})};
}

KindSchema generate()
{
    return {.kind = "generate", .help = QT_TRANSLATE_NOOP("Spec", "Continue a prompt."),
            .fields = together({common(), {
                file("model", QT_TRANSLATE_NOOP("Spec", "The model that writes.")),
                optional(text("prompt", "null", QT_TRANSLATE_NOOP("Spec", "The text to continue."))),
                unhashed(optional(text("tokens_file", "null", QT_TRANSLATE_NOOP("Spec", "Instead of a prompt: token ids (safetensors with input_ids).")))),
                integer("max_new_tokens", "64", 1, maximumTokens, "tokens", QT_TRANSLATE_NOOP("Spec", "At most so many new tokens.")),
                number("temperature", "0", 0, 100, "", QT_TRANSLATE_NOOP("Spec", "0: always the likeliest token.")),
                integer("top_k", "0", 0, 1e7, "", QT_TRANSLATE_NOOP("Spec", "Draw from the k likeliest tokens; 0: from all.")),
                number("top_p", "1", 1e-6, 1, "", QT_TRANSLATE_NOOP("Spec", "Draw from the likeliest tokens that hold this probability.")),
                flag("chat", false, QT_TRANSLATE_NOOP("Spec", "Wrap the prompt in the model's chat template.")),
                flag("ignore_eos", false, QT_TRANSLATE_NOOP("Spec", "Go on after an end-of-text token.")),
            }})};
}

KindSchema pipeline()
{
    Field stages = field("stages", FieldType::ObjectList, "null", QT_TRANSLATE_NOOP("Spec", "Run one after the other; a later one may name an earlier one's output as stage:TASK."));
    stages.fields = {
        required(text("task", "null", QT_TRANSLATE_NOOP("Spec", "Names the stage within the run."))),
        required(field("spec", FieldType::Spec, "null", QT_TRANSLATE_NOOP("Spec", "The stage's spec."))),
    };
    return {.kind = "pipeline", .help = QT_TRANSLATE_NOOP("Spec", "Several stages in one run."), .fields = together({common(), {stages}})};
}

}  // namespace

const std::vector<KindSchema> &kinds()
{
    static const std::vector<KindSchema> all{trainTeacher(), inspect(), align(), calibrate(), score(), distill(), evaluate(), generate(), pipeline()};
    return all;
}

const KindSchema &kindSchema(const std::string &kind)
{
    const auto found = std::find_if(kinds().begin(), kinds().end(), [&](const KindSchema &schema) { return schema.kind == kind; });
    if (found != kinds().end())
        return *found;
    std::vector<std::string> names;
    std::string listed;
    for (const KindSchema &schema : kinds()) {
        names.push_back(schema.kind);
        listed += (listed.empty() ? "" : ", ") + schema.kind;
    }
    const std::string nearest = nearestName(kind, names);
    throw Error(ErrorCode::Usage, "There is no kind of spec called " + shown(kind) +
                                      (nearest.empty() ? "; choose one of " + listed + "." : "; did you mean \"" + nearest + "\"?"));
}

}  // namespace stillroom::experiment
