// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/plotlook.h"

#include "views/palette.h"
#include "views/quantities.h"

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

namespace stillroom::widgets {
namespace {

constexpr int numTicks = 5;

class EvenTicker final : public QCPAxisTicker {
    QVector<QString> createLabelVector(const QVector<double> &ticks, const QLocale &locale, QChar, int) override
    {
        const double step = ticks.size() > 1 ? std::abs(ticks[1] - ticks[0]) : 1.0;
        int decimals = 0;
        for (double unit = step; decimals < 9 && std::abs(unit - std::round(unit)) > 1e-6 * unit; unit *= 10.0)
            ++decimals;
        QVector<QString> labels;
        for (const double tick : ticks)
            labels << locale.toString(std::abs(tick) < 1e-9 * step ? 0.0 : tick, 'f', decimals);
        return labels;
    }
};

class CountTicker final : public QCPAxisTicker {
    QVector<QString> createLabelVector(const QVector<double> &ticks, const QLocale &, QChar, int) override
    {
        const double step = ticks.size() > 1 ? std::abs(ticks[1] - ticks[0]) : 1.0, most = ticks.isEmpty() ? 0.0 : ticks.last();
        QVector<QString> labels;
        for (const double tick : ticks)
            labels << (tick < 0.0 ? QString() : countOfMany(tick, most, step));
        return labels;
    }
};

}  // namespace

void applyPlotLook(QCustomPlot &plot, const PlotLook &look)
{
    const QPalette &palette = look.palette;
    const QColor text = palette.color(QPalette::Text), quiet = quietTextColour(palette);
    const QPen line(quiet, look.stroke);
    plot.setBackground(QBrush(palette.color(QPalette::Base)));
    plot.axisRect()->setMinimumMargins({0, 4, 8, 0});
    plot.axisRect()->setBackground(QBrush(palette.color(QPalette::Base)));
    for (QCPAxis *axis : {plot.xAxis, plot.yAxis, plot.yAxis2}) {
        axis->setBasePen(line);
        axis->setTickPen(line);
        axis->setSubTicks(false);
        axis->setTickLabelColor(text);
        axis->setLabelColor(quiet);
        axis->setTickLabelFont(look.small);
        axis->setLabelFont(look.base);
        axis->setLabelPadding(6);
        axis->ticker()->setTickCount(numTicks);
        axis->grid()->setPen(QPen(gridColour(palette), look.stroke));
        axis->grid()->setZeroLinePen(line);
    }
    plot.xAxis->grid()->setVisible(false);
    plot.yAxis->grid()->setVisible(!look.axesDrawn);
    if (!look.axesDrawn)
        for (QCPAxis *axis : {plot.yAxis, plot.yAxis2}) {      // the grid leads the eye; a line beside the numbers says nothing
            axis->setBasePen(Qt::NoPen);
            axis->setTickPen(Qt::NoPen);
        }
    plot.legend->setBrush(Qt::NoBrush);
    plot.legend->setBorderPen(Qt::NoPen);
    plot.legend->setTextColor(text);
    plot.legend->setFont(look.small);
}

void putLegendAbove(QCustomPlot &plot)
{
    auto *row = new QCPLayoutGrid;
    plot.plotLayout()->insertRow(0);
    plot.plotLayout()->addElement(0, 0, row);
    plot.plotLayout()->setRowStretchFactor(0, 0.001);
    plot.plotLayout()->setRowSpacing(0);
    row->addElement(0, 0, new QCPLayoutElement(&plot));
    row->addElement(0, 1, plot.legend);
    row->setColumnStretchFactor(1, 0.001);
    plot.legend->setFillOrder(QCPLayoutGrid::foColumnsFirst);
    plot.legend->setColumnSpacing(16);
    plot.legend->setMargins({0, 0, 0, 0});
}

void applyScaleLook(QCPAxis &scale, const QWidget &widget)
{
    scale.setTickLabelFont(widget.font());
    scale.setLabelFont(widget.font());
    scale.setTickLabelColor(widget.palette().color(QPalette::Text));
    scale.setLabelColor(quietTextColour(widget.palette()));
    scale.setBasePen(Qt::NoPen);
    scale.setTickPen(QPen(quietTextColour(widget.palette()), 1));
    scale.setSubTicks(false);
}

QSharedPointer<QCPAxisTicker> evenTicker()
{
    QSharedPointer<QCPAxisTicker> ticker(new EvenTicker);
    ticker->setTickCount(numTicks);
    return ticker;
}

QSharedPointer<QCPAxisTicker> countTicker()
{
    QSharedPointer<QCPAxisTicker> ticker(new CountTicker);
    ticker->setTickCount(numTicks);
    return ticker;
}

}  // namespace stillroom::widgets
