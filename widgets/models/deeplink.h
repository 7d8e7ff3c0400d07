// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <optional>

/// Links into the window: stillroom://run/<uuid>, stillroom://teacher/<absolute path, or demo>, stillroom://layer/<number>.
namespace stillroom::widgets {

struct DeepLink {
    enum class Kind { Run, Teacher, Layer };
    Kind kind = Kind::Run;
    QString target;              ///< UUID of the run; path of the teacher, or "demo"
    int layer = -1;
};

inline constexpr int longestLink = 4096;      ///< characters; longer ones are none

[[nodiscard]] bool looksLikeLink(const QString &text);           ///< it begins like one, whether or not it is a good one
/// None where it is no link of these three: another kind, a target missing or not of its kind, a relative path, too long.
[[nodiscard]] std::optional<DeepLink> parseLink(const QString &text);
[[nodiscard]] QString runLink(const QString &uuid);
[[nodiscard]] QString layerLink(int layer);
[[nodiscard]] QString teacherLink(const QString &argument);      ///< \param argument  "demo", or an absolute path

}  // namespace stillroom::widgets
