// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobs/places.h"

#include "error.h"
#include "experiment/event.h"
#include "freedpages.h"
#include "log.h"

#include <atomic>
#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>
#include <utility>

namespace stillroom::jobs {

namespace {

class ThreadJob final : public Job {
public:
    ThreadJob(nlohmann::json spec, LaunchOptions options) : m_spec(std::move(spec)), m_options(std::move(options))
    {
        m_thread = std::jthread([this](const std::stop_token &stop) { work(stop); });
    }
    ~ThreadJob() override = default;         // the thread is asked to stop and joined

    [[nodiscard]] const std::string &runId() const override { return m_options.runId; }
    void requestStop() override { m_thread.request_stop(); }
    [[nodiscard]] bool finished() const override { return m_finished; }
    void wait() override { m_finished.wait(false); }

private:
    void work(const std::stop_token &stop)
    {
        RunContext context{.workspace = m_options.workspace, .run = m_options.runId, .sink = {}, .taskSink = {}, .stop = stop, .resume = m_options.resume, .fresh = m_options.fresh};
        try {
            run(m_spec, std::move(context), m_options.procedure, m_options.observer);
        } catch (const Error &error) {
            sayFailed(error);
        } catch (const std::exception &error) {      // out of memory, say: it must not end the program whose thread this is
            sayFailed(Error(ErrorCode::Failed, "The run could not be begun or kept; the detail says why.", error.what()));
        }
        returnFreedPages();          // the program goes on without the job's memory
        m_finished = true;
        m_finished.notify_all();
    }

    /// The run's file could not be opened, so only the observer can hear of it.
    void sayFailed(const Error &error) const
    {
        log::error(error.what());
        if (!m_options.observer)
            return;
        const double now = std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
        m_options.observer({.run = m_options.runId, .task = m_spec.value("kind", ""), .seq = 0, .timeSeconds = now,
                            .body = experiment::Failed{.code = codeName(error.code()), .message = error.what(), .detail = error.detail()}});
    }

    const nlohmann::json m_spec;
    const LaunchOptions m_options;
    std::atomic<bool> m_finished{false};
    std::jthread m_thread;                   // last: it ends before the rest goes
};

}  // namespace

std::unique_ptr<Job> startThreadJob(const nlohmann::json &completedSpec, LaunchOptions options)
{
    return std::make_unique<ThreadJob>(completedSpec, std::move(options));
}

}  // namespace stillroom::jobs
