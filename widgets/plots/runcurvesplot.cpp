// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/runcurvesplot.h"

#include "analysis/smooth.h"
#include "plots/plotlook.h"
#include "report/headfigures.h"
#include "views/keyaction.h"
#include "views/palette.h"

#include <QLocale>

#include <qcustomplot.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

namespace stillroom::widgets {
namespace {

constexpr std::array<double, 5> smoothings{0.0, 0.6, 0.9, 0.97, 0.99};
constexpr double mostSmoothing = 0.9999;
constexpr float rawStrength = 0.35F;

analysis::LongCurve longCurve(const std::vector<double> &x, const std::vector<double> &y)
{
    std::vector<analysis::CurvePoint> points;
    points.reserve(x.size());
    for (std::size_t i = 0; i < x.size(); ++i)
        points.push_back({x[i], y[i]});
    return analysis::LongCurve(std::move(points));
}

}  // namespace

QString seriesName(const QString &series)
{
    static const std::map<QString, const char *> words{{QStringLiteral("distill/kl"), QT_TRANSLATE_NOOP("stillroom::widgets::RunCurvesPlot", "KL in training (nats/token)")},
                                                       {QStringLiteral("distill/held_out_kl"), QT_TRANSLATE_NOOP("stillroom::widgets::RunCurvesPlot", "held-out KL (nats/token)")},
                                                       {QStringLiteral("distill/gradient_norm"), QT_TRANSLATE_NOOP("stillroom::widgets::RunCurvesPlot", "gradient norm")}};
    const auto found = words.find(series);
    return found == words.end() ? series : RunCurvesPlot::tr(found->second);
}

RunCurvesPlot::RunCurvesPlot(Comparison &comparison, QWidget *parent) : PlotView(parent), m_comparison(comparison)
{
    setAccessibleName(tr("Curves of the compared experiments"));
    setToolTip(tr("L: logarithmic axis · [ ]: smoothing · R: everything in sight · drag and wheel: move and zoom"));
    plot().setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    plot().yAxis->setTicker(evenTicker());
    putLegendAbove(plot());
    connect(&comparison, &Comparison::changed, this, &RunCurvesPlot::invalidate);
    connect(plot().xAxis, qOverload<const QCPRange &>(&QCPAxis::rangeChanged), this, [this] {
        if (isVisible())
            draw();
    });
    connect(&plot(), &QCustomPlot::mousePress, this, [this] { setFocus(Qt::MouseFocusReason); });
    const auto moved = [this] { m_fits = false; };
    connect(&plot(), &QCustomPlot::mouseWheel, this, moved);
    connect(&plot(), &QCustomPlot::mouseMove, this, [this, moved](QMouseEvent *event) {
        if (event->buttons() != Qt::NoButton)
            moved();
        plot().setToolTip(valuesAt(plot().xAxis->pixelToCoord(event->position().x())));
    });
    addKeyAction(*this, tr("Logarithmic axis"), Qt::Key_L, [this] { setLogarithmic(!m_logarithmic); });
    addKeyAction(*this, tr("Less smoothing"), Qt::Key_BracketLeft, [this] { smoothMore(-1); });
    addKeyAction(*this, tr("More smoothing"), Qt::Key_BracketRight, [this] { smoothMore(1); });
    addKeyAction(*this, tr("Everything in sight again"), Qt::Key_R, [this] {
        m_fits = true;
        refresh();
    });
    restyle();
    refresh();
}

QSize RunCurvesPlot::sizeHint() const { return {fontMetrics().averageCharWidth() * 70, fontMetrics().height() * 16}; }

std::unique_ptr<PlotView> RunCurvesPlot::copy() const
{
    auto twin = std::make_unique<RunCurvesPlot>(m_comparison);
    twin->m_series = m_series;
    twin->m_against = m_against;
    twin->m_smoothing = m_smoothing;
    twin->setLogarithmic(m_logarithmic);
    return twin;
}

report::Figure RunCurvesPlot::figure() const
{
    report::CurvesShown shown{.curves = {}, .who = "experiment", .xTitle = m_against == Against::Tokens ? "training tokens" : m_against == Against::Steps ? "steps" : "time since the first point",
                              .xUnit = m_against == Against::WallTime ? "s" : "", .valueTitle = seriesName(m_series).toStdString(), .unit = {}, .logarithmic = m_logarithmic};
    for (std::size_t i = 0; i < m_curves.size() && i < m_comparison.experiments().size(); ++i) {
        const ComparedExperiment &one = m_comparison.experiments()[i];
        report::CurvesShown::Curve &curve = shown.curves.emplace_back();
        curve.name = one.name().toStdString();
        curve.colour = runColour(one.look, QPalette(Qt::white)).name().mid(1).toUpper().toStdString();
        curve.dash = runDash(one.look) == Qt::SolidLine ? report::Dash::Solid : runDash(one.look) == Qt::DotLine ? report::Dash::Dotted : report::Dash::Dashed;
        if (const auto points = one.curves.find(m_series); points != one.curves.end())
            for (const store::MetricPoint &point : points->second)
                curve.points.emplace_back(place(point, points->second.front()), point.value);
        if (m_smoothing > 0.0)
            curve.smoothed = m_curves[i].smooth;
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
    spec.smoothing = m_smoothing;
    for (const ComparedExperiment &one : m_comparison.experiments())
        spec.runs.push_back(one.row.task.empty() ? one.row.uuid : one.row.uuid + "/" + one.row.task);
    return spec;
}

void RunCurvesPlot::setSeries(const QString &series)
{
    m_series = series;
    m_fits = true;
    invalidate();
}

void RunCurvesPlot::setAgainst(Against against)
{
    m_against = against;
    m_fits = true;
    invalidate();
}

double RunCurvesPlot::place(const store::MetricPoint &point, const store::MetricPoint &first) const
{
    switch (m_against) {
    case Against::Tokens: return static_cast<double>(point.tokens);
    case Against::Steps: return static_cast<double>(point.step);
    case Against::WallTime: return point.timeSeconds - first.timeSeconds;
    }
    return 0.0;
}

void RunCurvesPlot::readCurves()
{
    plot().clearGraphs();
    m_curves.clear();
    m_numDropped = 0;
    for (const ComparedExperiment &one : m_comparison.experiments()) {
        Curve curve;
        if (const auto found = one.curves.find(m_series); found != one.curves.end() && !found->second.empty())
            for (const store::MetricPoint &point : found->second) {
                const bool shown = !m_logarithmic || point.value > 0.0 || !std::isfinite(point.value);
                m_numDropped += shown ? 0 : 1;
                curve.x.push_back(place(point, found->second.front()));
                curve.y.push_back(shown && std::isfinite(point.value) ? point.value : std::nan(""));
            }
        curve.smooth = analysis::smooth(curve.y, m_smoothing);
        curve.shownLine = longCurve(curve.x, curve.smooth);
        if (m_smoothing > 0.0)      // else one would cover the other
            curve.shownRaw = longCurve(curve.x, curve.y);
        curve.raw = plot().addGraph();
        curve.raw->removeFromLegend();
        curve.line = plot().addGraph();
        curve.line->setName(one.name());
        if (curve.x.empty())
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
    plot().legend->setVisible(any);
    plot().xAxis->setLabel(m_against == Against::Tokens ? tr("training tokens") : m_against == Against::Steps ? tr("steps") : tr("time since the first point (s)"));
    plot().xAxis->setTicker(m_against == Against::WallTime ? evenTicker() : countTicker());
    plot().yAxis->setLabel(m_series.isEmpty() ? QString() : seriesName(m_series));
    useWantedZoom();
    if (m_fits)
        fitAxes();
    draw();
    describe();
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
        for (const analysis::CurvePoint &point : range.size() > 0.0 ? curve.decimated(range.lower, range.upper, columns) : curve.points()) {
            keys << point.x;
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

QString RunCurvesPlot::valuesAt(double x) const
{
    QStringList lines;
    const QLocale locale;
    for (std::size_t i = 0; i < m_curves.size() && i < m_comparison.experiments().size(); ++i) {
        const Curve &curve = m_curves[i];
        if (curve.x.empty())
            continue;
        auto at = static_cast<std::size_t>(std::lower_bound(curve.x.begin(), curve.x.end(), x) - curve.x.begin());
        if (at == curve.x.size() || (at > 0 && x - curve.x[at - 1] < curve.x[at] - x))
            --at;
        lines << tr("%1: %2 at %3").arg(m_comparison.experiments()[i].name(), locale.toString(curve.y[at], 'g', 4), locale.toString(curve.x[at], 'g', 6));
    }
    return lines.join(QLatin1Char('\n'));
}

void RunCurvesPlot::describe()
{
    QStringList last;
    for (std::size_t i = 0; i < m_curves.size(); ++i)
        if (!m_curves[i].y.empty())
            last << tr("%1 ends at %2").arg(m_comparison.experiments()[i].name(), QLocale().toString(m_curves[i].y.back(), 'g', 4));
    setAccessibleDescription(last.isEmpty() ? tr("no data yet") : last.join(QStringLiteral("; ")));
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
    return {{QStringLiteral("series"), m_series}, {QStringLiteral("against"), static_cast<int>(m_against)}, {QStringLiteral("logarithmic"), m_logarithmic},
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
                      && wanted.value(QStringLiteral("logarithmic")).toBool() == m_logarithmic;
    if (!same || ranges.size() != 4 || !QCPRange::validRange(ranges[0].toDouble(), ranges[1].toDouble()) || !QCPRange::validRange(ranges[2].toDouble(), ranges[3].toDouble()))
        return;
    m_fits = false;
    plot().xAxis->setRange(ranges[0].toDouble(), ranges[1].toDouble());
    plot().yAxis->setRange(ranges[2].toDouble(), ranges[3].toDouble());
}

}  // namespace stillroom::widgets
