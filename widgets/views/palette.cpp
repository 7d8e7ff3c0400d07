// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/palette.h"

#include <QHash>
#include <QPainter>

namespace stillroom::widgets {
namespace {

struct Look {
    QRgb colour;
    Qt::BrushStyle hatch;
};

Look look(const QString &mixer)
{
    static const QHash<QString, Look> known = {
        {QStringLiteral("softmax"), {0xff0072b2, Qt::SolidPattern}},
        {QStringLiteral("gdn"), {0xff009e73, Qt::BDiagPattern}},
        {QStringLiteral("gla"), {0xffd55e00, Qt::FDiagPattern}},
    };
    return known.value(mixer, {0xffcc79a7, Qt::DiagCrossPattern});
}

QColor mixed(const QColor &a, const QColor &b, double share)
{
    const auto part = [&](int x, int y) { return static_cast<int>(x * share + y * (1.0 - share)); };
    return {part(a.red(), b.red()), part(a.green(), b.green()), part(a.blue(), b.blue())};
}

}  // namespace

QColor mixerColour(const QString &mixer)
{
    return QColor::fromRgba(look(mixer).colour);
}

Qt::BrushStyle mixerHatch(const QString &mixer)
{
    return look(mixer).hatch;
}

QBrush mixerBrush(const QString &mixer)
{
    return {mixerColour(mixer), mixerHatch(mixer)};
}

bool isDark(const QPalette &palette)
{
    return palette.color(QPalette::Window).lightness() < 128;
}

QColor unchosenColour(const QPalette &palette)
{
    return mixed(palette.color(QPalette::WindowText), palette.color(QPalette::Window), isDark(palette) ? 0.48 : 0.42);
}

QColor gridColour(const QPalette &palette)
{
    return mixed(palette.color(QPalette::WindowText), palette.color(QPalette::Base), 0.12);
}

QColor quietTextColour(const QPalette &palette)
{
    return mixed(palette.color(QPalette::WindowText), palette.color(QPalette::Window), 0.68);
}

QColor ringColour(const QPalette &palette)
{
    return palette.color(QPalette::Highlight);
}

QIcon pageIcon(const QString &page, const QPalette &palette)
{
    QIcon icon;
    for (const int size : {16, 24, 32, 48}) {
        QPixmap pixmap(size, size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(palette.color(QPalette::Text));
        const double unit = size / 16.0;
        if (page == QLatin1String("layers")) {
            const double heights[] = {5, 9, 13, 7};
            for (int i = 0; i < 4; ++i)
                painter.drawRect(QRectF((1.5 + 3.4 * i) * unit, (14.5 - heights[i]) * unit, 2.4 * unit, heights[i] * unit));
        } else {
            for (int i = 0; i < 4; ++i)
                painter.drawRoundedRect(QRectF(2 * unit, (1.5 + 3.4 * i) * unit, 12 * unit, 2.4 * unit), unit, unit);
        }
        icon.addPixmap(pixmap);
    }
    return icon;
}

}  // namespace stillroom::widgets
