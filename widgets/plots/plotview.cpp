// SPDX-License-Identifier: GPL-3.0-or-later
#include "plots/plotview.h"

#include "plots/canvasline.h"
#include "plots/figurewriter.h"
#include "plots/plotlook.h"
#include "plots/tabletwin.h"
#include "views/keyaction.h"
#include "views/palette.h"

#include <QAction>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QMenu>
#include <QMimeData>
#include <QMouseEvent>
#include <QPainter>
#include <QVBoxLayout>

#include <qcustomplot.h>

#include <cmath>
#include <utility>

namespace stillroom::widgets {
namespace {

constexpr int ringWidth = 2;
constexpr int turnMs = 200;
constexpr double paperStroke = 1.4;      // a line of one pixel is 0.7 pt on paper, one of two 1.4 pt

QPalette paperPalette()
{
    QPalette palette(Qt::white);
    for (const QPalette::ColorRole role : {QPalette::Window, QPalette::Base})
        palette.setColor(role, Qt::white);
    for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(role, Qt::black);
    palette.setColor(QPalette::AlternateBase, QColor::fromRgb(0xfff4f4f4));
    return palette;
}

QFont letters(const QFont &family, double points)
{
    QFont font = family;
    font.setPixelSize(static_cast<int>(std::lround(points * Paper::unitsPerPoint)));
    font.setHintingPreference(QFont::PreferNoHinting);      // letters keep their widths at every scale
    return font;
}

}  // namespace

PlotView::PlotView(QWidget *parent) : QWidget(parent), m_plot(new QCustomPlot(this)), m_empty(new QCPItemText(m_plot))
{
    m_plot->setMinimumSize(1, 1);      // nothing can be painted on less, and a page that was never shown has no size
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(ringWidth, ringWidth, ringWidth, ringWidth);
    layout->addWidget(m_plot);
    setFocusPolicy(Qt::StrongFocus);
    m_plot->setFocusPolicy(Qt::NoFocus);
    // The canvas lets no event of the mouse through to us, and takes every button for the left one.
    m_plot->installEventFilter(this);
    m_plot->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_plot, &QWidget::customContextMenuRequested, this, [this](const QPoint &where) { showMenu(m_plot->mapToGlobal(where)); });
    m_empty->position->setType(QCPItemPosition::ptViewportRatio);
    m_empty->position->setCoords(0.5, 0.5);
    m_empty->setClipAxisRect(nullptr);      // it is seen when the axes are not
    m_empty->setClipToAxisRect(false);
    m_empty->setVisible(false);
    connect(m_plot, &QCustomPlot::beforeReplot, this, &PlotView::wrapEmptyText);
    connect(m_plot, &QCustomPlot::afterLayout, this, [this] { fitNumbers(*m_plot); });
    for (QTimer *timer : {&m_refreshing, &m_turn})
        timer->setSingleShot(true);
    m_turn.setInterval(turnMs);
    connect(&m_refreshing, &QTimer::timeout, this, &PlotView::refreshStale);
    connect(&m_turn, &QTimer::timeout, this, [this] {
        if (std::exchange(m_wantsTurn, false))
            invalidateInTurn();
    });
    auto *copying = new QAction(tr("&Copy"), this), *exporting = new QAction(tr("&Export…"), this);
    setShownKeys(*copying, QKeySequence(QKeySequence::Copy).toString(QKeySequence::NativeText));      // a page may have the same key for all of it
    connect(copying, &QAction::triggered, this, &PlotView::copyToClipboard);
    connect(exporting, &QAction::triggered, this, &PlotView::exportRequested);
    addActions({copying, exporting});
    addKeyAction(*this, tr("Show as &table"), Qt::Key_T, [this] { showTableTwin(*this); })->setObjectName(QStringLiteral("tableTwin"));
    // What a table can tell of every plot, these two cannot of every one.
    for (QAction *action : {copying, exporting})
        action->setObjectName(QStringLiteral("wantsFigure"));
}

void PlotView::setEmptyText(const QString &sentence)
{
    const bool empty = !sentence.isEmpty();
    m_sentence = sentence;
    m_empty->setVisible(empty);
    m_plot->axisRect()->setVisible(!empty);      // with all that is drawn on it: nothing shines through the sentence
    if (empty)
        m_plot->legend->setVisible(false);
}

/// In lines that fit, before it is drawn.
void PlotView::wrapEmptyText()
{
    if (m_empty->visible())
        m_empty->setText(wrapped(m_sentence, m_empty->font(), m_plot->viewport().width() - 2 * m_plot->fontMetrics().averageCharWidth()));
}

void PlotView::restyle()
{
    applyPlotLook(*m_plot, look());
    m_empty->setColor(quietTextColour(palette()));
    m_empty->setFont(font());
    applyPalette();
}

PlotLook PlotView::look() const
{
    return {palette(), font(), smallFont(), pen(Qt::black, 1.0).widthF(), m_paper && m_paper->axesDrawn};
}

QFont PlotView::smallFont() const
{
    return m_paper ? letters(font(), m_paper->smallPt) : font();
}

QPen PlotView::pen(const QColor &colour, double width, Qt::PenStyle style) const
{
    return {colour, m_paper ? width * paperStroke : width, style};
}

void PlotView::putOnPaper(const Paper &paper)
{
    m_paper = paper;
    setAttribute(Qt::WA_DontShowOnScreen);
    setFocusPolicy(Qt::NoFocus);
    layout()->setContentsMargins(0, 0, 0, 0);
    layout()->setSizeConstraint(QLayout::SetNoConstraint);
    setMinimumSize(0, 0);
    setPalette(paperPalette());
    QFont family = QGuiApplication::font();
    if (!paper.font.isEmpty())
        family.setFamily(paper.font);
    setFont(letters(family, paper.basePt));
    resize(paper.units());
    show();
    restyle();
    refresh();
}

void PlotView::drawOn(QPaintDevice &device, double scale)
{
    m_plot->replot(QCustomPlot::rpImmediateRefresh);
    laidOut();
    QCPPainter painter(&device);
    painter.scale(scale, scale);
    painter.setMode(QCPPainter::pmVectorized);
    painter.setRenderHint(QPainter::TextAntialiasing);
    const QSize units = m_paper ? m_paper->units() : size();
    m_plot->toPainter(&painter, units.width(), units.height());
}

void PlotView::copyToClipboard() const
{
    if (QMimeData *contents = clipboardOf(*this))
        QGuiApplication::clipboard()->setMimeData(contents);
}

/// A page may have the same key for all of it: where a plot has the focus, the key is the plot's.
bool PlotView::event(QEvent *event)
{
    if (event->type() == QEvent::ShortcutOverride && static_cast<QKeyEvent *>(event)->matches(QKeySequence::Copy) && hasFigure()) {
        event->accept();
        return true;
    }
    return QWidget::event(event);
}

void PlotView::keyPressEvent(QKeyEvent *event)
{
    if (event->matches(QKeySequence::Copy))
        copyToClipboard();
    else
        QWidget::keyPressEvent(event);
}

/// A right click is for the menu: it chooses nothing.
bool PlotView::eventFilter(QObject *watched, QEvent *event)
{
    const bool click = event->type() == QEvent::MouseButtonPress || event->type() == QEvent::MouseButtonRelease || event->type() == QEvent::MouseButtonDblClick;
    if (watched != m_plot || !click || static_cast<QMouseEvent *>(event)->button() != Qt::RightButton)
        return QWidget::eventFilter(watched, event);
    setFocus(Qt::MouseFocusReason);
    return true;
}

void PlotView::contextMenuEvent(QContextMenuEvent *event)
{
    showMenu(event->globalPos());
}

void PlotView::showMenu(const QPoint &where)
{
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const bool figure = hasFigure();
    for (QAction *action : actions()) {
        if (!action->isVisible())
            continue;
        const QString keys = shownKeys(*action);
        menu->addAction(keys.isEmpty() ? action->text() : action->text() + QLatin1Char('\t') + keys, action, &QAction::trigger)->setEnabled(figure || action->objectName() != QLatin1String("wantsFigure"));
    }
    menu->popup(where);
}

void PlotView::drawInTurn()
{
    CanvasLine::ofProgram().add(*m_plot);
}

void PlotView::invalidate()
{
    m_stale = true;
    if (isVisible())
        m_refreshing.start();
}

void PlotView::invalidateInTurn()
{
    if (m_turn.isActive()) {
        m_wantsTurn = true;
        return;
    }
    invalidate();
    m_turn.start();
}

void PlotView::refreshStale()
{
    if (isVisible() && std::exchange(m_stale, false))
        refresh();
}

void PlotView::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    refreshStale();
}

void PlotView::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        restyle();
        refresh();
    }
}

void PlotView::focusInEvent(QFocusEvent *event)
{
    QWidget::focusInEvent(event);
    update();
}

void PlotView::focusOutEvent(QFocusEvent *event)
{
    QWidget::focusOutEvent(event);
    update();
}

void PlotView::paintEvent(QPaintEvent *)
{
    if (!hasFocus())
        return;
    QPainter painter(this);
    painter.setPen(QPen(focusColour(palette()), ringWidth));
    painter.drawRect(QRectF(rect()).adjusted(1, 1, -1, -1));
}

}  // namespace stillroom::widgets
