// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>

#include <optional>

namespace stillroom::widgets {

struct FuzzyMatch {
    int score = 0;               ///< more is better; only good for comparing matches of one query
    QList<int> places;           ///< of the text's characters that were matched, ascending
};

/// Whether the letters of the query stand in the text in this order, whatever stands between them; the best way of laying them over it: at the beginnings of words, side by side,
/// early. Case and spaces of the query do not count. None: they do not. An empty query matches everything alike.
[[nodiscard]] std::optional<FuzzyMatch> fuzzyMatch(const QString &query, const QString &text);

}  // namespace stillroom::widgets
