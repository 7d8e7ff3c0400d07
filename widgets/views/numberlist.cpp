// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/numberlist.h"

#include <QRegularExpression>
#include <QStringList>

#include <algorithm>

namespace stillroom::widgets {

std::optional<std::vector<std::int64_t>> numbersIn(const QString &text)
{
    constexpr std::size_t most = 100'000;
    std::vector<std::int64_t> numbers;
    for (const QString &part : text.split(QLatin1Char(','), Qt::SkipEmptyParts)) {
        static const QRegularExpression range(QStringLiteral(R"(^\s*(\d{1,15})(?:\s*[-–]\s*(\d{1,15}))?\s*$)"));
        const QRegularExpressionMatch match = range.match(part);
        const qint64 first = match.captured(1).toLongLong(), last = match.captured(2).isEmpty() ? first : match.captured(2).toLongLong();
        if (!match.hasMatch() || last < first || static_cast<std::size_t>(last - first) + numbers.size() >= most)
            return std::nullopt;
        for (qint64 number = first; number <= last; ++number)
            numbers.push_back(number);
    }
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    return numbers;
}

QString numbersText(std::vector<std::int64_t> numbers)
{
    std::sort(numbers.begin(), numbers.end());
    QStringList parts;
    for (std::size_t first = 0; first < numbers.size();) {
        std::size_t last = first;
        while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1)
            ++last;
        const bool isRange = last > first + 1;
        parts << (isRange ? QStringLiteral("%1-%2").arg(numbers[first]).arg(numbers[last]) : QString::number(numbers[first]));
        first = isRange ? last + 1 : first + 1;
    }
    return parts.join(QStringLiteral(", "));
}

}  // namespace stillroom::widgets
