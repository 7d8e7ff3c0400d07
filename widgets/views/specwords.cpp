// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/specwords.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

#include <utility>

namespace stillroom::widgets {
namespace {

struct SpecWords {
    Q_DECLARE_TR_FUNCTIONS(SpecWords)
};

QString numberText(double value)
{
    return QString::number(value, 'g', 16);      // as one writes it into a spec
}

}  // namespace

QString kindName(const QString &kind)
{
    const std::pair<const char *, QString> known[] = {
        {"score", SpecWords::tr("Score layers")},          {"distill", SpecWords::tr("Distil a hybrid")},      {"calibrate", SpecWords::tr("Calibrate linear layers")},
        {"align", SpecWords::tr("Align (stage 1 alone)")}, {"evaluate", SpecWords::tr("Evaluate a model")},    {"inspect", SpecWords::tr("Inspect and open a model")},
        {"pipeline", SpecWords::tr("Pipeline of stages")}, {"generate", SpecWords::tr("Continue a prompt")},   {"train-teacher", SpecWords::tr("Train a demo teacher")},
    };
    for (const auto &[name, words] : known)
        if (kind == QLatin1String(name))
            return words;
    return kind;
}

QString schemaWords(const std::string &help)
{
    return QCoreApplication::translate("Spec", help.c_str());
}

QString rangeWords(const experiment::Field &field)
{
    const bool low = field.minimum > -1e308, high = field.maximum < 1e308;
    if (low && high)
        return SpecWords::tr("%1 to %2", "range of numbers").arg(numberText(field.minimum), numberText(field.maximum));
    if (low)
        return SpecWords::tr("at least %1").arg(numberText(field.minimum));
    return high ? SpecWords::tr("at most %1").arg(numberText(field.maximum)) : QString();
}

QString fieldTip(const experiment::Field &field, const std::string &path, const QString &defaultText)
{
    QStringList details;
    const bool isNumber = field.type == experiment::FieldType::Integer || field.type == experiment::FieldType::Number || field.type == experiment::FieldType::IntegerList;
    if (const QString range = isNumber ? rangeWords(field) : QString(); !range.isEmpty())
        details << SpecWords::tr("Range: %1").arg(range);
    if (!defaultText.isEmpty())
        details << SpecWords::tr("Default: %1").arg(defaultText);
    details << SpecWords::tr("In the file: %1").arg(QString::fromStdString(path));
    QString rows;
    for (const QString &one : details)
        rows += QStringLiteral("<br>") + one.toHtmlEscaped();
    return QStringLiteral("<p>%1%2</p>").arg(schemaWords(field.help).toHtmlEscaped(), rows);
}

QString unitName(const std::string &unit)
{
    const std::pair<const char *, QString> known[] = {
        {"tokens", SpecWords::tr("tokens")}, {"steps", SpecWords::tr("steps")},             {"sequences", SpecWords::tr("sequences")}, {"s", SpecWords::tr("s", "seconds")},
        {"MiB", SpecWords::tr("MiB")},       {"evaluations", SpecWords::tr("evaluations")}, {"nats", SpecWords::tr("nats")},           {"%", QStringLiteral("%")},
    };
    for (const auto &[name, words] : known)
        if (unit == name)
            return words;
    return QString::fromStdString(unit);
}

}  // namespace stillroom::widgets
