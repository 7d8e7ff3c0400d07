// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiment/spec.h"

#include <QString>

/// What the schema of specs says, in words for people; the names of single fields are views/names.h's.
namespace stillroom::widgets {

[[nodiscard]] QString kindName(const QString &kind);                          ///< "Score layers"
[[nodiscard]] QString schemaWords(const std::string &help);                   ///< a help text of a field or kind in the person's language
/// Help, range, default, and what the field is called in the file.
[[nodiscard]] QString fieldTip(const experiment::Field &field, const std::string &path, const QString &defaultText);
[[nodiscard]] QString unitName(const std::string &unit);                      ///< "tokens", "s"
[[nodiscard]] QString rangeWords(const experiment::Field &field);             ///< "1 to 1024"; empty where all numbers are allowed

}  // namespace stillroom::widgets
