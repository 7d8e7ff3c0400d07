// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/layerbarplot.h"

#include "plots/plotlook.h"
#include "report/resultfigures.h"
#include "report/ticks.h"
#include "views/keyaction.h"
#include "views/labels.h"
#include "views/palette.h"

#include <QKeyEvent>
#include <QLocale>

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

namespace stillroom::widgets {
namespace {

constexpr double besideTheBar = 0.26;      // of a place: a bar's own whisker stands in its middle
// What hangs on K has buffers of its own, so that a drag draws nothing else anew: axes, legend, overlay and ring stay.
const QString bandLayer = QStringLiteral("band"), barLayer = QStringLiteral("bars");

/// From left to right: a canvas sorts bars and points by their place, but takes error bars in the order in which they come.
std::vector<std::pair<double, LayerBar>> fromLeftToRight(const std::vector<LayerBar> &bars, const std::vector<int> &order)
{
    std::vector<std::pair<double, LayerBar>> placed;
    for (std::size_t place = 0; place < order.size(); ++place)
        for (const LayerBar &bar : bars)
            if (bar.layer == order[place])
                placed.emplace_back(static_cast<double>(place), bar);
    return placed;
}

}  // namespace

LayerBarPlot::LayerBarPlot(Session &session, QWidget *parent) : PlotView(parent), m_session(session)
{
    setAccessibleName(tr("Scores by layer"));
    describeKeys(*this, tr("← → Home End"), tr("Walk along the layers"));
    describeKeys(*this, tr("Space"), tr("Keep the selected layer as softmax, or let it go"));
    plot().addLayer(bandLayer, plot().layer(QStringLiteral("grid")), QCustomPlot::limBelow);
    plot().addLayer(barLayer, plot().layer(QStringLiteral("main")), QCustomPlot::limBelow);
    for (const QString &layer : {bandLayer, barLayer})
        plot().layer(layer)->setMode(QCPLayer::lmBuffered);
    for (QCPAxis *axis : {plot().yAxis, plot().yAxis2})
        axis->setTicker(evenTicker());
    addBars();
    m_ring = new QCPItemRect(&plot());
    m_ring->setVisible(false);
    m_ring->setClipToAxisRect(false);
    putLegendAbove(plot());
    connect(&plot(), &QCustomPlot::afterLayout, this, &LayerBarPlot::limitBarWidth);
    connect(&plot(), &QCustomPlot::afterLayout, this, &LayerBarPlot::nameLayers);
    connect(&plot(), &QCustomPlot::mousePress, this, [this](QMouseEvent *event) {
        setFocus(Qt::MouseFocusReason);
        const int layer = layerAt(event->position().x());
        if (layer >= 0 && event->modifiers().testFlag(Qt::ShiftModifier))
            m_session.choice().toggle(layer);
        m_session.selection().select(layer);
    });
    connect(&plot(), &QCustomPlot::mouseMove, this, [this](QMouseEvent *event) { plot().setToolTip(barText(layerAt(event->position().x()))); });
    connect(&session, &Session::teacherChanged, this, &LayerBarPlot::invalidate);
    connect(&session, &Session::jobKindChanged, this, &LayerBarPlot::invalidate);
    connect(&session.scores(), &ScoreBook::changed, this, &LayerBarPlot::invalidate);
    connect(&session.choice(), &HybridChoice::changed, this, &LayerBarPlot::followChoice);
    connect(&session.choices(), &ChoiceBook::scoringsChanged, this, [this] {
        if (m_overlayKey)
            invalidate();
    });
    connect(&session.selection(), &LayerSelection::changed, this, &LayerBarPlot::invalidate);
    restyle();
    refresh();
}

void LayerBarPlot::addBars()
{
    m_kept = new QCPBars(plot().xAxis, plot().yAxis);
    m_others = new QCPBars(plot().xAxis, plot().yAxis);
    m_shade = new QCPBars(plot().xAxis, plot().yAxis);      // for the legend: the band is of items
    m_shade->setName(tr("not settled"));
    m_kept->setName(tr("stays softmax"));
    m_others->setName(tr("becomes linear"));
    const auto errorsOf = [this](QCPAbstractPlottable *bars) {
        auto *errors = new QCPErrorBars(plot().xAxis, plot().yAxis);
        errors->setDataPlottable(bars);
        errors->removeFromLegend();
        errors->setAntialiased(true);
        errors->setWhiskerWidth(7);
        errors->setSymbolGap(0);
        return errors;
    };
    m_overlay = plot().addGraph();
    m_overlay->setLineStyle(QCPGraph::lsNone);
    m_overlay->removeFromLegend();
    m_keptErrors = errorsOf(m_kept);
    m_otherErrors = errorsOf(m_others);
    for (QCPAbstractPlottable *one : std::initializer_list<QCPAbstractPlottable *>{m_kept, m_others, m_keptErrors, m_otherErrors})
        one->setLayer(barLayer);
    m_overlayErrors = errorsOf(m_overlay);
}

/// Few layers on a wide screen would be slabs.
void LayerBarPlot::limitBarWidth()
{
    const double cell = plot().axisRect()->width() / std::max(1.0, plot().xAxis->range().size());
    const double share = std::min(0.72, letterWidth(fontMetrics()) * 9.0 / std::max(1.0, cell));
    for (QCPBars *bars : {m_kept, m_others})
        bars->setWidth(share);
}

QSize LayerBarPlot::sizeHint() const
{
    return {letterWidth(fontMetrics()) * 80, fontMetrics().height() * 10};
}

void LayerBarPlot::setOrder(Order order)
{
    m_order = order;
    refresh();
}

std::vector<int> LayerBarPlot::layerOrder() const
{
    const auto ranking = m_session.scores().ranking();
    if (m_order == Order::ByRank && ranking)
        return *ranking;
    std::vector<int> layers(static_cast<std::size_t>(m_session.scores().numLayers()));
    std::iota(layers.begin(), layers.end(), 0);
    return layers;
}

int LayerBarPlot::layerAt(double x) const
{
    const auto order = layerOrder();
    const auto place = std::lround(plot().xAxis->pixelToCoord(x));
    return place >= 0 && place < std::ssize(order) ? order[static_cast<std::size_t>(place)] : -1;
}

std::unique_ptr<PlotView> LayerBarPlot::copy() const
{
    auto made = std::make_unique<LayerBarPlot>(m_session);
    made->setOrder(m_order);
    made->setOverlay(m_overlayKey);
    return made;
}

report::Figure LayerBarPlot::figure() const
{
    report::LayerScoresShown shown{.bars = m_session.scores().shownBars(), .ranking = m_session.scores().ranking(), .kept = {}, .unsettled = m_session.unsettledLayers(), .byRank = m_order == Order::ByRank, .overlaid = {}};
    if (m_session.choice().isKnown())
        shown.kept = m_session.choice().layers();
    const store::Scoring *overlaid = m_overlayKey ? m_session.choices().scoring(*m_overlayKey) : nullptr;
    if (overlaid && !m_overlayBars.bars.empty())
        shown.overlaid = report::OverlaidScores{m_session.choices().scoringName(*overlaid).toStdString(), overlaid->mixer, m_overlayBars};
    report::Provenance provenance = m_session.scoresProvenance("Scores by layer");
    if (overlaid)
        report::addOverlay(provenance, comparison::scoringName(*overlaid), overlaid->mixer, overlaid->run, overlaid->key, overlaid->seed);
    return report::layerScoresFigure(shown, std::move(provenance));
}

report::FigureSpec LayerBarPlot::spec() const
{
    report::FigureSpec spec = m_session.scoresSpec("layer-scores");
    spec.byRank = m_order == Order::ByRank;
    if (const store::Scoring *overlaid = m_overlayKey ? m_session.choices().scoring(*m_overlayKey) : nullptr)
        spec.overlay = comparison::scoringName(*overlaid);
    return spec;
}

QString LayerBarPlot::barText(int layer) const
{
    const auto bar = m_session.scores().bar(layer);
    if (!bar)
        return {};
    const QLocale locale;
    return tr("Layer %1: %2 ± %3 (95 %), n = %4").arg(layer).arg(locale.toString(bar->value, 'f', 4), locale.toString(bar->reach, 'f', 4)).arg(bar->score.numSequences);
}

void LayerBarPlot::setOverlay(std::optional<ChoiceBook::ScoringKey> scoring)
{
    m_overlayKey = std::move(scoring);
    refresh();
}

void LayerBarPlot::readOverlay()
{
    const store::Scoring *scoring = m_overlayKey && !m_session.scores().bars().empty() ? m_session.choices().scoring(*m_overlayKey) : nullptr;
    std::map<int, experiment::LayerScore> byLayer;
    if (scoring)
        for (const experiment::LayerScore &score : scoring->scores)
            byLayer[score.layer] = score;
    m_overlayBars = analysis::layerBars(byLayer);
}

/// Scores "as the selector gives them" have a unit of their own each.
bool LayerBarPlot::overlayHasOwnAxis() const
{
    return !m_overlayBars.bars.empty() && (m_overlayBars.axis != m_session.scores().axis() || m_overlayBars.axis == ScoreBook::Axis::Score);
}

QString LayerBarPlot::overlayAxisTitle() const
{
    return m_overlayBars.bars.empty() ? QString() : axisTitle(m_overlayBars.axis);
}

void LayerBarPlot::drawOverlay(const std::vector<int> &order)
{
    QVector<double> places, values, reach;
    for (const auto &[place, bar] : fromLeftToRight(m_overlayBars.bars, order)) {
        places << place + besideTheBar;
        values << bar.value;
        reach << bar.reach;
    }
    QCPAxis *axis = overlayHasOwnAxis() ? plot().yAxis2 : plot().yAxis;
    m_overlay->setValueAxis(axis);
    m_overlayErrors->setValueAxis(axis);
    m_overlay->setData(places, values, true);
    m_overlayErrors->setData(reach);
    const bool any = !places.isEmpty();
    if (!any) {
        m_overlay->removeFromLegend();
        return;
    }
    m_overlay->addToLegend();
    const LayerBar &first = m_overlayBars.bars.front();
    const QColor colour = mixerColour(QString::fromStdString(first.score.mixer));
    m_overlay->setName(m_session.choices().scoringName(*m_session.choices().scoring(*m_overlayKey)));
    m_overlay->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDiamond, pen(colour, 1.8), palette().color(QPalette::Base), 9));
    m_overlayErrors->setPen(pen(colour, 1.2));
}

void LayerBarPlot::fitOverlayAxis()
{
    const bool own = overlayHasOwnAxis();
    QCPAxis &axis = *plot().yAxis2;
    axis.setVisible(own);
    if (!own)
        return;
    axis.setLabel(tr("◆ %1").arg(overlayAxisTitle()));
    double low = 0.0, high = 0.0;
    for (const LayerBar &bar : m_overlayBars.bars) {
        low = std::min(low, bar.value - bar.reach);
        high = std::max(high, bar.value + bar.reach);
    }
    const double span = high > low ? high - low : 1.0;
    low = low < 0.0 ? low - 0.06 * span : 0.0;
    high += 0.06 * span;
    const QCPRange left = plot().yAxis->range();
    double leftLow = left.lower, leftHigh = left.upper;
    report::alignZeros(leftLow, leftHigh, low, high);
    plot().yAxis->setRange(leftLow, leftHigh);
    axis.setRange(low, high);
}

QString LayerBarPlot::axisTitle(ScoreBook::Axis axis)
{
    switch (axis) {
    case ScoreBook::Axis::KlGain: return tr("KL gain (nats/token)");
    case ScoreBook::Axis::KlAboveWorst: return tr("−KL above the worst (nats/token)");
    case ScoreBook::Axis::Residual: return tr("relative squared error");
    case ScoreBook::Axis::Score: return tr("score");
    }
    return {};
}

QString LayerBarPlot::axisMeaning() const
{
    if (m_session.scores().bars().empty())
        return {};
    switch (m_session.scores().axis()) {
    case ScoreBook::Axis::KlGain: return tr("KL gain = KL(all linear) − KL(only this layer kept). Higher: this layer needs softmax more. Whiskers: 95 % interval.");
    case ScoreBook::Axis::KlAboveWorst: return tr("KL of the worst layer − KL with only this layer kept. Higher: this layer needs softmax more. Whiskers: 95 % interval.");
    case ScoreBook::Axis::Residual: return tr("What stage 1 could not imitate of each layer's attention. Higher: harder to make linear. A first look; trained scores take its place.");
    case ScoreBook::Axis::Score: return tr("As the selector gives it. Whiskers: 95 % interval.");
    }
    return {};
}

void LayerBarPlot::drawBars(const std::vector<int> &order)
{
    QVector<double> keptPlaces, keptValues, keptReach, otherPlaces, otherValues, otherReach;
    const HybridChoice &choice = m_session.choice();
    for (const auto &[place, bar] : fromLeftToRight(m_session.scores().bars(), order)) {
        const bool kept = choice.isKnown() && choice.isKept(bar.layer);
        (kept ? keptPlaces : otherPlaces).push_back(place);
        (kept ? keptValues : otherValues).push_back(bar.value);
        (kept ? keptReach : otherReach).push_back(bar.reach);
    }
    m_kept->setData(keptPlaces, keptValues, true);
    m_others->setData(otherPlaces, otherValues, true);
    m_keptErrors->setData(keptReach);
    m_otherErrors->setData(otherReach);
    drawBand(order);
}

/// The rectangles are kept: making one takes longer than drawing it.
void LayerBarPlot::drawBand(const std::vector<int> &order)
{
    const std::vector<int> band = m_session.unsettledLayers();
    while (m_band.size() < band.size()) {
        auto *item = new QCPItemRect(&plot());
        item->topLeft->setTypeY(QCPItemPosition::ptAxisRectRatio);
        item->bottomRight->setTypeY(QCPItemPosition::ptAxisRectRatio);
        item->setLayer(bandLayer);
        item->setPen(Qt::NoPen);
        m_band.push_back(item);
    }
    if (band.empty())
        m_shade->removeFromLegend();
    else
        m_shade->addToLegend();
    const QColor shade = m_shade->brush().color();
    for (std::size_t i = 0; i < m_band.size(); ++i) {
        m_band[i]->setVisible(i < band.size());
        if (i >= band.size())
            continue;
        const double place = static_cast<double>(std::find(order.begin(), order.end(), band[i]) - order.begin());
        m_band[i]->topLeft->setCoords(place - 0.5, 0.0);
        m_band[i]->bottomRight->setCoords(place + 0.5, 1.0);
        m_band[i]->setBrush(shade);
    }
}

void LayerBarPlot::drawSelection(const std::vector<int> &order)
{
    const auto found = std::find(order.begin(), order.end(), m_session.selection().layer());
    m_ring->setVisible(found != order.end() && !paper());
    if (found == order.end())
        return;
    const double place = static_cast<double>(found - order.begin());
    m_ring->topLeft->setTypeY(QCPItemPosition::ptAxisRectRatio);
    m_ring->bottomRight->setTypeY(QCPItemPosition::ptAxisRectRatio);
    m_ring->topLeft->setCoords(place - 0.46, 0.005);
    m_ring->bottomRight->setCoords(place + 0.46, 0.998);
    m_ring->setPen(QPen(ringColour(palette()), 1.5));
    m_ring->setBrush(Qt::NoBrush);
}

void LayerBarPlot::refresh()
{
    const auto order = layerOrder();
    const bool empty = m_session.scores().bars().empty();
    if (!empty)
        setEmptyText({});
    else if (!m_session.teacher().isValid())
        setEmptyText(tr("Open a teacher to score its layers."));
    else
        setEmptyText(m_session.jobKind() == QLatin1String("score") ? tr("The first scores appear here in a moment.") : tr("No scores yet.\nPress “Score layers” to measure what each layer gains."));
    readOverlay();
    drawBars(order);
    drawOverlay(order);
    drawSelection(order);
    fitAxes(order);
    fitOverlayAxis();
    plot().legend->setVisible(!empty && m_session.choice().isKnown());
    describe();
    drawInTurn();
}

void LayerBarPlot::followChoice()
{
    // With other layers by hand, or none, the legend comes and goes, and so does what it says of the band.
    const bool legend = m_session.choice().isKnown() && !m_session.scores().bars().empty(), shaded = plot().legend->hasItemWithPlottable(m_shade);
    if (!isVisible() || isStale() || plot().legend->visible() != legend || shaded == m_session.unsettledLayers().empty()) {
        invalidate();
        return;
    }
    drawBars(layerOrder());
    for (const QString &layer : {bandLayer, barLayer})
        plot().layer(layer)->replot();
}

void LayerBarPlot::fitAxes(const std::vector<int> &order)
{
    plot().xAxis->setRange(-0.6, std::max(0.6, static_cast<double>(order.size()) - 0.4));
    plot().xAxis->setLabel(m_order == Order::ByRank && m_session.scores().ranking() ? tr("layer, best first") : tr("layer"));
    plot().yAxis->setLabel(axisTitle(m_session.scores().axis()));
    double low = 0.0, high = 0.0;
    for (const LayerBar &bar : m_session.scores().bars()) {
        low = std::min(low, bar.value - bar.reach);
        high = std::max(high, bar.value + bar.reach);
    }
    if (!overlayHasOwnAxis())
        for (const LayerBar &bar : m_overlayBars.bars) {
            low = std::min(low, bar.value - bar.reach);
            high = std::max(high, bar.value + bar.reach);
        }
    const double span = high > low ? high - low : 1.0;
    plot().yAxis->setRange(low < 0.0 ? low - 0.06 * span : 0.0, high + 0.06 * span);
    nameLayers();
}

void LayerBarPlot::nameLayers()
{
    std::vector<std::pair<double, QString>> numbers;
    for (const int layer : layerOrder())
        numbers.emplace_back(static_cast<double>(numbers.size()), QString::number(layer));
    putNumbers(*plot().xAxis, numbers);
}

void LayerBarPlot::describe()
{
    const auto bars = m_session.scores().bars();
    const auto best = std::max_element(bars.begin(), bars.end(), [](const LayerBar &a, const LayerBar &b) { return a.value < b.value; });
    setAccessibleDescription(best == bars.end() ? tr("no scores") : tr("%n layers; the highest is layer %1 with %2", nullptr, static_cast<int>(bars.size())).arg(best->layer).arg(QLocale().toString(best->value, 'g', 3)));
}

void LayerBarPlot::applyPalette()
{
    plot().xAxis->setTickPen(Qt::NoPen);
    plot().xAxis->setBasePen(Qt::NoPen);    // the bars stand on the line of zero
    m_kept->setPen(Qt::NoPen);
    m_kept->setBrush(mixerColour(QStringLiteral("softmax")));
    m_shade->setPen(Qt::NoPen);
    m_shade->setBrush(shadeColour(palette()));
    QColor grey = unchosenColour(palette());
    m_others->setPen(pen(grey, 1));
    m_others->setBrush(over(grey, palette().color(QPalette::Base), 0.45));
    for (QCPErrorBars *errors : {m_keptErrors, m_otherErrors})
        errors->setPen(pen(palette().color(QPalette::Text), 1.2));
}

void LayerBarPlot::keyPressEvent(QKeyEvent *event)
{
    const auto order = layerOrder();
    if (order.empty())
        return PlotView::keyPressEvent(event);
    const auto found = std::find(order.begin(), order.end(), m_session.selection().layer());
    const auto place = found == order.end() ? -1 : static_cast<int>(found - order.begin());
    const int last = static_cast<int>(order.size()) - 1;
    const auto go = [&](int to) { m_session.selection().select(order[static_cast<std::size_t>(std::clamp(to, 0, last))]); };
    switch (event->key()) {
    case Qt::Key_Left: go(place - 1); return;
    case Qt::Key_Right: go(place + 1); return;
    case Qt::Key_Home: go(0); return;
    case Qt::Key_End: go(last); return;
    case Qt::Key_Space: m_session.choice().toggle(m_session.selection().layer()); return;
    default: PlotView::keyPressEvent(event);
    }
}

}  // namespace stillroom::widgets
