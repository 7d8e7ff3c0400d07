// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QVariantMap>

class QListWidget;
class QMainWindow;
class QSettings;

namespace stillroom {

namespace widgets {
class ComparePage;
class RunsPage;
class Session;
}

/// How a window was left, for its next start. Where things stand (window, docks, splitters) is the same for every workspace; what was looked at (page, teacher, probe, K or set,
/// layer, runs, axes) belongs to one. What is not there any more is left as it is by default, and nobody is told.
class WindowMemory final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(WindowMemory)

public:
    struct Parts {
        QMainWindow &window;
        widgets::Session &session;
        QListWidget &pages;
        widgets::RunsPage &runs;
        widgets::ComparePage &compare;
    };
    /// Knows how the window looks now as its layout of before everything.
    explicit WindowMemory(const Parts &parts);

    void restore();                      ///< at once what is there at once; the rest when the store has been read
    void save() const;
    /// Docks, splitters and columns, as they stand now.
    [[nodiscard]] QVariantMap layout() const;
    void setLayout(const QVariantMap &layout);
    void resetLayout();
    /// The teacher that was open last; empty for none, or where it is gone.
    [[nodiscard]] QString teacher() const;
    /// Something else has been asked for meanwhile.
    void forgetLayer() { m_layerWanted = false; }
    void forgetRuns() { m_runsWanted = false; }

private:
    void restoreChoice();
    void restoreRuns();
    void restorePlots(const char *property);
    void savePlots(QSettings &settings, const char *property) const;
    void saveWorkspace(QSettings &settings) const;
    /// Settings of this workspace stand under it.
    [[nodiscard]] QString key(const QString &name) const;
    [[nodiscard]] QString plotKey(const QObject &plot, const char *property) const;

    Parts m_at;
    QString m_workspace;
    QByteArray m_firstState;
    bool m_choiceWanted = true, m_layerWanted = true, m_runsWanted = true;
};

}  // namespace stillroom
