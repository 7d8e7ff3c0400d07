// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/headdetail.h"

#include "plots/headprofileplot.h"
#include "plots/tokenmapplot.h"
#include "views/controlstyle.h"
#include "views/labels.h"
#include "views/quantities.h"

#include <QGridLayout>
#include <QHeaderView>
#include <QLabel>
#include <QTableWidget>
#include <QVBoxLayout>

namespace stillroom::widgets {
namespace {

/// The student before where before is looked at, else after.
void fillMap(TokenMapPlot &plot, const CalibrationBook &book, HeadMapKind kind)
{
    const bool student = kind == HeadMapKind::Student, before = book.side() == Side::Before;
    report::FigureSpec spec = book.figureSpec(student ? "head-student" : "head-attention");
    if (student) {
        plot.setTitle(before ? HeadDetail::tr("student before: map M") : HeadDetail::tr("student after: map M"));
        spec.side = report::sideNames().at(static_cast<std::size_t>(before ? Side::Before : Side::After));
    }
    plot.setSource(spec, headProvenance(book, student ? "Equivalent map of a head" : "Attention of a head"));
    const std::vector<HeadMaps> *maps = book.maps();
    QString why = HeadDetail::tr("Pick a head.");
    HeadMaps own;
    if (book.head() >= 0) {
        why = !maps ? HeadDetail::tr("The maps are being read…") : !book.mapsProblem().isEmpty() ? book.mapsProblem() : HeadDetail::tr("This calibration\nkept no maps.");
        if (maps && static_cast<std::size_t>(book.head()) < maps->size())
            own = (*maps)[static_cast<std::size_t>(book.head())];
    }
    plot.setMap(!student ? own.attention : before ? own.before : own.after, why);
}

}  // namespace

std::unique_ptr<TokenMapPlot> headMap(const CalibrationBook &book, HeadMapKind kind)
{
    auto plot = kind == HeadMapKind::Student ? std::make_unique<TokenMapPlot>(TokenMapPlot::Kind::Signed, HeadDetail::tr("student: equivalent map"))
                                             : std::make_unique<TokenMapPlot>(TokenMapPlot::Kind::Probabilities, HeadDetail::tr("teacher: attention"));
    fillMap(*plot, book, kind);
    return plot;
}

HeadDetail::HeadDetail(CalibrationBook &book, QWidget *parent)
    : QWidget(parent), m_book(book), m_title(headingLabel({}, HeadingLevel::Section, this)), m_attention(new TokenMapPlot(TokenMapPlot::Kind::Probabilities, tr("teacher: attention"), this)),
      m_student(new TokenMapPlot(TokenMapPlot::Kind::Signed, tr("student: equivalent map"), this)), m_table(new QTableWidget(0, 3, this))
{
    auto *lags = new HeadProfilePlot(book, HeadProfilePlot::Kind::Lags, this), *entropy = new HeadProfilePlot(book, HeadProfilePlot::Kind::Entropy, this);
    m_title->setAccessibleName(tr("The picked head"));
    m_student->setToolTip(tr("With what weight each token enters what the head reads, before norm and gate: o = M v"));
    m_table->setAccessibleName(tr("The head's numbers, before and after"));
    m_table->setHorizontalHeaderLabels({tr("statistic"), tr("before"), tr("after")});
    m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_table->horizontalHeaderItem(0)->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_table->verticalHeader()->hide();
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setShowGrid(false);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setTabKeyNavigation(false);
    m_table->setWordWrap(false);
    m_table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
    for (const int column : {1, 2})
        m_table->horizontalHeader()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
    m_table->verticalHeader()->setDefaultSectionSize(rowHeight(*this));
    m_table->setMinimumWidth(fontMetrics().averageCharWidth() * 34);
    auto *grid = new QGridLayout;
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(4);
    grid->addWidget(m_attention, 0, 0);
    grid->addWidget(m_student, 0, 1);
    grid->addWidget(lags, 1, 0);
    grid->addWidget(entropy, 1, 1);
    grid->addWidget(m_table, 0, 2, 2, 1);
    for (const auto &[part, stretch] : {std::pair{0, 3}, std::pair{1, 3}, std::pair{2, 4}})
        grid->setColumnStretch(part, stretch);
    grid->setRowStretch(0, 4);
    grid->setRowStretch(1, 3);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 4, 0, 0);
    column->setSpacing(4);
    column->addWidget(m_title);
    column->addLayout(grid, 1);
    connect(&book, &CalibrationBook::pickChanged, this, &HeadDetail::refresh);
    connect(&book, &CalibrationBook::reportChanged, this, &HeadDetail::refresh);
    connect(&book, &CalibrationBook::viewChanged, this, &HeadDetail::refreshMaps);
    connect(&book, &CalibrationBook::mapsChanged, this, &HeadDetail::refreshMaps);
    refresh();
}

void HeadDetail::refresh()
{
    m_title->setText(m_book.head() < 0 ? tr("Pick a head in the map") : tr("Layer %1, head %2").arg(m_book.layer()).arg(m_book.head()));
    fillTable();
    refreshMaps();
}

void HeadDetail::refreshMaps()
{
    fillMap(*m_attention, m_book, HeadMapKind::Attention);
    fillMap(*m_student, m_book, HeadMapKind::Student);
}

void HeadDetail::fillTable()
{
    m_table->setRowCount(0);
    if (m_book.head() < 0)
        return;
    const CalibrationReport &report = *m_book.report();
    for (const HeadStatistic &one : report.statistics()) {
        const int column = report.columnOf(one, m_book.head()), row = m_table->rowCount();
        const double before = report.value(one, Side::Before, m_book.layer(), column), after = report.value(one, Side::After, m_book.layer(), column);
        m_table->insertRow(row);
        const QString texts[] = {statisticTitle(one), one.isPaired() ? shortNumber(before) : QString(), shortNumber(after)};
        for (int i = 0; i < 3; ++i) {
            auto *item = new QTableWidgetItem(texts[i]);
            if (i > 0)
                item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
            else
                item->setToolTip(texts[i]);
            m_table->setItem(row, i, item);
        }
    }
}

/// Numbers in the C locale and in full, for a spreadsheet.
QString HeadDetail::asTsv() const
{
    if (m_book.head() < 0)
        return {};
    const CalibrationReport &report = *m_book.report();
    QString text = QStringLiteral("layer\thead\tstatistic\tunit\tbefore\tafter\n");
    for (const HeadStatistic &one : report.statistics()) {
        const int column = report.columnOf(one, m_book.head());
        text += QStringLiteral("%1\t%2\t%3\t%4\t%5\t%6\n").arg(m_book.layer()).arg(m_book.head()).arg(one.id, one.unit, one.isPaired() ? QString::number(report.value(one, Side::Before, m_book.layer(), column), 'g', 6) : QString(),
                                                               QString::number(report.value(one, Side::After, m_book.layer(), column), 'g', 6));
    }
    return text;
}

}  // namespace stillroom::widgets
