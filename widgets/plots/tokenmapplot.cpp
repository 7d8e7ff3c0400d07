// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/tokenmapplot.h"

#include "plots/plotlook.h"
#include "report/headfigures.h"
#include "report/ticks.h"
#include "views/labels.h"
#include "views/palette.h"
#include "views/quantities.h"

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace stillroom::widgets {
namespace {

constexpr int mapScaleWidth = 8;
constexpr int mapStops = 16;

}  // namespace

TokenMapPlot::TokenMapPlot(Kind kind, const QString &title, QWidget *parent)
    : PlotView(parent), m_kind(kind), m_map(new QCPColorMap(plot().xAxis, plot().yAxis)), m_scale(new QCPColorScale(&plot()))
{
    plot().plotLayout()->addElement(1, 0, m_scale);
    m_scale->setType(QCPAxis::atBottom);
    m_scale->setBarWidth(mapScaleWidth);
    m_scale->setRangeDrag(false);
    m_scale->setRangeZoom(false);
    auto *sameWidth = new QCPMarginGroup(&plot());
    plot().axisRect()->setMarginGroup(QCP::msLeft | QCP::msRight, sameWidth);
    m_scale->setMarginGroup(QCP::msLeft | QCP::msRight, sameWidth);
    QCPColorGradient gradient;
    gradient.clearColorStops();
    for (int stop = 0; stop <= mapStops; ++stop) {
        const double share = static_cast<double>(stop) / mapStops;
        gradient.setColorStopAt(share, kind == Kind::Signed ? differenceColour(2.0 * share - 1.0) : sequentialColour(share));
    }
    gradient.setNanHandling(QCPColorGradient::nhTransparent);
    m_map->setGradient(gradient);
    m_scale->setGradient(gradient);
    m_map->setInterpolate(false);
    m_map->setTightBoundary(false);
    for (QCPAxis *axis : {plot().xAxis, plot().yAxis})
        axis->setTicker(evenTicker());
    plot().yAxis->setRangeReversed(true);
    plot().yAxis->setLabel(tr("query token"));
    plot().xAxis->setLabel(tr("key token"));
    plot().legend->setVisible(false);
    keepAxesSquare(plot());
    connect(&plot(), &QCustomPlot::afterLayout, this, &TokenMapPlot::numberScale);
    connect(&plot(), &QCustomPlot::mousePress, this, [this] { setFocus(Qt::MouseFocusReason); });
    connect(&plot(), &QCustomPlot::mouseMove, this, [this](QMouseEvent *event) {
        const auto t = std::lround(plot().yAxis->pixelToCoord(event->position().y())), s = std::lround(plot().xAxis->pixelToCoord(event->position().x()));
        const bool inside = t >= 0 && s >= 0 && s <= t && t < static_cast<long>(m_rows.size()) && plot().axisRect()->rect().contains(event->pos());
        plot().setToolTip(inside ? tr("token %1 reads token %2 with %3").arg(t).arg(s).arg(shortNumber(m_rows[static_cast<std::size_t>(t)][static_cast<std::size_t>(s)])) : QString());
    });
    setTitle(title);
    restyle();
    refresh();
}

void TokenMapPlot::setTitle(const QString &title)
{
    setAccessibleName(title);
    m_scale->setLabel(title);
}

void TokenMapPlot::setSource(report::FigureSpec spec, report::Provenance provenance)
{
    m_spec = std::move(spec);
    m_provenance = std::move(provenance);
}

std::unique_ptr<PlotView> TokenMapPlot::copy() const
{
    auto twin = std::make_unique<TokenMapPlot>(m_kind, m_scale->label());
    twin->setMap(m_rows, m_whyEmpty);
    twin->setSource(m_spec, m_provenance);
    return twin;
}

report::Figure TokenMapPlot::figure() const
{
    return report::tokenMapFigure(m_spec.plot, m_scale->label().toStdString(), m_rows, m_kind == Kind::Signed, m_provenance);
}

QSize TokenMapPlot::minimumSizeHint() const
{
    return {letterWidth(fontMetrics()) * 22, fontMetrics().height() * 11};      // the page it is on fits into a window of 900 pixels
}

QSize TokenMapPlot::sizeHint() const
{
    return {letterWidth(fontMetrics()) * 32, fontMetrics().height() * 14};
}

QSize TokenMapPlot::axesSize() const
{
    return plot().axisRect()->rect().size();
}

void TokenMapPlot::setMap(std::vector<std::vector<double>> rows, const QString &whyEmpty)
{
    m_rows = std::move(rows);
    m_whyEmpty = whyEmpty;
    refresh();
}

void TokenMapPlot::refresh()
{
    const int tokens = static_cast<int>(m_rows.size());
    setEmptyText(tokens > 0 ? QString() : m_whyEmpty);
    m_map->setVisible(tokens > 0);
    m_scale->setVisible(tokens > 0);
    double most = 0.0;
    m_map->data()->setSize(std::max(1, tokens), std::max(1, tokens));
    m_map->data()->setRange({0.0, std::max(1.0, tokens - 1.0)}, {0.0, std::max(1.0, tokens - 1.0)});
    for (int t = 0; t < tokens; ++t)
        for (int s = 0; s < tokens; ++s) {
            const double weight = s <= t ? m_rows[static_cast<std::size_t>(t)][static_cast<std::size_t>(s)] : std::numeric_limits<double>::quiet_NaN();
            m_map->data()->setCell(s, t, weight);
            if (std::isfinite(weight))
                most = std::max(most, std::abs(weight));
        }
    most = most > 0.0 ? most : 1.0;
    const double least = m_kind == Kind::Signed ? -most : 0.0;
    m_map->setDataRange({least, most});
    m_scale->setDataRange({least, most});
    plot().xAxis->setRange(-0.5, tokens - 0.5);
    plot().yAxis->setRange(-0.5, tokens - 0.5);
    numberScale();
    setAccessibleDescription(tokens > 0 ? tr("%n tokens; the largest weight is %1", nullptr, tokens).arg(shortNumber(most)) : m_whyEmpty);
    drawInTurn();
}

void TokenMapPlot::numberScale()
{
    const QCPRange range = m_scale->dataRange();
    std::vector<std::pair<double, QString>> numbers;
    for (const double value : report::evenTicks(range.lower, range.upper))
        numbers.emplace_back(value, roundText(value));
    putNumbers(*m_scale->axis(), numbers);
}

void TokenMapPlot::applyPalette()
{
    for (QCPAxis *axis : {plot().xAxis, plot().yAxis}) {
        axis->grid()->setVisible(false);
        axis->ticker()->setTickCount(4);
    }
    plot().axisRect()->setMinimumMargins({0, 4, fontMetrics().horizontalAdvance(QStringLiteral("0.000")) / 2 + 4, 0});
    applyScaleLook(*m_scale->axis(), look());
}

}  // namespace stillroom::widgets
