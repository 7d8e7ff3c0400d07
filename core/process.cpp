// SPDX-License-Identifier: GPL-3.0-or-later
#include "process.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <unistd.h>

namespace stillroom {

namespace {

std::string firstLine(const std::string &path)
{
    std::ifstream stream(path);
    std::string line;
    std::getline(stream, line);
    return line;
}

std::string hostName()
{
    std::array<char, 256> name{};
    return gethostname(name.data(), name.size() - 1) == 0 ? std::string(name.data()) : std::string("unknown");
}

/// Field 22 of /proc/PID/stat; 0 when there is no such process. The second field, the program's name, may hold blanks and parentheses.
std::int64_t startTicksOf(std::int64_t pid)
{
    const std::string stat = firstLine("/proc/" + std::to_string(pid) + "/stat");
    const std::size_t nameEnd = stat.rfind(')');
    if (nameEnd == std::string::npos)
        return 0;
    std::istringstream fields(stat.substr(nameEnd + 1));
    std::string skipped;
    for (int field = 3; field < 22; ++field)
        fields >> skipped;
    std::int64_t ticks = 0;
    fields >> ticks;
    return ticks;
}

bool isZombie(std::int64_t pid)
{
    const std::string stat = firstLine("/proc/" + std::to_string(pid) + "/stat");
    const std::size_t nameEnd = stat.rfind(')');
    return nameEnd != std::string::npos && stat.size() > nameEnd + 2 && stat[nameEnd + 2] == 'Z';
}

}  // namespace

ProcessIdentity thisProcess()
{
    const auto pid = static_cast<std::int64_t>(getpid());
    return {.host = hostName(), .boot = firstLine("/proc/sys/kernel/random/boot_id"), .pid = pid, .startTicks = startTicksOf(pid)};
}

Liveness livenessOf(const ProcessIdentity &process)
{
    if (process.host != hostName())
        return Liveness::Elsewhere;
    if (process.boot != firstLine("/proc/sys/kernel/random/boot_id") || process.pid <= 0)
        return Liveness::Gone;
    const bool exists = kill(static_cast<pid_t>(process.pid), 0) == 0 || errno == EPERM;
    if (!exists || isZombie(process.pid))
        return Liveness::Gone;
    return startTicksOf(process.pid) == process.startTicks ? Liveness::Alive : Liveness::Gone;
}

nlohmann::json toJson(const ProcessIdentity &process)
{
    return {{"host", process.host}, {"boot", process.boot}, {"pid", process.pid}, {"start_ticks", process.startTicks}};
}

ProcessIdentity processFromJson(const nlohmann::json &json)
{
    ProcessIdentity process;
    const auto text = [&](const char *name, std::string &member) {
        if (json.is_object() && json.contains(name) && json.at(name).is_string())
            member = json.at(name).get<std::string>();
    };
    const auto integer = [&](const char *name, std::int64_t &member) {
        if (json.is_object() && json.contains(name) && json.at(name).is_number_integer())
            member = json.at(name).get<std::int64_t>();
    };
    text("host", process.host);
    text("boot", process.boot);
    integer("pid", process.pid);
    integer("start_ticks", process.startTicks);
    return process;
}

}  // namespace stillroom
