// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPalette>
#include <QString>

#include <optional>

/// Light, dark, or whatever the system says; the choice is remembered.
namespace stillroom::widgets {

enum class Theme { System, Light, Dark };
[[nodiscard]] QString themeName(Theme theme);                          ///< "system", "light", "dark": on the command line and in the settings
[[nodiscard]] std::optional<Theme> themeNamed(const QString &name);
[[nodiscard]] QPalette themePalette(Theme theme);                      ///< of Light and Dark; System: empty, which Qt takes as the system's own
[[nodiscard]] Theme rememberedTheme();
void applyTheme(Theme theme);                                          ///< to every open window, at once
void rememberTheme(Theme theme);

}  // namespace stillroom::widgets
