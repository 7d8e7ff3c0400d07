// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/curvereadings.h"

#include "views/runmark.h"

#include <QGuiApplication>
#include <QLocale>

#include <utility>

namespace stillroom::widgets {

CurveReadings::CurveReadings(const Comparison &comparison, const LinkedAxis &axis, std::vector<const RunCurvesPlot *> plots, QObject *parent)
    : QAbstractTableModel(parent), m_comparison(comparison), m_axis(axis), m_plots(std::move(plots))
{
    connect(&comparison, &Comparison::changed, this, &CurveReadings::readAnew);
    connect(&axis, &LinkedAxis::placeChanged, this, &CurveReadings::readAgain);
    for (const RunCurvesPlot *plot : m_plots)
        connect(plot, &RunCurvesPlot::drawn, this, &CurveReadings::readAnew);
    readAnew();
}

std::vector<const RunCurvesPlot *> CurveReadings::shown() const
{
    std::vector<const RunCurvesPlot *> all;
    for (const RunCurvesPlot *plot : m_plots)
        if (!plot->series().isEmpty())
            all.push_back(plot);
    return all;
}

void CurveReadings::readAnew()
{
    beginResetModel();
    m_rows.clear();
    for (const ComparedExperiment &one : m_comparison.experiments())
        m_rows.push_back({one.name(), one.look});
    m_columns.clear();
    for (const RunCurvesPlot *plot : shown())
        m_columns.push_back({seriesName(plot->series()), plot->readings(m_axis.place())});
    endResetModel();
}

/// The pointer moves: what is selected stays.
void CurveReadings::readAgain()
{
    const std::vector<const RunCurvesPlot *> plots = shown();
    if (plots.size() != m_columns.size()) {
        readAnew();
        return;
    }
    for (std::size_t i = 0; i < plots.size(); ++i)
        m_columns[i].readings = plots[i]->readings(m_axis.place());
    if (rowCount() > 0)
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

QString CurveReadings::placeText(double x) const
{
    const RunCurvesPlot::Against against = m_plots.front()->against();
    const QLocale locale;
    if (against == RunCurvesPlot::Against::Tokens)
        return tr("%1 tokens").arg(locale.toString(x, 'f', 0));
    return against == RunCurvesPlot::Against::Steps ? tr("step %1").arg(locale.toString(x, 'f', 0)) : tr("%1 s").arg(locale.toString(x, 'f', 1));
}

QString CurveReadings::title() const
{
    return m_axis.place() ? tr("Values at %1").arg(placeText(*m_axis.place())) : tr("Last values");
}

QString CurveReadings::text(const CurveReading &reading) const
{
    return reading.value ? QLocale().toString(*reading.value, 'g', 4) : QStringLiteral("–");
}

/// Where it was measured, if that is not where one looks.
QString CurveReadings::toolTip(const CurveReading &reading) const
{
    if (reading.state == CurveReading::State::Missing)
        return tr("it has no such curve");
    if (reading.state == CurveReading::State::NotYet)
        return tr("begins at %1").arg(placeText(reading.x));
    if (reading.state == CurveReading::State::Over)
        return tr("ends at %1").arg(placeText(reading.x));
    return tr("%1, measured at %2").arg(reading.value ? QLocale().toString(*reading.value, 'g', 7) : QStringLiteral("–"), placeText(reading.x));
}

int CurveReadings::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : static_cast<int>(m_rows.size()); }
int CurveReadings::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : static_cast<int>(m_columns.size()) + 1; }

QVariant CurveReadings::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount() || index.column() >= columnCount())
        return {};
    const Row &row = m_rows[static_cast<std::size_t>(index.row())];
    if (index.column() == 0)
        return role == Qt::DisplayRole || role == Qt::ToolTipRole ? QVariant(row.name) : role == Qt::DecorationRole ? QVariant(runMark(row.look, QGuiApplication::palette())) : QVariant();
    const Column &column = m_columns[static_cast<std::size_t>(index.column() - 1)];
    if (static_cast<std::size_t>(index.row()) >= column.readings.size())      // those of the plot come in a moment
        return {};
    const CurveReading &reading = column.readings[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole: return text(reading);
    case Qt::ToolTipRole: return toolTip(reading);
    case Qt::AccessibleTextRole: return tr("%1, %2: %3", "experiment, curve, value").arg(row.name, column.name, text(reading));
    case Qt::TextAlignmentRole: return QVariant::fromValue<Qt::Alignment>(Qt::AlignRight | Qt::AlignVCenter);
    default: return {};
    }
}

QVariant CurveReadings::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Vertical || section >= columnCount() || (role != Qt::DisplayRole && role != Qt::ToolTipRole))
        return {};
    if (section == 0)
        return tr("Experiment");
    QString name = m_columns[static_cast<std::size_t>(section - 1)].name;
    return role == Qt::DisplayRole ? name.replace(QStringLiteral(" ("), QStringLiteral("\n(")).replace(QStringLiteral("（"), QStringLiteral("\n（")) : name;      // its unit below it: the column is as wide as its numbers
}

QString CurveReadings::asTsv() const
{
    QString all = title() + QLatin1Char('\n');
    for (int row = -1; row < rowCount(); ++row) {
        QStringList cells;
        for (int column = 0; column < columnCount(); ++column)
            cells << (row < 0 ? headerData(column, Qt::Horizontal, Qt::ToolTipRole) : data(index(row, column), Qt::DisplayRole)).toString();
        all += cells.join(QLatin1Char('\t')) + QLatin1Char('\n');
    }
    return all;
}

}  // namespace stillroom::widgets
