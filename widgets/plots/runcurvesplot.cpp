// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/runcurvesplot.h"

#include "analysis/computetime.h"
#include "analysis/smooth.h"
#include "plots/plotlook.h"
#include "report/headfigures.h"
#include "views/keyaction.h"
#include "views/labels.h"
#include "views/palette.h"

#include <QKeyEvent>
#include <QLocale>

#include <qcustomplot.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <utility>

namespace stillroom::widgets {
namespace {

constexpr std::array<double, 5> smoothings{0.0, 0.6, 0.9, 0.97, 0.99};
constexpr double mostSmoothing = 0.9999;
constexpr float rawStrength = 0.35F;

}  // namespace

QString seriesName(const QString &series)
{
    static const std::map<QString, const char *> words{{QStringLiteral("distill/kl"), QT_TRANSLATE_NOOP("stillroom::widgets::RunCurvesPlot", "KL in training (nats/token)")},
                                                       {QStringLiteral("distill/held_out_kl"), QT_TRANSLATE_NOOP("stillroom::widgets::RunCurvesPlot", "held-out KL (nats/token)")},
                                                       {QStringLiteral("distill/gradient_norm"), QT_TRANSLATE_NOOP("stillroom::widgets::RunCurvesPlot", "gradient norm")}};
    const auto found = words.find(series);
    return found == words.end() ? series : RunCurvesPlot::tr(found->second);
}

RunCurvesPlot::RunCurvesPlot(Comparison &comparison, QWidget *parent) : PlotView(parent), m_comparison(comparison), m_crosshair(new QCPItemLine(&plot()))
{
    setAccessibleName(tr("Curves of the compared experiments"));
    setToolTip(tr("L, Shift+L: logarithmic axes · ← →: values at a place · [ ]: smoothing · R: everything in sight · drag and wheel: move and zoom"));
    plot().setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    plot().yAxis->setTicker(evenTicker());
    putLegendAbove(plot());
    for (QCPItemPosition *end : {m_crosshair->start, m_crosshair->end}) {
        end->setTypeX(QCPItemPosition::ptPlotCoords);
        end->setTypeY(QCPItemPosition::ptAxisRectRatio);
    }
    m_crosshair->setLayer(QStringLiteral("overlay"));
    m_crosshair->setVisible(false);
    connect(&comparison, &Comparison::changed, this, &RunCurvesPlot::invalidate);
    connect(plot().xAxis, qOverload<const QCPRange &>(&QCPAxis::rangeChanged), this, [this] {
        if (!isVisible())
            return;
        draw();
        if (m_axis && !m_fits)
            m_axis->show(std::pair(plot().xAxis->range().lower, plot().xAxis->range().upper));
    });
    connect(&plot(), &QCustomPlot::mousePress, this, [this] { setFocus(Qt::MouseFocusReason); });
    const auto moved = [this] { m_fits = false; };
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
    twin->setLogarithmicX(m_logarithmicX);
    twin->setLogarithmic(m_logarithmic);
    return twin;
}

report::Figure RunCurvesPlot::figure() const
{
    report::CurvesShown shown{.curves = {}, .who = "experiment", .xTitle = m_against == Against::Tokens ? "training tokens" : m_against == Against::Steps ? "steps" : m_against == Against::WallTime ? "time since the first point" : "compute time since the first point",
                              .xUnit = isTime() ? "s" : "", .valueTitle = seriesName(m_series).toStdString(), .unit = {}, .logarithmic = m_logarithmic, .logarithmicX = m_logarithmicX};
    for (std::size_t i = 0; i < m_curves.size() && i < m_comparison.experiments().size(); ++i) {
        const ComparedExperiment &one = m_comparison.experiments()[i];
        report::CurvesShown::Curve &curve = shown.curves.emplace_back();
        curve.name = one.name().toStdString();
        curve.colour = runColour(one.look, QPalette(Qt::white)).name().mid(1).toUpper().toStdString();
        curve.dash = runDash(one.look) == Qt::SolidLine ? report::Dash::Solid : runDash(one.look) == Qt::DotLine ? report::Dash::Dotted : report::Dash::Dashed;
        if (const auto points = one.curves.find(m_series); points != one.curves.end())
            for (const store::MetricPoint &point : points->second)
                curve.points.emplace_back(place(point, points->second.front(), one), point.value);
        if (m_smoothing > 0.0)
            curve.smoothed = m_curves[i].smooth;
        if (m_smoothing > 0.0)
            curve.smoothed.insert(curve.smoothed.begin(), m_curves[i].numBefore, std::nan(""));
    }
    report::Provenance provenance{.title = "Curves of compared experiments", .version = {}, .runs = spec().runs, .keys = {}, .seeds = {}, .settings = {{"series", m_series.toStdString()}}, .date = {}};
    if (m_smoothing > 0.0)
        provenance.settings.emplace_back("smoothing", QString::number(m_smoothing).toStdString());
    return report::curvesFigure("run-curves", shown, std::move(provenance));
}

bool RunCurvesPlot::hasFigure() const
{
    return std::any_of(m_curves.begin(), m_curves.end(), [](const Curve &curve) { return !curve.x.empty(); });
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

double RunCurvesPlot::place(const store::MetricPoint &point, const store::MetricPoint &first, const ComparedExperiment &one) const
{
    switch (m_against) {
    case Against::Tokens: return static_cast<double>(point.tokens);
    case Against::Steps: return static_cast<double>(point.step);
    case Against::WallTime: return point.timeSeconds - first.timeSeconds;
    case Against::ComputeTime: return analysis::computeSeconds(first.timeSeconds, point.timeSeconds, one.pauses);
    }
    return 0.0;
}

analysis::LongCurve RunCurvesPlot::drawnCurve(const std::vector<double> &x, const std::vector<double> &y) const
{
    std::vector<analysis::CurvePoint> points;
    points.reserve(x.size());
    for (std::size_t i = 0; i < x.size(); ++i)
        points.push_back({m_logarithmicX ? std::log10(x[i]) : x[i], y[i]});      // columns of pixels are equally wide there
    return analysis::LongCurve(std::move(points));
}

RunCurvesPlot::Curve RunCurvesPlot::readCurve(const ComparedExperiment &one)
{
    Curve curve;
    const auto found = one.curves.find(m_series);
    if (found == one.curves.end())
        return curve;
    for (const store::MetricPoint &point : found->second) {
        const double x = place(point, found->second.front(), one);
        const bool hasPlace = !m_logarithmicX || x > 0.0, hasHeight = !m_logarithmic || point.value > 0.0 || !std::isfinite(point.value);
        curve.numBefore += hasPlace ? 0 : 1;
        m_numDropped += hasPlace && !hasHeight ? 1 : 0;
        curve.x.push_back(x);
        curve.y.push_back(hasHeight && std::isfinite(point.value) ? point.value : std::nan(""));
    }
    curve.smooth = analysis::smooth(curve.y, m_smoothing);
    m_numBeforeAxis += static_cast<int>(curve.numBefore);
    for (std::vector<double> *all : {&curve.x, &curve.y, &curve.smooth})      // they ascend: it is the first ones
        all->erase(all->begin(), all->begin() + static_cast<std::ptrdiff_t>(curve.numBefore));
    return curve;
}

/// In the legend: one that has points here, or beside where this legend is that plot's too.
bool RunCurvesPlot::isNamed(const ComparedExperiment &one, const Curve &curve) const
{
    if (m_legend == Legend::None)      // an empty one takes no room
        return false;
    const auto beside = m_legend == Legend::Both ? one.curves.find(m_besideSeries) : one.curves.end();
    return !curve.x.empty() || (beside != one.curves.end() && !beside->second.empty());
}

void RunCurvesPlot::readCurves()
{
    plot().clearGraphs();
    m_curves.clear();
    m_numDropped = m_numBeforeAxis = 0;
    for (const ComparedExperiment &one : m_comparison.experiments()) {
        Curve curve = readCurve(one);
        curve.shownLine = drawnCurve(curve.x, curve.smooth);
        if (m_smoothing > 0.0)      // else one would cover the other
            curve.shownRaw = drawnCurve(curve.x, curve.y);
        curve.raw = plot().addGraph();
        curve.raw->removeFromLegend();
        curve.line = plot().addGraph();
        curve.line->setName(one.name());
        if (!isNamed(one, curve))
            curve.line->removeFromLegend();
        m_curves.push_back(std::move(curve));
    }
}

void RunCurvesPlot::refresh()
{
    readCurves();
    applyPalette();
    const bool any = std::any_of(m_curves.begin(), m_curves.end(), [](const Curve &curve) { return !curve.x.empty(); });
    setEmptyText(any ? QString() : m_curves.empty() ? tr("Select two to six runs on the Runs page and press D.") : tr("None of these experiments has such a curve."));
    plot().legend->setVisible(any && m_legend != Legend::None);
    plot().xAxis->setLabel(m_against == Against::Tokens ? tr("training tokens") : m_against == Against::Steps ? tr("steps") : m_against == Against::WallTime ? tr("time since the first point (s)") : tr("compute time since the first point (s)"));
    plot().xAxis->setTicker(m_logarithmicX ? logTicker() : isTime() ? evenTicker() : countTicker());
    plot().yAxis->setLabel(m_series.isEmpty() ? QString() : seriesName(m_series));
    useWantedZoom();
    if (m_fits)
        fitAxes();
    showPlace();
    draw();
    Q_EMIT drawn();
}

void RunCurvesPlot::fitAxes()
{
    double left = 1e300, right = -1e300, low = 1e300, high = -1e300;
    for (const Curve &curve : m_curves)
        for (std::size_t i = 0; i < curve.x.size(); ++i)
            if (!std::isnan(curve.y[i])) {
                left = std::min(left, curve.x[i]);
                right = std::max(right, curve.x[i]);
                low = std::min(low, curve.y[i]);
                high = std::max(high, curve.y[i]);
            }
    if (right < left)
        return;
    const double width = std::max(right - left, 1e-9);
    if (m_logarithmicX)
        plot().xAxis->setRange(left / 1.05, right * 1.05);
    else
        plot().xAxis->setRange(left - 0.01 * width, right + 0.02 * width);
    if (m_logarithmic)
        plot().yAxis->setRange(low * 0.8, high * 1.25);
    else
        plot().yAxis->setRange(std::min(0.0, low), high > 0.0 ? high * 1.06 : 1.0);
}

void RunCurvesPlot::draw()
{
    const QCPRange range = plot().xAxis->range();
    const int columns = std::max(1, plot().axisRect()->width());
    const auto fill = [&](QCPGraph *graph, const analysis::LongCurve &curve, const QPen &pen) {
        QVector<double> keys, shown;
        const auto drawnAt = [&](double x) { return m_logarithmicX ? std::log10(x) : x; };
        const bool inSight = range.size() > 0.0 && (!m_logarithmicX || range.lower > 0.0);
        for (const analysis::CurvePoint &point : inSight ? curve.decimated(drawnAt(range.lower), drawnAt(range.upper), columns) : curve.points()) {
            keys << (m_logarithmicX ? std::pow(10.0, point.x) : point.x);
            shown << point.y;
        }
        // Where a column of pixels holds more than a line can show, a hair line covers the same pixels in a fraction of the time; on paper there is time.
        const bool dense = !paper() && keys.size() > 2 * columns;
        graph->setAntialiased(!dense);
        graph->setPen(dense ? QPen(pen.color(), 1.0) : pen);
        graph->setData(keys, shown, true);
    };
    for (const Curve &curve : m_curves) {
        fill(curve.line, curve.shownLine, curve.linePen);
        fill(curve.raw, curve.shownRaw, curve.rawPen);
        const bool few = curve.x.size() <= 40;
        curve.line->setScatterStyle(few ? QCPScatterStyle(QCPScatterStyle::ssDisc, curve.linePen.color(), 5) : QCPScatterStyle());
    }
    plot().replot(QCustomPlot::rpQueuedReplot);
}

void RunCurvesPlot::applyPalette()
{
    m_crosshair->setPen(pen(quietTextColour(palette()), 1.0));
    for (std::size_t i = 0; i < m_curves.size() && i < m_comparison.experiments().size(); ++i) {
        const int look = m_comparison.experiments()[i].look;
        QColor colour = runColour(look, palette());
        m_curves[i].linePen = pen(colour, paper() ? 1.0 : 1.6, runDash(look));
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
    for (const Curve &curve : m_curves) {
        const auto next = std::lower_bound(curve.x.begin(), curve.x.end(), x);
        if (next != curve.x.end())
            take(*next);
        if (next != curve.x.begin())
            take(*std::prev(next));
    }
    return best;
}

std::vector<CurveReading> RunCurvesPlot::readings(const std::optional<double> &x) const
{
    std::vector<CurveReading> all;
    for (const Curve &curve : m_curves) {
        CurveReading &reading = all.emplace_back();
        if (curve.x.empty())
            continue;
        const double where = x.value_or(curve.x.back());
        auto at = static_cast<std::size_t>(std::lower_bound(curve.x.begin(), curve.x.end(), where) - curve.x.begin());
        reading.state = at == curve.x.size() ? CurveReading::State::Over : where < curve.x.front() ? CurveReading::State::NotYet : CurveReading::State::There;
        if (at == curve.x.size() || (at > 0 && where - curve.x[at - 1] < curve.x[at] - where))
            --at;
        reading.x = curve.x[at];
        if (reading.state == CurveReading::State::There && std::isfinite(curve.smooth[at]))
            reading.value = curve.smooth[at];
    }
    return all;
}

void RunCurvesPlot::lookNear(double x)
{
    if (isStale())      // its points are still those of another axis
        return;
    if (const auto place = m_axis ? nearest(x) : std::nullopt)
        m_axis->lookAt(place);
}

/// By at least a pixel: where there are more points than pixels nobody would see it move. The first step begins at the edge that lies behind it.
void RunCurvesPlot::step(int pixels)
{
    if (!m_axis || isStale())
        return;
    QCPAxis &axis = *plot().xAxis;
    const bool onwards = pixels > 0;
    const double from = m_axis->place() ? axis.pixelToCoord(axis.coordToPixel(*m_axis->place()) + pixels) : onwards ? axis.range().lower : axis.range().upper;
    std::optional<double> best;
    for (const Curve &curve : m_curves) {
        auto next = onwards ? std::lower_bound(curve.x.begin(), curve.x.end(), from) : std::upper_bound(curve.x.begin(), curve.x.end(), from);
        if (next == (onwards ? curve.x.end() : curve.x.begin()))
            continue;
        const double there = onwards ? *next : *std::prev(next);
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

void RunCurvesPlot::showPlace()
{
    const bool shown = m_axis && m_axis->place() && !m_series.isEmpty();
    m_crosshair->setVisible(shown);
    if (shown) {
        m_crosshair->start->setCoords(*m_axis->place(), 0.0);
        m_crosshair->end->setCoords(*m_axis->place(), 1.0);
    }
    describe();
    if (isVisible())
        m_crosshair->layer()->replot();
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
            all << tr("%1 ends at %2").arg(name, QLocale().toString(m_curves[i].y.back(), 'g', 4));
    setAccessibleDescription(all.isEmpty() ? tr("no data yet") : all.join(QStringLiteral("; ")));
}

void RunCurvesPlot::setSmoothing(double weight)
{
    m_smoothing = std::isfinite(weight) ? std::clamp(weight, 0.0, mostSmoothing) : 0.0;
    refresh();
}

void RunCurvesPlot::setLogarithmic(bool on)
{
    m_logarithmic = on;
    m_fits = true;
    plot().yAxis->setScaleType(on ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    plot().yAxis->setTicker(on ? logTicker() : evenTicker());
    refresh();
}

void RunCurvesPlot::setLogarithmicX(bool on)
{
    if (m_logarithmicX == on)
        return;
    m_logarithmicX = on;
    m_fits = true;
    plot().xAxis->setScaleType(on ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    if (m_axis) {
        m_axis->show(std::nullopt);
        m_axis->setLogarithmic(on);
    }
    refresh();
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

void RunCurvesPlot::useWantedZoom()
{
    const bool any = std::any_of(m_curves.begin(), m_curves.end(), [](const Curve &curve) { return !curve.x.empty(); });
    if (m_wantedZoom.isEmpty() || !any)
        return;
    const QVariantMap wanted = std::exchange(m_wantedZoom, {});
    const QVariantList ranges = wanted.value(QStringLiteral("ranges")).toList();
    const bool same = wanted.value(QStringLiteral("series")).toString() == m_series && wanted.value(QStringLiteral("against")).toInt() == static_cast<int>(m_against)
                      && wanted.value(QStringLiteral("logarithmic")).toBool() == m_logarithmic && wanted.value(QStringLiteral("logarithmicX")).toBool() == m_logarithmicX;
    if (!same || ranges.size() != 4 || !QCPRange::validRange(ranges[0].toDouble(), ranges[1].toDouble()) || !QCPRange::validRange(ranges[2].toDouble(), ranges[3].toDouble()))
        return;
    m_fits = false;
    plot().xAxis->setRange(ranges[0].toDouble(), ranges[1].toDouble());
    plot().yAxis->setRange(ranges[2].toDouble(), ranges[3].toDouble());
}

}  // namespace stillroom::widgets
