// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/hiddencosineplot.h"

#include "plots/plotlook.h"
#include "report/colours.h"
#include "report/headfigures.h"
#include "views/labels.h"
#include "views/palette.h"
#include "views/quantities.h"

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

namespace stillroom::widgets {
namespace {

/// Later moments are lighter, and drawn through.
double shadeOf(Side moment)
{
    return moment == Side::Before ? 0.0 : moment == Side::AfterPhaseOne ? 0.35 : 0.7;
}

report::Dash dashOf(Side moment)
{
    return moment == Side::Before ? report::Dash::Dotted : moment == Side::AfterPhaseOne ? report::Dash::Dashed : report::Dash::Solid;
}

}  // namespace

HiddenCosinePlot::HiddenCosinePlot(CalibrationBook &book, QWidget *parent) : PlotView(parent), m_book(book)
{
    setAccessibleName(tr("Cosine of hidden states against depth"));
    plot().xAxis->setLabel(tr("after block"));
    plot().yAxis->setLabel(tr("cosine of hidden states"));
    plot().xAxis->setTicker(countTicker());
    plot().yAxis->setTicker(evenTicker());
    putLegendAbove(plot());
    connect(&plot(), &QCustomPlot::mousePress, this, [this] { setFocus(Qt::MouseFocusReason); });
    connect(&book, &CalibrationBook::reportChanged, this, &HiddenCosinePlot::invalidate);
    restyle();
    refresh();
}

std::unique_ptr<PlotView> HiddenCosinePlot::copy() const
{
    return std::make_unique<HiddenCosinePlot>(m_book);
}

std::vector<ComposedCurve> HiddenCosinePlot::curves() const
{
    return m_book.report() ? m_book.report()->composed() : std::vector<ComposedCurve>();
}

int HiddenCosinePlot::numCurves() const
{
    return plot().graphCount();
}

report::Figure HiddenCosinePlot::figure() const
{
    report::CurvesShown shown{.curves = {}, .who = "moment", .xTitle = "after block", .xUnit = {}, .valueTitle = "cosine of hidden states", .unit = {}, .logarithmic = false, .named = true};
    for (const ComposedCurve &curve : curves()) {
        report::CurvesShown::Curve &made = shown.curves.emplace_back();
        made.name = sideId(curve.moment);
        made.colour = report::hexOf(report::sequentialRgb(shadeOf(curve.moment)));
        made.dash = dashOf(curve.moment);
        for (std::size_t layer = 0; layer < curve.cosineAfterBlock.size(); ++layer)
            made.points.emplace_back(static_cast<double>(layer), curve.cosineAfterBlock[layer]);
    }
    return report::curvesFigure("hidden-cosine", shown, m_book.provenance("Cosine of hidden states by depth"));
}

report::FigureSpec HiddenCosinePlot::spec() const
{
    return m_book.figureSpec("hidden-cosine");
}

QSize HiddenCosinePlot::sizeHint() const
{
    return {letterWidth(fontMetrics()) * 44, fontMetrics().height() * 12};
}

void HiddenCosinePlot::refresh()
{
    plot().clearGraphs();
    double least = 0.9;
    std::size_t depth = 2;
    QStringList ends;
    for (const ComposedCurve &curve : curves()) {
        QCPGraph *graph = plot().addGraph();
        graph->setName(sideName(curve.moment));
        QVector<double> layers, cosines;
        for (std::size_t layer = 0; layer < curve.cosineAfterBlock.size(); ++layer) {
            layers << static_cast<double>(layer);
            cosines << curve.cosineAfterBlock[layer];
            if (std::isfinite(cosines.back()))
                least = std::min(least, cosines.back());
        }
        depth = std::max(depth, curve.cosineAfterBlock.size());
        graph->setData(layers, cosines, true);
        ends << tr("%1: %2 at the end", "moment, cosine").arg(sideName(curve.moment), shortNumber(curve.final));
    }
    plot().legend->setVisible(!ends.isEmpty());
    plot().xAxis->setRange(-0.3, static_cast<double>(depth) - 0.7);
    plot().yAxis->setRange(least - 0.05 * (1.0 - least), 1.0);
    setEmptyText(!ends.isEmpty() ? QString() : m_book.report() ? tr("This calibration did not measure the student as a whole: calibrate again to see it.") : tr("How the student's states turn away from the teacher's appears here."));
    setAccessibleDescription(ends.isEmpty() ? tr("no data yet") : ends.join(QStringLiteral("; ")));
    applyPalette();
    drawInTurn();
}

void HiddenCosinePlot::applyPalette()
{
    const std::vector<ComposedCurve> all = curves();
    for (int i = 0; i < plot().graphCount() && static_cast<std::size_t>(i) < all.size(); ++i) {
        const Side moment = all[static_cast<std::size_t>(i)].moment;
        const QColor colour = sequentialColour(shadeOf(moment) + (isDark(palette()) && !paper() ? 0.3 : 0.0));
        QPen line(colour, paper() ? 1.2 : 1.8);
        const report::Dash dash = dashOf(moment);
        line.setStyle(dash == report::Dash::Dotted ? Qt::DotLine : dash == report::Dash::Dashed ? Qt::DashLine : Qt::SolidLine);
        plot().graph(i)->setPen(line);
        plot().graph(i)->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, line.color(), line.color(), paper() ? 3.0 : 5.0));
    }
}

}  // namespace stillroom::widgets
