// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

/// One experiment is one JSON object: {"kind": …, "schema": 1, "name"?, "notes"?, "threads"?, …parameters of that kind}.
namespace stillroom::experiment {

inline constexpr int specSchema = 1;

/// Object without `fields`: free-form, checked by who uses it. Spec: a whole spec of another kind. Device: "auto", "cpu", "cuda" (the first one) or "cuda:N".
enum class FieldType { Bool, Integer, Number, Text, Choice, IntegerList, TextList, Object, ObjectList, Spec, Device };

/// One field of a kind of spec: what a form shows and what validation checks.
struct Field {
    std::string name;
    FieldType type = FieldType::Text;
    std::string defaultJson = "null";       ///< "null": must be given (or may be absent when `optional`)
    bool optional = false;
    bool hashed = true;                     ///< false: does not change the numbers (names, notes, threads, paths)
    double minimum = -1e308, maximum = 1e308;
    std::vector<std::string> choices;
    std::string unit, help;
    std::vector<Field> fields;              ///< of Object and ObjectList
    bool set = false;                       ///< IntegerList: unique numbers whose order does not matter; completed ascending
};

/// What a kind is: its fields, and a revision raised whenever its numbers change.
struct KindSchema {
    std::string kind;
    int revision = 1;
    std::string help;
    std::vector<Field> fields;
};

[[nodiscard]] const std::vector<KindSchema> &kinds();
/// \throws Error(Usage) naming the nearest kind.
[[nodiscard]] const KindSchema &kindSchema(const std::string &kind);

/// Checks a spec and fills in every default. Unknown fields, wrong types and numbers out of range are errors that name the field,
/// its value, the allowed range and, for an unknown name, the nearest valid one. Completing twice changes nothing. \throws Error(Usage)
///
/// What is put into one form: `tokens` becomes `steps` = ⌊tokens / (batch_sequences · sequence_length)⌋; `evaluations` is left out where `evaluate_at_tokens` says when; a `keep` given as
/// {"keep", "mixer", "options"} (what `select` writes) becomes the fields keep and mixer; `null` for an optional field is left out;
/// a score or distill spec without `init` gets `alignment`; the stages of a pipeline take seed, device, compute_type, threads and
/// checkpoint_interval_seconds from the pipeline where they do not say otherwise.
[[nodiscard]] nlohmann::json completeSpec(const nlohmann::json &spec);
/// Reads and completes. \throws Error(BadFile) for what is not JSON (or nests too deeply, or is over 16 MB), Error(Usage) for wrong content.
[[nodiscard]] nlohmann::json readSpec(const std::string &path);

/// The stage 1 inside a score or distill spec that has no `init`, as an align spec of its own: the same stage, the same key. \throws Error(Usage)
[[nodiscard]] nlohmann::json alignmentSpec(const nlohmann::json &completedSpec);
/// Takes out of a completed spec the optional parts that are there but not enabled: they mean what leaving them out means, and tell no two specs apart. What is no such spec stays as it is.
void leaveOutSwitchedOff(nlohmann::json &spec);
/// A field that names an output of an earlier stage of the same pipeline: "stage:TASK". Returns TASK, or empty for any other text.
[[nodiscard]] std::string stageReference(const std::string &value);

/// Sorted keys, shortest round-trip numbers, no white space.
[[nodiscard]] std::string canonicalJson(const nlohmann::json &value);
/// Fields with hashed = false are left out: where a file lies or how work is grouped changes no number. What they name enters by content, in
/// `inputHashes` (teacher, init, data files …, in a fixed order). A mixer's options must have been completed by the room `mixers`, and
/// keep_count or keep_percent resolved to `keep`, or equal stages get unequal keys.
/// SHA-256 (hex) over {kind, schema, revision, hashed parameters, hashes of the input artifacts, device class, compute type}: names the stage's results.
[[nodiscard]] std::string stageKey(const nlohmann::json &completedSpec, const std::vector<std::string> &inputHashes, const std::string &deviceClass, const std::string &computeType);

/// The closest of `candidates` by edit distance, or empty when none is near: for "did you mean".
[[nodiscard]] std::string nearestName(const std::string &name, const std::vector<std::string> &candidates);

}  // namespace stillroom::experiment
