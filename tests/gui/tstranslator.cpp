// SPDX-License-Identifier: GPL-3.0-or-later
#include "tstranslator.h"

#include <QDir>
#include <QFile>
#include <QXmlStreamReader>

namespace stillroom::test {
namespace {

QString withComment(const QString &source, const QString &comment)
{
    return comment.isEmpty() ? source : source + QChar(4) + comment;
}

}  // namespace

TsTranslator::TsTranslator(const QString &name)
{
    QFile file(QDir(QStringLiteral(STILLROOM_TRANSLATIONS)).filePath(name));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("no translations");
    QXmlStreamReader xml(&file);
    QString context, source, comment;
    while (!xml.atEnd()) {
        xml.readNext();
        if (!xml.isStartElement())
            continue;
        if (xml.name() == QLatin1String("name"))
            context = xml.readElementText();
        else if (xml.name() == QLatin1String("message"))
            comment.clear();
        else if (xml.name() == QLatin1String("source"))
            source = xml.readElementText();
        else if (xml.name() == QLatin1String("comment"))
            comment = xml.readElementText();
        else if (xml.name() == QLatin1String("translation"))
            m_texts[{context, withComment(source, comment)}] = xml.readElementText(QXmlStreamReader::IncludeChildElements).trimmed();
    }
}

QString TsTranslator::translate(const char *context, const char *source, const char *comment, int) const
{
    const auto found = m_texts.find({QString::fromUtf8(context), withComment(QString::fromUtf8(source), QString::fromUtf8(comment))});
    return found == m_texts.end() ? QString() : found->second;
}

}  // namespace stillroom::test
