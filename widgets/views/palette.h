// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QBrush>
#include <QColor>
#include <QIcon>
#include <QPalette>
#include <QString>

/// The one table of colours. Colour by meaning, the same on every page and in every export: softmax blue, GDN green, GLA vermilion, other mixers in a
/// fixed order of Okabe and Ito's list; each with a hatch of its own, so that nothing rests on colour alone.
namespace stillroom::widgets {

[[nodiscard]] QColor mixerColour(const QString &mixer);        ///< "softmax", "gdn", "gla", …
[[nodiscard]] Qt::BrushStyle mixerHatch(const QString &mixer); ///< solid for softmax
[[nodiscard]] QBrush mixerBrush(const QString &mixer);
/// For what is not chosen: grey that stands out from the background of a light or dark palette by at least 3:1.
[[nodiscard]] QColor unchosenColour(const QPalette &palette);
/// Barely visible lines.
[[nodiscard]] QColor gridColour(const QPalette &palette);
/// Text of less weight, still 4.5:1.
[[nodiscard]] QColor quietTextColour(const QPalette &palette);
[[nodiscard]] QColor ringColour(const QPalette &palette);      ///< around the selected layer: stands out from every mixer's colour
[[nodiscard]] QColor focusColour(const QPalette &palette);     ///< around what has the keyboard
[[nodiscard]] QColor problemColour();                          ///< of the bar beside an error
/// Viridis (van der Walt and Smith 2015), whose lightness rises evenly: the one map for shares from 0 to 1.
[[nodiscard]] QColor sequentialColour(double share);
/// White in the middle, blue below and vermilion above: for differences. \param share  -1 … 1
[[nodiscard]] QColor differenceColour(double share);
/// Black or white, whichever stands out from the colour.
[[nodiscard]] QColor inkOn(const QColor &ground);
/// Of a layer that two choices share, or that one of them keeps alone: colour and pattern.
enum class PairPart { Both, OnlyA, OnlyB };
[[nodiscard]] QColor pairColour(PairPart part);
[[nodiscard]] Qt::BrushStyle pairHatch(PairPart part);
/// Experiments side by side: colours of Okabe and Ito's list that stand out from the background, each with a dash. \param look  see report::runLooks
[[nodiscard]] QColor runColour(int look, const QPalette &palette);
[[nodiscard]] Qt::PenStyle runDash(int look);
[[nodiscard]] Qt::BrushStyle runHatch(int look);               ///< of its bar
/// What a translucent colour would look like; filling with one takes several times as long, and paper wants none.
[[nodiscard]] QColor over(const QColor &colour, const QColor &ground, double share);
/// Lightness ratio of two opaque colours after WCAG 2: 1 … 21. Text wants 4.5, graphics 3.
[[nodiscard]] double contrast(const QColor &a, const QColor &b);
[[nodiscard]] bool isDark(const QPalette &palette);
/// A page's small picture, drawn in the palette's text colour: "teacher" (a stack of layers), "layers" (bars), "overlap" (two circles), "calibration" (a heat map), "runs" (a table), "compare" (two curves).
[[nodiscard]] QIcon pageIcon(const QString &page, const QPalette &palette);
/// A closed padlock in the palette's text colour.
[[nodiscard]] QIcon lockIcon(const QPalette &palette);

}  // namespace stillroom::widgets
