// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QFont>
#include <QString>

#include <qcustomplot.h>

#include <vector>

namespace stillroom::widgets {

/// Names of lines beside the right edge of the axes, each in its line's colour and led to where the line ends; as many as there is room for.
class EndLabels final : public QCPAbstractItem {
public:
    explicit EndLabels(QCustomPlot *plot);
    struct Label {
        QString text;
        QColor colour;
        double x = 0.0, y = 0.0;        ///< where the line ends
        bool strong = false;            ///< bold
    };
    /// Leaves room for them at the right of the axes, below the title of the second axis.
    void setLabels(std::vector<Label> labels, const QFont &font, double stroke);
    [[nodiscard]] const std::vector<Label> &labels() const { return m_labels; }

    double selectTest(const QPointF &, bool, QVariant *) const override { return -1.0; }

protected:
    void draw(QCPPainter *painter) override;

private:
    std::vector<Label> m_labels;
    QFont m_font;
    double m_stroke = 1.0;
};

}  // namespace stillroom::widgets
