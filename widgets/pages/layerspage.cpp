// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/layerspage.h"

#include "plots/curveplot.h"
#include "plots/layerbarplot.h"
#include "views/jobsstrip.h"
#include "views/palette.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QRadioButton>
#include <QSlider>
#include <QSpinBox>
#include <QSplitter>
#include <QVBoxLayout>

namespace stillroom::widgets {
namespace {

QString selectorName(const QString &selector)
{
    if (selector == QLatin1String("ga-s2"))
        return LayersPage::tr("GA-S2 (short distillation)");
    if (selector == QLatin1String("zero-shot-ga"))
        return LayersPage::tr("zero-shot (no training)");
    if (selector == QLatin1String("ga-s1"))
        return LayersPage::tr("stage-1 residual (first look)");
    return selector;
}

QString layerNames(const std::vector<int> &layers)
{
    QStringList names;
    for (const int layer : layers)
        names << QString::number(layer);
    return names.join(QStringLiteral(", "));
}

}  // namespace

LayersPage::LayersPage(Session &session, QWidget *parent) : QWidget(parent), m_session(session)
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(16, 8, 16, 8);
    column->setSpacing(8);
    m_bars = new LayerBarPlot(session, this);
    auto *curve = new CurvePlot(session, {{QStringLiteral("distill/kl"), tr("training KL")}, {QStringLiteral("distill/held_out_kl"), tr("held-out KL")}}, tr("KL (nats/token)"), this);
    auto *splitter = new QSplitter(Qt::Vertical, this);
    splitter->setObjectName(QStringLiteral("layersSplitter"));
    auto *upper = new QWidget(splitter);
    auto *upperColumn = new QVBoxLayout(upper);
    upperColumn->setContentsMargins(0, 0, 0, 0);
    upperColumn->addWidget(makeToolbar());
    upperColumn->addWidget(m_bars, 1);
    m_notes = new QLabel(upper);
    m_notes->setWordWrap(true);
    upperColumn->addWidget(m_notes);
    upperColumn->addWidget(makeChoice());
    splitter->addWidget(upper);
    splitter->addWidget(curve);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 1);
    splitter->setChildrenCollapsible(false);
    curve->setMinimumHeight(fontMetrics().height() * 9);
    m_bars->setMinimumHeight(fontMetrics().height() * 10);
    column->addWidget(splitter, 1);
    m_notice = new QLabel(this);
    m_notice->setWordWrap(true);
    m_notice->setVisible(false);
    column->addWidget(m_notice);

    connect(&session.scores(), &ScoreBook::sourceChanged, this, &LayersPage::refreshSources);
    connect(&session.scores(), &ScoreBook::changed, this, &LayersPage::refreshNotes);
    connect(&session.choice(), &HybridChoice::changed, this, &LayersPage::refreshChoice);
    connect(&session, &Session::teacherChanged, this, [this] {
        m_notice->setVisible(false);
        refreshSources();
        refreshChoice();
    });
    connect(&session, &Session::jobKindChanged, this, &LayersPage::refreshChoice);
    connect(&session, &Session::hybridsChanged, this, &LayersPage::refreshChoice);
    connect(&session, &Session::probeChanged, this, &LayersPage::refreshChoice);
    connect(&session, &Session::notice, this, &LayersPage::showNotice);
    refreshSources();
    refreshChoice();
}

QWidget *LayersPage::makeToolbar()
{
    auto *bar = new QWidget(this);
    auto *row = new QHBoxLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    auto *byLayer = new QRadioButton(tr("by &layer"), bar), *byRank = new QRadioButton(tr("by ran&k"), bar);
    byLayer->setChecked(true);
    connect(byRank, &QRadioButton::toggled, this, [this](bool on) { m_bars->setOrder(on ? LayerBarPlot::Order::ByRank : LayerBarPlot::Order::ByLayer); });
    m_source = new QComboBox(bar);
    m_source->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_source->setAccessibleName(tr("Scores shown"));
    auto *label = new QLabel(tr("S&cores:"), bar);
    label->setBuddy(m_source);
    connect(m_source, &QComboBox::activated, this, [this](int index) {
        const QStringList parts = m_source->itemData(index).toStringList();
        if (parts.size() == 2)
            m_session.scores().setSource({parts[0], parts[1]});
    });
    m_score = new QPushButton(tr("&Score layers"), bar);
    m_score->setToolTip(tr("Measure what each layer gains as a softmax layer (Ctrl+R)"));
    connect(m_score, &QPushButton::clicked, this, &LayersPage::scoreRequested);
    row->addWidget(byLayer);
    row->addWidget(byRank);
    row->addSpacing(16);
    row->addWidget(label);
    row->addWidget(m_source);
    row->addStretch(1);
    row->addWidget(m_score);
    return bar;
}

QWidget *LayersPage::makeChoice()
{
    auto *box = new QWidget(this);
    auto *column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    auto *row = new QHBoxLayout;
    m_slider = new QSlider(Qt::Horizontal, box);
    m_keep = new QSpinBox(box);
    m_percent = new QDoubleSpinBox(box);
    auto *label = new QLabel(tr("&K, softmax layers kept:"), box);
    label->setBuddy(m_keep);
    m_slider->setAccessibleName(tr("Softmax layers kept"));
    m_slider->setTickPosition(QSlider::TicksBelow);
    m_slider->setPageStep(1);
    m_keep->setAccessibleName(tr("Softmax layers kept"));
    m_percent->setAccessibleName(tr("Share of softmax layers kept"));
    m_percent->setDecimals(1);
    m_percent->setRange(0.0, 100.0);
    m_percent->setSuffix(tr(" %"));
    m_percent->setKeyboardTracking(false);
    m_useRanking = new QPushButton(tr("Back to the ranking"), box);
    m_useRanking->setToolTip(tr("Drop the set made by hand"));
    m_distil = new QPushButton(tr("&Distil this hybrid"), box);
    m_distil->setToolTip(tr("Train the hybrid that keeps these layers, in the background (Ctrl+D)"));
    connect(m_slider, &QSlider::valueChanged, this, [this](int keep) { if (!m_filling) m_session.choice().setKeep(keep); });
    connect(m_keep, &QSpinBox::valueChanged, this, [this](int keep) { if (!m_filling) m_session.choice().setKeep(keep); });
    connect(m_percent, &QDoubleSpinBox::valueChanged, this, [this](double percent) { if (!m_filling) m_session.choice().setPercent(percent); });
    connect(m_useRanking, &QPushButton::clicked, this, [this] { m_session.choice().useRanking(); });
    connect(m_distil, &QPushButton::clicked, this, &LayersPage::distilRequested);
    row->addWidget(label);
    row->addWidget(m_slider, 1);
    row->addWidget(m_keep);
    row->addWidget(m_percent);
    row->addWidget(m_useRanking);
    row->addWidget(m_distil);
    column->addLayout(row);
    m_cost = new QLabel(box);
    m_cost->setWordWrap(true);
    m_cost->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_measured = new QLabel(box);
    m_measured->setWordWrap(true);
    m_measured->setTextInteractionFlags(Qt::TextSelectableByMouse);
    column->addWidget(m_cost);
    column->addWidget(m_measured);
    return box;
}

void LayersPage::refreshSources()
{
    m_source->clear();
    int current = -1;
    for (const ScoreBook::Source &source : m_session.scores().sources()) {
        m_source->addItem(tr("%1 · probe %2").arg(selectorName(source.selector), source.mixer.toUpper()), QStringList{source.selector, source.mixer});
        if (m_session.scores().source() == source)
            current = m_source->count() - 1;
    }
    m_source->setCurrentIndex(current);
    m_source->setEnabled(m_source->count() > 0);
    refreshNotes();
}

QString LayersPage::costText() const
{
    const HybridChoice &choice = m_session.choice();
    const analysis::LayerCosts costs = m_session.teacher().costs(m_session.probe());
    const analysis::HybridCost cost = analysis::hybridCost(costs, choice.keep());
    const QString added = cost.addedParameters >= 0 ? tr("adds %1 parameters").arg(shortCount(static_cast<double>(cost.addedParameters)))
                                                    : tr("saves %1 parameters").arg(shortCount(static_cast<double>(-cost.addedParameters)));
    QStringList parts{added, tr("cache %1 → %2 per token (bf16) + %3 of state").arg(shortBytes(static_cast<double>(cost.teacherCacheBytesPerToken)), shortBytes(static_cast<double>(cost.cacheBytesPerToken)), shortBytes(static_cast<double>(cost.stateBytes)))};
    if (cost.breakEvenTokens > 0.0)
        parts << tr("smaller than the teacher's cache above %1 tokens").arg(shortCount(cost.breakEvenTokens));
    for (const int kibiTokens : {8, 32})
        parts << tr("decoding at %1k reads %2 a token (teacher %3)").arg(kibiTokens).arg(shortBytes(cost.decodeBytes(kibiTokens * 1024)), shortBytes(cost.teacherDecodeBytes(kibiTokens * 1024)));
    return parts.join(QStringLiteral(" · "));
}

QString LayersPage::measuredText() const
{
    const auto measured = m_session.measured(m_session.choice().layers());
    if (!measured)
        return {};
    const QLocale locale;
    QStringList parts{tr("Measured with these layers: KL %1 ± %2 nats/token").arg(locale.toString(measured->klNats, 'f', 4), locale.toString(1.96 * measured->seNats, 'f', 4))};
    if (measured->perplexity)
        parts << tr("perplexity %1").arg(locale.toString(*measured->perplexity, 'f', 3));
    if (measured->recall)
        parts << tr("recall %1").arg(locale.toString(*measured->recall, 'f', 3));
    return parts.join(QStringLiteral(" · "));
}

void LayersPage::refreshChoice()
{
    const HybridChoice &choice = m_session.choice();
    const bool teacher = m_session.teacher().isValid(), running = m_session.job().isRunning();
    m_filling = true;
    m_slider->setRange(0, choice.numLayers());
    m_keep->setRange(0, choice.numLayers());
    m_slider->setValue(choice.keep());
    m_keep->setValue(choice.keep());
    m_percent->setSingleStep(choice.numLayers() > 0 ? 100.0 / choice.numLayers() : 1.0);
    m_percent->setValue(choice.percent());
    m_filling = false;
    for (QWidget *widget : std::initializer_list<QWidget *>{m_slider, m_keep, m_percent})
        widget->setEnabled(teacher);
    m_useRanking->setVisible(choice.isCustom());
    m_score->setEnabled(teacher && m_session.teacher().isTeacher() && !running);
    m_score->setText(m_session.scores().bars().empty() ? tr("&Score layers") : tr("&Score again"));
    m_distil->setEnabled(teacher && choice.isKnown() && !running);
    m_cost->setText(teacher ? costText() : QString());
    const QString measured = measuredText();
    m_measured->setText(measured);
    m_measured->setVisible(!measured.isEmpty());
    refreshNotes();
}

void LayersPage::refreshNotes()
{
    ScoreBook &scores = m_session.scores();
    QStringList notes;
    if (scores.axis() == ScoreBook::Axis::Residual && !scores.bars().empty())
        notes << tr("These are stage-1 residuals: a first look. Trained scores take their place as soon as there are some.");
    if (scores.tokens() > 0)
        notes << tr("at %1 tokens a layer").arg(shortCount(static_cast<double>(scores.tokens())));
    const auto band = scores.tieBand(m_session.choice().keep());
    if (!band.empty())
        notes << tr("not settled at this K (shaded): layers %1").arg(layerNames(band));
    if (m_session.choice().isCustom())
        notes << tr("custom set: layers %1").arg(layerNames(m_session.choice().layers()));
    m_notes->setText(notes.join(QStringLiteral(" · ")));
    m_notes->setVisible(!notes.isEmpty());
    m_score->setText(scores.bars().empty() ? tr("&Score layers") : tr("&Score again"));
}

void LayersPage::showNotice(const QString &text)
{
    m_notice->setText(text);
    m_notice->setVisible(true);
}

}  // namespace stillroom::widgets
