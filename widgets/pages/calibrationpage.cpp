// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/calibrationpage.h"

#include "pages/headdetail.h"
#include "pages/headnumbers.h"
#include "plots/alignmentplot.h"
#include "plots/headdistributionplot.h"
#include "plots/headmapplot.h"
#include "plots/hiddencosineplot.h"
#include "views/alarmlist.h"
#include "views/choicebox.h"
#include "views/labels.h"
#include "views/messageline.h"
#include "views/names.h"
#include "views/quantities.h"

#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QDateTime>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QStandardItemModel>
#include <QTabWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace stillroom::widgets {

CalibrationPage::CalibrationPage(Session &session, QWidget *parent) : QWidget(parent), m_session(session), m_book(session.calibrations())
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(16, 8, 16, 8);
    m_state = new QStackedWidget(this);
    m_state->addWidget(makeEmpty());
    m_state->addWidget(makeContent());
    column->addWidget(m_state);
    follow();
    refreshCalibrations();
    refreshReport();
}

QWidget *CalibrationPage::makeEmpty()
{
    auto *box = new QWidget(this);
    auto *column = new QVBoxLayout(box);
    m_why = new QuietLabel({}, box);
    m_why->setWordWrap(true);
    m_why->setAlignment(Qt::AlignCenter);
    m_why->setAccessibleName(tr("What calibration is"));
    m_first = new QPushButton(tr("C&alibrate…"), box);
    connect(m_first, &QPushButton::clicked, this, &CalibrationPage::calibrateRequested);
    column->addStretch(2);
    column->addWidget(m_why);
    column->addSpacing(8);
    column->addWidget(m_first, 0, Qt::AlignHCenter);
    column->addStretch(3);
    return box;
}

QWidget *CalibrationPage::makeContent()
{
    auto *box = new QWidget(this);
    auto *column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    m_problem = new MessageLine(MessageLine::Kind::Problem, box);
    m_problem->setNextStep(tr("Calibrate a&new…"));
    connect(m_problem, &MessageLine::nextStepRequested, this, &CalibrationPage::calibrateRequested);
    QWidget *toolbar = makeToolbar(box);      // in the order of the Tab key, here as below
    m_summary = new ElidedLabel(Voice::Quiet, box);
    m_summary->setAccessibleName(tr("The statistic's range"));
    QLayout *summaryRow = makeSummaryRow(box);
    m_alarms = new AlarmList(box);
    connect(m_alarms, &AlarmList::shown, this, &CalibrationPage::showAlarm);
    auto *above = new QSplitter(Qt::Horizontal, box);
    above->setObjectName(QStringLiteral("headsSplitter"));
    m_map = new HeadMapPlot(m_book, m_session.choice(), above);
    above->addWidget(m_map);
    above->addWidget(makeDistribution(above));
    above->setStretchFactor(0, 3);
    above->setStretchFactor(1, 2);
    above->setChildrenCollapsible(false);
    above->setSizes({600, 400});
    auto *splitter = new QSplitter(Qt::Vertical, box);
    splitter->setObjectName(QStringLiteral("calibrationSplitter"));
    splitter->addWidget(above);
    splitter->addWidget(makeBelow(splitter));
    splitter->setStretchFactor(0, 1);
    splitter->setStretchFactor(1, 1);
    splitter->setSizes({450, 550});
    splitter->setChildrenCollapsible(false);
    column->addWidget(m_problem);
    column->addWidget(toolbar);
    column->addLayout(summaryRow);
    column->addWidget(m_alarms);
    column->addWidget(splitter, 1);
    return box;
}

QWidget *CalibrationPage::makeToolbar(QWidget *parent)
{
    auto *bar = new QWidget(parent);
    auto *row = new QHBoxLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    m_statistic = new ChoiceBox(bar);
    m_statistic->setAccessibleName(tr("Statistic"));
    m_calibration = new ChoiceBox(bar);
    m_calibration->setAccessibleName(tr("Calibration"));
    m_calibration->setToolTip(tr("How these linear layers started, and when"));
    m_moment = new ChoiceBox(bar);
    m_moment->setAccessibleName(tr("Moment"));
    for (ChoiceBox *box : {m_statistic, m_calibration, m_moment})
        box->letGiveWay(10);
    auto *statistic = new QLabel(tr("&Statistic:"), bar), *calibration = new QLabel(tr("&of:"), bar), *moment = new QLabel(tr("&when:"), bar);
    statistic->setBuddy(m_statistic);
    calibration->setBuddy(m_calibration);
    moment->setBuddy(m_moment);
    row->addWidget(statistic);
    row->addWidget(m_statistic, 3);
    row->addWidget(calibration);
    row->addWidget(m_calibration, 3);
    row->addWidget(moment);
    row->addWidget(m_moment, 2);
    connect(m_moment, &QComboBox::activated, this, [this](int index) { m_book.setSide(static_cast<Side>(m_moment->itemData(index).toInt())); });
    connect(m_statistic, &QComboBox::activated, this, [this](int index) { m_book.setStatistic(m_statistic->itemData(index).toString()); });
    connect(m_calibration, &QComboBox::activated, this, [this](int index) { m_book.choose(m_calibration->itemData(index).toString()); });
    return bar;
}

QLayout *CalibrationPage::makeSummaryRow(QWidget *parent)
{
    m_copying = new QPushButton(tr("&Copy as TSV"), parent);
    m_copying->setToolTip(tr("The map, or what has the keyboard: the head's table, the curves, the alarms (Ctrl+C)"));
    connect(m_copying, &QPushButton::clicked, this, &CalibrationPage::copy);
    m_another = new QPushButton(tr("C&alibrate…"), parent);
    connect(m_another, &QPushButton::clicked, this, &CalibrationPage::calibrateRequested);
    auto *row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(m_summary, 1);
    row->addWidget(m_copying);
    row->addWidget(m_another);
    return row;
}

QWidget *CalibrationPage::makeDistribution(QWidget *parent)
{
    auto *box = new QWidget(parent);
    auto *column = new QVBoxLayout(box);
    column->setContentsMargins(8, 0, 0, 0);
    column->setSpacing(4);
    auto *row = new QHBoxLayout;
    m_against = new ChoiceBox(box);
    m_against->setAccessibleName(tr("Against"));
    m_against->letGiveWay(10);
    auto *label = new QLabel(tr("a&gainst:"), box);
    label->setBuddy(m_against);
    m_distribution = new HeadDistributionPlot(m_book, box);
    row->addWidget(label);
    row->addWidget(m_against, 1);
    column->addLayout(row);
    column->addWidget(m_distribution, 1);
    connect(m_against, &QComboBox::activated, this, [this](int index) { m_distribution->setAgainst(m_against->itemData(index).toString()); });
    return box;
}

QWidget *CalibrationPage::makeBelow(QWidget *parent)
{
    m_below = new QTabWidget(parent);
    m_below->setDocumentMode(true);
    m_below->setAccessibleName(tr("The picked head, and how the layers align"));
    m_detail = new HeadDetail(m_book, m_below);
    m_alignment = new QWidget(m_below);
    auto *row = new QHBoxLayout(m_alignment);
    row->setContentsMargins(0, 4, 0, 0);
    for (const auto quantity : {AlignmentPlot::Quantity::RelativeMse, AlignmentPlot::Quantity::Cosine}) {
        auto *plot = new AlignmentPlot(m_book, m_session.selection(), quantity, m_alignment);
        plot->setObjectName(quantity == AlignmentPlot::Quantity::RelativeMse ? QStringLiteral("alignmentError") : QStringLiteral("alignmentCosine"));
        row->addWidget(plot);
    }
    m_below->addTab(m_detail, tr("Hea&d"));
    m_numbers = new HeadNumbers(m_book, m_below);
    m_depth = new HiddenCosinePlot(m_book, m_below);
    m_below->addTab(m_numbers, tr("Num&bers"));
    m_below->addTab(m_alignment, tr("A&lignment"));
    m_below->addTab(m_depth, tr("Dep&th"));
    return m_below;
}

void CalibrationPage::follow()
{
    connect(&m_book, &CalibrationBook::storedChanged, this, &CalibrationPage::refreshCalibrations);
    connect(&m_book, &CalibrationBook::chosenChanged, this, &CalibrationPage::refreshCalibrations);
    connect(&m_book, &CalibrationBook::reportChanged, this, &CalibrationPage::refreshReport);
    connect(&m_book, &CalibrationBook::viewChanged, this, &CalibrationPage::refreshView);
    connect(&m_session, &Session::teacherChanged, this, &CalibrationPage::refreshState);
    connect(&m_session, &Session::jobKindChanged, this, [this] {
        refreshState();
        if (m_session.jobKind() == QLatin1String("calibrate"))
            m_below->setCurrentWidget(m_alignment);
    });
    auto *copying = new QAction(tr("Copy as TSV"), this);
    copying->setShortcut(QKeySequence::Copy);
    copying->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(copying, &QAction::triggered, this, &CalibrationPage::copy);
    addAction(copying);
}

void CalibrationPage::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    refreshState();
    pickFirst();
}

/// Once for every report: whoever lets go of a head by Escape has none.
void CalibrationPage::pickFirst()
{
    if (m_wantsPick && isVisible() && m_book.report()) {
        m_wantsPick = false;
        m_book.pickFirst();
    }
}

void CalibrationPage::refreshState()
{
    const bool teacher = m_session.teacher().isValid(), running = m_session.jobKind() == QLatin1String("calibrate");
    m_state->setCurrentIndex(teacher && (running || m_book.isLive() || !m_book.stored().empty()) ? 1 : 0);
    m_why->setText(teacher ? tr("Nothing has been calibrated on this teacher yet.\nA calibration reads off every head how far it looks back and how sharply, starts linear layers from that, and aligns them with the teacher layer by layer.")
                           : tr("Open a teacher: its attention, head by head, appears here."));
    m_first->setVisible(teacher);
}

QString CalibrationPage::calibrationName(const StoredCalibration &calibration) const
{
    const QString when = QLocale().toString(QDateTime::fromMSecsSinceEpoch(static_cast<qint64>(calibration.startedSeconds * 1000.0)), QLocale::ShortFormat);
    const QString what = calibration.name.isEmpty() ? armName(calibration.arm) : calibration.name;
    return tr("%1 · %2 · %3", "how, mixer, when").arg(what, probeName(calibration.mixer), when);
}

void CalibrationPage::refreshCalibrations()
{
    m_calibration->clear();
    for (const StoredCalibration &one : m_book.stored())
        m_calibration->addItem(calibrationName(one), one.run);
    if (m_book.chosen())
        m_calibration->setCurrentIndex(m_calibration->findData(m_book.chosen()->run));
    refreshState();
}

void CalibrationPage::refreshReport()
{
    if (m_book.problem().isEmpty())
        m_problem->hide();
    else
        m_problem->showText(m_book.problem());
    m_alarms->setVisible(m_book.report());
    m_alarms->setAlarms(m_book.report() ? m_book.report()->alarms() : std::vector<CalibrationAlarm>());
    refreshStatistics();
    refreshView();
    refreshState();
    m_wantsPick = m_book.report() != nullptr;
    pickFirst();
}

/// Grouped: the names of the groups stand between and cannot be chosen.
void CalibrationPage::refreshStatistics()
{
    const QString against = m_against->currentData().toString();
    m_statistic->clear();
    m_against->clear();
    m_against->addItem(tr("nothing: a histogram"), QString());
    if (!m_book.report())
        return;
    const auto addGroup = [](QComboBox &box, const QString &name) {
        box.addItem(name);
        auto *item = static_cast<QStandardItemModel *>(box.model())->item(box.count() - 1);
        QFont bold = box.font();
        bold.setBold(true);
        item->setFont(bold);
        item->setEnabled(false);
    };
    std::optional<StatisticGroup> group;
    for (const HeadStatistic &one : m_book.report()->statistics()) {
        for (QComboBox *box : {m_statistic, m_against}) {
            if (group != one.group)
                addGroup(*box, groupName(one.group));
            box->addItem(one.name, one.id);
        }
        group = one.group;
    }
    m_against->setCurrentIndex(std::max(0, m_against->findData(against)));
    m_distribution->setAgainst(m_against->currentData().toString());
}

void CalibrationPage::refreshView()
{
    const HeadStatistic *shown = m_book.statistic();
    m_statistic->setCurrentIndex(shown ? m_statistic->findData(shown->id) : -1);
    refreshMoments();
    for (QWidget *one : std::initializer_list<QWidget *>{m_statistic, m_against, m_copying})
        one->setEnabled(shown);
    m_calibration->setEnabled(m_calibration->count() > 0);
    m_summary->setText(summary());
}

/// Those of the statistic that is shown.
void CalibrationPage::refreshMoments()
{
    const HeadStatistic *shown = m_book.statistic();
    const std::vector<Side> sides = shown ? shown->sides() : std::vector<Side>();
    m_moment->clear();
    for (const Side side : sides)
        m_moment->addItem(sideName(side), static_cast<int>(side));
    if (shown && sides.empty())
        m_moment->addItem(tr("measured once"), static_cast<int>(Side::After));
    m_moment->setEnabled(sides.size() > 1);
    if (shown && !sides.empty())
        m_moment->setCurrentIndex(m_moment->findData(static_cast<int>(shown->concrete(m_book.side()))));
    m_moment->setToolTip(shown && sides.empty() ? tr("This was measured once: there is no value from before to compare it with") : tr("As the layers began, after each phase, or what changed"));
}

QString CalibrationPage::summary() const
{
    const HeadStatistic *shown = m_book.statistic();
    if (!shown)
        return {};
    const CalibrationReport &report = *m_book.report();
    std::vector<double> values;
    for (const int layer : report.layers())
        for (int column = 0; column < report.numColumns(*shown); ++column)
            if (const double value = report.value(*shown, m_book.side(), layer, column); std::isfinite(value))
                values.push_back(value);
    std::sort(values.begin(), values.end());
    QStringList parts;
    if (!values.empty())
        parts << tr("here %1 to %2, median %3").arg(shortNumber(values.front()), shortNumber(values.back()), quantityText(values[values.size() / 2], shown->unit));
    if (!isDifference(m_book.side()) && std::isfinite(shown->least) && std::isfinite(shown->most))
        parts << tr("possible %1 to %2").arg(shortNumber(shown->least), shortNumber(shown->most));
    parts << tr("%1 sequences of %2 tokens").arg(report.numSequences()).arg(report.sequenceLength());
    parts << tr("hatched: softmax in the chosen hybrid");
    return parts.join(QStringLiteral(" · "));
}

void CalibrationPage::showAlarm(const CalibrationAlarm &alarm)
{
    if (const QString statistic = alarmStatistic(alarm); !statistic.isEmpty())
        m_book.setStatistic(statistic);
    m_book.setSide(Side::After);
    m_book.pick(alarm.layer, m_book.report()->firstHeadOf(alarm));
    m_below->setCurrentWidget(m_detail);
    m_map->setFocus(Qt::OtherFocusReason);
}

QString CalibrationPage::mapAsTsv() const
{
    const HeadStatistic *shown = m_book.statistic();
    if (!shown)
        return {};
    const CalibrationReport &report = *m_book.report();
    QString text = shown->id + QLatin1Char(' ') + QString::fromStdString(sideId(shown->concrete(m_book.side())));
    for (int column = 0; column < report.numColumns(*shown); ++column)
        text += QStringLiteral("\thead %1").arg(column);
    for (const int layer : report.layers()) {
        text += QStringLiteral("\nlayer %1").arg(layer);
        for (int column = 0; column < report.numColumns(*shown); ++column) {
            const double value = report.value(*shown, m_book.side(), layer, column);
            text += QLatin1Char('\t') + (std::isfinite(value) ? QString::number(value, 'g', 6) : QString());
        }
    }
    return text + QLatin1Char('\n');
}

QString CalibrationPage::curvesAsTsv() const
{
    QString text = QStringLiteral("quantity\tlayer\tstep\tvalue\n");
    for (const auto &[name, curves] : {std::pair{"relative_mse", &m_book.curves().relativeMse}, std::pair{"cosine", &m_book.curves().cosine}})
        for (const auto &[layer, points] : *curves)
            for (const AlignmentPoint &point : points)
                text += QStringLiteral("%1\t%2\t%3\t%4\n").arg(QLatin1String(name)).arg(layer).arg(point.step, 0, 'g', 12).arg(point.value, 0, 'g', 6);
    return text;
}

QString CalibrationPage::depthAsTsv() const
{
    QString text = QStringLiteral("moment\tafter_block\tcosine\n");
    if (m_book.report())
        for (const ComposedCurve &curve : m_book.report()->composed())
            for (std::size_t layer = 0; layer < curve.cosineAfterBlock.size(); ++layer)
                text += QStringLiteral("%1\t%2\t%3\n").arg(QString::fromStdString(sideId(curve.moment))).arg(layer).arg(curve.cosineAfterBlock[layer], 0, 'g', 6);
    return text;
}

/// Of what has the keyboard; the map, where that is something else.
void CalibrationPage::copy() const
{
    const QWidget *focus = focusWidget();
    const auto holds = [&](const QWidget *part) { return focus && (part == focus || part->isAncestorOf(focus)); };
    QGuiApplication::clipboard()->setText(holds(m_alarms) ? m_alarms->asTsv() : holds(m_detail) || holds(m_numbers) ? m_numbers->asTsv() : holds(m_alignment) ? curvesAsTsv() : holds(m_depth) ? depthAsTsv() : mapAsTsv());
}

}  // namespace stillroom::widgets
