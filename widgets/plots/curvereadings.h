// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plots/runcurvesplot.h"

#include <QAbstractTableModel>

#include <vector>

namespace stillroom::widgets {

/// A row for every compared experiment: the values of its curves under the crosshair, a column for every plot; their last ones where there is no crosshair.
class CurveReadings final : public QAbstractTableModel {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(CurveReadings)

public:
    CurveReadings(const Comparison &comparison, const LinkedAxis &axis, std::vector<const RunCurvesPlot *> plots, QObject *parent = nullptr);
    /// "Values at 12,288 tokens", "Last values"
    [[nodiscard]] QString title() const;
    [[nodiscard]] QString asTsv() const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    void readAnew();
    void readAgain();
    [[nodiscard]] std::vector<const RunCurvesPlot *> shown() const;
    [[nodiscard]] QString text(const CurveReading &reading) const;
    [[nodiscard]] QString toolTip(const CurveReading &reading) const;
    [[nodiscard]] QString placeText(double x) const;

    struct Row {
        QString name;
        int look = 0;
    };
    const Comparison &m_comparison;
    const LinkedAxis &m_axis;
    std::vector<const RunCurvesPlot *> m_plots;
    struct Column {
        QString name;
        std::vector<CurveReading> readings;       ///< of each experiment
    };
    std::vector<Row> m_rows;
    std::vector<Column> m_columns;
};

}  // namespace stillroom::widgets
