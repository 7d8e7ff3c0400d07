// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/curveplot.h"

#include "plots/plotlook.h"
#include "report/resultfigures.h"
#include "views/keyaction.h"
#include "views/labels.h"
#include "views/palette.h"

#include <QLocale>

#include <qcustomplot.h>

#include <algorithm>
#include <utility>

namespace stillroom::widgets {

CurvePlot::CurvePlot(Session &session, const Series &training, const Series &heldOut, const QString &valueTitle, QWidget *parent)
    : PlotView(parent), m_session(session), m_training(training), m_heldOut(heldOut), m_trainingGraph(plot().addGraph()), m_heldOutGraph(plot().addGraph())
{
    setAccessibleName(valueTitle);
    setToolTip(tr("L: logarithmic axis"));
    m_trainingGraph->setName(training.name);
    m_heldOutGraph->setName(heldOut.name);
    for (QCPGraph *graph : {m_trainingGraph, m_heldOutGraph})
        graph->setAdaptiveSampling(true);   // spikes stay: at least minimum and maximum of each pixel column
    plot().xAxis->setLabel(tr("training tokens"));
    plot().xAxis->setTicker(countTicker());
    plot().yAxis->setLabel(valueTitle);
    plot().yAxis->setTicker(evenTicker());
    putLegendAbove(plot());
    connect(&session, &Session::curveChanged, this, [this](const QString &key) {
        m_anew = m_anew || key.isEmpty();
        if (key.isEmpty() || key == m_training.key || key == m_heldOut.key)
            invalidate();
    });
    connect(&session, &Session::teacherChanged, this, [this] {
        m_anew = true;
        invalidate();
    });
    connect(&session, &Session::probeChanged, this, &CurvePlot::restyle);
    connect(&session, &Session::jobKindChanged, this, &CurvePlot::invalidate);
    addKeyAction(*this, tr("Logarithmic axis"), Qt::Key_L, [this] { setLogarithmic(!m_logarithmic); });
    restyle();
    refresh();
}

std::unique_ptr<CurvePlot> CurvePlot::ofDistillation(Session &session, QWidget *parent)
{
    return std::make_unique<CurvePlot>(session, Series{QStringLiteral("distill/kl"), tr("training")}, Series{QStringLiteral("distill/held_out_kl"), tr("held out")}, tr("KL (nats/token)"), parent);
}

std::unique_ptr<PlotView> CurvePlot::copy() const
{
    auto made = std::make_unique<CurvePlot>(m_session, m_training, m_heldOut, accessibleName());
    made->setLogarithmic(m_logarithmic);
    return made;
}

report::Figure CurvePlot::figure() const
{
    const auto shown = [this](const QString &key, const char *name) {
        report::CurveShown curve{name, {}};
        for (const CurvePoint &point : m_session.curve(key))
            curve.points.emplace_back(point.tokens, point.value);
        return curve;
    };
    report::Provenance provenance{.title = "Distillation of a hybrid", .version = {}, .runs = {}, .keys = {}, .seeds = {}, .settings = {{"layers", experiment::layersText(m_session.curveLayers())}, {"mixer", m_session.probe().toStdString()}}, .date = {}};
    if (const auto measured = m_session.measured(m_session.curveLayers()))
        provenance.runs.push_back(measured->run.toStdString());
    return report::curveFigure(shown(m_training.key, "training"), shown(m_heldOut.key, "held out"), "KL", "nats/token", m_session.probe().toStdString(), m_logarithmic, std::move(provenance));
}

report::FigureSpec CurvePlot::spec() const
{
    report::FigureSpec spec;
    spec.plot = "curve";
    spec.mixer = m_session.probe().toStdString();
    spec.layers = m_session.curveLayers();
    spec.logarithmic = m_logarithmic;
    return spec;
}

QSize CurvePlot::sizeHint() const
{
    return {letterWidth(fontMetrics()) * 60, fontMetrics().height() * 10};
}

void CurvePlot::refresh()
{
    if (std::exchange(m_anew, false)) {
        m_drawnTraining.clear(*m_trainingGraph);
        m_drawnHeldOut.clear(*m_heldOutGraph);
    }
    const auto follow = [this](GrownCurve &drawn, QCPGraph &graph, const QString &key) {
        const QVector<CurvePoint> &curve = m_session.curve(key);
        drawn.follow(graph, curve.size(), [&curve](qsizetype at) { return std::pair(curve[at].tokens, curve[at].value); });
    };
    follow(m_drawnTraining, *m_trainingGraph, m_training.key);
    follow(m_drawnHeldOut, *m_heldOutGraph, m_heldOut.key);
    const bool any = !m_trainingGraph->data()->isEmpty() || !m_heldOutGraph->data()->isEmpty();
    if (any)
        setEmptyText({});
    else if (!m_session.teacher().isValid())
        setEmptyText(tr("The loss of a distillation appears here."));
    else
        setEmptyText(m_session.jobKind() == QLatin1String("distill") ? tr("The loss appears here as soon as stage 2 begins.")
                                                                     : tr("No hybrid with these layers has been distilled yet.\nPress “Distil this hybrid”: its loss appears here, live."));
    plot().legend->setVisible(any);
    fitAxes();
    describe();
    drawInTurn();
}

void CurvePlot::fitAxes()
{
    const CurveExtent extent = m_drawnTraining.extent().with(m_drawnHeldOut.extent());
    const auto &[low, lowPositive, high, right] = extent;
    plot().xAxis->setRange(0.0, right > 0.0 ? right * 1.02 : 1.0);
    if (high < low)
        plot().yAxis->setRange(0.0, 1.0);
    else if (m_logarithmic && lowPositive < 1e300)
        plot().yAxis->setRange(lowPositive * 0.8, std::max(high, lowPositive) * 1.25);
    else
        plot().yAxis->setRange(std::min(0.0, low), high > 0.0 ? high * 1.06 : 1.0);
}

void CurvePlot::describe()
{
    const QVector<CurvePoint> &heldOut = m_session.curve(m_heldOut.key), &training = m_session.curve(m_training.key);
    const QLocale locale;
    if (!heldOut.isEmpty())
        setAccessibleDescription(tr("last held-out value %1").arg(locale.toString(heldOut.last().value, 'g', 4)));
    else
        setAccessibleDescription(training.isEmpty() ? tr("no data yet") : tr("last value %1").arg(locale.toString(training.last().value, 'g', 4)));
}

void CurvePlot::setLogarithmic(bool on)
{
    m_logarithmic = on;
    plot().yAxis->setScaleType(on ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    plot().yAxis->setTicker(on ? logTicker() : evenTicker());
    refresh();
}

void CurvePlot::applyPalette()
{
    m_trainingGraph->setPen(pen(unchosenColour(palette()), 1.2));
    const QColor colour = mixerColour(m_session.probe());
    m_heldOutGraph->setPen(pen(colour, paper() ? 1.0 : 2.0));
    m_heldOutGraph->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, colour, 7));
}

}  // namespace stillroom::widgets
