// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <QTimer>
#include <QWidget>

class QLabel;
class QPushButton;
class QToolButton;

namespace stillroom::widgets {

/// A sentence in the page that it concerns, with the next step as a button where there is one. Hidden until something is shown, which screen readers read out. Its buttons are reached by Tab, Escape among them
/// dismisses it where it can be dismissed, and the keyboard goes back to where it came from. What only informs may leave by itself, once there was time to read it.
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
    /// It leaves some seconds after it came, more for a longer text: those in which its window is in front and neither mouse nor keyboard is in it. Never while a screen reader is at work, which has a pace of its own.
    void setLeavesByItself(bool leaves);
    [[nodiscard]] QString text() const;
    static void setReadingTime(int ms, int msALetter);      ///< of those shown from now on: for tests

Q_SIGNALS:
    void nextStepRequested();
    void dismissed();                               ///< by a person

protected:
    void enterEvent(QEnterEvent *event) override;
    void hideEvent(QHideEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void dismiss();
    void leave();
    void runClock();
    [[nodiscard]] bool isBeingRead() const;
    Kind m_kind;
    QLabel *m_text;
    QPushButton *m_nextStep;
    QToolButton *m_dismiss;
    QTimer m_clock;
    bool m_leavesByItself = false;
    QPointer<QWidget> m_cameFrom;                   ///< had the keyboard before one of its buttons
};

}  // namespace stillroom::widgets
