// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/eventlines.h"

#include "error.h"
#include "store/layout.h"

#include <algorithm>
#include <fstream>
#include <string_view>
#include <system_error>

namespace stillroom::store {

namespace {

namespace fs = std::filesystem;

/// What the line says its type is, without reading it all: most lines are measured values that nobody asked for. The members stand in the order of their names,
/// and none behind "type" holds another object.
std::string_view typeOf(std::string_view line)
{
    constexpr std::string_view mark = R"("type":")";
    const std::size_t at = line.rfind(mark);
    if (at == std::string_view::npos)
        return {};
    const std::string_view rest = line.substr(at + mark.size());
    return rest.substr(0, rest.find('"'));
}

}  // namespace

void readEvents(const fs::path &workspace, const std::string &run, const std::vector<std::string> &types, const std::function<void(const experiment::Event &)> &take)
{
    std::ifstream stream(eventsFile(workspace, run), std::ios::binary);
    std::string line;
    while (std::getline(stream, line)) {
        if (std::find(types.begin(), types.end(), typeOf(line)) == types.end())
            continue;
        std::optional<experiment::Event> event;
        try {
            event = experiment::fromLine(line);
        } catch (const Error &) {
            continue;           // torn by a killed process
        }
        take(*event);
    }
}

std::optional<LastCheckpoint> lastCheckpoint(const fs::path &workspace, const std::string &run)
{
    std::vector<experiment::Event> saved;
    readEvents(workspace, run, {"checkpoint"}, [&](const experiment::Event &event) { saved.push_back(event); });
    for (auto event = saved.rbegin(); event != saved.rend(); ++event) {
        const auto &checkpoint = std::get<experiment::CheckpointSaved>(event->body);
        std::error_code error;
        if (fs::exists(workspace / checkpoint.path / "DONE", error))
            return LastCheckpoint{checkpoint.step, checkpoint.tokens, event->timeSeconds};
    }
    return std::nullopt;
}

}  // namespace stillroom::store
