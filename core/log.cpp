// SPDX-License-Identifier: GPL-3.0-or-later
#include "log.h"

#include "shownname.h"

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

namespace stillroom::log {
namespace {

spdlog::level::level_enum spdLevel(Level level)
{
    switch (level) {
    case Level::Debug: return spdlog::level::debug;
    case Level::Info: return spdlog::level::info;
    case Level::Warning: return spdlog::level::warn;
    case Level::Error: return spdlog::level::err;
    }
    return spdlog::level::info;
}

spdlog::logger &logger()
{
    static const std::shared_ptr<spdlog::logger> instance = [] {
        auto made = spdlog::stderr_color_mt("stillroom");
        made->set_pattern("%H:%M:%S %^%l%$: %v");
        made->set_level(spdlog::level::warn);
        return made;
    }();
    return *instance;
}

}  // namespace

void write(Level level, std::string_view message)
{
    const std::string shown = shownText(message);      // paths and names of files stand in it
    logger().log(spdLevel(level), spdlog::string_view_t(shown.data(), shown.size()));
}

void setLevel(Level level)
{
    logger().set_level(spdLevel(level));
}

}  // namespace stillroom::log
