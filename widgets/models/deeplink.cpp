// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/deeplink.h"

#include <QFileInfo>
#include <QRegularExpression>
#include <QUrl>

#include <algorithm>

namespace stillroom::widgets {
namespace {

const QString scheme = QStringLiteral("stillroom"), demoTarget = QStringLiteral("demo");

QString made(const QString &kind, const QString &target)
{
    return scheme + QStringLiteral("://") + kind + QLatin1Char('/') + target;
}

bool isUuid(const QString &text)
{
    static const QRegularExpression pattern(QStringLiteral("\\A[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\\z"));
    return pattern.match(text).hasMatch();
}

bool isPath(const QString &text)
{
    return text.startsWith(QLatin1Char('/')) && std::none_of(text.begin(), text.end(), [](QChar one) { return one.category() == QChar::Other_Control; });
}

}  // namespace

bool looksLikeLink(const QString &text)
{
    return text.startsWith(scheme + QLatin1Char(':'), Qt::CaseInsensitive);
}

std::optional<DeepLink> parseLink(const QString &text)
{
    if (text.size() > longestLink)
        return std::nullopt;
    const QUrl url(text, QUrl::StrictMode);
    if (!url.isValid() || url.scheme() != scheme || url.hasQuery() || url.hasFragment() || !url.userInfo().isEmpty() || url.port() >= 0)
        return std::nullopt;
    const QString kind = url.host(), target = url.path(QUrl::FullyDecoded).mid(1);
    if (kind == QLatin1String("run") && isUuid(target.toLower()))
        return DeepLink{DeepLink::Kind::Run, target.toLower(), -1};
    if (kind == QLatin1String("teacher") && (!isTeacherPath(target) || isPath(target)))
        return DeepLink{DeepLink::Kind::Teacher, target, -1};
    static const QRegularExpression number(QStringLiteral("\\A[0-9]{1,6}\\z"));
    if (kind == QLatin1String("layer") && number.match(target).hasMatch())
        return DeepLink{DeepLink::Kind::Layer, {}, target.toInt()};
    return std::nullopt;
}

bool isTeacherPath(const QString &argument)
{
    static const QRegularExpression key(QStringLiteral("\\A[0-9a-f]{64}\\z"));
    return argument != demoTarget && !key.match(argument).hasMatch();
}

QString wholeTeacher(const QString &argument) { return isTeacherPath(argument) ? QFileInfo(argument).absoluteFilePath() : argument; }
QString runLink(const QString &uuid) { return made(QStringLiteral("run"), uuid); }
QString layerLink(int layer) { return made(QStringLiteral("layer"), QString::number(layer)); }
QString teacherLink(const QString &argument) { return made(QStringLiteral("teacher"), !isTeacherPath(argument) ? argument : QString::fromLatin1(QUrl::toPercentEncoding(argument, "/"))); }

}  // namespace stillroom::widgets
