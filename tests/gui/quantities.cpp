// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/quantities.h"

#include <QLocale>
#include <QTest>

using namespace stillroom::widgets;

/// Numbers as people read them.
class QuantitiesTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }

    void numbersOfOneAxisHaveOneUnit()
    {
        const auto axis = [](double step, int last) {
            QStringList labels;
            for (int tick = 0; tick <= last; ++tick)
                labels << countOfMany(tick * step, last * step, step);
            return labels;
        };
        QCOMPARE(axis(2500.0, 4), (QStringList{"0", "2.5 k", "5.0 k", "7.5 k", "10.0 k"}));
        QCOMPARE(axis(10000.0, 3), (QStringList{"0", "10 k", "20 k", "30 k"}));
        QCOMPARE(axis(250.0, 2), (QStringList{"0", "250", "500"}));
        QCOMPARE(axis(500000.0, 3), (QStringList{"0", "0.5 M", "1.0 M", "1.5 M"}));
        QCOMPARE(axis(2e9, 1), (QStringList{"0", "2 G"}));
    }

    void rangesAreShort()
    {
        QCOMPARE(rangesText({2}), QStringLiteral("2"));
        QCOMPARE(rangesText({0, 1, 2, 3, 5}), QStringLiteral("0–3, 5"));
    }

    void durationsAndBytesHaveTheUnitThatFits()
    {
        QCOMPARE(shortDuration(59.6), QStringLiteral("1 min 0 s"));
        QCOMPARE(shortDuration(48.0), QStringLiteral("48 s"));
        QCOMPARE(shortDuration(7300.0), QStringLiteral("2 h 1 min"));
        QCOMPARE(shortBytes(6.0 * 1024), QStringLiteral("6.0 KiB"));
    }
};

QTEST_GUILESS_MAIN(QuantitiesTest)
#include "quantities.moc"
