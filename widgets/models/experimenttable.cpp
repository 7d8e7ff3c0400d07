// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/experimenttable.h"

#include "error.h"
#include "experiment/shownnames.h"
#include "models/jobrunner.h"
#include "models/specfields.h"
#include "views/jobwords.h"
#include "views/names.h"
#include "views/palette.h"
#include "views/quantities.h"
#include "views/specwords.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QFont>
#include <QGuiApplication>
#include <QLocale>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <tuple>
#include <utility>

namespace stillroom::widgets {
namespace {

const QString measurePrefix = QStringLiteral("measure/"), pinSign = QStringLiteral("★");

std::string measureOf(const ExperimentTable::Column &column) { return column.id.startsWith(measurePrefix) ? column.id.mid(measurePrefix.size()).toStdString() : std::string(); }

}  // namespace

QString kindText(const std::string &kind)
{
    static const std::map<std::string, const char *> words{{"train-teacher", QT_TRANSLATE_NOOP("stillroom::widgets::ExperimentTable", "train a teacher")}, {"inspect", QT_TRANSLATE_NOOP("stillroom::widgets::ExperimentTable", "inspect")},
                                                           {"align", QT_TRANSLATE_NOOP("stillroom::widgets::ExperimentTable", "align")}, {"calibrate", QT_TRANSLATE_NOOP("stillroom::widgets::ExperimentTable", "calibrate")},
                                                           {"score", QT_TRANSLATE_NOOP("stillroom::widgets::ExperimentTable", "score")}, {"distill", QT_TRANSLATE_NOOP("stillroom::widgets::ExperimentTable", "distil")},
                                                           {"evaluate", QT_TRANSLATE_NOOP("stillroom::widgets::ExperimentTable", "evaluate")}, {"generate", QT_TRANSLATE_NOOP("stillroom::widgets::ExperimentTable", "generate")},
                                                           {"pipeline", QT_TRANSLATE_NOOP("stillroom::widgets::ExperimentTable", "pipeline")}};
    const auto found = words.find(kind);
    return found == words.end() ? QString::fromStdString(kind) : ExperimentTable::tr(found->second);
}

namespace {

QString tagsText(const store::ExperimentRow &row)
{
    QStringList tags;
    for (const std::string &tag : row.tags)
        tags << QString::fromStdString(tag);
    return tags.join(QStringLiteral(", "));
}

}  // namespace

QString startedText(double seconds)
{
    constexpr double endOf9999 = 253402300799.0;
    if (!(seconds > 0.0 && seconds < endOf9999))
        return {};
    return QLocale().toString(QDateTime::fromMSecsSinceEpoch(static_cast<qint64>(seconds * 1000.0)), QLocale::ShortFormat);
}

QString spreadText(analysis::Spread spread)
{
    switch (spread) {
    case analysis::Spread::Interval95: return ExperimentTable::tr("mean ± 95 % interval");
    case analysis::Spread::StandardError: return ExperimentTable::tr("mean ± standard error");
    case analysis::Spread::StandardDeviation: return ExperimentTable::tr("mean ± standard deviation");
    case analysis::Spread::Range: return ExperimentTable::tr("mean, lowest to highest");
    }
    return {};
}

QString statusText(store::RunStatus status)
{
    switch (status) {
    case store::RunStatus::Running: return ExperimentTable::tr("running");
    case store::RunStatus::Finished: return ExperimentTable::tr("finished");
    case store::RunStatus::Failed: return ExperimentTable::tr("failed");
    case store::RunStatus::Cancelled: return ExperimentTable::tr("cancelled");
    case store::RunStatus::Interrupted: return ExperimentTable::tr("interrupted");
    }
    return {};
}

bool isPaused(Session &session, const store::ExperimentRow &row)
{
    const QueuedJob *job = session.jobs().queue().find(QString::fromStdString(row.uuid));
    return job && job->state == JobState::Paused && row.status != store::RunStatus::Finished;
}

QString runStatusText(Session &session, const store::ExperimentRow &row)
{
    return isPaused(session, row) ? ExperimentTable::tr("paused") : statusText(row.status);
}

QString runTitle(const store::ExperimentRow &row)
{
    if (!row.name.empty())
        return QString::fromStdString(row.name);
    const QString probe = row.mixer.empty() ? QString() : probeName(QString::fromStdString(row.mixer)), selector = selectorMark(QString::fromStdString(row.selector));
    if (!row.task.empty() || row.kind == "pipeline")      // a run of many things
        return runName(QString::fromStdString(row.uuid));
    if (row.kind == "score" && !row.selector.empty())
        return distinctName(selector, probe);
    if (row.kind == "distill" && row.layers && row.layers->size() <= store::mostNamedLayers)
        return ExperimentTable::tr("%1, keep %2", "mixer, softmax layers").arg(probe, layerNames(*row.layers).remove(QLatin1Char(',')));
    if (row.kind == "distill" && row.keep)
        return ExperimentTable::tr("%1, keep %n layers", "mixer", *row.keep).arg(probe);
    const QString kind = kindName(QString::fromStdString(row.kind)), about = probe.isEmpty() ? teacherText(QString::fromStdString(row.teacher)) : probe;
    return about.isEmpty() ? kind : distinctName(kind, about);
}

QString experimentTitle(const store::ExperimentRow &row)
{
    const QString title = runTitle(row);
    return row.task.empty() ? title : ExperimentTable::tr("%1 › %2").arg(title, QString::fromStdString(row.task));
}

namespace {

QString toldApart(const store::ExperimentRow &row, const std::vector<experiment::SpecValue> &distinction)
{
    const QString title = experimentTitle(row), words = distinctionText(distinction);
    return words.isEmpty() ? title : distinctName(title, words);
}

}  // namespace

QString experimentName(const store::ExperimentRow &row)
{
    return toldApart(row, row.distinction);
}

QString repeatedName(const store::ExperimentRow &row)
{
    std::vector<experiment::SpecValue> distinction = row.distinction;
    std::erase_if(distinction, [](const experiment::SpecValue &one) { return one.path == "seed"; });
    return toldApart(row, distinction);
}

QString measureName(const QString &measure)
{
    return QCoreApplication::translate("Measures", experiment::measureWords(measure.toStdString()).c_str());      // the command line's words, in the language of the window
}

bool isErrorOfMeasure(const QString &measure)
{
    return measure.endsWith(QLatin1String("_se")) || measure.startsWith(QLatin1String("se_")) || measure.contains(QLatin1String("_se_"));
}

bool isCount(const QString &measure)
{
    return measure == QLatin1String("n") || measure.endsWith(QLatin1String("_n")) || measure.endsWith(QLatin1String("_tokens")) || measure.endsWith(QLatin1String("_sequences"));
}

bool isUsualMeasure(const std::string &measure)
{
    return measure == "kl_nats" || measure == "perplexity" || measure == "recall";
}

bool isCompared(const QString &measure)
{
    return lowerIsBetter(measure) && !isErrorOfMeasure(measure);
}

std::optional<bool> lowerIsBetter(const QString &measure)
{
    if (isCount(measure))
        return std::nullopt;
    if (measure.endsWith(QLatin1String("_nats")) || measure.contains(QLatin1String("perplexity")) || measure.contains(QLatin1String("loss")))
        return true;
    if (measure.contains(QLatin1String("recall")) || measure.contains(QLatin1String("accuracy")) || measure.contains(QLatin1String("cosine")))
        return false;
    return std::nullopt;
}

ExperimentTable::ExperimentTable(ExperimentList &list, QObject *parent) : QAbstractTableModel(parent), m_list(list)
{
    connect(&list, &ExperimentList::changed, this, &ExperimentTable::rebuild);
    m_words = [this](const store::ExperimentRow &row, const std::string &field) { return words(row, field); };
    connect(&list, &ExperimentList::statesChanged, this, [this] {
        if (!m_query.isEmpty() && found() != m_found)      // a job that is paused is found by that word
            rebuild();
        else if (rowCount() > 0)
            Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
    });
    rebuild();
}

namespace {

std::vector<std::string> marksOf(const store::ExperimentRow &row)
{
    std::vector<std::string> found;
    for (const auto &[isSet, name, shown] : {std::tuple{row.locked, "locked", ExperimentTable::tr("locked")}, std::tuple{row.pinned, "pinned", ExperimentTable::tr("pinned")}})
        if (isSet)
            found.insert(found.end(), {name, shown.toStdString()});
    return found;
}

/// Words that the table has for how a run stands, which need not be the store's.
std::vector<std::string> stateWords()
{
    std::vector<std::string> all{"paused", ExperimentTable::tr("paused").toStdString(), ExperimentTable::tr("locked").toStdString(), ExperimentTable::tr("pinned").toStdString()};
    for (const store::RunStatus status : {store::RunStatus::Running, store::RunStatus::Finished, store::RunStatus::Failed, store::RunStatus::Cancelled, store::RunStatus::Interrupted})
        all.push_back(statusText(status).toStdString());
    return all;
}

/// What a column of marks says aloud; empty for another column.
QString markText(const store::ExperimentRow &row, const ExperimentTable::Column &column)
{
    if (column.id == QLatin1String("pinned"))
        return row.pinned ? ExperimentTable::tr("pinned") : ExperimentTable::tr("not pinned");
    if (column.id == QLatin1String("locked"))
        return row.locked ? ExperimentTable::tr("locked") : ExperimentTable::tr("not locked");
    return {};
}

}  // namespace

/// Both the name that a query is written with and what stands in the cell, in the window's language.
std::vector<std::string> ExperimentTable::words(const store::ExperimentRow &row, const std::string &field) const
{
    const auto both = [](const std::string &name, const QString &shown) { return std::vector{name, shown.toStdString()}; };
    if (field == "status")
        return both(m_list.isPaused(row) ? "paused" : store::statusName(row.status), m_list.statusText(row));
    if (field == "kind")
        return both(row.kind, kindText(row.kind));
    if (field == "teacher")
        return both(row.teacher, teacherText(QString::fromStdString(row.teacher)));
    if (field == "is")
        return marksOf(row);
    return {};
}

std::vector<const store::ExperimentRow *> ExperimentTable::found() const
{
    std::vector<const store::ExperimentRow *> all;
    for (const store::ExperimentRow &row : *m_shown)
        if (m_query.matches(row, m_words))
            all.push_back(&row);
    return all;
}

QString ExperimentTable::setQuery(const QString &text)
{
    try {
        m_query = store::ExperimentQuery(text.toStdString(), m_measures, stateWords());
    } catch (const Error &error) {
        return QString::fromStdString(error.what());
    }
    rebuild();
    return {};
}

void ExperimentTable::setGrouped(bool grouped)
{
    m_grouped = grouped;
    rebuild();
}

void ExperimentTable::setSpread(analysis::Spread spread)
{
    m_spread = spread;
    rebuild();
}

void ExperimentTable::setBaseline(int row)
{
    if (row < 0) {
        m_baseline.reset();
    } else {
        const Group &chosen = group(row);
        Baseline baseline{chosen.first().uuid, chosen.first().task, {}};
        for (const auto &[name, interval] : chosen.measures)
            baseline.measures[name] = interval.mean;
        m_baseline = std::move(baseline);
    }
    if (rowCount() > 0)
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

bool ExperimentTable::isBaseline(int row) const
{
    return m_baseline && std::any_of(group(row).members.begin(), group(row).members.end(), [&](const store::ExperimentRow *one) { return one->uuid == m_baseline->uuid && one->task == m_baseline->task; });
}

void ExperimentTable::rebuild()
{
    beginResetModel();
    readColumns();
    fillGroups();
    sortGroups();
    endResetModel();
}

void ExperimentTable::readColumns()
{
    std::set<std::string> measures;
    for (const store::ExperimentRow &row : m_list.rows())
        for (const auto &[name, value] : row.measures)
            measures.insert(name);
    m_measures.assign(measures.begin(), measures.end());
    std::stable_partition(m_measures.begin(), m_measures.end(), isUsualMeasure);
    m_columns = {{QStringLiteral("pinned"), tr("Pin"), false, true, true}, {QStringLiteral("locked"), tr("Lock"), false, true, true}, {QStringLiteral("name"), tr("Name"), false, true}, {QStringLiteral("kind"), tr("Kind"), false, true},
                 {QStringLiteral("status"), tr("Status"), false, true}, {QStringLiteral("teacher"), tr("Teacher"), false, true}, {QStringLiteral("probe"), tr("Probe"), false, true},
                 {QStringLiteral("selector"), tr("Selector"), false, false}, {QStringLiteral("k"), tr("K"), true, true}, {QStringLiteral("layers"), tr("Softmax layers"), false, false}};
    for (const std::string &name : m_measures) {
        const QString id = QString::fromStdString(name);
        m_columns.push_back({measurePrefix + id, measureName(id), true, isUsualMeasure(name)});
    }
    m_columns.push_back({QStringLiteral("tokens"), tr("Tokens"), true, true});
    m_columns.push_back({QStringLiteral("seconds"), tr("Duration"), true, true});
    m_columns.push_back({QStringLiteral("started"), tr("Started"), true, true});
    m_columns.push_back({QStringLiteral("seed"), tr("Seed"), true, false});
    m_columns.push_back({QStringLiteral("tags"), tr("Tags"), false, true});
    m_columns.push_back({QStringLiteral("notes"), tr("Notes"), false, false});
}

void ExperimentTable::fillGroups()
{
    m_groups.clear();
    m_shown = m_list.shared();
    const store::ExperimentQuery anything;      // which finds no mere looks at models
    m_numExperiments = static_cast<int>(std::count_if(m_shown->begin(), m_shown->end(), [&](const store::ExperimentRow &row) { return anything.matches(row) || m_query.matches(row, m_words); }));
    std::map<std::string, std::size_t> places;      // of settings
    m_found = found();
    m_numFound = static_cast<int>(m_found.size());
    for (const store::ExperimentRow *one : m_found) {
        const store::ExperimentRow &row = *one;
        const auto known = m_grouped ? places.find(row.settings) : places.end();
        if (known != places.end()) {
            m_groups[known->second].members.push_back(one);
            continue;
        }
        if (m_grouped)
            places.emplace(row.settings, m_groups.size());
        m_groups.push_back({{one}, {}});
    }
    for (Group &group : m_groups)
        for (const std::string &name : m_measures) {
            std::vector<double> values;
            for (const store::ExperimentRow *member : group.members)
                if (const auto found = member->measures.find(name); found != member->measures.end())
                    values.push_back(found->second);
            if (!values.empty())
                group.measures.emplace(name, analysis::spreadOf(values, m_spread));
        }
}

QVariant ExperimentTable::key(const Group &group, const Column &column) const
{
    const store::ExperimentRow &row = group.first();
    if (const std::string measure = measureOf(column); !measure.empty()) {
        const auto found = group.measures.find(measure);
        return found == group.measures.end() || std::isnan(found->second.mean) ? QVariant() : QVariant(found->second.mean);
    }
    if (column.id == QLatin1String("pinned"))
        return row.pinned ? 0 : 1;
    if (column.id == QLatin1String("locked"))
        return row.locked ? 0 : 1;
    if (column.id == QLatin1String("k"))
        return row.keep ? QVariant(*row.keep) : QVariant();
    if (column.id == QLatin1String("seed"))
        return row.seed ? QVariant(static_cast<qlonglong>(*row.seed)) : QVariant();
    if (column.id == QLatin1String("tokens"))
        return static_cast<qlonglong>(row.tokens);
    if (column.id == QLatin1String("seconds"))
        return row.seconds ? QVariant(*row.seconds) : QVariant();
    if (column.id == QLatin1String("started"))
        return row.startedSeconds;
    const QString shown = text(group, column);
    return shown.isEmpty() ? QVariant() : QVariant(shown);
}

void ExperimentTable::sortGroups()
{
    const auto column = std::find_if(m_columns.begin(), m_columns.end(), [&](const Column &one) { return one.id == m_sortColumn; });
    if (column == m_columns.end())
        return;
    std::vector<std::pair<QVariant, std::size_t>> keys;
    for (std::size_t i = 0; i < m_groups.size(); ++i)
        keys.emplace_back(key(m_groups[i], *column), i);
    const bool asText = !column->isNumber && markText({}, *column).isEmpty(), descending = m_sortOrder == Qt::DescendingOrder;
    std::stable_sort(keys.begin(), keys.end(), [&](const auto &a, const auto &b) {
        if (!a.first.isValid() || !b.first.isValid())
            return a.first.isValid() && !b.first.isValid();      // what is not known goes last
        const int order = asText ? QString::localeAwareCompare(a.first.toString(), b.first.toString()) : a.first.toDouble() < b.first.toDouble() ? -1 : a.first.toDouble() > b.first.toDouble() ? 1 : 0;
        return descending ? order > 0 : order < 0;
    });
    std::vector<Group> sorted;
    for (const auto &[value, place] : keys)
        sorted.push_back(std::move(m_groups[place]));
    m_groups = std::move(sorted);
}

void ExperimentTable::sort(int column, Qt::SortOrder order)
{
    if (column < 0 || column >= columnCount())
        return;
    m_sortColumn = m_columns[static_cast<std::size_t>(column)].id;
    m_sortOrder = order;
    beginResetModel();
    sortGroups();
    endResetModel();
}

int ExperimentTable::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : static_cast<int>(m_groups.size()); }
int ExperimentTable::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : static_cast<int>(m_columns.size()); }

/// How many it is the mean of is always said; one alone has no spread.
QString ExperimentTable::groupText(const analysis::Interval &interval) const
{
    const QString mean = measureDigits(interval.mean);
    if (interval.n < 2)
        return tr("%1 (%2)", "mean, number of seeds").arg(mean).arg(interval.n);
    if (m_spread == analysis::Spread::Range)
        return tr("%1 [%2 … %3] (%4)", "mean, lowest, highest, number of seeds").arg(mean, measureDigits(interval.low), measureDigits(interval.high)).arg(interval.n);
    return tr("%1 ± %2 (%3)").arg(mean, measureDigits(interval.high - interval.mean)).arg(interval.n);
}

QString ExperimentTable::measureText(const Group &group, const std::string &measure) const
{
    const auto found = group.measures.find(measure);
    if (found == group.measures.end())
        return {};
    const analysis::Interval &interval = found->second;
    QString shown = m_grouped ? groupText(interval) : measureDigits(interval.mean);
    if (m_baseline)
        if (const auto base = m_baseline->measures.find(measure); base != m_baseline->measures.end()) {
            const double change = interval.mean - base->second;
            shown += tr("  Δ %1").arg((change >= 0.0 ? QStringLiteral("+") : QStringLiteral("−")) + measureDigits(std::abs(change)));
        }
    return shown;
}

QString ExperimentTable::text(const Group &group, const Column &column) const
{
    const store::ExperimentRow &row = group.first();
    if (const std::string measure = measureOf(column); !measure.empty())
        return measureText(group, measure);
    if (column.id == QLatin1String("pinned"))
        return row.pinned ? pinSign : QString();
    if (column.id == QLatin1String("locked"))
        return {};      // a picture, which data() gives
    if (column.id == QLatin1String("name"))
        return group.members.size() > 1 ? tr("%1 (%2 seeds)").arg(repeatedName(row)).arg(group.members.size()) : experimentName(row);
    if (column.id == QLatin1String("kind"))
        return kindText(row.kind);
    if (column.id == QLatin1String("status"))
        return m_list.statusText(row);
    if (column.id == QLatin1String("teacher"))
        return teacherText(QString::fromStdString(row.teacher));
    if (column.id == QLatin1String("probe"))
        return row.mixer.empty() ? QString() : probeName(QString::fromStdString(row.mixer));
    if (column.id == QLatin1String("selector"))
        return row.selector.empty() ? QString() : selectorMark(QString::fromStdString(row.selector));
    if (column.id == QLatin1String("k"))
        return row.keep ? QLocale().toString(*row.keep) : QString();
    if (column.id == QLatin1String("layers"))
        return row.layers ? layerNames(*row.layers) : QString();
    if (column.id == QLatin1String("tokens"))
        return row.tokens > 0 ? shortCount(static_cast<double>(row.tokens)) : QString();
    if (column.id == QLatin1String("seconds"))
        return row.seconds ? shortDuration(*row.seconds) : QString();
    if (column.id == QLatin1String("started"))
        return startedText(row.startedSeconds);
    if (column.id == QLatin1String("seed"))
        return row.seed ? QString::number(*row.seed) : QString();
    return column.id == QLatin1String("tags") ? tagsText(row) : QString::fromStdString(row.notes);
}

QString ExperimentTable::toolTip(const Group &group, const Column &column) const
{
    const std::string measure = measureOf(column);
    if (column.id == QLatin1String("locked"))
        return group.first().locked ? tr("Locked: it can be neither renamed nor thrown away. L unlocks it.") : QString();
    if (column.id == QLatin1String("teacher"))
        return QString::fromStdString(group.first().teacher);      // the whole path
    const auto found = group.measures.find(measure);
    if (measure.empty() || found == group.measures.end())
        return text(group, column);
    QString words = tr("%1: %2").arg(column.title, QLocale().toString(found->second.mean, 'g', 7));
    if (found->second.n > 1)
        words += tr("\n%1 of %2 seeds: %3 to %4", "mean ± 95 % interval").arg(spreadText(m_spread)).arg(found->second.n).arg(measureDigits(found->second.low), measureDigits(found->second.high));
    if (!m_baseline || !m_baseline->measures.contains(measure))
        return words;
    const double change = found->second.mean - m_baseline->measures.at(measure);
    const auto lower = lowerIsBetter(QString::fromStdString(measure));
    if (change == 0.0)
        return words + tr("\nas the baseline");
    return words + (!lower ? tr("\nanother value than the baseline's") : *lower == (change < 0.0) ? tr("\nbetter than the baseline") : tr("\nworse than the baseline"));
}

QVariant ExperimentTable::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const Group &shown = group(index.row());
    const Column &column = m_columns[static_cast<std::size_t>(index.column())];
    switch (role) {
    case Qt::DisplayRole:
        return text(shown, column);
    case Qt::EditRole:
        return column.id == QLatin1String("name") ? runTitle(shown.first()) : text(shown, column);
    case Qt::ToolTipRole:
        return toolTip(shown, column);
    case Qt::TextAlignmentRole:
        return QVariant::fromValue<Qt::Alignment>((column.isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case Qt::AccessibleTextRole:
        return !markText(shown.first(), column).isEmpty() ? markText(shown.first(), column) : tr("%1: %2").arg(column.title, text(shown, column));
    case Qt::DecorationRole:
        return column.id == QLatin1String("locked") && shown.first().locked ? QVariant(lockIcon(QGuiApplication::palette())) : QVariant();
    case Qt::FontRole:
        if (isBaseline(index.row())) {
            QFont font;
            font.setBold(true);
            return font;
        }
        return {};
    default:
        return {};
    }
}

QVariant ExperimentTable::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    const Column &column = m_columns[static_cast<std::size_t>(section)];
    if (role == Qt::ToolTipRole && m_grouped && !measureOf(column).empty())
        return tr("%1\n%2 (number of seeds)", "a measure, mean ± 95 % interval").arg(column.title, spreadText(m_spread));
    if (column.isMark && role == Qt::DisplayRole)
        return column.id == QLatin1String("pinned") ? pinSign : QString();
    if (role == Qt::DecorationRole && column.id == QLatin1String("locked"))
        return lockIcon(QGuiApplication::palette());
    if (role == Qt::DisplayRole || role == Qt::ToolTipRole || role == Qt::AccessibleTextRole)
        return column.title;
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue<Qt::Alignment>((column.isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    return {};
}

Qt::ItemFlags ExperimentTable::flags(const QModelIndex &index) const
{
    Qt::ItemFlags made = QAbstractTableModel::flags(index);
    if (!index.isValid() || group(index.row()).members.size() > 1)
        return made;
    const QString &id = m_columns[static_cast<std::size_t>(index.column())].id;
    return (id == QLatin1String("name") && !group(index.row()).first().locked) || id == QLatin1String("notes") ? made | Qt::ItemIsEditable : made;
}

bool ExperimentTable::setData(const QModelIndex &index, const QVariant &value, int role)
{
    if (role != Qt::EditRole || !index.isValid() || !(flags(index) & Qt::ItemIsEditable) || value.toString() == data(index, Qt::EditRole).toString())
        return false;
    const QString run = QString::fromStdString(group(index.row()).first().uuid);
    if (m_columns[static_cast<std::size_t>(index.column())].id == QLatin1String("name"))
        m_list.rename(run, value.toString());
    else
        m_list.setNotes(run, value.toString());
    return true;
}

QStringList ExperimentTable::runsOf(const QModelIndexList &rows) const
{
    QStringList runs;
    for (const QModelIndex &row : rows)
        for (const store::ExperimentRow *member : group(row.row()).members)
            if (const QString uuid = QString::fromStdString(member->uuid); !runs.contains(uuid))
                runs << uuid;
    return runs;
}

QStringList ExperimentTable::queryFields() const
{
    QStringList fields;
    for (const std::string &field : store::ExperimentQuery::fields(m_measures))
        fields << QString::fromStdString(field);
    return fields;
}

struct ExperimentTable::CopiedColumn {
    report::Column head;
    std::function<report::Cell(const Group &)> cell;
};

/// The mean, and beside it what the report itself does not know: it writes 95 % intervals and counts of its own.
std::vector<ExperimentTable::CopiedColumn> ExperimentTable::copiedMeasure(const Column &column) const
{
    constexpr int decimals = 4;
    const std::string measure = measureOf(column), title = column.title.toStdString();
    const auto lower = lowerIsBetter(QString::fromStdString(measure));
    const auto better = !lower ? report::Better::Neither : *lower ? report::Better::Lower : report::Better::Higher;
    const auto number = [measure](const auto &take) {
        return [measure, take](const Group &group) {
            const auto found = group.measures.find(measure);
            return found == group.measures.end() ? report::Cell{} : take(found->second);
        };
    };
    const bool hasInterval = m_grouped && m_spread == analysis::Spread::Interval95, grouped = m_grouped;
    std::vector<CopiedColumn> all{{{title, {}, decimals, better}, number([=](const analysis::Interval &one) {
                                       return report::numberCell(one.mean, hasInterval && one.n > 1 ? std::optional(one.high - one.mean) : std::nullopt, grouped ? std::optional(one.n) : std::nullopt);
                                   })}};
    const auto add = [&](const QString &what, const auto &take) {
        all.push_back({{tr("%1, %2", "a measure, its spread").arg(column.title, what).toStdString(), {}, decimals, report::Better::Neither},
                       number([take](const analysis::Interval &one) { return std::isfinite(take(one)) ? report::numberCell(take(one)) : report::Cell{}; })});
    };
    if (m_grouped && m_spread == analysis::Spread::Range) {
        add(tr("lowest"), [](const analysis::Interval &one) { return one.low; });
        add(tr("highest"), [](const analysis::Interval &one) { return one.high; });
    } else if (m_grouped && !hasInterval) {
        add(m_spread == analysis::Spread::StandardError ? tr("standard error") : tr("standard deviation"), [](const analysis::Interval &one) { return one.high - one.mean; });
    }
    return all;
}

/// Numbers as numbers, whatever the cell makes of them for a reader.
std::vector<ExperimentTable::CopiedColumn> ExperimentTable::copiedColumns(const Column &column) const
{
    if (!measureOf(column).empty())
        return copiedMeasure(column);
    const bool isTime = column.id == QLatin1String("seconds"), isNumber = isTime || (column.isNumber && column.id != QLatin1String("started"));
    const report::Column head{column.title.toStdString(), isTime ? "s" : "", isTime ? 1 : 0, report::Better::Neither};
    return {{head, [this, column, isNumber](const Group &group) {
                 if (const QVariant value = isNumber ? key(group, column) : QVariant(); value.isValid())
                     return report::numberCell(value.toDouble());
                 const bool isMarked = (column.id == QLatin1String("pinned") && group.first().pinned) || (column.id == QLatin1String("locked") && group.first().locked);
                 return isNumber ? report::Cell{} : report::textCell((isMarked ? markText(group.first(), column) : text(group, column)).toStdString());
             }}};
}

report::Table ExperimentTable::copied(const QModelIndexList &rows, const std::vector<int> &columns) const
{
    report::Table table;
    table.name = "runs";
    std::vector<CopiedColumn> all;
    for (const int column : columns)
        for (CopiedColumn &one : copiedColumns(m_columns[static_cast<std::size_t>(column)])) {
            table.columns.push_back(one.head);
            all.push_back(std::move(one));
        }
    for (const QModelIndex &row : rows) {
        std::vector<report::Cell> &cells = table.rows.emplace_back();
        for (const CopiedColumn &one : all)
            cells.push_back(one.cell(group(row.row())));
    }
    return table;
}

}  // namespace stillroom::widgets
