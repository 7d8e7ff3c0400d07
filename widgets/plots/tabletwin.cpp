// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/tabletwin.h"

#include "plots/headcells.h"
#include "plots/plotview.h"
#include "views/controlstyle.h"
#include "views/keyaction.h"

#include <QClipboard>
#include <QDialog>
#include <QDialogButtonBox>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLocale>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

namespace stillroom::widgets {
namespace {

constexpr int digits = 6;

QString numberText(double value) { return std::isfinite(value) ? QLocale().toString(value, 'g', digits) : QString(); }

QString cellText(const report::Cell &cell, const report::Column &column)
{
    if (!cell.value)
        return QString::fromStdString(cell.text);
    const QString value = QLocale().toString(*cell.value, 'f', column.decimals);
    return cell.reach ? value + QStringLiteral(" ± ") + QLocale().toString(*cell.reach, 'f', column.decimals) : value;
}

PlotNumbers ofTable(const report::Table &table)
{
    PlotNumbers numbers;
    for (const report::Column &column : table.columns)
        numbers.heads << QString::fromStdString(report::headOf(column));
    for (const std::vector<report::Cell> &row : table.rows) {
        QStringList cells;
        for (std::size_t i = 0; i < row.size(); ++i)
            cells << cellText(row[i], table.columns[i]);
        numbers.rows.push_back(std::move(cells));
    }
    return numbers;
}

QString headOf(const QCPAxis &axis, const QString &otherwise) { return axis.label().isEmpty() ? otherwise : axis.label(); }

/// "0.4", or the name that stands there on the axis.
QString placeText(const QCPAxis &axis, double place)
{
    if (const auto names = qSharedPointerDynamicCast<QCPAxisTickerText>(axis.ticker()))
        if (const auto named = names->ticks().constFind(place); named != names->ticks().constEnd())
            return QString(named.value()).replace(QLatin1Char('\n'), QLatin1Char(' '));
    return numberText(place);
}

PlotNumbers ofCells(const HeadCells &cells, const QCustomPlot &plot)
{
    PlotNumbers numbers{{headOf(*plot.yAxis, PlotView::tr("Row")), headOf(*plot.xAxis, PlotView::tr("Column")), PlotView::tr("Value")}, {}};
    for (std::size_t row = 0; row < cells.rows().size(); ++row)
        for (std::size_t column = 0; column < cells.rows()[row].cells.size(); ++column)
            numbers.rows.push_back({QString::number(row), QString::number(column), cells.rows()[row].cells[column].number});
    return numbers;
}

PlotNumbers ofMap(const QCPColorMap &map, const QCustomPlot &plot)
{
    PlotNumbers numbers{{headOf(*plot.yAxis, PlotView::tr("Row")), headOf(*plot.xAxis, PlotView::tr("Column")), PlotView::tr("Value")}, {}};
    for (int y = 0; y < map.data()->valueSize(); ++y)
        for (int x = 0; x < map.data()->keySize(); ++x)
            if (const double value = map.data()->cell(x, y); std::isfinite(value))
                numbers.rows.push_back({QString::number(y), QString::number(x), numberText(value)});
    return numbers;
}

/// Curves and bars, one below the other.
PlotNumbers ofSeries(const QCustomPlot &plot)
{
    PlotNumbers numbers{{PlotView::tr("Series"), headOf(*plot.xAxis, QStringLiteral("x")), headOf(*plot.yAxis, QStringLiteral("y"))}, {}};
    const auto add = [&](const QCPAbstractPlottable &series, double x, double y) {
        if (std::isfinite(y))
            numbers.rows.push_back({series.name(), placeText(*plot.xAxis, x), numberText(y)});
    };
    for (int i = 0; i < plot.plottableCount(); ++i) {
        const QCPAbstractPlottable *series = const_cast<QCustomPlot &>(plot).plottable(i);      // it has no other way to look at them
        if (!series->visible())
            continue;
        if (const auto *graph = qobject_cast<const QCPGraph *>(series))
            for (const QCPGraphData &point : *graph->data())
                add(*series, point.key, point.value);
        else if (const auto *bars = qobject_cast<const QCPBars *>(series))
            for (const QCPBarsData &bar : *bars->data())
                add(*series, bar.key, bar.value);
    }
    return numbers;
}

QDialog *makeDialog(PlotView &plot)
{
    auto *dialog = new QDialog(plot.window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(plot.accessibleName());
    auto *column = new QVBoxLayout(dialog);
    column->setContentsMargins(16, 16, 16, 16);
    column->setSpacing(16);
    auto *view = new QTableView(dialog);
    auto *model = new TableTwin(numbersOf(plot), view);
    view->setModel(model);
    view->setAccessibleName(plot.accessibleName());
    view->setAccessibleDescription(plot.accessibleDescription());
    view->setFrameShape(QFrame::NoFrame);
    view->setTabKeyNavigation(false);
    view->verticalHeader()->hide();
    view->verticalHeader()->setDefaultSectionSize(rowHeight(*view));
    view->resizeColumnsToContents();
    addKeyAction(*view, PlotView::tr("&Copy"), QKeySequence::Copy, [model] { QGuiApplication::clipboard()->setText(model->asTsv()); });
    addKeyAction(*view, PlotView::tr("Close the table"), Qt::Key_T, [dialog] { dialog->close(); });      // the key that opened it
    view->setContextMenuPolicy(Qt::ActionsContextMenu);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    buttons->button(QDialogButtonBox::Close)->setText(PlotView::tr("Close"));
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
    column->addWidget(view, 1);
    column->addWidget(buttons);
    dialog->resize(plot.fontMetrics().averageCharWidth() * 80, plot.window()->height() * 3 / 4);
    return dialog;
}

}  // namespace

PlotNumbers numbersOf(const PlotView &plot)
{
    if (const report::Table table = plot.tableTwin(); !table.rows.empty())
        return ofTable(table);
    const auto *canvas = plot.findChild<const QCustomPlot *>();
    for (int i = 0; i < canvas->itemCount(); ++i)
        if (const auto *cells = dynamic_cast<const HeadCells *>(canvas->item(i)))
            return ofCells(*cells, *canvas);
    for (int i = 0; i < canvas->plottableCount(); ++i)
        if (const auto *map = qobject_cast<const QCPColorMap *>(const_cast<QCustomPlot *>(canvas)->plottable(i)))
            return ofMap(*map, *canvas);
    return ofSeries(*canvas);
}

QVariant TableTwin::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    if (role == Qt::TextAlignmentRole) {
        bool number = false;
        (void)QLocale().toDouble(m_numbers.rows[static_cast<std::size_t>(index.row())][index.column()].section(QLatin1Char(' '), 0, 0), &number);
        return QVariant::fromValue(Qt::Alignment(Qt::AlignVCenter | (number ? Qt::AlignRight : Qt::AlignLeft)));
    }
    return role == Qt::DisplayRole ? m_numbers.rows[static_cast<std::size_t>(index.row())][index.column()] : QVariant();
}

QVariant TableTwin::headerData(int section, Qt::Orientation orientation, int role) const
{
    return orientation == Qt::Horizontal && role == Qt::DisplayRole && section < m_numbers.heads.size() ? m_numbers.heads[section] : QAbstractTableModel::headerData(section, orientation, role);
}

QString TableTwin::asTsv() const
{
    QStringList lines{m_numbers.heads.join(QLatin1Char('\t'))};
    for (const QStringList &row : m_numbers.rows)
        lines << row.join(QLatin1Char('\t'));
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

void showTableTwin(PlotView &plot)
{
    makeDialog(plot)->open();
}

}  // namespace stillroom::widgets
