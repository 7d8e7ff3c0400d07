// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/background.h"

#include <QString>
#include <QVector>
#include <QWidget>

#include <cstdint>
#include <memory>
#include <string>

class QLabel;
class QPlainTextEdit;
class QPushButton;
class QTextBrowser;

namespace stillroom::text {
class Tokenizer;
}

namespace stillroom::widgets {

/// A text and the tokens that it becomes, as one types: each on a ground of its own, spaces and line ends made visible, with their ids. The tokenizer is read and used where it stops nobody.
class TokenizerTryout final : public QWidget {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(TokenizerTryout)

public:
    explicit TokenizerTryout(QWidget *parent = nullptr);
    /// \param path  a file or a folder that text::loadTokenizer takes; empty: there is none. \param why  said where there is none
    void setTokenizer(const QString &path, const QString &why);
    /// A text to begin with; one that a person wrote stays.
    void suggest(const QString &text);
    /// Of what is shown.
    [[nodiscard]] const QVector<qint64> &ids() const { return m_tokens.ids; }
    [[nodiscard]] const QStringList &pieces() const { return m_tokens.pieces; }

protected:
    void changeEvent(QEvent *event) override;

private:
    struct Tokens {
        QVector<qint64> ids;
        QStringList pieces;                          ///< the text of each of the first ones
        QString problem, made;                       ///< made: what the tokenizer is made of
        std::int64_t bytes = 0;
    };
    /// Not to its end once it is told to stop.
    static Tokens encoded(const text::Tokenizer &tokenizer, const std::string &text, const std::stop_token &stop);
    void encode();
    void show(Tokens tokens);
    void draw();
    QString m_path, m_why;
    std::shared_ptr<std::shared_ptr<const text::Tokenizer>> m_tokenizer;     ///< of the thread of m_background alone
    Tokens m_tokens;
    bool m_isCut = false;                            ///< the text is longer than what is encoded
    QPlainTextEdit *m_text;
    QLabel *m_count, *m_made;
    QTextBrowser *m_shown;
    QPushButton *m_copy;
    Background m_background;                         ///< last: it joins first
};

}  // namespace stillroom::widgets
