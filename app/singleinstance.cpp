// SPDX-License-Identifier: GPL-3.0-or-later
#include "singleinstance.h"

#include "models/workspacemark.h"
#include "models/deeplink.h"

#include <QDir>
#include <QFileInfo>
#include <QLocalSocket>
#include <QLockFile>
#include <QTimer>

#include <unistd.h>

namespace stillroom {
namespace {

constexpr int connectMs = 500, answerMs = 3000, visitMs = 5000, lockMs = 5000;
constexpr qint64 longestMessage = 4 * widgets::longestLink + 1;      // UTF-8
const QByteArray taken = QByteArrayLiteral("taken\n");

/// Of a folder that is the user's alone, where the system gives one.
QString socketPath(const std::filesystem::path &workspace)
{
    const QString folder = qEnvironmentVariable("XDG_RUNTIME_DIR");
    return QStringLiteral("%1/stillroom-%2-%3").arg(folder.isEmpty() || !QFileInfo(folder).isWritable() ? QDir::tempPath() : folder).arg(getuid()).arg(widgets::workspaceMark(workspace));
}

}  // namespace

SingleInstance::SingleInstance(const std::filesystem::path &workspace, QObject *parent) : QObject(parent), m_socket(socketPath(workspace))
{
    m_server.setSocketOptions(QLocalServer::UserAccessOption);
    connect(&m_server, &QLocalServer::newConnection, this, &SingleInstance::greet);
}

bool SingleInstance::claim(const QString &link)
{
    // Of two that start at once, one waits until the other listens.
    QLockFile lock(m_socket + QStringLiteral(".lock"));
    const bool alone = lock.tryLock(lockMs);
    if (handOver(link))
        return false;
    if (alone) {
        QLocalServer::removeServer(m_socket);
        (void)m_server.listen(m_socket);      // without a socket the window does all but take links
    }
    return true;
}

bool SingleInstance::handOver(const QString &link) const
{
    const QFileInfo file(m_socket);
    if (!file.exists() || file.ownerId() != getuid())
        return false;
    QLocalSocket door;
    door.connectToServer(m_socket);
    if (!door.waitForConnected(connectMs))
        return false;
    door.write(link.left(widgets::longestLink).toUtf8().replace('\n', ' ') + '\n');
    if (!door.waitForBytesWritten(connectMs))
        return false;
    QByteArray answer;
    while (answer.size() < taken.size() && door.waitForReadyRead(answerMs))
        answer += door.read(taken.size() - answer.size());
    return answer == taken;
}

void SingleInstance::greet()
{
    while (QLocalSocket *visitor = m_server.nextPendingConnection()) {
        visitor->setReadBufferSize(longestMessage);
        connect(visitor, &QLocalSocket::disconnected, visitor, &QObject::deleteLater);
        connect(visitor, &QLocalSocket::readyRead, this, [this, visitor] { listenTo(*visitor); });
        QTimer::singleShot(visitMs, visitor, [visitor] { visitor->abort(); });
        listenTo(*visitor);
    }
}

/// One line; whoever says more, or none in time, is shown out.
void SingleInstance::listenTo(QLocalSocket &visitor)
{
    if (!visitor.canReadLine()) {
        if (visitor.bytesAvailable() >= longestMessage)
            visitor.abort();
        return;
    }
    const QString link = QString::fromUtf8(visitor.readLine(longestMessage + 1)).trimmed();
    disconnect(&visitor, &QLocalSocket::readyRead, this, nullptr);
    visitor.write(taken);
    visitor.disconnectFromServer();      // once it is written
    Q_EMIT asked(link);
}

}  // namespace stillroom
