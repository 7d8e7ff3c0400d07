// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/session.h"

#include <QWidget>

class QGridLayout;
class QLabel;
class QPushButton;
class QTabWidget;
class QVBoxLayout;

namespace stillroom::widgets {

class Continuations;
class TokenizerTryout;

/// What the open model is and what can be done with it; opening another one by button, key, or dropping a folder or GGUF file.
class TeacherPage final : public QWidget {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(TeacherPage)

public:
    explicit TeacherPage(Session &session, QWidget *parent = nullptr);

Q_SIGNALS:
    void openFolderRequested();
    void openFileRequested();
    void scoreRequested();

private:
    void refresh();
    void refreshButtons();
    QLayout *makeButtons();
    void rebuildFacts();
    QGridLayout *section(const QString &title);
    [[nodiscard]] static QString partName(const QString &part);
    void addShape();
    void addParts();
    void addLayers();
    void addMixers();
    void addExports();
    Session &m_session;
    QLabel *m_title, *m_subtitle;
    QWidget *m_facts = nullptr;          ///< made anew for each teacher
    QVBoxLayout *m_factsColumn = nullptr;
    QTabWidget *m_tabs;
    TokenizerTryout *m_tokenizer;
    Continuations *m_continuations;
    QPushButton *m_score;
};

}  // namespace stillroom::widgets
