// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/rankplot.h"

#include "plots/plotlook.h"
#include "views/names.h"
#include "report/resultfigures.h"
#include "views/keyaction.h"
#include "views/labels.h"
#include "views/palette.h"
#include "views/quantities.h"

#include <QKeyEvent>

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <iterator>
#include <span>
#include <utility>

namespace stillroom::widgets {
namespace {

constexpr int rankTicks = 6;
// What hangs on K has a buffer of its own, so that a drag draws nothing else anew.
const QString choiceLayer = QStringLiteral("choice");

}  // namespace

RankPlot::RankPlot(Session &session, QWidget *parent)
    : PlotView(parent), m_session(session), m_entered(plot().addGraph()), m_left(plot().addGraph()), m_gone(plot().addGraph()), m_boundary(plot().addGraph())
{
    setAccessibleName(tr("Rank of every layer against training tokens"));
    describeKeys(*this, tr("↑ ↓ Home End"), tr("Walk from rank to rank"));
    describeKeys(*this, tr("Space"), tr("Keep the selected layer as softmax, or let it go"));
    plot().addLayer(choiceLayer, plot().layer(QStringLiteral("axes")), QCustomPlot::limAbove);
    plot().layer(choiceLayer)->setMode(QCPLayer::lmBuffered);
    plot().setPlottingHint(QCP::phFastPolylines, true);      // wide lines as strokes of a path would take most of a frame
    m_entered->setName(tr("enters the best K"));
    m_left->setName(tr("leaves it"));
    m_gone->setName(tr("is settled, trains no more"));
    for (QCPGraph *marks : {m_entered, m_left, m_gone})
        marks->setLineStyle(QCPGraph::lsNone);
    plot().xAxis->setLabel(tr("training tokens of a layer"));
    plot().xAxis->setTicker(countTicker());
    plot().yAxis->setLabel(tr("rank"));
    plot().yAxis->setRangeReversed(true);
    plot().yAxis2->setRangeReversed(true);
    plot().yAxis2->setLabel(tr("layer"));
    putLegendAbove(plot());
    connect(&plot(), &QCustomPlot::mousePress, this, [this](QMouseEvent *event) {
        setFocus(Qt::MouseFocusReason);
        m_session.selection().select(pointAt(event->position()).first);
    });
    connect(&plot(), &QCustomPlot::mouseMove, this, [this](QMouseEvent *event) {
        const auto [layer, evaluation] = pointAt(event->position());
        plot().setToolTip(pointText(layer, evaluation));
    });
    connect(&session.choices(), &ChoiceBook::scoringsChanged, this, [this] {
        m_otherTrajectory = true;
        invalidateInTurn();
    });
    const auto otherTrajectory = [this] {      // another scoring altogether does not wait its turn
        m_otherTrajectory = true;
        invalidate();
    };
    connect(&session.scores(), &ScoreBook::sourceChanged, this, otherTrajectory);
    connect(&session, &Session::teacherChanged, this, otherTrajectory);
    connect(&session, &Session::jobKindChanged, this, &RankPlot::invalidate);
    connect(&session.choice(), &HybridChoice::changed, this, &RankPlot::followChoice);
    connect(&session.selection(), &LayerSelection::changed, this, &RankPlot::invalidate);
    restyle();
    refresh();
}

std::unique_ptr<PlotView> RankPlot::copy() const
{
    return std::make_unique<RankPlot>(m_session);
}

report::Figure RankPlot::figure() const
{
    const HybridChoice &choice = m_session.choice();
    return report::ranksFigure(trajectory(), choice.isKnown() ? choice.layers() : experiment::LayerSet(), boundary(), m_session.scoresProvenance("Ranks of the layers over training tokens"));
}

report::FigureSpec RankPlot::spec() const
{
    return m_session.scoresSpec("ranks");
}

int RankPlot::selectedLayer() const
{
    return paper() ? -1 : m_session.selection().layer();
}

QSize RankPlot::sizeHint() const
{
    return {letterWidth(fontMetrics()) * 50, fontMetrics().height() * 10};
}

int RankPlot::boundary() const
{
    return std::clamp(m_session.choice().keep(), 0, numLayers());
}

bool RankPlot::isKept(int layer) const
{
    return m_session.choice().isKnown() && m_session.choice().isKept(layer);
}

const analysis::RankTrajectory &RankPlot::trajectory() const
{
    static const analysis::RankTrajectory none;
    return m_growing ? m_growing->trajectory() : none;
}

void RankPlot::readTrajectory()
{
    const std::size_t from = readScores();
    readRanks(from);
    readCrossings(from);
    drawLines(from);
}

std::size_t RankPlot::readScores()
{
    const store::Scoring *scoring = m_session.shownScoring();
    if (!scoring) {
        m_growing.reset();
        return 0;
    }
    const ChoiceBook &choices = m_session.choices();
    const ChoiceBook::ScoringKey key = ChoiceBook::keyOf(*scoring);
    const auto missing = comparison::isRace(*scoring) ? analysis::Missing::Left : analysis::Missing::NotYet;
    const bool goesOn = m_growing && m_growing->missing() == missing && m_readScoring == key && m_readGeneration == choices.generation() && m_numRead <= scoring->evaluations.size();
    if (!goesOn) {
        m_growing.emplace(choices.numLayers(), missing);
        m_readScoring = key;
        m_readGeneration = choices.generation();
        m_numRead = 0;
    }
    const std::size_t from = m_growing->add(std::span(scoring->evaluations).subspan(m_numRead));
    m_numRead = scoring->evaluations.size();
    return goesOn ? from : 0;
}

void RankPlot::readRanks(std::size_t from)
{
    const std::vector<experiment::Ranking> &rankings = trajectory().rankings_E;
    m_ranks_LE.resize(rankings.empty() ? 0 : rankings.front().size());
    for (std::vector<int> &ranks : m_ranks_LE)
        ranks.resize(rankings.size());
    for (std::size_t evaluation = from; evaluation < rankings.size(); ++evaluation)
        for (std::size_t place = 0; place < rankings[evaluation].size(); ++place)
            m_ranks_LE[static_cast<std::size_t>(rankings[evaluation][place])][evaluation] = static_cast<int>(place) + 1;
}

void RankPlot::readCrossings(std::size_t from)
{
    if (std::exchange(m_crossedAt, boundary()) != boundary())
        from = 0;
    m_crossings.resize(std::min(from, m_crossings.size()));
    std::vector<analysis::Crossing> more = analysis::crossings(trajectory(), m_crossedAt, m_crossings.size());
    std::move(more.begin(), more.end(), std::back_inserter(m_crossings));
}

QCPGraph *RankPlot::addLine(const QString &layer)
{
    QCPGraph *line = plot().addGraph();
    line->removeFromLegend();
    line->setLayer(layer);
    return line;
}

/// Of hundreds of evaluations those that were drawn stay.
void RankPlot::drawLines(std::size_t from)
{
    const analysis::RankTrajectory &shown = trajectory();
    for (std::vector<QCPGraph *> *lines : {&m_lines, &m_chosen, &m_standing})
        for (; std::ssize(*lines) > numLayers(); lines->pop_back())
            if (lines->back())
                plot().removeGraph(lines->back());
    while (std::ssize(m_lines) < numLayers()) {
        m_lines.push_back(addLine(QStringLiteral("main")));
        m_chosen.push_back(addLine(choiceLayer));
        m_chosen.back()->setData(m_lines.back()->data());      // shared
        m_standing.push_back(nullptr);
    }
    for (std::size_t layer = 0; layer < m_lines.size(); ++layer) {
        QCPGraphDataContainer &drawn = *m_lines[layer]->data();
        if (from == 0)
            drawn.clear();
        else
            drawn.removeAfter(static_cast<double>(shown.tokens_E[from - 1]));
        QVector<QCPGraphData> added;
        for (std::size_t evaluation = from; evaluation <= shown.lastMeasured_L[layer]; ++evaluation)
            added.emplace_back(static_cast<double>(shown.tokens_E[evaluation]), m_ranks_LE[layer][evaluation]);
        drawn.add(added, true);
    }
    drawDepartures();
}

/// Where a layer left, and its place from there on, which nothing measures any more.
void RankPlot::drawDepartures()
{
    const analysis::RankTrajectory &shown = trajectory();
    QVector<double> goneAt, goneRanks;
    for (int layer = 0; layer < numLayers(); ++layer) {
        QCPGraph *&line = m_standing[static_cast<std::size_t>(layer)];
        if (!shown.hasLeft(layer)) {
            if (QCPGraph *back = std::exchange(line, nullptr))
                plot().removeGraph(back);
            continue;
        }
        goneAt << static_cast<double>(shown.tokens_E[shown.lastMeasured_L[static_cast<std::size_t>(layer)]]);
        goneRanks << m_ranks_LE[static_cast<std::size_t>(layer)].back();
        if (!line)
            line = addLine(choiceLayer);
        line->setData({goneAt.back(), static_cast<double>(shown.tokens_E.back())}, {goneRanks.back(), goneRanks.back()}, true);
    }
    m_gone->setData(goneAt, goneRanks, false);
    if (goneAt.isEmpty())
        m_gone->removeFromLegend();
    else
        m_gone->addToLegend();
    for (QCPLayerable *one : std::initializer_list<QCPLayerable *>{m_entered, m_left, m_gone, m_boundary})      // over the lines
        one->setLayer(choiceLayer);
}

void RankPlot::drawCrossings()
{
    QVector<double> enteredAt, enteredRanks, leftAt, leftRanks;
    for (std::size_t evaluation = 0; evaluation < m_crossings.size(); ++evaluation) {
        const auto tokens = static_cast<double>(trajectory().tokens_E[evaluation]);
        const auto rank = [&](int layer) { return static_cast<double>(m_ranks_LE[static_cast<std::size_t>(layer)][evaluation]); };
        for (const int layer : m_crossings[evaluation].entered) {
            enteredAt << tokens;
            enteredRanks << rank(layer);
        }
        for (const int layer : m_crossings[evaluation].left) {
            leftAt << tokens;
            leftRanks << rank(layer);
        }
    }
    m_entered->setData(enteredAt, enteredRanks, true);
    m_left->setData(leftAt, leftRanks, true);
}

/// From edge to edge. Its name stands in the legend: beside the line there are points everywhere. On the screen K changes faster than a legend can be laid out; there the heading says it.
void RankPlot::drawBoundary()
{
    const double between = boundary() + 0.5;
    const QCPRange tokens = tokenRange();
    m_boundary->setData({tokens.lower, tokens.upper}, {between, between}, true);
    m_boundary->setName(paper() ? tr("K = %1").arg(boundary()) : tr("below it: not kept"));
}

void RankPlot::styleLines()
{
    const QColor kept = mixerColour(QStringLiteral("softmax")), other = unchosenColour(palette());
    for (int layer = 0; layer < numLayers(); ++layer) {
        const auto at = static_cast<std::size_t>(layer);
        const bool selected = layer == selectedLayer(), chosen = isKept(layer);
        const QColor colour = selected ? ringColour(palette()) : chosen ? kept : other;
        m_lines[at]->setPen(pen(other, 1.0));
        QCPGraph &line = *m_chosen[at];
        line.setVisible(selected || chosen);
        line.setPen(pen(colour, selected ? 2.5 : paper() ? 1.0 : 2.0));
        line.setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, chosen ? kept : colour, 5));
        if (m_standing[at])
            m_standing[at]->setPen(pen(colour, selected ? 2.0 : 1.0, Qt::DashLine));
    }
}

void RankPlot::followChoice()
{
    if (!isVisible() || isStale()) {
        invalidate();
        return;
    }
    if (m_session.job().isRunning() && boundary() == m_crossedAt) {      // nobody drags: scores make the ranking another one
        invalidateInTurn();
        return;
    }
    readCrossings(m_crossings.size());
    drawCrossings();
    drawBoundary();
    styleLines();
    describe();
    plot().layer(choiceLayer)->replot();
    Q_EMIT changed();
}

void RankPlot::refresh()
{
    if (std::exchange(m_otherTrajectory, false))
        readTrajectory();
    else
        readCrossings(m_crossings.size());
    const bool once = trajectory().tokens_E.size() == 1, any = numLayers() > 0 && !once;
    if (any)
        setEmptyText({});
    else if (!m_session.teacher().isValid())
        setEmptyText(tr("How the ranking of the layers comes about appears here."));
    else if (once)
        setEmptyText(m_session.jobKind() == QLatin1String("score") ? tr("Who enters and leaves the best K appears here from the second evaluation on.") : tr("This scoring measured its layers once:\nthere is no way to the ranking to show."));
    else
        setEmptyText(m_session.jobKind() == QLatin1String("score") ? tr("Ranks appear here once every layer has been evaluated.")
                                                                   : tr("No scores yet.\nPress “Score layers”: who enters and leaves the best K appears here, live."));
    plot().yAxis2->setVisible(any);
    drawCrossings();
    drawBoundary();
    styleLines();
    fitAxes();
    plot().legend->setVisible(any);
    describe();
    drawInTurn();
    Q_EMIT changed();
}

QCPRange RankPlot::tokenRange() const
{
    const double right = trajectory().tokens_E.empty() ? 1.0 : static_cast<double>(trajectory().tokens_E.back());
    const double left = trajectory().tokens_E.empty() ? 0.0 : static_cast<double>(trajectory().tokens_E.front());
    const double margin = right > left ? 0.03 * (right - left) : std::max(1.0, 0.5 * right);
    return {left - margin, right + margin};
}

void RankPlot::fitAxes()
{
    plot().xAxis->setRange(tokenRange());
    for (QCPAxis *axis : {plot().yAxis, plot().yAxis2})
        axis->setRange(0.4, std::max(1, numLayers()) + 0.6);
    laidOut();
}

/// Every how many ranks there is room for a number.
int RankPlot::ranksPerNumber() const
{
    const double room = plot().axisRect()->height() / std::max(1.0, static_cast<double>(numLayers()));
    return room > 0.0 ? std::max(1, static_cast<int>(std::ceil(QFontMetrics(smallFont()).height() * 0.85 / room))) : std::max(1, numLayers());
}

void RankPlot::labelRanks()
{
    const QSharedPointer<QCPAxisTickerText> ranks(new QCPAxisTickerText);
    const int every = std::max(ranksPerNumber(), (numLayers() + rankTicks - 1) / rankTicks);
    ranks->addTick(1, QString::number(1));
    for (int rank = every; rank <= numLayers(); rank += every)
        if (rank - 1 >= ranksPerNumber())
            ranks->addTick(rank, QString::number(rank));
    plot().yAxis->setTicker(ranks);
}

/// Layer numbers beside the last ranking, as many as there is room for, the selected one in any case.
void RankPlot::labelEnds()
{
    const QSharedPointer<QCPAxisTickerText> ends(new QCPAxisTickerText);
    const int every = ranksPerNumber();
    const int selected = selectedLayer();
    const int selectedRank = selected >= 0 && selected < numLayers() ? m_ranks_LE[static_cast<std::size_t>(selected)].back() : 0;
    for (int rank = 1; rank <= numLayers(); ++rank)
        if (rank == selectedRank || ((rank - 1) % every == 0 && (selectedRank == 0 || std::abs(rank - selectedRank) >= every)))
            ends->addTick(rank, QString::number(trajectory().rankings_E.back()[static_cast<std::size_t>(rank) - 1]));
    plot().yAxis2->setTicker(ends);
}

QString RankPlot::lastChange() const
{
    if (numLayers() == 0)
        return {};
    for (std::size_t evaluation = m_crossings.size(); evaluation-- > 1;)
        if (const analysis::Crossing &crossing = m_crossings[evaluation]; !crossing.entered.empty())
            return tr("after %1 tokens: %2 entered the best %3, %4 left")
                .arg(shortCount(static_cast<double>(trajectory().tokens_E[evaluation])), layerNames(crossing.entered))
                .arg(m_crossedAt)
                .arg(layerNames(crossing.left));
    return tr("the best %1 never changed over %n evaluations", nullptr, static_cast<int>(m_crossings.size())).arg(m_crossedAt);
}

void RankPlot::describe()
{
    if (numLayers() == 0)
        return setAccessibleDescription(tr("no ranks"));
    const auto gone = std::count_if(m_standing.begin(), m_standing.end(), [](const QCPGraph *line) { return line != nullptr; });
    const QString settled = gone > 0 ? tr("; %n settled early", nullptr, static_cast<int>(gone)) : QString();
    setAccessibleDescription(tr("%n layers; %1", nullptr, numLayers()).arg(lastChange()) + settled);
}

std::pair<int, int> RankPlot::pointAt(const QPointF &position) const
{
    const auto rank = static_cast<int>(std::lround(plot().yAxis->pixelToCoord(position.y())));
    if (rank < 1 || rank > numLayers())
        return {-1, -1};
    const double tokens = plot().xAxis->pixelToCoord(position.x());
    const auto nearest = std::min_element(trajectory().tokens_E.begin(), trajectory().tokens_E.end(), [&](std::int64_t a, std::int64_t b) {
        return std::abs(static_cast<double>(a) - tokens) < std::abs(static_cast<double>(b) - tokens);
    });
    const auto evaluation = static_cast<std::size_t>(nearest - trajectory().tokens_E.begin());
    return {trajectory().rankings_E[evaluation][static_cast<std::size_t>(rank) - 1], static_cast<int>(evaluation)};
}

QString RankPlot::pointText(int layer, int evaluation) const
{
    if (layer < 0)
        return {};
    const std::size_t last = trajectory().lastMeasured_L[static_cast<std::size_t>(layer)];
    const bool gone = static_cast<std::size_t>(evaluation) > last;
    return (gone ? tr("Layer %1: rank %2, settled after %3 tokens") : tr("Layer %1: rank %2 after %3 tokens"))
        .arg(layer)
        .arg(m_ranks_LE[static_cast<std::size_t>(layer)][static_cast<std::size_t>(evaluation)])
        .arg(shortCount(static_cast<double>(trajectory().tokens_E[gone ? last : static_cast<std::size_t>(evaluation)])));
}

void RankPlot::applyPalette()
{
    const QColor kept = mixerColour(QStringLiteral("softmax")), ink = palette().color(QPalette::Text);
    plot().yAxis->grid()->setVisible(false);
    m_entered->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssTriangle, pen(ink, 1), kept, 10));
    m_left->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssTriangleInverted, pen(ink, 1), palette().color(QPalette::Base), 10));
    m_boundary->setPen(pen(ink, 1, Qt::DashLine));
    m_gone->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCross, pen(ink, 1.6), Qt::NoBrush, 8));
    for (QCPGraph *marks : {m_entered, m_left, m_gone})
        marks->setLayer(choiceLayer);
    styleLines();
}

void RankPlot::resizeEvent(QResizeEvent *event)
{
    PlotView::resizeEvent(event);
    laidOut();
}

void RankPlot::laidOut()
{
    labelRanks();
    labelEnds();
}

void RankPlot::keyPressEvent(QKeyEvent *event)
{
    if (numLayers() == 0)
        return PlotView::keyPressEvent(event);
    const experiment::Ranking &last = trajectory().rankings_E.back();
    const int selected = m_session.selection().layer();
    const int rank = selected >= 0 && selected < numLayers() ? m_ranks_LE[static_cast<std::size_t>(selected)].back() : 0;
    const auto go = [&](int to) { m_session.selection().select(last[static_cast<std::size_t>(std::clamp(to, 1, numLayers())) - 1]); };
    switch (event->key()) {
    case Qt::Key_Up: go(rank - 1); return;
    case Qt::Key_Down: go(rank + 1); return;
    case Qt::Key_Home: go(1); return;
    case Qt::Key_End: go(numLayers()); return;
    case Qt::Key_Space: m_session.choice().toggle(selected); return;
    default: PlotView::keyPressEvent(event);
    }
}

}  // namespace stillroom::widgets
