// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/endlabels.h"

#include "report/ticks.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>
#include <utility>

namespace stillroom::widgets {
namespace {

constexpr double lineSpacing = 0.85;       // digits have no descenders
constexpr double leaderShare = 0.8;        // of the letters' height

}  // namespace

EndLabels::EndLabels(QCustomPlot *plot) : QCPAbstractItem(plot)
{
    setClipToAxisRect(false);
}

void EndLabels::setLabels(std::vector<Label> labels, const QFont &font, double stroke)
{
    m_labels = std::move(labels);
    m_font = font;
    m_stroke = stroke;
    QFont bold = font;
    bold.setBold(true);
    const QFontMetricsF metrics(bold);
    double widest = 0.0;
    for (const Label &label : m_labels)
        widest = std::max(widest, metrics.horizontalAdvance(label.text));
    parentPlot()->yAxis2->setLabelPadding(static_cast<int>(std::ceil(widest + (leaderShare + 0.3) * metrics.height())));
}

void EndLabels::draw(QCPPainter *painter)
{
    const QRect axes = mParentPlot->axisRect()->rect();
    const double height = QFontMetricsF(m_font).height(), leader = leaderShare * height;
    std::vector<double> wanted;
    for (const Label &label : m_labels)
        wanted.push_back(mParentPlot->yAxis->coordToPixel(label.y));
    const auto places = report::labelPlaces(wanted, lineSpacing * height, axes.top(), axes.bottom());
    for (std::size_t i = 0; i < m_labels.size(); ++i) {
        const Label &label = m_labels[i];
        if (!places[i])
            continue;
        QFont font = m_font;
        font.setBold(label.strong);
        painter->setFont(font);
        painter->setPen(QPen(label.colour, m_stroke));
        painter->drawLine(QLineF(mParentPlot->xAxis->coordToPixel(label.x) + 1.0, wanted[i], axes.right() + leader, *places[i]));
        painter->drawText(QRectF(axes.right() + leader + 0.15 * height, *places[i] - height, axes.width(), 2.0 * height), Qt::AlignLeft | Qt::AlignVCenter, label.text);
    }
}

}  // namespace stillroom::widgets
