// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/quantities.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

#include <cmath>

namespace stillroom::widgets {
namespace {

struct Quantities {
    Q_DECLARE_TR_FUNCTIONS(Quantities)
};

}  // namespace

QString shortCount(double count)
{
    const QLocale locale;
    if (count >= 1e9)
        return Quantities::tr("%1 G").arg(locale.toString(count / 1e9, 'f', 1));
    if (count >= 1e6)
        return Quantities::tr("%1 M").arg(locale.toString(count / 1e6, 'f', 1));
    if (count >= 1e4)
        return Quantities::tr("%1 k").arg(locale.toString(count / 1e3, 'f', 0));
    return locale.toString(count, 'f', 0);
}

QString countOfMany(double count, double largest, double step)
{
    const double unit = largest >= 1e9 ? 1e9 : largest >= 1e6 ? 1e6 : largest >= 1e4 ? 1e3 : 1.0;
    int decimals = 0;
    for (double one = step / unit; decimals < 3 && std::abs(one - std::round(one)) > 1e-6; one *= 10.0)
        ++decimals;
    const QString number = QLocale().toString(count / unit, 'f', count == 0.0 ? 0 : decimals);
    return count == 0.0 || unit == 1.0 ? number : unit == 1e9 ? Quantities::tr("%1 G").arg(number) : unit == 1e6 ? Quantities::tr("%1 M").arg(number) : Quantities::tr("%1 k").arg(number);
}

QString shortDuration(double seconds)
{
    const auto whole = static_cast<qint64>(seconds + 0.5);
    if (whole < 60)
        return Quantities::tr("%1 s").arg(whole);
    if (whole < 3600)
        return Quantities::tr("%1 min %2 s").arg(whole / 60).arg(whole % 60);
    return Quantities::tr("%1 h %2 min").arg(whole / 3600).arg(whole % 3600 / 60);
}

QString shortBytes(double bytes)
{
    return QLocale().formattedDataSize(static_cast<qint64>(bytes), 1, QLocale::DataSizeIecFormat);
}

QString shortProbability(double p)
{
    return QLocale().toString(p, 'g', 2);
}

QString measureDigits(double value)
{
    const int digits = std::abs(value) >= 100.0 ? 1 : std::abs(value) >= 10.0 ? 2 : 4;
    return QLocale().toString(value, 'f', digits);
}

QString shortNumber(double value)
{
    if (!std::isfinite(value))
        return QStringLiteral("–");
    const double size = std::abs(value);
    if (size == 0.0)
        return QStringLiteral("0");
    if (size < 1e-3 || size >= 1e5)
        return QLocale().toString(value, 'g', 2);
    const int decimals = size >= 100.0 ? 0 : size >= 10.0 ? 1 : size >= 1.0 ? 2 : 3;
    return QLocale().toString(value, 'f', decimals);
}

QString quantityText(double value, const QString &unit)
{
    return unit.isEmpty() ? shortNumber(value) : Quantities::tr("%1 %2", "number and unit").arg(shortNumber(value), unit);
}

QString rangesText(const std::vector<int> &ascending)
{
    QStringList ranges;
    for (std::size_t first = 0; first < ascending.size();) {
        std::size_t last = first;
        while (last + 1 < ascending.size() && ascending[last + 1] == ascending[last] + 1)
            ++last;
        ranges << (last == first ? QString::number(ascending[first]) : QStringLiteral("%1–%2").arg(ascending[first]).arg(ascending[last]));
        first = last + 1;
    }
    return ranges.join(QStringLiteral(", "));
}

}  // namespace stillroom::widgets
