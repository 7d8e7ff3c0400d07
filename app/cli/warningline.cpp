// SPDX-License-Identifier: GPL-3.0-or-later
#include "warningline.h"

#include "shownname.h"

#include <iostream>

namespace stillroom::cli {

void sayWarning(const std::string &text)
{
    if (!text.empty())
        std::cerr << "warning: " << shownLine(text) << '\n';
}

}  // namespace stillroom::cli
