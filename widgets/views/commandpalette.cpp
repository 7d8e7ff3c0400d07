// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/commandpalette.h"

#include "views/labels.h"
#include "views/palette.h"

#include <QApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace stillroom::widgets {
namespace {

constexpr int padding = 8;

/// The name with the matched letters bold, then where it is from; at the right its keys, or why it cannot be done.
class CommandDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &) const override { return {option.fontMetrics.averageCharWidth() * 40, std::max(24, option.fontMetrics.height() + padding)}; }
    void paint(QPainter *painter, const QStyleOptionViewItem &given, const QModelIndex &index) const override
    {
        QStyleOptionViewItem option = given;
        initStyleOption(&option, index);
        option.text.clear();
        option.widget->style()->drawControl(QStyle::CE_ItemViewItem, &option, painter, option.widget);
        const bool selected = option.state.testFlag(QStyle::State_Selected), doable = index.data(CommandList::DoableRole).toBool();
        const QColor quiet = selected ? option.palette.color(QPalette::HighlightedText) : quietTextColour(option.palette);
        painter->save();
        QRect room = option.rect.adjusted(padding, 0, -padding, 0);
        const QString right = doable ? index.data(CommandList::KeysRole).toString() : index.data(CommandList::ReasonRole).toString();
        painter->setPen(quiet);
        const QString shownRight = option.fontMetrics.elidedText(right, Qt::ElideRight, room.width() / 2);
        painter->drawText(room, Qt::AlignRight | Qt::AlignVCenter, shownRight);
        room.setRight(room.right() - option.fontMetrics.horizontalAdvance(shownRight) - 2 * padding);
        painter->setPen(!doable ? quiet : option.palette.color(selected ? QPalette::HighlightedText : QPalette::Text));
        const int end = drawName(*painter, room, option.font, index);
        painter->setPen(quiet);
        painter->setFont(option.font);
        const QRect rest(end + 2 * padding, room.top(), room.right() - end - 2 * padding, room.height());
        if (rest.width() > option.fontMetrics.averageCharWidth() * 4)
            painter->drawText(rest, Qt::AlignLeft | Qt::AlignVCenter, option.fontMetrics.elidedText(index.data(CommandList::GroupRole).toString(), Qt::ElideRight, rest.width()));
        painter->restore();
    }

private:
    /// \return where it ends, from the left
    static int drawName(QPainter &painter, const QRect &room, const QFont &plain, const QModelIndex &index)
    {
        QFont bold = plain;
        bold.setBold(true);
        const auto places = index.data(CommandList::PlacesRole).value<QList<int>>();
        const QString text = index.data().toString();
        int x = room.left();
        painter.setClipRect(room);
        for (qsizetype from = 0; from < text.size();) {
            const bool matched = places.contains(static_cast<int>(from));
            qsizetype to = from + 1;
            while (to < text.size() && places.contains(static_cast<int>(to)) == matched)
                ++to;
            painter.setFont(matched ? bold : plain);
            const QString part = text.mid(from, to - from);
            painter.drawText(QRect(x, room.top(), room.right() - x + 1, room.height()), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, part);
            x += painter.fontMetrics().horizontalAdvance(part);
            from = to;
        }
        painter.setClipping(false);
        return std::min(x, room.right());
    }
};

}  // namespace

CommandPalette::CommandPalette(std::vector<Command> commands, QWidget *parent)
    : QDialog(parent, Qt::Dialog | Qt::FramelessWindowHint), m_words(new QLineEdit(this)), m_list(new QListView(this)), m_note(new QuietLabel({}, this))
{
    setWindowTitle(tr("Commands"));
    setAccessibleName(tr("Commands"));
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(padding, padding, padding, padding);
    column->setSpacing(padding);
    m_words->setAccessibleName(tr("Search the commands"));
    m_words->setPlaceholderText(tr("Some letters of what to do, of a layer, a run or a teacher"));
    m_words->setClearButtonEnabled(true);
    m_words->installEventFilter(this);
    m_list->setAccessibleName(tr("Commands found"));
    m_list->setModel(&m_commands);
    m_list->setItemDelegate(new CommandDelegate(m_list));
    m_list->setUniformItemSizes(true);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setFocusPolicy(Qt::NoFocus);      // the keyboard stays where one writes
    m_note->setWordWrap(true);
    column->addWidget(m_words);
    column->addWidget(m_list, 1);
    column->addWidget(m_note);
    connect(m_words, &QLineEdit::textChanged, this, &CommandPalette::search);
    connect(m_list, &QListView::clicked, this, &CommandPalette::run);
    connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this, &CommandPalette::explain);
    m_commands.setCommands(std::move(commands));
    search({});
    place();
}

void CommandPalette::place()
{
    const QWidget *window = parentWidget();
    const int width = std::min(window->width() - 2 * padding, fontMetrics().averageCharWidth() * 90), height = std::min(window->height() * 3 / 5, fontMetrics().height() * 28);
    resize(width, height);
    move(window->mapToGlobal(QPoint((window->width() - width) / 2, window->height() / 10)));
}

void CommandPalette::search(const QString &words)
{
    m_commands.setQuery(words);
    if (m_commands.rowCount() > 0)
        m_list->setCurrentIndex(m_commands.index(0));
    explain();
}

void CommandPalette::explain()
{
    const QModelIndex now = m_list->currentIndex();
    QString note;
    if (!now.isValid())
        note = tr("Nothing is called that.");
    else if (!now.data(CommandList::DoableRole).toBool())
        note = now.data(CommandList::ReasonRole).toString().isEmpty() ? tr("This is not possible now.") : tr("Not possible now: %1").arg(now.data(CommandList::ReasonRole).toString());
    m_note->setText(note);
    m_note->setVisible(!note.isEmpty());
    m_words->setAccessibleDescription(now.isValid() ? now.data(Qt::AccessibleTextRole).toString() : note);      // a screen reader follows the keyboard, which stays in the line
}

void CommandPalette::step(int by)
{
    const int rows = m_commands.rowCount();
    if (rows > 0)
        m_list->setCurrentIndex(m_commands.index(std::clamp(m_list->currentIndex().row() + by, 0, rows - 1)));
}

void CommandPalette::run()
{
    const QModelIndex now = m_list->currentIndex();
    if (!now.isValid() || !now.data(CommandList::DoableRole).toBool())
        return;
    // After the palette has gone: what runs may open a dialog of its own, or move the keyboard.
    QTimer::singleShot(0, parentWidget(), m_commands.command(now.row()).run);
    accept();
}

bool CommandPalette::eventFilter(QObject *watched, QEvent *event)
{
    if (watched != m_words || event->type() != QEvent::KeyPress)
        return QDialog::eventFilter(watched, event);
    const int page = std::max(1, m_list->viewport()->height() / std::max(1, m_list->sizeHintForRow(0)) - 1);
    switch (static_cast<QKeyEvent *>(event)->key()) {
    case Qt::Key_Up: step(-1); return true;
    case Qt::Key_Down: step(1); return true;
    case Qt::Key_PageUp: step(-page); return true;
    case Qt::Key_PageDown: step(page); return true;
    case Qt::Key_Return:
    case Qt::Key_Enter: run(); return true;
    default: return QDialog::eventFilter(watched, event);
    }
}

/// It has no frame of the system's: a line tells it from the page behind.
void CommandPalette::paintEvent(QPaintEvent *event)
{
    QDialog::paintEvent(event);
    QPainter painter(this);
    painter.setPen(unchosenColour(palette()));
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

/// Who looks elsewhere has thought better of it.
void CommandPalette::changeEvent(QEvent *event)
{
    QDialog::changeEvent(event);
    if (event->type() == QEvent::ActivationChange && isVisible() && !isActiveWindow() && QApplication::activeWindow())
        reject();
}

}  // namespace stillroom::widgets
