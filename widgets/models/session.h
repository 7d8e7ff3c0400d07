// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/background.h"
#include "models/calibrationbook.h"
#include "models/choicebook.h"
#include "models/hybridchoice.h"
#include "models/jobfeed.h"
#include "models/layerselection.h"
#include "models/modeldescription.h"
#include "models/scorebook.h"
#include "models/storedresults.h"
#include "report/figurespec.h"
#include "store/recorder.h"
#include "store/workspace.h"

#include <QObject>
#include <QString>
#include <QTimer>

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace stillroom::widgets {

class JobRunner;
class KlCurves;
class ModelOpening;
class RankDraws;
struct QueuedJob;

/// What the window works on: a workspace, the open teacher, its scores, the choice, the job that runs. The pages are views of it.
/// The store is read on a thread of its own: what it holds of a teacher arrives a moment after teacherChanged.
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
    [[nodiscard]] CalibrationBook &calibrations() { return m_calibrations; }
    [[nodiscard]] RankDraws &rankDraws() { return *m_rankDraws; }
    [[nodiscard]] KlCurves &klCurves() { return *m_klCurves; }
    [[nodiscard]] LayerSelection &selection() { return m_selection; }
    [[nodiscard]] JobFeed &job() { return m_job; }
    [[nodiscard]] JobRunner &jobs() { return *m_jobs; }      ///< what waits for its turn, and what runs
    [[nodiscard]] ModelOpening &opening() { return *m_opening; }
    [[nodiscard]] QString probe() const { return m_probe; }
    void setProbe(const QString &mixer);
    /// Layers whose place at this K is within the error of the boundary: by paired differences over held-out sequences where the scoring kept its values, else by
    /// the intervals of the scores; none where the layers are not the first K of a ranking.
    [[nodiscard]] std::vector<int> unsettledLayers() const;
    /// Of the distillation that runs or ran last, else of the measured hybrid with the chosen layers.
    [[nodiscard]] const QVector<CurvePoint> &curve(const QString &series) const;
    /// Which softmax layers the hybrid of the curves keeps.
    [[nodiscard]] const experiment::LayerSet &curveLayers() const { return m_curveLayers; }
    /// The latest with these layers and the current probe.
    [[nodiscard]] std::optional<MeasuredHybrid> measured(const experiment::LayerSet &layers) const;
    /// How many there are of these layers and this probe.
    [[nodiscard]] int numMeasured(const experiment::LayerSet &layers) const;
    /// All of this teacher, oldest first.
    [[nodiscard]] std::vector<MeasuredHybrid> hybrids() const;
    /// The kind of the job that runs and is about this teacher: "inspect", "score", "distill", "calibrate"; empty when none, or when it is followed by the store alone.
    [[nodiscard]] QString jobKind() const { return m_jobKind; }
    /// Of a job that scores: with what.
    [[nodiscard]] QString jobSelector() const { return m_jobSelector; }
    /// A run of this teacher that was interrupted and whose stage nobody has made since; its UUID, or empty.
    [[nodiscard]] QString resumableRun() const { return m_stored.resumable.run; }
    [[nodiscard]] const ResumableRun &resumable() const { return m_stored.resumable; }

    /// Null where it has gone.
    [[nodiscard]] const store::Scoring *scoringOf(const ScoreBook::Source &source) const;
    [[nodiscard]] const store::Scoring *shownScoring() const;
    /// Where the scores that are shown come from. \param title  of what shows them
    [[nodiscard]] report::Provenance scoresProvenance(const std::string &title) const;
    /// A figure of these scores with the chosen K. \param plot  see report::plotNames
    [[nodiscard]] report::FigureSpec scoresSpec(const std::string &plot) const;

    /// Whatever runs; in the place of one that is being opened. \param argument  a folder, a GGUF file, or "demo"
    void openTeacher(const QString &argument);
    /// What is asked for with the open teacher, its probe and the chosen layers; what an experiment's own settings are laid over.
    [[nodiscard]] nlohmann::json scoreSpec() const;
    [[nodiscard]] nlohmann::json distilSpec() const;
    [[nodiscard]] nlohmann::json calibrateSpec() const;
    /// \param settings  overrides of the spec's fields, by the form of the page. \param fresh  compute anew.
    void score(const nlohmann::json &settings, bool fresh);
    void distil(const nlohmann::json &settings);
    void calibrate(const nlohmann::json &settings);
    /// Any experiment, on whatever teacher; an equal stage that is there is used. An inspected model becomes the teacher.
    void run(const nlohmann::json &spec);
    void resume(const QString &run);                ///< one that is paused in the queue, or was interrupted
    void cancel();                                  ///< the opening of a model, else the job that runs, else the first that is paused
    [[nodiscard]] bool canCancel() const;           ///< whether there is any of them that is not being cancelled already
    /// Does something with the store where it stops nobody; what it throws is said in the page. Errands run in their order; of those with one name only the newest waits.
    void withStore(const std::string &errand, std::function<Background::Answer(store::Workspace &)> work);

Q_SIGNALS:
    void teacherChanged();
    void probeChanged();
    void curveChanged(const QString &series);
    void hybridsChanged();
    void notice(const QString &text);               ///< something worth a line in the page
    void problem(const QString &text);              ///< what failed, in one sentence
    void jobKindChanged();
    void stored();                                  ///< the store has taken something in
    void storedRead();                              ///< what the store holds of the teacher is here

private:
    void start(const nlohmann::json &spec, bool resume, bool fresh, const QString &runId = {});
    [[nodiscard]] jobs::LaunchOptions launchOptions();
    void launch(const QueuedJob &job);
    void begin(const QueuedJob &job);
    /// What runs when its teacher is opened, or another one: some of it has been said already.
    void rejoin(const QueuedJob &job);
    void followDistillation(const QueuedJob &job, bool hasEarlier);
    void takeOpened(const std::string &spec, const experiment::Event &last);
    void handle(const std::vector<experiment::Event> &events);
    void handleEnd(const experiment::Event &last);
    void showTeacher(ModelDescription teacher);
    /// Every opening leaves one behind: of equal ones, which nobody named, tagged, annotated, pinned or locked, this one is enough.
    void forgetEarlierLooks(const std::string &run, const std::string &spec);
    void noteHybrid(const nlohmann::json &result, const QString &run);
    void readStored();
    void takeStored(const QString &teacher, StoredResults results);
    /// Whether the job that scored last has said more than the store knows.
    [[nodiscard]] bool isAhead(const StoredResults &results) const;
    /// Its scorings in the place of the stored ones of that run.
    [[nodiscard]] std::vector<store::Scoring> withLiveOnes(std::vector<store::Scoring> scorings) const;
    void showStoredCurves();
    void readCurves();
    void readEarlierCurves(const QString &run);      ///< of one that goes on: what comes live stands behind it
    void readCalibration();
    void readMaps(int layer);

    std::filesystem::path m_workspace;
    jobs::Procedure m_procedure;
    store::Recorder m_recorder;
    ModelDescription m_teacher;
    QString m_probe = QStringLiteral("gdn"), m_pendingTeacher, m_jobKind, m_jobSelector;
    std::string m_jobSpec;                          ///< JSON, completed
    std::string m_jobRun;                           ///< whose scores came last
    ScoreBook m_scores;
    HybridChoice m_choice;
    ChoiceBook m_choices;
    LayerSelection m_selection;
    CalibrationBook m_calibrations{m_selection};
    Curves m_curves;
    experiment::LayerSet m_curveLayers;
    std::map<std::pair<experiment::LayerSet, QString>, Curves> m_readCurves;     ///< by layers and probe, since the store last changed
    QTimer m_reading;                               ///< gathers what the store takes in at once
    bool m_readAgain = false;                       ///< once the job is over
    bool m_isReadOnTheWay = false;                  ///< the job is about this teacher, and what it says is read from the store
    std::string m_awaited;                          ///< run of the job that ended last, until the store knows: then it is read whatever runs
    StoredResults m_stored;                         ///< less its scorings, which the books hold
    std::vector<MeasuredHybrid> m_measured;         ///< in this session, oldest first; the store may not have taken them in yet
    store::Workspace m_store;                       ///< of the thread of m_background alone, but for its beginning and end
    Background m_background;
    JobFeed m_job;                                  ///< behind what its thread tells: it goes before that, and joins
    std::unique_ptr<JobRunner> m_jobs;              ///< drives it
    std::unique_ptr<ModelOpening> m_opening;
    RankDraws *m_rankDraws;                         ///< a child
    KlCurves *m_klCurves;                           ///< a child
};

}  // namespace stillroom::widgets
