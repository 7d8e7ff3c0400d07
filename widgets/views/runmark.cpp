// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/runmark.h"

#include "views/palette.h"

#include <QIconEngine>
#include <QPainter>

namespace stillroom::widgets {
namespace {

/// Drawn anew at every size: a picture would be blurred on a sharp screen.
class LineEngine final : public QIconEngine {
public:
    explicit LineEngine(const QPen &pen) : m_pen(pen) {}
    void paint(QPainter *painter, const QRect &rect, QIcon::Mode, QIcon::State) override
    {
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(m_pen);
        const double middle = rect.center().y() + 0.5;
        painter->drawLine(QPointF(rect.left(), middle), QPointF(rect.right() + 1.0, middle));
        painter->restore();
    }
    QPixmap pixmap(const QSize &size, QIcon::Mode mode, QIcon::State state) override
    {
        QPixmap picture(size);
        picture.fill(Qt::transparent);
        QPainter painter(&picture);
        paint(&painter, QRect(QPoint(), size), mode, state);
        return picture;
    }
    [[nodiscard]] QIconEngine *clone() const override { return new LineEngine(m_pen); }

private:
    QPen m_pen;
};

}  // namespace

QIcon runMark(int look, const QPalette &palette)
{
    QPen pen(runColour(look, palette), 2.5, runDash(look));
    pen.setCapStyle(Qt::FlatCap);
    return QIcon(new LineEngine(pen));
}

}  // namespace stillroom::widgets
