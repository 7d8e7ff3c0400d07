// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/curveplot.h"

#include "plots/plotlook.h"
#include "views/palette.h"

#include <QKeyEvent>
#include <QLocale>
#include <QVBoxLayout>

#include <qcustomplot.h>

#include <algorithm>
#include <utility>

namespace stillroom::widgets {

CurvePlot::CurvePlot(Session &session, std::vector<Series> series, const QString &valueTitle, QWidget *parent)
    : QWidget(parent), m_session(session), m_series(std::move(series)), m_valueTitle(valueTitle), m_plot(new QCustomPlot(this))
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_plot);
    setFocusPolicy(Qt::StrongFocus);
    m_plot->setFocusPolicy(Qt::NoFocus);
    setAccessibleName(valueTitle);
    for (const Series &one : m_series) {
        m_graphs.push_back(m_plot->addGraph());
        m_graphs.back()->setName(one.name);
        m_graphs.back()->setAdaptiveSampling(true);   // spikes stay: at least minimum and maximum of each pixel column
    }
    m_empty = new QCPItemText(m_plot);
    m_empty->position->setType(QCPItemPosition::ptAxisRectRatio);
    m_empty->position->setCoords(0.5, 0.45);
    m_empty->setText(tr("The loss appears here while a hybrid is distilled."));
    m_plot->xAxis->setLabel(tr("tokens"));
    m_plot->yAxis->setLabel(valueTitle);
    connect(&session, &Session::curveChanged, this, [this](const QString &key) {
        if (key.isEmpty() || std::any_of(m_series.begin(), m_series.end(), [&](const Series &one) { return one.key == key; }))
            refresh();
    });
    connect(&session, &Session::teacherChanged, this, &CurvePlot::refresh);
    applyPalette();
    refresh();
}

QSize CurvePlot::sizeHint() const
{
    return {fontMetrics().averageCharWidth() * 60, fontMetrics().height() * 10};
}

void CurvePlot::refresh()
{
    double low = 1e300, high = -1e300, right = 0.0, atLeast = 1e300;
    bool any = false;
    for (std::size_t i = 0; i < m_series.size(); ++i) {
        const QVector<CurvePoint> &points = m_session.curve(m_series[i].key);
        QVector<double> keys, values;
        for (const CurvePoint &point : points) {
            keys.push_back(point.tokens);
            values.push_back(point.value);
            low = std::min(low, point.value);
            high = std::max(high, point.value);
            right = std::max(right, point.tokens);
            if (point.value > 0.0)
                atLeast = std::min(atLeast, point.value);
        }
        m_graphs[i]->setData(keys, values, true);
        any = any || !points.isEmpty();
    }
    m_empty->setVisible(!any);
    m_plot->legend->setVisible(any && m_series.size() > 1);
    m_plot->xAxis->setRange(0, std::max(1.0, right));
    if (!any)
        m_plot->yAxis->setRange(0, 1);
    else if (m_logarithmic && atLeast < 1e300)
        m_plot->yAxis->setRange(atLeast * 0.8, std::max(high, atLeast) * 1.25);
    else
        m_plot->yAxis->setRange(std::min(0.0, low), high > low ? high * 1.05 : low + 1.0);
    setAccessibleDescription(any ? tr("last value %1").arg(QLocale().toString(m_session.curve(m_series.front().key).isEmpty() ? 0.0 : m_session.curve(m_series.front().key).last().value, 'g', 4))
                                 : tr("no data yet"));
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void CurvePlot::setLogarithmic(bool on)
{
    m_logarithmic = on;
    m_plot->yAxis->setScaleType(on ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    m_plot->yAxis->setTicker(on ? QSharedPointer<QCPAxisTicker>(new QCPAxisTickerLog) : QSharedPointer<QCPAxisTicker>(new QCPAxisTicker));
    applyPalette();
    refresh();
}

void CurvePlot::applyPalette()
{
    applyPlotLook(*m_plot, *this);
    static constexpr QRgb colours[] = {0xff0072b2, 0xffd55e00};
    for (std::size_t i = 0; i < m_graphs.size(); ++i) {
        QPen pen(QColor::fromRgb(colours[i % 2]), 1.6);
        pen.setStyle(i == 0 ? Qt::SolidLine : Qt::DashLine);
        m_graphs[i]->setPen(pen);
        if (i > 0)
            m_graphs[i]->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, 6));
    }
    m_empty->setColor(quietTextColour(palette()));
    m_empty->setFont(font());
}

void CurvePlot::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        applyPalette();
        refresh();
    }
}

void CurvePlot::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_L)
        setLogarithmic(!m_logarithmic);
    else if (event->key() == Qt::Key_R)
        refresh();
    else
        QWidget::keyPressEvent(event);
}

}  // namespace stillroom::widgets
