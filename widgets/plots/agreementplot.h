// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/agreementcurve.h"
#include "models/hybridchoice.h"
#include "plots/plotview.h"

#include <string>
#include <vector>

class QCPGraph;
class QCPItemStraightLine;

namespace stillroom::widgets {

/// Jaccard index of two choices against K, with what chance gives and its 95 % band; filled points are beyond chance. A click or the arrow keys choose K.
class AgreementPlot final : public PlotView {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(AgreementPlot)

public:
    explicit AgreementPlot(HybridChoice &hybrid, QWidget *parent = nullptr);
    /// \param names  of the two choices, as `compare --teacher` lists them
    void setCurve(std::vector<analysis::AgreementPoint> curve, std::vector<std::string> names = {});
    void clear() { setCurve({}); }
    [[nodiscard]] std::unique_ptr<PlotView> copy() const override;
    [[nodiscard]] report::Figure figure() const override;
    [[nodiscard]] report::FigureSpec spec() const override;

protected:
    void applyPalette() override;
    void refresh() override;
    void keyPressEvent(QKeyEvent *event) override;
    [[nodiscard]] QSize sizeHint() const override;

private:
    void markKeep();
    [[nodiscard]] bool isOneChoice() const;        ///< compared with itself
    [[nodiscard]] QString pointText(int keep) const;
    HybridChoice &m_hybrid;
    std::vector<analysis::AgreementPoint> m_curve;
    std::vector<std::string> m_names;
    QCPGraph *m_low, *m_band, *m_chance, *m_line, *m_beyond, *m_within;
    QCPItemStraightLine *m_keepLine;
};

}  // namespace stillroom::widgets
