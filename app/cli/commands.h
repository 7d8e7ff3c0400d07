// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

/// What each command of stillroom-cli does, once its options are read. Results go to standard output, everything else to standard error.
/// Each returns the exit status and throws stillroom::Error.
namespace stillroom::cli {

struct TokenizeOptions {
    std::string tokenizer;              ///< a file, a folder or a MODEL
    std::filesystem::path workspace;    ///< that a key of a model is of; empty: the default one
    std::string file = "-";
    bool detokenize = false;
    bool nul = false;                   ///< inputs end in NUL instead of a newline
    bool special = false;
};
int tokenize(const TokenizeOptions &options);

struct ForwardCommand {
    std::string model;
    std::filesystem::path workspace;    ///< that a key of a model is of; empty: the default one
    std::filesystem::path tokens, out;
    bool hidden = false, attentionOutputs = false, grads = false;
    std::string device = "auto", dtype = "float32";
    int threads = 1;
};
int forward(const ForwardCommand &options, std::stop_token stop);

struct GenerateCommand {
    std::string model;
    std::filesystem::path workspace;    ///< that a key of a model is of; empty: the default one
    std::optional<std::string> prompt;
    std::filesystem::path tokens;
    std::int64_t numTokens = 64;
    double temperature = 0.0, topP = 1.0;
    int topK = 0;
    std::uint64_t seed = 0;
    bool json = false, chat = false, ignoreEos = false, noCache = false;
    std::string device = "auto", dtype = "float32";
    int threads = 1;
};
int generate(const GenerateCommand &options, std::stop_token stop);

struct PerplexityCommand {
    std::string model;
    std::filesystem::path workspace;    ///< that a key of a model is of; empty: the default one
    std::string text;                   ///< a file, or empty with `tokens`
    std::filesystem::path tokens;
    std::int64_t window = 0, stride = 0;   ///< 0: the convention's
    bool json = false;
    std::string device = "auto", dtype = "float32";
    int threads = 1;
};
int perplexity(const PerplexityCommand &options, std::stop_token stop);

struct InspectCommand {
    std::string model;
    std::filesystem::path workspace;    ///< that a key of a model is of; empty: the default one
    bool json = false, attention = false;
    std::string text;
    std::filesystem::path tokens;
    std::string device = "auto";
    int threads = 1;
};
int inspect(const InspectCommand &options, std::stop_token stop);

struct RunCommand {
    std::filesystem::path workspace;    ///< empty: the default one
    bool events = false, resume = false, fresh = false, printSpec = false, dryRun = false, json = false;
    std::string runId;                  ///< set by the parent of a child process
};
/// \param specJson  the spec's text (not yet completed). Without data.sequence_length its sequences are no longer than the model's context.
int runSpec(const std::string &specJson, const RunCommand &options, std::stop_token stop);
/// The same for what a person wrote. \throws Error(Usage) for what is not JSON
int runSpecText(const std::string &text, const RunCommand &options, std::stop_token stop);
/// Reads the spec from a file, a pipe or, for "-", standard input, then as runSpec.
int runSpecFile(const std::filesystem::path &file, const RunCommand &options, std::stop_token stop);

/// What `score --selector` takes: the table of procedures/selectors.h.
int listSelectors(bool json);

struct DemoCommand {
    std::filesystem::path workspace;
    int seeds = 1;
    bool json = false, events = false, fresh = false;
};
int demo(const DemoCommand &options, std::stop_token stop);

inline constexpr double usualPersistence = 0.9;

struct SelectCommand {
    std::string scores;                 ///< RUN or a JSON file; may be empty where the selector needs no scores
    std::string selector;               ///< which scores of the run, or a rule: uniform-…, random, smart, published:…
    std::string scoresOf;               ///< for a rule that takes scores: which of the run
    std::optional<int> keep;
    std::optional<double> percent;
    std::string kvBytes, stateBytes, decodeBytes, context;     ///< budgets as they were written; empty: none
    int numLayers = 0;                  ///< 0: from the scores, the published set or the teacher
    std::string teacher, mixer;         ///< empty: those of the run
    std::optional<std::uint64_t> seed;  ///< of random sets; else usualSetSeed
    std::optional<int> draws;           ///< of random sets; else one
    bool listPublished = false, json = false;
    std::filesystem::path workspace;
};
int select(const SelectCommand &options);

struct CompareCommand {
    std::vector<std::string> sets;      ///< see readSet
    std::string teacher;                ///< MODEL: every choice that there is for it stands before the sets; empty: only the sets
    int numLayers = 0;                  ///< 0: from the sets
    std::optional<int> keep;            ///< K of rankings and rules
    std::optional<double> persistence;  ///< p of rank-biased overlap; else usualPersistence
    std::optional<std::uint64_t> seed;  ///< of random sets; else usualSetSeed
    bool matrix = false, curve = false, json = false;
    std::filesystem::path workspace;
};
int compare(const CompareCommand &options);

struct ConsensusCommand {
    std::vector<std::string> rankings;  ///< see readSet; whole rankings of one model
    bool json = false;
    std::filesystem::path workspace;
};
int consensus(const ConsensusCommand &options);

struct AdviseCommand {
    std::string scores, selector;       ///< see scoresFrom
    bool json = false;
    std::filesystem::path workspace;
};
int advise(const AdviseCommand &options);

struct RunsCommand {
    std::filesystem::path workspace;
    std::string action = "list";
    std::vector<std::string> words;      ///< a query, or runs and what they are to get
    bool json = false, trash = false;
};
/// What `runs` can do, in the order of its help.
[[nodiscard]] std::vector<std::string> runsActions();
int runs(const RunsCommand &options);

struct FiguresCommand {
    std::filesystem::path spec, out = ".", workspace;
};
/// Tables, numbers and TikZ of all figures of a figures.json.
int figures(const FiguresCommand &options);

int doctor(const std::filesystem::path &workspace, bool json);
int reindex(const std::filesystem::path &workspace);
int fetchAll(const std::vector<std::string> &names);

}  // namespace stillroom::cli
