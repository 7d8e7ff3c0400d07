// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <optional>

/// Links into the window: stillroom://run/<uuid>, stillroom://teacher/<absolute path, key of a model, or demo>, stillroom://layer/<number>.
namespace stillroom::widgets {

struct DeepLink {
    enum class Kind { Run, Teacher, Layer };
    Kind kind = Kind::Run;
    QString target;              ///< UUID of the run; path or key of the teacher, or "demo"
    int layer = -1;
};

inline constexpr int longestLink = 4096;      ///< characters; longer ones are none

[[nodiscard]] bool looksLikeLink(const QString &text);           ///< it begins like one, whether or not it is a good one
/// None where it is no link of these three: another kind, a target missing or not of its kind, a relative path, too long.
[[nodiscard]] std::optional<DeepLink> parseLink(const QString &text);
/// What names the teacher also from another working folder: "demo" and the key of a model that a workspace made as they are, else the absolute path.
[[nodiscard]] QString wholeTeacher(const QString &argument);
[[nodiscard]] bool isTeacherPath(const QString &argument);       ///< neither "demo" nor a key
[[nodiscard]] QString runLink(const QString &uuid);
[[nodiscard]] QString layerLink(int layer);
[[nodiscard]] QString teacherLink(const QString &argument);      ///< \param argument  see wholeTeacher

}  // namespace stillroom::widgets
