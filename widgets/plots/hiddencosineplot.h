// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/calibrationbook.h"
#include "plots/plotview.h"

namespace stillroom::widgets {

/// How far the student with all its layers in place turns away from its teacher, block after block: what the errors of single layers add up to, which the alignment of one layer on the
/// teacher's own states does not show. One line for each moment of the calibration.
class HiddenCosinePlot final : public PlotView {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(HiddenCosinePlot)

public:
    explicit HiddenCosinePlot(CalibrationBook &book, QWidget *parent = nullptr);
    [[nodiscard]] std::unique_ptr<PlotView> copy() const override;
    [[nodiscard]] report::Figure figure() const override;
    [[nodiscard]] report::FigureSpec spec() const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] int numCurves() const;

protected:
    void applyPalette() override;
    void refresh() override;

private:
    [[nodiscard]] std::vector<ComposedCurve> curves() const;
    CalibrationBook &m_book;
};

}  // namespace stillroom::widgets
