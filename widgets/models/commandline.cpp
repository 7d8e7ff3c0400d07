// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/commandline.h"

#include "experiment/jsontext.h"

#include <QRegularExpression>

#include <nlohmann/json.hpp>

namespace stillroom::widgets {

QString shellWord(const QString &text)
{
    static const QRegularExpression plain(QStringLiteral("^[A-Za-z0-9_./:=@%+-]+$"));
    if (plain.match(text).hasMatch())
        return text;
    return QLatin1Char('\'') + QString(text).replace(QLatin1Char('\''), QStringLiteral(R"('\'')")) + QLatin1Char('\'');
}

QString runCommandLine(const nlohmann::json &spec, const std::filesystem::path &workspace, const QString &run)
{
    const QString line = QStringLiteral("stillroom-cli run %1 --workspace %2").arg(shellWord(QString::fromStdString(experiment::compactJson(spec))), shellWord(QString::fromStdString(workspace.string())));
    return run.isEmpty() ? line : line + QStringLiteral(" --resume --run-id %1").arg(shellWord(run));
}

}  // namespace stillroom::widgets
