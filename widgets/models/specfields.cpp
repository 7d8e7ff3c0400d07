// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/specfields.h"

#include "error.h"
#include "experiment/spec.h"
#include "views/names.h"

#include <nlohmann/json.hpp>

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>

namespace stillroom::widgets {
namespace {

struct SpecFields {
    Q_DECLARE_TR_FUNCTIONS(SpecFields)
};

void flattenInto(const nlohmann::json &value, const std::string &path, std::map<std::string, nlohmann::json> &fields)
{
    if (value.is_object() && !value.empty())
        for (const auto &[name, inner] : value.items())
            flattenInto(inner, path.empty() ? name : path + '.' + name, fields);
    else if (!path.empty())
        fields[path] = value;
}

void addDefaults(const std::vector<experiment::Field> &fields, const std::string &path, std::map<std::string, nlohmann::json> &defaults)
{
    for (const experiment::Field &field : fields) {
        const std::string own = path.empty() ? field.name : path + '.' + field.name;
        if (const nlohmann::json preset = nlohmann::json::parse(field.defaultJson, nullptr, false); !preset.is_discarded() && !preset.is_null())
            flattenInto(preset, own, defaults);
        if (field.type == experiment::FieldType::Object)
            addDefaults(field.fields, own, defaults);
    }
}

QString numberWords(const nlohmann::json &value)
{
    return value.is_number_integer() ? QLocale().toString(static_cast<qint64>(value.get<std::int64_t>())) : QLocale().toString(value.get<double>(), 'g', 7);
}

QString textWords(const std::string &path, const QString &text)
{
    const QString stage = QStringLiteral("stage:");
    if (text.startsWith(stage))
        return SpecFields::tr("of the stage %1").arg(text.mid(stage.size()));
    if (path == "selector")
        return selectorMark(text);
    if (path == "mixer.kind")
        return probeName(text);
    return fieldChoiceName(text);
}

}  // namespace

std::map<std::string, nlohmann::json> flatFields(const nlohmann::json &spec)
{
    std::map<std::string, nlohmann::json> fields;
    flattenInto(spec, {}, fields);
    return fields;
}

QString specFieldName(const std::string &path)
{
    const QStringList parts = QString::fromStdString(path).split(QLatin1Char('.'));
    static const QStringList plain{QStringLiteral("mixer"), QStringLiteral("data"), QStringLiteral("recall")};      // whose fields are known by their own names
    QStringList names;
    for (qsizetype i = 0; i < parts.size(); ++i)
        if (i + 1 == parts.size() || !plain.contains(parts[i]))
            names << fieldName(i == 0 ? QString() : parts[i - 1], parts[i]);
    return names.join(QStringLiteral(" › "));
}

QString specValueText(const std::string &path, const nlohmann::json &value)
{
    if (value.is_null() || (value.is_structured() && value.empty()))
        return QStringLiteral("–");
    if (value.is_boolean())
        return value.get<bool>() ? SpecFields::tr("yes") : SpecFields::tr("no");
    if (value.is_number())
        return numberWords(value);
    if (value.is_string())
        return textWords(path, QString::fromStdString(value.get<std::string>()));
    if (value.is_array() && std::none_of(value.begin(), value.end(), [](const nlohmann::json &one) { return one.is_structured(); })) {
        QStringList words;
        for (const nlohmann::json &one : value)
            words << specValueText(path, one);
        return words.join(QStringLiteral(", "));
    }
    QStringList parts;
    for (const auto &[name, inner] : value.items())
        parts << (value.is_array() ? specValueText(path, inner) : SpecFields::tr("%1 %2", "field of a spec, its value").arg(specFieldName(path + '.' + name), specValueText(path + '.' + name, inner)));
    return parts.join(QStringLiteral("; "));
}

QString distinctionText(const std::vector<experiment::SpecValue> &distinction)
{
    QStringList parts;
    for (const experiment::SpecValue &one : distinction) {
        const nlohmann::json value = nlohmann::json::parse(one.json, nullptr, false);
        const QString shown = specValueText(one.path, value.is_discarded() ? nlohmann::json() : value);
        parts << (one.path == "seed" && value.is_number_integer() ? seedName(value.get<std::int64_t>()) : SpecFields::tr("%1 %2", "field of a spec, its value").arg(specFieldName(one.path), shown));
    }
    return parts.join(QStringLiteral(" · "));
}

std::vector<QString> distinctionTexts(const std::vector<experiment::Sibling> &siblings, const std::vector<std::string> &runs)
{
    std::vector<QString> texts;
    std::map<QString, int> alike;
    for (const auto &distinction : experiment::distinctions(siblings))
        ++alike[texts.emplace_back(distinctionText(distinction))];
    for (std::size_t i = 0; i < texts.size(); ++i)
        if (alike.at(texts[i]) > 1) {
            const QString run = runName(QString::fromStdString(runs[i]));
            texts[i] = texts[i].isEmpty() ? run : distinctName(texts[i], run);
        }
    return texts;
}

std::vector<SpecFieldText> changedFields(const nlohmann::json &spec)
{
    std::vector<SpecFieldText> changed;
    if (!spec.is_object() || !spec.contains("kind") || !spec.at("kind").is_string())
        return changed;
    std::map<std::string, nlohmann::json> defaults;
    // What names it, what changes no number, and the set, which the result says as it came out.
    static const std::set<std::string> untold{"kind", "name", "notes", "threads", "device", "schema", "checkpoint_interval_seconds", "keep", "keep_count", "keep_percent"};
    try {
        addDefaults(experiment::kindSchema(spec.at("kind").get<std::string>()).fields, {}, defaults);
    } catch (const Error &) {      // of a kind that this version does not know: all of it is told
    }
    for (const auto &[path, value] : flatFields(spec)) {
        const auto known = defaults.find(path);
        if (!untold.contains(path) && (known == defaults.end() ? !value.is_null() && !(value.is_structured() && value.empty()) : known->second != value))
            changed.push_back({specFieldName(path), specValueText(path, value)});
    }
    return changed;
}

}  // namespace stillroom::widgets
