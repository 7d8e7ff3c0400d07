// SPDX-License-Identifier: GPL-3.0-or-later
#include "demotable.h"

#include "folders.h"
#include "formatted.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <ostream>
#include <sstream>
#include <string_view>

namespace stillroom::cli {
namespace fs = std::filesystem;

namespace {

constexpr std::size_t shownUuid = 8;

void printAlone(const nlohmann::json &scores, std::ostream &out)
{
    const std::int64_t numSequences = scores.empty() ? 0 : scores.front().value("n", std::int64_t{0});
    out << "\nKL of the student that keeps one layer (first seed, nats/token, ± its standard error over " << counted(numSequences, "held-out sequence") << ")\n";
    for (const nlohmann::json &score : scores)
        out << formatted("  layer %d  %.4f ± ", score.at("layer").get<int>(), score.at("kl_nats").get<double>()) << numberText(score.at("se_nats")) << '\n';
}

void printFinals(const nlohmann::json &seeds, std::ostream &out)
{
    out << formatted("\n%-14s  %4s  %-8s  %7s  %7s  %15s\n", "chosen by", "seed", "layers", "recall", "filler", "KL (nats/token)");
    for (std::size_t i = 0; i < seeds.front().at("finals").size(); ++i)
        for (const nlohmann::json &seed : seeds) {
            const nlohmann::json &final = seed.at("finals")[i], &measures = final.at("measures");
            out << formatted("%-14s  %4d  %-8s  %7.3f  %7.3f  %15.4f\n", final.at("name").get<std::string>().c_str(), seed.at("seed").get<int>(), final.at("selected").dump().c_str(),
                             measures.at("recall").get<double>(), measures.at("filler_accuracy").get<double>(), measures.at("kl_nats").get<double>());
        }
}

void printComparisons(const nlohmann::json &total, std::ostream &out)
{
    out << "\nrecall of GA-S2 minus …  (mean over " << total.at("seeds").size() << " seeds, 95 % t-interval)\n";
    for (const nlohmann::json &one : total.at("comparisons"))
        out << formatted("%-14s  %+.3f  [%+.3f, %+.3f]\n", one.at("set").get<std::string>().c_str(), one.at("recall_difference").get<double>(), one.at("interval_95")[0].get<double>(), one.at("interval_95")[1].get<double>());
}

bool isPlain(char letter)
{
    constexpr std::string_view others = "/._-+,:@%";
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9') || others.find(letter) != std::string_view::npos;
}

/// As a shell takes it for one word.
std::string shellWord(const std::string &text)
{
    if (!text.empty() && std::all_of(text.begin(), text.end(), isPlain))
        return text;
    std::string word = "'";
    for (const char letter : text)
        word += letter == '\'' ? "'\\''" : std::string(1, letter);
    return word + '\'';
}

bool isOnPath(const std::string &name)
{
    const char *path = std::getenv("PATH");
    std::istringstream folders(path ? path : "");
    for (std::string folder; std::getline(folders, folder, ':');)
        if (isFileThere(fs::path(folder) / name))
            return true;
    return false;
}

/// The window's program, to be invoked as this one was; empty where it is not there.
std::string windowBeside(const std::string &program)
{
    const fs::path window = fs::path(program).replace_filename("stillroom");
    const bool isInstalled = window.has_parent_path() ? isFileThere(window) : isOnPath(window.string());
    return isInstalled ? window.string() : std::string();
}

void printNext(const nlohmann::json &total, const std::string &program, const std::string &workspace, std::ostream &out)
{
    const std::string run = total.at("seeds").front().at("run").get<std::string>().substr(0, shownUuid), keep = std::to_string(total.at("selected").size());
    const std::string command = "  " + shellWord(program), scores = shellWord(run + " > score"), there = workspace.empty() ? std::string() : " --workspace " + shellWord(workspace);
    out << "\nThe run" << (total.at("seeds").size() > 1 ? " of the first seed" : "") << " is " << run << ". To go on from it:\n"
        << command << " select " << scores << " -k " << keep << there << "      # the choice, how sure it is, and what it costs\n"
        << command << " advise " << scores << there << "      # KL against K: how many layers to keep\n"
        << command << " compare " << scores << " uniform-start random -k " << keep << there << "      # beside a grid and chance\n";
    if (const std::string window = windowBeside(program); !window.empty())
        out << "  " << shellWord(window) << (workspace.empty() ? std::string() : ' ' + shellWord(workspace)) << "      # the same in the window\n";
}

}  // namespace

void printDemo(const nlohmann::json &total, const std::string &program, const std::string &workspace, std::ostream &out)
{
    printAlone(total.at("scores"), out);
    printFinals(total.at("seeds"), out);
    if (total.at("seeds").size() > 1)
        printComparisons(total, out);
    printNext(total, program, workspace, out);
}

}  // namespace stillroom::cli
