// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/comparisontable.h"

#include "models/experimenttable.h"
#include "models/specfields.h"
#include "views/names.h"
#include "views/quantities.h"
#include "views/runmark.h"

#include <QGuiApplication>
#include <QLocale>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

namespace stillroom::widgets {
namespace {

/// Which layers a hybrid keeps is said as it came out, whether the spec named them or told how to choose them.
bool isAboutTheSet(const std::string &path) { return path == "keep" || path == "keep_count" || path == "keep_percent"; }

QString inOneLine(QString cell) { return cell.replace(QLatin1Char('\n'), QStringLiteral("  ")); }

QString signedDigits(double value) { return (value < 0.0 ? QStringLiteral("−") : QStringLiteral("+")) + measureDigits(std::abs(value)); }

}  // namespace

ComparisonTable::ComparisonTable(Comparison &comparison, QObject *parent) : QAbstractTableModel(parent), m_comparison(comparison)
{
    connect(&comparison, &Comparison::changed, this, &ComparisonTable::rebuild);
    rebuild();
}

void ComparisonTable::setEverything(bool everything)
{
    m_everything = everything;
    rebuild();
}

void ComparisonTable::rebuild()
{
    beginResetModel();
    m_lines.clear();
    addMeasures();
    addSettings();
    endResetModel();
}

/// What the experiment was about, where it is not the same in all.
void ComparisonTable::addLine(const QString &name, const QStringList &cells, const QString &tip)
{
    if (!m_everything && std::all_of(cells.begin(), cells.end(), [&](const QString &one) { return one == cells.front(); }))
        return;
    Line line{name, cells, {}, false};
    for (const QString &cell : cells)
        line.toolTips << (tip.isEmpty() ? cell : tr("%1\nIn the file: %2", "value of a setting, its name").arg(cell, tip));
    m_lines.push_back(std::move(line));
}

void ComparisonTable::addSet()
{
    QStringList numbers, sets;
    for (const ComparedExperiment &one : m_comparison.experiments()) {
        numbers << (one.row.keep ? QLocale().toString(*one.row.keep) : QStringLiteral("–"));
        sets << (one.row.layers ? layerNames(*one.row.layers) : QStringLiteral("–"));
    }
    if (std::all_of(numbers.begin(), numbers.end(), [](const QString &one) { return one == QStringLiteral("–"); }))
        return;
    addLine(tr("K"), numbers);
    addLine(tr("Softmax layers"), sets);
}

void ComparisonTable::addSettings()
{
    std::vector<std::map<std::string, nlohmann::json>> all;
    std::set<std::string> paths;
    for (const ComparedExperiment &one : m_comparison.experiments()) {
        all.push_back(flatFields(one.spec));
        for (const auto &[path, value] : all.back())
            paths.insert(path);
    }
    addSet();
    for (const std::string &path : paths) {
        if (isAboutTheSet(path))
            continue;
        QStringList cells;
        for (const auto &fields : all) {
            const auto found = fields.find(path);
            cells << (found == fields.end() ? QStringLiteral("–") : specValueText(path, found->second));
        }
        addLine(specFieldName(path), cells, QString::fromStdString(path));
    }
}

void ComparisonTable::addMeasures()
{
    for (const std::string &name : m_comparison.measures())
        m_lines.push_back(measureLine(name));
}

/// What the value was measured on; empty where nobody knows.
QString ComparisonTable::basisOf(const ComparedExperiment &one, const std::string &measure) const
{
    const auto count = static_cast<int>(countOf(one, measure).value_or(0)), answers = static_cast<int>(measureOf(one, measure + "_n").value_or(0.0));
    if (measure == "perplexity")
        return count > 0 ? tr("\nover %n tokens", nullptr, count) : QString();
    QString text = answers > 0 ? tr("\nover %n answers", nullptr, answers) : QString();
    if (count > 0)
        text += answers > 0 ? tr("\nin %n held-out sequences", nullptr, count) : tr("\nover %n held-out sequences", nullptr, count);
    else if (errorOf(one, measure))
        text += tr("\nno interval: its result does not say over how many held-out sequences");
    return text;
}

/// Below each value the difference to the baseline, in a line of its own so that six stand side by side uncut, and a star where it is beyond the errors of both. The errors are taken as independent, which for equal held-out sequences is on the safe side.
ComparisonTable::Line ComparisonTable::measureLine(const std::string &measure) const
{
    const QString name = QString::fromStdString(measure);
    Line line{measureName(name), {}, {}, true};
    const ComparedExperiment &baseline = m_comparison.experiments().front();
    const auto base = measureOf(baseline, measure), baseReach = reachOf(baseline, measure);
    for (const ComparedExperiment &one : m_comparison.experiments()) {
        const auto value = measureOf(one, measure), reach = reachOf(one, measure);
        QString cell = value ? measureDigits(*value) : QStringLiteral("–");
        QString words = value ? QLocale().toString(*value, 'g', 7) : tr("not measured");
        if (value && reach) {
            cell += tr(" ± %1").arg(measureDigits(*reach));
            words += tr("\n± %1: 95 % of its held-out data").arg(measureDigits(*reach));
        }
        words += value ? basisOf(one, measure) : QString();
        if (value && base && &one != &baseline) {
            const double change = *value - *base;
            cell += tr("\nΔ %1").arg(signedDigits(change));
            if (reach && baseReach) {
                const bool sure = std::abs(change) > std::hypot(*reach, *baseReach);
                cell += sure ? QStringLiteral(" *") : QString();
                words += sure ? tr("\n* differs from the baseline beyond the errors of both (95 %, taken as independent)") : tr("\nnot to be told from the baseline (95 %, errors taken as independent)");
            }
            words += change == 0.0 ? QString() : *lowerIsBetter(name) == (change < 0.0) ? tr("\nbetter than the baseline") : tr("\nworse than the baseline");
        }
        line.cells << cell;
        line.toolTips << words;
    }
    return line;
}

int ComparisonTable::rowCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : static_cast<int>(m_lines.size()); }
int ComparisonTable::columnCount(const QModelIndex &parent) const { return parent.isValid() ? 0 : static_cast<int>(m_comparison.experiments().size()); }

QVariant ComparisonTable::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const Line &line = m_lines[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return line.cells.at(index.column());
    case Qt::ToolTipRole:
        return line.toolTips.at(index.column());
    case Qt::AccessibleTextRole:
        return tr("%1: %2").arg(line.name, inOneLine(line.cells.at(index.column())));
    case Qt::TextAlignmentRole:
        return QVariant::fromValue<Qt::Alignment>((line.isMeasure ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    default:
        return {};
    }
}

QVariant ComparisonTable::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Vertical)
        return section < rowCount() && (role == Qt::DisplayRole || role == Qt::ToolTipRole) ? QVariant(m_lines[static_cast<std::size_t>(section)].name) : QVariant();
    if (section >= columnCount())
        return {};
    const ComparedExperiment &one = m_comparison.experiments()[static_cast<std::size_t>(section)];
    const QString name = section == 0 ? tr("%1 (baseline)").arg(one.name()) : one.name();
    switch (role) {
    case Qt::DisplayRole: {      // what tells equal names apart is not to be cut
        const QString below = section == 0 ? (one.distinction.isEmpty() ? tr("baseline") : distinctName(tr("baseline"), one.distinction)) : one.distinction;
        return below.isEmpty() ? one.ownName : one.ownName + QLatin1Char('\n') + below;
    }
    case Qt::ToolTipRole:
    case Qt::AccessibleTextRole:
        return name;
    case Qt::DecorationRole:
        return runMark(one.look, QGuiApplication::palette());
    default:
        return {};
    }
}

report::Table ComparisonTable::copied() const
{
    report::Table table;
    table.name = "comparison";
    table.columns.push_back({tr("Measure or setting").toStdString(), {}});
    for (int column = 0; column < columnCount(); ++column)
        table.columns.push_back({headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString().toStdString(), {}});
    for (const Line &line : m_lines) {
        std::vector<report::Cell> &cells = table.rows.emplace_back();
        cells.push_back(report::textCell(line.name.toStdString()));
        for (const QString &cell : line.cells)
            cells.push_back(report::textCell(cell.simplified().toStdString()));
    }
    if (std::any_of(m_lines.begin(), m_lines.end(), [](const Line &line) { return line.isMeasure; }))
        table.note = tr("± 95 % of the held-out data. Δ: less the baseline. *: beyond the errors of both (95 %).").toStdString();
    return table;
}

}  // namespace stillroom::widgets
