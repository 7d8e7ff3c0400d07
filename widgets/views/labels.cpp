// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/labels.h"

#include "views/palette.h"

#include <QApplication>
#include <QEvent>
#include <QPainter>
#include <QTextDocument>

#include <algorithm>
#include <cmath>

namespace stillroom::widgets {
namespace {

QFont headingFont(QFont font, HeadingLevel level)
{
    font.setBold(true);
    if (level == HeadingLevel::Page)
        font.setPointSizeF(font.pointSizeF() * 1.5);
    return font;
}

}  // namespace

QuietLabel::QuietLabel(const QString &text, QWidget *parent) : QLabel(text, parent)
{
    dim();
}

void QuietLabel::dim()
{
    const QPalette around = parentWidget() ? parentWidget()->palette() : QApplication::palette(this);
    QPalette own;
    for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text})
        own.setColor(role, quietTextColour(around));
    m_dimming = true;
    setPalette(own);
    m_dimming = false;
}

void QuietLabel::changeEvent(QEvent *event)
{
    QLabel::changeEvent(event);
    const bool around = event->type() == QEvent::PaletteChange || event->type() == QEvent::ParentChange;
    if (around && !m_dimming)
        dim();
}

ElidedLabel::ElidedLabel(Voice voice, QWidget *parent) : QLabel(parent), m_voice(voice)
{
    setTextFormat(Qt::PlainText);
}

QSize ElidedLabel::minimumSizeHint() const
{
    return {fontMetrics().averageCharWidth() * 8, QLabel::minimumSizeHint().height()};
}

void ElidedLabel::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const QString shown = fontMetrics().elidedText(text(), Qt::ElideRight, contentsRect().width());
    setToolTip(shown == text() ? QString() : text());
    painter.setPen(m_voice == Voice::Quiet ? quietTextColour(palette()) : palette().color(foregroundRole()));
    painter.drawText(contentsRect(), static_cast<int>(alignment() | Qt::TextSingleLine), shown);
}

WrappedLabel::WrappedLabel(QWidget *parent) : QLabel(parent)
{
    setTextFormat(Qt::PlainText);
    setWordWrap(true);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
}

int WrappedLabel::heightForWidth(int width) const
{
    QTextDocument document;
    document.setDefaultFont(font());
    document.setDocumentMargin(0);
    document.setPlainText(text());
    document.setTextWidth(width);
    return std::max(QLabel::heightForWidth(width), static_cast<int>(std::ceil(document.size().height())));
}

int letterWidth(const QFontMetrics &metrics)
{
    return std::min(metrics.averageCharWidth(), metrics.horizontalAdvance(QLatin1Char('n')));
}

QLabel *headingLabel(const QString &text, HeadingLevel level, QWidget *parent)
{
    auto *label = new QLabel(text, parent);
    label->setFont(headingFont(label->font(), level));
    return label;
}

ElidedLabel *nameHeading(HeadingLevel level, QWidget *parent)
{
    auto *label = new ElidedLabel(Voice::Plain, parent);
    label->setFont(headingFont(label->font(), level));
    return label;
}

QLabel *valueLabel(const QString &text, const QString &name, QWidget *parent)
{
    auto *label = new QLabel(text, parent);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    label->setAccessibleName(name);
    return label;
}

}  // namespace stillroom::widgets
