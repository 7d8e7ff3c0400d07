// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/headnumbers.h"

#include "pages/headdetail.h"
#include "views/controlstyle.h"
#include "views/labels.h"
#include "views/quantities.h"

#include <QHeaderView>
#include <QLabel>
#include <QTableWidget>
#include <QVBoxLayout>

#include <array>
#include <iterator>

namespace stillroom::widgets {
namespace {

constexpr Side moments[] = {Side::Before, Side::AfterPhaseOne, Side::AfterPhaseTwo};
constexpr int columns = 1 + static_cast<int>(std::size(moments));

}  // namespace

HeadNumbers::HeadNumbers(CalibrationBook &book, QWidget *parent)
    : QWidget(parent), m_book(book), m_title(headingLabel({}, HeadingLevel::Section, this)), m_table(new QTableWidget(0, columns, this))
{
    m_title->setAccessibleName(tr("The head of these numbers"));
    m_table->setAccessibleName(tr("The head's numbers, at every moment"));
    m_table->setHorizontalHeaderLabels({tr("statistic"), tr("before"), tr("phase 1"), tr("phase 2")});
    m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_table->horizontalHeaderItem(0)->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_table->verticalHeader()->hide();
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setShowGrid(false);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setTabKeyNavigation(false);
    m_table->setWordWrap(false);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);      // numbers stand beside their name, however wide the page is
    m_table->verticalHeader()->setDefaultSectionSize(rowHeight(*this));
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 4, 0, 0);
    column->setSpacing(4);
    column->addWidget(m_title);
    column->addWidget(m_table, 1);
    connect(&book, &CalibrationBook::pickChanged, this, &HeadNumbers::refresh);
    connect(&book, &CalibrationBook::reportChanged, this, &HeadNumbers::refresh);
    refresh();
}

void HeadNumbers::refresh()
{
    m_title->setText(pickedHeadText(m_book));
    m_table->clearSpans();
    m_table->setRowCount(0);
    if (m_book.head() < 0)
        return;
    for (const HeadStatistic &one : m_book.report()->statistics())
        addRow(one);
    for (int column = 2; column < columns; ++column) {      // a moment that this arm did not have
        bool used = false;
        for (int row = 0; row < m_table->rowCount() && !used; ++row)
            used = m_table->item(row, column) && !m_table->item(row, column)->text().isEmpty();
        m_table->setColumnHidden(column, !used);
    }
}

void HeadNumbers::addRow(const HeadStatistic &statistic)
{
    const CalibrationReport &report = *m_book.report();
    const int column = report.columnOf(statistic, m_book.head()), row = m_table->rowCount();
    m_table->insertRow(row);
    std::array<QString, columns> texts{statisticTitle(statistic)};
    for (std::size_t i = 0; i < std::size(moments); ++i)
        if (statistic.has(moments[i]))
            texts[i + 1] = shortNumber(report.value(statistic, moments[i], m_book.layer(), column));
    if (statistic.sides().empty()) {      // no moment's: over all of them
        m_table->setSpan(row, 1, 1, columns - 1);
        texts[1] = shortNumber(report.value(statistic, Side::After, m_book.layer(), column));
    }
    for (int i = 0; i < columns; ++i) {
        auto *item = new QTableWidgetItem(texts[static_cast<std::size_t>(i)]);
        if (i > 0)
            item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
        m_table->setItem(row, i, item);
    }
}

QString HeadNumbers::asTsv() const
{
    if (m_book.head() < 0)
        return {};
    const CalibrationReport &report = *m_book.report();
    QString text = QStringLiteral("layer\thead\tstatistic\tunit\tbefore\tafter_phase_1\tafter_phase_2\tonce\n");
    for (const HeadStatistic &one : report.statistics()) {
        const int column = report.columnOf(one, m_book.head());
        const auto number = [&](Side side) { return QString::number(report.value(one, side, m_book.layer(), column), 'g', 6); };
        text += QStringLiteral("%1\t%2\t%3\t%4").arg(m_book.layer()).arg(m_book.head()).arg(one.id, one.unit);
        for (const Side moment : moments)
            text += QLatin1Char('\t') + (one.has(moment) ? number(moment) : QString());
        text += QLatin1Char('\t') + (one.sides().empty() ? number(Side::After) : QString()) + QLatin1Char('\n');
    }
    return text;
}

}  // namespace stillroom::widgets
