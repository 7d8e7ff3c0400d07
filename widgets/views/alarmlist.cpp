// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/alarmlist.h"

#include "views/controlstyle.h"
#include "views/labels.h"

#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace stillroom::widgets {
namespace {

constexpr int mostRowsSeen = 3;

}  // namespace

AlarmList::AlarmList(QWidget *parent) : QWidget(parent), m_title(new ElidedLabel(Voice::Quiet, this)), m_list(new QTableWidget(0, 2, this))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    column->addWidget(m_title);
    column->addWidget(m_list);
    m_title->setAccessibleName(tr("Number of alarms"));
    m_list->setAccessibleName(tr("Alarms"));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setShowGrid(false);
    m_list->horizontalHeader()->hide();
    m_list->verticalHeader()->hide();
    m_list->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_list->setSelectionMode(QAbstractItemView::SingleSelection);
    m_list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_list->setTabKeyNavigation(false);
    m_list->setWordWrap(false);
    m_list->setTextElideMode(Qt::ElideRight);
    m_list->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_list->horizontalHeader()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    m_list->verticalHeader()->setDefaultSectionSize(rowHeight(*this));
    connect(m_list, &QTableWidget::cellActivated, this, [this](int row) { Q_EMIT shown(m_alarms[static_cast<std::size_t>(row)]); });
    setAlarms({});
}

void AlarmList::setAlarms(const std::vector<CalibrationAlarm> &alarms)
{
    m_alarms = alarms;
    const int count = static_cast<int>(alarms.size());
    m_title->setText(count > 0 ? tr("%n alarms", nullptr, count) : tr("No alarms: scales, look-back, contexts and write strengths are where they should be."));
    m_list->setVisible(count > 0);
    m_list->setRowCount(count);
    for (int row = 0; row < count; ++row) {
        const QString words = alarmText(alarms[static_cast<std::size_t>(row)]);
        auto *item = new QTableWidgetItem(words);
        item->setToolTip(words);
        m_list->setItem(row, 0, item);
        auto *show = new QPushButton(tr("Show"), m_list);
        show->setFocusPolicy(Qt::NoFocus);      // Enter on the row does the same
        show->setAccessibleName(tr("Show: %1").arg(words));
        connect(show, &QPushButton::clicked, this, [this, row] {
            m_list->setCurrentCell(row, 0);
            Q_EMIT shown(m_alarms[static_cast<std::size_t>(row)]);
        });
        m_list->setCellWidget(row, 1, show);
    }
    m_list->setFixedHeight(std::min(count, mostRowsSeen) * m_list->verticalHeader()->defaultSectionSize() + 2);
}

QString AlarmList::asTsv() const
{
    QString text;
    for (const CalibrationAlarm &alarm : m_alarms)
        text += alarm.kind + QLatin1Char('\t') + QString::number(alarm.layer) + QLatin1Char('\t') + alarmText(alarm) + QLatin1Char('\n');
    return text;
}

}  // namespace stillroom::widgets
