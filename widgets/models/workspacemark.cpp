// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/workspacemark.h"

#include <QCryptographicHash>

#include <system_error>

namespace stillroom::widgets {

QString workspaceMark(const std::filesystem::path &workspace)
{
    std::error_code error;
    std::filesystem::path whole = std::filesystem::absolute(workspace, error);
    whole = error ? workspace : whole;
    const std::filesystem::path canonical = std::filesystem::weakly_canonical(whole, error);
    whole = (error ? whole : canonical).lexically_normal();
    if (!whole.has_filename() && whole.has_parent_path())      // ends with a slash
        whole = whole.parent_path();
    return QString::fromLatin1(QCryptographicHash::hash(QByteArray::fromStdString(whole.string()), QCryptographicHash::Sha256).toHex().left(16));
}

}  // namespace stillroom::widgets
