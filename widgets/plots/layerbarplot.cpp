// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/layerbarplot.h"

#include "plots/plotlook.h"
#include "views/palette.h"

#include <QKeyEvent>
#include <QLocale>
#include <QToolTip>
#include <QVBoxLayout>

#include <qcustomplot.h>

#include <algorithm>
#include <numeric>

namespace stillroom::widgets {

LayerBarPlot::LayerBarPlot(Session &session, QWidget *parent) : QWidget(parent), m_session(session), m_plot(new QCustomPlot(this))
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_plot);
    setFocusPolicy(Qt::StrongFocus);
    m_plot->setFocusPolicy(Qt::NoFocus);
    setAccessibleName(tr("Scores by layer"));
    m_others = new QCPBars(m_plot->xAxis, m_plot->yAxis);
    m_kept = new QCPBars(m_plot->xAxis, m_plot->yAxis);
    m_others->setName(tr("becomes linear"));
    m_kept->setName(tr("stays softmax"));
    for (QCPBars *bars : {m_others, m_kept})
        bars->setWidth(0.72);
    const auto errorsOf = [this](QCPBars *bars) {
        auto *errors = new QCPErrorBars(m_plot->xAxis, m_plot->yAxis);
        errors->setDataPlottable(bars);
        errors->removeFromLegend();
        errors->setAntialiased(true);
        errors->setWhiskerWidth(7);
        errors->setSymbolGap(0);
        return errors;
    };
    m_otherErrors = errorsOf(m_others);
    m_keptErrors = errorsOf(m_kept);
    m_ring = new QCPItemRect(m_plot);
    m_ring->setVisible(false);
    m_empty = new QCPItemText(m_plot);
    m_empty->position->setType(QCPItemPosition::ptAxisRectRatio);
    m_empty->position->setCoords(0.5, 0.45);
    m_plot->xAxis->setLabel(tr("layer"));
    m_plot->axisRect()->insetLayout()->setInsetAlignment(0, Qt::AlignTop | Qt::AlignRight);
    connect(m_plot, &QCustomPlot::mousePress, this, [this](QMouseEvent *event) {
        setFocus(Qt::MouseFocusReason);
        const auto order = layerOrder();
        const auto place = static_cast<int>(std::lround(m_plot->xAxis->pixelToCoord(event->position().x())));
        const bool inside = place >= 0 && place < static_cast<int>(order.size());
        const int layer = inside ? order[static_cast<std::size_t>(place)] : -1;
        if (inside && event->modifiers().testFlag(Qt::ShiftModifier))
            m_session.choice().toggle(layer);
        m_session.selection().select(layer);
    });
    connect(m_plot, &QCustomPlot::mouseMove, this, [this](QMouseEvent *event) {
        const auto order = layerOrder();
        const auto place = static_cast<int>(std::lround(m_plot->xAxis->pixelToCoord(event->position().x())));
        const auto bar = place >= 0 && place < static_cast<int>(order.size()) ? m_session.scores().bar(order[static_cast<std::size_t>(place)]) : std::nullopt;
        m_plot->setToolTip(bar ? tr("Layer %1: %2 ± %3 (95 %), n = %4").arg(bar->layer).arg(QLocale().toString(bar->value, 'g', 4), QLocale().toString(bar->reach, 'g', 2)).arg(bar->score.numSequences)
                               : QString());
    });
    connect(&session.scores(), &ScoreBook::changed, this, &LayerBarPlot::refresh);
    connect(&session.choice(), &HybridChoice::changed, this, &LayerBarPlot::refresh);
    connect(&session.selection(), &LayerSelection::changed, this, &LayerBarPlot::refresh);
    applyPalette();
    refresh();
}

LayerBarPlot::~LayerBarPlot() = default;

QSize LayerBarPlot::sizeHint() const
{
    return {fontMetrics().averageCharWidth() * 80, fontMetrics().height() * 16};
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

QString LayerBarPlot::axisTitle() const
{
    switch (m_session.scores().axis()) {
    case ScoreBook::Axis::KlGain: return tr("KL gain (nats/token): KL(all linear) − KL(only this layer kept)");
    case ScoreBook::Axis::KlAboveWorst: return tr("−KL above the worst layer (nats/token)");
    case ScoreBook::Axis::Residual: return tr("stage-1 residual (relative squared error)");
    case ScoreBook::Axis::Score: return tr("score");
    }
    return {};
}

void LayerBarPlot::drawBars(const std::vector<int> &order)
{
    QVector<double> keptPlaces, keptValues, keptReach, otherPlaces, otherValues, otherReach;
    const HybridChoice &choice = m_session.choice();
    for (const LayerBar &bar : m_session.scores().bars()) {
        const double place = static_cast<double>(std::find(order.begin(), order.end(), bar.layer) - order.begin());
        const bool kept = choice.isKnown() && choice.isKept(bar.layer);
        (kept ? keptPlaces : otherPlaces).push_back(place);
        (kept ? keptValues : otherValues).push_back(bar.value);
        (kept ? keptReach : otherReach).push_back(bar.reach);
    }
    m_kept->setData(keptPlaces, keptValues, false);
    m_others->setData(otherPlaces, otherValues, false);
    m_keptErrors->setData(keptReach);
    m_otherErrors->setData(otherReach);
    for (QCPItemRect *item : m_band)
        m_plot->removeItem(item);
    m_band.clear();
    for (const int layer : m_session.scores().tieBand(choice.keep())) {
        const double place = static_cast<double>(std::find(order.begin(), order.end(), layer) - order.begin());
        auto *item = new QCPItemRect(m_plot);
        item->topLeft->setTypeY(QCPItemPosition::ptAxisRectRatio);
        item->bottomRight->setTypeY(QCPItemPosition::ptAxisRectRatio);
        item->topLeft->setCoords(place - 0.5, 0.0);
        item->bottomRight->setCoords(place + 0.5, 1.0);
        item->setLayer(QStringLiteral("grid"));
        item->setPen(Qt::NoPen);
        QColor shade = palette().color(QPalette::WindowText);
        shade.setAlphaF(0.05F);
        item->setBrush(shade);
        m_band.push_back(item);
    }
}

void LayerBarPlot::drawSelection(const std::vector<int> &order)
{
    const auto found = std::find(order.begin(), order.end(), m_session.selection().layer());
    m_ring->setVisible(found != order.end());
    if (found == order.end())
        return;
    const double place = static_cast<double>(found - order.begin());
    m_ring->topLeft->setTypeY(QCPItemPosition::ptAxisRectRatio);
    m_ring->bottomRight->setTypeY(QCPItemPosition::ptAxisRectRatio);
    m_ring->topLeft->setCoords(place - 0.46, 0.005);
    m_ring->bottomRight->setCoords(place + 0.46, 0.998);
    m_ring->setPen(QPen(ringColour(palette()), 2));
    m_ring->setBrush(Qt::NoBrush);
}

void LayerBarPlot::refresh()
{
    const auto order = layerOrder();
    drawBars(order);
    drawSelection(order);
    const QSharedPointer<QCPAxisTickerText> ticker(new QCPAxisTickerText);
    const std::size_t every = std::max<std::size_t>(1, (order.size() + 39) / 40);
    for (std::size_t place = 0; place < order.size(); place += every)
        ticker->addTick(static_cast<double>(place), QString::number(order[place]));
    m_plot->xAxis->setTicker(ticker);
    m_plot->xAxis->setTickLength(0, 0);
    m_plot->xAxis->setRange(-0.6, std::max(0.6, static_cast<double>(order.size()) - 0.4));
    m_plot->xAxis->setLabel(m_order == Order::ByRank && m_session.scores().ranking() ? tr("layer, best first") : tr("layer"));
    m_plot->yAxis->setLabel(axisTitle());
    double low = 0.0, high = 0.0;
    for (const LayerBar &bar : m_session.scores().bars()) {
        low = std::min(low, bar.value - bar.reach);
        high = std::max(high, bar.value + bar.reach);
    }
    const bool empty = m_session.scores().bars().empty();
    const double span = high > low ? high - low : 1.0;
    m_plot->yAxis->setRange(low < 0.0 ? low - 0.06 * span : 0.0, high + (empty ? 1.0 : 0.14 * span));
    m_empty->setVisible(empty);
    m_empty->setText(m_session.teacher().isValid() ? tr("No scores yet.\nPress “Score layers” to measure what each layer gains.") : tr("Open a teacher to score its layers."));
    m_plot->legend->setVisible(!empty && m_session.choice().isKnown());
    describe();
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void LayerBarPlot::describe()
{
    const auto bars = m_session.scores().bars();
    const auto best = std::max_element(bars.begin(), bars.end(), [](const LayerBar &a, const LayerBar &b) { return a.value < b.value; });
    setAccessibleDescription(best == bars.end() ? tr("no scores") : tr("%n layers; the highest is layer %1 with %2", nullptr, static_cast<int>(bars.size())).arg(best->layer).arg(QLocale().toString(best->value, 'g', 3)));
}

void LayerBarPlot::applyPalette()
{
    applyPlotLook(*m_plot, *this);
    m_kept->setPen(Qt::NoPen);
    m_kept->setBrush(mixerColour(QStringLiteral("softmax")));
    QColor grey = unchosenColour(palette());
    m_others->setPen(QPen(grey, 1));
    grey.setAlphaF(0.45F);
    m_others->setBrush(grey);
    for (QCPErrorBars *errors : {m_keptErrors, m_otherErrors})
        errors->setPen(QPen(palette().color(QPalette::WindowText), 1.2));
    m_empty->setColor(quietTextColour(palette()));
    m_empty->setFont(font());
}

void LayerBarPlot::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        applyPalette();
        refresh();
    }
}

void LayerBarPlot::keyPressEvent(QKeyEvent *event)
{
    const auto order = layerOrder();
    if (order.empty())
        return QWidget::keyPressEvent(event);
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
    default: QWidget::keyPressEvent(event);
    }
}

}  // namespace stillroom::widgets
