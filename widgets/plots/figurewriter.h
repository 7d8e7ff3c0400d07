// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plots/plotview.h"
#include "report/figurespec.h"

#include <QByteArray>
#include <QImage>

#include <filesystem>
#include <memory>
#include <vector>

class QMimeData;

/// A plot as a file: the plot on paper draws itself on each kind of page, as it does on the preview's. Equal contents make equal bytes.
namespace stillroom::widgets {

/// A plot of the same contents that stands on paper. \throws Error(Usage) for a plot that shows nothing yet
[[nodiscard]] std::unique_ptr<PlotView> onPaper(const PlotView &plot, const report::FigureSpec &spec);

/// One page of exactly the paper's size, fonts embedded as TrueType. \param paper  of onPaper(), here as below
[[nodiscard]] QByteArray pdfOf(PlotView &paper, const report::Provenance &provenance);
/// Texts stay texts.
[[nodiscard]] QByteArray svgOf(PlotView &paper, const report::Provenance &provenance);
/// \param dpi  dots per inch; the file holds the physical size
[[nodiscard]] QImage imageOf(PlotView &paper, double dpi);
[[nodiscard]] QByteArray pngOf(PlotView &paper, int dpi, const report::Provenance &provenance);

/// All files of a figure. \param version  of the program. \returns what was written. \throws Error(Usage | Io)
std::vector<std::filesystem::path> writeFigure(const PlotView &plot, const report::FigureSpec &spec, const std::filesystem::path &folder, const std::string &version);
/// SVG, PNG, and its numbers as TSV and Markdown; null for a plot that shows nothing yet. The caller owns it.
[[nodiscard]] QMimeData *clipboardOf(const PlotView &plot);

}  // namespace stillroom::widgets
