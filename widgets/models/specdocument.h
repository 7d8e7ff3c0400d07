// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiment/spectext.h"

#include <QObject>
#include <QString>

#include <map>
#include <vector>

namespace stillroom::widgets {

/// A spec that is being written, as a text and as a form at once: each follows the other. What is wrong in one leaves the other as it was.
/// Places are paths as core's messages have them: "data.files", "stages[1].spec.steps".
class SpecDocument final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(SpecDocument)

public:
    explicit SpecDocument(QObject *parent = nullptr);

    [[nodiscard]] const QString &text() const { return m_text; }
    /// What a form shows: the last text that one could.
    [[nodiscard]] const nlohmann::json &spec() const { return m_spec; }
    [[nodiscard]] QString kind() const { return kindOf(m_spec); }
    /// The value at a place; null where it is left to its default.
    [[nodiscard]] nlohmann::json at(const std::string &path) const;
    /// With every default; null while something is wrong.
    [[nodiscard]] const nlohmann::json &completed() const { return m_completed; }
    /// What is worth keeping of it: what differs from the defaults.
    [[nodiscard]] const nlohmann::json &essence() const { return m_essence; }
    [[nodiscard]] const std::optional<experiment::SpecFault> &fault() const { return m_fault; }
    /// Why the field there does not take what stands in the form, or where the text is wrong; empty: nothing is.
    [[nodiscard]] QString problemAt(const std::string &path) const;
    [[nodiscard]] std::vector<std::string> problems() const;  ///< where something is wrong; empty path: with the text as a whole
    [[nodiscard]] bool isValid() const { return !m_completed.is_null() && m_refused.empty(); }
    [[nodiscard]] bool showsDefaults() const { return m_showsDefaults; }

    void write(const QString &text);                          ///< by hand
    void replace(const nlohmann::json &spec);                 ///< a preset, a file, a run
    void set(const std::string &path, const nlohmann::json &value);   ///< by the form; null: left to the default
    void refuse(const std::string &path, const QString &why); ///< the form holds something there that the spec cannot
    [[nodiscard]] bool isRefused(const std::string &path) const { return m_refused.contains(path); }
    void blame(const QString &why);                           ///< something that only the experiment itself knows
    void showDefaults(bool all);                              ///< in the text

    [[nodiscard]] static QString kindOf(const nlohmann::json &spec);

Q_SIGNALS:
    void rewritten();                                         ///< the text, otherwise than by hand
    void specChanged();
    void judged();                                            ///< valid or not, and why

private:
    void rewrite();
    void judge(experiment::SpecReading reading);

    QString m_text;
    nlohmann::json m_spec = nlohmann::json::object(), m_essence = nlohmann::json::object(), m_completed;
    std::optional<experiment::SpecFault> m_fault;
    std::map<std::string, QString> m_refused;
    bool m_showsDefaults = false;
};

}  // namespace stillroom::widgets
