// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "experiment/spec.h"
#include "jobs/run.h"
#include "nn/tinymodel.h"
#include "procedures/procedures.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace stillroom::test {

/// A workspace and a tiny teacher for the recall task, gone at the end.
class Workshop {
public:
    explicit Workshop(int vocabSize = 40, int hiddenSize = tinyConfig().hiddenSize, int numLayers = tinyConfig().numLayers)
    {
        std::string pattern = (std::filesystem::temp_directory_path() / "stillroom-procedures-XXXXXX").string();
        REQUIRE(::mkdtemp(pattern.data()) != nullptr);
        folder = pattern;
        checkpoint::ModelConfig config = tinyConfig();
        config.vocabSize = vocabSize;
        config.hiddenSize = hiddenSize;
        config.numLayers = numLayers;
        config.layers.assign(static_cast<std::size_t>(numLayers), {});
        config.slidingWindow.assign(static_cast<std::size_t>(numLayers), 0);
        nn::Transformer teacher = tinyModel(config);
        nn::saveTransformer(teacher, folder / "teacher");
    }
    ~Workshop() { std::filesystem::remove_all(folder); }
    Workshop(const Workshop &) = delete;
    Workshop &operator=(const Workshop &) = delete;

    experiment::Event run(const nlohmann::json &spec, bool fresh = false, bool resume = false, std::stop_token stop = {})
    {
        jobs::RunContext context;
        context.workspace = folder / "workspace";
        context.run = jobs::newUuid();
        context.fresh = fresh;
        context.resume = resume;
        context.stop = std::move(stop);
        events.clear();
        return jobs::run(experiment::completeSpec(spec), context, procedure, [this](const experiment::Event &event) {
            events.push_back(event);
            if (onEvent)
                onEvent(event);
        });
    }
    nlohmann::json result(const nlohmann::json &spec, bool fresh = false)
    {
        const experiment::Event last = run(spec, fresh);
        if (const auto *failed = std::get_if<experiment::Failed>(&last.body))
            FAIL(failed->message);
        return nlohmann::json::parse(std::get<experiment::Finished>(last.body).resultJson);
    }
    [[nodiscard]] bool said(const std::string &name) const
    {
        for (const experiment::Event &event : events)
            if (const auto *text = std::get_if<experiment::Text>(&event.body); text && text->name == name)
                return true;
        return false;
    }
    /// What the run before warned about.
    [[nodiscard]] std::vector<std::string> warnings() const
    {
        std::vector<std::string> texts;
        for (const experiment::Event &event : events)
            if (const auto *warning = std::get_if<experiment::Warning>(&event.body))
                texts.push_back(warning->message);
        return texts;
    }
    [[nodiscard]] nlohmann::json spec(const std::string &kind) const
    {
        // On the CPU: bits are compared with computations in float32 there.
        return {{"kind", kind}, {"teacher", (folder / "teacher").string()}, {"device", "cpu"}, {"steps", 4}, {"batch_sequences", 4},
                {"data", {{"source", "recall-task"}, {"sequence_length", 24}, {"held_out_sequences", 6},
                          {"recall", {{"num_keys", 16}, {"num_values", 16}, {"num_fillers", 8}, {"pairs", 3}}}}}};
    }
    [[nodiscard]] nlohmann::json withAlignment(const std::string &kind) const
    {
        nlohmann::json made = spec(kind);
        made["alignment"] = {{"steps", 5}, {"batch_sequences", 4}};
        return made;
    }

    std::filesystem::path folder;
    std::vector<experiment::Event> events;
    std::function<void(const experiment::Event &event)> onEvent;
    jobs::Procedure procedure = procedures::allProcedures();
};

}  // namespace stillroom::test
