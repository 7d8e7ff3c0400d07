// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/agreementplot.h"

#include "analysis/chanceoverlap.h"
#include "plots/plotlook.h"
#include "report/resultfigures.h"
#include "views/keyaction.h"
#include "views/labels.h"
#include "views/palette.h"
#include "views/quantities.h"

#include <QKeyEvent>
#include <QLocale>

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

namespace stillroom::widgets {
namespace {

const QString keepLayer = QStringLiteral("keep");
constexpr double bandStrength = 0.22;

}  // namespace

AgreementPlot::AgreementPlot(HybridChoice &hybrid, QWidget *parent)
    : PlotView(parent), m_hybrid(hybrid), m_low(plot().addGraph()), m_band(plot().addGraph()), m_chance(plot().addGraph()), m_line(plot().addGraph()), m_beyond(plot().addGraph()),
      m_within(plot().addGraph()), m_keepLine(new QCPItemStraightLine(&plot()))
{
    setAccessibleName(tr("Jaccard index against K"));
    describeKeys(*this, tr("← →"), tr("Smaller and larger K"));
    // The line of K has a buffer of its own, so that a drag draws nothing else anew.
    plot().addLayer(keepLayer, plot().layer(QStringLiteral("main")), QCustomPlot::limAbove);
    plot().layer(keepLayer)->setMode(QCPLayer::lmBuffered);
    m_keepLine->setLayer(keepLayer);
    m_low->removeFromLegend();
    m_line->removeFromLegend();
    m_band->setChannelFillGraph(m_low);
    m_band->setName(tr("chance, 95 %"));
    m_chance->setName(tr("chance, mean"));
    m_beyond->setName(tr("beyond chance"));
    m_within->setName(tr("within chance"));
    for (QCPGraph *points : {m_beyond, m_within})
        points->setLineStyle(QCPGraph::lsNone);
    plot().xAxis->setLabel(tr("K, softmax layers kept"));
    const QSharedPointer<QCPAxisTickerFixed> wholeNumbers(new QCPAxisTickerFixed);
    wholeNumbers->setScaleStrategy(QCPAxisTickerFixed::ssMultiples);
    plot().xAxis->setTicker(wholeNumbers);
    plot().yAxis->setLabel(tr("Jaccard index"));
    plot().yAxis->setTicker(evenTicker());
    putLegendAbove(plot());
    connect(&plot(), &QCustomPlot::mousePress, this, [this](QMouseEvent *event) {
        setFocus(Qt::MouseFocusReason);
        if (!m_curve.empty())
            m_hybrid.setKeep(static_cast<int>(std::lround(plot().xAxis->pixelToCoord(event->position().x()))));
    });
    connect(&plot(), &QCustomPlot::mouseMove, this,
            [this](QMouseEvent *event) { plot().setToolTip(pointText(static_cast<int>(std::lround(plot().xAxis->pixelToCoord(event->position().x()))))); });
    connect(&hybrid, &HybridChoice::changed, this, [this] {
        markKeep();
        if (isVisible())
            plot().layer(keepLayer)->replot();
    });
    restyle();
    refresh();
}

QSize AgreementPlot::sizeHint() const
{
    return {letterWidth(fontMetrics()) * 50, fontMetrics().height() * 12};
}

void AgreementPlot::setCurve(std::vector<analysis::AgreementPoint> curve, std::vector<std::string> names)
{
    m_names = std::move(names);
    m_curve = isOneChoice() ? std::vector<analysis::AgreementPoint>() : std::move(curve);
    refresh();
}

bool AgreementPlot::isOneChoice() const
{
    return m_names.size() == 2 && m_names[0] == m_names[1];
}

std::unique_ptr<PlotView> AgreementPlot::copy() const
{
    auto made = std::make_unique<AgreementPlot>(m_hybrid);
    made->setCurve(m_curve, m_names);
    return made;
}

report::Figure AgreementPlot::figure() const
{
    report::Provenance provenance{.title = "Agreement of two choices of layers", .version = {}, .runs = {}, .keys = {}, .seeds = {}, .settings = {}, .date = {}};
    if (m_names.size() == 2)
        provenance.settings = {{"choice A", m_names[0]}, {"choice B", m_names[1]}};
    return report::agreementFigure(m_curve, m_hybrid.numLayers(), std::move(provenance));
}

report::FigureSpec AgreementPlot::spec() const
{
    report::FigureSpec spec;
    spec.plot = "agreement";
    spec.choices = m_names;
    return spec;
}

QString AgreementPlot::pointText(int keep) const
{
    const auto point = std::find_if(m_curve.begin(), m_curve.end(), [&](const analysis::AgreementPoint &one) { return one.keep == keep; });
    if (point == m_curve.end())
        return {};
    const QLocale locale;
    return tr("K = %1: J = %2, chance %3 (%4 to %5), p = %6")
        .arg(keep)
        .arg(locale.toString(point->jaccard, 'f', 2), locale.toString(point->chance, 'f', 2), locale.toString(point->chanceBand.low, 'f', 2), locale.toString(point->chanceBand.high, 'f', 2),
             shortProbability(point->pValue));
}

void AgreementPlot::refresh()
{
    setEmptyText(isOneChoice() ? tr("A choice agrees with itself at every K: choose a cell beside the diagonal.") : m_curve.empty() ? tr("Choose a cell of the matrix: how its two choices agree at every K appears here.") : QString());
    QVector<double> keeps, jaccards, chances, lows, highs, keepsBeyond, beyond, keepsWithin, within;
    for (const analysis::AgreementPoint &point : m_curve) {
        keeps << point.keep;
        jaccards << point.jaccard;
        chances << point.chance;
        lows << point.chanceBand.low;
        highs << point.chanceBand.high;
        const bool isBeyond = analysis::isBeyondChance(point.pValue);
        (isBeyond ? keepsBeyond : keepsWithin) << point.keep;
        (isBeyond ? beyond : within) << point.jaccard;
    }
    m_line->setData(keeps, jaccards, true);
    m_chance->setData(keeps, chances, true);
    m_low->setData(keeps, lows, true);
    m_band->setData(keeps, highs, true);
    m_beyond->setData(keepsBeyond, beyond, true);
    m_within->setData(keepsWithin, within, true);
    plot().legend->setVisible(!m_curve.empty());
    plot().xAxis->setRange(0.5, std::max(1, m_hybrid.numLayers()) + 0.5);
    plot().yAxis->setRange(-0.04, 1.04);      // points on the lowest and the highest value are seen whole
    markKeep();
    drawInTurn();
}

void AgreementPlot::markKeep()
{
    const int keep = m_hybrid.keep();
    m_keepLine->setVisible(!m_curve.empty() && !paper());
    m_keepLine->point1->setCoords(keep, 0.0);
    m_keepLine->point2->setCoords(keep, 1.0);
    const QString here = pointText(keep);
    setAccessibleDescription(!here.isEmpty() ? here : m_curve.empty() ? tr("no pair chosen") : tr("no point at K = %1").arg(keep));
}

void AgreementPlot::applyPalette()
{
    const QColor colour = mixerColour(QStringLiteral("softmax")), quiet = quietTextColour(palette());
    QColor shade = unchosenColour(palette());
    m_chance->setPen(pen(quiet, 1.2, Qt::DashLine));
    shade = over(shade, palette().color(QPalette::Base), bandStrength);      // opaque: paper wants no transparency
    m_low->setPen(Qt::NoPen);
    m_band->setPen(pen(shade, 1));
    m_band->setBrush(shade);
    m_line->setPen(pen(colour, 1.5));
    m_beyond->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, pen(colour, 1.4), colour, 7));
    m_within->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCircle, pen(colour, 1.4), palette().color(QPalette::Base), 7));
    m_keepLine->setPen(pen(palette().color(QPalette::Text), 1, Qt::DotLine));
}

void AgreementPlot::keyPressEvent(QKeyEvent *event)
{
    switch (event->key()) {
    case Qt::Key_Left: m_hybrid.setKeep(m_hybrid.keep() - 1); return;
    case Qt::Key_Right: m_hybrid.setKeep(m_hybrid.keep() + 1); return;
    default: PlotView::keyPressEvent(event);
    }
}

}  // namespace stillroom::widgets
