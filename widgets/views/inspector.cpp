// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/inspector.h"

#include "views/jobsstrip.h"

#include <QFormLayout>
#include <QLabel>
#include <QLocale>
#include <QVBoxLayout>

#include <algorithm>

namespace stillroom::widgets {

Inspector::Inspector(Session &session, QWidget *parent) : QWidget(parent), m_session(session), m_title(new QLabel(this)), m_rows(new QFormLayout)
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(12, 12, 12, 12);
    QFont bold = font();
    bold.setBold(true);
    bold.setPointSizeF(font().pointSizeF() * 1.15);
    m_title->setFont(bold);
    column->addWidget(m_title);
    column->addLayout(m_rows);
    column->addStretch(1);
    m_rows->setHorizontalSpacing(16);
    setMinimumWidth(fontMetrics().averageCharWidth() * 30);
    connect(&session.selection(), &LayerSelection::changed, this, &Inspector::refresh);
    connect(&session.scores(), &ScoreBook::changed, this, &Inspector::refresh);
    connect(&session.choice(), &HybridChoice::changed, this, &Inspector::refresh);
    connect(&session, &Session::teacherChanged, this, &Inspector::refresh);
    refresh();
}

void Inspector::row(const QString &label, const QString &value)
{
    auto *text = new QLabel(value, this);
    text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    text->setWordWrap(true);
    text->setAccessibleName(label);
    m_rows->addRow(label, text);
}

void Inspector::showLayer(int layer)
{
    m_title->setText(tr("Layer %1").arg(layer));
    const QLocale locale;
    const HybridChoice &choice = m_session.choice();
    if (choice.isKnown())
        row(tr("In the hybrid"), choice.isKept(layer) ? tr("softmax, kept") : tr("becomes %1").arg(m_session.probe().toUpper()));
    const auto bar = m_session.scores().bar(layer);
    if (!bar) {
        row(tr("Score"), tr("not measured yet"));
        return;
    }
    const bool gain = m_session.scores().axis() == ScoreBook::Axis::KlGain;
    row(gain ? tr("KL gain") : tr("Score"), tr("%1 ± %2").arg(locale.toString(bar->value, 'f', 4), locale.toString(bar->reach, 'f', 4)) + (gain ? tr(" nats/token") : QString()));
    if (bar->score.klNats)
        row(tr("Held-out KL"), tr("%1, SE %2 nats/token").arg(locale.toString(*bar->score.klNats, 'f', 4), locale.toString(bar->score.se, 'f', 4)));
    if (const auto ranking = m_session.scores().ranking()) {
        const auto place = std::find(ranking->begin(), ranking->end(), layer) - ranking->begin() + 1;
        row(tr("Rank"), tr("%1 of %2").arg(place).arg(ranking->size()));
        const auto band = m_session.scores().tieBand(choice.keep());
        if (std::find(band.begin(), band.end(), layer) != band.end())
            row(tr("Settled"), tr("no: within the error of the K boundary"));
    }
    row(tr("Sequences"), locale.toString(qint64{bar->score.numSequences}));
    row(tr("Training tokens"), shortCount(static_cast<double>(bar->score.tokens)));
    row(tr("Selector, probe"), QString::fromStdString(bar->score.selector) + QStringLiteral(", ") + QString::fromStdString(bar->score.mixer));
}

void Inspector::showModel()
{
    const ModelDescription &teacher = m_session.teacher();
    m_title->setText(teacher.isValid() ? teacher.name : tr("No teacher"));
    if (!teacher.isValid())
        return;
    row(tr("Layers"), QLocale().toString(teacher.numLayers));
    row(tr("Parameters"), shortCount(static_cast<double>(teacher.parameters)));
    row(tr("Heads"), tr("%1 query, %2 key/value").arg(teacher.numHeads).arg(teacher.numKvHeads));
    row(tr("Hint"), tr("Select a layer to see its numbers; Esc comes back here."));
}

void Inspector::refresh()
{
    while (m_rows->rowCount() > 0)
        m_rows->removeRow(0);
    const int layer = m_session.selection().layer();
    if (layer >= 0)
        showLayer(layer);
    else
        showModel();
}

}  // namespace stillroom::widgets
