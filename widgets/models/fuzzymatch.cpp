// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/fuzzymatch.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace stillroom::widgets {
namespace {

constexpr int atWord = 8, atCapital = 6, sideBySide = 5, perGap = -1, mostGap = -4, impossible = std::numeric_limits<int>::min() / 2;
constexpr int longestQuery = 64, longestText = 256;      // the rest of either is not looked at

QString lettersOf(const QString &query)
{
    QString letters;
    for (const QChar one : query.left(longestQuery))
        if (!one.isSpace())
            letters += one.toCaseFolded();
    return letters;
}

int worthOf(const QString &text, qsizetype place)
{
    if (place == 0 || !text[place - 1].isLetterOrNumber())
        return atWord;
    return text[place].isUpper() && text[place - 1].isLower() ? atCapital : 0;
}

int gapCost(qsizetype gap) { return std::max(mostGap, perGap * static_cast<int>(gap)); }

}  // namespace

std::optional<FuzzyMatch> fuzzyMatch(const QString &query, const QString &text)
{
    const QString letters = lettersOf(query), shown = text.left(longestText);
    const qsizetype m = letters.size(), n = shown.size();
    if (m == 0)
        return FuzzyMatch{};
    if (m > n)
        return std::nullopt;
    // best[i][j]: of the first i + 1 letters, the last of them at j.
    std::vector<std::vector<int>> best(static_cast<std::size_t>(m), std::vector<int>(static_cast<std::size_t>(n), impossible)), from = best;
    for (qsizetype i = 0; i < m; ++i)
        for (qsizetype j = i; j < n; ++j) {
            if (shown[j].toCaseFolded() != letters[i])
                continue;
            int &score = best[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
            if (i == 0) {
                score = worthOf(shown, j) + gapCost(j);
                continue;
            }
            for (qsizetype before = i - 1; before < j; ++before) {
                const int earlier = best[static_cast<std::size_t>(i - 1)][static_cast<std::size_t>(before)];
                if (earlier == impossible)
                    continue;
                const int now = earlier + worthOf(shown, j) + (before + 1 == j ? sideBySide : gapCost(j - before - 1));
                if (now > score) {
                    score = now;
                    from[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = static_cast<int>(before);
                }
            }
        }
    const std::vector<int> &ends = best.back();
    const auto end = std::max_element(ends.begin(), ends.end());
    if (*end == impossible)
        return std::nullopt;
    FuzzyMatch match{*end, QList<int>(m)};
    auto place = static_cast<int>(end - ends.begin());
    for (qsizetype i = m - 1; i >= 0; --i) {
        match.places[i] = place;
        place = i > 0 ? from[static_cast<std::size_t>(i)][static_cast<std::size_t>(place)] : place;
    }
    return match;
}

}  // namespace stillroom::widgets
