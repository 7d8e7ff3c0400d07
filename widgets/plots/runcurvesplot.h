// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/decimate.h"
#include "models/comparison.h"
#include "plots/plotview.h"

#include <QVariantMap>

#include <vector>

class QCPGraph;

namespace stillroom::widgets {

/// One curve of every compared experiment, each in its own colour and dash. L: logarithmic values (what is not above 0 is counted and said); [ and ]: smoothing of
/// the whole curve before anything is left out, the measured one stays behind it; R: everything in sight again; drag and wheel: move and zoom.
class RunCurvesPlot final : public PlotView {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(RunCurvesPlot)
    Q_PROPERTY(bool logarithmic READ isLogarithmic WRITE setLogarithmic)
    Q_PROPERTY(double smoothing READ smoothing WRITE setSmoothing)
    Q_PROPERTY(QVariantMap zoom READ zoom WRITE setZoom)

public:
    enum class Against { Tokens, Steps, WallTime };
    explicit RunCurvesPlot(Comparison &comparison, QWidget *parent = nullptr);
    [[nodiscard]] std::unique_ptr<PlotView> copy() const override;
    [[nodiscard]] report::Figure figure() const override;
    [[nodiscard]] report::FigureSpec spec() const override;
    [[nodiscard]] bool hasFigure() const override;
    void setSeries(const QString &series);
    void setAgainst(Against against);
    /// \param weight  of what was before, from 0 (none) to below 1
    void setSmoothing(double weight);
    [[nodiscard]] double smoothing() const { return m_smoothing; }
    [[nodiscard]] bool isLogarithmic() const { return m_logarithmic; }
    void setLogarithmic(bool on);
    /// What is in sight of which curve; empty where that is everything. Holds once there is such a curve.
    [[nodiscard]] QVariantMap zoom() const;
    void setZoom(const QVariantMap &zoom) { m_wantedZoom = zoom; }
    /// Values that a logarithmic axis cannot show.
    [[nodiscard]] int numDropped() const { return m_numDropped; }

Q_SIGNALS:
    void drawn();                             ///< what the page says of it may have changed

protected:
    void applyPalette() override;
    void refresh() override;
    void resizeEvent(QResizeEvent *event) override;
    [[nodiscard]] QSize sizeHint() const override;

private:
    struct Curve {
        std::vector<double> x, y, smooth;     ///< the whole of it
        analysis::LongCurve shownLine, shownRaw;
        QPen linePen, rawPen;
        QCPGraph *raw = nullptr, *line = nullptr;
    };
    void readCurves();
    [[nodiscard]] double place(const store::MetricPoint &point, const store::MetricPoint &first) const;
    void fitAxes();
    void draw();                              ///< as many points as pixels can show
    void smoothMore(int by);
    void useWantedZoom();
    void describe();
    [[nodiscard]] QString valuesAt(double x) const;

    Comparison &m_comparison;
    QString m_series;
    Against m_against = Against::Tokens;
    std::vector<Curve> m_curves;
    double m_smoothing = 0.0;
    bool m_logarithmic = false, m_fits = true;
    int m_numDropped = 0;
    QVariantMap m_wantedZoom;
};

/// "distill/held_out_kl" in words.
[[nodiscard]] QString seriesName(const QString &series);

}  // namespace stillroom::widgets
