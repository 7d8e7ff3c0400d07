// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace stillroom::cli {

/// One line on standard error; nothing where the text is empty.
void sayWarning(const std::string &text);

}  // namespace stillroom::cli
