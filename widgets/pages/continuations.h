// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/session.h"

#include <QWidget>

#include <nlohmann/json_fwd.hpp>
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

/// One prompt, continued by the teacher and by its hybrids, side by side. It is a job like any other: the texts stay in the workspace.
class Continuations final : public QWidget {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(Continuations)

public:
    explicit Continuations(Session &session, QWidget *parent = nullptr);
    /// A prompt to begin with; one that a person wrote stays.
    void suggest(const QString &prompt);
    /// What the button runs: a pipeline of one `generate` a writer. \throws never
    [[nodiscard]] nlohmann::json spec() const;

private:
    struct Writer {
        QString name, model;                         ///< model: as specs name it
        QPlainTextEdit *text = nullptr;
    };
    QLayout *makeSettings();
    void listWriters();
    void refreshButton();
    void write();
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
    QPushButton *m_write;
    MessageLine *m_problem;
    QSplitter *m_texts;
    std::vector<Writer> m_writers;                   ///< whose texts are shown
    bool m_listing = false, m_chosenByHand = false;
    std::string m_run;                               ///< that writes them, once it has begun
    int m_asked = 0;                                 ///< tells one's own tasks from those of earlier prompts
};

}  // namespace stillroom::widgets
