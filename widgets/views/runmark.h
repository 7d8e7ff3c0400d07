// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>
#include <QPalette>

namespace stillroom::widgets {

/// A short line as a run's curve is drawn, in its colour and dash: beside its name where there is no legend. \param look  see runColour
[[nodiscard]] QIcon runMark(int look, const QPalette &palette);

}  // namespace stillroom::widgets
