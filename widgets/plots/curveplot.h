// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/session.h"
#include "plots/growncurve.h"
#include "plots/plotview.h"

#include <QString>

#include <vector>

class QCPGraph;

namespace stillroom::widgets {

/// A training curve and the held-out one over tokens: of the job that runs, live, else of the measured hybrid. L toggles a logarithmic axis.
class CurvePlot final : public PlotView {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(CurvePlot)
    Q_PROPERTY(bool logarithmic READ isLogarithmic WRITE setLogarithmic)

public:
    struct Series {
        QString key, name;
    };
    CurvePlot(Session &session, const Series &training, const Series &heldOut, const QString &valueTitle, QWidget *parent = nullptr);

    /// KL to the teacher while a hybrid is distilled.
    [[nodiscard]] static std::unique_ptr<CurvePlot> ofDistillation(Session &session, QWidget *parent = nullptr);
    [[nodiscard]] std::unique_ptr<PlotView> copy() const override;
    [[nodiscard]] report::Figure figure() const override;
    [[nodiscard]] report::FigureSpec spec() const override;
    [[nodiscard]] bool isLogarithmic() const { return m_logarithmic; }
    void setLogarithmic(bool on);

protected:
    void applyPalette() override;
    void refresh() override;
    [[nodiscard]] QSize sizeHint() const override;

private:
    void fitAxes();
    void describe();
    Session &m_session;
    Series m_training, m_heldOut;
    QCPGraph *m_trainingGraph, *m_heldOutGraph;
    GrownCurve m_drawnTraining, m_drawnHeldOut;
    bool m_anew = true;                       ///< another curve, not a longer one
    bool m_logarithmic = false;
};

}  // namespace stillroom::widgets
