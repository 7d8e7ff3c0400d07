// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/spectext.h"
#include "samples.h"

#include <string_view>

using namespace stillroom::experiment;
using nlohmann::json;
using samples::holds;

TEST_CASE("a spec without what its defaults say completes to the same spec")
{
    std::vector<json> all = samples::specs();
    all.push_back(json{{"kind", "calibrate"}, {"teacher", "demo"}});
    for (const json &spec : all) {
        const json completed = completeSpec(spec), shorter = withoutDefaults(completed);
        CHECK_MESSAGE(completeSpec(shorter) == completed, shorter.dump());
        CHECK_MESSAGE(shorter.dump().size() <= completed.dump().size() / 2, shorter.dump());
        CHECK(withoutDefaults(shorter) == shorter);
    }
    CHECK(withoutDefaults(json{{"kind", "score"}, {"schema", 1}, {"teacher", "demo"}, {"steps", 30}, {"clip_norm", 1}, {"alignment", {{"steps", 150}}}}) == json{{"kind", "score"}, {"teacher", "demo"}});
}

TEST_CASE("what may matter stays, even where it looks like a default")
{
    // The stage would take the pipeline's seed.
    const json pipeline = json::parse(R"({"kind": "pipeline", "seed": 7, "stages": [{"task": "a", "spec": {"kind": "align", "teacher": "demo", "seed": 1, "steps": 150}},
                                                                                     {"task": "b", "spec": {"kind": "align", "teacher": "demo", "seed": 7}}]})");
    const json shorter = withoutDefaults(pipeline);
    CHECK(shorter.at("stages").at(0).at("spec") == json{{"kind", "align"}, {"teacher", "demo"}, {"seed", 1}});
    CHECK(shorter.at("stages").at(1).at("spec") == json{{"kind", "align"}, {"teacher", "demo"}});
    CHECK(completeSpec(shorter) == completeSpec(pipeline));
    // An optional object that is there is not one that is not.
    CHECK(withoutDefaults(json{{"kind", "score"}, {"teacher", "demo"}, {"early_stop", {{"window", 3}}}}).contains("early_stop"));
    // Nobody knows what is meant: nothing is taken away.
    CHECK(withoutDefaults(json{{"kind", "score"}, {"stepz", 3}, {"steps", 30}}) == json{{"kind", "score"}, {"stepz", 3}, {"steps", 30}});
    CHECK(withoutDefaults(json{{"kind", "score"}, {"steps", 30}}) == json{{"kind", "score"}});       // only the teacher is missing
}

TEST_CASE("the text of a spec reads in the order of its schema and parses back")
{
    for (const json &spec : samples::specs()) {
        CHECK(json::parse(specText(spec)) == spec);
        CHECK(json::parse(specText(completeSpec(spec))) == completeSpec(spec));
    }
    CHECK(specText(json{{"keep", {0, 4}}, {"teacher", "demo"}, {"kind", "distill"}, {"seed", 2}, {"clip_norm", 1.0}, {"learning_rate_rest", 7e-6}}) ==
          "{\n  \"kind\": \"distill\",\n  \"seed\": 2,\n  \"teacher\": \"demo\",\n  \"keep\": [0, 4],\n  \"learning_rate_rest\": 7e-06,\n  \"clip_norm\": 1\n}\n");
}

TEST_CASE("what is wrong is said with its field and its line")
{
    struct Wrong {
        const char *text, *message, *field;
        int line;
        bool fits;
    };
    const Wrong cases[] = {
        {"{\n  \"kind\": \"score\",\n  \"teacher\": \"demo\",\n  \"stps\": 3\n}", "did you mean \"steps\"?", "stps", 4, false},
        {"{\n  \"kind\": \"score\",\n  \"teacher\": \"demo\",\n  \"data\": {\n    \"sequence_length\": 1\n  }\n}", "from 2 to", "data.sequence_length", 5, false},
        {"{\"kind\": \"score\",\n \"teacher\": \"demo\",\n \"alignment\": {\"steps\": 2,\n  \"tokens\": 10}}", "say the same thing twice", "alignment.steps", 3, true},
        {"{\"kind\": \"score\",\n \"teacher\": \"demo\",\n \"evaluations\": 6,\n  \"evaluate_at_tokens\": [0, 10]}", "both say when the held-out set is measured; give one of them", "evaluations", 3, true},
        {"{\n  \"kind\": \"score\"\n}", "The field \"teacher\" is missing", "teacher", 1, true},
        {"{\n  \"kind\": \"pipeline\",\n  \"stages\": [\n    {\"task\": \"a\", \"spec\": {\"kind\": \"align\", \"teacher\": \"demo\"}},\n    {\"task\": \"b\", \"spec\": {\"kind\": \"align\",\n      \"teacher\": \"demo\", \"steps\": 0}}\n  ]\n}",
         "stages[1].spec.steps", "stages[1].spec.steps", 6, false},
        {"{\n  \"kind\": \"scoer\"\n}", "did you mean \"score\"?", "kind", 2, false},
        {"{\n  \"kind\": \"score\",\n  \"seed\": 1,\n  \"seed\": 2\n}", "twice in one object", "", 4, false},
        {"{\n  \"kind\": \"score\",\n  \"seed\": ,\n}", "line 3", "", 3, false},
        {"{\n  \"kind\": \"score\",\n", "not JSON", "", 3, false},
        {"", "not JSON", "", 1, false},
        {"[1,\n 2]", "must be a JSON object", "", 1, false},
        {"{\"kind\": 3}", "\"kind\" is not a text", "kind", 1, false},
    };
    for (const Wrong &one : cases) {
        const SpecReading reading = readSpecText(one.text);
        REQUIRE_MESSAGE(reading.fault, one.text);
        CHECK_MESSAGE(holds(reading.fault->message, one.message), reading.fault->message);
        CHECK_MESSAGE(reading.fault->field == one.field, one.text);
        CHECK_MESSAGE(reading.fault->line == one.line, one.text);
        CHECK_MESSAGE(reading.fits == one.fits, one.text);
        CHECK(reading.completed.is_null());
    }
}

TEST_CASE("what is right is read, a selection's layers and mixer in their own fields")
{
    const SpecReading reading = readSpecText(R"({"kind": "distill", "teacher": "demo", "keep": {"keep": [4, 0], "mixer": "gla"}})");
    CHECK(!reading.fault);
    CHECK(reading.fits);
    CHECK(reading.given.at("keep") == json{4, 0});
    CHECK(reading.given.at("mixer").at("kind") == "gla");
    CHECK(reading.completed == completeSpec(reading.given));
}

TEST_CASE("a single field is judged in the words of the whole")
{
    for (const Field &field : kindSchema("score").fields)
        if (field.name == "steps") {
            CHECK(refusalOf(field, "", 12).empty());
            CHECK(holds(refusalOf(field, "", "abc"), "The field \"steps\" is \"abc\" but must be a whole number from 1"));
            CHECK(holds(refusalOf(field, "stages[0].spec.", 0), "stages[0].spec.steps"));
        }
}

TEST_CASE("members are found whatever their names hold, and nothing is read past the end")
{
    const std::string odd = "{\n \"a\\\"b\": [1,\n {\"c.d\": \"}\"}],\n \"field\": 1\n}";
    CHECK(faultIn(odd, "The field \"field\" is 1").line == 4);
    for (std::size_t length = 0; length <= odd.size(); ++length)
        CHECK(faultIn(std::string_view(odd).substr(0, length), "The field \"field\" is 1").line >= 1);
    std::string many = "{\n";
    for (int i = 0; i < 50'000; ++i)
        many += " \"f" + std::to_string(i) + "\": 1,\n";
    CHECK(readSpecText(many + " \"f7\": 2}").fault->line == 50'002);
    CHECK(faultIn(std::string(100'000, '['), "The field \"x\" is 1").line == 1);
}
