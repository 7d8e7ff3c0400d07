// SPDX-License-Identifier: GPL-3.0-or-later
#include "formatted.h"

#include <array>
#include <cstdarg>
#include <cstdio>

namespace stillroom::cli {

std::string formatted(const char *format, ...)
{
    std::array<char, 512> text{};
    va_list values;
    va_start(values, format);
    std::vsnprintf(text.data(), text.size(), format, values);
    va_end(values);
    return text.data();
}

}  // namespace stillroom::cli
