// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

/// Settings to start an experiment from: those that ship, and a person's own, which are files in the workspace (presets/NAME.json).
/// A preset says how, not on what: teacher, kept layers and the like stay those of the spec that it is laid over.
namespace stillroom::widgets {

struct SpecPreset {
    QString name, purpose;
    nlohmann::json spec;                 ///< with its kind
};

/// Of this kind, in words of the person's language.
[[nodiscard]] std::vector<SpecPreset> shippedPresets(const QString &kind);
/// The spec with the preset's settings in the place of its own. \param spec  of the preset's kind
[[nodiscard]] nlohmann::json withPreset(const nlohmann::json &spec, const nlohmann::json &preset);

class OwnPresets final {
public:
    explicit OwnPresets(const std::filesystem::path &workspace);
    /// \param problems  where what cannot be read goes, a sentence each
    [[nodiscard]] std::vector<SpecPreset> list(const QString &kind, QStringList *problems = nullptr) const;
    [[nodiscard]] bool has(const QString &name) const;
    /// Takes the place of one with that name. \throws Error(Io)
    void save(const QString &name, const nlohmann::json &spec) const;
    /// What it was, so that saving it again undoes this; nothing where there was none. \throws Error(Io)
    std::optional<SpecPreset> remove(const QString &name) const;

private:
    [[nodiscard]] QString pathOf(const QString &name) const;
    QString m_folder;
};

}  // namespace stillroom::widgets
