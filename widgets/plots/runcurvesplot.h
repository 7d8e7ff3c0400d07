// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/decimate.h"
#include "models/comparison.h"
#include "plots/linkedaxis.h"
#include "plots/plotview.h"

#include <QVariantMap>

#include <optional>
#include <vector>

class QCPGraph;
class QCPItemLine;

namespace stillroom::widgets {

/// What a curve has at one place.
struct CurveReading {
    enum class State { There, Missing, NotYet, Over };
    State state = State::Missing;
    double x = 0.0;                           ///< of the point that is meant: the nearest one, the first or the last
    std::optional<double> value;              ///< as it is drawn; none unless it is there and can be shown
};

/// One curve of every compared experiment, each in its own colour and dash. L and Shift+L: logarithmic values, and x (what is not above 0 is counted and said); [ and ]:
/// smoothing of the whole curve before anything is left out, the measured one stays behind it; R: everything in sight again; drag and wheel: move and zoom; the
/// pointer, or Left and Right: the crosshair of all plots that share an axis, Escape: without it.
class RunCurvesPlot final : public PlotView {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(RunCurvesPlot)
    Q_PROPERTY(bool logarithmic READ isLogarithmic WRITE setLogarithmic)
    Q_PROPERTY(bool logarithmicX READ isLogarithmicX WRITE setLogarithmicX)
    Q_PROPERTY(double smoothing READ smoothing WRITE setSmoothing)
    Q_PROPERTY(QVariantMap zoom READ zoom WRITE setZoom)

public:
    /// Compute time: less the pauses of a run that was resumed, see analysis::pausesOf.
    enum class Against { Tokens, Steps, WallTime, ComputeTime };
    explicit RunCurvesPlot(Comparison &comparison, QWidget *parent = nullptr);
    [[nodiscard]] std::unique_ptr<PlotView> copy() const override;
    [[nodiscard]] report::Figure figure() const override;
    [[nodiscard]] report::FigureSpec spec() const override;
    [[nodiscard]] bool hasFigure() const override;
    /// \param series  empty: none
    void setSeries(const QString &series);
    [[nodiscard]] const QString &series() const { return m_series; }
    void setAgainst(Against against);
    [[nodiscard]] Against against() const { return m_against; }
    /// Whose names stand above it: of its own curves; of those and the ones of the plot beside it, which then has none; nobody's.
    enum class Legend { Own, Both, None };
    /// \param beside  the other plot's curve, of Both
    void setLegend(Legend legend, const QString &beside = {});
    /// What is in sight and where one looks are from now on those of the axis.
    void link(LinkedAxis &axis);
    /// Of each experiment. \param x  where; none: its last value
    [[nodiscard]] std::vector<CurveReading> readings(const std::optional<double> &x) const;
    /// \param weight  of what was before, from 0 (none) to below 1
    void setSmoothing(double weight);
    [[nodiscard]] double smoothing() const { return m_smoothing; }
    [[nodiscard]] bool isLogarithmic() const { return m_logarithmic; }
    void setLogarithmic(bool on);
    [[nodiscard]] bool isLogarithmicX() const { return m_logarithmicX; }
    void setLogarithmicX(bool on);
    /// What is in sight of which curve; empty where that is everything. Holds once there is such a curve.
    [[nodiscard]] QVariantMap zoom() const;
    void setZoom(const QVariantMap &zoom) { m_wantedZoom = zoom; }
    /// Values that a logarithmic axis cannot show.
    [[nodiscard]] int numDropped() const { return m_numDropped; }
    /// Points that a logarithmic x axis cannot show, whatever their values.
    [[nodiscard]] int numBeforeAxis() const { return m_numBeforeAxis; }

Q_SIGNALS:
    void drawn();                             ///< what the page says of it may have changed

protected:
    void applyPalette() override;
    void refresh() override;
    bool event(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    [[nodiscard]] QSize sizeHint() const override;

private:
    struct Curve {
        std::vector<double> x, y, smooth;     ///< the whole of it that the x axis can show
        std::size_t numBefore = 0;            ///< points in front of it
        analysis::LongCurve shownLine, shownRaw;
        QPen linePen, rawPen;
        QCPGraph *raw = nullptr, *line = nullptr;
    };
    void readCurves();
    [[nodiscard]] bool isNamed(const ComparedExperiment &one, const Curve &curve) const;
    [[nodiscard]] Curve readCurve(const ComparedExperiment &one);
    [[nodiscard]] double place(const store::MetricPoint &point, const store::MetricPoint &first, const ComparedExperiment &one) const;
    [[nodiscard]] analysis::LongCurve drawnCurve(const std::vector<double> &x, const std::vector<double> &y) const;
    [[nodiscard]] bool isTime() const { return m_against == Against::WallTime || m_against == Against::ComputeTime; }
    void fitAgain();
    void followRange();
    void showPlace();
    void lookNear(double x);                  ///< at the point of a curve that is nearest
    void step(int pixels);                    ///< to the next point in this direction
    [[nodiscard]] std::optional<double> nearest(double x) const;
    void fitAxes();
    void draw();                              ///< as many points as pixels can show
    void smoothMore(int by);
    void useWantedZoom();
    void describe();

    Comparison &m_comparison;
    QString m_series;
    Against m_against = Against::Tokens;
    Legend m_legend = Legend::Own;            ///< a copy goes on paper alone: it has its own
    QString m_besideSeries;
    std::vector<Curve> m_curves;
    double m_smoothing = 0.0;
    bool m_logarithmic = false, m_logarithmicX = false, m_fits = true;
    int m_numDropped = 0, m_numBeforeAxis = 0;
    LinkedAxis *m_axis = nullptr;
    QCPItemLine *m_crosshair;
    QVariantMap m_wantedZoom;
};

/// "distill/held_out_kl" in words.
[[nodiscard]] QString seriesName(const QString &series);

}  // namespace stillroom::widgets
