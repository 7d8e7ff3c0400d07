// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/headdetail.h"

#include "plots/headprofileplot.h"
#include "plots/tokenmapplot.h"
#include "views/labels.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

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

}  // namespace

std::unique_ptr<TokenMapPlot> headMap(const CalibrationBook &book, HeadMapKind kind)
{
    auto plot = kind == HeadMapKind::Student ? std::make_unique<TokenMapPlot>(TokenMapPlot::Kind::Signed, HeadDetail::tr("student: equivalent map"))
                                             : std::make_unique<TokenMapPlot>(TokenMapPlot::Kind::Probabilities, HeadDetail::tr("teacher: attention"));
    fillMap(*plot, book, kind);
    return plot;
}

QString pickedHeadText(const CalibrationBook &book)
{
    return book.head() < 0 ? HeadDetail::tr("Pick a head in the map") : HeadDetail::tr("Layer %1, head %2").arg(book.layer()).arg(book.head());
}

HeadDetail::HeadDetail(CalibrationBook &book, QWidget *parent)
    : QWidget(parent), m_book(book), m_title(headingLabel({}, HeadingLevel::Section, this)), m_attention(new TokenMapPlot(TokenMapPlot::Kind::Probabilities, tr("teacher: attention"), this)),
      m_student(new TokenMapPlot(TokenMapPlot::Kind::Signed, tr("student: equivalent map"), this))
{
    m_title->setAccessibleName(tr("The picked head"));
    m_student->setToolTip(tr("With what weight each token enters what the head reads, before norm and gate: o = M v"));
    auto *row = new QHBoxLayout;      // side by side, so that all have all of the height
    row->setSpacing(12);
    row->addWidget(m_attention, 4);
    row->addWidget(m_student, 4);
    for (const auto kind : {HeadProfilePlot::Kind::Lags, HeadProfilePlot::Kind::Entropy})
        row->addWidget(new HeadProfilePlot(book, kind, this), 3);
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
    m_title->setText(pickedHeadText(m_book));
    refreshMaps();
}

void HeadDetail::refreshMaps()
{
    fillMap(*m_attention, m_book, HeadMapKind::Attention);
    fillMap(*m_student, m_book, HeadMapKind::Student);
}

}  // namespace stillroom::widgets
