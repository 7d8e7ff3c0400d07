// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "report/pgfplots.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

/// figures.json: which figures a paper has, so that all of them can be made anew when runs change.
namespace stillroom::report {

/// One figure: what is shown of which teacher, how it looks, and which files it becomes. Names of the fields as in the file.
struct FigureSpec {
    std::string plot;                                  ///< one of plotNames()
    std::string teacher = "demo";                      ///< as specs name it
    std::string run;                                   ///< of the scoring or the distillation, as commands name runs (UUID, its beginning, name, "RUN > STAGE"); empty: the newest that fits
    std::string selector, mixer;                       ///< of the scoring; empty: what the run, or the newest one, has
    std::optional<int> keep;                           ///< K; none: a quarter of the layers
    std::vector<int> layers;                           ///< of "curve": what the hybrid keeps; empty: the ranking's first K
    std::vector<std::string> choices;                  ///< of "overlap" and "agreement": names as `compare --teacher` lists them; none: all. "agreement" wants two
    std::string overlay;                               ///< of "layer-scores": a second scoring beside the bars, by its name as `compare --teacher` lists it
    bool byRank = false, logarithmic = false;
    bool logarithmicX = false;                         ///< of "run-curves"
    std::string statistic, against;                    ///< of the plots of a calibration: ids of statistics; against: of a scatter plot, else a histogram
    std::string side = "after";                        ///< of a calibration: see sideNames()
    std::optional<int> layer, head;                    ///< of the plots of one head
    std::vector<std::string> runs;                     ///< of "run-curves" and "run-bars": UUID, or UUID/TASK for a pipeline's stage; the baseline first
    std::string series;                                ///< of "run-curves", as the store names it; of "run-bars" the measure, as results name it; of "alignment": "relative_mse" or "cosine"
    std::string over = "tokens";                       ///< of "run-curves": see overNames()
    double smoothing = 0.0;                            ///< of "run-curves": weight of what was before, below 1
    std::string venue = "icml", width = "column";      ///< see widthInches
    double ratio = usualRatio;
    std::string font;                                  ///< family; empty: the program's
    std::string theme = "grid";                        ///< "grid": barely visible lines; "axes": lines along the axes with ticks
    std::vector<std::string> formats{"pdf"};           ///< of formatNames()
    int dpi = 300;                                     ///< of PNG
    std::string file;                                  ///< stem of the files; empty: the plot's name
    std::string date;                                  ///< YYYY-MM-DD in the files' metadata; empty: none
    friend bool operator==(const FigureSpec &a, const FigureSpec &b) = default;
};

/// "layer-scores", "ranks", "kl-against-k", "curve", "overlap", "agreement", "run-curves", "run-bars"; of a calibration "head-map", "head-distribution", "head-lags", "head-entropy", "head-attention", "head-student", "alignment", "hidden-cosine"
[[nodiscard]] const std::vector<std::string> &plotNames();
[[nodiscard]] bool isOfCalibration(const std::string &plot);
[[nodiscard]] bool isOfRuns(const std::string &plot);             ///< of runs side by side
/// What the numbers of a calibration are of: the layer as the arm began, as it ended, after each of its phases, or by how much these differ: from beginning to end, or by one phase.
enum class Side { Before, After, Difference, AfterPhaseOne, AfterPhaseTwo, ByPhaseOne, ByPhaseTwo };
[[nodiscard]] const std::vector<std::string> &sideNames();       ///< "before", "after" (the arm's end), "difference" (end less before), and of one phase "after-phase-N", "difference-phase-N"; in the order of Side
[[nodiscard]] const std::string &sideId(Side side);               ///< its one of sideNames()
[[nodiscard]] const std::vector<std::string> &overNames();       ///< "tokens", "steps", "wall-time", "compute-time" (less the pauses of a run that was resumed)
[[nodiscard]] const std::vector<std::string> &formatNames();     ///< "pdf", "svg", "png", "tikz", "csv", "latex", "markdown"
[[nodiscard]] bool needsWindow(const std::string &format);       ///< drawn by the window's plots: pdf, svg and png
[[nodiscard]] const std::vector<std::string> &themeNames();

/// {"schema": 1, "figures": [{…}, …]}: strict; a field that is not known is named with the nearest one that is.
/// \param what  names the text in messages. \throws Error(BadFile) for what is not JSON, Error(Usage) for wrong content
[[nodiscard]] std::vector<FigureSpec> parseFigures(const std::string &text, const std::string &what);
[[nodiscard]] std::vector<FigureSpec> readFigures(const std::filesystem::path &file);
/// Makes each figure of a file in turn; one that is wrong, or that `make` throws at, does not stop the others. Cancelling does.
/// \param begin  once, before the first figure: what a file that is not one of figures must not leave behind
/// \throws Error for a file that is not one of figures or names none, and what `begin` throws; and, once the others are made, one that says what is wrong with each that is not,
/// "figures[3]: …". Its code is that of the first of these; an exception that is no Error counts as Failed.
void makeEach(const std::filesystem::path &file, const std::function<void(const FigureSpec &)> &make, const std::function<void()> &begin = {});
/// The same for the text of such a file. \param what  names the text in messages
void makeEachIn(const std::string &text, const std::string &what, const std::function<void(const FigureSpec &)> &make, const std::function<void()> &begin = {});
/// With the folders above it, where there is none. \throws Error(Io)
void makeFolder(const std::filesystem::path &folder);
[[nodiscard]] std::string figuresText(const std::vector<FigureSpec> &figures);
/// Into the file, in the place of the figure that makes the same files, else at the end; the file is made where there is none.
/// \throws as readFigures, and Error(Io)
void addFigure(const std::filesystem::path &file, const FigureSpec &figure);

[[nodiscard]] PageSize pageSize(const FigureSpec &figure);
[[nodiscard]] std::string stemOf(const FigureSpec &figure);
/// "the figure STEM cannot be made"
[[nodiscard]] std::string whatCannotBeMade(const FigureSpec &figure);
/// \throws Error(Usage) "the figure STEM cannot be made: …"
[[noreturn]] void cannotMake(const FigureSpec &figure, const std::string &what);
/// The names of all files that the figure becomes in these formats, the provenance's JSON last.
[[nodiscard]] std::vector<std::string> fileNames(const std::string &stem, const std::vector<std::string> &formats);
/// For a figure that would become the very file that it is read from. \throws Error(Usage) which names the file
void refuseOwnFile(const FigureSpec &figure, const std::filesystem::path &folder, const std::filesystem::path &readFrom);
/// Writes the files whose formats need no window, and the JSON. \returns their paths. \throws Error(Io)
std::vector<std::filesystem::path> writeTexts(const Figure &figure, const FigureSpec &spec, const std::filesystem::path &folder);
/// Beside its final name first, then renamed. \throws Error(Io) in a sentence that says what to do
void writeFile(const std::filesystem::path &file, const std::string &bytes);

}  // namespace stillroom::report
