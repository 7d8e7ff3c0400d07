// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/calibrationbook.h"
#include "plots/plotview.h"

class QCPBars;
class QCPGraph;

namespace stillroom::widgets {

/// The picked head by lag or by position, in bins of half octaves. Lags: the share of its attention in each bin, beside the shares of the student's exponential decay, target and
/// as calibrated. Positions: its entropy, beside that of uniform attention.
class HeadProfilePlot final : public PlotView {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(HeadProfilePlot)

public:
    enum class Kind { Lags, Entropy };
    HeadProfilePlot(CalibrationBook &book, Kind kind, QWidget *parent = nullptr);
    [[nodiscard]] std::unique_ptr<PlotView> copy() const override;
    [[nodiscard]] report::Figure figure() const override;
    [[nodiscard]] report::FigureSpec spec() const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;
    /// Bins that are shown.
    [[nodiscard]] int numBins() const;

protected:
    void applyPalette() override;
    void refresh() override;
    void laidOut() override { nameBins(); }

private:
    void showLags();
    void showEntropy();
    void fitBins(int count);
    void nameBins();
    CalibrationBook &m_book;
    Kind m_kind;
    QCPBars *m_bars;
    QCPGraph *m_line, *m_target;
    int m_axisBins = 0;                    ///< along the axis
};

/// Shares of an exponential decay's mass in the first `count` bins of lags, with this half-life in tokens. They sum to 1.
[[nodiscard]] std::vector<double> decayShares(double halfLifeTokens, int count);

}  // namespace stillroom::widgets
