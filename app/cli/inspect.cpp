// SPDX-License-Identifier: GPL-3.0-or-later
#include "bytesize.h"
#include "commands.h"
#include "error.h"
#include "folders.h"
#include "formatted.h"
#include "procedures/attentionsummary.h"
#include "procedures/finiteweights.h"
#include "procedures/modelargument.h"
#include "procedures/modeldescription.h"
#include "shownname.h"
#include "warningline.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <iostream>

namespace stillroom::cli {
namespace {

std::string joined(const nlohmann::json &names)
{
    std::string text;
    for (const nlohmann::json &name : names)
        text += (text.empty() ? "" : ", ") + name.get<std::string>();
    return text.empty() ? "none" : text;
}

void row(const char *label, const std::string &value)
{
    std::printf("%-16s %s\n", label, shownLine(value).c_str());
}

void printDescription(const nlohmann::json &d)
{
    row("model", d["name"].get<std::string>() + " (" + d["format"].get<std::string>() + ", " + d["architecture"].get<std::string>() + ")");
    row("layers", d["num_layers"].dump());
    row("width", d["hidden_size"].dump() + ", MLP " + d["intermediate_size"].dump() + " (" + d["activation"].get<std::string>() + ")");
    row("heads", d["num_heads"].dump() + " query, " + d["num_kv_heads"].dump() + " key/value, " + d["head_dim"].dump() + " wide");
    row("vocabulary", d["vocab_size"].dump() + (d["tied_head"].get<bool>() ? ", head tied to the embedding" : ""));
    row("context", d["context_tokens"].dump() + " tokens, RoPE " + d["rope"]["type"].get<std::string>() + ", base " + d["rope"]["theta"].dump());
    row("parameters", d["parameters"].dump() + " (" + byteText(d["bytes_float32"].get<double>()) + " as float32)");
    for (const nlohmann::json &part : d["parts"])
        if (part["parameters"].get<std::int64_t>() > 0)
            row(("  " + part["part"].get<std::string>()).c_str(), part["parameters"].dump() + " (" + byteText(4.0 * part["parameters"].get<double>()) + ")");
    row("KV cache", byteText(d["kv_cache_bytes_per_token_bf16"].get<double>()) + "/token (bf16)");
    if (d["state_bytes_float32"].get<std::int64_t>() > 0)
        row("state", byteText(d["state_bytes_float32"].get<double>()) + " a sequence (float32)");
    row("features", joined(d["features"]));
    for (const nlohmann::json &mixer : d["mixers"])
        row(("mixer " + mixer["mixer"].get<std::string>()).c_str(), mixer["parameters_per_layer"].dump() + " parameters and " + byteText(mixer["state_bytes_per_layer"].get<double>()) +
                                                                        " of state a layer; does not carry: " + joined(mixer["does_not_carry"]));
    for (const nlohmann::json &format : d["exports"])
        row(("export " + format["format"].get<std::string>()).c_str(), format["exact"].get<bool>() ? "exact" : "not exact: " + joined(format["reasons"]));
    if (!d.contains("layers"))
        return;
    std::printf("\n%5s %4s  %14s  %12s  %9s\n", "layer", "head", "distance/token", "entropy/nats", "sink mass");
    for (const nlohmann::json &layer : d["layers"])
        for (std::size_t head = 0; head < layer["heads"].size(); ++head) {
            const nlohmann::json &h = layer["heads"][head];
            std::printf("%5d %4zu  %14.2f  %12.3f  %9.3f\n", layer["layer"].get<int>(), head, h["mean_distance_tokens"].get<double>(), h["entropy_nats"].get<double>(), h["sink_mass"].get<double>());
        }
}

}  // namespace

int inspect(const InspectCommand &command, std::stop_token stop)
{
    if (!command.attention && !(command.text.empty() && command.tokens.empty()))
        throw Error(ErrorCode::Usage, "a text and --tokens are only read for attention statistics: add --attention, or leave them out");
    const procedures::ComputeSettings settings = procedures::computeSettings({{"device", command.device}, {"compute_type", "float32"}, {"threads", command.threads}});
    const checkpoint::ModelFiles files = procedures::openModelArgument(command.model, workspaceOr(command.workspace));
    sayWarning(files.warning);
    nlohmann::json description = procedures::describe(files);
    if (command.attention) {
        procedures::LoadedModels models;
        const auto model = models.get(command.model, workspaceOr(command.workspace), settings.device, stop);
        procedures::requireFiniteWeights(*model, stop);
        description["layers"] = procedures::attentionSummary(*model, command.text, command.tokens, settings, sayWarning, stop);
    }
    if (command.json)
        std::cout << documentText(description) << '\n';
    else
        printDescription(description);
    return 0;
}

}  // namespace stillroom::cli
