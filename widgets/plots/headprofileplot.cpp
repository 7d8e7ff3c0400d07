// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/headprofileplot.h"

#include "plots/plotlook.h"
#include "report/colours.h"
#include "report/headfigures.h"
#include "views/labels.h"
#include "views/palette.h"
#include "views/quantities.h"

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

namespace stillroom::widgets {
namespace {

double numberOf(const CalibrationBook &book, const char *id)
{
    for (const HeadStatistic &one : book.report()->statistics())
        if (one.id == QLatin1String(id))
            return book.report()->value(one, Side::After, book.layer(), book.report()->columnOf(one, book.head()));
    return std::nan("");
}

QVector<double> binPlaces(int count)
{
    QVector<double> places;
    for (int bin = 0; bin < count; ++bin)
        places << bin;
    return places;
}

}  // namespace

std::vector<double> decayShares(double halfLifeTokens, int count)
{
    std::vector<double> shares;
    const double rate = std::log(2.0) / halfLifeTokens, whole = -std::expm1(-rate * static_cast<double>(binStart(count)));
    for (int bin = 0; bin < count; ++bin)
        shares.push_back((std::exp(-rate * static_cast<double>(binStart(bin))) - std::exp(-rate * static_cast<double>(binStart(bin + 1)))) / whole);
    return shares;
}

HeadProfilePlot::HeadProfilePlot(CalibrationBook &book, Kind kind, QWidget *parent)
    : PlotView(parent), m_book(book), m_kind(kind), m_bars(new QCPBars(plot().xAxis, plot().yAxis)), m_line(plot().addGraph()), m_target(plot().addGraph())
{
    const bool lags = kind == Kind::Lags;
    setAccessibleName(lags ? tr("Attention by lag, with the decay") : tr("Entropy by position"));
    plot().xAxis->setLabel(lags ? tr("lag (tokens)") : tr("position (tokens)"));
    plot().yAxis->setLabel(lags ? tr("share") : tr("entropy (nats)"));
    plot().yAxis->setTicker(evenTicker());
    m_bars->setName(tr("attention"));
    m_line->setName(lags ? tr("decay") : tr("attention"));
    m_target->setName(lags ? tr("target") : tr("uniform"));
    if (lags)
        m_bars->addToLegend();
    else
        m_bars->removeFromLegend();
    putLegendAbove(plot());
    plot().legend->setIconSize(18, 12);
    connect(&plot(), &QCustomPlot::mousePress, this, [this] { setFocus(Qt::MouseFocusReason); });
    connect(&plot(), &QCustomPlot::afterLayout, this, &HeadProfilePlot::nameBins);
    connect(&book, &CalibrationBook::reportChanged, this, &HeadProfilePlot::invalidate);
    connect(&book, &CalibrationBook::pickChanged, this, &HeadProfilePlot::invalidate);
    restyle();
    refresh();
}

std::unique_ptr<PlotView> HeadProfilePlot::copy() const
{
    return std::make_unique<HeadProfilePlot>(m_book, m_kind);
}

report::Figure HeadProfilePlot::figure() const
{
    if (numBins() == 0)
        return {};
    const bool lags = m_kind == Kind::Lags;
    const auto count = static_cast<std::size_t>(std::max(numBins(), m_target->dataCount()));      // the line may have gaps
    const std::string softmax = report::mixerColour("softmax"), linear = report::mixerColour("gdn");
    report::HeadProfileShown shown{.firstTokens = {}, .lines = {}, .xTitle = lags ? "lag" : "position", .yTitle = lags ? "share of the attention" : "entropy", .unit = lags ? "" : "nats"};
    for (std::size_t bin = 0; bin < count; ++bin)
        shown.firstTokens.push_back(binStart(static_cast<qint64>(bin)));
    const auto add = [&](const QCPAbstractPlottable &plottable, const auto &data, const std::string &colour, bool bars, bool dashed) {
        report::HeadProfileShown::Line line{plottable.name().toStdString(), colour, bars, dashed, std::vector<double>(count, std::nan(""))};
        for (auto point = data.constBegin(); point != data.constEnd(); ++point)
            line.values.at(static_cast<std::size_t>(point->key)) = point->value;
        if (!data.isEmpty())
            shown.lines.push_back(std::move(line));
    };
    add(*m_bars, *m_bars->data(), softmax, true, false);
    add(*m_line, *m_line->data(), lags ? linear : softmax, false, false);
    add(*m_target, *m_target->data(), lags ? report::inkColour : report::unchosenColour, false, true);
    const std::string name = spec().plot;
    return report::headProfileFigure(name, shown, headProvenance(m_book, lags ? "Attention of a head by lag" : "Entropy of a head by position"));
}

report::FigureSpec HeadProfilePlot::spec() const
{
    return m_book.figureSpec(m_kind == Kind::Lags ? "head-lags" : "head-entropy");
}

QSize HeadProfilePlot::minimumSizeHint() const
{
    return {letterWidth(fontMetrics()) * 18, fontMetrics().height() * 7};
}

QSize HeadProfilePlot::sizeHint() const
{
    return {letterWidth(fontMetrics()) * 36, fontMetrics().height() * 10};
}

int HeadProfilePlot::numBins() const
{
    return std::max(m_bars->data()->size(), m_line->dataCount());
}

void HeadProfilePlot::refresh()
{
    m_bars->data()->clear();
    m_line->data()->clear();
    m_target->data()->clear();
    if (m_book.head() >= 0)
        m_kind == Kind::Lags ? showLags() : showEntropy();
    const bool any = numBins() > 0;
    setEmptyText(any ? QString() : m_book.head() < 0 ? tr("Pick a head.") : tr("Not measured."));
    plot().legend->setVisible(any);
    drawInTurn();
}

void HeadProfilePlot::showLags()
{
    const std::vector<double> shares = m_book.report()->profile(m_book.layer(), m_book.head()).lagShare;
    const int count = static_cast<int>(shares.size());
    if (count == 0)
        return;
    m_bars->setData(binPlaces(count), {shares.begin(), shares.end()}, true);
    double most = *std::max_element(shares.begin(), shares.end());
    for (const auto &[graph, id] : {std::pair{m_line, "half_life_mean"}, std::pair{m_target, "half_life_target"}}) {
        const double halfLife = numberOf(m_book, id);
        if (!(halfLife > 0.0))
            continue;
        const std::vector<double> decay = decayShares(halfLife, count);
        graph->setData(binPlaces(count), {decay.begin(), decay.end()}, true);
        most = std::max(most, *std::max_element(decay.begin(), decay.end()));
    }
    fitBins(count);
    plot().yAxis->setRange(0.0, most > 0.0 ? most * 1.06 : 1.0);
    setAccessibleDescription(tr("%1 of the attention at lag 0, %2 at lag 1; half-life %3 tokens, target %4").arg(shortNumber(shares[0]), shortNumber(count > 1 ? shares[1] : 0.0), shortNumber(numberOf(m_book, "half_life_mean")),
                                                                                                                 shortNumber(numberOf(m_book, "half_life_target"))));
}

void HeadProfilePlot::showEntropy()
{
    const std::vector<double> entropy = m_book.report()->profile(m_book.layer(), m_book.head()).entropyNats;
    const int count = static_cast<int>(entropy.size());
    QVector<double> places, values, uniform;
    for (int bin = 0; bin < count; ++bin) {
        uniform << std::log((static_cast<double>(binStart(bin)) + static_cast<double>(binStart(bin + 1)) - 1.0) / 2.0 + 1.0);
        if (!std::isfinite(entropy[static_cast<std::size_t>(bin)]))
            continue;
        places << bin;
        values << entropy[static_cast<std::size_t>(bin)];
    }
    if (places.isEmpty())
        return;
    m_line->setData(places, values, true);
    m_target->setData(binPlaces(count), uniform, true);
    fitBins(count);
    plot().yAxis->setRange(0.0, std::max(uniform.last(), *std::max_element(values.begin(), values.end())) * 1.06);
    setAccessibleDescription(tr("%1 nats at the end").arg(shortNumber(values.last())));
}

/// Octaves.
void HeadProfilePlot::nameBins()
{
    std::vector<std::pair<double, QString>> numbers;
    for (int bin = 0; bin < m_axisBins; bin += 2)
        numbers.emplace_back(bin, shortCount(static_cast<double>(binStart(bin))));
    putNumbers(*plot().xAxis, numbers);
}

void HeadProfilePlot::fitBins(int count)
{
    m_axisBins = count;
    plot().xAxis->setRange(-0.6, count - 0.4);
    nameBins();
}

void HeadProfilePlot::applyPalette()
{
    if (!paper())
        plot().yAxis->ticker()->setTickCount(3);      // the plot is small
    const QColor softmax = mixerColour(QStringLiteral("softmax")), linear = mixerColour(QStringLiteral("gdn"));
    QColor pale = softmax;
    pale.setAlphaF(0.45F);
    m_bars->setPen(Qt::NoPen);
    m_bars->setBrush(pale);
    m_bars->setWidth(0.9);
    m_line->setPen(pen(m_kind == Kind::Lags ? linear : softmax, paper() ? 1.0 : 2.0));
    m_target->setPen(pen(m_kind == Kind::Lags ? palette().color(QPalette::Text) : quietTextColour(palette()), paper() ? 0.8 : 1.4, Qt::DashLine));      // decay and target mostly lie on each other
}

}  // namespace stillroom::widgets
