// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/calibrationreport.h"

#include "error.h"
#include "experiment/jsontext.h"
#include "views/names.h"
#include "views/quantities.h"

#include <QLocale>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

namespace stillroom::widgets {
namespace {

constexpr int knownSchema = 2;
constexpr std::size_t mostBytes = std::size_t{64} << 20U;
constexpr int mostLists = 400'000, mostLayers = 4096, mostHeads = 4096;
constexpr std::size_t mostParameters = 256;      // of one layer
constexpr double missing = std::numeric_limits<double>::quiet_NaN();

/// A file of a workspace that others may have written: bounded before it is parsed.
nlohmann::json boundedJson(const std::filesystem::path &file, const std::string &what)
{
    const std::string text = experiment::readTextFile(file.string(), mostBytes, what);
    const nlohmann::json made = std::count_if(text.begin(), text.end(), [](char c) { return c == '[' || c == '{'; }) > mostLists ? nlohmann::json(nlohmann::json::value_t::discarded) : nlohmann::json::parse(text, nullptr, false);
    if (!made.is_object())
        throw Error(ErrorCode::BadFile, what + " is damaged: calibrate again to make it anew.", file.string());
    return made;
}

const nlohmann::json &memberOf(const nlohmann::json &object, const char *name)
{
    static const nlohmann::json none;
    const auto found = object.is_object() ? object.find(name) : object.end();
    return found != object.end() ? *found : none;
}

int wholeOr(const nlohmann::json &value, int otherwise)
{
    return value.is_number_integer() && value >= 0 && value <= 1'000'000'000 ? value.get<int>() : otherwise;
}

double numberAt(const nlohmann::json &value, const std::string &pointer)
{
    const nlohmann::json::json_pointer where(pointer);
    const nlohmann::json found = value.is_object() && value.contains(where) ? value.at(where) : nlohmann::json();
    return found.is_number() ? found.get<double>() : missing;
}

std::vector<double> numbersOf(const nlohmann::json &list)
{
    std::vector<double> values;
    if (list.is_array())
        for (const nlohmann::json &one : list)
            values.push_back(one.is_number() ? one.get<double>() : missing);
    return values;
}

/// Of which any layer says a change.
std::set<std::string> changedParameters(const std::map<int, nlohmann::json> &layers)
{
    std::set<std::string> names;
    for (const auto &[layer, numbers] : layers)
        for (const char *phase : {"parameter_change_phase_1", "parameter_change_phase_2"})
            if (const nlohmann::json &changes = memberOf(numbers, phase); changes.is_object() && changes.size() <= mostParameters)
                for (const auto &[name, change] : changes.items())
                    names.insert(name);
    return names;
}

void rename(nlohmann::json &object, const std::string &from, const std::string &to)
{
    if (const auto found = object.is_object() ? object.find(from) : object.end(); object.is_object() && found != object.end()) {
        object[to] = *found;
        object.erase(from);
    }
}

/// A layer of schema 1, whose "after" is after phase 1, with the names of today.
void bringUpToDate(nlohmann::json &layer)
{
    rename(layer, "after", "after_phase_1");
    rename(layer, "parameter_change", "parameter_change_phase_1");
    if (layer.is_object() && layer.contains("value_rms") && memberOf(layer, "after_phase_1").is_object())
        layer["after_phase_1"]["value_rms"] = layer["value_rms"];
    if (!memberOf(layer, "heads").is_array())
        return;
    for (nlohmann::json &head : layer["heads"]) {
        rename(head, "half_life_after_tokens", "half_life_after_phase_1_tokens");
        for (const std::string name : {"beta", "context_cosine", "context_rms"})
            rename(head, name + "_after", name + "_after_phase_1");
    }
}

/// The report's lists by layer, in one object each: what phase 1 says of it with its heads, Taylor errors in the query heads, what phase 2 says in "aligned".
std::map<int, nlohmann::json> layersOf(const nlohmann::json &report)
{
    std::map<int, nlohmann::json> byLayer;
    const auto each = [&](const char *list, const auto &take) {
        const nlohmann::json &all = memberOf(report, list);
        if (all.is_array() && all.size() <= mostLayers)
            for (const nlohmann::json &one : all)
                if (const int layer = wholeOr(memberOf(one, "layer"), -1); layer >= 0 && layer < mostLayers)
                    take(layer, one);
    };
    const bool old = wholeOr(memberOf(report, "schema"), 1) < 2;
    each("layers", [&](int layer, const nlohmann::json &one) {
        byLayer[layer] = one;
        if (old)
            bringUpToDate(byLayer[layer]);
    });
    each("alignment", [&](int layer, const nlohmann::json &one) {
        byLayer[layer]["aligned"] = one;
        if (old)
            byLayer[layer]["after_phase_2"] = one;      // error and cosine of the best step
    });
    each("taylor", [&](int layer, const nlohmann::json &one) {
        const nlohmann::json &errors = memberOf(one, "heads");
        nlohmann::json &heads = byLayer[layer]["attention"]["heads"];
        if (errors.is_array() && errors.size() <= mostHeads && (heads.is_null() || (heads.is_array() && heads.size() == errors.size())))
            for (std::size_t head = 0; head < errors.size(); ++head)
                if (heads.is_null() || head >= heads.size() || heads.at(head).is_object())
                    heads[head]["taylor"] = errors[head];
    });
    return byLayer;
}

/// Those whose numbers a statistic shows, in `layer`.
std::vector<const nlohmann::json *> ownersIn(const nlohmann::json &layer, Owner owner)
{
    if (owner == Owner::Layer)
        return {&layer};
    const nlohmann::json &heads = owner == Owner::QueryHead ? memberOf(memberOf(layer, "attention"), "heads") : memberOf(layer, "heads");
    std::vector<const nlohmann::json *> owners;
    if (heads.is_array() && heads.size() <= mostHeads)
        for (const nlohmann::json &head : heads)
            owners.push_back(&head);
    return owners;
}

bool anyFinite(const std::vector<double> &values)
{
    return std::any_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
}

std::vector<CalibrationAlarm> alarmsIn(const nlohmann::json &report)
{
    std::vector<CalibrationAlarm> alarms;
    const nlohmann::json &list = memberOf(report, "alarms");
    if (!list.is_array())
        return alarms;
    for (const nlohmann::json &one : list) {
        const nlohmann::json &kind = memberOf(one, "kind"), &heads = memberOf(one, "heads");
        const int layer = wholeOr(memberOf(one, "layer"), -1);
        if (!kind.is_string() || layer < 0)
            continue;
        CalibrationAlarm alarm{QString::fromStdString(kind.get<std::string>()), layer, {}, numberAt(one, "/value"), numberAt(one, "/limit")};
        if (heads.is_array())
            for (const nlohmann::json &head : heads)
                alarm.heads.push_back(wholeOr(head, 0));
        alarms.push_back(std::move(alarm));
    }
    return alarms;
}

std::vector<std::vector<double>> rowsIn(const nlohmann::json &rows)
{
    std::vector<std::vector<double>> map;
    if (rows.is_array())
        for (const nlohmann::json &row : rows) {
            map.push_back(numbersOf(row));
            if (map.back().size() != map.size())      // causal: one more weight a row
                return {};
        }
    return map;
}

Side momentIn(const nlohmann::json &name)
{
    return name == "after_phase_1" ? Side::AfterPhaseOne : name == "after_phase_2" ? Side::AfterPhaseTwo : Side::Before;
}

std::vector<ComposedCurve> composedIn(const nlohmann::json &report)
{
    std::vector<ComposedCurve> curves;
    const nlohmann::json &moments = memberOf(memberOf(report, "composed"), "moments");
    if (moments.is_array() && moments.size() <= 3)
        for (const nlohmann::json &one : moments)
            if (const nlohmann::json &layers = memberOf(one, "hidden_cosine_by_layer"); layers.is_array() && layers.size() <= mostLayers)
                curves.push_back({momentIn(memberOf(one, "moment")), numbersOf(layers), numberAt(one, "/hidden_cosine")});
    return curves;
}

}  // namespace

QString alarmText(const CalibrationAlarm &alarm)
{
    const QString heads = rangesText(alarm.heads);
    const int count = static_cast<int>(alarm.heads.size());
    const QLocale locale;
    if (alarm.kind == QLatin1String("sigma-floor"))
        return Calibrations::tr("Layer %1: %2 % of its value scales stand at the floor (heads %3): the student's values do not point where the teacher's do.")
            .arg(alarm.layer).arg(locale.toString(100.0 * alarm.value, 'f', 0), heads);
    if (alarm.kind == QLatin1String("look-back"))
        return Calibrations::tr("Layer %1, heads %2: %n of them look back farther than uniform attention would. That is a sink: the half-life follows the length of the text.", nullptr, count).arg(alarm.layer).arg(heads);
    if (alarm.kind == QLatin1String("small-context"))
        return Calibrations::tr("Layer %1, heads %2: %n contexts are so small that the output norm's eps is felt: it makes no unit RMS of them.", nullptr, count).arg(alarm.layer).arg(heads);
    if (alarm.kind == QLatin1String("write-target"))
        return Calibrations::tr("Layer %1, heads %2: %n mean write strengths miss their target by more than %3.", nullptr, count).arg(alarm.layer).arg(heads, locale.toString(alarm.limit, 'g', 2));
    return Calibrations::tr("Layer %1, heads %2: %3").arg(alarm.layer).arg(heads, alarm.kind);
}

QString alarmStatistic(const CalibrationAlarm &alarm)
{
    static const std::pair<const char *, const char *> known[] = {{"sigma-floor", "sigma"}, {"look-back", "distance_vs_uniform"}, {"small-context", "student_rms"}, {"write-target", "beta_mean"}};
    for (const auto &[kind, statistic] : known)
        if (alarm.kind == QLatin1String(kind))
            return QString::fromLatin1(statistic);
    return {};
}

qint64 binStart(qint64 bin)
{
    if (bin < 4)
        return bin;
    return (bin % 2 == 0 ? qint64{2} : qint64{3}) << (bin / 2 - 1);
}

CalibrationReport CalibrationReport::read(const std::filesystem::path &file)
{
    const nlohmann::json report = boundedJson(file, "The calibration's report");
    if (wholeOr(memberOf(report, "schema"), 0) > knownSchema)
        throw Error(ErrorCode::Unsupported, "A newer version of Stillroom wrote this calibration's report: open it with that one.");
    try {
        return fromJson(report);
    } catch (const nlohmann::json::exception &error) {
        throw Error(ErrorCode::BadFile, "The calibration's report is damaged: calibrate again to make it anew.", error.what());
    }
}

CalibrationReport CalibrationReport::fromJson(const nlohmann::json &json)
{
    CalibrationReport report;
    report.m_arm = memberOf(json, "arm").is_string() ? QString::fromStdString(memberOf(json, "arm").get<std::string>()) : QString();
    report.m_sequences = wholeOr(memberOf(json, "sequences"), 0);
    report.m_length = wholeOr(memberOf(json, "sequence_length"), 0);
    report.m_alarms = alarmsIn(json);
    const auto layers = layersOf(json);
    for (const auto &[layer, numbers] : layers) {
        report.m_layers.push_back(layer);
        const std::vector<const nlohmann::json *> heads = ownersIn(numbers, Owner::QueryHead);
        report.m_queryHeads = std::max(report.m_queryHeads, static_cast<int>(heads.size()));
        report.m_stateHeads = std::max(report.m_stateHeads, static_cast<int>(ownersIn(numbers, Owner::StateHead).size()));
        for (std::size_t head = 0; head < heads.size(); ++head)
            report.m_profiles[{layer, static_cast<int>(head)}] = {numbersOf(memberOf(*heads[head], "lag_share")), numbersOf(memberOf(*heads[head], "entropy_by_position_nats"))};
    }
    report.m_composed = composedIn(json);
    for (HeadStatistic &statistic : allStatistics(report.m_length, changedParameters(layers))) {
        const std::pair<std::string HeadStatistic::*, std::vector<double> Values::*> kinds[] = {{&HeadStatistic::once, &Values::once}, {&HeadStatistic::before, &Values::before},
                                                                                               {&HeadStatistic::phaseOne, &Values::phaseOne}, {&HeadStatistic::phaseTwo, &Values::phaseTwo}};
        bool any = false;
        for (const auto &[pointer, values] : kinds) {
            bool here = false;
            for (const auto &[layer, numbers] : layers) {
                std::vector<double> &found = report.m_values[{statistic.id, layer}].*values;
                for (const nlohmann::json *owner : ownersIn(numbers, statistic.owner))
                    found.push_back((statistic.*pointer).empty() ? missing : numberAt(*owner, statistic.*pointer));
                here = here || anyFinite(found);
            }
            if (!here)
                (statistic.*pointer).clear();
            any = any || here;
        }
        if (any)
            report.m_statistics.push_back(std::move(statistic));
    }
    if (report.m_statistics.empty())
        throw Error(ErrorCode::BadFile, "This calibration's report holds no numbers of any layer: an arm without phases measures nothing of heads.");
    return report;
}

int CalibrationReport::numColumns(const HeadStatistic &statistic) const
{
    return statistic.owner == Owner::Layer ? 1 : statistic.owner == Owner::QueryHead ? m_queryHeads : m_stateHeads;
}

int CalibrationReport::columnOf(const HeadStatistic &statistic, int queryHead) const
{
    return m_queryHeads > 0 ? static_cast<int>(qint64{queryHead} * numColumns(statistic) / m_queryHeads) : 0;
}

int CalibrationReport::firstHeadOf(const HeadStatistic &statistic, int column) const
{
    const int columns = std::max(1, numColumns(statistic));
    return static_cast<int>((qint64{column} * m_queryHeads + columns - 1) / columns);
}

int CalibrationReport::firstHeadOf(const CalibrationAlarm &alarm) const
{
    const int column = alarm.heads.empty() ? 0 : alarm.heads.front();
    const auto shown = std::find_if(m_statistics.begin(), m_statistics.end(), [id = alarmStatistic(alarm)](const HeadStatistic &one) { return one.id == id; });
    return shown == m_statistics.end() ? column : firstHeadOf(*shown, column);
}

double CalibrationReport::value(const HeadStatistic &statistic, Side side, int layer, int column) const
{
    const auto found = m_values.find({statistic.id, layer});
    if (found == m_values.end() || column < 0 || static_cast<std::size_t>(column) >= found->second.once.size())
        return missing;
    const auto at = [&](const std::vector<double> &values) { return values[static_cast<std::size_t>(column)]; };
    const Values &all = found->second;
    const double start = at(all.before), one = at(all.phaseOne), two = at(all.phaseTwo);
    switch (statistic.concrete(side)) {
    case Side::Before: return start;
    case Side::AfterPhaseOne: return one;
    case Side::AfterPhaseTwo: return two;
    case Side::Difference: return value(statistic, Side::After, layer, column) - start;
    case Side::ByPhaseOne: return one - start;
    case Side::ByPhaseTwo: return two - (statistic.has(Side::AfterPhaseOne) ? one : start);
    case Side::After: break;
    }
    return at(all.once);
}

HeadProfile CalibrationReport::profile(int layer, int queryHead) const
{
    const auto found = m_profiles.find({layer, queryHead});
    return found == m_profiles.end() ? HeadProfile() : found->second;
}

std::pair<Side, const HeadMaps::Rows &> HeadMaps::student(Side side) const
{
    if (side == Side::Before || (phaseOne.empty() && phaseTwo.empty()))
        return {Side::Before, before};
    if (side == Side::AfterPhaseOne && !phaseOne.empty())
        return {Side::AfterPhaseOne, phaseOne};
    return phaseTwo.empty() ? std::pair<Side, const Rows &>(Side::AfterPhaseOne, phaseOne) : std::pair<Side, const Rows &>(Side::AfterPhaseTwo, phaseTwo);
}

std::vector<HeadMaps> readHeadMaps(const std::filesystem::path &file)
{
    if (!std::filesystem::exists(file))
        return {};
    const nlohmann::json json = boundedJson(file, "The file of this layer's maps");
    const auto ended = [](const nlohmann::json &head) -> const nlohmann::json & { return memberOf(head, head.is_object() && head.contains("student_after") ? "student_after" : "student_after_phase_2"); };
    const nlohmann::json &heads = memberOf(json, "heads");
    std::vector<HeadMaps> maps;
    if (heads.is_array() && heads.size() <= mostHeads)
        for (const auto &head : heads)
            maps.push_back({rowsIn(memberOf(head, "attention")), rowsIn(memberOf(head, "student_before")), rowsIn(memberOf(head, "student_after_phase_1")), rowsIn(ended(head))});
    return maps;
}

}  // namespace stillroom::widgets
