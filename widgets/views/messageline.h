// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <QWidget>

class QLabel;
class QPushButton;
class QToolButton;

namespace stillroom::widgets {

/// A sentence in the page that it concerns, with the next step as a button where there is one. Hidden until something is shown, which screen readers read out. Its buttons are reached by Tab, Escape among them
/// dismisses it where it can be dismissed, and the keyboard goes back to where it came from.
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
    void keyPressEvent(QKeyEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void dismiss();
    Kind m_kind;
    QLabel *m_text;
    QPushButton *m_nextStep;
    QToolButton *m_dismiss;
    QPointer<QWidget> m_cameFrom;                   ///< had the keyboard before one of its buttons
};

}  // namespace stillroom::widgets
