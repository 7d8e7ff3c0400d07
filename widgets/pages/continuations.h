// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/session.h"

#include <QList>
#include <QWidget>

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

class QCheckBox;
class QDoubleSpinBox;
class QListWidget;
class QPlainTextEdit;
class QPushButton;
class QSpinBox;
class QSplitter;

namespace stillroom::widgets {

class MessageLine;

/// What the demo teacher can go on with: nobody guesses its words.
inline const QString demoPrompt = QStringLiteral("k07 v31 k21 v05 k40 v11 k02 v60 k33 v45 k12 v18 k55 v02 k60 v09 f01 f02 k21");

/// One prompt, continued by the teacher and by its hybrids, or by those that setAuthors names, side by side. It is a job like any other: the texts stay in the workspace.
class Continuations final : public QWidget {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(Continuations)

public:
    explicit Continuations(Session &session, QWidget *parent = nullptr);
    /// A prompt to begin with; one that a person wrote stays.
    void suggest(const QString &prompt);
    struct Author {
        QString name, model;                         ///< model: as specs name it; empty: it cannot write
        QString obstacle;                            ///< why it cannot
        friend bool operator==(const Author &a, const Author &b) = default;
    };
    /// From now on these write, each the likeliest token at every place, in place of those that a person chooses. What one of them has written stays, in whatever order and under whatever name, and it
    /// goes on with what it still writes.
    void setAuthors(std::vector<Author> authors);
    /// What the button runs: a pipeline of one `generate` a writer. \throws never
    [[nodiscard]] nlohmann::json spec() const;

private:
    struct Writer {
        QString name, model;                         ///< model: as specs name it; empty: it cannot write
        QPlainTextEdit *text = nullptr;
        QWidget *place = nullptr;                    ///< where its text stands under its name
        std::string task = {};                       ///< whose text it is; empty: it was not asked yet
    };
    QLayout *makeSettings();
    void listWriters();
    void refreshButton();
    void write();
    void cancel();
    void showWriters(const std::vector<Author> &authors);
    void showAnew(const std::vector<Author> &authors);
    [[nodiscard]] Writer takeWriter(const Author &author);
    [[nodiscard]] Writer makeWriter(const Author &author);
    static void rename(Writer &writer, const QString &name);
    void stopped(const QString &why);
    [[nodiscard]] std::string taskName(std::size_t writer) const;
    /// The job that writes, or waits for it; null where there is none. Until the queue changes.
    [[nodiscard]] const QueuedJob *ownJob() const;
    void take(const std::vector<experiment::Event> &events);
    void end(const experiment::Event &last);
    [[nodiscard]] Writer *writerOf(const std::string &task);
    [[nodiscard]] std::vector<Writer> chosen() const;
    Session &m_session;
    QPlainTextEdit *m_prompt;
    QListWidget *m_list;
    QSpinBox *m_tokens, *m_seed;
    QDoubleSpinBox *m_temperature;
    QCheckBox *m_chat;
    QPushButton *m_write, *m_cancel;
    QList<QWidget *> m_choices;                      ///< only where a person chooses
    std::optional<std::vector<Author>> m_authors;
    MessageLine *m_problem;
    QSplitter *m_texts;
    std::vector<Writer> m_writers;                   ///< whose texts are shown
    bool m_listing = false, m_chosenByHand = false;
    std::string m_run;                               ///< that writes them, once it has begun
    int m_asked = 0;                                 ///< tells one's own tasks from those of earlier prompts
};

}  // namespace stillroom::widgets
