// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/headdetail.h"

#include "plots/headprofileplot.h"
#include "plots/tokenmapplot.h"
#include "views/controlstyle.h"
#include "views/labels.h"
#include "views/quantities.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QTableWidget>
#include <QVBoxLayout>

#include <array>
#include <iterator>

namespace stillroom::widgets {
namespace {

QString studentTitle(Side moment)
{
    return moment == Side::Before ? HeadDetail::tr("student before: map M") : moment == Side::AfterPhaseOne ? HeadDetail::tr("student after phase 1: map M") : HeadDetail::tr("student after: map M");
}

/// The student at the moment that is looked at, where there is a map of it; else as it ended.
void fillMap(TokenMapPlot &plot, const CalibrationBook &book, HeadMapKind kind)
{
    const bool student = kind == HeadMapKind::Student;
    QString why = HeadDetail::tr("Pick a head.");
    HeadMaps own;
    if (book.head() >= 0) {
        const std::vector<HeadMaps> *maps = book.maps();
        why = !maps ? HeadDetail::tr("The maps are being read…") : !book.mapsProblem().isEmpty() ? book.mapsProblem() : HeadDetail::tr("This calibration\nkept no maps.");
        if (maps && static_cast<std::size_t>(book.head()) < maps->size())
            own = (*maps)[static_cast<std::size_t>(book.head())];
    }
    const auto &[moment, rows] = own.student(book.side());
    report::FigureSpec spec = book.figureSpec(student ? "head-student" : "head-attention");
    if (student) {
        plot.setTitle(own.isEmpty() ? HeadDetail::tr("student: equivalent map") : studentTitle(moment));
        spec.side = sideId(moment == Side::AfterPhaseTwo ? Side::After : moment);
    }
    plot.setSource(spec, headProvenance(book, student ? "Equivalent map of a head" : "Attention of a head"));
    plot.setMap(student ? rows : own.attention, why);
}

constexpr Side moments[] = {Side::Before, Side::AfterPhaseOne, Side::AfterPhaseTwo};
constexpr int columns = 1 + static_cast<int>(std::size(moments));

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
      m_student(new TokenMapPlot(TokenMapPlot::Kind::Signed, tr("student: equivalent map"), this)), m_table(new QTableWidget(0, columns, this))
{
    auto *lags = new HeadProfilePlot(book, HeadProfilePlot::Kind::Lags, this), *entropy = new HeadProfilePlot(book, HeadProfilePlot::Kind::Entropy, this);
    m_title->setAccessibleName(tr("The picked head"));
    m_student->setToolTip(tr("With what weight each token enters what the head reads, before norm and gate: o = M v"));
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
    m_table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
    for (int column = 1; column < columns; ++column)
        m_table->horizontalHeader()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
    m_table->verticalHeader()->setDefaultSectionSize(rowHeight(*this));
    m_table->setMinimumWidth(fontMetrics().averageCharWidth() * 28);
    auto *profiles = new QVBoxLayout;
    profiles->setSpacing(4);
    profiles->addWidget(lags);
    profiles->addWidget(entropy);
    auto *row = new QHBoxLayout;      // side by side, so that the maps have all of the height
    row->setSpacing(12);
    row->addWidget(m_attention, 27);
    row->addWidget(m_student, 27);
    row->addLayout(profiles, 14);
    row->addWidget(m_table, 28);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 4, 0, 0);
    column->setSpacing(4);
    column->addWidget(m_title);
    column->addLayout(row, 1);
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
    m_table->clearSpans();
    m_table->setRowCount(0);
    if (m_book.head() < 0)
        return;
    const CalibrationReport &report = *m_book.report();
    std::array<bool, columns> used{true, true};
    for (const HeadStatistic &one : report.statistics()) {
        const int column = report.columnOf(one, m_book.head()), row = m_table->rowCount();
        m_table->insertRow(row);
        std::array<QString, columns> texts{statisticTitle(one)};
        for (std::size_t i = 0; i < std::size(moments); ++i)
            if (one.has(moments[i]))
                texts[i + 1] = shortNumber(report.value(one, moments[i], m_book.layer(), column));
        if (one.sides().empty()) {      // no moment's: over all of them
            m_table->setSpan(row, 1, 1, columns - 1);
            texts[1] = shortNumber(report.value(one, Side::After, m_book.layer(), column));
        }
        for (int i = 0; i < columns; ++i) {
            const QString &text = texts[static_cast<std::size_t>(i)];
            used[static_cast<std::size_t>(i)] = used[static_cast<std::size_t>(i)] || !text.isEmpty();
            auto *item = new QTableWidgetItem(text);
            if (i > 0)
                item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
            else
                item->setToolTip(text);
            m_table->setItem(row, i, item);
        }
    }
    for (int i = 1; i < columns; ++i)
        m_table->setColumnHidden(i, !used[static_cast<std::size_t>(i)]);      // a moment that this arm did not have
}

/// Numbers in the C locale and in full, for a spreadsheet.
QString HeadDetail::asTsv() const
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
