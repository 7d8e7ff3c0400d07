// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/klcurveplot.h"

#include "models/klcurves.h"
#include "plots/plotlook.h"
#include "views/keyaction.h"
#include "views/palette.h"

#include <QKeyEvent>
#include <QLocale>

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace stillroom::widgets {
namespace {

const QString chosenLayer = QStringLiteral("keep"), elbowLayer = QStringLiteral("elbow");
constexpr double predictionStrength = 0.22;      // of the band

}  // namespace

KlCurvePlot::KlCurvePlot(Session &session, QWidget *parent)
    : PlotView(parent), m_session(session), m_low(plot().addGraph()), m_band(plot().addGraph()), m_line(plot().addGraph()), m_elbow(plot().addGraph()), m_points(plot().addGraph()), m_keep(plot().addGraph()),
      m_whiskers(new QCPErrorBars(plot().xAxis, plot().yAxis)), m_elbowBand(new QCPItemRect(&plot()))
{
    setAccessibleName(tr("Held-out KL against K"));
    describeKeys(*this, tr("← →"), tr("Smaller and larger K"));
    plot().addLayer(elbowLayer, plot().layer(QStringLiteral("grid")), QCustomPlot::limBelow);
    // The line of K has a buffer of its own, so that a drag draws nothing else anew.
    plot().addLayer(chosenLayer, plot().layer(QStringLiteral("main")), QCustomPlot::limAbove);
    plot().layer(chosenLayer)->setMode(QCPLayer::lmBuffered);
    m_keep->setLayer(chosenLayer);
    m_elbowBand->setLayer(elbowLayer);
    for (QCPItemPosition *corner : {m_elbowBand->topLeft, m_elbowBand->bottomRight})
        corner->setTypeY(QCPItemPosition::ptAxisRectRatio);
    for (QCPGraph *upright : {m_elbow, m_keep})      // two points at one place are not many
        upright->setAdaptiveSampling(false);
    m_low->removeFromLegend();
    m_keep->removeFromLegend();
    m_band->setChannelFillGraph(m_low);
    m_band->setName(tr("95 %"));
    m_line->setName(tr("predicted, additive"));
    m_points->setName(tr("measured"));
    m_points->setLineStyle(QCPGraph::lsNone);
    m_whiskers->setDataPlottable(m_points);
    m_whiskers->removeFromLegend();
    m_whiskers->setAntialiased(true);
    m_whiskers->setWhiskerWidth(7);
    m_whiskers->setSymbolGap(0);
    plot().xAxis->setLabel(tr("K, softmax layers kept"));
    const QSharedPointer<QCPAxisTickerFixed> wholeNumbers(new QCPAxisTickerFixed);
    wholeNumbers->setScaleStrategy(QCPAxisTickerFixed::ssMultiples);
    plot().xAxis->setTicker(wholeNumbers);
    plot().yAxis->setLabel(tr("KL (nats/token)"));
    plot().yAxis->setTicker(evenTicker());
    putLegendAbove(plot());
    const auto keepAt = [this](const QMouseEvent &event) { return static_cast<int>(std::lround(plot().xAxis->pixelToCoord(event.position().x()))); };
    connect(&plot(), &QCustomPlot::mousePress, this, [this, keepAt](QMouseEvent *event) {
        setFocus(Qt::MouseFocusReason);
        if (hasPoints(m_shown))
            m_session.choice().setKeep(keepAt(*event));
    });
    connect(&plot(), &QCustomPlot::mouseMove, this, [this, keepAt](QMouseEvent *event) { plot().setToolTip(pointText(keepAt(*event))); });
    connect(&session.klCurves(), &KlCurves::changed, this, &KlCurvePlot::invalidate);
    connect(&session.klCurves(), &KlCurves::outdated, this, &KlCurvePlot::invalidateInTurn);
    connect(&session.choices(), &ChoiceBook::scoringsChanged, this, &KlCurvePlot::invalidateInTurn);
    connect(&session.scores(), &ScoreBook::sourceChanged, this, &KlCurvePlot::invalidate);
    connect(&session, &Session::teacherChanged, this, &KlCurvePlot::invalidate);
    connect(&session, &Session::jobKindChanged, this, &KlCurvePlot::invalidate);
    connect(&session.choice(), &HybridChoice::changed, this, [this] {
        markKeep();
        if (isVisible())
            plot().layer(chosenLayer)->replot();
    });
    restyle();
    refresh();
}

QSize KlCurvePlot::sizeHint() const
{
    return {fontMetrics().averageCharWidth() * 50, fontMetrics().height() * 10};
}

std::unique_ptr<PlotView> KlCurvePlot::copy() const
{
    return std::make_unique<KlCurvePlot>(m_session);
}

bool KlCurvePlot::hasPoints(const report::KlAgainstKShown &shown)
{
    return !shown.predicted.points.empty() || !shown.measured.points.empty();
}

report::KlAgainstKShown KlCurvePlot::shown() const
{
    report::KlAgainstKShown shown{.numLayers = m_session.choice().numLayers(), .mixer = {}, .predicted = {}, .measured = {}, .trainedTokens = 0, .keep = m_session.choice().keep()};
    const store::Scoring *scoring = m_session.shownScoring();
    if (!scoring)
        return shown;
    shown.mixer = scoring->mixer;
    if (const comparison::KlAgainstK *read = m_session.klCurves().of(*scoring)) {
        shown.predicted = read->predicted;
        shown.measured = read->measured.curve;
        shown.trainedTokens = read->measured.tokens;
        shown.hybrids = read->measured.hybrids;
        shown.trainedSeed = read->measured.seed;
        shown.areHybridsOwn = read->measured.isOwn;
    }
    return shown;
}

bool KlCurvePlot::isOnItsWay() const
{
    const store::Scoring *scoring = m_session.shownScoring();
    return scoring && m_session.klCurves().isOnItsWay(*scoring);
}

report::Figure KlCurvePlot::figure() const
{
    return report::klAgainstKFigure(shown(), m_session.scoresProvenance("Held-out KL against K"));
}

report::FigureSpec KlCurvePlot::spec() const
{
    return m_session.scoresSpec("kl-against-k");
}

QString KlCurvePlot::missingText() const
{
    const store::Scoring *scoring = m_session.shownScoring();
    if (!scoring || isOnItsWay())
        return {};
    if (m_session.jobKind() == QLatin1String("score") && scoring->artifact.empty())
        return tr("The prediction appears here once the layers are scored.");
    if (scoring->selector != "ga-s2" && scoring->selector != "zero-shot-ga")
        return tr("Score with GA-S2 or zero-shot GA to see the prediction: this scoring did not measure the KL of keeping one layer.");
    if (std::none_of(scoring->scores.begin(), scoring->scores.end(), [](const experiment::LayerScore &one) { return one.layer < 0; }))
        return tr("Score again with the all-linear student to see the prediction: this scoring did not measure it.");
    return tr("Score again to see the prediction: this scoring kept no KL by held-out sequence.");
}

QString KlCurvePlot::leftOutText() const
{
    const store::Scoring *scoring = m_session.shownScoring();
    const comparison::KlAgainstK *read = scoring ? m_session.klCurves().of(*scoring) : nullptr;
    if (!read)
        return {};
    const comparison::HybridsLeftOut &leftOut = read->measured.leftOut;
    QStringList parts;
    const auto say = [&](std::size_t count, const QString &what) {
        if (count > 0)
            parts << tr("%1 %2", "number of hybrids, why they are left out").arg(count).arg(what);
    };
    say(leftOut.otherSequences, tr("measured on other sequences"));
    say(leftOut.otherStart, tr("of another start"));
    say(leftOut.otherSeed, tr("of another seed"));
    say(leftOut.otherMixer, tr("with other mixer options"));
    say(leftOut.otherLoss, tr("trained with another loss"));
    say(leftOut.otherTokens, tr("trained on another number of tokens"));
    say(leftOut.second, tr("of a size that is there already"));
    say(leftOut.unreadable, tr("unreadable"));
    return parts.isEmpty() ? QString() : tr("hybrids left out: %1").arg(parts.join(tr(", ")));
}

QString KlCurvePlot::summary() const
{
    QStringList parts{curveText(), m_shown.measured.points.empty() || m_shown.areHybridsOwn ? QString() : tr("hybrids of another stage 1 or seed than the scores"), leftOutText()};
    parts.removeAll(QString());
    return parts.join(QStringLiteral(" · "));
}

QString KlCurvePlot::curveText() const
{
    if (m_shown.predicted.points.empty())
        return hasPoints(m_shown) ? missingText() : QString();      // else it stands in the plot's place
    const auto &elbow = m_shown.elbow();
    if (!elbow)
        return tr("no elbow: no point lies below the straight line between the curve's ends");
    return (m_shown.isElbowMeasured() ? tr("measured: further layers pay less from K = %1 on (95 %: %2 to %3)") : tr("predicted: further layers pay less from K = %1 on (95 %: %2 to %3)")).arg(elbow->keep).arg(elbow->low).arg(elbow->high);
}

QString KlCurvePlot::pointText(int keep) const
{
    const QLocale locale;
    const auto number = [&](double value) { return locale.toString(value, 'f', 4); };
    QStringList parts;
    if (const analysis::KlPoint *one = m_shown.predicted.at(keep))
        parts << (report::reachOf(*one) ? tr("predicted %1 (%2 to %3), n = %4").arg(number(one->klNats.mean), number(one->klNats.low), number(one->klNats.high)) : tr("predicted %1, n = %2").arg(number(one->klNats.mean))).arg(one->klNats.n);
    if (const analysis::KlPoint *one = m_shown.measured.at(keep))
        parts << (report::reachOf(*one) ? tr("measured %1 (%2 to %3), n = %4").arg(number(one->klNats.mean), number(one->klNats.low), number(one->klNats.high)) : tr("measured %1, n = %2").arg(number(one->klNats.mean))).arg(one->klNats.n);
    return parts.isEmpty() ? QString() : tr("K = %1: %2 nats/token").arg(keep).arg(parts.join(QStringLiteral(" · ")));
}

void KlCurvePlot::refresh()
{
    m_shown = shown();
    const bool any = hasPoints(m_shown);
    if (any)
        setEmptyText({});
    else if (!m_session.teacher().isValid())
        setEmptyText(tr("What another softmax layer is worth appears here."));
    else if (!m_session.shownScoring())
        setEmptyText(tr("No scores yet.\nPress “Score layers”: the KL that they predict for every K appears here."));
    else
        setEmptyText(isOnItsWay() ? tr("The curve appears here in a moment.") : missingText());
    drawPrediction();
    drawMeasured();
    fitAxes();
    drawElbow();
    stylePoints();
    plot().legend->setVisible(any);
    markKeep();
    drawInTurn();
    Q_EMIT changed();
}

void KlCurvePlot::drawPrediction()
{
    QVector<double> keeps, means, banded, lows, highs;
    for (const analysis::KlPoint &point : m_shown.predicted.points) {
        keeps << point.keep;
        means << point.klNats.mean;
        if (!report::reachOf(point))
            continue;
        banded << point.keep;
        lows << point.klNats.low;
        highs << point.klNats.high;
    }
    m_line->setData(keeps, means, true);
    m_low->setData(banded, lows, true);
    m_band->setData(banded, highs, true);
    for (QCPGraph *one : {m_band, m_line})
        if (one->data()->isEmpty())
            one->removeFromLegend();
        else
            one->addToLegend();
}

void KlCurvePlot::drawMeasured()
{
    QVector<double> keeps, means, reaches;
    for (const analysis::KlPoint &point : m_shown.measured.points) {
        keeps << point.keep;
        means << point.klNats.mean;
        reaches << report::reachOf(point).value_or(std::numeric_limits<double>::quiet_NaN());
    }
    m_points->setData(keeps, means, true);
    m_whiskers->setData(reaches);
    if (keeps.isEmpty())
        m_points->removeFromLegend();
    else
        m_points->addToLegend();
}

/// Its interval as wide as the K in it.
void KlCurvePlot::drawElbow()
{
    const auto &elbow = m_shown.elbow();
    m_elbow->setVisible(elbow.has_value());
    m_elbowBand->setVisible(elbow.has_value());
    if (!elbow) {
        m_elbow->setData({}, {}, true);
        m_elbow->removeFromLegend();
        return;
    }
    const double keep = elbow->keep;
    const QCPRange values = plot().yAxis->range();
    m_elbow->setData({keep, keep}, {values.lower, values.upper}, true);
    m_elbow->setName((m_shown.isElbowMeasured() ? tr("elbow, measured: K = %1") : tr("elbow, predicted: K = %1")).arg(elbow->keep));
    m_elbow->addToLegend();
    m_elbowBand->topLeft->setCoords(elbow->low - 0.5, 0.0);
    m_elbowBand->bottomRight->setCoords(elbow->high + 0.5, 1.0);
}

void KlCurvePlot::fitAxes()
{
    const auto [low, high] = report::klRange(m_shown);
    plot().xAxis->setRange(-0.5, std::max(1, m_shown.numLayers) + 0.5);
    plot().yAxis->setRange(low, high);
}

/// On the screen K changes faster than a legend can be laid out.
void KlCurvePlot::markKeep()
{
    const int keep = m_session.choice().keep();
    const QCPRange values = plot().yAxis->range();
    m_keep->setVisible(hasPoints(m_shown));
    m_keep->setData({static_cast<double>(keep), static_cast<double>(keep)}, {values.lower, values.upper}, true);
    m_keep->setName(tr("K = %1").arg(keep));
    if (paper() && hasPoints(m_shown))
        m_keep->addToLegend();
    const QString here = pointText(keep);
    setAccessibleDescription(!here.isEmpty() ? here : hasPoints(m_shown) ? tr("K = %1: neither predicted nor measured").arg(keep) : tr("no curve"));
}

void KlCurvePlot::stylePoints()
{
    const QColor colour = mixerColour(QString::fromStdString(m_shown.mixer));
    m_points->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, pen(colour, 1.4), colour, 7));
    m_whiskers->setPen(pen(colour, 1.2));
}

void KlCurvePlot::applyPalette()
{
    const QColor ink = palette().color(QPalette::Text), band = over(unchosenColour(palette()), palette().color(QPalette::Base), predictionStrength);      // opaque: paper wants no transparency
    m_line->setPen(pen(quietTextColour(palette()), 1.5));
    m_low->setPen(Qt::NoPen);
    m_band->setPen(pen(band, 1));
    m_band->setBrush(band);
    m_elbow->setPen(pen(ink, 1, Qt::DashLine));
    m_elbowBand->setPen(Qt::NoPen);
    m_elbowBand->setBrush(shadeColour(palette()));
    m_keep->setPen(pen(ink, 1, Qt::DotLine));
    stylePoints();
}

void KlCurvePlot::keyPressEvent(QKeyEvent *event)
{
    HybridChoice &choice = m_session.choice();
    switch (event->key()) {
    case Qt::Key_Left: choice.setKeep(choice.keep() - 1); return;
    case Qt::Key_Right: choice.setKeep(choice.keep() + 1); return;
    default: PlotView::keyPressEvent(event);
    }
}

}  // namespace stillroom::widgets
