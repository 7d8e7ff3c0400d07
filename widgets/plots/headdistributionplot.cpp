// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/headdistributionplot.h"

#include "plots/plotlook.h"
#include "report/ticks.h"
#include "views/labels.h"
#include "views/palette.h"
#include "views/quantities.h"

#include <QLocale>

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace stillroom::widgets {
namespace {

constexpr int mostBars = 24;
constexpr double pickingDistance = 24.0;      // in pixels

/// Bounds of `values` with a little room; never empty.
std::pair<double, double> boundsOf(const std::vector<double> &values, bool logarithmic)
{
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    if (values.empty())
        return {logarithmic ? 0.1 : 0.0, 1.0};
    if (logarithmic)
        return *most > *least ? std::pair(*least, *most) : std::pair(*least / 1.1, *most * 1.1);
    return *most > *least ? std::pair(*least, *most) : std::pair(*least - 0.5, *most + 0.5);
}

}  // namespace

HeadDistributionPlot::HeadDistributionPlot(CalibrationBook &book, QWidget *parent)
    : PlotView(parent), m_book(book), m_bars(new QCPBars(plot().xAxis, plot().yAxis)), m_points(plot().addGraph()), m_pickedPoint(plot().addGraph()), m_line(new QCPItemStraightLine(&plot()))
{
    setAccessibleName(tr("Distribution over the heads"));
    for (QCPGraph *points : {m_points, m_pickedPoint})
        points->setLineStyle(QCPGraph::lsNone);
    plot().legend->setVisible(false);
    connect(&plot(), &QCustomPlot::mousePress, this, [this](QMouseEvent *event) {
        setFocus(Qt::MouseFocusReason);
        pickNearest(event->position());
    });
    connect(&book, &CalibrationBook::reportChanged, this, &HeadDistributionPlot::invalidate);
    connect(&book, &CalibrationBook::viewChanged, this, &HeadDistributionPlot::invalidate);
    connect(&book, &CalibrationBook::pickChanged, this, [this] {
        markPicked();
        drawInTurn();
    });
    restyle();
    refresh();
}

std::unique_ptr<PlotView> HeadDistributionPlot::copy() const
{
    auto twin = std::make_unique<HeadDistributionPlot>(m_book);
    twin->setAgainst(m_against);
    return twin;
}

report::Figure HeadDistributionPlot::figure() const
{
    const HeadStatistic *shown = m_book.statistic();
    if (!shown)
        return {};
    std::vector<report::HeadValue> heads;
    for (const Place &place : places())
        heads.push_back({place.layer, place.column, place.value, place.against});
    report::StatisticShown statistic = statisticShown(*shown);
    statistic.logarithmic = isLogarithmic(*shown);
    report::Provenance provenance = m_book.provenance("A statistic over the heads");
    if (const HeadStatistic *other = against())
        return report::headScatterFigure(statistic, statisticShown(*other), columnsName(*shown), heads, std::move(provenance));
    return report::headHistogramFigure(statistic, columnsName(*shown), heads, m_edges, std::move(provenance));
}

report::FigureSpec HeadDistributionPlot::spec() const
{
    report::FigureSpec spec = m_book.figureSpec("head-distribution");
    spec.against = m_against.toStdString();
    return spec;
}

QSize HeadDistributionPlot::sizeHint() const
{
    return {letterWidth(fontMetrics()) * 40, fontMetrics().height() * 14};
}

void HeadDistributionPlot::setAgainst(const QString &statistic)
{
    m_against = statistic;
    refresh();
}

const HeadStatistic *HeadDistributionPlot::against() const
{
    if (m_book.report())
        for (const HeadStatistic &one : m_book.report()->statistics())
            if (one.id == m_against)
                return &one;
    return nullptr;
}

bool HeadDistributionPlot::isLogarithmic(const HeadStatistic &statistic) const
{
    return statistic.scale == ColourScale::Logarithmic && (!isDifference(m_book.side()) || &statistic != m_book.statistic());
}

/// Every head that has both numbers.
std::vector<HeadDistributionPlot::Place> HeadDistributionPlot::places() const
{
    std::vector<Place> all;
    const HeadStatistic *shown = m_book.statistic(), *other = against();
    if (!shown)
        return all;
    const CalibrationReport &report = *m_book.report();
    const bool wide = other && report.numColumns(*other) > report.numColumns(*shown);      // a point for each head of the finer one
    const HeadStatistic &finer = wide ? *other : *shown;
    for (const int layer : report.layers())
        for (int column = 0; column < report.numColumns(finer); ++column) {
            const int head = report.firstHeadOf(finer, column);
            const auto at = [&](const HeadStatistic &one) { return &one == &finer ? column : report.columnOf(one, head); };
            const Place place{layer, at(*shown), report.value(*shown, m_book.side(), layer, at(*shown)), other ? report.value(*other, Side::After, layer, at(*other)) : 0.0};
            const auto fits = [&](const HeadStatistic &one, double value) { return std::isfinite(value) && (!isLogarithmic(one) || value > 0.0); };
            if (fits(*shown, place.value) && (!other || fits(*other, place.against)))
                all.push_back(place);
        }
    return all;
}

void HeadDistributionPlot::clearData()
{
    m_bars->data()->clear();
    m_points->data()->clear();
    m_edges.clear();
}

void HeadDistributionPlot::refresh()
{
    clearData();
    setEmptyText(m_book.statistic() ? QString() : tr("How a statistic lies over the heads appears here."));
    if (m_book.statistic())
        against() ? showPoints() : showHistogram();
    markPicked();
    drawInTurn();
}

QString HeadDistributionPlot::titleOf(const HeadStatistic &statistic, bool logarithmic) const
{
    if (isDifference(m_book.side()) && &statistic == m_book.statistic())
        return tr("%1: %2", "which difference, of what").arg(sideName(m_book.side()), statisticTitle(statistic));
    return logarithmic ? tr("%1, logarithmic").arg(statisticTitle(statistic)) : statisticTitle(statistic);
}

void HeadDistributionPlot::showHistogram()
{
    const HeadStatistic &shown = *m_book.statistic();
    const bool logarithmic = isLogarithmic(shown);
    std::vector<double> values;
    for (const Place &place : places())
        values.push_back(place.value);
    const auto [low, high] = boundsOf(values, logarithmic);
    const int bars = std::clamp(static_cast<int>(std::lround(2.0 * std::cbrt(static_cast<double>(values.size())))), 4, mostBars);      // Rice's rule
    for (int edge = 0; edge <= bars; ++edge) {
        const double share = static_cast<double>(edge) / bars;
        m_edges.push_back(logarithmic ? low * std::pow(high / low, share) : low + (high - low) * share);
    }
    QVector<double> counts(bars, 0.0), middles;
    for (const double value : values) {
        const auto above = std::upper_bound(m_edges.begin() + 1, m_edges.end() - 1, value);
        counts[static_cast<int>(above - m_edges.begin()) - 1] += 1.0;
    }
    for (int bar = 0; bar < bars; ++bar)
        middles << bar + 0.5;
    m_bars->setData(middles, counts, true);
    m_bars->setWidth(0.92);
    plot().xAxis->setScaleType(QCPAxis::stLinear);
    plot().xAxis->setRange(-0.04 * bars, 1.04 * bars);      // the mark of a head at the very end is seen whole
    const QSharedPointer<QCPAxisTickerText> ticks(new QCPAxisTickerText);
    for (const double at : logarithmic ? report::logTicks(low, high) : report::evenTicks(low, high))
        ticks->addTick((logarithmic ? std::log(at / low) / std::log(high / low) : (at - low) / (high - low)) * bars, roundText(at));
    plot().xAxis->setTicker(ticks);
    plot().xAxis->setLabel(titleOf(shown, logarithmic));
    plot().yAxis->setScaleType(QCPAxis::stLinear);
    const QSharedPointer<QCPAxisTickerFixed> wholeNumbers(new QCPAxisTickerFixed);
    wholeNumbers->setScaleStrategy(QCPAxisTickerFixed::ssMultiples);
    wholeNumbers->setTickCount(5);
    plot().yAxis->setTicker(wholeNumbers);
    plot().yAxis->setLabel(shown.owner == Owner::Layer ? tr("layers") : tr("heads"));
    plot().yAxis->setRange(0.0, std::max(1.0, *std::max_element(counts.begin(), counts.end())) * 1.08);
}

void HeadDistributionPlot::showPoints()
{
    const HeadStatistic &shown = *m_book.statistic(), &other = *against();
    QVector<double> values, others;
    for (const Place &place : places()) {
        values << place.value;
        others << place.against;
    }
    m_points->setData(values, others);
    const auto fit = [&](QCPAxis &axis, const HeadStatistic &statistic, const QVector<double> &on) {
        const bool logarithmic = isLogarithmic(statistic);
        const auto [low, high] = boundsOf({on.begin(), on.end()}, logarithmic);
        const double room = logarithmic ? std::pow(high / low, 0.06) : (high - low) * 0.06;
        axis.setScaleType(logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
        axis.setRange(logarithmic ? QCPRange(low / room, high * room) : QCPRange(low - room, high + room));
        axis.setTicker(logarithmic ? logTicker() : roundTicker());
        axis.setLabel(titleOf(statistic, logarithmic));
    };
    fit(*plot().xAxis, shown, values);
    fit(*plot().yAxis, other, others);
}

int HeadDistributionPlot::numShown() const
{
    double count = static_cast<double>(m_points->data()->size());
    for (auto bar = m_bars->data()->constBegin(); bar != m_bars->data()->constEnd(); ++bar)
        count += bar->value;
    return static_cast<int>(count);
}

std::optional<double> HeadDistributionPlot::marked() const
{
    const HeadStatistic *shown = m_book.statistic();
    if (!shown || m_book.head() < 0)
        return std::nullopt;
    const double value = m_book.report()->value(*shown, m_book.side(), m_book.layer(), m_book.report()->columnOf(*shown, m_book.head()));
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

void HeadDistributionPlot::markPicked()
{
    const auto value = marked();
    m_line->setVisible(value.has_value() && !against() && !m_edges.empty() && !paper());
    m_pickedPoint->data()->clear();
    setAccessibleDescription(value ? tr("%n heads; the picked one has %1", nullptr, numShown()).arg(quantityText(*value, m_book.statistic()->unit)) : tr("%n heads", nullptr, numShown()));
    if (!value || paper())
        return;
    if (m_line->visible()) {
        const auto above = std::clamp(std::upper_bound(m_edges.begin(), m_edges.end(), *value), m_edges.begin() + 1, m_edges.end() - 1);
        const double low = *(above - 1), high = *above, bar = static_cast<double>(above - m_edges.begin()) - 1.0;
        const double within = isLogarithmic(*m_book.statistic()) ? std::log(*value / low) / std::log(high / low) : (*value - low) / (high - low);
        m_line->point1->setCoords(bar + within, 0.0);
        m_line->point2->setCoords(bar + within, 1.0);
    } else if (const HeadStatistic *other = against()) {
        const CalibrationReport &report = *m_book.report();
        m_pickedPoint->addData(*value, report.value(*other, Side::After, m_book.layer(), report.columnOf(*other, m_book.head())));
    }
}

void HeadDistributionPlot::pickNearest(const QPointF &position)
{
    if (!against())
        return;
    const std::vector<Place> all = places();
    const auto distance = [&](const Place &place) { return std::hypot(plot().xAxis->coordToPixel(place.value) - position.x(), plot().yAxis->coordToPixel(place.against) - position.y()); };
    const auto nearest = std::min_element(all.begin(), all.end(), [&](const Place &a, const Place &b) { return distance(a) < distance(b); });
    if (nearest != all.end() && distance(*nearest) < pickingDistance)
        m_book.pick(nearest->layer, m_book.report()->firstHeadOf(*m_book.statistic(), nearest->column));
}

void HeadDistributionPlot::applyPalette()
{
    const QColor bar = unchosenColour(palette()), ring = ringColour(palette());
    m_bars->setPen(Qt::NoPen);
    m_bars->setBrush(bar);
    m_points->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCircle, pen(bar, 1.2), Qt::NoBrush, 6));
    m_pickedPoint->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, QPen(ring, 1.5), mixerColour(QStringLiteral("softmax")), 10));
    plot().axisRect()->setMinimumMargins({0, 4, fontMetrics().horizontalAdvance(QStringLiteral("0.00e-00")) / 2 + 4, 0});      // for the half of the last number
    m_line->setPen(QPen(mixerColour(QStringLiteral("softmax")), 2.5));
}

}  // namespace stillroom::widgets
