// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/choicebook.h"
#include "models/hybridchoice.h"
#include "models/jobfeed.h"
#include "models/layerselection.h"
#include "models/modeldescription.h"
#include "models/scorebook.h"
#include "store/recorder.h"
#include "store/workspace.h"

#include <QHash>
#include <QObject>
#include <QString>
#include <QTimer>
#include <QVector>

#include <filesystem>
#include <memory>
#include <optional>

namespace stillroom::widgets {

/// A point of a training curve.
struct CurvePoint {
    double tokens = 0.0, value = 0.0;
};

/// A hybrid that was distilled and measured.
struct MeasuredHybrid {
    experiment::LayerSet layers;
    QString mixer;
    double klNats = 0.0, seNats = 0.0;
    std::optional<double> recall, perplexity;
    QString run, task;              ///< where its curves are
};

/// What the window works on: a workspace, the open teacher, its scores, the choice, the job that runs. The pages are views of it.
class Session final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(Session)

public:
    /// \param procedure  the door to the compute rooms. \throws stillroom::Error as the store does
    Session(std::filesystem::path workspace, jobs::Procedure procedure, QObject *parent = nullptr);
    ~Session() override;

    [[nodiscard]] const std::filesystem::path &workspace() const { return m_workspace; }
    [[nodiscard]] const ModelDescription &teacher() const { return m_teacher; }
    [[nodiscard]] ScoreBook &scores() { return m_scores; }
    [[nodiscard]] HybridChoice &choice() { return m_choice; }
    [[nodiscard]] ChoiceBook &choices() { return m_choices; }
    [[nodiscard]] LayerSelection &selection() { return m_selection; }
    [[nodiscard]] JobFeed &job() { return m_job; }
    [[nodiscard]] QString probe() const { return m_probe; }
    void setProbe(const QString &mixer);
    /// Of the distillation that runs or ran last, else of the measured hybrid with the chosen layers.
    [[nodiscard]] const QVector<CurvePoint> &curve(const QString &series) const;
    /// Which softmax layers the hybrid of the curves keeps.
    [[nodiscard]] const experiment::LayerSet &curveLayers() const { return m_curveLayers; }
    /// The latest with these layers and the current probe.
    [[nodiscard]] std::optional<MeasuredHybrid> measured(const experiment::LayerSet &layers) const;
    /// The kind of the job that runs: "inspect", "score", "distill"; empty when none.
    [[nodiscard]] QString jobKind() const { return m_jobKind; }
    /// A run of this teacher that was interrupted and whose stage nobody has made since; its UUID, or empty.
    [[nodiscard]] QString resumableRun() const;

    void openTeacher(const QString &argument);      ///< a folder, a GGUF file, or "demo"
    /// \param settings  overrides of the spec's fields, by the form of the page. \param fresh  compute anew.
    void score(const nlohmann::json &settings, bool fresh);
    void distil(const nlohmann::json &settings);
    void resume(const QString &run);
    void cancel();

Q_SIGNALS:
    void teacherChanged();
    void probeChanged();
    void curveChanged(const QString &series);
    void hybridsChanged();
    void progress(const stillroom::experiment::Progress &progress, const QString &task);
    void notice(const QString &text);               ///< something worth a line in the page
    void problem(const QString &text);              ///< what failed, in one sentence
    void jobKindChanged();
    void stored();                                  ///< the store has taken something in

private:
    void start(const nlohmann::json &spec, bool resume, bool fresh, const QString &runId = {});
    void handle(const std::vector<experiment::Event> &events);
    void handleEnd(const experiment::Event &last);
    void loadStored();
    void loadScorings();
    void noteHybrid(const nlohmann::json &result, const QString &run, const QString &task);
    void showStoredCurves();

    std::filesystem::path m_workspace;
    jobs::Procedure m_procedure;
    store::Recorder m_recorder;
    store::Workspace m_store;
    ModelDescription m_teacher;
    QString m_probe = QStringLiteral("gdn"), m_pendingTeacher, m_jobKind;
    ScoreBook m_scores;
    HybridChoice m_choice;
    ChoiceBook m_choices;
    LayerSelection m_selection;
    QHash<QString, QVector<CurvePoint>> m_curves;
    experiment::LayerSet m_curveLayers;
    QTimer m_reading;                               ///< gathers what the store takes in at once
    std::vector<MeasuredHybrid> m_hybrids;          ///< oldest first
    JobFeed m_job;                                  ///< last: it goes first, and joins
};

}  // namespace stillroom::widgets
