// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFocusFrame>
#include <QObject>
#include <QPointer>

class QRegion;

namespace stillroom::widgets {

inline constexpr int focusRingWidth = 2;      ///< px

/// How far the ring lies outside of what it is around, in pixels.
[[nodiscard]] int focusRingMargin(const QWidget *widget);
/// The ring that fills a frame of this size.
[[nodiscard]] QRegion focusRing(const QRect &frame);

/// Puts one ring around whatever has the keyboard, in every window of the program, the same for all: nothing draws its own.
class FocusRing final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(FocusRing)

public:
    explicit FocusRing(QObject *parent);

private:
    void follow(QWidget *focus);
    QPointer<QFocusFrame> m_frame;      ///< lives in the window of what it is around, and may go with it
};

}  // namespace stillroom::widgets
