// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/comparepage.h"

#include "models/experimenttable.h"
#include "models/tablecopy.h"
#include "pages/continuations.h"
#include "plots/curvereadings.h"
#include "plots/runbarsplot.h"
#include "plots/runcurvesplot.h"
#include "report/latex.h"
#include "report/markdown.h"
#include "views/choicebox.h"
#include "views/controlstyle.h"
#include "views/keyaction.h"
#include "views/labels.h"
#include "views/messageline.h"

#include <QAction>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPointer>
#include <QSplitter>
#include <QStackedWidget>
#include <QStyle>
#include <QTabWidget>
#include <QTableView>
#include <QVBoxLayout>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

namespace stillroom::widgets {
namespace {

/// What a person wants to see first, where it is there.
const QStringList firstSeries{QStringLiteral("distill/held_out_kl"), QStringLiteral("distill/kl")};

struct FoundHybrid {
    QString key;                              ///< of the artifact; empty: it made none
    bool isThere = false;                     ///< on this disk
};

/// A result names its model as "artifacts/KEY/model".
FoundHybrid hybridOf(const store::Workspace &workspace, const store::ExperimentRow &row)
{
    const std::string task = row.task.empty() ? row.kind : row.task;
    std::string resultJson;
    for (const store::TaskInfo &one : workspace.tasks(row.uuid))
        if (one.task == task)
            resultJson = one.resultJson;
    const nlohmann::json result = nlohmann::json::parse(resultJson, nullptr, false);
    const nlohmann::json model = result.is_object() ? result.value("model", nlohmann::json()) : nlohmann::json();
    const QStringList place = model.is_string() ? QString::fromStdString(model.get<std::string>()).split(QLatin1Char('/')) : QStringList();
    if (place.size() != 3 || place[1].startsWith(QLatin1Char('.')))
        return {};
    std::error_code unknown;
    return {place[1], std::filesystem::exists(workspace.folder() / "artifacts" / place[1].toStdString() / "model" / "config.json", unknown)};
}

/// Numbers have the room of the longest one, whatever they are where the pointer stands; names have all that is left.
void fitReadings(QTableView &view)
{
    constexpr int mostLetters = 14;      // of the heads, which may be cut: their tool tips have the whole
    const QFontMetrics metrics = view.fontMetrics();
    const int margin = 2 * (view.style()->pixelMetric(QStyle::PM_HeaderMargin, nullptr, &view) + 1);
    QHeaderView &header = *view.horizontalHeader();
    for (int column = 0; column < view.model()->columnCount(); ++column) {
        header.setSectionResizeMode(column, column == 0 ? QHeaderView::Stretch : QHeaderView::Fixed);
        if (column == 0)
            continue;
        const int head = metrics.size(0, view.model()->headerData(column, Qt::Horizontal).toString()).width();
        header.resizeSection(column, margin + std::max(metrics.horizontalAdvance(QStringLiteral("−0.000e−00")), std::min(head, mostLetters * letterWidth(metrics))));
    }
}

QString obstacleOf(const store::ExperimentRow &row, const FoundHybrid &hybrid)
{
    if (hybrid.isThere)
        return {};
    if (!hybrid.key.isEmpty())
        return ComparePage::tr("Its hybrid is not on this disk: only its numbers came with the workspace. Run it again, and it can write.");
    return row.status == store::RunStatus::Running ? ComparePage::tr("It is still at work: its hybrid comes at the end.")
                                                   : ComparePage::tr("It left no hybrid that could write: only a distillation that came to its end does.");
}

}  // namespace

ComparePage::ComparePage(Session &session, QWidget *parent) : QWidget(parent), m_session(session), m_comparison(session), m_table(m_comparison)
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(16, 8, 16, 8);
    column->setSpacing(8);
    m_empty = new MessageLine(MessageLine::Kind::Notice, this);
    m_empty->showText(tr("Select two to six runs in the table of runs and press D, or choose Compare in their menu: they stand side by side here."));
    m_empty->setNextStep(tr("Choose runs"));
    connect(m_empty, &MessageLine::nextStepRequested, this, &ComparePage::runsRequested);
    auto *split = new QSplitter(Qt::Vertical, this);
    split->setObjectName(QStringLiteral("compareSplitter"));
    split->setChildrenCollapsible(false);
    m_tabs = new QTabWidget(split);
    m_tabs->setDocumentMode(true);
    m_tabs->setAccessibleName(tr("Views of the compared experiments"));
    m_tabs->addTab(makeCurves(), tr("&Curves"));
    m_tabs->addTab(makeBars(), tr("&Bars"));
    m_texts = new Continuations(session, m_tabs);
    m_tabs->addTab(m_texts, tr("Te&xts"));
    const auto suggest = [this, &session] {
        if (session.teacher().argument == QLatin1String("demo"))
            m_texts->suggest(demoPrompt);
    };
    connect(&session, &Session::teacherChanged, this, suggest);
    split->addWidget(m_tabs);
    split->addWidget(makeTable());
    auto *nothing = new QWidget(this);
    auto *nothingColumn = new QVBoxLayout(nothing);
    nothingColumn->setContentsMargins(0, 0, 0, 0);
    nothingColumn->addWidget(m_empty);
    nothingColumn->addStretch(1);
    m_views = new QStackedWidget(this);
    m_views->addWidget(nothing);
    m_views->addWidget(split);
    column->addWidget(m_views, 1);
    connect(&m_comparison, &Comparison::changed, this, &ComparePage::refresh);
    refresh();
}

QWidget *ComparePage::makeCurves()
{
    auto *box = new QWidget(this);
    auto *column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    m_curves = new RunCurvesPlot(m_comparison, box);
    m_curves->setObjectName(QStringLiteral("comparedCurves"));
    m_beside = new RunCurvesPlot(m_comparison, box);
    m_beside->setObjectName(QStringLiteral("comparedCurvesBeside"));
    m_beside->setLegend(RunCurvesPlot::Legend::None);      // the same runs in the same colours: they are named once
    m_beside->hide();
    auto *plots = new QSplitter(Qt::Horizontal, box);
    plots->setObjectName(QStringLiteral("compareCurvesSplitter"));
    plots->setChildrenCollapsible(false);
    for (RunCurvesPlot *plot : {m_beside, m_curves}) {      // the last one that a splitter takes in is its first child, whatever its place
        plot->setMinimumSize(letterWidth(fontMetrics()) * 30, fontMetrics().height() * 12);
        plot->link(m_axis);
        plots->insertWidget(0, plot);
        connect(plot, &RunCurvesPlot::drawn, this, &ComparePage::refreshNote);
    }
    plots->addWidget(makeReadings());
    for (const int plot : {0, 1})
        plots->setStretchFactor(plot, 1);
    column->addLayout(makeChoiceOfCurves(box));
    column->addWidget(plots, 1);
    return box;
}

QLayout *ComparePage::makeChoiceOfCurves(QWidget *box)
{
    m_series = new ChoiceBox(box);
    m_series->setObjectName(QStringLiteral("shownCurve"));
    m_series->setAccessibleName(tr("Curve"));
    m_besideSeries = new ChoiceBox(box);
    m_besideSeries->setObjectName(QStringLiteral("curveBeside"));
    m_besideSeries->setAccessibleName(tr("Beside it"));
    m_against = new ChoiceBox(box);
    m_against->setObjectName(QStringLiteral("against"));
    m_against->setAccessibleName(tr("Against"));
    m_against->addItem(tr("tokens"), static_cast<int>(RunCurvesPlot::Against::Tokens));
    m_against->addItem(tr("steps"), static_cast<int>(RunCurvesPlot::Against::Steps));
    m_against->addItem(tr("time"), static_cast<int>(RunCurvesPlot::Against::WallTime));
    m_against->addItem(tr("compute time"), static_cast<int>(RunCurvesPlot::Against::ComputeTime));
    m_against->setItemData(3, tr("Without the pauses between the sessions of a run that was resumed: gaps more than ten times as long as is usual between two points"), Qt::ToolTipRole);
    m_note = new ElidedLabel(Voice::Quiet, box);
    auto *row = new QHBoxLayout;
    row->setSpacing(8);
    for (const auto &[text, choice] : {std::pair(tr("&Shown curve:"), m_series), std::pair(tr("Besi&de it:"), m_besideSeries), std::pair(tr("Agai&nst:"), m_against)}) {
        choice->setSizeAdjustPolicy(QComboBox::AdjustToContents);
        auto *label = new QLabel(text, box);
        label->setBuddy(choice);
        row->addWidget(label);
        row->addWidget(choice);
    }
    row->addWidget(m_note, 1);
    connect(m_series, &QComboBox::currentIndexChanged, this, [this] { m_curves->setSeries(m_series->currentData().toString()); });
    connect(m_besideSeries, &QComboBox::currentIndexChanged, this, &ComparePage::showBeside);
    connect(m_against, &QComboBox::currentIndexChanged, this, [this] {
        for (RunCurvesPlot *plot : {m_curves, m_beside})
            plot->setAgainst(static_cast<RunCurvesPlot::Against>(m_against->currentData().toInt()));
    });
    return row;
}

QWidget *ComparePage::makeBars()
{
    auto *box = new QWidget(this);
    auto *column = new QVBoxLayout(box);
    column->setContentsMargins(0, 4, 0, 0);
    column->setSpacing(4);
    m_measure = new ChoiceBox(box);
    m_measure->setObjectName(QStringLiteral("measure"));
    m_measure->setAccessibleName(tr("Measure"));
    m_measure->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    auto *label = new QLabel(tr("&Measure:"), box);
    label->setBuddy(m_measure);
    auto *note = new ElidedLabel(Voice::Quiet, box);
    note->setText(tr("whiskers: 95 % of the held-out data, where the error is known"));
    auto *row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(label);
    row->addWidget(m_measure);
    row->addWidget(note, 1);
    m_bars = new RunBarsPlot(m_comparison, box);
    m_bars->setObjectName(QStringLiteral("comparedBars"));
    m_bars->setMinimumHeight(fontMetrics().height() * 12);
    column->addLayout(row);
    column->addWidget(m_bars, 1);
    connect(m_measure, &QComboBox::currentIndexChanged, this, [this] { m_bars->setMeasure(m_measure->currentData().toString()); });
    return box;
}

QWidget *ComparePage::makeReadings()
{
    auto *box = new QWidget(this);
    auto *column = new QVBoxLayout(box);
    column->setContentsMargins(8, 0, 0, 0);
    column->setSpacing(4);
    m_readings = new CurveReadings(m_comparison, m_axis, {m_curves, m_beside}, this);
    auto *title = new ElidedLabel(Voice::Quiet, box);
    title->setObjectName(QStringLiteral("readingsTitle"));
    auto *view = new QTableView(box);
    view->setObjectName(QStringLiteral("readings"));
    view->setModel(m_readings);
    view->setAccessibleName(tr("Values of the curves"));
    view->setToolTip(tr("Where the pointer, or ← and →, stands in a plot; Esc: the last values"));
    view->setFrameShape(QFrame::NoFrame);
    view->setShowGrid(false);
    view->setWordWrap(false);
    view->setTabKeyNavigation(false);
    view->verticalHeader()->hide();
    view->verticalHeader()->setDefaultSectionSize(rowHeight(*this));
    view->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    view->setTextElideMode(Qt::ElideMiddle);      // names differ at their ends
    view->setMinimumWidth(letterWidth(fontMetrics()) * 36);
    addKeyAction(*view, tr("&Copy as text"), QKeySequence::Copy, [this] { QGuiApplication::clipboard()->setText(m_readings->asTsv()); });
    view->setContextMenuPolicy(Qt::ActionsContextMenu);
    column->addWidget(title);
    column->addWidget(view, 1);
    const auto retitle = [this, title] { title->setText(m_readings->title()); };
    connect(m_readings, &QAbstractItemModel::modelReset, this, retitle);
    connect(m_readings, &QAbstractItemModel::dataChanged, this, retitle);
    connect(m_readings, &QAbstractItemModel::modelReset, view, [view] { fitReadings(*view); });
    retitle();
    fitReadings(*view);
    return box;
}

void ComparePage::showBeside()
{
    const QString series = m_besideSeries->currentData().toString();
    m_beside->setSeries(series);
    m_beside->setVisible(!series.isEmpty());
    m_curves->setLegend(series.isEmpty() ? RunCurvesPlot::Legend::Own : RunCurvesPlot::Legend::Both, series);
}

QWidget *ComparePage::makeTable()
{
    auto *box = new QWidget(this);
    auto *column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    m_everything = new QCheckBox(tr("Equal settin&gs too"), box);
    connect(m_everything, &QCheckBox::toggled, this, [this](bool on) { m_table.setEverything(on); });
    connect(&m_table, &QAbstractItemModel::modelReset, this, &ComparePage::fitTable);
    auto *row = new QHBoxLayout;
    row->setSpacing(12);
    row->addWidget(headingLabel(tr("Measures and settings that differ"), HeadingLevel::Section, box));
    auto *legend = new ElidedLabel(Voice::Quiet, box);
    legend->setText(tr("Δ: less the baseline · *: beyond the errors of both (95 %)"));
    row->addWidget(legend, 1);
    row->addWidget(m_everything);
    m_view = new QTableView(box);
    m_view->setModel(&m_table);
    m_view->setAccessibleName(tr("Measures and settings that differ"));
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setWordWrap(false);
    m_view->setShowGrid(false);
    m_view->setTabKeyNavigation(false);
    m_view->setMinimumHeight(fontMetrics().height() * 8);
    m_view->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    m_view->horizontalHeader()->setTextElideMode(Qt::ElideRight);
    m_view->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_view->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_view->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_view->verticalHeader()->setDefaultSectionSize(rowHeight(*this));
    const auto add = [this](const QString &text, const QKeySequence &key, const auto &act) {
        auto *action = new QAction(text, m_view);
        action->setShortcut(key);
        action->setShortcutContext(Qt::WidgetShortcut);
        connect(action, &QAction::triggered, this, act);
        m_view->addAction(action);
    };
    add(tr("Make it the &baseline"), Qt::Key_B, [this] {
        if (chosen() > 0)
            m_comparison.makeBaseline(chosen());
    });
    add(tr("Take it &out"), QKeySequence::Delete, [this] {
        if (chosen() >= 0)
            m_comparison.remove(chosen());
    });
    add(tr("&Copy"), QKeySequence::Copy, [this] { QGuiApplication::clipboard()->setMimeData(tableClipboard(m_table.copied(), m_table.copied())); });
    add(tr("Copy as LaT&eX"), {}, [this] { QGuiApplication::clipboard()->setText(QString::fromStdString(report::latexText(m_table.copied()))); });
    add(tr("Copy as Mark&down"), {}, [this] { QGuiApplication::clipboard()->setText(QString::fromStdString(report::markdownText(m_table.copied()))); });
    m_view->setContextMenuPolicy(Qt::ActionsContextMenu);
    column->addLayout(row);
    column->addWidget(m_view, 1);
    return box;
}

/// Numbers are never cut: where there is no room for all columns, the last ones are scrolled to. Settings may be: their tool tips have the whole.
void ComparePage::fitTable()
{
    const QFontMetrics metrics = m_view->fontMetrics();
    int least = letterWidth(metrics) * 12;
    const int room = m_view->style()->pixelMetric(QStyle::PM_FocusFrameHMargin, nullptr, m_view) * 2 + letterWidth(metrics);
    for (int row = 0; row < m_table.rowCount(); ++row) {
        QSize largest;
        for (int column = 0; column < m_table.columnCount() && m_table.isMeasure(row); ++column)
            largest = largest.expandedTo(metrics.size(0, m_table.index(row, column).data().toString()));
        least = std::max(least, largest.width() + room);
        m_view->verticalHeader()->resizeSection(row, std::max(0, largest.height() - metrics.height()) + rowHeight(*this));
    }
    m_view->horizontalHeader()->setMinimumSectionSize(least);
}

int ComparePage::chosen() const { return m_view->currentIndex().isValid() ? m_view->currentIndex().column() : -1; }

void ComparePage::refresh()
{
    m_views->setCurrentIndex(m_comparison.experiments().empty() ? 0 : 1);
    refreshSeries();
    refreshMeasures();
    refreshAuthors();
    refreshNote();
}

/// Who can write: the store knows what each made, and the disk whether it is still there.
void ComparePage::refreshAuthors()
{
    std::vector<std::pair<store::ExperimentRow, QString>> asked;
    for (const ComparedExperiment &one : m_comparison.experiments())
        asked.emplace_back(one.row, one.name());
    m_session.withStore("compared hybrids", [page = QPointer<ComparePage>(this), asked](store::Workspace &workspace) -> Background::Answer {
        std::vector<FoundHybrid> found;
        for (const auto &[row, name] : asked)
            found.push_back(hybridOf(workspace, row));
        return [page, asked, found] {
            std::vector<Continuations::Author> authors;
            for (std::size_t i = 0; i < asked.size(); ++i)
                authors.push_back({asked[i].second, found[i].isThere ? found[i].key : QString(), obstacleOf(asked[i].first, found[i])});
            if (page)
                page->m_texts->setAuthors(std::move(authors));
        };
    });
}

/// The chosen measure stays where one still has it.
void ComparePage::refreshMeasures()
{
    QString wanted = m_measure->currentData().toString();
    if (!m_wantedMeasure.isEmpty() && !m_comparison.measures().empty())
        wanted = std::exchange(m_wantedMeasure, {});
    const QSignalBlocker quiet(m_measure);
    m_measure->clear();
    for (const std::string &measure : m_comparison.measures())
        m_measure->addItem(measureName(QString::fromStdString(measure)), QString::fromStdString(measure));
    m_measure->setCurrentIndex(std::max(0, m_measure->findData(wanted)));
    m_measure->setEnabled(m_measure->count() > 0);
    if (m_measure->currentData().toString() != m_bars->measure())
        m_bars->setMeasure(m_measure->currentData().toString());
}

/// The chosen curves stay where they are still there.
void ComparePage::refreshSeries()
{
    const QStringList now = m_comparison.series();
    QStringList known;
    for (int i = 0; i < m_series->count(); ++i)
        known << m_series->itemData(i).toString();
    if (now == known)
        return;
    refreshBeside(now);
    QString wanted = m_series->currentData().toString();
    for (auto first = firstSeries.rbegin(); first != firstSeries.rend() && !now.contains(m_series->currentData().toString()); ++first)
        if (now.contains(*first))
            wanted = *first;
    if (now.contains(m_wantedSeries))
        wanted = std::exchange(m_wantedSeries, {});
    const QSignalBlocker quiet(m_series);
    m_series->clear();
    for (const QString &series : now)
        m_series->addItem(seriesName(series), series);
    m_series->setCurrentIndex(std::max(0, m_series->findData(wanted)));
    m_series->setEnabled(m_series->count() > 0);
    m_curves->setSeries(m_series->currentData().toString());
}

void ComparePage::refreshBeside(const QStringList &now)
{
    QString wanted = m_besideSeries->currentData().toString();
    if (now.contains(m_wantedBeside))
        wanted = std::exchange(m_wantedBeside, {});
    const QSignalBlocker quiet(m_besideSeries);
    m_besideSeries->clear();
    m_besideSeries->addItem(tr("nothing"), QString());
    for (const QString &series : now)
        m_besideSeries->addItem(seriesName(series), series);
    m_besideSeries->setCurrentIndex(std::max(0, m_besideSeries->findData(wanted)));
    m_besideSeries->setEnabled(!now.isEmpty());
    showBeside();
}

QStringList ComparePage::compared() const
{
    QStringList keys;
    for (const ComparedExperiment &one : m_comparison.experiments())
        keys << QString::fromStdString(one.row.uuid) + QLatin1Char('/') + QString::fromStdString(one.row.task);
    return keys;
}

QVariantMap ComparePage::view() const
{
    return {{QStringLiteral("series"), m_series->currentData()}, {QStringLiteral("beside"), m_besideSeries->currentData()}, {QStringLiteral("against"), m_against->currentIndex()},
            {QStringLiteral("measure"), m_measure->currentData()}, {QStringLiteral("tab"), m_tabs->currentIndex()}, {QStringLiteral("everything"), m_everything->isChecked()}};
}

void ComparePage::setView(const QVariantMap &view)
{
    m_wantedSeries = view.value(QStringLiteral("series")).toString();
    m_wantedBeside = view.value(QStringLiteral("beside")).toString();
    m_wantedMeasure = view.value(QStringLiteral("measure")).toString();
    m_tabs->setCurrentIndex(std::clamp(view.value(QStringLiteral("tab")).toInt(), 0, m_tabs->count() - 1));
    m_against->setCurrentIndex(std::clamp(view.value(QStringLiteral("against")).toInt(), 0, m_against->count() - 1));
    m_everything->setChecked(view.value(QStringLiteral("everything")).toBool());
}

void ComparePage::refreshNote()
{
    QStringList parts;
    if (m_curves->smoothing() > 0.0)
        parts << tr("smoothed by %1, measured values behind").arg(QLocale().toString(m_curves->smoothing()));
    const int dropped = m_curves->numDropped() + (m_beside->series().isEmpty() ? 0 : m_beside->numDropped());
    if (dropped > 0)
        parts << tr("%n values not above 0 cannot be shown", nullptr, dropped);
    const int before = m_curves->numBeforeAxis() + (m_beside->series().isEmpty() ? 0 : m_beside->numBeforeAxis());
    if (before > 0)
        parts << tr("%n points not above 0 on the x axis cannot be shown", nullptr, before);
    m_note->setText(parts.join(QStringLiteral(" · ")));
}

}  // namespace stillroom::widgets
