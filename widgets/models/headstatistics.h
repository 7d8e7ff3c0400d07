// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/figurespec.h"

#include <QCoreApplication>
#include <QString>

#include <set>
#include <string>
#include <vector>

/// What a calibration says of heads and layers, and at which moments: where its numbers stand, how they are called and how they become colours.
namespace stillroom::widgets {

/// In whose name the words of calibrations are translated.
struct Calibrations {
    Q_DECLARE_TR_FUNCTIONS(Calibrations)
};

enum class StatisticGroup { Attention, Decay, WriteGate, Amplitude, Output, Parameters };
[[nodiscard]] QString groupName(StatisticGroup group);

/// How values become colours. Share: between the ends of what is possible; Linear, Logarithmic: between the least and the most there is.
enum class ColourScale { Share, Linear, Logarithmic };
using report::Side;
[[nodiscard]] QString sideName(Side side);
[[nodiscard]] bool isDifference(Side side);
/// Whose numbers they are.
enum class Owner { QueryHead, StateHead, Layer };

/// One number of every head, or of every layer.
struct HeadStatistic {
    QString id, name, unit;          ///< id: stable; unit: empty for a pure number
    StatisticGroup group = StatisticGroup::Attention;
    Owner owner = Owner::QueryHead;
    ColourScale scale = ColourScale::Linear;
    double least = 0.0, most = 0.0;  ///< what is possible; NaN: no end
    /// JSON pointers within the head or the layer: one of the teacher or of the whole calibration, or one for each moment. Empty: there is none.
    std::string once, before, phaseOne, phaseTwo;
    [[nodiscard]] bool has(Side side) const;
    /// Whether anything differs from how the arm began.
    [[nodiscard]] bool isPaired() const { return has(Side::Difference); }
    /// What there is to be seen, in display order: moments first. Empty for what was measured once.
    [[nodiscard]] std::vector<Side> sides() const;
    /// The moment at which the arm ended, instead of After.
    [[nodiscard]] Side concrete(Side side) const;
};

/// "entropy (nats)"
[[nodiscard]] QString statisticTitle(const HeadStatistic &statistic);

/// Everything that spec/taylor-calibrate.md §7 shows of heads and layers, in display order. \param length  tokens of a calibration sequence. \param parameters  of which a change is said
[[nodiscard]] std::vector<HeadStatistic> allStatistics(int length, const std::set<std::string> &parameters);

}  // namespace stillroom::widgets
