// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/plotlook.h"

#include "plots/canvasline.h"
#include "report/ticks.h"
#include "views/palette.h"
#include "views/quantities.h"

#include <QTextLayout>

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace stillroom::widgets {
namespace {

constexpr int numTicks = 5;
constexpr double lightShade = 0.07, darkShade = 0.14;     // share of the text's colour
constexpr int roundingRoom = 2;                           // in a legend: letters are drawn to fractions of the pixels that their text is measured in
constexpr int topMargin = 3, rightMargin = 8;             // of axes and legend: nothing touches the edge of a page
/// The canvas would set the "e072" of a name as a power of ten.
const QString plainNumbers = QStringLiteral("g");

class EvenTicker final : public QCPAxisTicker {
public:
    /// \param steps  from tick to tick that have room along the axis. Returns whether the ticks are others than before.
    bool setRoom(double steps, const QCPRange &range)
    {
        const double before = getTickStep(range);
        m_room = steps;
        return getTickStep(range) != before;
    }

private:
    double getTickStep(const QCPRange &range) override
    {
        const int wanted = tickCount();
        double step = QCPAxisTicker::getTickStep(range);
        for (int fewer = wanted - 1; fewer > 0 && range.size() / step > m_room; --fewer) {
            setTickCount(fewer);
            step = QCPAxisTicker::getTickStep(range);
        }
        setTickCount(wanted);
        return step;
    }
    QVector<QString> createLabelVector(const QVector<double> &ticks, const QLocale &locale, QChar, int) override
    {
        const double step = ticks.size() > 1 ? std::abs(ticks[1] - ticks[0]) : 1.0;
        int decimals = 0;
        for (double unit = step; decimals < 9 && std::abs(unit - std::round(unit)) > 1e-6 * unit; unit *= 10.0)
            ++decimals;
        QVector<QString> labels;
        for (const double tick : ticks)
            labels << locale.toString(std::abs(tick) < 1e-9 * step ? 0.0 : tick, 'f', decimals);
        return labels;
    }
    double m_room = std::numeric_limits<double>::infinity();
};

/// Where report says that round numbers are.
class RoundTicker final : public QCPAxisTicker {
public:
    using Ticks = std::vector<double> (*)(double, double);
    explicit RoundTicker(Ticks ticks) : m_ticks(ticks) {}

private:
    QVector<double> createTickVector(double step, const QCPRange &range) override
    {
        const std::vector<double> round = m_ticks(range.lower, range.upper);
        return round.empty() ? QCPAxisTicker::createTickVector(step, range) : QVector<double>(round.begin(), round.end());
    }
    QVector<QString> createLabelVector(const QVector<double> &ticks, const QLocale &, QChar, int) override
    {
        QVector<QString> labels;
        for (const double tick : ticks)
            labels << roundText(tick);
        return labels;
    }
    Ticks m_ticks;
};

void wrapLegend(QCustomPlot &plot)
{
    QCPLegend &legend = *plot.legend;
    if (!legend.visible())
        return;
    std::vector<double> widths;
    for (int cell = 0; cell < legend.elementCount(); ++cell)      // the last row may have empty ones
        if (QCPLayoutElement *item = legend.elementAt(cell)) {
            item->setMargins({0, 0, roundingRoom, 0});
            widths.push_back(item->minimumOuterSizeHint().width());
        }
    const int room = plot.viewport().width() - legend.margins().left() - legend.margins().right(), columns = report::columnsThatFit(widths, legend.columnSpacing(), room);
    if (legend.wrap() == columns)
        return;
    legend.setWrap(columns);
    legend.setFillOrder(QCPLayoutGrid::foColumnsFirst);      // arranges them anew
}

class CountTicker final : public QCPAxisTicker {
    QVector<QString> createLabelVector(const QVector<double> &ticks, const QLocale &, QChar, int) override
    {
        const double step = ticks.size() > 1 ? std::abs(ticks[1] - ticks[0]) : 1.0, most = ticks.isEmpty() ? 0.0 : ticks.last();
        QVector<QString> labels;
        for (const double tick : ticks)
            labels << (tick < 0.0 ? QString() : countOfMany(tick, most, step));
        return labels;
    }
};

}  // namespace

void applyPlotLook(QCustomPlot &plot, const PlotLook &look)
{
    const QPalette &palette = look.palette;
    const QColor text = palette.color(QPalette::Text), quiet = quietTextColour(palette);
    const QPen line(quiet, look.stroke);
    plot.setBackground(QBrush(palette.color(QPalette::Base)));
    plot.axisRect()->setMinimumMargins({0, 4, rightMargin, 0});
    plot.axisRect()->setBackground(QBrush(palette.color(QPalette::Base)));
    for (QCPAxis *axis : {plot.xAxis, plot.yAxis, plot.yAxis2}) {
        axis->setNumberFormat(plainNumbers);
        axis->setBasePen(line);
        axis->setTickPen(line);
        axis->setSubTicks(false);
        axis->setTickLabelColor(text);
        axis->setLabelColor(quiet);
        axis->setTickLabelFont(look.small);
        axis->setLabelFont(look.base);
        axis->setLabelPadding(6);
        axis->ticker()->setTickCount(numTicks);
        axis->grid()->setPen(QPen(gridColour(palette), look.stroke));
        axis->grid()->setZeroLinePen(line);
    }
    plot.xAxis->grid()->setVisible(false);
    plot.yAxis->grid()->setVisible(!look.axesDrawn);
    if (!look.axesDrawn)
        for (QCPAxis *axis : {plot.yAxis, plot.yAxis2}) {      // the grid leads the eye; a line beside the numbers says nothing
            axis->setBasePen(Qt::NoPen);
            axis->setTickPen(Qt::NoPen);
        }
    plot.legend->setBrush(Qt::NoBrush);
    plot.legend->setBorderPen(Qt::NoPen);
    plot.legend->setTextColor(text);
    plot.legend->setFont(look.small);
}

void putLegendAbove(QCustomPlot &plot)
{
    auto *row = new QCPLayoutGrid;
    plot.plotLayout()->insertRow(0);
    plot.plotLayout()->addElement(0, 0, row);
    plot.plotLayout()->setRowStretchFactor(0, 0.001);
    plot.plotLayout()->setRowSpacing(0);
    row->addElement(0, 0, new QCPLayoutElement(&plot));
    row->addElement(0, 1, plot.legend);
    row->setColumnStretchFactor(1, 0.001);
    plot.legend->setFillOrder(QCPLayoutGrid::foColumnsFirst);
    plot.legend->setColumnSpacing(16);
    plot.legend->setMargins({0, topMargin, rightMargin, 0});
    QObject::connect(&plot, &QCustomPlot::beforeReplot, &plot, [&plot] { wrapLegend(plot); });
}

void fitNumbers(QCustomPlot &plot)
{
    bool others = false;
    for (const QCPAxis *axis : plot.axisRect()->axes()) {
        const auto ticker = qSharedPointerDynamicCast<EvenTicker>(axis->ticker());
        if (!ticker || !axis->visible())
            continue;
        const QFontMetricsF letters(axis->tickLabelFont());
        const bool upright = axis->orientation() == Qt::Vertical;
        const double largest = std::max(std::abs(axis->range().lower), std::abs(axis->range().upper));
        const double each = upright ? letters.height() : letters.horizontalAdvance(plot.locale().toString(largest, 'f', 0) + QLatin1Char('0'));
        others = ticker->setRoom((upright ? plot.axisRect()->height() : plot.axisRect()->width()) / each, axis->range()) || others;
    }
    if (others)
        CanvasLine::ofProgram().add(plot);      // this one is laid out already
}

void keepAxesSquare(QCustomPlot &plot)
{
    QObject::connect(&plot, &QCustomPlot::afterLayout, &plot, [&plot] {
        QCPLayoutGrid &layout = *plot.plotLayout();
        QCPAxisRect &axes = *plot.axisRect();
        int others = layout.rowSpacing() * (layout.rowCount() - 1);
        for (int row = 0; row < layout.rowCount(); ++row)
            if (const QCPLayoutElement *element = layout.hasElement(row, 0) ? layout.element(row, 0) : nullptr; element && element != &axes)
                others += element->outerRect().height();
        const QMargins around = axes.margins();
        const int side = std::max(1, std::min(layout.rect().width() - around.left() - around.right(), layout.rect().height() - around.top() - around.bottom() - others));
        if (axes.maximumSize() == QSize(side, side))
            return;
        axes.setMaximumSize(side, side);
        CanvasLine::ofProgram().add(plot);      // this one is laid out already
    });
}

QColor shadeColour(const QPalette &palette)
{
    return over(palette.color(QPalette::Text), palette.color(QPalette::Base), isDark(palette) ? darkShade : lightShade);
}

void applyScaleLook(QCPAxis &scale, const PlotLook &look)
{
    scale.setNumberFormat(plainNumbers);
    scale.setTickLabelFont(look.small);
    scale.setLabelFont(look.base);
    scale.setTickLabelColor(look.palette.color(QPalette::Text));
    scale.setLabelColor(quietTextColour(look.palette));
    scale.setBasePen(Qt::NoPen);
    scale.setTickPen(QPen(quietTextColour(look.palette), look.stroke));
    scale.setSubTicks(false);
}

QString wrapped(const QString &text, const QFont &font, int width)
{
    QStringList lines;
    for (const QString &paragraph : text.split(QLatin1Char('\n'))) {
        QTextLayout layout(paragraph, font);
        layout.beginLayout();
        for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
            line.setLineWidth(std::max(1, width));
            lines << paragraph.mid(line.textStart(), line.textLength()).trimmed();
        }
        layout.endLayout();
    }
    return lines.join(QLatin1Char('\n'));
}

QSharedPointer<QCPAxisTicker> evenTicker()
{
    QSharedPointer<QCPAxisTicker> ticker(new EvenTicker);
    ticker->setTickCount(numTicks);
    return ticker;
}

QSharedPointer<QCPAxisTicker> logTicker()
{
    return QSharedPointer<QCPAxisTicker>(new RoundTicker(report::logTicks));
}

QSharedPointer<QCPAxisTicker> roundTicker()
{
    return QSharedPointer<QCPAxisTicker>(new RoundTicker(report::evenTicks));
}

QString roundText(double value)
{
    const double size = std::abs(value);
    if (size == 0.0 || (size >= 1e-3 && size < 1e5))
        return QLocale().toString(value, 'g', 5).replace(QLatin1Char('-'), QChar(0x2212));
    static const QString raised = QStringLiteral("⁰¹²³⁴⁵⁶⁷⁸⁹");
    const int power = static_cast<int>(std::floor(std::log10(size) + 1e-9));
    QString exponent = power < 0 ? QStringLiteral("⁻") : QString();
    for (const QChar digit : QString::number(std::abs(power)))
        exponent += raised[digit.digitValue()];
    const QString mantissa = QLocale().toString(value / std::pow(10.0, power), 'g', 3).replace(QLatin1Char('-'), QChar(0x2212));
    return (mantissa == QLatin1String("1") ? QString() : mantissa + QStringLiteral("·")) + QStringLiteral("10") + exponent;
}

void putNumbers(QCPAxis &axis, const std::vector<std::pair<double, QString>> &numbers)
{
    const QFontMetricsF metrics(axis.tickLabelFont());
    const double unit = axis.axisRect()->width() / axis.range().size();
    std::vector<double> places, widths;
    for (const auto &[place, text] : numbers) {
        places.push_back(place * unit);
        widths.push_back(metrics.horizontalAdvance(text));
    }
    const std::size_t every = report::everyNthLabel(places, widths, metrics.horizontalAdvance(QLatin1Char('0')));
    QMap<double, QString> named;
    for (std::size_t i = 0; i < numbers.size(); i += every)
        named.insert(numbers[i].first, numbers[i].second);
    if (const auto before = qSharedPointerDynamicCast<QCPAxisTickerText>(axis.ticker()); before && before->ticks() == named)
        return;
    const QSharedPointer<QCPAxisTickerText> ticker(new QCPAxisTickerText);
    ticker->setTicks(named);
    axis.setTicker(ticker);
    CanvasLine::ofProgram().add(*axis.parentPlot());      // the numbers of this one are laid out already
}

QSharedPointer<QCPAxisTicker> countTicker()
{
    QSharedPointer<QCPAxisTicker> ticker(new CountTicker);
    ticker->setTickCount(numTicks);
    return ticker;
}

}  // namespace stillroom::widgets
