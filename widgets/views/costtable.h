// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/costs.h"

#include <QWidget>

#include <optional>
#include <vector>

class QLabel;

namespace stillroom::widgets {

/// What the chosen hybrid takes, beside its teacher: parameters, cache, state, bytes read per token; one row each, a column per quantity.
class CostTable final : public QWidget {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(CostTable)

public:
    explicit CostTable(QWidget *parent = nullptr);
    /// \param teacherParameters  of the whole model
    void showCost(qint64 teacherParameters, const analysis::HybridCost &cost);
    void showNothing();

private:
    struct Column {
        QLabel *teacher, *hybrid;
    };
    void addColumn(const QString &title, const QString &explanation);
    void fill(int column, const QString &teacher, const QString &hybrid);
    std::vector<Column> m_columns;
};

}  // namespace stillroom::widgets
