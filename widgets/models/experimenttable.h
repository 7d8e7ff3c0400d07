// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/spread.h"
#include "models/experimentlist.h"
#include "report/table.h"
#include "store/experimentquery.h"

#include <QAbstractTableModel>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace stillroom::widgets {

/// Experiments as a table: filtered by a query, sorted by a column, one by one or repetitions with other seeds together; measures beside a baseline.
class ExperimentTable final : public QAbstractTableModel {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(ExperimentTable)

public:
    struct Column {
        QString id;                 ///< stays the same from start to start: "name", "k", "measure/kl_nats"
        QString title;              ///< with its unit
        bool isNumber = false;
        bool isShownAtFirst = true;
        bool isMark = false;        ///< holds a sign or nothing: its head is that sign, its title is said of it
    };
    /// One line: an experiment, or all that differ in nothing but their seed.
    struct Group {
        std::vector<const store::ExperimentRow *> members;                      ///< newest first
        std::map<std::string, analysis::Interval> measures;                     ///< over the members that have it, by the table's spread
        [[nodiscard]] const store::ExperimentRow &first() const { return *members.front(); }
    };

    explicit ExperimentTable(ExperimentList &list, QObject *parent = nullptr);

    /// \return what is wrong with it, in one sentence; the rows stay as they were then. Empty: it holds.
    QString setQuery(const QString &text);
    void setGrouped(bool grouped);
    [[nodiscard]] bool isGrouped() const { return m_grouped; }
    /// What stands beside the mean of a group.
    void setSpread(analysis::Spread spread);
    [[nodiscard]] analysis::Spread spread() const { return m_spread; }
    [[nodiscard]] const QString &sortColumn() const { return m_sortColumn; }      ///< by id
    [[nodiscard]] Qt::SortOrder sortOrder() const { return m_sortOrder; }
    /// Measures say how far they are from this experiment's. \param row  of this table; -1 for none
    void setBaseline(int row);
    [[nodiscard]] bool isBaseline(int row) const;

    [[nodiscard]] const std::vector<Column> &columns() const { return m_columns; }
    [[nodiscard]] const Group &group(int row) const { return m_groups[static_cast<std::size_t>(row)]; }
    /// UUIDs of the runs that these rows are about, each once.
    [[nodiscard]] QStringList runsOf(const QModelIndexList &rows) const;
    /// Less looks at models, which nobody asked for.
    [[nodiscard]] int numExperiments() const { return m_numExperiments; }
    [[nodiscard]] int numFound() const { return m_numFound; }
    /// What may stand in a query before ":" or "<".
    [[nodiscard]] QStringList queryFields() const;
    /// These rows with these columns, for other programs; a measure of a group with its interval, or with what else stands beside its mean as columns of their own.
    [[nodiscard]] report::Table copied(const QModelIndexList &rows, const std::vector<int> &columns) const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex &index) const override;
    /// Name and notes. \return false where the text is the old one.
    bool setData(const QModelIndex &index, const QVariant &value, int role = Qt::EditRole) override;
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

private:
    struct Baseline {
        std::string uuid, task;
        std::map<std::string, double> measures;
    };
    void rebuild();
    void readColumns();
    void fillGroups();
    void sortGroups();
    [[nodiscard]] std::vector<std::string> words(const store::ExperimentRow &row, const std::string &field) const;
    [[nodiscard]] std::vector<const store::ExperimentRow *> found() const;
    [[nodiscard]] QString text(const Group &group, const Column &column) const;
    [[nodiscard]] QString measureText(const Group &group, const std::string &measure) const;
    struct CopiedColumn;
    [[nodiscard]] std::vector<CopiedColumn> copiedColumns(const Column &column) const;
    [[nodiscard]] std::vector<CopiedColumn> copiedMeasure(const Column &column) const;
    [[nodiscard]] QString groupText(const analysis::Interval &interval) const;
    [[nodiscard]] QString toolTip(const Group &group, const Column &column) const;
    /// What a row is sorted by; invalid goes last, whatever the order.
    [[nodiscard]] QVariant key(const Group &group, const Column &column) const;

    ExperimentList &m_list;
    std::vector<Column> m_columns;
    std::shared_ptr<const std::vector<store::ExperimentRow>> m_shown;      ///< what the groups point into
    std::vector<const store::ExperimentRow *> m_found;
    std::vector<Group> m_groups;
    store::ExperimentQuery m_query;
    store::ExperimentQuery::Shown m_words;               ///< of a row, as the table says them
    std::vector<std::string> m_measures;      ///< that there are, by name
    std::optional<Baseline> m_baseline;
    QString m_sortColumn = QStringLiteral("started");
    Qt::SortOrder m_sortOrder = Qt::DescendingOrder;
    bool m_grouped = false;
    analysis::Spread m_spread = analysis::Spread::Interval95;
    int m_numFound = 0, m_numExperiments = 0;
};

/// "mean ± 95 % interval"
[[nodiscard]] QString spreadText(analysis::Spread spread);
/// Of its run, and of its stage where it is one of a pipeline.
[[nodiscard]] QString statusText(store::RunStatus status);
/// The same; "paused" where the job waits in this window's queue to go on.
[[nodiscard]] QString runStatusText(Session &session, const store::ExperimentRow &row);
[[nodiscard]] bool isPaused(Session &session, const store::ExperimentRow &row);
[[nodiscard]] QString kindText(const std::string &kind);              ///< "score", "distil"
[[nodiscard]] QString startedText(double seconds);                    ///< \param seconds  Unix time; empty for none that can be
/// Its name, else what it is: "GA-S2 · GDN", "GDN, keep 2 3 4". Not unique.
[[nodiscard]] QString runTitle(const store::ExperimentRow &row);
/// The same with its stage.
[[nodiscard]] QString experimentTitle(const store::ExperimentRow &row);
/// With its stage, and with what tells it from the others of its title: "GA-S2 · GDN · seed 3". Unique but for experiments that were done twice.
[[nodiscard]] QString experimentName(const store::ExperimentRow &row);
/// The same of all its repetitions with other seeds: the seed is not said.
[[nodiscard]] QString repeatedName(const store::ExperimentRow &row);
/// "KL (nats/token)", "recall": a measure of a result in words; of one that is not known, the words that its name is made of.
[[nodiscard]] QString measureName(const QString &measure);
/// "recall_se", "se_nats": it says how sure another one is.
[[nodiscard]] bool isErrorOfMeasure(const QString &measure);
/// "perplexity_tokens", "recall_n", "recall_sequences": it says what another one was measured on.
[[nodiscard]] bool isCount(const QString &measure);
/// KL, perplexity and recall: what a person looks at first.
[[nodiscard]] bool isUsualMeasure(const std::string &measure);
/// One that says which experiment is better: neither a count nor an error.
[[nodiscard]] bool isCompared(const QString &measure);
/// Whether less of it is better; none where neither is.
[[nodiscard]] std::optional<bool> lowerIsBetter(const QString &measure);

}  // namespace stillroom::widgets
