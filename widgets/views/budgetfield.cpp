// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/budgetfield.h"

#include "analysis/budgettext.h"
#include "error.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>

#include <algorithm>

namespace stillroom::widgets {

BudgetField::BudgetField(Session &session, QWidget *parent) : QWidget(parent), m_session(session), m_text(new QLineEdit(this))
{
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    auto *label = new QLabel(tr("KV c&ache:"), this);
    label->setBuddy(m_text);
    m_text->setAccessibleName(tr("KV cache at a context length"));
    m_text->setToolTip(tr("What the softmax layers take for one sequence, in bfloat16. Write a budget such as “64 MiB at 32k”: K becomes the largest that fits."));
    m_text->setFixedWidth(fontMetrics().averageCharWidth() * 20);
    row->addWidget(label);
    row->addWidget(m_text);
    connect(m_text, &QLineEdit::editingFinished, this, &BudgetField::use);
    connect(&session.choice(), &HybridChoice::changed, this, &BudgetField::refresh);
    connect(&session, &Session::teacherChanged, this, [this] {
        m_text->setModified(false);
        Q_EMIT refused({});      // what was wrong was so for another teacher
        refresh();
    });
    connect(&session, &Session::probeChanged, this, &BudgetField::refresh);
    refresh();
}

QString BudgetField::textOf(int keep) const
{
    const analysis::LayerCosts costs = m_session.teacher().costs(m_session.probe());
    const double bytes = analysis::spending(costs, keep, {analysis::Budget::Kind::KvBytes, 0.0, m_context});
    return tr("%1 at %2").arg(QLocale::c().formattedDataSize(static_cast<qint64>(bytes), 1, QLocale::DataSizeIecFormat),      // as it is read again
                              QString::fromStdString(analysis::contextText(m_context)));
}

void BudgetField::use()
{
    if (!m_text->isModified())      // it was only looked at
        return;
    m_text->setModified(false);
    QString written = m_text->text().trimmed();
    written.replace(tr(" at "), QStringLiteral(" @ "));
    try {
        const analysis::Budget budget = analysis::kvBudgetFrom(written.toStdString(), m_context);
        const auto keep = analysis::largestKeep(m_session.teacher().costs(m_session.probe()), {budget});
        m_context = budget.context;
        if (keep)
            m_session.choice().setKeep(*keep);
        Q_EMIT refused({});
    } catch (const Error &error) {
        Q_EMIT refused(QString::fromStdString(error.what()));
    }
    refresh();      // also where K is the same: it says what that takes
}

void BudgetField::refresh()
{
    const bool isValid = m_session.teacher().isValid();
    if (isValid && m_text->hasFocus() && m_text->isModified())
        return;      // a person is writing
    setEnabled(isValid);
    m_text->setText(isValid ? textOf(std::min(m_session.choice().keep(), m_session.teacher().numLayers)) : QString());      // K may be another teacher's still
}

}  // namespace stillroom::widgets
