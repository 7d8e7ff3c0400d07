// SPDX-License-Identifier: GPL-3.0-or-later
#include "progressline.h"

#include "shownname.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <iostream>

namespace stillroom::cli {
namespace {

constexpr std::chrono::seconds plainInterval{5};
constexpr int barWidth = 24;

std::string bar(double share)
{
    const auto filled = static_cast<int>(std::clamp(share, 0.0, 1.0) * barWidth);
    std::string text = "[";
    for (int i = 0; i < barWidth; ++i)
        text += i < filled ? '#' : '.';
    return text + "]";
}

}  // namespace

std::string shortCount(double count)
{
    std::array<char, 32> text{};
    if (count >= 1e9)
        std::snprintf(text.data(), text.size(), "%.1f G", count / 1e9);
    else if (count >= 1e6)
        std::snprintf(text.data(), text.size(), "%.1f M", count / 1e6);
    else if (count >= 1e4)
        std::snprintf(text.data(), text.size(), "%.0f k", count / 1e3);
    else
        std::snprintf(text.data(), text.size(), "%.0f", count);
    return text.data();
}

std::string shortDuration(double seconds)
{
    const auto whole = static_cast<long long>(seconds + 0.5);
    if (whole < 60)
        return std::to_string(whole) + " s";
    if (whole < 3600)
        return std::to_string(whole / 60) + " min " + std::to_string(whole % 60) + " s";
    return std::to_string(whole / 3600) + " h " + std::to_string(whole % 3600 / 60) + " min";
}

ProgressLine::ProgressLine(bool quiet) : m_quiet(quiet), m_terminal(::isatty(STDERR_FILENO) != 0)
{
}

ProgressLine::~ProgressLine()
{
    if (m_barShown)
        std::cerr << '\n';
}

void ProgressLine::line(const std::string &text)
{
    if (m_barShown)
        std::cerr << "\r\033[K";
    m_barShown = false;
    std::cerr << shownText(text) << '\n';
}

void ProgressLine::showProgress(const std::string &task, const experiment::Progress &progress)
{
    const double share = progress.total > 0 ? static_cast<double>(progress.done) / static_cast<double>(progress.total) : 0.0;
    std::string text = shownLine(task + ": " + progress.phase) + " " + std::to_string(progress.done) + "/" + std::to_string(progress.total);
    if (progress.tokens > 0)
        text += " · " + shortCount(static_cast<double>(progress.tokens)) + " tokens";
    if (progress.etaSeconds && progress.done < progress.total)
        text += " · ≈ " + shortDuration(*progress.etaSeconds) + " left";
    if (m_terminal) {
        std::cerr << "\r\033[K" << bar(share) << ' ' << text << std::flush;
        m_barShown = true;
        return;
    }
    const auto now = std::chrono::steady_clock::now();
    const std::string phase = task + progress.phase;
    if (phase == m_phase && progress.done < progress.total && now - m_lastPlain < plainInterval)
        return;
    m_phase = phase;
    m_lastPlain = now;
    std::cerr << text << '\n';
}

void ProgressLine::show(const experiment::Event &event)
{
    if (m_quiet)
        return;
    if (const auto *progress = std::get_if<experiment::Progress>(&event.body))
        showProgress(event.task, *progress);
    else if (const auto *warning = std::get_if<experiment::Warning>(&event.body))
        line("warning: " + warning->message);
    else if (const auto *text = std::get_if<experiment::Text>(&event.body); text && text->name != "continuation")
        line(event.task + ": " + text->text);
    else if (const auto *failed = std::get_if<experiment::Failed>(&event.body))
        line("stillroom-cli: " + shownLine(failed->message));
    else if (const auto *cancelled = std::get_if<experiment::Cancelled>(&event.body))
        line("stillroom-cli: " + cancelled->message);
}

}  // namespace stillroom::cli
