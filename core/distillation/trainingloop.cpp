// SPDX-License-Identifier: GPL-3.0-or-later
#include "distillation/trainingloop.h"

#include "distillation/nonfinite.h"
#include "error.h"
#include "log.h"
#include "nn/torcherror.h"

#include <chrono>
#include <optional>

namespace stillroom::distillation {
namespace {

double steadySeconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

/// The checkpoints of one run of the loop.
class Saver {
public:
    Saver(TrainingStage &stage, const TrainingLoopOptions &options)
        : m_stage(stage), m_options(options), m_clock(options.clockSeconds ? options.clockSeconds : steadySeconds)
    {
        if (!options.checkpointFolder.empty())
            m_folder.emplace(options.checkpointFolder);
        m_lastSeconds = m_clock();
    }

    /// \return whether the stage is at its end already.
    bool resume()
    {
        if (!m_folder)
            return false;
        if (!m_options.resume) {
            m_folder->clear();
            return false;
        }
        const std::optional<TrainingState> state = m_folder->newest(m_options.key);
        if (!state)
            return false;
        m_stage.restore(*state);
        m_savedStep = state->step;
        return state->isFinal;      // a damaged end may have been passed over for an earlier step
    }

    void saveIfDue()
    {
        if (m_folder && m_clock() - m_lastSeconds >= m_options.checkpointSeconds)
            save();
    }

    /// Of the last complete step, unless nothing was done since the last one.
    void saveProgress()
    {
        if (m_folder && m_stage.step() > 0 && m_stage.step() != m_savedStep)
            save();
    }

    void saveFinal()
    {
        if (!m_folder)
            return;
        TrainingState state = m_stage.state(false);
        state.key = m_options.key;
        tell(m_folder->writeFinal(state));
    }

private:
    void save()
    {
        TrainingState state = m_stage.state(true);
        state.key = m_options.key;
        const std::filesystem::path written = m_folder->write(state);
        m_savedStep = state.step;
        m_lastSeconds = m_clock();
        tell(written);
    }

    void tell(const std::filesystem::path &written) const
    {
        if (m_options.onCheckpoint)
            m_options.onCheckpoint(m_stage.step(), m_stage.tokens(), written);
    }

    TrainingStage &m_stage;
    const TrainingLoopOptions &m_options;
    std::function<double()> m_clock;
    std::optional<CheckpointFolder> m_folder;
    std::int64_t m_savedStep = -1;
    double m_lastSeconds = 0.0;
};

void advanceToEnd(TrainingStage &stage, const TrainingLoopOptions &options, Saver &saver)
{
    while (stage.step() < stage.totalSteps()) {
        nn::throwIfStopped(options.stop);
        stage.advance(options.stop);
        if (options.onStep)
            options.onStep();
        saver.saveIfDue();
    }
}

/// What stopped the training is the error to tell: one of saving is logged.
void saveWhatThereIs(Saver &saver)
{
    try {
        saver.saveProgress();
    } catch (const std::exception &error) {
        log::error(error.what());
    }
}

/// Where the training stood, for an error of a forward pass, which knows no step; what was not finite is written beside the checkpoints, for one of the stage's own.
std::string whereAndWhat(const TrainingStage &stage, const TrainingLoopOptions &options)
{
    const std::optional<std::vector<NamedTensor>> tensors = stage.nonFinite();
    if (!tensors)
        return " It was in step " + std::to_string(stage.step()) + "; the weights of the last good step are kept.";
    if (tensors->empty() || options.checkpointFolder.empty())
        return {};
    try {
        return " What was not finite is in " + writeNonFiniteValues(options.checkpointFolder, stage.step(), *tensors).string() + '.';
    } catch (const std::exception &error) {
        log::error(error.what());
        return {};
    }
}

}  // namespace

void runTraining(TrainingStage &stage, const TrainingLoopOptions &options)
{
    Saver saver(stage, options);
    const bool finished = saver.resume();
    if (options.onStep)
        options.onStep();
    if (finished)
        return;
    try {
        advanceToEnd(stage, options, saver);
    } catch (const Error &error) {
        saveWhatThereIs(saver);
        if (error.code() == ErrorCode::NonFinite)
            throw Error(error.code(), error.what() + whereAndWhat(stage, options), error.detail());
        throw;
    } catch (...) {
        saveWhatThereIs(saver);
        throw;
    }
    saver.saveFinal();
}

}  // namespace stillroom::distillation
