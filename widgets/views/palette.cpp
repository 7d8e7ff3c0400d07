// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/palette.h"

#include "report/colours.h"
#include "report/runlooks.h"

#include <QHash>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <functional>

namespace stillroom::widgets {
namespace {

/// Under what may have the keyboard.
constexpr QPalette::ColorRole focusGrounds[] = {QPalette::Window, QPalette::Base, QPalette::Button};

QColor mixed(const QColor &a, const QColor &b, double share)
{
    const auto part = [&](int x, int y) { return static_cast<int>(x * share + y * (1.0 - share)); };
    return {part(a.red(), b.red()), part(a.green(), b.green()), part(a.blue(), b.blue())};
}

}  // namespace

QColor mixerColour(const QString &mixer)
{
    return QColor(QLatin1Char('#') + QString::fromStdString(report::mixerColour(mixer.toStdString())));
}

Qt::BrushStyle mixerHatch(const QString &mixer)
{
    static const QHash<QString, Qt::BrushStyle> known = {{QStringLiteral("softmax"), Qt::SolidPattern}, {QStringLiteral("gdn"), Qt::BDiagPattern}, {QStringLiteral("gla"), Qt::FDiagPattern}};
    return known.value(mixer, Qt::DiagCrossPattern);
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
    return mixed(palette.color(QPalette::WindowText), palette.color(QPalette::Window), isDark(palette) ? 0.48 : 0.46);
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
    return palette.color(QPalette::Text);
}

QColor focusColour(const QPalette &palette)
{
    constexpr double least = 5.0;      // WCAG asks for 3, and headers of tables are lighter than all of these
    const QColor wanted = palette.color(QPalette::Active, QPalette::Highlight), text = palette.color(QPalette::Active, QPalette::WindowText);
    const auto standsOut = [&](const QColor &colour) {
        return std::all_of(std::begin(focusGrounds), std::end(focusGrounds), [&](QPalette::ColorRole ground) { return contrast(colour, palette.color(QPalette::Active, ground)) >= least; });
    };
    double share = 1.0;
    while (share > 0.0 && !standsOut(mixed(wanted, text, share)))
        share -= 0.1;
    return mixed(wanted, text, share);
}

QColor problemColour()
{
    return QColor::fromRgb(0xffd55e00);
}

QColor sequentialColour(double share)
{
    return QColor::fromRgb(report::sequentialRgb(share));
}

QColor differenceColour(double share)
{
    return mixed(QColor::fromRgb(share < 0.0 ? report::negativeRgb : report::positiveRgb), Qt::white, std::clamp(std::abs(share), 0.0, 1.0));
}

QColor inkOn(const QColor &ground)
{
    return contrast(Qt::white, ground) >= contrast(Qt::black, ground) ? Qt::white : Qt::black;
}

QColor pairColour(PairPart part)
{
    switch (part) {
    case PairPart::OnlyA: return QColor::fromRgb(0xffe69f00);
    case PairPart::OnlyB: return QColor::fromRgb(0xffcc79a7);
    case PairPart::Both: break;
    }
    return mixerColour(QStringLiteral("softmax"));
}

Qt::BrushStyle pairHatch(PairPart part)
{
    switch (part) {
    case PairPart::OnlyA: return Qt::BDiagPattern;
    case PairPart::OnlyB: return Qt::FDiagPattern;
    case PairPart::Both: break;
    }
    return Qt::SolidPattern;
}

QColor runColour(int look, const QPalette &palette)
{
    constexpr QRgb onLight[report::numRunColours] = {0xff0072b2, 0xffd55e00, 0xff009e73, 0xffcc79a7, 0xffb27a00, 0xff2a7fa8};
    constexpr QRgb onDark[report::numRunColours] = {0xff56b4e9, 0xffe69f00, 0xff1fbf92, 0xffcc79a7, 0xffd55e00, 0xfff0e442};
    const auto at = static_cast<std::size_t>(look) % std::size(onLight);
    return QColor::fromRgb(isDark(palette) ? onDark[at] : onLight[at]);
}

Qt::PenStyle runDash(int look)
{
    constexpr Qt::PenStyle dashes[report::numRunPatterns] = {Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine, Qt::DashDotDotLine};
    return dashes[static_cast<std::size_t>(look) % std::size(dashes)];      // five dashes and six colours: thirty looks
}

Qt::BrushStyle runHatch(int look)
{
    constexpr Qt::BrushStyle hatches[report::numRunPatterns] = {Qt::SolidPattern, Qt::BDiagPattern, Qt::FDiagPattern, Qt::DiagCrossPattern, Qt::HorPattern};
    return hatches[static_cast<std::size_t>(look) % std::size(hatches)];
}

QColor over(const QColor &colour, const QColor &ground, double share)
{
    const auto part = [share](int a, int b) { return static_cast<int>(std::lround(a * share + b * (1.0 - share))); };
    return {part(colour.red(), ground.red()), part(colour.green(), ground.green()), part(colour.blue(), ground.blue())};
}

double contrast(const QColor &a, const QColor &b)
{
    const auto luminance = [](const QColor &colour) {
        const auto linear = [](double part) { return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4); };
        return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
    };
    const double one = luminance(a) + 0.05, other = luminance(b) + 0.05;
    return std::max(one, other) / std::min(one, other);
}

namespace {

void paintPageIcon(QPainter &painter, const QString &page, double unit)
{
    if (page == QLatin1String("layers")) {
        const double heights[] = {5, 9, 13, 7};
        for (int i = 0; i < 4; ++i)
            painter.drawRect(QRectF((1.5 + 3.4 * i) * unit, (14.5 - heights[i]) * unit, 2.4 * unit, heights[i] * unit));
    } else if (page == QLatin1String("overlap")) {
        const QPen pen(painter.brush(), 1.6 * unit);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(pen);
        painter.drawEllipse(QRectF(1.5 * unit, 3.5 * unit, 9 * unit, 9 * unit));
        painter.drawEllipse(QRectF(5.5 * unit, 3.5 * unit, 9 * unit, 9 * unit));
    } else if (page == QLatin1String("compare")) {
        painter.setPen(QPen(painter.brush(), 1.6 * unit));
        painter.setBrush(Qt::NoBrush);
        painter.drawPolyline(QPolygonF({{1.5 * unit, 3 * unit}, {5 * unit, 8 * unit}, {9 * unit, 10.5 * unit}, {14.5 * unit, 11.5 * unit}}));
        painter.drawPolyline(QPolygonF({{1.5 * unit, 6 * unit}, {5 * unit, 11 * unit}, {9 * unit, 13 * unit}, {14.5 * unit, 14 * unit}}));
    } else if (page == QLatin1String("runs")) {
        painter.drawRect(QRectF(1.5 * unit, 2 * unit, 13 * unit, 2.6 * unit));
        for (int row = 0; row < 3; ++row)
            for (int column = 0; column < 3; ++column)
                painter.drawRect(QRectF((1.5 + 4.5 * column) * unit, (6 + 3.1 * row) * unit, 4 * unit, 1.7 * unit));
    } else if (page == QLatin1String("calibration")) {
        const double weights[] = {1.0, 0.35, 0.6, 0.35, 0.8, 0.35, 0.6, 0.35, 1.0};
        for (int i = 0; i < 9; ++i) {
            painter.setOpacity(weights[i]);
            painter.drawRect(QRectF((1.6 + 4.5 * (i % 3)) * unit, (1.6 + 4.5 * (i / 3)) * unit, 3.8 * unit, 3.8 * unit));
        }
    } else {
        for (int i = 0; i < 4; ++i)
            painter.drawRoundedRect(QRectF(2 * unit, (1.5 + 3.4 * i) * unit, 12 * unit, 2.4 * unit), unit, unit);
    }
}

/// The body, and above it the shackle.
void paintLock(QPainter &painter, double unit)
{
    painter.drawRoundedRect(QRectF(3 * unit, 7 * unit, 10 * unit, 7.5 * unit), unit, unit);
    painter.setPen(QPen(painter.brush(), 1.8 * unit));
    painter.setBrush(Qt::NoBrush);
    QPainterPath shackle(QPointF(5 * unit, 7 * unit));
    shackle.lineTo(5 * unit, 5 * unit);
    shackle.arcTo(QRectF(5 * unit, 2 * unit, 6 * unit, 6 * unit), 180, -180);
    shackle.lineTo(11 * unit, 7 * unit);
    painter.drawPath(shackle);
}

/// \param paint  draws on a grid of 16 units, with the brush of the text
QIcon paintedIcon(const QPalette &palette, const std::function<void(QPainter &, double unit)> &paint)
{
    QIcon icon;
    for (const auto &[mode, role] : {std::pair{QIcon::Normal, QPalette::WindowText}, std::pair{QIcon::Selected, QPalette::HighlightedText}})
        for (const int size : {16, 24, 32, 48}) {
            QPixmap pixmap(size, size);
            pixmap.fill(Qt::transparent);
            QPainter painter(&pixmap);
            painter.setRenderHint(QPainter::Antialiasing);
            painter.setPen(Qt::NoPen);
            painter.setBrush(palette.color(role));
            paint(painter, size / 16.0);
            painter.end();
            icon.addPixmap(pixmap, mode);
        }
    return icon;
}

}  // namespace

QIcon pageIcon(const QString &page, const QPalette &palette)
{
    return paintedIcon(palette, [&page](QPainter &painter, double unit) { paintPageIcon(painter, page, unit); });
}

QIcon lockIcon(const QPalette &palette)
{
    return paintedIcon(palette, paintLock);
}

}  // namespace stillroom::widgets
