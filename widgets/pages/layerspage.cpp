// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/layerspage.h"

#include "analysis/intervals.h"
#include "plots/curveplot.h"
#include "plots/klcurveplot.h"
#include "plots/layerbarplot.h"
#include "plots/rankplot.h"
#include "views/budgetfield.h"
#include "views/choicebox.h"
#include "views/costtable.h"
#include "views/keepcontrol.h"
#include "views/labels.h"
#include "views/messageline.h"
#include "views/names.h"
#include "views/quantities.h"
#include "views/useranking.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QRadioButton>
#include <QSettings>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace stillroom::widgets {
namespace {

const QString firstMinuteSeen = QStringLiteral("layers/firstMinuteSeen"), lowerPlot = QStringLiteral("layers/lowerPlot");
const QString klAgainstK = QStringLiteral("kl-against-k");      ///< what lowerPlot is, where it is not the ranks

/// As wide as its names where there is room, else as `letters` letters.
void letShrink(ChoiceBox &box, int letters)
{
    box.letGiveWay(letters);
    box.setMinimumWidth(box.minimumSizeHint().width());
    box.setSizeAdjustPolicy(QComboBox::AdjustToContents);
}

}  // namespace

LayersPage::LayersPage(Session &session, QWidget *parent) : QWidget(parent), m_session(session)
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(16, 8, 16, 8);
    column->setSpacing(8);
    makeFirstMinute();      // in the order of the Tab key, here as below
    auto *splitter = new QSplitter(Qt::Vertical, this);
    splitter->setObjectName(QStringLiteral("layersSplitter"));
    splitter->addWidget(makeScores());
    auto *below = new QSplitter(Qt::Horizontal, splitter);
    below->setObjectName(QStringLiteral("curvesSplitter"));
    below->addWidget(makeRanking());
    below->addWidget(makeDistillation());
    below->setChildrenCollapsible(false);
    below->setSizes({QWIDGETSIZE_MAX / 2, QWIDGETSIZE_MAX / 2});      // halves, whatever the two ask for
    splitter->addWidget(below);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    splitter->setChildrenCollapsible(false);
    column->addWidget(m_firstMinute);
    column->addWidget(splitter, 1);
    follow();
    refreshSources();
    refreshOverlays();
    refreshChoice();
}

void LayersPage::follow()
{
    connect(&m_session.scores(), &ScoreBook::sourceChanged, this, &LayersPage::refreshSources);
    connect(&m_session.scores(), &ScoreBook::sourceChanged, this, &LayersPage::refreshOverlays);
    connect(&m_session.scores(), &ScoreBook::sourcesChanged, this, &LayersPage::refreshSources);
    connect(&m_session.choices(), &ChoiceBook::scoringsChanged, this, &LayersPage::refreshOverlays);
    m_refreshingNotes.setSingleShot(true);
    connect(&m_refreshingNotes, &QTimer::timeout, this, &LayersPage::refreshNotes);
    connect(&m_session.scores(), &ScoreBook::changed, &m_refreshingNotes, qOverload<>(&QTimer::start));
    connect(&m_session.scores(), &ScoreBook::changed, this, &LayersPage::refreshButtons);
    connect(&m_session.choice(), &HybridChoice::changed, this, &LayersPage::invalidateChoice);
    connect(&m_session, &Session::teacherChanged, this, [this] {
        refreshSources();
        refreshChoice();
    });
    connect(&m_session, &Session::jobKindChanged, this, &LayersPage::refreshChoice);
    connect(&m_session, &Session::hybridsChanged, this, &LayersPage::refreshChoice);
    connect(&m_session, &Session::probeChanged, this, &LayersPage::refreshChoice);
    connect(&m_session, &Session::curveChanged, this, &LayersPage::refreshTrained);
}

void LayersPage::makeFirstMinute()
{
    m_firstMinute = new MessageLine(MessageLine::Kind::Notice, this);
    m_firstMinute->setNextStep(tr("Open &your own model…"));
    connect(m_firstMinute, &MessageLine::nextStepRequested, this, &LayersPage::openTeacherRequested);
    connect(m_firstMinute, &MessageLine::dismissed, this, [] { QSettings().setValue(firstMinuteSeen, true); });
    connect(&m_session, &Session::teacherChanged, this, [this] {
        if (m_session.teacher().argument == QLatin1String("demo") && !QSettings().value(firstMinuteSeen).toBool())
            m_firstMinute->showText(tr("This is a 0.2 M parameter teacher that can recall. Drag K. Then open your own model."));
        else
            m_firstMinute->hide();
    });
}

QWidget *LayersPage::makeScores()
{
    auto *box = new QWidget(this);
    auto *column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 8);
    column->setSpacing(8);
    QWidget *toolbar = makeToolbar();
    m_meaning = new ElidedLabel(Voice::Quiet, box);
    m_bars = new LayerBarPlot(m_session, box);
    m_bars->setMinimumHeight(fontMetrics().height() * 13);      // room for the title of its axis
    m_notes = new ElidedLabel(Voice::Quiet, box);
    column->addWidget(toolbar);
    column->addWidget(m_meaning);
    column->addWidget(m_bars, 1);
    column->addWidget(m_notes);
    column->addWidget(makeChoice());
    return box;
}

QWidget *LayersPage::makeToolbar()
{
    auto *bar = new QWidget(this);
    auto *row = new QHBoxLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    m_source = new ChoiceBox(bar);
    letShrink(*m_source, 11);
    m_source->setAccessibleName(tr("Scores shown"));
    m_source->setObjectName(QStringLiteral("scoresShown"));
    m_source->setPlaceholderText(tr("none yet"));
    auto *label = new QLabel(tr("S&cores:"), bar);
    label->setBuddy(m_source);
    connect(m_source, &QComboBox::activated, this, [this](int index) {
        m_session.scores().setSource(ScoreBook::Source(m_sources[static_cast<std::size_t>(index)]));
    });
    m_overlay = new ChoiceBox(bar);
    m_overlay->setAccessibleName(tr("Scores laid over the bars"));
    m_overlay->setToolTip(tr("A second scoring as diamonds beside the bars"));
    letShrink(*m_overlay, 6);
    m_overlay->addItem(tr("none"));
    auto *overlayLabel = new QLabel(tr("&Overlay:"), bar);
    overlayLabel->setBuddy(m_overlay);
    connect(m_overlay, &QComboBox::activated, this, &LayersPage::useOverlay);
    auto *byLayer = new QRadioButton(tr("by &layer"), bar), *byRank = new QRadioButton(tr("by ra&nk"), bar);
    byLayer->setChecked(true);
    connect(byRank, &QRadioButton::toggled, this, [this](bool on) { m_bars->setOrder(on ? LayerBarPlot::Order::ByRank : LayerBarPlot::Order::ByLayer); });
    m_score = new QPushButton(tr("&Score layers…"), bar);
    m_score->setToolTip(tr("Measure what each layer gains as a softmax layer (Ctrl+R)"));
    connect(m_score, &QPushButton::clicked, this, &LayersPage::scoreRequested);
    row->addWidget(label);
    row->addWidget(m_source);
    row->addWidget(overlayLabel);
    row->addWidget(m_overlay);
    row->addSpacing(16);
    row->addWidget(byLayer);
    row->addWidget(byRank);
    row->addStretch(1);
    row->addWidget(m_score);
    return bar;
}

QWidget *LayersPage::makeChoice()
{
    auto *box = new QWidget(this);
    auto *column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    auto *row = new QHBoxLayout;
    row->setSpacing(8);
    auto *keep = new KeepControl(m_session.choice(), box);      // in the order of the Tab key
    auto *budget = new BudgetField(m_session, box);
    m_distil = new QPushButton(tr("&Distil this hybrid"), box);
    m_distil->setToolTip(tr("Train the hybrid that keeps these layers, in the background (Ctrl+D)"));
    connect(m_distil, &QPushButton::clicked, this, &LayersPage::distilRequested);
    auto *refusal = new QLabel(box);
    refusal->setWordWrap(true);
    refusal->setTextFormat(Qt::PlainText);
    refusal->setAccessibleName(tr("Problem with the budget"));
    refusal->hide();
    connect(budget, &BudgetField::refused, refusal, [refusal](const QString &why) {
        refusal->setText(why);
        refusal->setVisible(!why.isEmpty());
    });
    row->addWidget(keep, 1);
    row->addWidget(budget);
    column->addLayout(row);
    column->addWidget(refusal);
    auto *bought = new QHBoxLayout;
    bought->setSpacing(8);
    m_cost = new CostTable(box);
    bought->addWidget(m_cost, 1);
    auto *buttons = new QVBoxLayout;
    buttons->setSpacing(8);
    buttons->addStretch(1);
    buttons->addWidget(new UseRanking(m_session.choice(), box));
    buttons->addWidget(m_distil);
    bought->addLayout(buttons);
    column->addLayout(bought);
    return box;
}

/// Two plots in one place, one at a time: both are about the ranking.
QWidget *LayersPage::makeRanking()
{
    auto *box = new QWidget(this);
    auto *column = new QVBoxLayout(box);
    column->setContentsMargins(0, 4, 8, 0);      // a button has room around its words: they stand beside the other heading
    column->setSpacing(0);
    auto *heading = new QHBoxLayout;
    heading->setSpacing(12);
    auto *ranks = new QRadioButton(tr("Ranks"), box), *klCurve = new QRadioButton(tr("KL a&gainst K"), box);
    klCurve->setObjectName(QStringLiteral("klAgainstK"));
    klCurve->setToolTip(tr("Held-out KL for every K: as the scores predict it, and of the hybrids that were distilled"));
    m_plotNote = new ElidedLabel(Voice::Quiet, box);
    heading->addWidget(ranks);
    heading->addWidget(klCurve);
    heading->addWidget(m_plotNote, 1);
    auto *plots = new QStackedWidget(box);
    m_ranks = new RankPlot(m_session, plots);
    m_ranks->setMinimumHeight(fontMetrics().height() * 9);
    m_klCurve = new KlCurvePlot(m_session, plots);
    plots->addWidget(m_ranks);
    plots->addWidget(m_klCurve);
    const auto say = [this, plots] { m_plotNote->setText(plots->currentWidget() == m_ranks ? m_ranks->lastChange() : m_klCurve->summary()); };
    connect(m_ranks, &RankPlot::changed, this, say);
    connect(m_klCurve, &KlCurvePlot::changed, this, say);
    connect(plots, &QStackedWidget::currentChanged, this, say);
    connect(klCurve, &QRadioButton::toggled, this, [plots](bool on) {
        plots->setCurrentIndex(on ? 1 : 0);
        QSettings().setValue(lowerPlot, on ? klAgainstK : QStringLiteral("ranks"));
    });
    (QSettings().value(lowerPlot).toString() == klAgainstK ? klCurve : ranks)->setChecked(true);
    say();
    column->addLayout(heading);
    column->addWidget(plots, 1);
    return box;
}

QWidget *LayersPage::makeDistillation()
{
    auto *box = new QWidget(this);
    auto *column = new QVBoxLayout(box);
    column->setContentsMargins(8, 8, 0, 0);
    column->setSpacing(4);
    auto *heading = new QHBoxLayout;
    heading->setSpacing(12);
    m_trained = new ElidedLabel(Voice::Quiet, box);      // of many layers it would widen the page
    heading->addWidget(headingLabel(tr("Distillation"), HeadingLevel::Section, box));
    m_measured = new ElidedLabel(Voice::Plain, box);
    m_measured->setAccessibleName(tr("Measured"));
    heading->addWidget(m_trained, 1);
    auto *curve = CurvePlot::ofDistillation(m_session, box).release();      // its parent's
    curve->setObjectName(QStringLiteral("distillationCurve"));
    curve->setMinimumHeight(fontMetrics().height() * 6);
    column->addLayout(heading);
    column->addWidget(m_measured);
    column->addWidget(curve, 1);
    return box;
}

void LayersPage::refreshSources()
{
    const std::vector<ScoreBook::Source> sources = m_session.scores().sources();
    QStringList labels;
    int current = -1;
    for (const ScoreBook::Source &source : sources) {
        if (m_session.scores().source() == source)
            current = static_cast<int>(labels.size());
        const store::Scoring *scoring = m_session.scoringOf(source);
        labels << (scoring ? m_session.choices().scoresLabel(*scoring) : scoresName(source.selector, source.mixer));
    }
    QStringList known;
    for (int i = 0; i < m_source->count(); ++i)
        known << m_source->itemText(i);
    m_sources = sources;
    if (labels != known) {
        m_source->clear();
        m_source->addItems(labels);
    }
    m_source->setCurrentIndex(current);
    m_source->setEnabled(m_source->count() > 0);
    m_refreshingNotes.start();
}

/// Every scoring but the one whose bars are shown. Nothing is done while the list stays as it is, and a chosen overlay outlives a longer list.
void LayersPage::refreshOverlays()
{
    std::vector<ChoiceBook::ScoringKey> keys;
    QStringList names;
    const store::Scoring *shown = m_session.shownScoring();
    for (const store::Scoring &scoring : m_session.choices().scorings())
        if (&scoring != shown) {
            keys.push_back(ChoiceBook::keyOf(scoring));
            names << m_session.choices().scoringName(scoring);
        }
    if (keys == m_overlays && names == m_overlayNames)
        return;
    m_overlayNames = names;
    const int index = m_overlay->currentIndex();
    const auto chosen = index > 0 ? std::find(keys.begin(), keys.end(), m_overlays[static_cast<std::size_t>(index) - 1]) : keys.end();
    m_overlays = keys;
    m_overlay->clear();
    m_overlay->addItem(tr("none"));
    m_overlay->addItems(names);
    m_overlay->setCurrentIndex(chosen == keys.end() ? 0 : static_cast<int>(chosen - keys.begin()) + 1);
    m_overlay->setEnabled(!keys.empty());
    if (index > 0 && chosen == keys.end())
        useOverlay(0);
}

void LayersPage::useOverlay(int index)
{
    m_bars->setOverlay(index > 0 ? std::optional(m_overlays[static_cast<std::size_t>(index) - 1]) : std::nullopt);
}

QString LayersPage::measuredText() const
{
    if (m_session.jobKind() == QLatin1String("distill"))      // the number of an earlier run would stand above this one's curve
        return tr("being distilled, not measured yet");
    const auto measured = m_session.measured(m_session.curveLayers());
    if (!measured)
        return m_session.choice().isKnown() ? tr("not measured yet") : QString();
    const QLocale locale;
    const double reach = analysis::intervalReach(measured->seNats, measured->numSequences);
    QStringList parts{tr("measured: KL %1 ± %2 nats/token").arg(locale.toString(measured->klNats, 'f', 4), std::isfinite(reach) ? locale.toString(reach, 'f', 4) : QStringLiteral("–"))};
    if (measured->perplexity)
        parts << tr("perplexity %1").arg(locale.toString(*measured->perplexity, 'f', 3));
    if (measured->recall)
        parts << tr("recall %1").arg(locale.toString(*measured->recall, 'f', 3));
    return parts.join(QStringLiteral(" · "));
}

/// Which hybrid the number and the curves are of: several runs may have trained the same layers.
QString LayersPage::trainedText() const
{
    if (!m_session.choice().isKnown())
        return {};
    QStringList parts{tr("softmax in layers %1").arg(layerNames(m_session.curveLayers()))};
    const auto measured = m_session.jobKind() == QLatin1String("distill") ? std::nullopt : m_session.measured(m_session.curveLayers());
    if (!measured)
        return parts.first();
    const QString run = measured->run.left(8);
    const int number = m_session.numMeasured(m_session.curveLayers());
    parts << (number > 1 ? tr("run %1, the newest of %n", nullptr, number).arg(run) : tr("run %1").arg(run));
    if (measured->tokens > 0)
        parts << tr("trained on %1 tokens").arg(shortCount(static_cast<double>(measured->tokens)));
    return parts.join(QStringLiteral(" · "));
}

QString LayersPage::foundText() const
{
    const HybridChoice &choice = m_session.choice();
    const std::vector<int> sizes = choice.foundSizes();
    if (sizes.empty() || choice.isCustom())
        return {};
    if (choice.isFound())
        return tr("K = %1: the set that the search found").arg(choice.keep());
    return tr("K = %1: the first of the search's ranking; it found sets of their own at K = %2").arg(choice.keep()).arg(rangesText(sizes));
}

/// What stopping early saved of the scoring that is shown.
QString LayersPage::savedText() const
{
    const std::optional<ScoreBook::Source> &source = m_session.scores().source();
    const store::Scoring *scoring = source ? m_session.choices().scoring({source->run.toStdString(), source->task.toStdString(), source->selector.toStdString(), source->mixer.toStdString()}) : nullptr;
    if (!scoring || !scoring->earlyStop)
        return {};
    const store::EarlyStop &saved = *scoring->earlyStop;
    if (!saved.stopped)
        return tr("early stop: nothing was sure before the end, no tokens saved");
    const QLocale locale;
    const QString percent = locale.toString(100.0 * saved.savedFraction, 'f', 0), tokens = locale.toString(qint64{saved.tokens});
    if (saved.plannedTokens == 0)
        return tr("early stop at %1 tokens: %2 % of the tokens saved").arg(tokens, percent);
    return tr("early stop at %1 of %2 tokens: %3 % of the tokens saved").arg(tokens, locale.toString(qint64{saved.plannedTokens}), percent);
}

void LayersPage::invalidateChoice()
{
    m_staleChoice = !isVisible();
    if (!m_staleChoice)
        refreshChoice();
}

void LayersPage::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    if (std::exchange(m_staleChoice, false))
        refreshChoice();
}

void LayersPage::refreshChoice()
{
    const HybridChoice &choice = m_session.choice();
    if (m_session.teacher().isValid())
        m_cost->showCost(m_session.teacher().parameters, analysis::hybridCost(m_session.teacher().costs(m_session.probe()), choice.keep()));
    else
        m_cost->showNothing();
    refreshTrained();
    refreshButtons();
    m_refreshingNotes.start();
}

void LayersPage::refreshTrained()
{
    m_trained->setText(trainedText());
    m_measured->setText(measuredText());
}

void LayersPage::refreshButtons()
{
    const ModelDescription &teacher = m_session.teacher();
    const bool scored = !m_session.scores().bars().empty();
    m_score->setText(scored ? tr("&Score again…") : tr("&Score layers…"));
    m_score->setEnabled(teacher.isValid() && teacher.isTeacher());
    m_distil->setText(teacher.argument == QLatin1String("demo") ? tr("&Distil this hybrid") : tr("&Distil this hybrid…"));      // of the demo nothing is asked
    m_distil->setEnabled(teacher.isValid() && m_session.choice().isKnown());
}

void LayersPage::refreshNotes()
{
    ScoreBook &scores = m_session.scores();
    m_meaning->setText(m_bars->axisMeaning());
    m_meaning->setVisible(!m_meaning->text().isEmpty());
    QStringList notes;
    if (scores.tokens() > 0)
        notes << tr("%1 training tokens a layer").arg(shortCount(static_cast<double>(scores.tokens())));
    notes << foundText() << savedText();
    const auto band = m_session.unsettledLayers();
    if (!band.empty())
        notes << tr("shaded: layers %1 are not settled at this K, within 95 % error of the boundary").arg(layerNames(band));
    if (m_session.choice().isCustom())
        notes << tr("custom set: layers %1").arg(layerNames(m_session.choice().layers()));
    notes.removeAll(QString());
    m_notes->setText(notes.join(QStringLiteral(" · ")));
}

}  // namespace stillroom::widgets
