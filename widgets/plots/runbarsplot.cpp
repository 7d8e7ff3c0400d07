// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/runbarsplot.h"

#include "models/experimenttable.h"
#include "plots/plotlook.h"
#include "report/runfigures.h"
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

constexpr double widestBar = 0.62;

}  // namespace

RunBarsPlot::RunBarsPlot(Comparison &comparison, QWidget *parent) : PlotView(parent), m_comparison(comparison)
{
    setAccessibleName(tr("Bars of the compared experiments"));
    plot().yAxis->setTicker(evenTicker());
    plot().legend->setVisible(false);      // names stand below the bars
    connect(&comparison, &Comparison::changed, this, &RunBarsPlot::invalidate);
    connect(&plot(), &QCustomPlot::afterLayout, this, &RunBarsPlot::nameBars);
    connect(&plot(), &QCustomPlot::mousePress, this, [this] { setFocus(Qt::MouseFocusReason); });
    connect(&plot(), &QCustomPlot::mouseMove, this, [this](QMouseEvent *event) {
        plot().setToolTip(barText(static_cast<int>(std::lround(plot().xAxis->pixelToCoord(event->position().x())))));
    });
    restyle();
    refresh();
}

QSize RunBarsPlot::sizeHint() const { return {letterWidth(fontMetrics()) * 70, fontMetrics().height() * 16}; }

std::unique_ptr<PlotView> RunBarsPlot::copy() const
{
    auto twin = std::make_unique<RunBarsPlot>(m_comparison);
    twin->setMeasure(m_measure);
    return twin;
}

std::optional<double> RunBarsPlot::valueOf(const ComparedExperiment &one) const
{
    return measureOf(one, m_measure.toStdString());
}

std::optional<double> RunBarsPlot::reachOf(const ComparedExperiment &one) const
{
    return widgets::reachOf(one, m_measure.toStdString());
}

report::Figure RunBarsPlot::figure() const
{
    if (m_measure.isEmpty())
        return {};
    const auto lower = lowerIsBetter(m_measure);
    report::RunBarsShown shown{.measure = measureName(m_measure).toStdString(), .unit = {}, .better = !lower ? report::Better::Neither : *lower ? report::Better::Lower : report::Better::Higher, .bars = {}};
    for (const ComparedExperiment &one : m_comparison.experiments())
        shown.bars.push_back({.name = one.name().toStdString(), .colour = runColour(one.look, QPalette(Qt::white)).name().mid(1).toUpper().toStdString(), .hatched = runHatch(one.look) != Qt::SolidPattern,
                              .value = valueOf(one), .reach = reachOf(one), .n = countOf(one, m_measure.toStdString())});
    report::Provenance provenance{.title = "A measure of compared experiments", .version = {}, .runs = spec().runs, .keys = {}, .seeds = {}, .settings = {{"measure", m_measure.toStdString()}}, .date = {}};
    return report::runBarsFigure(shown, std::move(provenance));
}

bool RunBarsPlot::hasFigure() const { return !m_bars.empty(); }

report::FigureSpec RunBarsPlot::spec() const
{
    report::FigureSpec spec;
    spec.plot = "run-bars";
    spec.series = m_measure.toStdString();
    for (const ComparedExperiment &one : m_comparison.experiments())
        spec.runs.push_back(identityOf(one.row));
    return spec;
}

void RunBarsPlot::setMeasure(const QString &measure)
{
    m_measure = measure;
    invalidate();
}

/// Where they stand and how high they reach is what the figure says, which becomes the files.
void RunBarsPlot::addBars(const report::Chart &chart)
{
    plot().clearPlottables();
    m_bars.clear();
    for (const report::Series &series : chart.series) {
        const report::Point &top = series.points.front();
        Bar &one = m_bars.emplace_back();
        one.look = m_comparison.experiments().at(static_cast<std::size_t>(top.x)).look;
        one.bar = new QCPBars(plot().xAxis, plot().yAxis);
        one.bar->setWidth(widestBar);
        one.bar->addData(top.x, top.y);
        one.reach = new QCPErrorBars(plot().xAxis, plot().yAxis);
        one.reach->setDataPlottable(one.bar);
        one.reach->setAntialiased(true);
        one.reach->setWhiskerWidth(9);
        one.reach->setSymbolGap(0);
        one.reach->addData(top.reach);
        one.reach->setVisible(top.reach > 0.0);
    }
    plot().xAxis->setRange(chart.x.low, chart.x.high);
    plot().yAxis->setRange(chart.y.low, chart.y.high);
}

void RunBarsPlot::refresh()
{
    addBars(figure().chart);
    applyPalette();
    setEmptyText(!m_bars.empty() ? QString() : m_comparison.experiments().empty() ? tr("Select two to six runs on the Runs page and press D.") : tr("None of these experiments was measured yet."));
    plot().legend->setVisible(false);
    plot().yAxis->setLabel(m_measure.isEmpty() ? QString() : measureName(m_measure));
    nameBars();
    describe();
    drawInTurn();
}

/// In as many lines as it takes, below each bar; the width of a place is known once the axes are laid out.
void RunBarsPlot::nameBars()
{
    const auto &all = m_comparison.experiments();
    const int place = static_cast<int>(plot().axisRect()->width() / std::max(1.0, plot().xAxis->range().size())) - letterWidth(plot().fontMetrics());
    QSharedPointer<QCPAxisTickerText> names(new QCPAxisTickerText);
    QStringList texts;
    for (std::size_t i = 0; i < all.size(); ++i) {
        texts << wrapped(all[i].distinction.isEmpty() ? all[i].ownName : all[i].ownName + QLatin1Char('\n') + all[i].distinction, plot().xAxis->tickLabelFont(), place);
        names->addTick(static_cast<double>(i), texts.back());
    }
    if (texts == m_names)
        return;
    m_names = texts;
    plot().xAxis->setTicker(names);
    plot().xAxis->setTickLength(0);
    drawInTurn();
}

void RunBarsPlot::applyPalette()
{
    const QColor whisker = palette().color(QPalette::Text);
    for (const Bar &one : m_bars) {
        const QColor colour = runColour(one.look, palette());
        one.bar->setBrush(QBrush(colour, runHatch(one.look)));
        one.bar->setPen(pen(colour, 1.0));
        one.reach->setPen(pen(whisker, 1.2));
    }
}

QString RunBarsPlot::barText(int place) const
{
    const auto &all = m_comparison.experiments();
    if (place < 0 || place >= std::ssize(all) || m_measure.isEmpty())
        return {};
    const ComparedExperiment &one = all[static_cast<std::size_t>(place)];
    const auto value = valueOf(one), reach = reachOf(one), base = valueOf(all.front());
    if (!value)
        return tr("%1: not measured").arg(one.name());
    QString text = reach ? tr("%1: %2 ± %3", "experiment, value, 95 %").arg(one.name(), measureDigits(*value), measureDigits(*reach)) : tr("%1: %2").arg(one.name(), measureDigits(*value));
    if (place > 0 && base)
        text += tr(", Δ %1 to the baseline").arg((*value < *base ? QStringLiteral("−") : QStringLiteral("+")) + measureDigits(std::abs(*value - *base)));
    return text;
}

void RunBarsPlot::describe()
{
    QStringList all;
    for (int place = 0; place < std::ssize(m_comparison.experiments()) && !m_measure.isEmpty(); ++place)
        all << barText(place);
    setAccessibleDescription(all.isEmpty() ? tr("no data yet") : all.join(QStringLiteral("; ")));
}

}  // namespace stillroom::widgets
