// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>

class QMessageBox;
class QWidget;

namespace stillroom {

namespace widgets {
class MessageLine;
class Session;
}

/// What becomes of a window that is closed while jobs are under way: it asks, then stops the job, waits for all of them, or stays.
class Closing final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(Closing)

public:
    /// \param window  is closed once nothing runs any more; also the parent
    Closing(widgets::Session &session, QWidget *window);
    /// Says that the window waits, with the way back; hidden until it does.
    [[nodiscard]] widgets::MessageLine *line() const { return m_line; }
    /// \return whether the window may go now. Otherwise a person is asked, unless the job is being stopped already.
    [[nodiscard]] bool mayClose();

private:
    enum class Intent { None, WhenDone, Stopping };
    void ask();
    void stop();
    void waitForAll();
    void stay();
    void closeIfDone();

    widgets::Session &m_session;
    QWidget *m_window;
    widgets::MessageLine *m_line;
    QPointer<QMessageBox> m_question;
    Intent m_intent = Intent::None;
};

}  // namespace stillroom
