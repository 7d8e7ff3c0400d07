// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QStringList>

#include <vector>

namespace stillroom::widgets {

class PlotView;

/// What a plot shows, as texts: numbers of its table twin, else those that it draws.
struct PlotNumbers {
    QStringList heads;
    std::vector<QStringList> rows;                 ///< as many cells as there are heads
};
[[nodiscard]] PlotNumbers numbersOf(const PlotView &plot);

/// A plot for who does not see it, or wants the numbers.
class TableTwin final : public QAbstractTableModel {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(TableTwin)

public:
    explicit TableTwin(PlotNumbers numbers, QObject *parent = nullptr) : QAbstractTableModel(parent), m_numbers(std::move(numbers)) {}
    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override { return parent.isValid() ? 0 : static_cast<int>(m_numbers.rows.size()); }
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override { return parent.isValid() ? 0 : static_cast<int>(m_numbers.heads.size()); }
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QString asTsv() const;

private:
    PlotNumbers m_numbers;
};

/// A dialog with the table of a plot, as it is now; Ctrl+C copies it.
void showTableTwin(PlotView &plot);

}  // namespace stillroom::widgets
