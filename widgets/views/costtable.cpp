// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/costtable.h"

#include "views/labels.h"
#include "views/quantities.h"

#include <QGridLayout>

#include <utility>

#include <cmath>

namespace stillroom::widgets {
namespace {

constexpr int kibi = 1024;
constexpr int contexts[] = {8 * kibi, 32 * kibi};

}  // namespace

CostTable::CostTable(QWidget *parent) : QWidget(parent)
{
    auto *grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(2);
    grid->addWidget(new QuietLabel(tr("Teacher"), this), 1, 0);
    grid->addWidget(new QLabel(tr("Hybrid"), this), 2, 0);
    addColumn(tr("Parameters"), tr("Of the whole model"));
    addColumn(tr("Cache per token"), tr("Keys and values of the softmax layers, in bfloat16"));
    addColumn(tr("State"), tr("Of the linear layers, for one sequence of any length"));
    for (const int context : contexts)
        addColumn(tr("Reads at %1k").arg(context / kibi), tr("Bytes that decoding one token reads after so many thousand tokens: weights, cache and state"));
    addColumn(tr("Smaller above"), tr("Context from which on cache and state together are smaller than the teacher's cache"));
    grid->setColumnStretch(grid->columnCount(), 1);
}

void CostTable::addColumn(const QString &title, const QString &explanation)
{
    auto *grid = static_cast<QGridLayout *>(layout());
    const int column = static_cast<int>(m_columns.size()) + 1;
    auto *head = new QuietLabel(title, this);
    head->setToolTip(explanation);
    const Column cells{new QuietLabel({}, this), valueLabel({}, tr("Hybrid: %1").arg(title), this)};
    cells.teacher->setAccessibleName(tr("Teacher: %1").arg(title));
    grid->addWidget(head, 0, column, Qt::AlignRight);
    grid->addWidget(cells.teacher, 1, column, Qt::AlignRight);
    grid->addWidget(cells.hybrid, 2, column, Qt::AlignRight);
    m_columns.push_back(cells);
}

void CostTable::fill(int column, const QString &teacher, const QString &hybrid)
{
    const Column &cells = m_columns[static_cast<std::size_t>(column)];
    // Every text that is set lays the page out anew, and K is dragged.
    for (const auto &[label, text] : {std::pair{cells.teacher, teacher}, std::pair{cells.hybrid, hybrid}})
        if (label->text() != text)
            label->setText(text);
}

void CostTable::showCost(qint64 teacherParameters, const analysis::HybridCost &cost)
{
    const auto count = [](qint64 number) { return shortCount(static_cast<double>(number)); };
    const auto bytes = [](qint64 number) { return shortBytes(static_cast<double>(number)); };
    fill(0, count(teacherParameters), count(teacherParameters + cost.addedParameters));
    fill(1, bytes(cost.teacherCacheBytesPerToken), bytes(cost.cacheBytesPerToken));
    fill(2, QStringLiteral("–"), cost.stateBytes > 0 ? bytes(cost.stateBytes) : QStringLiteral("–"));
    for (int i = 0; i < 2; ++i)
        fill(3 + i, shortBytes(cost.teacherDecodeBytes(contexts[i])), shortBytes(cost.decodeBytes(contexts[i])));
    fill(5, {}, cost.breakEvenTokens > 0.0 ? tr("%1 tokens").arg(shortCount(std::ceil(cost.breakEvenTokens))) : QStringLiteral("–"));
    setVisible(true);
}

void CostTable::showNothing()
{
    setVisible(false);
}

}  // namespace stillroom::widgets
