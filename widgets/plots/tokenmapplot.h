// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plots/plotview.h"

#include <vector>

class QCPColorMap;
class QCPColorScale;

namespace stillroom::widgets {

/// A causal map over the tokens of a short sequence: row t says with what weight each token enters. Probabilities from 0 in one map of colours, signed weights around white.
class TokenMapPlot final : public PlotView {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(TokenMapPlot)

public:
    enum class Kind { Probabilities, Signed };
    TokenMapPlot(Kind kind, const QString &title, QWidget *parent = nullptr);
    void setTitle(const QString &title);
    /// \param rows  row t has the weights of 0 … t. \param whyEmpty  said where there are none
    void setMap(std::vector<std::vector<double>> rows, const QString &whyEmpty);
    [[nodiscard]] std::unique_ptr<PlotView> copy() const override;
    [[nodiscard]] report::Figure figure() const override;
    [[nodiscard]] report::FigureSpec spec() const override { return m_spec; }
    /// What makes it again, and where it is from.
    void setSource(report::FigureSpec spec, report::Provenance provenance);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] const std::vector<std::vector<double>> &rows() const { return m_rows; }
    [[nodiscard]] QSize axesSize() const;      ///< of the map itself, in pixels

protected:
    void applyPalette() override;
    void refresh() override;
    void laidOut() override { numberScale(); }

private:
    void numberScale();      ///< as many numbers as have room
    Kind m_kind;
    std::vector<std::vector<double>> m_rows;
    QString m_whyEmpty;
    report::FigureSpec m_spec;
    report::Provenance m_provenance;
    QCPColorMap *m_map;
    QCPColorScale *m_scale;
};

}  // namespace stillroom::widgets
