// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "comparison/teacherchoices.h"
#include "store/scorings.h"

#include <QObject>
#include <QString>

#include <optional>
#include <string>
#include <vector>

namespace stillroom::widgets {

/// Every choice of layers that there is for the open teacher, with a name for people; scorings grow while a job scores, and those that were broken off are no choices.
class ChoiceBook final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(ChoiceBook)

public:
    /// Which scoring: one selector and probe in one run.
    struct ScoringKey {
        std::string run, task, selector, mixer;
        friend bool operator==(const ScoringKey &a, const ScoringKey &b) = default;
    };
    struct Entry {
        comparison::Choice choice;
        QString name;              ///< unique among the entries
        friend bool operator==(const Entry &a, const Entry &b) = default;
    };

    explicit ChoiceBook(QObject *parent = nullptr) : QObject(parent) {}
    void reset(const comparison::TeacherShape &teacher);
    void setScorings(std::vector<store::Scoring> scorings);
    /// Live: what a run has just measured. \param spec  of the run, complete JSON; empty where it is not known
    void add(const std::string &run, const std::string &task, const std::vector<experiment::LayerScore> &scores, const std::string &spec = {});
    /// The live scorings of a run have come to this.
    void endRun(const std::string &run, store::RunStatus status);
    void setByHand(std::optional<experiment::LayerSet> layers);

    [[nodiscard]] int numLayers() const { return m_teacher.numLayers; }
    [[nodiscard]] const std::vector<Entry> &entries() const { return m_entries; }
    /// Oldest first.
    [[nodiscard]] const std::vector<store::Scoring> &scorings() const { return m_scorings; }
    /// Counts how often they were read anew. Between, each only grows: its evaluations are those that it had, and some after them.
    [[nodiscard]] int generation() const { return m_generation; }
    [[nodiscard]] const store::Scoring *scoring(const ScoringKey &key) const;
    /// The newest of this selector and probe, or null.
    [[nodiscard]] const store::Scoring *latest(const std::string &selector, const std::string &mixer) const;
    /// As the entries are called; of one that was broken off, which is no entry, with that word.
    [[nodiscard]] QString scoringName(const store::Scoring &scoring) const;
    /// With what it measures, what tells it from others like it, and how far it got where it did not end: "GA-S2 (short distillation) · probe GDN · seed 2 · stopped at 12 k tokens".
    [[nodiscard]] QString scoresLabel(const store::Scoring &scoring) const;
    [[nodiscard]] static ScoringKey keyOf(const store::Scoring &scoring) { return {scoring.run, scoring.task, scoring.selector, scoring.mixer}; }

Q_SIGNALS:
    void scoringsChanged();            ///< also when one has grown
    void entriesChanged();             ///< other choices, or other layers chosen

private:
    /// Where its entry goes on in a scoring that has grown; whether that is enough, because there are neither other entries nor other names.
    [[nodiscard]] bool renew(const store::Scoring &scoring, bool &isOther);
    void rebuild();
    void tellScoringsApart();
    comparison::TeacherShape m_teacher;
    std::vector<comparison::Choice> m_unmeasured;      ///< of the teacher: no job changes them
    std::vector<store::Scoring> m_scorings;
    std::vector<QString> m_distinctions;               ///< of each scoring from the others of its selector and probe; empty where there is no other
    int m_generation = 0;
    std::optional<experiment::LayerSet> m_byHand;
    std::vector<Entry> m_entries;
};

}  // namespace stillroom::widgets
