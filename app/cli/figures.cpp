// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"
#include "experiment/jsontext.h"
#include "folders.h"
#include "report/figurespec.h"
#include "shownname.h"
#include "store/layout.h"
#include "storedfigure.h"
#include "textfile.h"

#include <algorithm>
#include <iostream>
#include <utility>

namespace stillroom::cli {
namespace fs = std::filesystem;

int figures(const FiguresCommand &command)
{
    const fs::path workspace = workspaceOr(command.workspace);
    requireWorkspace(workspace, "name the one that holds the runs with --workspace");
    store::refuseStored(command.out, workspace, "folder");
    bool drawn = false;
    const auto make = [&](const report::FigureSpec &spec) {
        report::refuseOwnFile(spec, command.out, command.spec);
        for (const fs::path &file : report::writeTexts(storedFigure(spec, workspace), spec, command.out))
            std::cout << shownLine(file.string()) << '\n';
        if (!std::exchange(drawn, drawn || std::any_of(spec.formats.begin(), spec.formats.end(), report::needsWindow)) && drawn)
            std::cerr << "PDF, SVG and PNG are drawn by the window: stillroom --figures makes them from the same file\n";
    };
    const auto begin = [&] { report::makeFolder(command.out); };
    if (isPipe(command.spec))
        report::makeEachIn(readText(command.spec, experiment::maximumSpecBytes), command.spec == "-" ? "Standard input" : "The pipe " + command.spec.string(), make, begin);
    else
        report::makeEach(command.spec, make, begin);
    return 0;
}

}  // namespace stillroom::cli
