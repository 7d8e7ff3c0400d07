// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/jsonedit.h"

#include "views/palette.h"

#include <QFontDatabase>
#include <QKeyEvent>
#include <QPainter>
#include <QRegularExpression>
#include <QSyntaxHighlighter>
#include <QTextBlock>

#include <algorithm>

namespace stillroom::widgets {
namespace {

constexpr int numberMargin = 8, markWidth = 4;

/// Values in a colour of their own, punctuation quiet.
class JsonHighlighter final : public QSyntaxHighlighter {
public:
    JsonHighlighter(QTextDocument *document, const QWidget &view) : QSyntaxHighlighter(document), m_view(view) {}

protected:
    void highlightBlock(const QString &text) override
    {
        static const QRegularExpression token(QStringLiteral(R"("(?:[^"\\]|\\.)*"(\s*:)?|\b(?:true|false|null)\b|-?\d[\d.eE+-]*)"));
        const QPalette &palette = m_view.palette();
        const QColor names = palette.color(QPalette::Text), values = over(focusColour(palette), names, 0.55);
        setFormat(0, static_cast<int>(text.size()), quietTextColour(palette));
        for (auto found = token.globalMatch(text); found.hasNext();) {
            const QRegularExpressionMatch match = found.next();
            const qsizetype colon = match.capturedLength(1);
            setFormat(static_cast<int>(match.capturedStart()), static_cast<int>(match.capturedLength() - colon), colon > 0 ? names : values);
        }
    }

private:
    const QWidget &m_view;
};

}  // namespace

class JsonEdit::Numbers final : public QWidget {
public:
    explicit Numbers(JsonEdit *edit) : QWidget(edit), m_edit(*edit) {}

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        m_edit.paintNumbers(painter);
    }

private:
    const JsonEdit &m_edit;
};

JsonEdit::JsonEdit(QWidget *parent) : QPlainTextEdit(parent), m_numbers(new Numbers(this))
{
    setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    setFrameShape(QFrame::NoFrame);
    viewport()->setBackgroundRole(QPalette::AlternateBase);
    setTabChangesFocus(true);
    setLineWrapMode(NoWrap);
    new JsonHighlighter(document(), *this);
    connect(this, &QPlainTextEdit::blockCountChanged, this, &JsonEdit::makeRoom);
    connect(this, &QPlainTextEdit::updateRequest, m_numbers, qOverload<>(&QWidget::update));
    makeRoom();
}

void JsonEdit::replaceText(const QString &text)
{
    const QString now = toPlainText();
    if (text == now)
        return;
    const auto shorter = std::min(text.size(), now.size());
    qsizetype first = 0, last = 0;
    while (first < shorter && text[first] == now[first])
        ++first;
    while (last < shorter - first && text[text.size() - 1 - last] == now[now.size() - 1 - last])
        ++last;
    QTextCursor change(document());
    change.beginEditBlock();
    change.setPosition(static_cast<int>(first));
    change.setPosition(static_cast<int>(now.size() - last), QTextCursor::KeepAnchor);
    change.insertText(text.mid(first, text.size() - last - first));
    change.endEditBlock();
}

void JsonEdit::markLine(int line)
{
    if (line == m_marked)
        return;
    m_marked = line;
    showMark();
}

void JsonEdit::goToMark()
{
    setTextCursor(QTextCursor(document()->findBlockByNumber(std::max(0, m_marked - 1))));
    setFocus(Qt::OtherFocusReason);
}

void JsonEdit::showMark()
{
    QList<QTextEdit::ExtraSelection> marks;
    if (const QTextBlock block = document()->findBlockByNumber(m_marked - 1); m_marked > 0 && block.isValid()) {
        QTextEdit::ExtraSelection mark;
        mark.cursor = QTextCursor(block);
        mark.format.setBackground(over(problemColour(), palette().color(QPalette::AlternateBase), 0.15));
        mark.format.setProperty(QTextFormat::FullWidthSelection, true);
        marks << mark;
    }
    setExtraSelections(marks);
    m_numbers->update();
}

int JsonEdit::numbersWidth() const
{
    return fontMetrics().horizontalAdvance(QString::number(std::max(99, blockCount()))) + 2 * numberMargin;
}

void JsonEdit::makeRoom()
{
    setViewportMargins(numbersWidth(), 0, 0, 0);
    m_numbers->setGeometry(contentsRect().left(), contentsRect().top(), numbersWidth(), contentsRect().height());
}

void JsonEdit::paintNumbers(QPainter &painter) const
{
    painter.fillRect(m_numbers->rect(), palette().color(QPalette::AlternateBase));
    painter.setFont(font());
    painter.setPen(quietTextColour(palette()));
    for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
        const QRectF place = blockBoundingGeometry(block).translated(contentOffset());
        if (place.top() > m_numbers->height())
            return;
        if (block.blockNumber() + 1 == m_marked)
            painter.fillRect(QRectF(0, place.top(), markWidth, place.height()), problemColour());
        painter.drawText(QRectF(0, place.top(), m_numbers->width() - numberMargin, place.height()), Qt::AlignRight | Qt::AlignVCenter, QString::number(block.blockNumber() + 1));
    }
}

void JsonEdit::resizeEvent(QResizeEvent *event)
{
    QPlainTextEdit::resizeEvent(event);
    makeRoom();
}

void JsonEdit::changeEvent(QEvent *event)
{
    QPlainTextEdit::changeEvent(event);
    if (event->type() != QEvent::PaletteChange || !m_numbers)
        return;
    if (auto *highlighter = document()->findChild<QSyntaxHighlighter *>())
        highlighter->rehighlight();
    showMark();
}

/// A new line begins under the one before it.
void JsonEdit::keyPressEvent(QKeyEvent *event)
{
    if (event->key() != Qt::Key_Return || event->modifiers() != Qt::NoModifier) {
        QPlainTextEdit::keyPressEvent(event);
        return;
    }
    const QString line = textCursor().block().text().left(textCursor().positionInBlock());
    qsizetype indent = 0;
    while (indent < line.size() && line[indent] == QLatin1Char(' '))
        ++indent;
    if (line.endsWith(QLatin1Char('{')) || line.endsWith(QLatin1Char('[')))
        indent += 2;
    textCursor().insertText(QLatin1Char('\n') + QString(indent, QLatin1Char(' ')));
    ensureCursorVisible();
}

}  // namespace stillroom::widgets
