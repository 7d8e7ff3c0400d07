// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/event.h"

#include "error.h"
#include "experiment/completion.h"
#include "experiment/jsontext.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

namespace stillroom::experiment {

namespace {

using nlohmann::json;

constexpr std::size_t maximumTableRows = 1000;

json numberToJson(double number)
{
    if (std::isnan(number))
        return "nan";
    if (std::isinf(number))
        return number > 0 ? "inf" : "-inf";
    return number;
}

json numberToJson(const std::optional<double> &number)
{
    return number ? numberToJson(*number) : json();
}

json embedded(const std::string &text, const std::string &what)
{
    return parseJson(text.empty() ? "null" : text, what);
}

json rowsOf(const Table &table)
{
    json rows = embedded(table.rowsJson, "The table " + shown(table.name));
    if (!rows.is_array() || rows.size() > maximumTableRows)
        throw Error(ErrorCode::Usage, "The table " + shown(table.name) + " must hold at most " + std::to_string(maximumTableRows) + " rows; write more as an artifact.");
    for (const json &row : rows) {
        if (!row.is_array() || row.size() != table.columns.size())
            throw Error(ErrorCode::Usage, "A row of the table " + shown(table.name) + " has not one value for each of its " + std::to_string(table.columns.size()) + " columns.");
    }
    return rows;
}

struct ToJson {
    json &line;
    void operator()(const Started &b) const
    {
        line.update({{"kind", b.kind}, {"key", b.key}, {"spec", embedded(b.specJson, "The spec of an event")}, {"device", b.device}, {"compute_type", b.computeType},
                     {"threads", b.threads}, {"resumed", b.resumed}, {"version", b.version}});
    }
    void operator()(const Progress &b) const
    {
        line.update({{"phase", b.phase}, {"done", b.done}, {"total", b.total}, {"tokens", b.tokens}, {"seconds", numberToJson(b.seconds)}, {"eta", numberToJson(b.etaSeconds)}});
    }
    void operator()(const Metric &b) const
    {
        line.update({{"series", b.series}, {"step", b.step}, {"tokens", b.tokens}, {"value", numberToJson(b.value)}, {"unit", b.unit}});
    }
    void operator()(const LayerScore &b) const
    {
        line.update({{"selector", b.selector}, {"mixer", b.mixer}, {"layer", b.layer}, {"score", numberToJson(b.score)}, {"unit", b.unit}, {"higher_is_better", b.higherIsBetter},
                     {"kl_nats", numberToJson(b.klNats)}, {"se", numberToJson(b.se)}, {"n_sequences", b.numSequences}, {"tokens", b.tokens}});
    }
    void operator()(const Table &b) const
    {
        line.update({{"name", b.name}, {"columns", b.columns}, {"units", b.units}, {"rows", rowsOf(b)}});
    }
    void operator()(const Artifact &b) const { line.update({{"role", b.role}, {"hash", b.hash}, {"path", b.path}}); }
    void operator()(const Text &b) const { line.update({{"name", b.name}, {"text", b.text}}); }
    void operator()(const CheckpointSaved &b) const { line.update({{"step", b.step}, {"tokens", b.tokens}, {"path", b.path}}); }
    void operator()(const Warning &b) const { line.update({{"message", b.message}}); }
    void operator()(const Finished &b) const
    {
        line.update({{"result", embedded(b.resultJson, "The result of an event")}, {"seconds", numberToJson(b.seconds)}});
    }
    void operator()(const Failed &b) const { line.update({{"code", b.code}, {"message", b.message}, {"detail", b.detail}}); }
    void operator()(const Cancelled &b) const { line.update({{"message", b.message}}); }
};

[[noreturn]] void refuseEvent(const std::string &why)
{
    throw Error(ErrorCode::BadFile, "An event line " + why + ".");
}

/// Typed access to a line's members.
class Reader final {
public:
    explicit Reader(const json &line) : m_line(line) {}

    [[nodiscard]] const json &member(const char *name) const
    {
        const auto found = m_line.find(name);
        if (found == m_line.end())
            refuseEvent(std::string("lacks the member \"") + name + "\"");
        return *found;
    }
    [[nodiscard]] std::string text(const char *name) const
    {
        const json &value = member(name);
        if (!value.is_string())
            refuseEvent(std::string("has no text in the member \"") + name + "\"");
        return value.get<std::string>();
    }
    [[nodiscard]] std::int64_t integer(const char *name) const
    {
        const json &value = member(name);
        constexpr auto largest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
        if (!value.is_number_integer() || (value.is_number_unsigned() && value.get<std::uint64_t>() > largest))
            refuseEvent(std::string("has no whole number in the member \"") + name + "\"");
        return value.get<std::int64_t>();
    }
    [[nodiscard]] int smallInteger(const char *name) const
    {
        const std::int64_t value = integer(name);
        if (value < std::numeric_limits<int>::min() || value > std::numeric_limits<int>::max())
            refuseEvent(std::string("has a number out of range in the member \"") + name + "\"");
        return static_cast<int>(value);
    }
    [[nodiscard]] bool flag(const char *name) const
    {
        const json &value = member(name);
        if (!value.is_boolean())
            refuseEvent(std::string("has neither true nor false in the member \"") + name + "\"");
        return value.get<bool>();
    }
    [[nodiscard]] double number(const char *name) const
    {
        const json &value = member(name);
        if (value.is_number())
            return value.get<double>();
        if (value == "nan")
            return std::numeric_limits<double>::quiet_NaN();
        if (value == "inf")
            return std::numeric_limits<double>::infinity();
        if (value == "-inf")
            return -std::numeric_limits<double>::infinity();
        refuseEvent(std::string("has no number in the member \"") + name + "\"");
    }
    [[nodiscard]] std::optional<double> optionalNumber(const char *name) const
    {
        return member(name).is_null() ? std::nullopt : std::optional(number(name));
    }
    [[nodiscard]] std::vector<std::string> texts(const char *name) const
    {
        const json &value = member(name);
        std::vector<std::string> list;
        if (!value.is_array())
            refuseEvent(std::string("has no list in the member \"") + name + "\"");
        for (const json &element : value) {
            if (!element.is_string())
                refuseEvent(std::string("has something other than texts in the member \"") + name + "\"");
            list.push_back(element.get<std::string>());
        }
        return list;
    }
    [[nodiscard]] std::string value(const char *name) const { return compactJson(member(name)); }

private:
    const json &m_line;
};

Table readTable(const Reader &line)
{
    Table table{.name = line.text("name"), .columns = line.texts("columns"), .units = line.texts("units"), .rowsJson = line.value("rows")};
    try {
        static_cast<void>(rowsOf(table));
    } catch (const Error &error) {
        throw Error(ErrorCode::BadFile, error.what());
    }
    return table;
}

LayerScore readLayerScore(const Reader &line)
{
    return {.selector = line.text("selector"), .mixer = line.text("mixer"), .layer = line.smallInteger("layer"), .score = line.number("score"), .unit = line.text("unit"),
            .higherIsBetter = line.flag("higher_is_better"), .klNats = line.optionalNumber("kl_nats"), .se = line.number("se"), .numSequences = line.integer("n_sequences"),
            .tokens = line.integer("tokens")};
}

EventBody readBody(const std::string &type, const Reader &line)
{
    if (type == "started")
        return Started{.kind = line.text("kind"), .key = line.text("key"), .specJson = line.value("spec"), .device = line.text("device"), .computeType = line.text("compute_type"),
                       .threads = line.smallInteger("threads"), .resumed = line.flag("resumed"), .version = line.text("version")};
    if (type == "progress")
        return Progress{.phase = line.text("phase"), .done = line.integer("done"), .total = line.integer("total"), .tokens = line.integer("tokens"), .seconds = line.number("seconds"),
                        .etaSeconds = line.optionalNumber("eta")};
    if (type == "metric")
        return Metric{.series = line.text("series"), .step = line.integer("step"), .tokens = line.integer("tokens"), .value = line.number("value"), .unit = line.text("unit")};
    if (type == "layer-score")
        return readLayerScore(line);
    if (type == "table")
        return readTable(line);
    if (type == "artifact")
        return Artifact{.role = line.text("role"), .hash = line.text("hash"), .path = line.text("path")};
    if (type == "text")
        return Text{.name = line.text("name"), .text = line.text("text")};
    if (type == "checkpoint")
        return CheckpointSaved{.step = line.integer("step"), .tokens = line.integer("tokens"), .path = line.text("path")};
    if (type == "warning")
        return Warning{.message = line.text("message")};
    if (type == "finished")
        return Finished{.resultJson = line.value("result"), .seconds = line.number("seconds")};
    if (type == "failed")
        return Failed{.code = line.text("code"), .message = line.text("message"), .detail = line.text("detail")};
    if (type == "cancelled")
        return Cancelled{.message = line.text("message")};
    refuseEvent("has the unknown type " + shown(type));
}

struct TypeName {
    std::string operator()(const Started &) const { return "started"; }
    std::string operator()(const Progress &) const { return "progress"; }
    std::string operator()(const Metric &) const { return "metric"; }
    std::string operator()(const LayerScore &) const { return "layer-score"; }
    std::string operator()(const Table &) const { return "table"; }
    std::string operator()(const Artifact &) const { return "artifact"; }
    std::string operator()(const Text &) const { return "text"; }
    std::string operator()(const CheckpointSaved &) const { return "checkpoint"; }
    std::string operator()(const Warning &) const { return "warning"; }
    std::string operator()(const Finished &) const { return "finished"; }
    std::string operator()(const Failed &) const { return "failed"; }
    std::string operator()(const Cancelled &) const { return "cancelled"; }
};

}  // namespace

std::string typeName(const EventBody &body)
{
    return std::visit(TypeName{}, body);
}

bool isLast(const EventBody &body)
{
    return std::holds_alternative<Finished>(body) || std::holds_alternative<Failed>(body) || std::holds_alternative<Cancelled>(body);
}

std::string toLine(const Event &event)
{
    json line{{"schema", eventSchema}, {"run", event.run}, {"task", event.task}, {"seq", event.seq}, {"time", numberToJson(event.timeSeconds)}, {"type", typeName(event.body)}};
    std::visit(ToJson{line}, event.body);
    return compactJson(line);
}

Event fromLine(const std::string &line)
{
    const json parsed = parseJson(line, "An event line");
    if (!parsed.is_object())
        refuseEvent("is not a JSON object");
    const Reader reader(parsed);
    const std::int64_t schema = reader.integer("schema");
    if (schema > eventSchema)
        refuseEvent("was written for schema " + std::to_string(schema) + " but this program knows schema " + std::to_string(eventSchema) + "; use a newer version");
    if (schema < 1)
        refuseEvent("has the impossible schema " + std::to_string(schema));
    Event event{.run = reader.text("run"), .task = reader.text("task"), .seq = reader.integer("seq"), .timeSeconds = reader.number("time"), .body = Warning{}};
    event.body = readBody(reader.text("type"), reader);
    return event;
}

}  // namespace stillroom::experiment
