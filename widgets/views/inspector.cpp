// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/inspector.h"

#include "models/experimenttable.h"
#include "models/rankdraws.h"
#include "views/labels.h"
#include "views/names.h"
#include "views/quantities.h"

#include <QClipboard>
#include <QGridLayout>
#include <QGuiApplication>
#include <QLabel>
#include <QLocale>
#include <QPointer>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <limits>

namespace stillroom::widgets {

Inspector::Inspector(Session &session, QWidget *parent) : QWidget(parent), m_session(session), m_title(headingLabel({}, HeadingLevel::Section, this)), m_hint(new QuietLabel({}, this)), m_rows(new QGridLayout), m_copyKey(new QPushButton(tr("Copy key"), this))
{
    auto *outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    auto *scroll = new QScrollArea(this);      // a run may have many settings
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    auto *page = new QWidget(scroll);
    scroll->setWidget(page);
    outer->addWidget(scroll);
    for (QWidget *one : std::initializer_list<QWidget *>{page, scroll->viewport()})
        one->setBackgroundRole(QPalette::Window);
    for (QWidget *one : std::initializer_list<QWidget *>{m_title, m_hint, m_copyKey})
        one->setParent(page);
    auto *column = new QVBoxLayout(page);
    column->setContentsMargins(12, 12, 12, 12);
    column->setSpacing(8);
    column->addWidget(m_title);
    column->addLayout(m_rows);
    column->addWidget(m_copyKey, 0, Qt::AlignLeft);
    column->addSpacing(8);
    m_copyKey->setToolTip(tr("Copy the key: the folder of artifacts/ in the workspace, and the name of a model that it made"));
    connect(m_copyKey, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(m_details.key); });
    column->addWidget(m_hint);
    column->addStretch(1);
    m_hint->setWordWrap(true);
    m_title->setWordWrap(true);
    m_rows->setHorizontalSpacing(16);
    m_rows->setVerticalSpacing(6);
    m_rows->setColumnStretch(0, 4);
    m_rows->setColumnStretch(1, 5);
    setMinimumWidth(letterWidth(fontMetrics()) * 42);
    m_refreshing.setSingleShot(true);
    connect(&m_refreshing, &QTimer::timeout, this, &Inspector::refresh);
    const auto refreshLater = qOverload<>(&QTimer::start);
    connect(&session.selection(), &LayerSelection::changed, &m_refreshing, refreshLater);
    connect(&session.scores(), &ScoreBook::changed, &m_refreshing, refreshLater);
    connect(&session.choice(), &HybridChoice::changed, &m_refreshing, refreshLater);
    connect(&session, &Session::teacherChanged, &m_refreshing, refreshLater);
    connect(&session.rankDraws(), &RankDraws::changed, &m_refreshing, refreshLater);
    connect(&session.choices(), &ChoiceBook::entriesChanged, &m_refreshing, refreshLater);
    connect(&session.calibrations(), &CalibrationBook::reportChanged, &m_refreshing, refreshLater);
    refresh();
}

std::vector<Inspector::Row> Inspector::layerRows(int layer) const
{
    const HybridChoice &choice = m_session.choice();
    std::vector<Row> rows;
    if (choice.isKnown())
        rows.push_back({tr("In the hybrid"), choice.isKept(layer) ? tr("softmax, kept") : tr("becomes %1").arg(m_session.probe().toUpper())});
    for (const auto &more : {scoreRows(layer), choiceRows(layer), headRows(layer)})
        rows.insert(rows.end(), more.begin(), more.end());
    return rows;
}

std::vector<Inspector::Row> Inspector::scoreRows(int layer) const
{
    const QLocale locale;
    std::vector<Row> rows;
    const auto bar = m_session.scores().bar(layer);
    if (!bar) {
        rows.push_back({tr("Score"), tr("not measured yet")});
        return rows;
    }
    const auto errorText = [&](double error) { return std::isfinite(bar->score.se) ? locale.toString(error, 'f', 4) : QStringLiteral("–"); };      // of one sequence nothing is known
    const bool gain = m_session.scores().axis() == ScoreBook::Axis::KlGain;
    rows.push_back({gain ? tr("KL gain") : tr("Score"), (gain ? tr("%1 ± %2 nats/token") : tr("%1 ± %2")).arg(locale.toString(bar->value, 'f', 4), errorText(bar->reach))});
    if (bar->score.klNats)
        rows.push_back({tr("Held-out KL"), tr("%1, SE %2 nats/token").arg(locale.toString(*bar->score.klNats, 'f', 4), errorText(bar->score.se))});
    const std::vector<Row> places = placeRows(layer);
    rows.insert(rows.end(), places.begin(), places.end());
    rows.push_back({tr("Sequences"), locale.toString(qint64{bar->score.numSequences})});
    rows.push_back({tr("Training tokens"), shortCount(static_cast<double>(bar->score.tokens))});
    rows.push_back({tr("Selector"), selectorName(QString::fromStdString(bar->score.selector))});
    rows.push_back({tr("Probe"), probeName(QString::fromStdString(bar->score.mixer))});
    return rows;
}

std::vector<Inspector::Row> Inspector::placeRows(int layer) const
{
    const std::optional<experiment::Ranking> &ranking = m_session.scores().ranking();
    if (!ranking)
        return {};
    const auto place = std::find(ranking->begin(), ranking->end(), layer) - ranking->begin() + 1;
    const auto band = m_session.unsettledLayers();
    const bool settled = std::find(band.begin(), band.end(), layer) == band.end();
    std::vector<Row> rows{{tr("Rank"), tr("%1 of %2").arg(place).arg(ranking->size())}};
    const store::Scoring *scoring = m_session.shownScoring();
    const RankDraws::Drawn *drawn = scoring ? m_session.rankDraws().of(*scoring) : nullptr;
    if (drawn && layer < drawn->ranks.numLayers()) {
        const analysis::BootstrapRanks::RankInterval interval = drawn->ranks.rankInterval(layer);
        rows.push_back({tr("Rank, 95 %"), interval.low == interval.high ? tr("%1, whichever sequences are held out").arg(interval.low) : tr("%1 to %2, by other held-out sequences").arg(interval.low).arg(interval.high)});
        const int keep = m_session.choice().keep();
        if (keep > 0 && keep < drawn->ranks.numLayers())
            rows.push_back({tr("Among the best %1").arg(keep), tr("in %1 % of draws").arg(QLocale().toString(100.0 * drawn->ranks.chanceOfTop(layer, keep), 'f', 0))});
    }
    rows.push_back({tr("Settled"), settled ? tr("yes, at this K") : tr("no: within the error of the K boundary")});
    return rows;
}

std::vector<Inspector::Row> Inspector::choiceRows(int layer) const
{
    constexpr int mostNames = 6;
    const HybridChoice &choice = m_session.choice();
    std::vector<Row> rows;
    if (!choice.isKnown())
        return rows;
    int numSets = 0;
    QStringList names;
    for (const ChoiceBook::Entry &entry : m_session.choices().entries()) {
        const auto layers = entry.choice.rule ? entry.choice.rule->at(choice.keep()) : std::nullopt;
        if (!layers)
            continue;
        ++numSets;
        if (std::binary_search(layers->begin(), layers->end(), layer))
            names.push_back(entry.name);
    }
    if (numSets == 0)
        return rows;
    QString text = tr("%1 of %n choices", nullptr, numSets).arg(names.size());
    if (!names.isEmpty())
        text += QLatin1Char('\n') + names.mid(0, mostNames).join(QLatin1Char('\n'));
    if (names.size() > mostNames)
        text += QLatin1Char('\n') + tr("and %n more", nullptr, static_cast<int>(names.size()) - mostNames);
    rows.push_back({tr("Kept at K = %1 by").arg(choice.keep()), text});
    return rows;
}

std::vector<Inspector::Row> Inspector::headRows(int layer) const
{
    const CalibrationReport *report = m_session.calibrations().report();
    std::vector<Row> rows;
    if (!report)
        return rows;
    for (const HeadStatistic &statistic : report->statistics()) {
        if (statistic.id != QLatin1String("mean_distance") && statistic.id != QLatin1String("entropy") && statistic.id != QLatin1String("sink_mass"))
            continue;
        double least = std::numeric_limits<double>::infinity(), most = -least;
        for (int head = 0; head < report->numColumns(statistic); ++head) {
            const double value = report->value(statistic, Side::After, layer, head);
            least = std::min(least, std::isfinite(value) ? value : least);
            most = std::max(most, std::isfinite(value) ? value : most);
        }
        if (least <= most)
            rows.push_back({tr("Heads: %1").arg(statistic.name), (least == most ? measureDigits(least) : tr("%1 to %2").arg(measureDigits(least), measureDigits(most))) + (statistic.unit.isEmpty() ? QString() : QLatin1Char(' ') + statistic.unit)});
    }
    return rows;
}

std::vector<Inspector::Row> Inspector::modelRows() const
{
    const ModelDescription &teacher = m_session.teacher();
    if (!teacher.isValid())
        return {};
    return {{tr("Layers"), QLocale().toString(teacher.numLayers)},
            {tr("Parameters"), shortCount(static_cast<double>(teacher.parameters))},
            {tr("Heads"), tr("%1 query, %2 key/value").arg(teacher.numHeads).arg(teacher.numKvHeads)}};
}

void Inspector::showExperiment(const std::optional<store::ExperimentRow> &row)
{
    const bool same = row && m_experiment && row->uuid == m_experiment->uuid && row->task == m_experiment->task;
    if (!same)
        m_details = {};
    if (!row && !m_experiment)
        return;
    m_experiment = row;
    refresh();
    if (row)
        readDetails();
}

void Inspector::readDetails()
{
    m_session.withStore("inspector", [inspector = QPointer<Inspector>(this), row = *m_experiment](store::Workspace &workspace) -> Background::Answer {
        return [inspector, row, details = runDetails(workspace, row)] {
            if (!inspector || !inspector->m_experiment || inspector->m_experiment->uuid != row.uuid || inspector->m_experiment->task != row.task)      // another one is looked at meanwhile
                return;
            inspector->m_details = details;
            inspector->refresh();
        };
    });
}

std::vector<Inspector::Row> Inspector::experimentRows() const
{
    const store::ExperimentRow &row = *m_experiment;
    std::vector<Row> rows{{tr("Kind"), kindText(row.kind)}, {tr("State"), runStatusText(m_session, row)}};
    const auto add = [&rows](const QString &label, const QString &value) {
        if (!value.isEmpty())
            rows.push_back({label, value});
    };
    add(tr("Why"), m_details.failure);
    add(tr("Started"), startedText(row.startedSeconds));
    add(tr("Took"), row.seconds ? shortDuration(*row.seconds) : QString());
    add(tr("Trained on"), row.tokens > 0 ? tr("%1 tokens").arg(shortCount(static_cast<double>(row.tokens))) : QString());
    add(tr("Softmax layers"), row.layers ? layerNames(*row.layers) : QString());
    for (const auto &[measure, value] : row.measures)
        if (isCompared(QString::fromStdString(measure)))
            add(measureName(QString::fromStdString(measure)), measureDigits(value));
    for (const SpecFieldText &field : m_details.changed)
        add(field.name, field.value);
    add(tr("Device"), m_details.device);
    add(tr("Notes"), QString::fromStdString(row.notes));
    add(tr("Run"), QString::fromStdString(row.uuid).left(8));
    add(tr("Key"), m_details.key.left(12));
    return rows;
}

/// In place: while scores come in, twenty times a second, rows that were made anew would never be seen.
void Inspector::fill(const std::vector<Row> &rows)
{
    while (m_labels.size() < rows.size()) {
        auto *name = new QuietLabel({}, m_title->parentWidget());
        auto *value = new WrappedLabel(m_title->parentWidget());
        for (QLabel *one : std::initializer_list<QLabel *>{name, value}) {
            one->setWordWrap(true);
            one->setAlignment(Qt::AlignLeft | Qt::AlignTop);
        }
        const int row = static_cast<int>(m_labels.size());
        m_rows->addWidget(name, row, 0);
        m_rows->addWidget(value, row, 1);
        m_labels.emplace_back(name, value);
    }
    for (std::size_t i = 0; i < m_labels.size(); ++i) {
        const auto &[name, value] = m_labels[i];
        const bool used = i < rows.size();
        name->setVisible(used);
        value->setVisible(used);
        if (!used)
            continue;
        if (name->text() != rows[i].label) {
            name->setText(rows[i].label);
            value->setAccessibleName(rows[i].label);
        }
        value->setText(rows[i].value);
    }
}

void Inspector::refresh()
{
    m_copyKey->setVisible(m_experiment && !m_details.key.isEmpty());
    if (m_experiment) {
        m_hint->setText(QString());
        m_title->setText(experimentName(*m_experiment));
        fill(experimentRows());
        return;
    }
    const int layer = m_session.selection().layer();
    const ModelDescription &teacher = m_session.teacher();
    m_hint->setText(layer < 0 && teacher.isValid() ? tr("Click a layer, or walk with the arrow keys, to see its numbers here. Esc comes back.") : QString());
    if (layer >= 0)
        m_title->setText(tr("Layer %1").arg(layer));
    else
        m_title->setText(teacher.isValid() ? teacherName(teacher.name) : tr("No teacher"));
    fill(layer >= 0 ? layerRows(layer) : modelRows());
}

}  // namespace stillroom::widgets
