// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <vector>

namespace stillroom::widgets {

class MessageLine;

/// Messages that come unasked, laid over the lower edge of what they stand on: nothing under it moves when one comes or goes. Not there while none of them is shown.
class MessageOverlay final : public QWidget {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(MessageOverlay)

public:
    /// \param ground  has a parent, whose child the overlay becomes
    explicit MessageOverlay(QWidget *ground);
    /// Under those that are there; the overlay takes it over.
    void add(MessageLine *line);

protected:
    bool event(QEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void place();
    QWidget *m_ground;
    std::vector<MessageLine *> m_lines;
};

}  // namespace stillroom::widgets
