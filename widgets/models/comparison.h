// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "analysis/computetime.h"
#include "models/background.h"
#include "models/session.h"
#include "store/experimentrows.h"

#include <QObject>
#include <QStringList>

#include <nlohmann/json.hpp>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace stillroom::widgets {

/// The points of a curve, ascending steps. They may be millions: whoever looks at them shares them, and never copies them.
using SharedCurve = std::shared_ptr<const std::vector<store::MetricPoint>>;

/// How a curve was read of a run that may go on.
struct ReadState {
    std::string session;           ///< that the run was in: a run that goes on from a checkpoint writes the steps behind it anew, and is in another one
    bool onlyGrows = false;        ///< its last point is of that session, which adds points behind it and changes none
};

/// One experiment beside others: what it is, its spec and its curves.
struct ComparedExperiment {
    store::ExperimentRow row;
    nlohmann::json spec;                                                ///< of the run or of its stage; null where it cannot be read
    std::map<QString, SharedCurve> curves;                              ///< by series; none of them null
    std::map<QString, ReadState> readStates = {};                       ///< of each of them
    std::vector<analysis::Pause> pauses;                                ///< between the sessions of one that was resumed
    bool isRead = false;                                                ///< spec, curves and pauses are here
    bool isFinal = false;                                               ///< they were read after its end: they stay as they are
    int look = 0;                                                       ///< which colour, dash and hatch, see report::runLooks
    QString ownName = {};                                               ///< several may have the same
    QString distinction = {};                                           ///< "seed 2", "run 1a2b3c4d": what tells it from another of that name; else empty
    /// Unique among those that stand side by side.
    [[nodiscard]] QString name() const;
};

/// What stays of it: its UUID, with "/" and its task where it is a stage of a pipeline.
[[nodiscard]] std::string identityOf(const store::ExperimentRow &row);
/// None where it was not measured, or is not finite.
[[nodiscard]] std::optional<double> measureOf(const ComparedExperiment &one, const std::string &measure);
/// Over how many held-out sequences the standard error of the measure is; of perplexity, which has none, the tokens. None where that is not known.
[[nodiscard]] std::optional<std::int64_t> countOf(const ComparedExperiment &one, const std::string &measure);
/// The standard error of that measure, in its unit; none where it is not known.
[[nodiscard]] std::optional<double> errorOf(const ComparedExperiment &one, const std::string &measure);
/// Half of the 95 % interval of that measure, in its unit, by Student's t. None where its standard error is not known, or over how many sequences it is: any guess of that could be too narrow.
[[nodiscard]] std::optional<double> reachOf(const ComparedExperiment &one, const std::string &measure);

/// Of a run, or of that stage of a pipeline; null where it cannot be read. \param specJson  the run's. \param task  empty: the run itself
[[nodiscard]] nlohmann::json specOfStage(const std::string &specJson, const std::string &task);

/// Two to six experiments side by side; the first one is the baseline. Specs and curves, and the rows of those that have not finished, are read where they stop nobody.
class Comparison final : public QObject {
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(Comparison)

public:
    static constexpr int most = 6;

    explicit Comparison(Session &session, QObject *parent = nullptr);
    /// The first `most` of them.
    void compare(const std::vector<store::ExperimentRow> &rows);
    void remove(int place);
    /// Makes it the first one.
    void makeBaseline(int place);
    [[nodiscard]] const std::vector<ComparedExperiment> &experiments() const { return m_experiments; }
    /// Names of the curves that at least one has.
    [[nodiscard]] QStringList series() const;
    /// Measures, see isCompared, that at least one has: KL, perplexity and recall, then by name.
    [[nodiscard]] std::vector<std::string> measures() const;
    /// Where its curves are made ready to be drawn: not where the store is read, which may take longer.
    [[nodiscard]] Background &drawing() { return m_drawing; }

Q_SIGNALS:
    void changed();

private:
    void read();
    void take(std::vector<ComparedExperiment> &read);
    void nameAll();
    void giveLooks();

    Session &m_session;
    std::vector<ComparedExperiment> m_experiments;
    int m_asked = 0;
    Background m_drawing;
};

}  // namespace stillroom::widgets
