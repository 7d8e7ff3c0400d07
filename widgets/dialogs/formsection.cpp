// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialogs/formsection.h"

#include "views/labels.h"

#include <QHBoxLayout>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace stillroom::widgets {

void reachAfter(QWidget *before, const QWidget &whole)
{
    for (QWidget *editor : whole.findChildren<QWidget *>()) {
        const bool isReached = (editor->focusPolicy() & Qt::TabFocus) && !editor->focusProxy();
        if (!isReached || editor->window() != before->window())      // the list of a combo box
            continue;
        QWidget::setTabOrder(before, editor);
        before = editor;
    }
}

FormSection::FormSection(const QString &title, const QString &tip, std::vector<std::string> paths, Fill fill, QWidget *parent)
    : QWidget(parent), m_heading(new QToolButton(this)), m_summary(new QuietLabel({}, this)), m_problem(new QLabel(tr("something is wrong here"), this)), m_body(new QWidget(this)), m_rows(new QVBoxLayout(m_body)),
      m_paths(std::move(paths)), m_fill(std::move(fill))
{
    m_heading->setText(title);
    m_heading->setAccessibleName(QString(title).remove(QLatin1Char('&')));
    m_heading->setToolTip(tip);
    m_heading->setAutoRaise(true);
    m_heading->setArrowType(Qt::RightArrow);
    m_heading->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    QFont bold = m_heading->font();
    bold.setBold(true);
    m_heading->setFont(bold);
    m_problem->setFont(bold);
    m_problem->hide();
    auto *line = new QHBoxLayout;
    line->setSpacing(8);
    line->addWidget(m_heading);
    line->addWidget(m_summary);
    line->addWidget(m_problem);
    line->addStretch(1);
    m_rows->setContentsMargins(24, 4, 0, 12);
    m_rows->setSpacing(8);
    m_body->hide();
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(line);
    column->addWidget(m_body);
    connect(m_heading, &QToolButton::clicked, this, [this] {
        setOpen(!m_isOpen);
        m_heading->setFocus(Qt::ShortcutFocusReason);      // so that the next key goes into it
    });
}

bool FormSection::contains(const std::string &path) const
{
    return std::any_of(m_paths.begin(), m_paths.end(), [&](const std::string &one) {
        return path.compare(0, one.size(), one) == 0 && (path.size() == one.size() || path[one.size()] == '.' || path[one.size()] == '[');
    });
}

void FormSection::setOpen(bool open)
{
    if (open == m_isOpen)
        return;
    m_isOpen = open;
    m_heading->setAccessibleDescription(open ? tr("open") : tr("closed"));
    m_heading->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
    if (open && m_fill) {
        std::exchange(m_fill, {})(*m_rows);
        Q_EMIT filled();
    }
    m_body->setVisible(open);
}

void FormSection::setSummary(int numChanged, bool hasProblem)
{
    m_summary->setText(numChanged > 0 ? tr("%n changed", nullptr, numChanged) : QString());
    m_problem->setVisible(hasProblem && !m_isOpen);
}

}  // namespace stillroom::widgets
