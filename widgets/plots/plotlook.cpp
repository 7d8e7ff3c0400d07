// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/plotlook.h"

#include "views/palette.h"

#include <qcustomplot.h>

namespace stillroom::widgets {

void applyPlotLook(QCustomPlot &plot, const QWidget &widget)
{
    const QPalette palette = widget.palette();
    const QColor text = palette.color(QPalette::WindowText), quiet = quietTextColour(palette);
    plot.setBackground(QBrush(palette.color(QPalette::Window)));
    plot.axisRect()->setBackground(QBrush(palette.color(QPalette::Window)));
    for (QCPAxis *axis : {plot.xAxis, plot.yAxis}) {
        axis->setBasePen(QPen(quiet, 1));
        axis->setTickPen(QPen(quiet, 1));
        axis->setSubTicks(false);
        axis->setTickLabelColor(text);
        axis->setLabelColor(text);
        axis->setTickLabelFont(widget.font());
        axis->setLabelFont(widget.font());
        axis->ticker()->setTickCount(5);
        axis->grid()->setPen(QPen(gridColour(palette), 1));
        axis->grid()->setZeroLinePen(QPen(quiet, 1));
    }
    plot.xAxis->grid()->setVisible(false);
    plot.legend->setBrush(Qt::NoBrush);
    plot.legend->setBorderPen(Qt::NoPen);
    plot.legend->setTextColor(text);
    plot.legend->setFont(widget.font());
}

}  // namespace stillroom::widgets
