// SPDX-License-Identifier: GPL-3.0-or-later
#include "steppedwork.h"

#include "error.h"
#include "madeup.h"
#include "store/lines.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>

namespace stillroom::test {
namespace {

/// Takes its time to go, as the memory of a large model does.
struct Lingering final {
    Lingering() = default;
    Lingering(const Lingering &) = delete;
    Lingering &operator=(const Lingering &) = delete;
    ~Lingering() { std::this_thread::sleep_for(std::chrono::milliseconds(200)); }
};

}  // namespace

nlohmann::json SteppedWork::operator()(const nlohmann::json &spec, jobs::RunContext &context)
{
    const auto kind = spec.at("kind").get<std::string>();
    if (kind == "inspect")
        return open(spec.at("model").get<std::string>(), context);
    note(kind, context);
    if (lingers)
        context.sink = [sink = context.sink, slow = std::make_shared<Lingering>()](const experiment::EventBody &body) { sink(body); };
    mostAtOnce = std::max<int>(mostAtOnce, ++atOnce);
    try {
        steps(kind, context);
    } catch (...) {
        --atOnce;
        throw;
    }
    --atOnce;
    return {{"kind", kind}};
}

void SteppedWork::holdOpening(const std::string &model)
{
    const std::lock_guard lock(mutex);
    heldModel = model;
}

bool SteppedWork::isHeld(const std::string &model)
{
    const std::lock_guard lock(mutex);
    return heldModel == model;
}

nlohmann::json SteppedWork::open(const std::string &model, jobs::RunContext &context)
{
    context.sink(experiment::Progress{"description", 1, 4, 0, 0.0, {}});
    while (isHeld(model)) {
        if (context.stop.stop_requested() && !isDeaf)
            throw Error(ErrorCode::Cancelled, "cancelled");
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return description();
}

void SteppedWork::note(const std::string &kind, const jobs::RunContext &context)
{
    const std::lock_guard lock(mutex);
    calls.push_back({kind, context.run, context.resume, context.fresh});
}

void SteppedWork::steps(const std::string &kind, jobs::RunContext &context)
{
    for (std::int64_t step = 1; step <= numSteps; ++step) {
        context.sink(experiment::Progress{"stage 2", step, numSteps, step * 100, 0.1 * static_cast<double>(step), {}});
        if (warns)
            context.sink(experiment::Warning{"the learning rate is high"});
        if (kind == "score")
            context.sink(scoreOf(static_cast<int>(step) % numLayers, 0.5, 100));
        if (kind == "distill")
            context.sink(experiment::Metric{"distill/kl", step, step * 100, 1.0 / static_cast<double>(step), "nats/token"});
        while (hold && !failNext && step >= holdAt && !context.stop.stop_requested())
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        if (context.stop.stop_requested()) {
            context.sink(experiment::CheckpointSaved{step, step * 100, "checkpoints/made-up/step"});
            throw Error(ErrorCode::Cancelled, "cancelled");
        }
        if (failNext.exchange(false))
            throw Error(ErrorCode::Failed, "the disk is full");
    }
}

std::vector<SteppedWork::Call> SteppedWork::made()
{
    const std::lock_guard lock(mutex);
    return calls;
}

}  // namespace stillroom::test
