// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/spec.h"
#include "samples.h"

using namespace stillroom;
using namespace stillroom::experiment;
using nlohmann::json;
using samples::holds;
using samples::refusal;

namespace {

std::string refusedSpec(const std::string &text)
{
    return refusal(ErrorCode::Usage, [&] { (void)completeSpec(json::parse(text)); });
}

void checkFieldTable(const std::vector<Field> &fields)
{
    std::vector<std::string> names;
    for (const Field &field : fields) {
        CHECK_MESSAGE(!field.help.empty(), field.name);
        CHECK_MESSAGE(std::find(names.begin(), names.end(), field.name) == names.end(), field.name);
        CHECK_MESSAGE((field.type == FieldType::Choice) <= !field.choices.empty(), field.name);
        names.push_back(field.name);
        checkFieldTable(field.fields);
    }
}

}  // namespace

TEST_CASE("the tables of all kinds are sound")
{
    std::vector<std::string> names;
    for (const KindSchema &schema : kinds()) {
        CHECK(schema.revision >= 1);
        CHECK(!schema.help.empty());
        checkFieldTable(schema.fields);
        names.push_back(schema.kind);
    }
    CHECK(names == std::vector<std::string>{"train-teacher", "inspect", "align", "calibrate", "score", "distill", "evaluate", "generate", "pipeline"});
}

TEST_CASE("every default is filled in, and completing again changes nothing")
{
    for (const json &spec : samples::specs()) {
        const json completed = completeSpec(spec);
        CHECK(completed.at("schema") == 1);
        CHECK(completeSpec(completed) == completed);
        CHECK(completeSpec(json::parse(canonicalJson(completed))) == completed);
        for (const Field &field : kindSchema(spec.at("kind")).fields)
            CHECK_MESSAGE((completed.contains(field.name) || field.optional), field.name);
    }
    const json align = completeSpec(samples::specs()[2]);
    CHECK(align.at("loss") == "relative-mse");
    CHECK(align.at("data").at("recall").at("pairs") == 20);
    CHECK(align.at("mixer") == json{{"kind", "gdn"}, {"options", json::object()}, {"expand", "head"}});
    CHECK(align.at("checkpoint_interval_seconds") == 300);
    CHECK(align.at("device") == "auto");
}

TEST_CASE("an unknown field is named with its path and the nearest valid one")
{
    CHECK(holds(refusedSpec(R"({"kind": "align", "teacher": "demo", "learning_rat": 1})"), "\"learning_rat\"; did you mean \"learning_rate\"?"));
    CHECK(holds(refusedSpec(R"({"kind": "align", "teacher": "demo", "data": {"recall": {"piars": 3}}})"), "\"data.recall.piars\"; did you mean \"data.recall.pairs\"?"));
    CHECK(holds(refusedSpec(R"({"kind": "align", "teacher": "demo", "mixer": {"zzzzzzzz": 3}})"), "the fields here are kind, expand, options"));
    CHECK(holds(refusedSpec(R"({"kind": "pipeline", "stages": [{"task": "a", "spec": {"kind": "align", "teacher": "demo", "los": "rms"}}]})"), "\"stages[0].spec.los\"; did you mean \"stages[0].spec.loss\"?"));
    CHECK(holds(refusedSpec(R"({"kind": "pipeline", "stages": [{"task": "a", "sepc": {"kind": "align"}}]})"), "did you mean \"stages[0].spec\"?"));
    CHECK(holds(refusedSpec(R"({"kind": "scroe", "teacher": "demo"})"), "did you mean \"score\"?"));
    CHECK(completeSpec(json::parse(R"({"kind": "align", "teacher": "demo", "mixer": {"options": {"anything": {"goes": 1}}}})")).at("mixer").at("options").at("anything").at("goes") == 1);
}

TEST_CASE("wrong types and numbers out of range name the field, the value and the range")
{
    const std::string range = refusedSpec(R"({"kind": "align", "teacher": "demo", "data": {"sequence_length": 0}})");
    CHECK(holds(range, "\"data.sequence_length\" is 0"));
    CHECK(holds(range, "from 2 to 1000000"));
    CHECK(holds(refusedSpec(R"({"kind": "align", "teacher": "demo", "steps": 1.5})"), "\"steps\" is 1.5 but must be a whole number from 1"));
    CHECK(holds(refusedSpec(R"({"kind": "align", "teacher": "demo", "steps": "9"})"), "\"steps\" is \"9\""));
    CHECK(holds(refusedSpec(R"({"kind": "align", "teacher": "demo", "loss": "mse"})"), "one of relative-mse, rms, squared, mean-square, rms-scaled"));
    CHECK(holds(refusedSpec(R"({"kind": "align", "teacher": 3})"), "\"teacher\" is 3 but must be a text"));
    CHECK(holds(refusedSpec(R"({"kind": "align"})"), "\"teacher\" is missing"));
    CHECK(holds(refusedSpec(R"({"kind": "align", "teacher": "demo", "mixer": []})"), "\"mixer\" is [] but must be an object"));
    CHECK(holds(refusedSpec(R"({"kind": "align", "teacher": "demo", "layers": [1, 2, 1]})"), "\"layers\" is [1,2,1] but must be a list of different whole numbers"));
    CHECK(holds(refusedSpec(R"({"kind": "align", "teacher": "demo", "device": "cuda:x"})"), "auto, cpu, cuda or cuda:N"));
    CHECK(completeSpec(json::parse(R"({"kind": "align", "teacher": "demo", "device": "cuda"})")).at("device") == "cuda");
    CHECK(holds(refusedSpec(R"({"kind": "align", "teacher": "a\u0000b"})"), "\"teacher\""));
    CHECK(holds(refusedSpec(R"({"kind": "align", "teacher": "demo", "seed": null})"), "\"seed\" is null"));
    CHECK(holds(refusedSpec(R"({"kind": "align", "teacher": "demo", "seed": 18446744073709551615})"), "\"seed\""));
    CHECK(holds(refusedSpec(R"({"kind": 5})"), "\"kind\" is not a text"));
    CHECK(holds(refusedSpec("3"), "must be a JSON object"));
    CHECK(holds(refusedSpec(R"({"teacher": "demo"})"), "\"kind\" is missing"));
    CHECK(holds(refusedSpec(R"({"kind": "align", "teacher": "demo", "schema": 2})"), "newer version"));
    CHECK(holds(refusedSpec(R"({"kind": "align", "teacher": "demo", "schema": 0})"), "\"schema\" is 0"));
}

TEST_CASE("whole numbers may be written as floats, and sets in any order")
{
    const json spec = completeSpec(json::parse(R"({"kind": "score", "teacher": "demo", "steps": 2e2, "layers": [3, 1.0, 2]})"));
    CHECK(spec.at("steps") == 200);
    CHECK(spec.at("steps").is_number_integer());
    CHECK(spec.at("layers") == json{1, 2, 3});
}

TEST_CASE("tokens become whole steps, as in the published arithmetic")
{
    // 100M tokens at 96 x 512 are 2034 steps; 600M at 32 x 4096 are 4577
    const json align = completeSpec(json::parse(R"({"kind": "align", "teacher": "demo", "tokens": 1e8, "batch_sequences": 96})"));
    CHECK(align.at("steps") == 2034);
    CHECK_FALSE(align.contains("tokens"));
    const json score = completeSpec(json::parse(R"({"kind": "score", "teacher": "demo", "tokens": 6e8, "data": {"sequence_length": 4096}, "alignment": {"tokens": 1e8, "batch_sequences": 96, "data": {"sequence_length": 512}}})"));
    CHECK(score.at("steps") == 4577);
    CHECK(score.at("alignment").at("steps") == 2034);
    CHECK(holds(refusedSpec(R"({"kind": "align", "teacher": "demo", "tokens": 100})"), "one step takes 8192 tokens"));
    CHECK(holds(refusedSpec(R"({"kind": "align", "teacher": "demo", "tokens": 100000, "steps": 3})"), "twice"));
    // When the held-out set is measured is said once, and stays so when what was completed is completed again.
    const json measured = completeSpec(json::parse(R"({"kind": "score", "teacher": "demo", "evaluate_at_tokens": [0, 5000]})"));
    CHECK_FALSE(measured.contains("evaluations"));
    CHECK(completeSpec(measured) == measured);
    CHECK(completeSpec(json::parse(R"({"kind": "score", "teacher": "demo", "evaluations": 3, "evaluate_at_tokens": []})")).at("evaluations") == 3);
}

TEST_CASE("what contradicts itself is refused")
{
    CHECK(holds(refusedSpec(R"({"kind": "score", "teacher": "demo", "init": "abc", "alignment": {}})"), "\"init\" and \"alignment\""));
    CHECK(holds(refusedSpec(R"({"kind": "distill", "teacher": "demo"})"), "exactly one"));
    CHECK(holds(refusedSpec(R"({"kind": "distill", "teacher": "demo", "keep": [1], "keep_count": 1})"), "exactly one"));
    CHECK(holds(refusedSpec(R"({"kind": "distill", "teacher": "demo", "keep_count": 1})"), "\"scores\" is missing"));
    CHECK(holds(refusedSpec(R"({"kind": "distill", "teacher": "demo", "keep": [1], "scores": "a run"})"), "\"keep\" and \"scores\" both say"));
    CHECK(holds(refusedSpec(R"({"kind": "score", "teacher": "demo", "early_stop": {"enabled": true}})"), "\"early_stop.keep\""));
    CHECK(holds(refusedSpec(R"({"kind": "generate", "model": "demo"})"), "\"prompt\""));
    CHECK(holds(refusedSpec(R"({"kind": "align", "teacher": "demo", "data": {"source": "text"}})"), "\"data.files\" is empty"));
    CHECK(holds(refusedSpec(R"({"kind": "align", "teacher": "demo", "data": {"recall": {"pairs": 65}}})"), "num_keys"));
    CHECK(holds(refusedSpec(R"({"kind": "align", "teacher": "demo", "data": {"recall": {"filler_run_minimum": 9}}})"), "filler_run_maximum"));
    CHECK(holds(refusedSpec(R"({"kind": "align", "teacher": "demo", "data": {"files": ["a.txt"]}})"), "data.source to \"text\""));
    CHECK(holds(refusedSpec(R"({"kind": "evaluate", "model": "demo", "data": {"source": "recall-task", "held_out_files": ["a.txt"]}})"), "data.held_out_files"));
    CHECK(holds(refusedSpec(R"({"kind": "train-teacher", "model": {"num_kv_heads": 3}})"), "must divide"));
    CHECK(holds(refusedSpec(R"({"kind": "train-teacher", "model": {"retrieval_layer": 6}})"), "below model.num_layers"));
    CHECK(holds(refusedSpec(R"({"kind": "pipeline", "stages": []})"), "\"stages\" is empty"));
}

TEST_CASE("a number that leaves nothing of another one is refused")
{
    CHECK(holds(refusedSpec(R"({"kind": "distill", "teacher": "demo", "keep": [1], "steps": 10, "warmup_steps": 11})"), "\"warmup_steps\" is 11 but must be at most the field \"steps\", which is 10"));
    CHECK(holds(refusedSpec(R"({"kind": "score", "teacher": "demo", "tokens": 40960, "warmup_steps": 3})"), "\"warmup_steps\" is 3 but must be at most the field \"steps\", which is 2"));
    CHECK(holds(refusedSpec(R"({"kind": "score", "teacher": "demo", "alignment": {"steps": 5, "warmup_steps": 9}})"), "\"alignment.warmup_steps\" is 9"));
    CHECK(holds(refusedSpec(R"({"kind": "evaluate", "model": "demo", "window": 64, "stride": 65})"), "\"stride\" is 65 but must be at most the field \"window\", which is 64"));
    CHECK(holds(refusedSpec(R"({"kind": "evaluate", "model": "demo", "window": 1})"), "\"window\" is 1 but must be at least 2"));
    CHECK(completeSpec(json::parse(R"({"kind": "align", "teacher": "demo", "steps": 2, "warmup_steps": 2, "batch_sequences": 1, "micro_batch_sequences": 4})")).at("warmup_steps") == 2);      // at most so many sequences in a pass
    CHECK(completeSpec(json::parse(R"({"kind": "evaluate", "model": "demo", "window": 64, "stride": 64})")).at("stride") == 64);
    for (const auto &[steps, warmup] : {std::pair{2500, 100}, {101, 100}, {100, 100}, {99, 9}, {3, 0}})      // what is usual is no contradiction
        CHECK(completeSpec({{"kind", "train-teacher"}, {"steps", steps}}).at("warmup_steps") == warmup);
    CHECK(holds(refusedSpec(R"({"kind": "train-teacher", "steps": 100, "warmup_steps": 101})"), "\"warmup_steps\" is 101"));
}

TEST_CASE("an evaluation measures something")
{
    CHECK(holds(refusedSpec(R"({"kind":"evaluate","model":"demo","measures":[]})"), "name at least one measure: kl, perplexity, recall, hidden-cosine"));
    CHECK(holds(refusedSpec(R"({"kind":"evaluate","model":"demo","measures":["kl"]})"), "names kl alone"));
    CHECK(completeSpec(json::parse(R"({"kind":"evaluate","model":"demo","teacher":"demo","measures":["kl"]})"))["measures"] == json{"kl"});
    CHECK(completeSpec(json::parse(R"({"kind":"evaluate","model":"demo"})"))["measures"].size() == 3);
}

TEST_CASE("a selection that select wrote gives the layers and the mixer")
{
    const json packed = completeSpec(json::parse(R"({"kind": "distill", "teacher": "demo", "keep": {"keep": [4, 0], "mixer": "gla", "options": {"gate": false}}})"));
    const json spelled = completeSpec(json::parse(R"({"kind": "distill", "teacher": "demo", "keep": [0, 4], "mixer": {"kind": "gla", "options": {"gate": false}}})"));
    CHECK(packed == spelled);
    CHECK(holds(refusedSpec(R"({"kind": "distill", "teacher": "demo", "mixer": {}, "keep": {"keep": [0], "mixer": "gla"}})"), "both name a mixer"));
    CHECK(holds(refusedSpec(R"({"kind": "distill", "teacher": "demo", "keep": {"keep": [0], "mixr": "gla"}})"), "did you mean \"keep.mixer\"?"));
    CHECK(holds(refusedSpec(R"({"kind": "distill", "teacher": "demo", "keep": {"mixer": "gla"}})"), "\"keep.keep\" is missing"));
}

TEST_CASE("stage 1 inside a score spec is the align stage that it would be alone")
{
    const json score = completeSpec(json::parse(R"({"kind": "score", "teacher": "demo", "seed": 5, "mixer": {"kind": "gla"}, "alignment": {"steps": 40, "loss": "rms"}})"));
    const json align = completeSpec(json::parse(R"({"kind": "align", "teacher": "demo", "seed": 5, "mixer": {"kind": "gla"}, "steps": 40, "loss": "rms"})"));
    CHECK(alignmentSpec(score) == align);
    CHECK(stageKey(alignmentSpec(score), {"t"}, "cpu", "float32") == stageKey(align, {"t"}, "cpu", "float32"));
    const json started = completeSpec(json::parse(R"({"kind": "score", "teacher": "demo", "init": "abc"})"));
    (void)refusal(ErrorCode::Usage, [&] { (void)alignmentSpec(started); });
}

TEST_CASE("a pipeline's stages take what it says and name earlier stages only")
{
    json pipeline = samples::specs().back();
    pipeline["seed"] = 9;
    pipeline["stages"][1]["spec"]["seed"] = 4;
    pipeline["device"] = "cpu";
    const json completed = completeSpec(pipeline);
    CHECK(completed["stages"][0]["spec"]["seed"] == 9);
    CHECK(completed["stages"][1]["spec"]["seed"] == 4);
    CHECK(completed["stages"][2]["spec"]["device"] == "cpu");
    pipeline["stages"][1]["spec"]["init"] = "stage:aling";
    CHECK(holds(refusal(ErrorCode::Usage, [&] { (void)completeSpec(pipeline); }), "did you mean \"stage:align\"?"));
    pipeline["stages"][1]["spec"]["init"] = "stage:distill";
    CHECK(holds(refusal(ErrorCode::Usage, [&] { (void)completeSpec(pipeline); }), "no earlier stage"));
    CHECK(holds(refusedSpec(R"({"kind": "score", "teacher": "demo", "init": "stage:align"})"), "no earlier stage"));
    CHECK(holds(refusedSpec(R"({"kind": "pipeline", "stages": [{"task": "a", "spec": {"kind": "pipeline", "stages": []}}]})"), "do not nest"));
    CHECK(holds(refusedSpec(R"({"kind": "pipeline", "stages": [{"task": "a", "spec": {"kind": "align", "teacher": "d"}}, {"task": "a", "spec": {"kind": "align", "teacher": "d"}}]})"), "\"stages[1].task\""));
    CHECK(stageReference("stage:align") == "align");
    CHECK(stageReference("align").empty());
    CHECK(completeSpec(json::parse(R"({"kind": "generate", "model": "demo", "prompt": "stage:left"})")).at("prompt") == "stage:left");
}

TEST_CASE("the nearest name is near or nothing")
{
    const std::vector<std::string> names{"score", "align", "distill", "learning_rate_mixers"};
    CHECK(nearestName("scroe", names) == "score");
    CHECK(nearestName("alig", names) == "align");
    CHECK(nearestName("learning_rate_mixer", names) == "learning_rate_mixers");
    CHECK(nearestName("zebra", names).empty());
    CHECK(nearestName("", names).empty());
    CHECK(nearestName(std::string(1'000'000, 'x'), names).empty());
}

TEST_CASE("early_stop stands in a spec only where it was given: not every selector reads it")
{
    CHECK_FALSE(completeSpec(json::parse(R"({"kind": "score", "teacher": "demo"})")).contains("early_stop"));
    CHECK(completeSpec(json::parse(R"({"kind": "score", "teacher": "demo", "early_stop": {}})")).at("early_stop") == json::parse(R"({"enabled": false, "keep": [], "window": 3})"));
}

TEST_CASE("sizes that no memory holds are refused in a sentence that names the field")
{
    CHECK(holds(refusedSpec(R"({"kind": "score", "teacher": "demo", "data": {"held_out_sequences": 1000000, "sequence_length": 1000000}})"), "\"data.held_out_sequences\""));
    CHECK(holds(refusedSpec(R"({"kind": "align", "teacher": "demo", "batch_sequences": 1000000, "data": {"sequence_length": 1000}})"), "\"batch_sequences\""));
    CHECK(holds(refusedSpec(R"({"kind": "score", "teacher": "demo", "alignment": {"batch_sequences": 1000000}})"), "\"alignment.batch_sequences\""));
    CHECK(holds(refusedSpec(R"({"kind": "align", "teacher": "demo", "steps": 1000000000, "batch_sequences": 1000, "data": {"sequence_length": 1000}})"), "\"steps\""));
    CHECK_NOTHROW((void)completeSpec(json::parse(R"({"kind": "align", "teacher": "demo", "steps": 1000000, "batch_sequences": 1024, "data": {"sequence_length": 32768}})")));
}
