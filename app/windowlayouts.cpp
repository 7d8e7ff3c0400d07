// SPDX-License-Identifier: GPL-3.0-or-later
#include "windowlayouts.h"

#include "windowmemory.h"

#include <QAction>
#include <QInputDialog>
#include <QMenu>
#include <QPointer>
#include <QSettings>
#include <QUndoCommand>
#include <QUndoStack>
#include <QWidget>

#include <utility>

namespace stillroom {
namespace {

const QString layoutsSetting = QStringLiteral("layouts");

}  // namespace

/// Undone, everything stands where it stood before the choice.
class WindowLayouts::Choice final : public QUndoCommand {
public:
    Choice(WindowMemory &memory, const QString &text, QVariantMap before, QVariantMap after) : QUndoCommand(text), m_memory(&memory), m_before(std::move(before)), m_after(std::move(after)) {}
    void redo() override { stand(m_after); }
    void undo() override { stand(m_before); }

private:
    void stand(const QVariantMap &layout) const
    {
        if (m_memory)
            m_memory->setLayout(layout);
    }
    QPointer<WindowMemory> m_memory;
    QVariantMap m_before, m_after;
};

/// All names before and after.
class WindowLayouts::Edit final : public QUndoCommand {
public:
    Edit(WindowLayouts &layouts, const QString &text, QVariantMap before, QVariantMap after) : QUndoCommand(text), m_layouts(&layouts), m_before(std::move(before)), m_after(std::move(after)) {}
    void redo() override { give(m_after); }
    void undo() override { give(m_before); }

private:
    void give(const QVariantMap &all) const
    {
        if (m_layouts)
            m_layouts->keep(all);
    }
    QPointer<WindowLayouts> m_layouts;
    QVariantMap m_before, m_after;
};

WindowLayouts::WindowLayouts(WindowMemory &memory, QUndoStack &edits, QWidget &window) : QObject(&window), m_memory(memory), m_edits(edits), m_window(window) {}

QVariantMap WindowLayouts::kept() { return QSettings().value(layoutsSetting).toMap(); }

void WindowLayouts::keep(const QVariantMap &layouts)
{
    QSettings().setValue(layoutsSetting, layouts);
    fill();
}

void WindowLayouts::addTo(QMenu &menu)
{
    m_menu = menu.addMenu(tr("La&youts"));
    m_save = new QAction(tr("&Save the layout as…"), this);
    m_remove = new QAction(tr("&Delete a layout…"), this);
    connect(m_save, &QAction::triggered, this, &WindowLayouts::save);
    connect(m_remove, &QAction::triggered, this, &WindowLayouts::remove);
    fill();
}

void WindowLayouts::fill()
{
    const QStringList names = kept().keys();
    m_menu->clear();      // those of names are its own, and go
    for (const QString &name : names) {
        QString shown = name;
        m_menu->addAction(shown.replace(QLatin1Char('&'), QStringLiteral("&&")), this, [this, name] { choose(name); });
    }
    m_menu->addSeparator();
    m_menu->addActions({m_save, m_remove});
    m_remove->setEnabled(!names.isEmpty());
}

void WindowLayouts::save()
{
    QVariantMap after = kept();
    bool ok = false;
    const QString name = QInputDialog::getItem(&m_window, tr("Save the layout"), tr("Name (one that is there is replaced):"), QStringList{QString()} + after.keys(), 0, true, &ok).simplified();
    if (!ok || name.isEmpty())
        return;
    after.insert(name, m_memory.layout());
    m_edits.push(new Edit(*this, tr("Save the layout %1").arg(name), kept(), std::move(after)));      // the stack takes it over, here and below
}

void WindowLayouts::choose(const QString &name)
{
    m_edits.push(new Choice(m_memory, tr("Choose the layout %1").arg(name), m_memory.layout(), kept().value(name).toMap()));
}

void WindowLayouts::remove()
{
    QVariantMap after = kept();
    bool ok = false;
    const QString name = QInputDialog::getItem(&m_window, tr("Delete a layout"), tr("Layout:"), after.keys(), 0, false, &ok);
    if (!ok)
        return;
    after.remove(name);
    m_edits.push(new Edit(*this, tr("Delete the layout %1").arg(name), kept(), std::move(after)));
}

}  // namespace stillroom
