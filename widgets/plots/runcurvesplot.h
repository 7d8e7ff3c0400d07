// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/comparison.h"
#include "plots/drawncurve.h"
#include "plots/linkedaxis.h"
#include "plots/plotview.h"

#include <QTimer>
#include <QVariantMap>

#include <cstddef>
#include <optional>
#include <string>
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
/// Curves of more than `fewPoints` points are made ready in the background, whatever was changed; what was shown stays until then, and of several changes the last one
/// counts. One that only grows is made ready again when the last time is done, and not more often than every `growthMs`. Figures, and copies on paper, are of what is asked for at once.
class RunCurvesPlot final : public PlotView {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(RunCurvesPlot)
    Q_PROPERTY(bool logarithmic READ isLogarithmic WRITE setLogarithmic)
    Q_PROPERTY(bool logarithmicX READ isLogarithmicX WRITE setLogarithmicX)
    Q_PROPERTY(double smoothing READ smoothing WRITE setSmoothing)
    Q_PROPERTY(QVariantMap zoom READ zoom WRITE setZoom)

public:
    using Against = CurveAgainst;
    static constexpr std::size_t fewPoints = 10'000;
    static constexpr int growthMs = 1000;
    explicit RunCurvesPlot(Comparison &comparison, QWidget *parent = nullptr);
    [[nodiscard]] std::unique_ptr<PlotView> copy() const override;
    [[nodiscard]] report::Figure figure() const override;
    [[nodiscard]] report::FigureSpec spec() const override;
    [[nodiscard]] bool hasFigure() const override;
    /// \param series  empty: none
    void setSeries(const QString &series);
    [[nodiscard]] const QString &series() const { return m_series; }
    /// Whether what is asked for is not shown yet.
    [[nodiscard]] bool isBehind() const;
    void setAgainst(Against against);
    [[nodiscard]] Against against() const { return m_against; }
    /// Whose names stand above it: of its own curves; of those and the ones of the plot beside it, which then has none; nobody's.
    enum class Legend { Own, Both, None };
    /// \param beside  the other plot's curve, of Both
    void setLegend(Legend legend, const QString &beside = {});
    /// What is in sight and where one looks are from now on those of the axis.
    void link(LinkedAxis &axis);
    /// Of each experiment, in the curves that are shown; empty while those are of another series, axis or comparison than what is asked for.
    /// \param x  where; none: its last value
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
    /// Values of the curves that are shown which a logarithmic axis cannot show.
    [[nodiscard]] int numDropped() const;
    /// Their points that a logarithmic x axis cannot show, whatever their values.
    [[nodiscard]] int numBeforeAxis() const;

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
        QPen linePen, rawPen;
        QCPGraph *raw = nullptr, *line = nullptr;
    };
    [[nodiscard]] CurvesAsked asked() const;
    [[nodiscard]] bool mayWait(const CurvesAsked &wanted) const;
    void order(const CurvesAsked &wanted);
    void take(const CurvesAsked &wanted, DrawnCurves drawn);
    void present(const CurvesAsked &wanted, DrawnCurves drawn);
    void refreshIfSeen();
    void makeGraphs();
    void labelAxes();
    void sayWhatIsMissing();
    [[nodiscard]] bool hasPoints() const;     ///< the curves that are shown
    [[nodiscard]] bool hasOtherAxes() const;  ///< what is shown, than what is asked for
    [[nodiscard]] const ComparedExperiment *experimentOf(std::size_t curve) const;
    [[nodiscard]] bool isNamed(const ComparedExperiment &one, const DrawnCurve *curve) const;
    [[nodiscard]] CurveReading reading(const DrawnCurve *curve, const std::optional<double> &x) const;
    void fitAgain();
    void followRange();
    void shareRange();
    void showPlace();
    void placeCrosshair();
    void lookNear(double x);                  ///< at the point of a curve that is nearest
    void step(int pixels);                    ///< to the next point in this direction
    [[nodiscard]] std::optional<double> nearest(double x) const;
    void fitAxes();
    void draw();                              ///< as many points as pixels can show
    void smoothMore(int by);
    bool useWantedZoom();
    void describe();

    Comparison &m_comparison;
    QString m_series;
    Against m_against = Against::Tokens;
    Legend m_legend = Legend::Own;            ///< a copy goes on paper alone: it has its own
    QString m_besideSeries;
    double m_smoothing = 0.0;
    bool m_logarithmic = false, m_logarithmicX = false, m_fits = true, m_isPresenting = false;
    CurvesAsked m_shown;                      ///< what m_drawn was made of
    DrawnCurves m_drawn;
    std::vector<Curve> m_curves;              ///< of each of them
    std::optional<CurvesAsked> m_awaited;     ///< what is made ready in the background
    QTimer m_resting;                         ///< runs while a curve that grows is not made ready again
    const std::string m_errand;
    LinkedAxis *m_axis = nullptr;
    QCPItemLine *m_crosshair;
    QVariantMap m_wantedZoom;
};

/// "distill/held_out_kl" in words.
[[nodiscard]] QString seriesName(const QString &series);

}  // namespace stillroom::widgets
