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

CostLine::CostLine(const SelectorOffers &offers, Background &estimates, Background &timings, QWidget *parent)
    : QWidget(parent), m_offers(offers), m_estimates(estimates), m_timings(timings), m_cost(new QLabel(this)), m_seconds(new QLabel(this)), m_time(new QPushButton(tr("&Time it"), this))
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
    auto *words = new QVBoxLayout;
    words->setSpacing(4);
    words->addWidget(m_cost);
    words->addWidget(m_seconds);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(16);
    row->addLayout(words, 1);
    row->addWidget(m_time, 0, Qt::AlignBottom);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    for (QWidget *widget : std::initializer_list<QWidget *>{m_seconds, m_time})
        widget->setVisible(static_cast<bool>(m_offers.time));
    connect(m_time, &QPushButton::clicked, this, &CostLine::askForTime);
    sayTimeIsUnknown();
}

void CostLine::sayTimeIsUnknown()
{
    m_seconds->setText(tr("Time, memory and disk: not known until it is timed."));
}

void CostLine::refuse(const QString &reason)
{
    m_asked = {};
    m_answered = false;
    m_cost->setText(reason);
    m_time->setEnabled(false);
    sayTimeIsUnknown();
}

/// On the other thread: prompts are made, sets are counted.
void CostLine::ask(const nlohmann::json &spec, const std::filesystem::path &workspace)
{
    m_asked = spec;
    m_workspace = workspace;
    m_answered = !m_offers.state;
    m_time->setEnabled(false);
    sayTimeIsUnknown();
    if (m_answered) {
        m_cost->clear();
        Q_EMIT answered();
        return;
    }
    m_estimates.run("cost", [line = QPointer<CostLine>(this), asked = m_asked, workspace, state = m_offers.state]() -> Background::Answer {
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
    m_time->setEnabled(true);
    m_answered = true;
    Q_EMIT answered();
}

void CostLine::askForTime()
{
    m_time->setEnabled(false);
    m_seconds->setText(tr("The teacher is being loaded and timed…"));
    m_timings.run("time", [line = QPointer<CostLine>(this), asked = m_asked, workspace = m_workspace, time = m_offers.time]() -> Background::Answer {
        QString words;
        try {
            const TimedCost cost = time(asked, workspace);
            words = tr("About %1 on this machine, %2 of memory, %3 on disk.").arg(shortDuration(cost.seconds), shortBytes(static_cast<double>(cost.memoryBytes)), shortBytes(static_cast<double>(cost.diskBytes)));
        } catch (const std::exception &error) {
            words = tr("Time, memory and disk: not known: %1").arg(QString::fromUtf8(error.what()));
        }
        return [line, asked, words] {
            if (line && line->m_asked == asked)
                line->m_seconds->setText(words);
        };
    });
}

}  // namespace stillroom::widgets
