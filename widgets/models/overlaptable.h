// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/overlap.h"
#include "models/choicebook.h"
#include "models/hybridchoice.h"

#include <QAbstractTableModel>

#include <optional>
#include <vector>

namespace stillroom::widgets {

/// Which choices are compared. Rules without a probe (grids, random orders, a set by hand) fit every probe.
struct ChoiceFilter {
    QString words;                 ///< each in the name or the note, whatever its case
    QString group;                 ///< choiceGroup(); empty: all
    QString probe;                 ///< mixer; empty: all
    bool withSetOnly = false;      ///< only those that have a set at this K
    std::vector<std::string> names = {};      ///< of choices; none: all
    friend bool operator==(const ChoiceFilter &a, const ChoiceFilter &b) = default;
};

/// Jaccard indices of all choices against all, at the K of the hybrid: what the overlap page draws, and its table twin for those who read or listen.
class OverlapTable final : public QAbstractTableModel {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(OverlapTable)

public:
    OverlapTable(ChoiceBook &choices, HybridChoice &hybrid, QObject *parent = nullptr);
    /// Anew at the K of the hybrid. Rows and columns are reset only where there are other choices; the views keep their place otherwise.
    void refresh();
    void setFilter(const ChoiceFilter &filter);
    [[nodiscard]] const ChoiceFilter &filter() const { return m_filter; }
    /// Without the filter.
    [[nodiscard]] int numChoices() const { return static_cast<int>(m_choices.entries().size()); }

    [[nodiscard]] int keep() const { return m_keep; }
    [[nodiscard]] int numLayers() const { return m_choices.numLayers(); }
    [[nodiscard]] const analysis::OverlapMatrix &matrix() const { return m_matrix; }
    [[nodiscard]] const ChoiceBook::Entry &entry(int row) const { return m_entries[static_cast<std::size_t>(row)]; }
    /// Empty where the choice has no answer at this K.
    [[nodiscard]] const std::optional<experiment::LayerSet> &layers(int row) const { return m_sets[static_cast<std::size_t>(row)]; }
    [[nodiscard]] const std::optional<analysis::OverlapIndex> &overlapAt(int row, int column) const { return m_matrix.at(row, column); }
    /// Whether two different choices share more than two random sets of their sizes would (p < analysis::chanceLevel).
    [[nodiscard]] bool isBeyondChance(int row, int column) const;
    /// The two in one sentence: J, shared of all, what chance gives.
    [[nodiscard]] QString sentence(int row, int column) const;
    /// Everything, for a spreadsheet: a head line, then a line per choice with its layers and its Jaccard index with every other.
    [[nodiscard]] QString asTsv() const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] bool hasRowsOf(const std::vector<ChoiceBook::Entry> &entries) const;
    [[nodiscard]] bool fits(const ChoiceBook::Entry &entry) const;
    ChoiceBook &m_choices;
    HybridChoice &m_hybrid;
    std::vector<ChoiceBook::Entry> m_entries;
    std::vector<std::optional<experiment::LayerSet>> m_sets;      ///< by row
    analysis::OverlapMatrix m_matrix;
    ChoiceFilter m_filter;
    int m_keep = 0;
};

}  // namespace stillroom::widgets
