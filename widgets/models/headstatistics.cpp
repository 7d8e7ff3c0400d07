// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/headstatistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace stillroom::widgets {
namespace {

constexpr double notAvailable = std::numeric_limits<double>::quiet_NaN();

using Statistics = std::vector<HeadStatistic>;
using Group = StatisticGroup;
using Scale = ColourScale;

/// Measured once, of the teacher or of what was set.
HeadStatistic once(const char *id, const QString &name, const QString &unit, Group group, Owner owner, Scale scale, double least, double most, std::string pointer)
{
    return {QString::fromLatin1(id), name, unit, group, owner, scale, least, most, std::move(pointer), {}, {}, {}};
}

/// At every moment: `pattern` with the moment's name in the place of its star.
HeadStatistic everyMoment(const QString &id, const QString &name, const QString &unit, Group group, Owner owner, Scale scale, double least, double most, const std::string &pattern)
{
    const auto at = [&](const char *moment) { return std::string(pattern).replace(pattern.find('*'), 1, moment); };
    return {id, name, unit, group, owner, scale, least, most, {}, at("before"), at("after_phase_1"), at("after_phase_2")};
}

/// \param length  tokens of a calibration sequence
void addAttention(Statistics &all, int length)
{
    const double tokens = std::max(2, length), uniform = std::lgamma(tokens + 1.0) / tokens;
    const QString token = Calibrations::tr("tokens"), nats = Calibrations::tr("nats"), times = QStringLiteral("×");
    constexpr Group group = Group::Attention;
    constexpr Owner head = Owner::QueryHead;
    all.push_back(once("mean_distance", Calibrations::tr("mean look-back"), token, group, head, Scale::Logarithmic, 0.5, (tokens - 1.0) / 2.0, "/mean_distance_tokens"));
    all.push_back(once("distance_vs_uniform", Calibrations::tr("look-back against uniform attention"), times, group, head, Scale::Share, 0.0, 2.0, "/distance_vs_uniform"));
    all.push_back(once("sink_mass", Calibrations::tr("mass on the first token (sink)"), {}, group, head, Scale::Share, 0.0, 1.0, "/sink_mass"));
    all.push_back(once("entropy", Calibrations::tr("entropy"), nats, group, head, Scale::Linear, 0.0, uniform, "/entropy_nats"));
    all.push_back(once("relative_entropy", Calibrations::tr("entropy against uniform attention"), {}, group, head, Scale::Share, 0.0, 1.0, "/relative_entropy"));
    all.push_back(once("concentration", Calibrations::tr("concentration within the layer"), {}, group, head, Scale::Share, 0.0, 1.0, "/concentration"));
    all.push_back(once("context_rms", Calibrations::tr("RMS of the teacher's context"), {}, group, head, Scale::Logarithmic, 0.0, notAvailable, "/context_rms"));
    all.push_back(once("output_rms", Calibrations::tr("RMS of what the head adds"), {}, group, head, Scale::Logarithmic, 0.0, notAvailable, "/output_rms"));
    all.push_back(once("taylor_1", Calibrations::tr("Taylor error, order 1"), {}, group, head, Scale::Logarithmic, 0.0, notAvailable, "/taylor/error_order_1"));
    all.push_back(once("taylor_2", Calibrations::tr("Taylor error, order 2"), {}, group, head, Scale::Logarithmic, 0.0, notAvailable, "/taylor/error_order_2"));
    all.push_back(once("teacher_rms", Calibrations::tr("RMS of the layer's contexts"), {}, group, Owner::Layer, Scale::Logarithmic, 0.0, notAvailable, "/teacher_rms"));
}

void addDecayAndWriteGate(Statistics &all)
{
    const QString token = Calibrations::tr("tokens");
    const std::pair<const char *, QString> parts[] = {{"mean", Calibrations::tr("mean over tokens")}, {"p10", Calibrations::tr("10 % of the tokens")}, {"p50", Calibrations::tr("median token")}, {"p90", Calibrations::tr("90 % of the tokens")}};
    all.push_back(once("half_life_target", Calibrations::tr("half-life: target"), token, Group::Decay, Owner::StateHead, Scale::Logarithmic, 0.5, 693.15, "/half_life_target_tokens"));
    for (const auto &[part, words] : parts)
        all.push_back(everyMoment(QStringLiteral("half_life_%1").arg(QLatin1String(part)), Calibrations::tr("half-life: %1").arg(words), token, Group::Decay, Owner::StateHead, Scale::Logarithmic, 0.0, notAvailable,
                                  std::string("/half_life_*_tokens/") + part));
    all.push_back(once("beta_target", Calibrations::tr("write strength: target"), {}, Group::WriteGate, Owner::StateHead, Scale::Share, 0.0, 1.0, "/beta_target"));
    for (const auto &[part, words] : parts)
        all.push_back(everyMoment(QStringLiteral("beta_%1").arg(QLatin1String(part)), Calibrations::tr("write strength: %1").arg(words), {}, Group::WriteGate, Owner::StateHead, Scale::Share, 0.0, 1.0,
                                  std::string("/beta_*/") + part));
}

void addAmplitude(Statistics &all)
{
    const QString times = QStringLiteral("×");
    constexpr Group group = Group::Amplitude;
    all.push_back(once("sigma_raw", Calibrations::tr("value scale, as fitted"), times, group, Owner::StateHead, Scale::Linear, notAvailable, notAvailable, "/sigma_raw"));
    all.push_back(once("sigma", Calibrations::tr("value scale, as set"), times, group, Owner::StateHead, Scale::Logarithmic, 0.1, 10.0, "/sigma"));
    all.push_back(once("sigma_floor", Calibrations::tr("share of value scales at the floor"), {}, group, Owner::Layer, Scale::Share, 0.0, 1.0, "/floor_share"));
    all.push_back(once("sigma_ceiling", Calibrations::tr("share of value scales at the ceiling"), {}, group, Owner::Layer, Scale::Share, 0.0, 1.0, "/ceiling_share"));
    all.push_back(everyMoment(QStringLiteral("student_rms"), Calibrations::tr("RMS of the student's context"), {}, group, Owner::StateHead, Scale::Logarithmic, 0.0, notAvailable, "/context_rms_*"));
    all.push_back(everyMoment(QStringLiteral("value_rms"), Calibrations::tr("RMS of the layer's values"), {}, group, Owner::Layer, Scale::Logarithmic, 0.0, notAvailable, "/*/value_rms"));
    all.push_back(once("gate_alpha", Calibrations::tr("gate as a multiple of the values"), times, group, Owner::Layer, Scale::Linear, 0.0, notAvailable, "/gate_alpha"));
}

void addOutput(Statistics &all)
{
    constexpr Group group = Group::Output;
    all.push_back(everyMoment(QStringLiteral("context_cosine"), Calibrations::tr("cosine of the contexts"), {}, group, Owner::StateHead, Scale::Share, -1.0, 1.0, "/context_cosine_*"));
    all.push_back(everyMoment(QStringLiteral("layer_mse"), Calibrations::tr("squared error of the layer"), {}, group, Owner::Layer, Scale::Logarithmic, 0.0, notAvailable, "/*/relative_mse"));
    all.push_back(everyMoment(QStringLiteral("layer_cosine"), Calibrations::tr("cosine of the layer's output"), {}, group, Owner::Layer, Scale::Share, -1.0, 1.0, "/*/cosine"));
    all.push_back(everyMoment(QStringLiteral("rms_ratio"), Calibrations::tr("RMS of the layer's output against the teacher's"), QStringLiteral("×"), group, Owner::Layer, Scale::Logarithmic, 0.0, notAvailable, "/*/rms_ratio"));
    all.push_back(once("best_step", Calibrations::tr("best step of phase 2"), Calibrations::tr("steps"), group, Owner::Layer, Scale::Linear, 0.0, notAvailable, "/aligned/best_step"));
}

/// Each phase's own change, as a share of what the phase found.
void addParameters(Statistics &all, const std::set<std::string> &names)
{
    for (const std::string &name : names) {
        std::string escaped;      // as JSON pointers want it
        for (const char letter : name)
            escaped += letter == '~' ? "~0" : letter == '/' ? "~1" : std::string(1, letter);
        const QString shown = QString::fromStdString(name);
        all.push_back({QStringLiteral("change/") + shown, Calibrations::tr("change of %1").arg(shown), {}, Group::Parameters, Owner::Layer, Scale::Logarithmic, 0.0, notAvailable, {}, {},
                       "/parameter_change_phase_1/" + escaped, "/parameter_change_phase_2/" + escaped});
    }
}

}  // namespace

QString sideName(Side side)
{
    switch (side) {
    case Side::Before: return Calibrations::tr("before");
    case Side::AfterPhaseOne: return Calibrations::tr("after phase 1");
    case Side::AfterPhaseTwo: return Calibrations::tr("after phase 2");
    case Side::Difference: return Calibrations::tr("difference, end − before");
    case Side::ByPhaseOne: return Calibrations::tr("difference by phase 1");
    case Side::ByPhaseTwo: return Calibrations::tr("difference by phase 2");
    case Side::After: break;
    }
    return Calibrations::tr("at the end");
}

bool isDifference(Side side)
{
    return side == Side::Difference || side == Side::ByPhaseOne || side == Side::ByPhaseTwo;
}

bool HeadStatistic::has(Side side) const
{
    switch (side) {
    case Side::Before: return !before.empty();
    case Side::AfterPhaseOne: return !phaseOne.empty();
    case Side::AfterPhaseTwo: return !phaseTwo.empty();
    case Side::Difference: return !before.empty() && !(phaseOne.empty() && phaseTwo.empty());
    case Side::ByPhaseOne: return !before.empty() && !phaseOne.empty();
    case Side::ByPhaseTwo: return !before.empty() && !phaseTwo.empty();
    case Side::After: break;
    }
    return true;
}

std::vector<Side> HeadStatistic::sides() const
{
    std::vector<Side> all;
    for (const Side side : {Side::Before, Side::AfterPhaseOne, Side::AfterPhaseTwo, Side::ByPhaseOne, Side::ByPhaseTwo, Side::Difference})
        if (has(side) && (side == Side::Difference || !isDifference(side) || (has(Side::ByPhaseOne) && has(Side::ByPhaseTwo))))      // of one phase, the whole difference is its own
            all.push_back(side);
    return all;
}

Side HeadStatistic::concrete(Side side) const
{
    if (side == Side::After)
        for (const Side end : {Side::AfterPhaseTwo, Side::AfterPhaseOne, Side::Before})
            if (has(end))
                return end;
    return side;
}

QString groupName(StatisticGroup group)
{
    switch (group) {
    case StatisticGroup::Attention: return Calibrations::tr("Attention");
    case StatisticGroup::Decay: return Calibrations::tr("Decay");
    case StatisticGroup::WriteGate: return Calibrations::tr("Write gate");
    case StatisticGroup::Amplitude: return Calibrations::tr("Amplitude");
    case StatisticGroup::Output: return Calibrations::tr("Output");
    case StatisticGroup::Parameters: break;
    }
    return Calibrations::tr("Parameters");
}

QString statisticTitle(const HeadStatistic &statistic)
{
    return statistic.unit.isEmpty() ? statistic.name : Calibrations::tr("%1 (%2)", "statistic and unit").arg(statistic.name, statistic.unit);
}

std::vector<HeadStatistic> allStatistics(int length, const std::set<std::string> &parameters)
{
    Statistics all;
    addAttention(all, length);
    addDecayAndWriteGate(all);
    addAmplitude(all);
    addOutput(all);
    addParameters(all, parameters);
    return all;
}

}  // namespace stillroom::widgets
