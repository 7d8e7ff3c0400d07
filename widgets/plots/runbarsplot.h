// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/comparison.h"
#include "plots/plotview.h"

#include <vector>

class QCPBars;
class QCPErrorBars;

namespace stillroom::widgets {

/// One measure of the compared experiments: a bar for each in its colour and pattern, with its 95 % interval where its standard error is known.
class RunBarsPlot final : public PlotView {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(RunBarsPlot)

public:
    explicit RunBarsPlot(Comparison &comparison, QWidget *parent = nullptr);
    [[nodiscard]] std::unique_ptr<PlotView> copy() const override;
    [[nodiscard]] report::Figure figure() const override;
    [[nodiscard]] report::FigureSpec spec() const override;
    [[nodiscard]] bool hasFigure() const override;
    /// \param measure  as results name it: "kl_nats"
    void setMeasure(const QString &measure);
    [[nodiscard]] const QString &measure() const { return m_measure; }
    /// What is said of one experiment: its value, interval and difference to the baseline; empty for none.
    [[nodiscard]] QString barText(int place) const;

protected:
    void applyPalette() override;
    void refresh() override;
    void laidOut() override { nameBars(); }
    [[nodiscard]] QSize sizeHint() const override;

private:
    struct Bar {
        QCPBars *bar = nullptr;
        QCPErrorBars *reach = nullptr;
        int look = 0;
    };
    void addBars(const report::Chart &chart);
    void nameBars();
    void describe();
    [[nodiscard]] std::optional<double> valueOf(const ComparedExperiment &one) const;
    [[nodiscard]] std::optional<double> reachOf(const ComparedExperiment &one) const;

    Comparison &m_comparison;
    QString m_measure;
    std::vector<Bar> m_bars;                  ///< of those that were measured
    QStringList m_names;                      ///< as they stand below the bars
};

}  // namespace stillroom::widgets
