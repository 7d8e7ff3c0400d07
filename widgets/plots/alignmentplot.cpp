// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/alignmentplot.h"

#include "plots/endlabels.h"
#include "plots/plotlook.h"
#include "report/colours.h"
#include "report/headfigures.h"
#include "views/keyaction.h"
#include "views/labels.h"
#include "views/palette.h"
#include "views/quantities.h"

#include <QKeyEvent>

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace stillroom::widgets {
namespace {

constexpr double nearLine = 12.0;          // in pixels
constexpr double usedShare = 0.75;         // of the map: its end is lost on white, its beginning on a dark ground

}  // namespace

AlignmentPlot::AlignmentPlot(CalibrationBook &book, LayerSelection &selection, Quantity quantity, QWidget *parent)
    : PlotView(parent), m_book(book), m_selection(selection), m_quantity(quantity), m_ends(new EndLabels(&plot())), m_logarithmic(quantity == Quantity::RelativeMse)
{
    setAccessibleName(quantity == Quantity::RelativeMse ? tr("Squared error of each layer against steps") : tr("Cosine of each layer against steps"));
    setToolTip(tr("L: logarithmic axis"));
    plot().xAxis->setLabel(tr("step of phase 2"));
    plot().xAxis->setTicker(countTicker());
    plot().yAxis->setLabel(quantity == Quantity::RelativeMse ? tr("relative squared error") : tr("cosine"));
    plot().yAxis2->setLabel(tr("layer"));
    plot().yAxis2->setTicks(false);
    plot().yAxis2->setTickLabels(false);
    plot().yAxis2->setVisible(true);
    plot().legend->setVisible(false);
    connect(&plot(), &QCustomPlot::mousePress, this, [this](QMouseEvent *event) {
        setFocus(Qt::MouseFocusReason);
        if (const int layer = layerAt(event->position()); layer >= 0)
            m_selection.select(layer);
    });
    connect(&plot(), &QCustomPlot::mouseMove, this, [this](QMouseEvent *event) {
        const int layer = layerAt(event->position());
        plot().setToolTip(layer >= 0 ? tr("Layer %1: last %2").arg(layer).arg(shortNumber(curves().at(layer).last().value)) : QString());
    });
    connect(&book, &CalibrationBook::curvesGrew, this, &AlignmentPlot::invalidateInTurn);
    connect(&book, &CalibrationBook::curvesChanged, this, [this] {
        m_anew = true;
        invalidate();
    });
    connect(&selection, &LayerSelection::changed, this, &AlignmentPlot::invalidate);
    addKeyAction(*this, tr("Logarithmic axis"), Qt::Key_L, [this] { setLogarithmic(!m_logarithmic); });
    describeKeys(*this, tr("← → ↑ ↓"), tr("Walk from layer to layer"));
    restyle();
    setLogarithmic(m_logarithmic);
}

std::unique_ptr<PlotView> AlignmentPlot::copy() const
{
    auto twin = std::make_unique<AlignmentPlot>(m_book, m_selection, m_quantity);
    twin->setLogarithmic(m_logarithmic);
    return twin;
}

report::Figure AlignmentPlot::figure() const
{
    const bool error = m_quantity == Quantity::RelativeMse;
    report::CurvesShown shown{.curves = {}, .who = "layer", .xTitle = "step of phase 2", .xUnit = {}, .valueTitle = error ? "relative squared error" : "cosine", .unit = {}, .logarithmic = m_logarithmic, .named = false};
    const int most = curves().empty() ? 1 : std::max(1, curves().rbegin()->first);
    for (const auto &[layer, points] : curves()) {
        report::CurvesShown::Curve &curve = shown.curves.emplace_back();
        curve.name = std::to_string(layer);
        curve.colour = report::hexOf(report::sequentialRgb(usedShare * layer / most));
        for (const AlignmentPoint &point : points)
            curve.points.emplace_back(point.step, point.value);
    }
    return report::curvesFigure("alignment", shown, m_book.provenance("Alignment of every layer"));
}

report::FigureSpec AlignmentPlot::spec() const
{
    report::FigureSpec spec = m_book.figureSpec("alignment");
    spec.series = m_quantity == Quantity::RelativeMse ? "relative_mse" : "cosine";
    spec.logarithmic = m_logarithmic;
    return spec;
}

void AlignmentPlot::setLogarithmic(bool on)
{
    m_logarithmic = on;
    plot().yAxis->setScaleType(on ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    plot().yAxis->setTicker(on ? logTicker() : evenTicker());
    refresh();
}

QSize AlignmentPlot::sizeHint() const
{
    return {letterWidth(fontMetrics()) * 44, fontMetrics().height() * 12};
}

const std::map<int, QVector<AlignmentPoint>> &AlignmentPlot::curves() const
{
    return m_quantity == Quantity::RelativeMse ? m_book.curves().relativeMse : m_book.curves().cosine;
}

int AlignmentPlot::numCurves() const
{
    return static_cast<int>(curves().size());
}

int AlignmentPlot::numPoints() const
{
    int points = 0;
    for (int graph = 0; graph < plot().graphCount(); ++graph)
        points += plot().graph(graph)->dataCount();
    return points;
}

/// Lines that are there stay, and grow.
void AlignmentPlot::draw()
{
    if (std::exchange(m_anew, false)) {
        plot().clearGraphs();
        m_lines.clear();
        m_inFront = -1;
    }
    for (const auto &[layer, points] : curves()) {
        Line &line = m_lines[layer];
        if (!line.graph) {
            line.graph = plot().addGraph();
            line.graph->setName(tr("Layer %1").arg(layer));
            line.graph->setAdaptiveSampling(true);
            m_inFront = -1;
        }
        line.drawn.follow(*line.graph, points.size(), [&points = points](qsizetype at) { return std::pair(points[at].step, points[at].value); });
    }
}

void AlignmentPlot::styleLines()
{
    const int selected = paper() ? -1 : m_selection.layer();
    for (const auto &[layer, line] : m_lines) {
        line.graph->setPen(layer == selected ? QPen(colourOf(layer), 3.0) : QPen(colourOf(layer), paper() ? 1.2 : 1.4));
        line.graph->setScatterStyle(line.drawn.numPoints() == 1 ? QCPScatterStyle(QCPScatterStyle::ssDisc, line.graph->pen(), line.graph->pen().color(), 5) : QCPScatterStyle());
    }
    if (const auto chosen = m_lines.find(selected); chosen != m_lines.end() && std::exchange(m_inFront, selected) != selected)
        chosen->second.graph->setLayer(chosen->second.graph->layer());      // last in it, so over the others
}

void AlignmentPlot::refresh()
{
    draw();
    styleLines();
    if (!curves().empty())
        setEmptyText({});
    else
        setEmptyText(m_book.isLive() ? tr("The curves appear here as soon as phase 2 begins.") : m_book.chosen() ? tr("This calibration kept no curves: it has no phase 2, or used an equal one's results.") : tr("The alignment of each layer appears here, live."));
    fitAxes();
    labelEnds();
    describe();
    drawInTurn();
}

QColor AlignmentPlot::colourOf(int layer) const
{
    if (layer == m_selection.layer() && !paper())
        return ringColour(palette());
    const int most = curves().empty() ? 1 : std::max(1, curves().rbegin()->first);
    return sequentialColour(usedShare * layer / most + (isDark(palette()) ? 1.0 - usedShare : 0.0));
}

/// The selected layer's first: it is named in any case.
void AlignmentPlot::labelEnds()
{
    std::vector<EndLabels::Label> labels;
    for (const bool chosen : {true, false})
        for (const auto &[layer, points] : curves())
            if ((layer == m_selection.layer() && !paper()) == chosen && !points.isEmpty())
                labels.push_back({QString::number(layer), colourOf(layer), points.last().step, points.last().value, chosen});
    m_ends->setVisible(!labels.empty());
    m_ends->setLabels(std::move(labels), smallFont(), pen(Qt::black, 0.6).widthF());
}

void AlignmentPlot::fitAxes()
{
    CurveExtent extent;
    for (const auto &[layer, line] : m_lines)
        extent = extent.with(line.drawn.extent());
    double low = m_logarithmic ? extent.lowPositive : extent.low, high = extent.high;
    const double right = std::max(1.0, extent.right);
    if (high < low) {
        low = m_logarithmic ? 0.1 : 0.0;
        high = 1.0;
    }
    plot().xAxis->setRange(0.0, right * 1.02);
    if (m_logarithmic)
        plot().yAxis->setRange(low * 0.9, high * 1.1);
    else
        plot().yAxis->setRange(std::min(0.0, low), high > 0.0 ? high * 1.04 : 1.0);
}

void AlignmentPlot::describe()
{
    const auto selected = curves().find(m_selection.layer());
    if (selected != curves().end() && !selected->second.isEmpty())
        setAccessibleDescription(tr("Layer %1: last %2").arg(selected->first).arg(shortNumber(selected->second.last().value)));
    else
        setAccessibleDescription(curves().empty() ? tr("no data yet") : tr("%n layers", nullptr, numCurves()));
}

int AlignmentPlot::layerAt(const QPointF &position) const
{
    int nearest = -1;
    double least = nearLine;
    for (const auto &[layer, points] : curves()) {
        const auto next = std::lower_bound(points.begin(), points.end(), plot().xAxis->pixelToCoord(position.x()), [](const AlignmentPoint &point, double step) { return point.step < step; });
        const AlignmentPoint &point = next == points.end() ? points.last() : *next;
        const double distance = std::abs(plot().yAxis->coordToPixel(point.value) - position.y());
        if (distance < least) {
            least = distance;
            nearest = layer;
        }
    }
    return nearest;
}

/// To the next layer that has a curve.
void AlignmentPlot::step(int by)
{
    const auto &all = curves();
    if (all.empty())
        return;
    auto at = all.find(m_selection.layer());
    if (at == all.end())
        at = all.begin();
    else if (by > 0 && std::next(at) != all.end())
        ++at;
    else if (by < 0 && at != all.begin())
        --at;
    m_selection.select(at->first);
}

void AlignmentPlot::applyPalette()
{
    plot().xAxis->setTicker(countTicker());
    labelEnds();
}

void AlignmentPlot::keyPressEvent(QKeyEvent *event)
{
    switch (event->key()) {
    case Qt::Key_Up:
    case Qt::Key_Left: step(-1); return;
    case Qt::Key_Down:
    case Qt::Key_Right: step(1); return;
    default: PlotView::keyPressEvent(event);
    }
}

}  // namespace stillroom::widgets
