// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/costline.h"

#include "views/quantities.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPointer>
#include <QPushButton>
#include <QVBoxLayout>

#include <exception>

namespace stillroom::widgets {
namespace {

int numLines = 0;      // that there ever were

std::string keyOf(const nlohmann::json &spec)
{
    return spec.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

CostLine::CostLine(const SelectorOffers &offers, Background &estimates, Background &timings, QWidget *parent)
    : QWidget(parent), m_offers(offers), m_estimates(estimates), m_timings(timings), m_errand("cost " + std::to_string(++numLines)), m_cost(new QLabel(this)), m_seconds(new QLabel(this)), m_time(new QPushButton(tr("&Time it"), this))
{
    for (QLabel *label : {m_cost, m_seconds}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    m_cost->setAccessibleName(tr("Cost"));
    m_cost->setMinimumHeight(fontMetrics().lineSpacing() * 2);      // the line stays where it is while costs come and go
    m_cost->setAlignment(Qt::AlignLeft | Qt::AlignBottom);
    m_seconds->setAccessibleName(tr("Time and memory"));
    m_time->setToolTip(tr("Loads the teacher and times it: seconds, memory and disk on this machine"));
    m_time->setAutoDefault(false);
    auto *row = new QHBoxLayout;
    row->setSpacing(16);
    row->addWidget(m_seconds, 1);
    row->addWidget(m_time);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addWidget(m_cost);
    column->addLayout(row);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    for (QWidget *widget : std::initializer_list<QWidget *>{m_seconds, m_time})
        widget->setVisible(static_cast<bool>(m_offers.time));
    connect(m_time, &QPushButton::clicked, this, &CostLine::askForTime);
    showTime();
}

CostLine::~CostLine()
{
    if (m_timing)      // nobody waits for it any more
        m_timings.stop(m_errand);
    m_estimates.stop(m_errand);
}

void CostLine::refuse(const QString &reason)
{
    m_asked = {};
    m_answered = false;
    m_cost->setText(reason);
    m_canBeTimed = false;
    showTime();
}

/// On the other thread: prompts are made, sets are counted.
void CostLine::ask(const nlohmann::json &spec, const std::filesystem::path &workspace)
{
    m_asked = spec;
    m_workspace = workspace;
    m_answered = !m_offers.state;
    m_canBeTimed = false;
    showTime();
    if (m_answered) {
        m_cost->clear();
        Q_EMIT answered();
        return;
    }
    m_estimates.run(m_errand, [line = QPointer<CostLine>(this), asked = m_asked, workspace, state = m_offers.state]() -> Background::Answer {
        try {
            return [line, asked, cost = state(asked, workspace)] {
                if (line && line->m_asked == asked)
                    line->say(cost);
            };
        } catch (const std::exception &error) {
            return [line, asked, message = QString::fromUtf8(error.what())] {
                if (!line || line->m_asked != asked)
                    return;
                line->refuse(message);
                Q_EMIT line->refused(message);
            };
        }
    });
}

void CostLine::say(const StatedCost &cost)
{
    const auto count = [](std::int64_t tokens) { return shortCount(static_cast<double>(tokens)); };
    QStringList parts;
    if (cost.stageOneTokens > 0)
        parts << tr("stage 1 trains on %1 tokens, unless an equal one is there").arg(count(cost.stageOneTokens));
    if (cost.calibrationTokens > 0)
        parts << tr("%1 tokens are read", "calibration").arg(count(cost.calibrationTokens));
    if (cost.phaseTwoTokens > 0)
        parts << tr("phase 2 trains every layer on at most %1 tokens").arg(count(cost.phaseTwoTokens));
    if (cost.students > 0)
        parts << tr("%n students train on %1 tokens in all", nullptr, static_cast<int>(cost.students)).arg(count(cost.studentTokens));
    if (cost.measuredTokens > 0)
        parts << (cost.atMost ? tr("at most %1 tokens go through a model to measure") : tr("%1 tokens go through a model to measure")).arg(count(cost.measuredTokens));
    if (!cost.isWhole)
        parts << (parts.isEmpty() ? tr("how many tokens is not known beforehand") : tr("and more that is not known beforehand"));
    m_cost->setText(tr("Cost: %1.").arg(parts.isEmpty() ? tr("next to nothing") : parts.join(tr("; "))));
    m_canBeTimed = true;
    showTime();
    m_answered = true;
    Q_EMIT answered();
}

/// The key that starts it stops it.
void CostLine::askForTime()
{
    if (isTiming()) {
        stopTiming();
        showTime();
        return;
    }
    m_timing = m_asked;
    showTime();
    m_timings.run(m_errand, [line = QPointer<CostLine>(this), asked = m_asked, workspace = m_workspace, time = m_offers.time](const std::stop_token &stop) -> Background::Answer {
        QString words;
        try {
            const TimedCost cost = time(asked, workspace, stop);
            words = (cost.leavesOut ? tr("About %1 on this machine, %2 of memory, %3 on disk, without what is in the workspace already.") : tr("About %1 on this machine, %2 of memory, %3 on disk.")).arg(shortDuration(cost.seconds), shortBytes(static_cast<double>(cost.memoryBytes)), shortBytes(static_cast<double>(cost.diskBytes)));
        } catch (const std::exception &error) {
            words = tr("Time, memory and disk: not known: %1").arg(QString::fromUtf8(error.what()));
        }
        if (stop.stop_requested())
            return {};
        return [line, asked, words] {
            if (line)
                line->takeTime(asked, words);
        };
    });
}

void CostLine::stopTiming()
{
    m_timing.reset();
    m_timings.stop(m_errand);
}

void CostLine::takeTime(const nlohmann::json &spec, const QString &words)
{
    m_times[keyOf(spec)] = words;
    if (m_timing && *m_timing == spec)
        m_timing.reset();
    showTime();
}

void CostLine::showTime()
{
    const auto known = m_times.find(keyOf(m_asked));
    m_seconds->setText(isTiming() ? tr("The teacher is being loaded and timed…") : known != m_times.end() ? known->second : tr("Time, memory and disk: not known until it is timed."));
    m_time->setText(isTiming() ? tr("S&top") : tr("&Time it"));
    m_time->setEnabled(isTiming() || m_canBeTimed);
}

}  // namespace stillroom::widgets
