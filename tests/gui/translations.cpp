// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QFile>
#include <QTest>
#include <QXmlStreamReader>

/// Every catalogue of translations/ is complete: no text unfinished, empty, or without the placeholders of its source.
class TranslationsTest final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void complete_data()
    {
        QTest::addColumn<QString>("path");
        const QDir folder(QStringLiteral(STILLROOM_TRANSLATIONS));
        for (const QString &name : folder.entryList({QStringLiteral("*.ts")}))
            QTest::newRow(qPrintable(name)) << folder.filePath(name);
    }
    void complete()
    {
        QFETCH(const QString, path);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QXmlStreamReader xml(&file);
        QString source;
        int translated = 0;
        while (!xml.atEnd()) {
            xml.readNext();
            if (!xml.isStartElement())
                continue;
            if (xml.name() == QLatin1String("source"))
                source = xml.readElementText();
            if (xml.name() != QLatin1String("translation"))
                continue;
            QVERIFY2(!xml.attributes().hasAttribute(QStringLiteral("type")), qPrintable(source));
            const QString text = xml.readElementText(QXmlStreamReader::IncludeChildElements).trimmed();
            QVERIFY2(!text.isEmpty() || source.trimmed().isEmpty(), qPrintable(source));
            for (const QString &placeholder : {QStringLiteral("%1"), QStringLiteral("%2"), QStringLiteral("%3"), QStringLiteral("%n")})
                QVERIFY2(source.contains(placeholder) == text.contains(placeholder), qPrintable(source));
            ++translated;
        }
        QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
        // English texts stand in the source; only its plurals are translated.
        QVERIFY(translated > (path.endsWith(QLatin1String("_en.ts")) ? 8 : 100));
    }
};

QTEST_GUILESS_MAIN(TranslationsTest)
#include "translations.moc"
