// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/theme.h"

#include "views/palette.h"

#include <QApplication>
#include <QSettings>

#include <algorithm>

namespace stillroom::widgets {
namespace {

struct Shades {
    QRgb chrome, page, stripe, button, edge, text, faint, accent, link;
};

constexpr Shades light{0xfff2f3f5, 0xffffffff, 0xfff6f7f9, 0xfff8f9fa, 0xff8a9097, 0xff1d2126, 0xff8b929b, 0xff2b6cb0, 0xff1f5d9c};
constexpr Shades dark{0xff26292d, 0xff1b1d20, 0xff212428, 0xff34383d, 0xff757c84, 0xffe4e7ea, 0xff7b828a, 0xff3474b8, 0xff7fb6ee};

QPalette paletteOf(const Shades &shades)
{
    const QColor button = QColor::fromRgb(shades.button), text = QColor::fromRgb(shades.text), faint = QColor::fromRgb(shades.faint);
    QPalette palette(button, QColor::fromRgb(shades.chrome));   // bevel shades follow the button's colour
    for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::ToolTipText})
        palette.setColor(role, text);
    palette.setColor(QPalette::Base, QColor::fromRgb(shades.page));
    palette.setColor(QPalette::AlternateBase, QColor::fromRgb(shades.stripe));
    palette.setColor(QPalette::ToolTipBase, QColor::fromRgb(shades.chrome));
    palette.setColor(QPalette::PlaceholderText, quietTextColour(palette));      // defaults stand there: they are to be read, and nothing is disabled
    palette.setColor(QPalette::Highlight, QColor::fromRgb(shades.accent));
    palette.setColor(QPalette::HighlightedText, Qt::white);
    palette.setColor(QPalette::Link, QColor::fromRgb(shades.link));
    palette.setColor(QPalette::LinkVisited, QColor::fromRgb(shades.link));
    for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText})
        palette.setColor(QPalette::Disabled, role, faint);
    palette.setColor(QPalette::Disabled, QPalette::Highlight, QColor::fromRgb(shades.button));
    return palette;
}

constexpr const char *controls[] = {"QAbstractButton", "QComboBox", "QAbstractSpinBox", "QAbstractSlider", "QLineEdit", "QProgressBar"};

/// Qt's own style draws the edges of controls in the window's colour, darker by 1.4: on a dark page they would vanish, on a white one they are faint.
QPalette controlPalette(const QPalette &palette, QRgb edge)
{
    QPalette own = palette;
    const auto lighter = [](int part) { return std::min(255, part * 7 / 5); };
    own.setColor(QPalette::Window, QColor(lighter(qRed(edge)), lighter(qGreen(edge)), lighter(qBlue(edge))));
    return own;
}

const QString settingsKey = QStringLiteral("window/theme");

}  // namespace

QString themeName(Theme theme)
{
    switch (theme) {
    case Theme::Light: return QStringLiteral("light");
    case Theme::Dark: return QStringLiteral("dark");
    case Theme::System: break;
    }
    return QStringLiteral("system");
}

std::optional<Theme> themeNamed(const QString &name)
{
    for (const Theme theme : {Theme::System, Theme::Light, Theme::Dark})
        if (themeName(theme) == name)
            return theme;
    return {};
}

QPalette themePalette(Theme theme)
{
    if (theme == Theme::System)
        return {};
    return paletteOf(theme == Theme::Dark ? dark : light);
}

Theme rememberedTheme()
{
    return themeNamed(QSettings().value(settingsKey).toString()).value_or(Theme::System);
}

void applyTheme(Theme theme)
{
    const QPalette palette = themePalette(theme);
    QApplication::setPalette(palette);
    for (const char *control : controls)
        QApplication::setPalette(theme == Theme::System ? palette : controlPalette(palette, (theme == Theme::Dark ? dark : light).edge), control);
}

void rememberTheme(Theme theme)
{
    QSettings().setValue(settingsKey, themeName(theme));
}

}  // namespace stillroom::widgets
