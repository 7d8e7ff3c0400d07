// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/calibrationreport.h"

#include "error.h"
#include "experiment/jsontext.h"
#include "views/names.h"
#include "views/quantities.h"

#include <QCoreApplication>
#include <QLocale>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace stillroom::widgets {
namespace {

constexpr int knownSchema = 1;
constexpr std::size_t mostBytes = std::size_t{64} << 20U;
constexpr int mostLists = 400'000, mostLayers = 4096, mostHeads = 4096;
constexpr double missing = std::numeric_limits<double>::quiet_NaN();

struct Calibrations {
    Q_DECLARE_TR_FUNCTIONS(Calibrations)
};

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

/// Everything that spec/taylor-calibrate.md §7 shows of heads and layers. \param length  tokens of a calibration sequence
std::vector<HeadStatistic> allStatistics(int length)
{
    using G = StatisticGroup;
    using S = ColourScale;
    const double tokens = std::max(2, length), uniform = std::lgamma(tokens + 1.0) / tokens;
    const QString token = Calibrations::tr("tokens"), nats = Calibrations::tr("nats"), times = QStringLiteral("×");
    std::vector<HeadStatistic> all{
        {QStringLiteral("mean_distance"), Calibrations::tr("mean look-back"), token, G::Attention, Owner::QueryHead, S::Logarithmic, 0.5, (tokens - 1.0) / 2.0, {}, "/mean_distance_tokens"},
        {QStringLiteral("distance_vs_uniform"), Calibrations::tr("look-back against uniform attention"), times, G::Attention, Owner::QueryHead, S::Share, 0.0, 2.0, {}, "/distance_vs_uniform"},
        {QStringLiteral("sink_mass"), Calibrations::tr("mass on the first token (sink)"), {}, G::Attention, Owner::QueryHead, S::Share, 0.0, 1.0, {}, "/sink_mass"},
        {QStringLiteral("entropy"), Calibrations::tr("entropy"), nats, G::Attention, Owner::QueryHead, S::Linear, 0.0, uniform, {}, "/entropy_nats"},
        {QStringLiteral("relative_entropy"), Calibrations::tr("entropy against uniform attention"), {}, G::Attention, Owner::QueryHead, S::Share, 0.0, 1.0, {}, "/relative_entropy"},
        {QStringLiteral("concentration"), Calibrations::tr("concentration within the layer"), {}, G::Attention, Owner::QueryHead, S::Share, 0.0, 1.0, {}, "/concentration"},
        {QStringLiteral("context_rms"), Calibrations::tr("RMS of the teacher's context"), {}, G::Attention, Owner::QueryHead, S::Logarithmic, 0.0, missing, {}, "/context_rms"},
        {QStringLiteral("output_rms"), Calibrations::tr("RMS of what the head adds"), {}, G::Attention, Owner::QueryHead, S::Logarithmic, 0.0, missing, {}, "/output_rms"},
        {QStringLiteral("taylor_1"), Calibrations::tr("Taylor error, order 1"), {}, G::Attention, Owner::QueryHead, S::Logarithmic, 0.0, missing, {}, "/taylor/error_order_1"},
        {QStringLiteral("taylor_2"), Calibrations::tr("Taylor error, order 2"), {}, G::Attention, Owner::QueryHead, S::Logarithmic, 0.0, missing, {}, "/taylor/error_order_2"},
        {QStringLiteral("half_life_target"), Calibrations::tr("half-life: target"), token, G::Decay, Owner::StateHead, S::Logarithmic, 0.5, 693.15, {}, "/half_life_target_tokens"}};
    const std::pair<const char *, QString> parts[] = {{"mean", Calibrations::tr("mean over tokens")}, {"p10", Calibrations::tr("10 % of the tokens")}, {"p50", Calibrations::tr("median token")}, {"p90", Calibrations::tr("90 % of the tokens")}};
    for (const auto &[part, words] : parts)
        all.push_back({QStringLiteral("half_life_%1").arg(QLatin1String(part)), Calibrations::tr("half-life: %1").arg(words), token, G::Decay, Owner::StateHead, S::Logarithmic, 0.0, missing,
                       std::string("/half_life_before_tokens/") + part, std::string("/half_life_after_tokens/") + part});
    all.push_back({QStringLiteral("beta_target"), Calibrations::tr("write strength: target"), {}, G::WriteGate, Owner::StateHead, S::Share, 0.0, 1.0, {}, "/beta_target"});
    for (const auto &[part, words] : parts)
        all.push_back({QStringLiteral("beta_%1").arg(QLatin1String(part)), Calibrations::tr("write strength: %1").arg(words), {}, G::WriteGate, Owner::StateHead, S::Share, 0.0, 1.0,
                       std::string("/beta_before/") + part, std::string("/beta_after/") + part});
    for (HeadStatistic one : std::initializer_list<HeadStatistic>{
             {QStringLiteral("sigma_raw"), Calibrations::tr("value scale, as fitted"), times, G::Amplitude, Owner::StateHead, S::Linear, missing, missing, {}, "/sigma_raw"},
             {QStringLiteral("sigma"), Calibrations::tr("value scale, as set"), times, G::Amplitude, Owner::StateHead, S::Logarithmic, 0.1, 10.0, {}, "/sigma"},
             {QStringLiteral("student_rms"), Calibrations::tr("RMS of the student's context"), {}, G::Amplitude, Owner::StateHead, S::Logarithmic, 0.0, missing, "/context_rms_before", "/context_rms_after"},
             {QStringLiteral("gate_alpha"), Calibrations::tr("gate as a multiple of the values"), times, G::Amplitude, Owner::Layer, S::Linear, 0.0, missing, {}, "/gate_alpha"},
             {QStringLiteral("context_cosine"), Calibrations::tr("cosine of the contexts"), {}, G::Output, Owner::StateHead, S::Share, -1.0, 1.0, "/context_cosine_before", "/context_cosine_after"},
             {QStringLiteral("phase_1_mse"), Calibrations::tr("squared error of the layer, phase 1"), {}, G::Output, Owner::Layer, S::Logarithmic, 0.0, missing, "/before/relative_mse", "/after/relative_mse"},
             {QStringLiteral("phase_1_cosine"), Calibrations::tr("cosine of the layer's output, phase 1"), {}, G::Output, Owner::Layer, S::Share, -1.0, 1.0, "/before/cosine", "/after/cosine"},
             {QStringLiteral("rms_ratio"), Calibrations::tr("RMS of the layer's output against the teacher's, phase 1"), times, G::Output, Owner::Layer, S::Logarithmic, 0.0, missing, "/before/rms_ratio", "/after/rms_ratio"},
             {QStringLiteral("aligned_mse"), Calibrations::tr("squared error of the layer, phase 2"), {}, G::Output, Owner::Layer, S::Logarithmic, 0.0, missing, "/before/relative_mse", "/aligned/relative_mse"},
             {QStringLiteral("aligned_cosine"), Calibrations::tr("cosine of the layer's output, phase 2"), {}, G::Output, Owner::Layer, S::Share, -1.0, 1.0, "/before/cosine", "/aligned/cosine"}})
        all.push_back(std::move(one));
    return all;
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
    each("layers", [&](int layer, const nlohmann::json &one) { byLayer[layer] = one; });
    each("alignment", [&](int layer, const nlohmann::json &one) { byLayer[layer]["aligned"] = one; });
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

}  // namespace

QString groupName(StatisticGroup group)
{
    switch (group) {
    case StatisticGroup::Attention: return Calibrations::tr("Attention");
    case StatisticGroup::Decay: return Calibrations::tr("Decay");
    case StatisticGroup::WriteGate: return Calibrations::tr("Write gate");
    case StatisticGroup::Amplitude: return Calibrations::tr("Amplitude");
    case StatisticGroup::Output: break;
    }
    return Calibrations::tr("Output");
}

QString statisticTitle(const HeadStatistic &statistic)
{
    return statistic.unit.isEmpty() ? statistic.name : Calibrations::tr("%1 (%2)", "statistic and unit").arg(statistic.name, statistic.unit);
}

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
    for (HeadStatistic &statistic : allStatistics(report.m_length)) {
        bool any = false, anyBefore = false;
        for (const auto &[layer, numbers] : layers) {
            Values values;
            for (const nlohmann::json *owner : ownersIn(numbers, statistic.owner)) {
                values.after.push_back(numberAt(*owner, statistic.after));
                values.before.push_back(statistic.isPaired() ? numberAt(*owner, statistic.before) : missing);
            }
            any = any || anyFinite(values.after);
            anyBefore = anyBefore || anyFinite(values.before);
            report.m_values[{statistic.id, layer}] = std::move(values);
        }
        if (!anyBefore)
            statistic.before.clear();
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

double CalibrationReport::value(const HeadStatistic &statistic, Side side, int layer, int column) const
{
    const auto found = m_values.find({statistic.id, layer});
    if (found == m_values.end() || column < 0 || static_cast<std::size_t>(column) >= found->second.after.size())
        return missing;
    const double before = found->second.before[static_cast<std::size_t>(column)], after = found->second.after[static_cast<std::size_t>(column)];
    return side == Side::Before ? before : side == Side::After ? after : after - before;
}

HeadProfile CalibrationReport::profile(int layer, int queryHead) const
{
    const auto found = m_profiles.find({layer, queryHead});
    return found == m_profiles.end() ? HeadProfile() : found->second;
}

std::vector<HeadMaps> readHeadMaps(const std::filesystem::path &file)
{
    if (!std::filesystem::exists(file))
        return {};
    const nlohmann::json json = boundedJson(file, "The file of this layer's maps");
    const nlohmann::json &heads = memberOf(json, "heads");
    std::vector<HeadMaps> maps;
    if (heads.is_array() && heads.size() <= mostHeads)
        for (const auto &head : heads)
            maps.push_back({rowsIn(memberOf(head, "attention")), rowsIn(memberOf(head, "student_before")), rowsIn(memberOf(head, "student_after"))});
    return maps;
}

}  // namespace stillroom::widgets
