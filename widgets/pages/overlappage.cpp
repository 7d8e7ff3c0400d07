// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/overlappage.h"

#include "analysis/chanceoverlap.h"
#include "models/rankdraws.h"
#include "plots/agreementplot.h"
#include "plots/overlapplot.h"
#include "views/choicebox.h"
#include "views/keepcontrol.h"
#include "views/labels.h"
#include "views/messageline.h"
#include "views/names.h"
#include "views/pairstrips.h"
#include "views/useranking.h"

#include <QAction>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPushButton>
#include <QRadioButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace stillroom::widgets {

OverlapPage::OverlapPage(Session &session, QWidget *parent)
    : QWidget(parent), m_session(session), m_table(session.choices(), session.choice()), m_current(new QItemSelectionModel(&m_table, this))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(16, 8, 16, 8);
    column->setSpacing(8);
    m_nothingScored = new MessageLine(MessageLine::Kind::Notice, this);
    m_nothingScored->setNextStep(tr("&Score layers…"));
    connect(m_nothingScored, &MessageLine::nextStepRequested, this, &OverlapPage::scoreRequested);
    QWidget *toolbar = makeToolbar(), *filter = makeFilter();      // in the order of the Tab key, here as below
    m_chance = new ElidedLabel(Voice::Quiet, this);
    auto *splitter = new QSplitter(Qt::Horizontal, this);
    splitter->setObjectName(QStringLiteral("overlapSplitter"));
    splitter->addWidget(makeMatrix());
    splitter->addWidget(makePair());
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    splitter->setChildrenCollapsible(false);
    splitter->setSizes({690, 340});      // of a window of 1400 pixels: a dozen choices side by side
    column->addWidget(m_nothingScored);
    column->addWidget(toolbar);
    column->addWidget(filter);
    column->addWidget(m_chance);
    column->addWidget(splitter, 1);
    follow();
    refresh();
}

void OverlapPage::follow()
{
    m_refreshing.setSingleShot(true);
    connect(&m_refreshing, &QTimer::timeout, this, &OverlapPage::refreshStale);
    connect(&m_session.choice(), &HybridChoice::changed, this, &OverlapPage::invalidate);
    connect(&m_session.choices(), &ChoiceBook::entriesChanged, this, &OverlapPage::invalidate);
    connect(&m_session, &Session::teacherChanged, this, &OverlapPage::invalidate);
    connect(&m_session.rankDraws(), &RankDraws::changed, this, [this] {
        m_pairDraws.reset();
        invalidate();
    });
    connect(&m_session, &Session::jobKindChanged, this, &OverlapPage::invalidate);
    connect(m_current, &QItemSelectionModel::currentChanged, this, [this](const QModelIndex &cell) {
        if (!cell.isValid() || m_resetting)
            return;
        m_nameA = m_table.entry(cell.row()).name;
        m_nameB = m_table.entry(cell.column()).name;
        showPair();
    });
    auto *copying = new QAction(tr("Copy as TSV"), this);
    copying->setShortcut(QKeySequence::Copy);
    copying->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(copying, &QAction::triggered, this, &OverlapPage::copy);
    auto *finding = new QAction(tr("Filter the choices"), this);
    finding->setShortcut(QKeySequence::Find);
    finding->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(finding, &QAction::triggered, this, [this] {
        m_filterWords->setFocus(Qt::ShortcutFocusReason);
        m_filterWords->selectAll();
    });
    addActions({copying, finding});
}

QWidget *OverlapPage::makeToolbar()
{
    auto *bar = new QWidget(this);
    auto *row = new QHBoxLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    auto *keep = new KeepControl(m_session.choice(), bar);
    auto *matrix = new QRadioButton(tr("&matrix"), bar), *table = new QRadioButton(tr("t&able"), bar);
    matrix->setChecked(true);
    connect(table, &QRadioButton::toggled, this, [this](bool on) { m_views->setCurrentIndex(on ? 1 : 0); });
    auto *copying = new QPushButton(tr("&Copy as TSV"), bar);
    copying->setToolTip(tr("The whole table, for a spreadsheet (Ctrl+C)"));
    connect(copying, &QPushButton::clicked, this, &OverlapPage::copy);
    row->addWidget(keep, 1);
    row->addWidget(new UseRanking(m_session.choice(), bar));
    row->addSpacing(16);
    row->addWidget(matrix);
    row->addWidget(table);
    row->addWidget(copying);
    return bar;
}

QWidget *OverlapPage::makeFilter()
{
    auto *bar = new QWidget(this);
    auto *row = new QHBoxLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    m_filterWords = new QLineEdit(bar);
    m_filterWords->setPlaceholderText(tr("words of a name (Ctrl+F)"));
    m_filterWords->setClearButtonEnabled(true);
    m_filterWords->setAccessibleName(tr("Choices by name"));
    m_filterGroup = new ChoiceBox(bar);
    m_filterGroup->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_filterGroup->setAccessibleName(tr("Choices by selector"));
    m_filterProbe = new ChoiceBox(bar);
    m_filterProbe->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_filterProbe->setAccessibleName(tr("Choices by probe"));
    m_filterProbe->setToolTip(tr("Choices without a probe, such as grids, stay for comparison"));
    m_filterSets = new QCheckBox(tr("with a se&t at this K only"), bar);
    m_count = new QuietLabel({}, bar);
    m_count->setAccessibleName(tr("Choices shown"));
    auto *words = new QLabel(tr("Sho&w:"), bar);
    words->setBuddy(m_filterWords);
    row->addWidget(words);
    row->addWidget(m_filterWords, 1);
    for (QWidget *one : std::initializer_list<QWidget *>{m_filterGroup, m_filterProbe, m_filterSets, m_count})
        row->addWidget(one);
    connect(m_filterWords, &QLineEdit::textChanged, this, &OverlapPage::useFilter);
    connect(m_filterGroup, &QComboBox::activated, this, &OverlapPage::useFilter);
    connect(m_filterProbe, &QComboBox::activated, this, &OverlapPage::useFilter);
    connect(m_filterSets, &QCheckBox::toggled, this, &OverlapPage::useFilter);
    return bar;
}

ChoiceFilter OverlapPage::filter() const
{
    return {m_filterWords->text(), m_filterGroup->currentData().toString(), m_filterProbe->currentData().toString(), m_filterSets->isChecked()};
}

void OverlapPage::useFilter()
{
    if (filter() != m_table.filter())
        refresh();
}

void OverlapPage::refreshFilter()
{
    QStringList groups, probes;
    for (const ChoiceBook::Entry &entry : m_session.choices().entries()) {
        if (const QString group = choiceGroup(entry.choice); !groups.contains(group))
            groups << group;
        if (const QString probe = QString::fromStdString(entry.choice.probe); !probe.isEmpty() && !probes.contains(probe))
            probes << probe;
    }
    const auto fill = [](QComboBox &box, const QString &all, const QStringList &values, const auto &name) {
        const QString chosen = box.currentData().toString();
        QStringList shown;
        for (int i = 1; i < box.count(); ++i)
            shown << box.itemData(i).toString();
        if (box.count() > 0 && shown == values)
            return;
        box.clear();
        box.addItem(all, QString());
        for (const QString &value : values)
            box.addItem(name(value), value);
        box.setCurrentIndex(std::max(0, box.findData(chosen)));
    };
    fill(*m_filterGroup, tr("every selector"), groups, [](const QString &group) { return group; });
    fill(*m_filterProbe, tr("every probe"), probes, [](const QString &probe) { return probeName(probe); });
}

QWidget *OverlapPage::makeMatrix()
{
    m_views = new QStackedWidget(this);
    m_matrix = new OverlapPlot(m_table, *m_current, m_views);
    auto *table = new QTableView(m_views);
    table->setAccessibleName(tr("Overlap of the choices, as a table"));
    table->setModel(&m_table);
    table->setSelectionModel(m_current);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->setFrameShape(QFrame::NoFrame);
    // All columns hold numbers of one width: measuring them anew for every K would take longer than drawing the matrix.
    table->horizontalHeader()->setDefaultSectionSize(table->fontMetrics().horizontalAdvance(QStringLiteral("0.00*")) + 2 * table->fontMetrics().averageCharWidth());
    m_views->addWidget(m_matrix);
    m_views->addWidget(table);
    const auto open = [this] { m_strips->setFocus(Qt::OtherFocusReason); };
    connect(m_matrix, &OverlapPlot::opened, this, open);
    connect(table, &QAbstractItemView::activated, this, open);
    return m_views;
}

QWidget *OverlapPage::makePair()
{
    auto *box = new QWidget(this);
    auto *column = new QVBoxLayout(box);
    column->setContentsMargins(8, 0, 0, 0);
    column->setSpacing(8);
    m_words = valueLabel({}, tr("The chosen pair"), box);
    m_words->setWordWrap(true);
    m_words->setTextFormat(Qt::PlainText);
    m_strips = new PairStrips(m_session.selection(), box);
    m_curve = new AgreementPlot(m_session.choice(), box);
    m_curve->setMinimumHeight(fontMetrics().height() * 9);
    column->addWidget(m_words);
    column->addWidget(m_strips);
    column->addWidget(m_curve, 1);
    return box;
}

void OverlapPage::invalidate()
{
    m_stale = true;
    if (isVisible())
        m_refreshing.start();
}

void OverlapPage::refreshStale()
{
    if (isVisible() && std::exchange(m_stale, false))
        refresh();
}

void OverlapPage::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    refreshStale();
}

void OverlapPage::refresh()
{
    refreshFilter();
    m_resetting = true;
    m_table.setFilter(filter());      // what was chosen may have gone
    m_resetting = false;
    keepPair();
    showPair();
    refreshNotes();
}

int OverlapPage::rowOf(const QString &name) const
{
    for (int row = 0; row < m_table.rowCount(); ++row)
        if (m_table.entry(row).name == name)
            return row;
    return -1;
}

void OverlapPage::keepPair()
{
    if (m_current->currentIndex().isValid() || m_table.rowCount() < 2)
        return;
    const int a = rowOf(m_nameA), b = rowOf(m_nameB);
    m_current->setCurrentIndex(a >= 0 && b >= 0 ? m_table.index(a, b) : m_table.index(1, 0), QItemSelectionModel::ClearAndSelect);
}

QString OverlapPage::pairText(int a, int b)
{
    QStringList lines{m_table.sentence(a, b)};
    if (a != b && m_table.layers(a) && m_table.layers(b)) {
        const analysis::Overlap parts = analysis::overlap(*m_table.layers(a), *m_table.layers(b));
        if (const QString draws = drawsText(a, b); !draws.isEmpty())
            lines << draws;
        lines << tr("Kept by both: %1. Only by the first (A): %2. Only by the second (B): %3.").arg(layerNames(parts.both), layerNames(parts.onlyA), layerNames(parts.onlyB));
    }
    return lines.join(QLatin1Char('\n'));
}

const store::Scoring *OverlapPage::scoringOf(const comparison::Choice &choice) const
{
    if (choice.origin != comparison::Origin::Scoring)
        return nullptr;
    const std::vector<store::Scoring> &all = m_session.choices().scorings();
    const auto found = std::find_if(all.begin(), all.end(), [&](const store::Scoring &one) { return comparison::scoringName(one) == choice.name; });
    return found == all.end() ? nullptr : &*found;
}

QString OverlapPage::drawsText(int a, int b)
{
    const store::Scoring *first = scoringOf(m_table.entry(a).choice), *second = scoringOf(m_table.entry(b).choice);
    if (!first || !second || m_table.layers(a)->size() != m_table.layers(b)->size() || m_table.layers(a)->empty())
        return {};
    const RankDraws::Drawn *drawsA = m_session.rankDraws().of(*first), *drawsB = m_session.rankDraws().of(*second);
    const auto isRanked = [&](const store::Scoring &scoring, int row) { return experiment::topLayers(*scoring.ranking, m_table.keep()) == *m_table.layers(row); };      // no set that a search found
    if (!drawsA || !drawsB || !isRanked(*first, a) || !isRanked(*second, b))
        return {};
    const std::string &nameA = m_table.entry(a).choice.name, &nameB = m_table.entry(b).choice.name;
    if (!m_pairDraws || m_pairDraws->a != nameA || m_pairDraws->b != nameB)
        m_pairDraws = PairDraws{nameA, nameB, analysis::agreementCurve(*first->ranking, *second->ranking, drawsA->ranks, drawsB->ranks)};
    const analysis::Band band = m_pairDraws->curve.at(m_table.layers(a)->size() - 1).bootstrap.value();
    const auto number = [](double value) { return QLocale().toString(value, 'f', 2); };
    return tr("Over other held-out sequences J is %1 to %2 (95 % of draws).").arg(number(band.low), number(band.high));
}

void OverlapPage::showPair()
{
    const QModelIndex cell = m_current->currentIndex();
    if (!cell.isValid()) {
        m_words->clear();
        m_strips->clear();
        m_curve->clear();
        m_curveOf.reset();
        return;
    }
    const int a = cell.row(), b = cell.column();
    m_words->setText(pairText(a, b));
    const experiment::LayerSet nothing;
    m_strips->setPair(m_table.numLayers(), {m_table.entry(a).name, m_table.layers(a).value_or(nothing)}, {m_table.entry(b).name, m_table.layers(b).value_or(nothing)});
    // It does not hang on K, and while a job scores it is mostly about others.
    const comparison::Choice &choiceA = m_table.entry(a).choice, &choiceB = m_table.entry(b).choice;
    if (m_curveOf && m_curveOf->first == choiceA && m_curveOf->second == choiceB)
        return;
    m_curveOf.emplace(choiceA, choiceB);
    m_curve->setCurve(choiceA.rule && choiceB.rule ? analysis::agreementOfSets(choiceA.rule->all(), choiceB.rule->all()) : std::vector<analysis::AgreementPoint>(), {choiceA.name, choiceB.name});
}

QString OverlapPage::chanceText() const
{
    const int keep = m_table.keep(), numLayers = m_table.numLayers();
    if (keep < 1 || keep > numLayers)
        return {};
    const analysis::ChanceOverlap chance(keep, keep, numLayers);
    const QLocale locale;
    const auto number = [&](double value) { return locale.toString(value, 'f', 2); };
    const QString text = tr("Two random sets of %1 of %n layers: J = %2 on average, 95 % from %3 to %4. Hatched: not to be told from chance (p ≥ %5).", nullptr, numLayers)
                             .arg(keep)
                             .arg(number(chance.meanJaccard()), number(chance.jaccardQuantile(0.025)), number(chance.jaccardQuantile(0.975)), number(analysis::chanceLevel));
    for (int row = 0; row < m_table.rowCount(); ++row)
        if (!m_table.layers(row))
            return text + tr(" –: no set of this size.");
    return text;
}

void OverlapPage::refreshNotes()
{
    m_chance->setText(chanceText());
    m_count->setText(m_table.rowCount() == m_table.numChoices() ? tr("%n choices", nullptr, m_table.numChoices()) : tr("%1 of %n choices", nullptr, m_table.numChoices()).arg(m_table.rowCount()));
    if (m_session.teacher().isValid() && m_session.choices().scorings().empty() && m_session.jobKind() != QLatin1String("score"))
        m_nothingScored->showText(tr("Nothing has been measured on this teacher yet, so only rules and published sets are compared."));
    else
        m_nothingScored->hide();
}

void OverlapPage::copy() const
{
    QGuiApplication::clipboard()->setText(m_table.asTsv());
}

}  // namespace stillroom::widgets
