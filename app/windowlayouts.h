// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QVariantMap>

class QAction;
class QMenu;
class QUndoStack;

namespace stillroom {

class WindowMemory;

/// Where docks, splitters and columns stand, under names: kept in the settings, for every workspace. To choose, save or delete one is a step of undo.
class WindowLayouts final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(WindowLayouts)

public:
    /// \param window  what its questions stand before
    WindowLayouts(WindowMemory &memory, QUndoStack &edits, QWidget &window);
    void addTo(QMenu &menu);                        ///< "Layouts"

private:
    class Choice;
    class Edit;
    void fill();
    void save();
    void choose(const QString &name);
    void remove();
    [[nodiscard]] static QVariantMap kept();        ///< by name
    void keep(const QVariantMap &layouts);

    WindowMemory &m_memory;
    QUndoStack &m_edits;
    QWidget &m_window;
    QMenu *m_menu = nullptr;
    QAction *m_save = nullptr, *m_remove = nullptr;
};

}  // namespace stillroom
