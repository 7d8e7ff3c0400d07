// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/comparison.h"
#include "report/table.h"

#include <QAbstractTableModel>

#include <vector>

namespace stillroom::widgets {

/// Experiments as columns: first their measures beside the baseline's, then the fields of their specs that are not equal in all.
class ComparisonTable final : public QAbstractTableModel {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(ComparisonTable)

public:
    explicit ComparisonTable(Comparison &comparison, QObject *parent = nullptr);
    /// Equal fields too.
    void setEverything(bool everything);
    /// As it stands here, for other programs.
    [[nodiscard]] report::Table copied() const;
    [[nodiscard]] bool isMeasure(int row) const { return m_lines.at(static_cast<std::size_t>(row)).isMeasure; }

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    struct Line {
        QString name;
        QStringList cells, toolTips;
        bool isMeasure = false;
    };
    void rebuild();
    void addSettings();
    void addSet();
    /// \param tip  what the field is called in the file
    void addLine(const QString &name, const QStringList &cells, const QString &tip = {});
    void addMeasures();
    [[nodiscard]] QString basisOf(const ComparedExperiment &one, const std::string &measure) const;
    [[nodiscard]] Line measureLine(const std::string &measure) const;

    Comparison &m_comparison;
    std::vector<Line> m_lines;
    bool m_everything = false;
};

}  // namespace stillroom::widgets
