// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/headmapplot.h"

#include "plots/headcells.h"
#include "views/names.h"
#include "plots/plotlook.h"
#include "views/keyaction.h"
#include "views/labels.h"
#include "views/palette.h"
#include "views/quantities.h"

#include <QGridLayout>
#include <QKeyEvent>
#include <QLocale>
#include <QScrollBar>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace stillroom::widgets {
namespace {

constexpr int scaleWidth = 12;
constexpr int leastCell = 10;              // in pixels
constexpr int colourStops = 16;
constexpr int wheelNotch = 120;

/// Numbers on an axis stand no closer than this, in cells.
int stepFor(double labelSize, double cell)
{
    for (const int step : {1, 2, 4, 8, 16, 32})
        if (labelSize <= step * cell)
            return step;
    return 64;
}

/// As figures say it.
std::string differenceInWords(Side side)
{
    return side == Side::ByPhaseOne ? "after phase 1 less before it" : side == Side::ByPhaseTwo ? "after phase 2 less before it" : "after less before";
}

}  // namespace

HeadMapPlot::HeadMapPlot(CalibrationBook &book, HybridChoice &choice, QWidget *parent)
    : PlotView(parent), m_book(book), m_choice(choice), m_cells(new HeadCells(&plot())), m_scale(new QCPColorScale(&plot())), m_down(new QScrollBar(Qt::Vertical, this)),
      m_across(new QScrollBar(Qt::Horizontal, this))
{
    setAccessibleName(tr("Heat map of the heads"));
    describeKeys(*this, tr("← → ↑ ↓ Home End"), tr("Walk from head to head"));
    placeScrollBars();
    makeScale();
    plot().yAxis->setRangeReversed(true);
    plot().yAxis->setLabel(tr("layer"));
    plot().legend->setVisible(false);
    connect(&plot(), &QCustomPlot::mousePress, this, [this](QMouseEvent *event) {
        setFocus(Qt::MouseFocusReason);
        if (const auto [layer, column] = cellAt(event->position()); layer >= 0)
            pick(layer, column);
    });
    connect(&plot(), &QCustomPlot::mouseMove, this, [this](QMouseEvent *event) {
        const auto [layer, column] = cellAt(event->position());
        plot().setToolTip(layer >= 0 ? sentence(layer, column) : QString());
    });
    connect(&plot(), &QCustomPlot::mouseWheel, this, &HeadMapPlot::wheel);
    connect(&plot(), &QCustomPlot::afterLayout, this, &HeadMapPlot::placeWindow);
    connect(&book, &CalibrationBook::reportChanged, this, &HeadMapPlot::invalidate);
    connect(&book, &CalibrationBook::viewChanged, this, &HeadMapPlot::invalidate);
    connect(&choice, &HybridChoice::changed, this, &HeadMapPlot::invalidate);
    connect(&book, &CalibrationBook::pickChanged, this, [this] {
        markPicked();
        showPicked();
        drawInTurn();
    });
    restyle();
    refresh();
}

void HeadMapPlot::placeScrollBars()
{
    const QMargins ring = layout()->contentsMargins();
    delete layout();
    auto *grid = new QGridLayout(this);
    grid->setContentsMargins(ring);
    grid->setSpacing(0);
    grid->addWidget(&plot(), 0, 0);
    grid->addWidget(m_down, 0, 1);
    grid->addWidget(m_across, 1, 0);
    m_down->setAccessibleName(tr("Layers of the map"));
    m_across->setAccessibleName(tr("Heads of the map"));
    for (QScrollBar *bar : {m_down, m_across}) {
        bar->hide();
        connect(bar, &QScrollBar::valueChanged, this, [this] {
            showWindow();
            drawInTurn();
        });
    }
}

void HeadMapPlot::makeScale()
{
    plot().plotLayout()->addElement(1, 0, m_scale);
    m_scale->setType(QCPAxis::atBottom);
    m_scale->setBarWidth(scaleWidth);
    m_scale->setRangeDrag(false);
    m_scale->setRangeZoom(false);
    auto *sameWidth = new QCPMarginGroup(&plot());
    plot().axisRect()->setMarginGroup(QCP::msLeft | QCP::msRight, sameWidth);
    m_scale->setMarginGroup(QCP::msLeft | QCP::msRight, sameWidth);
}

std::unique_ptr<PlotView> HeadMapPlot::copy() const
{
    return std::make_unique<HeadMapPlot>(m_book, m_choice);
}

report::Figure HeadMapPlot::figure() const
{
    const HeadStatistic *shown = m_book.statistic();
    if (!shown)
        return {};
    report::HeadMapShown map{.statistic = statisticShown(*shown), .columns = columnsName(*shown), .values_LC = {}, .low = m_range.first, .high = m_range.second, .difference = isDifference(m_book.side()), .differenceName = differenceInWords(m_book.side())};
    for (int layer = 0; layer < numLayers(); ++layer) {
        std::vector<std::optional<double>> &row = map.values_LC.emplace_back();
        for (int column = 0; column < numColumns(); ++column) {
            const double value = m_book.report()->value(*shown, m_book.side(), layer, column);
            row.push_back(std::isfinite(value) ? std::optional(value) : std::nullopt);
        }
    }
    return report::headMapFigure(map, m_book.provenance("A statistic of every head"));
}

report::FigureSpec HeadMapPlot::spec() const
{
    return m_book.figureSpec("head-map");
}

int HeadMapPlot::numColumns() const
{
    const HeadStatistic *shown = m_book.statistic();
    return shown ? m_book.report()->numColumns(*shown) : 0;
}

int HeadMapPlot::pickedColumn() const
{
    const HeadStatistic *shown = m_book.statistic();
    return shown && m_book.head() >= 0 ? std::min(m_book.report()->columnOf(*shown, m_book.head()), numColumns() - 1) : -1;
}

QSize HeadMapPlot::minimumSizeHint() const
{
    const int around = fontMetrics().height();
    return {18 * leastCell + 4 * around, 17 * leastCell + 7 * around};
}

QSize HeadMapPlot::sizeHint() const
{
    const int around = fontMetrics().height();
    return {std::max(24, numColumns()) * 14 + 4 * around, std::clamp(numLayers(), 14, 40) * 14 + 6 * around};
}

QSizeF HeadMapPlot::cellSize() const
{
    const QCPAxis &x = *plot().xAxis, &y = *plot().yAxis;
    return {std::abs(x.coordToPixel(1.0) - x.coordToPixel(0.0)), std::abs(y.coordToPixel(1.0) - y.coordToPixel(0.0))};
}

void HeadMapPlot::refresh()
{
    const HeadStatistic *shown = m_book.statistic();
    setEmptyText(shown ? QString() : m_book.problem().isEmpty() && m_book.chosen() ? tr("The calibration is being read…") : m_book.chosen() ? tr("There is nothing to show of this calibration.") : tr("A calibration's heads appear here."));
    m_scale->setVisible(shown);
    m_cells->setVisible(shown);
    if (shown) {
        plot().xAxis->setLabel(shown->owner == Owner::Layer ? tr("the whole layer") : shown->owner == Owner::QueryHead ? tr("query head") : tr("head with a state"));
        setColours();
        fillCells();
        nameTicks();
    }
    markPicked();
    drawInTurn();
}

/// Differences run the same way to both sides of white; shares over what is possible; the others over what there is.
void HeadMapPlot::setColours()
{
    const HeadStatistic &shown = *m_book.statistic();
    const bool difference = isDifference(m_book.side()), logarithmic = !difference && shown.scale == ColourScale::Logarithmic;
    double low = 1e300, high = -1e300;
    // All moments are coloured alike.
    for (const Side side : {Side::Before, Side::AfterPhaseOne, Side::AfterPhaseTwo, Side::After, Side::Difference, Side::ByPhaseOne, Side::ByPhaseTwo})
        if (difference ? side == m_book.side() : !isDifference(side))
            for (const int layer : m_book.report()->layers())
                for (int column = 0; column < numColumns(); ++column)
                    if (const double value = m_book.report()->value(shown, side, layer, column); std::isfinite(value) && (!logarithmic || value > 0.0)) {
                        low = std::min(low, value);
                        high = std::max(high, value);
                    }
    if (high < low)
        low = high = 1.0;
    if (difference) {
        high = std::max(std::abs(low), std::abs(high));
        low = -high;
    } else if (shown.scale == ColourScale::Share) {
        low = shown.least;
        high = shown.most;
    }
    if (!(high > low)) {
        low = logarithmic ? low / 1.1 : low - 0.5;
        high = logarithmic ? high * 1.1 : high + 0.5;
    }
    m_range = {low, high};
    QCPColorGradient gradient;
    gradient.clearColorStops();
    for (int stop = 0; stop <= colourStops; ++stop) {
        const double share = static_cast<double>(stop) / colourStops;
        gradient.setColorStopAt(share, difference ? differenceColour(2.0 * share - 1.0) : sequentialColour(share));
    }
    m_scale->setGradient(gradient);
    m_scale->setDataScaleType(logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    m_scale->setDataRange({low, high});
    m_scale->axis()->setTicker(logarithmic ? logTicker() : roundTicker());
    m_scale->setLabel(difference ? tr("%1: %2", "which difference, of what").arg(sideName(m_book.side()), statisticTitle(shown)) : logarithmic ? tr("%1, logarithmic").arg(statisticTitle(shown)) : statisticTitle(shown));
}

QColor HeadMapPlot::colourOf(double value) const
{
    if (!std::isfinite(value))
        return {};
    const auto [low, high] = m_range;
    if (isDifference(m_book.side()))
        return differenceColour(high > 0.0 ? value / high : 0.0);
    if (m_book.statistic()->scale == ColourScale::Logarithmic)
        return sequentialColour(value > 0.0 ? std::log(value / low) / std::log(high / low) : 0.0);
    return sequentialColour((value - low) / (high - low));
}

void HeadMapPlot::fillCells()
{
    std::vector<HeadCells::Row> rows(static_cast<std::size_t>(numLayers()));
    for (int layer = 0; layer < numLayers(); ++layer) {
        HeadCells::Row &row = rows[static_cast<std::size_t>(layer)];
        row.kept = m_choice.isKnown() && m_choice.isKept(layer);
        for (int column = 0; column < numColumns(); ++column) {
            const double value = m_book.report()->value(*m_book.statistic(), m_book.side(), layer, column);
            row.cells.push_back({colourOf(value), std::isfinite(value) ? shortNumber(value) : QString()});
        }
    }
    m_cells->setRows(std::move(rows));
}

/// After every layout. How many cells there is room for: all of them, in cells that fill it, or some, in the smallest that can be read.
void HeadMapPlot::placeWindow()
{
    const QSize room = plot().axisRect()->size();
    const int least = paper() ? 1 : leastCell;      // on paper all cells, however small: there is nothing to scroll with
    const auto fit = [least](QScrollBar &bar, int count, int space) {
        const int shown = std::clamp(space / least, 1, std::max(1, count));
        bar.setRange(0, std::max(0, count - shown));
        bar.setPageStep(shown);
        bar.setVisible(count > shown);
    };
    const std::pair shown(m_down->pageStep(), m_across->pageStep());
    fit(*m_down, numLayers(), room.height());
    fit(*m_across, numColumns(), room.width());
    if (shown != std::pair(m_down->pageStep(), m_across->pageStep()))
        showPicked();      // it may have lost its place
    const QCPRange rows = plot().yAxis->range(), columns = plot().xAxis->range();
    const std::pair steps(m_layerStep, m_headStep);
    showWindow();
    nameTicks();
    if (plot().yAxis->range() != rows || plot().xAxis->range() != columns || steps != std::pair(m_layerStep, m_headStep))
        drawInTurn();      // the numbers of this one are laid out already
}

void HeadMapPlot::showWindow()
{
    plot().yAxis->setRange(m_down->value() - 0.5, m_down->value() + m_down->pageStep() - 0.5);
    plot().xAxis->setRange(m_across->value() - 0.5, m_across->value() + m_across->pageStep() - 0.5);
}

/// As many numbers as there is room for.
void HeadMapPlot::nameTicks()
{
    const QSize room = plot().axisRect()->size();
    m_layerStep = stepFor(fontMetrics().height(), static_cast<double>(room.height()) / std::max(1, m_down->pageStep()));
    m_headStep = stepFor(fontMetrics().horizontalAdvance(QString::number(std::max(1, numColumns() - 1))) + letterWidth(fontMetrics()), static_cast<double>(room.width()) / std::max(1, m_across->pageStep()));
    const QSharedPointer<QCPAxisTickerText> layers(new QCPAxisTickerText), heads(new QCPAxisTickerText);
    for (int layer = 0; layer < numLayers(); layer += m_layerStep)
        layers->addTick(layer, QString::number(layer));
    const HeadStatistic *shown = m_book.statistic();
    for (int head = 0; shown && shown->owner != Owner::Layer && head < numColumns(); head += m_headStep)
        heads->addTick(head, QString::number(head));
    plot().yAxis->setTicker(layers);
    plot().xAxis->setTicker(heads);
}

std::pair<int, int> HeadMapPlot::shownLayers() const
{
    return {m_down->value(), std::min(m_down->value() + m_down->pageStep(), numLayers())};
}

std::pair<int, int> HeadMapPlot::shownColumns() const
{
    return {m_across->value(), std::min(m_across->value() + m_across->pageStep(), numColumns())};
}

void HeadMapPlot::showPicked()
{
    if (m_book.layer() < 0)
        return;
    const auto show = [](QScrollBar &bar, int place) { bar.setValue(std::clamp(bar.value(), place - bar.pageStep() + 1, place)); };
    show(*m_down, m_book.layer());
    show(*m_across, std::max(0, pickedColumn()));
}

void HeadMapPlot::wheel(QWheelEvent *event)
{
    constexpr int cellsANotch = 3;
    const bool sideways = event->modifiers().testFlag(Qt::ShiftModifier) || event->angleDelta().y() == 0;
    QScrollBar &bar = sideways ? *m_across : *m_down;
    const int turned = event->angleDelta().y() != 0 ? event->angleDelta().y() : event->angleDelta().x();
    bar.setValue(bar.value() - turned * cellsANotch / wheelNotch);
}

std::pair<int, int> HeadMapPlot::cellAt(const QPointF &position) const
{
    if (!m_book.report() || !plot().axisRect()->rect().contains(position.toPoint()))
        return {-1, -1};
    const int layer = static_cast<int>(std::lround(plot().yAxis->pixelToCoord(position.y()))), column = static_cast<int>(std::lround(plot().xAxis->pixelToCoord(position.x())));
    return layer >= 0 && layer < numLayers() && column >= 0 && column < numColumns() ? std::pair(layer, column) : std::pair(-1, -1);
}

QString HeadMapPlot::sentence(int layer, int column) const
{
    const HeadStatistic &shown = *m_book.statistic();
    const auto &layers = m_book.report()->layers();
    const QString kept = m_choice.isKnown() && m_choice.isKept(layer) ? tr(" The chosen hybrid keeps its softmax.") : QString();
    if (!std::binary_search(layers.begin(), layers.end(), layer))
        return tr("Layer %1 was not calibrated.").arg(layer) + kept;
    const QString place = shown.owner == Owner::Layer ? tr("Layer %1").arg(layer) : tr("Layer %1, head %2").arg(layer).arg(column);
    const auto number = [&](Side side) { return quantityText(m_book.report()->value(shown, side, layer, column), shown.unit); };
    if (!shown.isPaired())
        return tr("%1: %2 %3.").arg(place, shown.name, number(Side::After)) + kept;
    return tr("%1: %2 %3, before %4.").arg(place, shown.name, number(Side::After), number(Side::Before)) + kept;
}

void HeadMapPlot::pick(int layer, int column)
{
    const HeadStatistic &shown = *m_book.statistic();
    m_book.pick(layer, shown.owner == Owner::Layer ? std::max(0, m_book.head()) : m_book.report()->firstHeadOf(shown, column));
}

void HeadMapPlot::markPicked()
{
    m_cells->setPicked(paper() ? -1 : m_book.layer(), pickedColumn());
    setAccessibleDescription(m_book.layer() >= 0 && m_book.statistic() ? sentence(m_book.layer(), std::max(0, pickedColumn())) : tr("%n layers; the arrow keys walk from head to head", nullptr, numLayers()));
}

void HeadMapPlot::applyPalette()
{
    m_cells->setLook(palette(), font());
    for (QCPAxis *axis : {plot().xAxis, plot().yAxis}) {
        axis->setBasePen(Qt::NoPen);
        axis->setTickPen(Qt::NoPen);
        axis->grid()->setVisible(false);
    }
    // At the right, room for the half of the scale's last number: one that is cut off is not drawn at all.
    plot().axisRect()->setMinimumMargins({0, 4, fontMetrics().horizontalAdvance(QStringLiteral("0.00e-00")) / 2 + 4, 0});
    applyScaleLook(*m_scale->axis(), look());
}

void HeadMapPlot::keyPressEvent(QKeyEvent *event)
{
    const int layer = std::max(0, m_book.layer()), column = m_book.layer() < 0 ? -1 : pickedColumn(), lastLayer = numLayers() - 1, lastColumn = numColumns() - 1;
    if (!m_book.report() || lastLayer < 0 || lastColumn < 0) {
        PlotView::keyPressEvent(event);
        return;
    }
    // Only calibrated layers have heads to go to.
    const auto go = [&](int toLayer, int toColumn) {
        const auto &layers = m_book.report()->layers();
        auto to = std::lower_bound(layers.begin(), layers.end(), std::clamp(toLayer, 0, lastLayer));
        if (to == layers.end() || (toLayer < layer && to != layers.begin() && *to >= layer))
            --to;
        pick(*to, std::clamp(toColumn, 0, lastColumn));
    };
    const bool whole = event->modifiers().testFlag(Qt::ControlModifier);
    switch (event->key()) {
    case Qt::Key_Left: go(layer, column - 1); return;
    case Qt::Key_Right: go(layer, column + 1); return;
    case Qt::Key_Up: go(layer - 1, column); return;
    case Qt::Key_Down: go(column < 0 ? layer : layer + 1, column); return;
    case Qt::Key_Home: go(whole ? 0 : layer, 0); return;
    case Qt::Key_End: go(whole ? lastLayer : layer, lastColumn); return;
    case Qt::Key_PageUp: go(layer - m_down->pageStep(), column); return;
    case Qt::Key_PageDown: go(layer + m_down->pageStep(), column); return;
    default: PlotView::keyPressEvent(event);
    }
}

}  // namespace stillroom::widgets
