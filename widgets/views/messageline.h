// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;
class QToolButton;

namespace stillroom::widgets {

/// A sentence in the page that it concerns, with the next step as a button where there is one. Hidden until something is shown.
class MessageLine final : public QWidget {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(MessageLine)

public:
    enum class Kind { Notice, Problem };
    explicit MessageLine(Kind kind, QWidget *parent = nullptr);
    void showText(const QString &text);
    void setNextStep(const QString &label);         ///< empty: no button
    QPushButton *addStep(const QString &label);     ///< one more button, before the last one
    void setDismissLabel(const QString &label);     ///< what it means to leave things as they are; empty: there is no such button
    [[nodiscard]] QString text() const;

Q_SIGNALS:
    void nextStepRequested();
    void dismissed();                               ///< by a person

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    Kind m_kind;
    QLabel *m_text;
    QPushButton *m_nextStep;
    QToolButton *m_dismiss;
};

}  // namespace stillroom::widgets
