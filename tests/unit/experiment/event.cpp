// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/event.h"
#include "samples.h"

#include <cmath>
#include <limits>
#include <random>

using namespace stillroom;
using namespace stillroom::experiment;
using nlohmann::json;
using samples::holds;
using samples::refusal;

namespace {

Event around(EventBody body)
{
    return {.run = "0b5f2c9e-1111-4222-8333-444455556666", .task = "score", .seq = 7, .timeSeconds = 1764480000.125, .body = std::move(body)};
}

std::vector<EventBody> bodies()
{
    return {
        Started{.kind = "score", .key = "abc", .specJson = R"({"kind":"score"})", .device = "cpu", .computeType = "float32", .threads = 2, .resumed = true, .version = "0.1.0"},
        Progress{.phase = "stage 2", .done = 3, .total = 30, .tokens = 49152, .seconds = 1.5, .etaSeconds = 13.5},
        Progress{.phase = "reading", .etaSeconds = {}},
        Metric{.series = "loss/layer 3", .step = 12, .tokens = 600, .value = 0.1, .unit = "nats"},
        LayerScore{.selector = "ga-s2", .mixer = "gdn", .layer = 4, .score = 0.292, .higherIsBetter = true, .klNats = 0.292, .se = 0.004, .numSequences = 64, .tokens = 92160},
        LayerScore{.selector = "ga-s1", .mixer = "gla", .layer = -1, .score = 1, .unit = "", .klNats = {}},
        Table{.name = "finals", .columns = {"set", "kl"}, .units = {"", "nats"}, .rowsJson = R"([["{0,4}",0.07],["{0,3}",null]])"},
        Artifact{.role = "student", .hash = "0123", .path = "artifacts/0123"},
        Text{.name = "sample", .text = "Zeile\nmit „Zeichen“ \x01"},
        CheckpointSaved{.step = 100, .tokens = 4096, .path = "runs/x/checkpoint"},
        Warning{.message = "careful"},
        Finished{.resultJson = R"({"selected":[0,4]})", .seconds = 12.25},
        Failed{.code = "non-finite", .message = "The loss is not finite.", .detail = "step 3"},
        Cancelled{.message = "Stopped on request."},
    };
}

}  // namespace

TEST_CASE("every event survives its line, which is one line of the documented form")
{
    for (const EventBody &body : bodies()) {
        const Event event = around(body);
        const std::string line = toLine(event);
        CHECK(line.find('\n') == std::string::npos);
        const Event back = fromLine(line);
        CHECK(toLine(back) == line);
        CHECK(back.body.index() == body.index());
        CHECK(back.run == event.run);
        CHECK(back.task == "score");
        CHECK(back.seq == 7);
        CHECK(back.timeSeconds == event.timeSeconds);
        const json parsed = json::parse(line);
        CHECK(parsed.at("type") == typeName(body));
        CHECK(parsed.at("schema") == 1);
        CHECK(isLast(body) == (typeName(body) == "finished" || typeName(body) == "failed" || typeName(body) == "cancelled"));
    }
}

TEST_CASE("a layer score has the names that others read")
{
    const json line = json::parse(toLine(around(bodies()[4])));
    for (const char *name : {"selector", "mixer", "layer", "score", "unit", "higher_is_better", "kl_nats", "se", "n_sequences", "tokens"})
        CHECK_MESSAGE(line.contains(name), name);
    const auto score = std::get<LayerScore>(fromLine(line.dump()).body);
    CHECK(score.layer == 4);
    CHECK(score.score == 0.292);
    CHECK(score.higherIsBetter);
    CHECK(score.klNats == 0.292);
    CHECK(score.se == 0.004);
    CHECK(score.numSequences == 64);
    CHECK(score.tokens == 92160);
    CHECK_FALSE(std::get<LayerScore>(fromLine(toLine(around(bodies()[5]))).body).klNats.has_value());
}

TEST_CASE("numbers survive in every bit, and what is not finite stands as text")
{
    std::mt19937_64 generator(3);
    std::uniform_real_distribution<double> exponent(-300, 300);
    for (int i = 0; i < 2000; ++i) {
        const double value = std::pow(10.0, exponent(generator)) * (i % 2 == 0 ? 1 : -1);
        CHECK(std::get<Metric>(fromLine(toLine(around(Metric{.series = "x", .value = value, .unit = {}}))).body).value == value);
    }
    const double inf = std::numeric_limits<double>::infinity();
    const auto text = [](double value) { return json::parse(toLine(around(Metric{.series = "x", .value = value, .unit = {}}))).at("value"); };
    CHECK(text(inf) == "inf");
    CHECK(text(-inf) == "-inf");
    CHECK(text(std::nan("")) == "nan");
    const auto back = [](double value) { return std::get<Metric>(fromLine(toLine(around(Metric{.series = "x", .value = value, .unit = {}}))).body).value; };
    CHECK(back(inf) == inf);
    CHECK(back(-inf) == -inf);
    CHECK(std::isnan(back(std::nan(""))));
}

TEST_CASE("a text that is not UTF-8 becomes a line all the same")
{
    const auto back = std::get<Text>(fromLine(toLine(around(Text{.name = "sample", .text = "a\xC3z"}))).body);
    CHECK(back.text == "a\xEF\xBF\xBDz");
}

TEST_CASE("a table that breaks its own shape is refused when written and when read")
{
    (void)refusal(ErrorCode::Usage, [] { (void)toLine(around(Table{.name = "t", .columns = {"a"}, .units = {""}, .rowsJson = "[[1,2]]"})); });
    json rows = json::array();
    for (int i = 0; i < 1001; ++i)
        rows.push_back({i});
    (void)refusal(ErrorCode::Usage, [&] { (void)toLine(around(Table{.name = "t", .columns = {"a"}, .units = {""}, .rowsJson = rows.dump()})); });
    json line = json::parse(toLine(around(Table{.name = "t", .columns = {"a"}, .units = {""}, .rowsJson = "[[1]]"})));
    line["rows"] = 3;
    (void)refusal(ErrorCode::BadFile, [&] { (void)fromLine(line.dump()); });
}

TEST_CASE("a newer schema is refused politely")
{
    json line = json::parse(toLine(around(Warning{.message = "x"})));
    line["schema"] = 2;
    CHECK(holds(refusal(ErrorCode::BadFile, [&] { (void)fromLine(line.dump()); }), "newer version"));
    line["schema"] = 1;
    line["added later"] = true;
    CHECK(std::get<Warning>(fromLine(line.dump()).body).message == "x");
}

TEST_CASE("no damaged line crashes or passes for what it is not")
{
    std::mt19937 generator(20);
    int refused = 0;
    const auto attempt = [&](const std::string &line) {
        try {
            (void)toLine(fromLine(line));
        } catch (const Error &error) {
            CHECK(error.code() == ErrorCode::BadFile);
            ++refused;
        }
    };
    for (const EventBody &body : bodies()) {
        const std::string line = toLine(around(body));
        for (std::size_t length = 0; length < line.size(); ++length)           // every truncation
            attempt(line.substr(0, length));
        CHECK(refused == static_cast<int>(line.size()));
        for (int i = 0; i < 300; ++i) {                                        // flipped bits
            std::string damaged = line;
            damaged[generator() % damaged.size()] ^= static_cast<char>(1U << (generator() % 8U));
            attempt(damaged);
        }
        const json parsed = json::parse(line);
        refused = 0;
        for (const auto &[name, value] : parsed.items()) {                     // every member missing
            json damaged = parsed;
            damaged.erase(name);
            (void)refusal(ErrorCode::BadFile, [&] { (void)fromLine(damaged.dump()); });
        }
        for (const auto &[name, value] : parsed.items()) {                     // every member of another type
            json damaged = parsed;
            damaged[name] = json::array({json::object()});
            if (name != "spec" && name != "result")
                (void)refusal(ErrorCode::BadFile, [&] { (void)fromLine(damaged.dump()); });
        }
    }
}
