// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLocalServer>
#include <QObject>

#include <filesystem>

class QLocalSocket;

namespace stillroom {

/// One window for a user and a workspace: a later start hands what it was asked to show to the first one. Only the user's own programs reach it, and what they say is bounded in length.
class SingleInstance final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(SingleInstance)

public:
    explicit SingleInstance(const std::filesystem::path &workspace, QObject *parent = nullptr);
    /// Becomes the first one, unless there is one that takes this link. A socket that nobody answers at any more is taken over.
    /// \param link  see models/deeplink.h; empty: it shall only show itself
    /// \return false: it has taken it, and there is nothing left to do here
    [[nodiscard]] bool claim(const QString &link);
    [[nodiscard]] const QString &socket() const { return m_socket; }      ///< its path

Q_SIGNALS:
    void asked(const QString &link);

private:
    [[nodiscard]] bool handOver(const QString &link) const;
    void greet();
    void listenTo(QLocalSocket &visitor);
    QString m_socket;
    QLocalServer m_server;
};

}  // namespace stillroom
