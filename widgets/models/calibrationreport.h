// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/headstatistics.h"

#include <QString>

#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

/// What a calibration found and did, head by head, out of calibration.json and maps/ of its artifact (core/procedures/calibrationreport.h).
namespace stillroom::widgets {

/// Something that a person should look at.
struct CalibrationAlarm {
    QString kind;                    ///< "sigma-floor", "look-back", "small-context", "write-target", or one of tomorrow
    int layer = -1;
    std::vector<int> heads;
    double value = 0.0, limit = 0.0;
};
/// In a sentence.
[[nodiscard]] QString alarmText(const CalibrationAlarm &alarm);
/// The statistic that shows it; empty where that is not known.
[[nodiscard]] QString alarmStatistic(const CalibrationAlarm &alarm);

/// Of one query head: how its attention lies over lags and positions, by the bins of binStart.
struct HeadProfile {
    std::vector<double> lagShare, entropyNats;      ///< entropyNats: NaN where no row was
};
/// Lower edge of such a bin, in tokens: 0, 1, 2, 3, then two to an octave (core/calibration/headbins.h).
[[nodiscard]] qint64 binStart(qint64 bin);

/// The student with all calibrated layers in place, on its own states, at a moment: cosine of its hidden states and the teacher's after every block, and after the final norm.
struct ComposedCurve {
    Side moment = Side::Before;
    std::vector<double> cosineAfterBlock;
    double final = 0.0;
};

/// An immutable value: parsed once, off the GUI thread.
class CalibrationReport final {
public:
    /// \throws stillroom::Error in one sentence for what is not a report, or one of a newer version
    [[nodiscard]] static CalibrationReport read(const std::filesystem::path &file);

    [[nodiscard]] const QString &arm() const { return m_arm; }
    [[nodiscard]] int numSequences() const { return m_sequences; }
    [[nodiscard]] int sequenceLength() const { return m_length; }
    [[nodiscard]] const std::vector<int> &layers() const { return m_layers; }      ///< calibrated ones, ascending
    [[nodiscard]] int numQueryHeads() const { return m_queryHeads; }
    [[nodiscard]] const std::vector<HeadStatistic> &statistics() const { return m_statistics; }      ///< those that this report has, in display order
    /// Columns of its map: query heads, heads with a state of their own, or 1 for a layer's own number.
    [[nodiscard]] int numColumns(const HeadStatistic &statistic) const;
    /// Of a query head's number: head n of H belongs to state ⌊n · states / H⌋.
    [[nodiscard]] int columnOf(const HeadStatistic &statistic, int queryHead) const;
    [[nodiscard]] int firstHeadOf(const HeadStatistic &statistic, int column) const;
    /// The first query head that an alarm is about; of a whole layer its first one.
    [[nodiscard]] int firstHeadOf(const CalibrationAlarm &alarm) const;
    /// NaN where there is none.
    [[nodiscard]] double value(const HeadStatistic &statistic, Side side, int layer, int column) const;
    [[nodiscard]] const std::vector<CalibrationAlarm> &alarms() const { return m_alarms; }
    [[nodiscard]] HeadProfile profile(int layer, int queryHead) const;
    [[nodiscard]] const std::vector<ComposedCurve> &composed() const { return m_composed; }      ///< empty: not measured

private:
    static CalibrationReport fromJson(const nlohmann::json &json);
    QString m_arm;
    int m_sequences = 0, m_length = 0, m_queryHeads = 0, m_stateHeads = 0;
    std::vector<int> m_layers;
    std::vector<HeadStatistic> m_statistics;
    struct Values {
        std::vector<double> once, before, phaseOne, phaseTwo;       ///< by column
    };
    std::map<std::pair<QString, int>, Values> m_values;             ///< of (statistic, layer)
    std::map<std::pair<int, int>, HeadProfile> m_profiles;          ///< of (layer, query head)
    std::vector<CalibrationAlarm> m_alarms;
    std::vector<ComposedCurve> m_composed;
};

/// One head's causal maps over a short sequence: row t has the weights of the tokens 0 … t.
struct HeadMaps {
    using Rows = std::vector<std::vector<double>>;
    Rows attention, before, phaseOne, phaseTwo;       ///< empty: there was no such moment
    [[nodiscard]] bool isEmpty() const { return attention.empty(); }
    /// The student's at a moment; at the end, for differences too. \return which moment that is
    [[nodiscard]] std::pair<Side, const Rows &> student(Side side) const;
};
/// Of every query head of a layer; empty where the calibration kept none. \throws stillroom::Error in one sentence for a damaged file
[[nodiscard]] std::vector<HeadMaps> readHeadMaps(const std::filesystem::path &file);

}  // namespace stillroom::widgets
