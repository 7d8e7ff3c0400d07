// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tokenizertryout.h"

#include "error.h"
#include "text/tokenizer.h"
#include "views/labels.h"
#include "views/palette.h"
#include "views/quantities.h"

#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPlainTextEdit>
#include <QPointer>
#include <QPushButton>
#include <QTextBrowser>
#include <QVBoxLayout>

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

namespace stillroom::widgets {
namespace {

constexpr qsizetype mostShown = 400;                 // tokens: more than one reads
constexpr qsizetype mostRead = 100'000;               // letters: some hundredths of a second
constexpr int linesOfText = 5;
constexpr std::string_view replacement = "\xef\xbf\xbd";      // U+FFFD, for bytes that are no character

/// What cannot be seen, made visible.
QString visible(const QString &piece)
{
    QString text = piece.toHtmlEscaped();
    text.replace(QLatin1Char(' '), QChar(0x2423)).replace(QLatin1Char('\t'), QChar(0x21e5)).replace(QLatin1Char('\n'), QStringLiteral("⏎"));
    return text.isEmpty() ? QStringLiteral("…") : text;
}

}  // namespace

TokenizerTryout::TokenizerTryout(QWidget *parent)
    : QWidget(parent), m_tokenizer(std::make_shared<std::shared_ptr<const text::Tokenizer>>()), m_text(new QPlainTextEdit(this)), m_count(new QuietLabel({}, this)), m_made(new QuietLabel({}, this)),
      m_shown(new QTextBrowser(this)), m_copy(new QPushButton(tr("Copy &ids"), this))
{
    m_text->setAccessibleName(tr("Text to be tokenised"));
    m_text->setPlaceholderText(tr("Type or paste a text: its tokens appear below."));
    m_text->setTabChangesFocus(true);
    m_text->setFixedHeight(m_text->fontMetrics().lineSpacing() * linesOfText + 12);
    m_shown->setAccessibleName(tr("Tokens"));
    m_shown->setTabChangesFocus(true);
    m_shown->setFrameShape(QFrame::NoFrame);
    m_made->setWordWrap(true);
    m_copy->setToolTip(tr("The ids as a JSON array"));
    auto *row = new QHBoxLayout;
    row->addWidget(m_count, 1);
    row->addWidget(m_copy);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 8, 0, 0);
    column->setSpacing(8);
    column->addWidget(m_made);
    column->addWidget(m_text);
    column->addLayout(row);
    column->addWidget(m_shown, 1);
    connect(m_text, &QPlainTextEdit::textChanged, this, &TokenizerTryout::encode);
    connect(m_copy, &QPushButton::clicked, this, [this] {
        QStringList ids;
        for (const qint64 id : m_tokens.ids)
            ids << QString::number(id);
        QGuiApplication::clipboard()->setText(QLatin1Char('[') + ids.join(QStringLiteral(", ")) + QLatin1Char(']'));
    });
    draw();
}

void TokenizerTryout::setTokenizer(const QString &path, const QString &why)
{
    m_path = path;
    m_why = why;
    m_tokenizer = std::make_shared<std::shared_ptr<const text::Tokenizer>>();
    m_text->setEnabled(!path.isEmpty());
    show({});
    encode();
}

void TokenizerTryout::suggest(const QString &text)
{
    if (m_text->toPlainText().isEmpty())
        m_text->setPlainText(text);
}

/// Each piece is what a token adds to the text before it: a token alone may lose its space. One that ends within a character adds nothing yet.
TokenizerTryout::Tokens TokenizerTryout::encoded(const text::Tokenizer &tokenizer, const std::string &text, const std::stop_token &stop)
{
    Tokens tokens;
    const std::vector<text::TokenId> ids = tokenizer.encode(text);
    tokens.ids = QVector<qint64>(ids.begin(), ids.end());
    tokens.bytes = static_cast<std::int64_t>(text.size());
    std::string before;
    for (std::size_t count = 1; count <= std::min<std::size_t>(ids.size(), mostShown) && !stop.stop_requested(); ++count) {
        std::string now = tokenizer.decode(std::span(ids).first(count));
        while (count < ids.size() && now.ends_with(replacement))
            now.resize(now.size() - replacement.size());
        const std::string piece = now.starts_with(before) ? now.substr(before.size()) : tokenizer.decode(std::span(ids).subspan(count - 1, 1));
        tokens.pieces << QString::fromStdString(piece);
        before = now;
    }
    return tokens;
}

/// What was typed before is not encoded to its end, and of a text that is long only the beginning is: nothing waits for this thread for long.
void TokenizerTryout::encode()
{
    if (m_path.isEmpty())
        return;
    const QString whole = m_text->toPlainText();
    m_isCut = whole.size() > mostRead;
    m_background.run("encode", [self = QPointer<TokenizerTryout>(this), tokenizer = m_tokenizer, path = m_path, text = whole.left(mostRead).toStdString()](const std::stop_token &stop) -> Background::Answer {
        Tokens tokens;
        try {
            if (!*tokenizer)
                *tokenizer = text::loadTokenizer(path.toStdString());
            if (stop.stop_requested())
                return {};
            tokens = encoded(**tokenizer, text, stop);
            QStringList parts;
            for (const text::TokenizerPart &part : (*tokenizer)->parts())
                parts << QString::fromStdString(part.name + ": " + part.description);
            tokens.made = parts.join(QStringLiteral(" · "));
        } catch (const std::exception &error) {
            tokens.problem = QString::fromUtf8(error.what());
        }
        if (stop.stop_requested())
            return {};
        return [self, tokenizer, tokens] {
            if (self && tokenizer == self->m_tokenizer)      // another model may have been opened meanwhile
                self->show(tokens);
        };
    });
}

void TokenizerTryout::show(Tokens tokens)
{
    m_tokens = std::move(tokens);
    draw();
}

void TokenizerTryout::draw()
{
    m_copy->setEnabled(!m_tokens.ids.isEmpty());
    m_made->setText(m_path.isEmpty() ? m_why : m_tokens.made);
    const auto count = static_cast<double>(m_tokens.ids.size());
    QString words = m_tokens.problem;
    if (words.isEmpty() && !m_tokens.ids.isEmpty()) {
        words = tr("%n tokens", nullptr, static_cast<int>(m_tokens.ids.size())) + tr(" · %1 bytes · %2 bytes per token").arg(QLocale().toString(m_tokens.bytes), shortNumber(static_cast<double>(m_tokens.bytes) / count));
        if (m_isCut)
            words += tr(" · of the first %1 letters").arg(QLocale().toString(mostRead));
    }
    m_count->setText(words);
    const QColor grounds[] = {over(mixerColour(QStringLiteral("softmax")), palette().base().color(), 0.25), over(mixerColour(QStringLiteral("gla")), palette().base().color(), 0.25)};
    QString html = QStringLiteral("<p style=\"line-height: 170%\">");
    for (qsizetype i = 0; i < m_tokens.pieces.size(); ++i)
        html += QStringLiteral("<span style=\"background-color: %1\">%2</span><sub>%3</sub> ").arg(grounds[i % 2].name(), visible(m_tokens.pieces[i]), QString::number(m_tokens.ids[i]));
    if (m_tokens.ids.size() > m_tokens.pieces.size())
        html += tr("… and %n more", nullptr, static_cast<int>(m_tokens.ids.size() - m_tokens.pieces.size()));
    m_shown->setHtml(html + QStringLiteral("</p>"));
}

void TokenizerTryout::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        draw();
}

}  // namespace stillroom::widgets
