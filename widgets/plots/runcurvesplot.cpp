// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/runcurvesplot.h"

#include "plots/plotlook.h"
#include "report/headfigures.h"
#include "views/keyaction.h"
#include "views/labels.h"
#include "views/palette.h"

#include <QKeyEvent>
#include <QLocale>
#include <QPointer>

#include <qcustomplot.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>

namespace stillroom::widgets {
namespace {

constexpr std::array<double, 5> smoothings{0.0, 0.6, 0.9, 0.97, 0.99};
constexpr double mostSmoothing = 0.9999;
constexpr float rawStrength = 0.35F;

bool isTime(CurveAgainst against) { return against == CurveAgainst::WallTime || against == CurveAgainst::ComputeTime; }

}  // namespace

QString seriesName(const QString &series)
{
    static const std::map<QString, const char *> words{{QStringLiteral("distill/kl"), QT_TRANSLATE_NOOP("stillroom::widgets::RunCurvesPlot", "KL in training (nats/token)")},
                                                       {QStringLiteral("distill/held_out_kl"), QT_TRANSLATE_NOOP("stillroom::widgets::RunCurvesPlot", "held-out KL (nats/token)")},
                                                       {QStringLiteral("distill/gradient_norm"), QT_TRANSLATE_NOOP("stillroom::widgets::RunCurvesPlot", "gradient norm")}};
    const auto found = words.find(series);
    return found == words.end() ? series : RunCurvesPlot::tr(found->second);
}

RunCurvesPlot::RunCurvesPlot(Comparison &comparison, QWidget *parent) : PlotView(parent), m_comparison(comparison), m_errand("curves of plot " + std::to_string(reinterpret_cast<std::uintptr_t>(this))), m_crosshair(new QCPItemLine(&plot()))
{
    setAccessibleName(tr("Curves of the compared experiments"));
    setToolTip(tr("L, Shift+L: logarithmic axes · ← →: values at a place · [ ]: smoothing · R: everything in sight · drag and wheel: move and zoom"));
    plot().setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    putLegendAbove(plot());
    for (QCPItemPosition *end : {m_crosshair->start, m_crosshair->end}) {
        end->setTypeX(QCPItemPosition::ptPlotCoords);
        end->setTypeY(QCPItemPosition::ptAxisRectRatio);
    }
    m_crosshair->setLayer(QStringLiteral("overlay"));
    m_crosshair->setVisible(false);
    connect(&comparison, &Comparison::changed, this, &RunCurvesPlot::invalidate);
    m_resting.setSingleShot(true);
    m_resting.setInterval(growthMs);
    connect(&m_resting, &QTimer::timeout, this, [this] {
        if (asked() != m_shown)
            refreshIfSeen();
    });
    connect(plot().xAxis, qOverload<const QCPRange &>(&QCPAxis::rangeChanged), this, [this] {
        if (!isVisible() || m_isPresenting)
            return;
        draw();
        shareRange();
    });
    connect(&plot(), &QCustomPlot::mousePress, this, [this] { setFocus(Qt::MouseFocusReason); });
    const auto moved = [this] { m_fits = hasOtherAxes(); };      // a range of an axis that goes in a moment
    connect(&plot(), &QCustomPlot::mouseWheel, this, moved);
    connect(&plot(), &QCustomPlot::mouseMove, this, [this, moved](QMouseEvent *event) {
        if (event->buttons() != Qt::NoButton)
            moved();
        else if (plot().axisRect()->rect().contains(event->position().toPoint()))
            lookNear(plot().xAxis->pixelToCoord(event->position().x()));
    });
    addKeyAction(*this, tr("Logarithmic axis"), Qt::Key_L, [this] { setLogarithmic(!m_logarithmic); });
    addKeyAction(*this, tr("Logarithmic x axis"), Qt::SHIFT | Qt::Key_L, [this] { setLogarithmicX(!m_logarithmicX); });
    addKeyAction(*this, tr("Less smoothing"), Qt::Key_BracketLeft, [this] { smoothMore(-1); });
    addKeyAction(*this, tr("More smoothing"), Qt::Key_BracketRight, [this] { smoothMore(1); });
    addKeyAction(*this, tr("Everything in sight again"), Qt::Key_R, [this] {
        m_fits = true;
        refresh();
        if (m_axis)
            m_axis->show(std::nullopt);
    });
    restyle();
    refresh();
}

QSize RunCurvesPlot::sizeHint() const { return {letterWidth(fontMetrics()) * 70, fontMetrics().height() * 16}; }

std::unique_ptr<PlotView> RunCurvesPlot::copy() const
{
    auto twin = std::make_unique<RunCurvesPlot>(m_comparison);
    twin->m_series = m_series;
    twin->m_against = m_against;
    twin->m_smoothing = m_smoothing;
    twin->m_logarithmicX = m_logarithmicX;
    twin->m_logarithmic = m_logarithmic;
    twin->m_drawn = m_drawn;      // what is there already is drawn from
    twin->invalidate();
    return twin;
}

report::Figure RunCurvesPlot::figure() const
{
    const CurvesAsked wanted = asked();
    const DrawnCurves smoothed = m_smoothing > 0.0 ? drawnCurves(wanted, m_drawn) : DrawnCurves();
    report::CurvesShown shown{.curves = {}, .who = "experiment", .xTitle = m_against == Against::Tokens ? "training tokens" : m_against == Against::Steps ? "steps" : m_against == Against::WallTime ? "time since the first point" : "compute time since the first point",
                              .xUnit = isTime(m_against) ? "s" : "", .valueTitle = seriesName(m_series).toStdString(), .unit = {}, .logarithmic = m_logarithmic, .logarithmicX = m_logarithmicX};
    for (std::size_t i = 0; i < wanted.sources.size(); ++i) {
        const ComparedExperiment &one = m_comparison.experiments()[i];
        report::CurvesShown::Curve &curve = shown.curves.emplace_back();
        curve.name = one.name().toStdString();
        curve.colour = runColour(one.look, QPalette(Qt::white)).name().mid(1).toUpper().toStdString();
        curve.dash = runDash(one.look) == Qt::SolidLine ? report::Dash::Solid : runDash(one.look) == Qt::DotLine ? report::Dash::Dotted : report::Dash::Dashed;
        const CurveSource &source = wanted.sources[i];
        for (std::size_t point = 0; point < source.numPoints(); ++point)
            curve.points.emplace_back(source.place(point, m_against), (*source.points)[point].value);
        if (i >= smoothed.size() || !smoothed[i])
            continue;
        curve.smoothed.assign(smoothed[i]->numBefore(), std::nan(""));
        for (const analysis::CurvePoint &point : smoothed[i]->line().points())
            curve.smoothed.push_back(point.y);
    }
    report::Provenance provenance{.title = "Curves of compared experiments", .version = {}, .runs = spec().runs, .keys = {}, .seeds = {}, .settings = {{"series", m_series.toStdString()}}, .date = {}};
    if (m_smoothing > 0.0)
        provenance.settings.emplace_back("smoothing", QString::number(m_smoothing).toStdString());
    return report::curvesFigure("run-curves", shown, std::move(provenance));
}

/// Places ascend: where the last one can be shown, something can.
bool RunCurvesPlot::hasFigure() const
{
    const CurvesAsked wanted = asked();
    return std::any_of(wanted.sources.begin(), wanted.sources.end(), [this](const CurveSource &source) {
        return source.numPoints() > 0 && (!m_logarithmicX || source.place(source.numPoints() - 1, m_against) > 0.0);
    });
}

report::FigureSpec RunCurvesPlot::spec() const
{
    report::FigureSpec spec;
    spec.plot = "run-curves";
    spec.series = m_series.toStdString();
    spec.over = report::overNames().at(static_cast<std::size_t>(m_against));
    spec.logarithmic = m_logarithmic;
    spec.logarithmicX = m_logarithmicX;
    spec.smoothing = m_smoothing;
    for (const ComparedExperiment &one : m_comparison.experiments())
        spec.runs.push_back(identityOf(one.row));
    return spec;
}

void RunCurvesPlot::setSeries(const QString &series)
{
    m_series = series;
    fitAgain();
}

void RunCurvesPlot::setLegend(Legend legend, const QString &beside)
{
    if (m_legend == legend && m_besideSeries == beside)
        return;
    m_legend = legend;
    m_besideSeries = beside;
    invalidate();
}

void RunCurvesPlot::setAgainst(Against against)
{
    m_against = against;
    fitAgain();
}

/// What was in sight, and where one looked, were places on another axis.
void RunCurvesPlot::fitAgain()
{
    m_fits = true;
    if (m_axis) {
        m_axis->lookAt(std::nullopt);
        m_axis->show(std::nullopt);
    }
    invalidate();
}

CurvesAsked RunCurvesPlot::asked() const
{
    CurvesAsked wanted{m_series, {m_against, m_smoothing, m_logarithmic, m_logarithmicX}, {}};
    for (const ComparedExperiment &one : m_comparison.experiments()) {
        const auto found = one.curves.find(m_series);
        wanted.sources.push_back({identityOf(one.row), found == one.curves.end() ? nullptr : found->second, one.pauses});
    }
    return wanted;
}

bool RunCurvesPlot::isBehind() const { return isStale() || asked() != m_shown; }

bool RunCurvesPlot::hasOtherAxes() const { return !m_shown.hasAxesOf(asked()); }

bool RunCurvesPlot::hasPoints() const
{
    return std::any_of(m_drawn.begin(), m_drawn.end(), [](const auto &curve) { return curve && curve->size() > 0; });
}

/// Null where it has gone meanwhile.
const ComparedExperiment *RunCurvesPlot::experimentOf(std::size_t curve) const
{
    const auto &all = m_comparison.experiments();
    const auto found = std::find_if(all.begin(), all.end(), [&](const ComparedExperiment &one) { return identityOf(one.row) == m_shown.sources[curve].identity; });
    return found == all.end() ? nullptr : &*found;
}

/// In the legend: one that has points here, or beside where this legend is that plot's too.
bool RunCurvesPlot::isNamed(const ComparedExperiment &one, const DrawnCurve *curve) const
{
    if (m_legend == Legend::None)      // an empty one takes no room
        return false;
    const auto beside = m_legend == Legend::Both ? one.curves.find(m_besideSeries) : one.curves.end();
    return (curve && curve->size() > 0) || (beside != one.curves.end() && !beside->second->empty());
}

/// What is not read again costs no time: few points, or curves that are known. What is on paper is there at once.
void RunCurvesPlot::refresh()
{
    const CurvesAsked wanted = asked();
    if (paper() || numPointsToDraw(wanted, m_drawn) <= fewPoints) {
        if (std::exchange(m_awaited, std::nullopt))
            m_comparison.drawing().stop(m_errand);
        present(wanted, drawnCurves(wanted, m_drawn));
        return;
    }
    const bool isNew = m_awaited != wanted;
    if (isNew && !mayWait(wanted))
        order(wanted);
    sayWhatIsMissing();
    if (isNew && hasPoints())      // it stays as it is
        return;
    applyPalette();
    draw();      // there may be other pixels
}

/// Nobody sees what is not shown: whatever was changed, it is read once when it is.
void RunCurvesPlot::refreshIfSeen()
{
    if (isVisible())
        refresh();
    else
        invalidate();
}

/// To stop what is under way whenever a curve has grown would be never to end it.
bool RunCurvesPlot::mayWait(const CurvesAsked &wanted) const
{
    return m_awaited ? wanted.isGrowthOf(*m_awaited) : m_resting.isActive() && wanted.isGrowthOf(m_shown);
}

void RunCurvesPlot::order(const CurvesAsked &wanted)
{
    m_awaited = wanted;
    m_comparison.drawing().run(m_errand, [plot = QPointer<RunCurvesPlot>(this), wanted, known = m_drawn](const std::stop_token &stop) -> Background::Answer {
        const auto drawn = std::make_shared<DrawnCurves>(drawnCurves(wanted, known, stop));
        if (stop.stop_requested())
            return {};
        return [plot, wanted, drawn] {
            if (plot)
                plot->take(wanted, std::move(*drawn));
        };
    });
}

void RunCurvesPlot::take(const CurvesAsked &wanted, DrawnCurves drawn)
{
    if (m_awaited != wanted) {      // it was on its way when another one was asked for
        m_comparison.drawing().release(std::make_shared<DrawnCurves>(std::move(drawn)));
        return;
    }
    m_awaited.reset();
    present(wanted, std::move(drawn));
    m_resting.start();
}

/// Ranges of another axis are no ranges of this one; another plot may have been moved along it already.
void RunCurvesPlot::present(const CurvesAsked &wanted, DrawnCurves drawn)
{
    const bool newX = !m_shown.hasXOf(wanted);
    m_fits = m_fits || !m_shown.hasAxesOf(wanted);
    m_shown = wanted;
    if (m_drawn != drawn)
        m_comparison.drawing().release(std::make_shared<DrawnCurves>(std::exchange(m_drawn, std::move(drawn))));
    m_isPresenting = true;      // it is drawn once, with all that is new
    makeGraphs();
    applyPalette();
    sayWhatIsMissing();
    labelAxes();
    const bool isZoomed = useWantedZoom();
    if (m_fits)
        fitAxes();
    if (newX && m_axis && m_axis->range())
        followRange();
    m_isPresenting = false;
    placeCrosshair();
    draw();
    if (isZoomed)
        shareRange();
    Q_EMIT this->drawn();
}

void RunCurvesPlot::makeGraphs()
{
    plot().clearGraphs();
    m_curves.clear();
    for (std::size_t i = 0; i < m_drawn.size(); ++i) {
        Curve &curve = m_curves.emplace_back();
        curve.raw = plot().addGraph();
        curve.raw->removeFromLegend();
        curve.line = plot().addGraph();
        const ComparedExperiment *one = experimentOf(i);
        if (one)
            curve.line->setName(one->name());
        if (!one || !isNamed(*one, m_drawn[i].get()))
            curve.line->removeFromLegend();
    }
    plot().legend->setVisible(hasPoints() && m_legend != Legend::None);
}

void RunCurvesPlot::sayWhatIsMissing()
{
    const auto &all = m_comparison.experiments();
    if (hasPoints())
        setEmptyText({});
    else if (all.empty())
        setEmptyText(tr("Select two to six runs on the Runs page and press D."));
    else if (m_awaited || std::any_of(all.begin(), all.end(), [](const ComparedExperiment &one) { return !one.isRead; }))
        setEmptyText(tr("The curves are being read…"));
    else
        setEmptyText(tr("None of these experiments has such a curve."));
}

/// Of what is shown: something else may be asked for already.
void RunCurvesPlot::labelAxes()
{
    const Against against = m_shown.scales.against;
    const bool logarithmic = m_shown.scales.logarithmic, logarithmicX = m_shown.scales.logarithmicX;
    plot().xAxis->setScaleType(logarithmicX ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    plot().xAxis->setTicker(logarithmicX ? logTicker() : isTime(against) ? evenTicker() : countTicker());
    plot().xAxis->setLabel(against == Against::Tokens ? tr("training tokens") : against == Against::Steps ? tr("steps") : against == Against::WallTime ? tr("time since the first point (s)") : tr("compute time since the first point (s)"));
    plot().yAxis->setScaleType(logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    plot().yAxis->setTicker(logarithmic ? logTicker() : evenTicker());
    plot().yAxis->setLabel(m_shown.series.isEmpty() ? QString() : seriesName(m_shown.series));
}

int RunCurvesPlot::numDropped() const
{
    std::size_t all = 0;
    for (const auto &curve : m_drawn)
        all += curve ? curve->numDropped() : 0;
    return static_cast<int>(all);
}

int RunCurvesPlot::numBeforeAxis() const
{
    std::size_t all = 0;
    for (const auto &curve : m_drawn)
        all += curve ? curve->numBefore() : 0;
    return static_cast<int>(all);
}

void RunCurvesPlot::fitAxes()
{
    DrawnCurve::Extent all;
    for (const auto &curve : m_drawn)
        if (curve)
            all = {std::min(all.left, curve->extent().left), std::max(all.right, curve->extent().right), std::min(all.low, curve->extent().low), std::max(all.high, curve->extent().high)};
    if (all.right < all.left)
        return;
    const double width = std::max(all.right - all.left, 1e-9);
    if (m_shown.scales.logarithmicX)
        plot().xAxis->setRange(all.left / 1.05, all.right * 1.05);
    else
        plot().xAxis->setRange(all.left - 0.01 * width, all.right + 0.02 * width);
    if (m_shown.scales.logarithmic)
        plot().yAxis->setRange(all.low * 0.8, all.high * 1.25);
    else
        plot().yAxis->setRange(std::min(0.0, all.low), all.high > 0.0 ? all.high * 1.06 : 1.0);
}

void RunCurvesPlot::draw()
{
    const QCPRange range = plot().xAxis->range();
    const int columns = std::max(1, plot().axisRect()->width());
    const bool logarithmicX = m_shown.scales.logarithmicX;
    const bool inSight = range.size() > 0.0 && (!logarithmicX || range.lower > 0.0);      // nothing of a curve is, where its axis has no width
    const auto drawnAt = [&](double x) { return logarithmicX ? std::log10(x) : x; };
    const auto fill = [&](QCPGraph *graph, const analysis::LongCurve &curve, const QPen &pen) {
        QVector<double> keys, shown;
        for (const analysis::CurvePoint &point : inSight ? curve.decimated(drawnAt(range.lower), drawnAt(range.upper), columns) : std::vector<analysis::CurvePoint>()) {
            keys << (logarithmicX ? std::pow(10.0, point.x) : point.x);
            shown << point.y;
        }
        // Where a column of pixels holds more than a line can show, a hair line covers the same pixels in a fraction of the time; on paper there is time.
        const bool dense = !paper() && keys.size() > 2 * columns;
        graph->setAntialiased(!dense);
        graph->setPen(dense ? QPen(pen.color(), 1.0) : pen);
        graph->setData(keys, shown, true);
    };
    for (std::size_t i = 0; i < m_curves.size(); ++i) {
        if (!m_drawn[i])
            continue;
        const Curve &curve = m_curves[i];
        fill(curve.line, m_drawn[i]->line(), curve.linePen);
        fill(curve.raw, m_drawn[i]->raw(), curve.rawPen);
        const bool few = m_drawn[i]->size() <= 40;
        curve.line->setScatterStyle(few ? QCPScatterStyle(QCPScatterStyle::ssDisc, curve.linePen.color(), 5) : QCPScatterStyle());
    }
    drawInTurn();
}

void RunCurvesPlot::applyPalette()
{
    m_crosshair->setPen(pen(quietTextColour(palette()), 1.0));
    for (std::size_t i = 0; i < m_curves.size(); ++i) {
        const ComparedExperiment *one = experimentOf(i);
        if (!one)
            continue;
        QColor colour = runColour(one->look, palette());
        m_curves[i].linePen = pen(colour, paper() ? 1.0 : 1.6, runDash(one->look));
        colour.setAlphaF(rawStrength);
        m_curves[i].rawPen = pen(colour, paper() ? 0.6 : 1.0);
    }
}

void RunCurvesPlot::resizeEvent(QResizeEvent *event)
{
    PlotView::resizeEvent(event);
    invalidate();      // there are as many points as pixels
}

std::optional<double> RunCurvesPlot::nearest(double x) const
{
    std::optional<double> best;
    const auto take = [&](double one) {
        if (!best || std::abs(one - x) < std::abs(*best - x))
            best = one;
    };
    for (const auto &curve : m_drawn) {
        const std::size_t next = curve ? curve->notBefore(x) : 0;
        if (curve && next < curve->size())
            take(curve->x(next));
        if (next > 0)
            take(curve->x(next - 1));
    }
    return best;
}

std::vector<CurveReading> RunCurvesPlot::readings(const std::optional<double> &x) const
{
    const auto &compared = m_comparison.experiments();
    const auto isOf = [](const CurveSource &source, const ComparedExperiment &one) { return source.identity == identityOf(one.row); };
    if (!m_shown.hasXOf(asked()) || !std::equal(m_shown.sources.begin(), m_shown.sources.end(), compared.begin(), compared.end(), isOf))
        return {};
    std::vector<CurveReading> all;
    for (const auto &curve : m_drawn)
        all.push_back(reading(curve.get(), x));
    return all;
}

CurveReading RunCurvesPlot::reading(const DrawnCurve *curve, const std::optional<double> &x) const
{
    if (!curve || curve->size() == 0)
        return {};
    const double where = x.value_or(curve->x(curve->size() - 1));
    std::size_t at = curve->notBefore(where);
    CurveReading reading;
    reading.state = at == curve->size() ? CurveReading::State::Over : where < curve->x(0) ? CurveReading::State::NotYet : CurveReading::State::There;
    if (at == curve->size() || (at > 0 && where - curve->x(at - 1) < curve->x(at) - where))
        --at;
    reading.x = curve->x(at);
    if (reading.state == CurveReading::State::There && std::isfinite(curve->smoothed(at)))
        reading.value = curve->smoothed(at);
    return reading;
}

void RunCurvesPlot::lookNear(double x)
{
    if (isStale() || hasOtherAxes())      // its points are still those of another axis
        return;
    if (const auto place = m_axis ? nearest(x) : std::nullopt)
        m_axis->lookAt(place);
}

/// By at least a pixel: where there are more points than pixels nobody would see it move. The first step begins at the edge that lies behind it.
void RunCurvesPlot::step(int pixels)
{
    if (!m_axis || isStale() || hasOtherAxes())
        return;
    QCPAxis &axis = *plot().xAxis;
    const bool onwards = pixels > 0;
    const double from = m_axis->place() ? axis.pixelToCoord(axis.coordToPixel(*m_axis->place()) + pixels) : onwards ? axis.range().lower : axis.range().upper;
    std::optional<double> best;
    for (const auto &curve : m_drawn) {
        const std::size_t next = !curve ? 0 : onwards ? curve->notBefore(from) : curve->behind(from);
        if (!curve || next == (onwards ? curve->size() : 0))
            continue;
        const double there = curve->x(onwards ? next : next - 1);
        best = !best ? there : onwards ? std::min(*best, there) : std::max(*best, there);
    }
    if (best)
        m_axis->lookAt(best);
}

bool RunCurvesPlot::event(QEvent *event)
{
    const bool leaves = event->type() == QEvent::ShortcutOverride && static_cast<QKeyEvent *>(event)->key() == Qt::Key_Escape && m_axis && m_axis->place();
    if (leaves)      // else the window would take it, for the selected layer
        event->accept();
    return leaves || PlotView::event(event);
}

void RunCurvesPlot::keyPressEvent(QKeyEvent *event)
{
    if (!m_axis || event->modifiers() != Qt::NoModifier)
        return PlotView::keyPressEvent(event);
    refreshStale();      // the crosshair stands on points that are to be there
    switch (event->key()) {
    case Qt::Key_Left: return step(-1);
    case Qt::Key_Right: return step(1);
    case Qt::Key_Home: return lookNear(-1e300);
    case Qt::Key_End: return lookNear(1e300);
    case Qt::Key_Escape:
        if (m_axis->place())
            return m_axis->lookAt(std::nullopt);
        break;
    default: break;
    }
    PlotView::keyPressEvent(event);
}

void RunCurvesPlot::link(LinkedAxis &axis)
{
    m_axis = &axis;
    plot().layer(QStringLiteral("overlay"))->setMode(QCPLayer::lmBuffered);      // the crosshair moves without the curves being drawn again
    describeKeys(*this, QStringLiteral("← → Home End"), tr("Crosshair to the next point, the first, the last"));
    describeKeys(*this, QStringLiteral("Esc"), tr("Without the crosshair"));
    connect(&axis, &LinkedAxis::placeChanged, this, &RunCurvesPlot::showPlace);
    connect(&axis, &LinkedAxis::rangeChanged, this, &RunCurvesPlot::followRange);
    connect(&axis, &LinkedAxis::scaleChanged, this, [this] { setLogarithmicX(m_axis->isLogarithmic()); });
}

/// Another plot was moved along x: how high this one reaches stays.
void RunCurvesPlot::followRange()
{
    if (hasOtherAxes())      // it comes in a moment, and follows then
        return;
    const auto &range = m_axis->range();
    const QCPRange own = plot().xAxis->range();
    if (range && own.lower == range->first && own.upper == range->second)
        return;
    m_fits = !range;
    if (range)
        plot().xAxis->setRange(range->first, range->second);
    else if (isVisible())
        refresh();
}

/// With the plots of the same axis, where somebody has moved along it.
void RunCurvesPlot::shareRange()
{
    if (isVisible() && m_axis && !m_fits)
        m_axis->show(std::pair(plot().xAxis->range().lower, plot().xAxis->range().upper));
}

void RunCurvesPlot::showPlace()
{
    placeCrosshair();
    if (isVisible())
        m_crosshair->layer()->replot();
}

void RunCurvesPlot::placeCrosshair()
{
    const bool shown = m_axis && m_axis->place() && !m_series.isEmpty();
    m_crosshair->setVisible(shown);
    if (shown) {
        m_crosshair->start->setCoords(*m_axis->place(), 0.0);
        m_crosshair->end->setCoords(*m_axis->place(), 1.0);
    }
    describe();
}

void RunCurvesPlot::describe()
{
    QStringList all;
    const bool looks = m_axis && m_axis->place();
    const std::vector<CurveReading> read = readings(looks ? m_axis->place() : std::nullopt);
    for (std::size_t i = 0; i < read.size() && i < m_comparison.experiments().size(); ++i)
        if (const QString &name = m_comparison.experiments()[i].name(); read[i].value && looks)
            all << tr("%1: %2 at %3").arg(name, QLocale().toString(*read[i].value, 'g', 4), QLocale().toString(read[i].x, 'g', 6));
        else if (!looks && read[i].state == CurveReading::State::There)
            all << tr("%1 ends at %2").arg(name, QLocale().toString(m_drawn[i]->measured(m_drawn[i]->size() - 1), 'g', 4));
    setAccessibleDescription(all.isEmpty() ? tr("no data yet") : all.join(QStringLiteral("; ")));
}

void RunCurvesPlot::setSmoothing(double weight)
{
    m_smoothing = std::isfinite(weight) ? std::clamp(weight, 0.0, mostSmoothing) : 0.0;
    refreshIfSeen();
}

void RunCurvesPlot::setLogarithmic(bool on)
{
    m_logarithmic = on;
    m_fits = true;
    refreshIfSeen();
}

void RunCurvesPlot::setLogarithmicX(bool on)
{
    if (m_logarithmicX == on)
        return;
    m_logarithmicX = on;
    m_fits = true;
    if (m_axis) {
        m_axis->setLogarithmic(on);      // first: the other plots stay as they are until theirs is here
        m_axis->show(std::nullopt);
    }
    refreshIfSeen();
}

void RunCurvesPlot::smoothMore(int by)
{
    const auto next = std::upper_bound(smoothings.begin(), smoothings.end(), m_smoothing), from = std::lower_bound(smoothings.begin(), smoothings.end(), m_smoothing);
    if (by > 0 && next != smoothings.end())
        setSmoothing(*next);
    else if (by < 0 && from != smoothings.begin())
        setSmoothing(*std::prev(from));
}

QVariantMap RunCurvesPlot::zoom() const
{
    if (!m_wantedZoom.isEmpty())
        return m_wantedZoom;
    if (m_fits || m_curves.empty())
        return {};
    const QCPRange x = plot().xAxis->range(), y = plot().yAxis->range();
    return {{QStringLiteral("series"), m_series}, {QStringLiteral("against"), static_cast<int>(m_against)}, {QStringLiteral("logarithmic"), m_logarithmic}, {QStringLiteral("logarithmicX"), m_logarithmicX},
            {QStringLiteral("ranges"), QVariantList{x.lower, x.upper, y.lower, y.upper}}};
}

/// Whether there was one, of these axes.
bool RunCurvesPlot::useWantedZoom()
{
    if (m_wantedZoom.isEmpty() || !hasPoints() || hasOtherAxes())
        return false;
    const QVariantMap wanted = std::exchange(m_wantedZoom, {});
    const QVariantList ranges = wanted.value(QStringLiteral("ranges")).toList();
    const bool same = wanted.value(QStringLiteral("series")).toString() == m_series && wanted.value(QStringLiteral("against")).toInt() == static_cast<int>(m_against)
                      && wanted.value(QStringLiteral("logarithmic")).toBool() == m_logarithmic && wanted.value(QStringLiteral("logarithmicX")).toBool() == m_logarithmicX;
    if (!same || ranges.size() != 4 || !QCPRange::validRange(ranges[0].toDouble(), ranges[1].toDouble()) || !QCPRange::validRange(ranges[2].toDouble(), ranges[3].toDouble()))
        return false;
    m_fits = false;
    plot().xAxis->setRange(ranges[0].toDouble(), ranges[1].toDouble());
    plot().yAxis->setRange(ranges[2].toDouble(), ranges[3].toDouble());
    return true;
}

}  // namespace stillroom::widgets
