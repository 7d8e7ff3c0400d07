// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/shownnames.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
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
    /// As Qt's tool finds the texts in the source: none is new to the catalogue.
    void everyTextIsThere()
    {
        const QTemporaryDir folder;
        const QString copy = folder.filePath(QStringLiteral("stillroom_zh_CN.ts"));
        QVERIFY(QFile::copy(QDir(QStringLiteral(STILLROOM_TRANSLATIONS)).filePath(QStringLiteral("stillroom_zh_CN.ts")), copy));
        QFile::setPermissions(copy, QFile::ReadOwner | QFile::WriteOwner);
        QStringList arguments{QStringLiteral("-silent"), QStringLiteral("@" STILLROOM_TRANSLATED), QStringLiteral("-ts"), copy};
        for (const char *headers : {"/../app", "/../widgets", "/../core"})      // where it reads which class a text belongs to
            arguments << QStringLiteral("-I") << QStringLiteral(STILLROOM_TRANSLATIONS) + QLatin1String(headers);
        QProcess update;
        update.start(QStringLiteral(STILLROOM_LUPDATE), arguments);
        QVERIFY(update.waitForFinished(60'000));
        QCOMPARE(update.exitCode(), 0);
        QFile file(copy);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QString text = QString::fromUtf8(file.readAll());
        QVERIFY(text.count(QStringLiteral("<message")) > 1000);
        const QRegularExpression lacking(QStringLiteral("<source>([^<]*)</source>\\s*<translation type=\"unfinished\""));
        QStringList sources;
        for (auto one = lacking.globalMatch(text); one.hasNext();)
            sources << one.next().captured(1);
        QVERIFY2(sources.isEmpty(), qPrintable(QStringLiteral("run the target stillroom_lupdate and translate: ") + sources.join(QStringLiteral(" | "))));
    }

    /// Qt's own translations need not be on a person's machine: what stands on its buttons is in our catalogue.
    void standardButtonsAreTranslated()
    {
        QFile file(QDir(QStringLiteral(STILLROOM_TRANSLATIONS)).filePath(QStringLiteral("stillroom_zh_CN.ts")));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QString text = QString::fromUtf8(file.readAll());
        const auto begin = text.indexOf(QStringLiteral("<name>QPlatformTheme</name>"));
        QVERIFY(begin >= 0);
        const QString own = text.mid(begin, text.indexOf(QStringLiteral("</context>"), begin) - begin);
        for (const char *word : {"OK", "Cancel", "Close", "&amp;Yes", "&amp;No"})
            QVERIFY2(own.contains(QStringLiteral("<source>%1</source>").arg(QLatin1String(word))), word);
    }

    /// What measures are called stands in the core, where no translation tool looks for texts.
    void measuresAreTranslated()
    {
        QFile file(QDir(QStringLiteral(STILLROOM_TRANSLATIONS)).filePath(QStringLiteral("stillroom_zh_CN.ts")));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QString text = QString::fromUtf8(file.readAll());
        const auto begin = text.indexOf(QStringLiteral("<name>Measures</name>"));
        QVERIFY(begin >= 0);
        const QString own = text.mid(begin, text.indexOf(QStringLiteral("</context>"), begin) - begin);
        for (const char *measure : {"kl_nats", "se_nats", "n", "kl_tokens", "all_linear_kl_nats", "perplexity", "nats_per_token", "perplexity_tokens", "recall", "recall_se", "recall_n", "recall_sequences", "recall_token_accuracy", "filler_accuracy", "hidden_cosine", "hidden_cosine_se", "hidden_cosine_sequences"})
            QVERIFY2(own.contains(QStringLiteral("<source>%1</source>").arg(QString::fromStdString(stillroom::experiment::measureWords(measure)))), measure);
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
