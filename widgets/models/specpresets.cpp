// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/specpresets.h"

#include "error.h"
#include "experiment/jsontext.h"
#include "experiment/spectext.h"
#include "models/specdocument.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QSaveFile>
#include <QUrl>

#include <algorithm>
#include <array>
#include <utility>

namespace stillroom::widgets {
namespace {

using nlohmann::json;

struct Presets {
    Q_DECLARE_TR_FUNCTIONS(Presets)
};

/// What an experiment is about. Where its data comes from is too, but not how long its sequences are.
constexpr std::array subjectFields{"kind", "teacher", "model", "mixer", "init", "keep", "keep_count", "keep_percent", "scores", "layers", "tokens_file", "text", "prompt", "name", "notes"};
constexpr std::array subjectDataFields{"source", "files", "held_out_files", "held_out_fraction", "text_field", "recall"};

template <typename Names>
json only(const json &object, const Names &names)
{
    json chosen = json::object();
    for (const char *name : names)
        if (object.is_object() && object.contains(name))
            chosen[name] = object.at(name);
    return chosen;
}

json settingsOf(json spec)
{
    for (const char *name : subjectFields)
        if (std::string_view(name) != "kind" && std::string_view(name) != "mixer")
            spec.erase(name);
    if (spec.contains("data") && spec.at("data").is_object())
        for (const char *name : {"files", "held_out_files"})
            spec["data"].erase(name);
    return spec;
}

/// Stage 1 as published: 100 M tokens in sequences of 512.
json publishedStageOne()
{
    return {{"tokens", 100'000'000}, {"batch_sequences", 96}, {"loss", "rms"}, {"weight_decay", 0.01}, {"data", {{"sequence_length", 512}, {"isolate_documents", false}}}};
}

json publishedStageTwo(const char *kind, std::int64_t tokens)
{
    return {{"kind", kind}, {"tokens", tokens}, {"batch_sequences", 32}, {"micro_batch_sequences", 2}, {"fast_group", "published"},
            {"data", {{"sequence_length", 4096}, {"isolate_documents", false}}}, {"alignment", publishedStageOne()}};
}

/// The first look that the quick dialogs offer.
json quick(const char *kind)
{
    return {{"kind", kind}, {"data", {{"held_out_sequences", 16}}}, {"alignment", {{"tokens", 200'000}, {"batch_sequences", 4}}}};
}

json quickStageTwo(const char *kind)
{
    json spec = quick(kind);
    spec.update({{"tokens", 100'000}, {"batch_sequences", 4}});
    return spec;
}

std::vector<SpecPreset> allShipped()
{
    json zeroShot = quick("score"), gaS2 = quickStageTwo("score"), aligned = publishedStageOne(), paperScore = publishedStageTwo("score", 200'000'000);
    zeroShot["selector"] = "zero-shot-ga";
    gaS2["selector"] = paperScore["selector"] = "ga-s2";
    aligned["kind"] = "align";
    const json quickPipeline = {{"kind", "pipeline"}, {"stages", {{{"task", "score"}, {"spec", zeroShot}},
                                                                 {{"task", "distil"}, {"spec", quickStageTwo("distill")}}}}};
    const QString quickName = Presets::tr("Quick look"), paperName = Presets::tr("As published");
    return {
        {quickName, Presets::tr("Which layers matter, within minutes: no training after a stage 1 of 200 k tokens, 16 held-out sequences."), zeroShot},
        {Presets::tr("Short distillation"), Presets::tr("GA-S2 on 100 k tokens for each layer after a stage 1 of 200 k: what the short dialog starts with."), gaS2},
        {paperName, Presets::tr("GA-S2 with the lengths and learning rates of its published code: stage 1 on 100 M tokens, 200 M for each layer. Days on GPUs."), paperScore},
        {quickName, Presets::tr("Whether the hybrid works at all: stage 1 on 200 k tokens, stage 2 on 100 k."), quickStageTwo("distill")},
        {paperName, Presets::tr("The lengths and learning rates of the published code: stage 1 on 100 M tokens, stage 2 on 600 M."), publishedStageTwo("distill", 600'000'000)},
        {quickName, Presets::tr("Phase 1 alone: a closed form, read off the teacher within seconds."), {{"kind", "calibrate"}, {"arm", "phase-1"}}},
        {paperName, Presets::tr("What the published code does, its scattered rows and its 4 sequences of 256 tokens included: only to reproduce it."),
         {{"kind", "calibrate"}, {"recipe", "published"}, {"sequences", 4}, {"mixer", {{"expand", "row"}}}, {"data", {{"sequence_length", 256}}}}},
        {quickName, Presets::tr("Stage 1 on 200 k tokens: how well each layer can be imitated."), {{"kind", "align"}, {"tokens", 200'000}, {"batch_sequences", 4}}},
        {paperName, Presets::tr("The published stage 1: 100 M tokens in sequences of 512, RMS distance."), aligned},
        {quickName, Presets::tr("16 held-out sequences: enough to see what is broken."), {{"kind", "evaluate"}, {"data", {{"held_out_sequences", 16}}}}},
        {quickName, Presets::tr("Zero-shot scores, then a short distillation of the hybrid that keeps the best quarter of the layers."), quickPipeline},
    };
}

void mergeStages(json &spec, const json &preset)
{
    json stages = json::array();
    const json before = spec.value("stages", json::array());
    for (std::size_t i = 0; i < preset.size(); ++i) {
        json stage = preset.at(i);
        if (!stage.is_object()) {      // the text says so, at its line
            stages.push_back(std::move(stage));
            continue;
        }
        const json own = stage.value("spec", json::object());
        for (const json &old : before)
            if (old.is_object() && SpecDocument::kindOf(old.value("spec", json())) == SpecDocument::kindOf(own))
                stage["spec"] = withPreset(old.at("spec"), own);
        stages.push_back(std::move(stage));
    }
    spec["stages"] = std::move(stages);
}

}  // namespace

std::vector<SpecPreset> shippedPresets(const QString &kind)
{
    std::vector<SpecPreset> presets = allShipped();
    std::erase_if(presets, [&](const SpecPreset &one) { return SpecDocument::kindOf(one.spec) != kind; });
    return presets;
}

json withPreset(const json &spec, const json &preset)
{
    json merged = only(spec, subjectFields);
    const json data = spec.value("data", json());
    if (data.is_object())
        merged["data"] = only(data, subjectDataFields);
    json patch = preset;
    if (merged.contains("init") && patch.is_object())
        patch.erase("alignment");      // two ways to start: the spec's own holds
    // Data of stage 1 is data of its own, not a change of the rest's: it comes from the same files.
    if (patch.contains("alignment") && patch.at("alignment").is_object() && patch.at("alignment").contains("data")) {
        json own = merged.value("data", json::object());
        own.merge_patch(patch.at("alignment").at("data"));
        patch["alignment"]["data"] = std::move(own);
    }
    const json stages = patch.value("stages", json());
    patch.erase("stages");
    merged.merge_patch(patch);
    if (stages.is_array()) {
        merged["stages"] = spec.value("stages", json::array());
        mergeStages(merged, stages);
    }
    return merged;
}

OwnPresets::OwnPresets(const std::filesystem::path &workspace) : m_folder(QString::fromStdString((workspace / "presets").string())) {}

QString OwnPresets::pathOf(const QString &name) const
{
    return m_folder + QLatin1Char('/') + QString::fromLatin1(QUrl::toPercentEncoding(name, " ")) + QStringLiteral(".json");
}

std::vector<SpecPreset> OwnPresets::list(const QString &kind, QStringList *problems) const
{
    std::vector<SpecPreset> presets;
    for (const QFileInfo &file : QDir(m_folder).entryInfoList({QStringLiteral("*.json")}, QDir::Files, QDir::Name | QDir::IgnoreCase)) {
        try {
            const json spec = experiment::parseJson(experiment::readTextFile(file.filePath().toStdString(), experiment::maximumSpecBytes, "The preset"), "The preset");
            if (SpecDocument::kindOf(spec).isEmpty())
                throw Error(ErrorCode::BadFile, "it is no experiment: an object with a kind is one");
            if (SpecDocument::kindOf(spec) == kind)
                presets.push_back({QUrl::fromPercentEncoding(file.completeBaseName().toUtf8()), Presets::tr("Your own: %1").arg(file.filePath()), spec});
        } catch (const Error &error) {
            if (problems)
                *problems << Presets::tr("The preset %1 cannot be read: %2").arg(file.fileName(), QString::fromStdString(error.what()));
        }
    }
    return presets;
}

bool OwnPresets::has(const QString &name) const
{
    return QFile::exists(pathOf(name));
}

void OwnPresets::save(const QString &name, const json &spec) const
{
    QSaveFile file(pathOf(name));
    const std::string text = experiment::specText(settingsOf(experiment::withoutDefaults(spec)));
    if (!QDir().mkpath(m_folder) || !file.open(QIODevice::WriteOnly) || file.write(text.data(), static_cast<qint64>(text.size())) < 0 || !file.commit())
        throw Error(ErrorCode::Io, Presets::tr("The preset cannot be written to %1: check the folder's permissions and the room on its disk.").arg(m_folder).toStdString(), file.errorString().toStdString());
}

std::optional<SpecPreset> OwnPresets::remove(const QString &name) const
{
    const QString path = pathOf(name);
    if (!QFile::exists(path))
        return std::nullopt;
    const std::string what = "The preset";
    SpecPreset old{name, {}, experiment::parseJson(experiment::readTextFile(path.toStdString(), experiment::maximumSpecBytes, what), what)};
    if (!QFile::remove(path))
        throw Error(ErrorCode::Io, Presets::tr("The preset %1 cannot be deleted: check the folder's permissions.").arg(path).toStdString());
    return old;
}

}  // namespace stillroom::widgets
