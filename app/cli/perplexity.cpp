// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluation/perplexity.h"

#include "commands.h"
#include "error.h"
#include "folders.h"
#include "formatted.h"
#include "procedures/finiteweights.h"
#include "procedures/modelargument.h"
#include "procedures/stagerun.h"
#include "procedures/tokenfile.h"
#include "text/writtentext.h"
#include "textfile.h"
#include "warningline.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>
#include <iterator>

namespace stillroom::cli {
namespace {

text::WrittenText textOf(const PerplexityCommand &command, const procedures::LoadedModel &model)
{
    if (command.text.empty() == command.tokens.empty())
        throw Error(ErrorCode::Usage, "give either a text file or --tokens FILE");
    if (!command.text.empty())
        return text::encodeWritten(*procedures::tokenizerOf(model.files), readText(command.text), false, command.text);
    const auto rows = procedures::readTokenFile(command.tokens, model.files.config.vocabSize).rows();
    if (rows.size() != 1)
        throw Error(ErrorCode::Usage, command.tokens.string() + " holds " + std::to_string(rows.size()) + " rows: perplexity takes one text");
    return {rows.front(), 0};
}

}  // namespace

int perplexity(const PerplexityCommand &command, std::stop_token stop)
{
    at::set_num_threads(command.threads);
    procedures::LoadedModels models;
    const auto model = models.get(command.model, workspaceOr(command.workspace), nn::parseDevice(command.device), stop);
    sayWarning(model->files.warning);
    procedures::requireFiniteWeights(*model, stop);
    const text::WrittenText read = textOf(command, *model);
    evaluation::PerplexityOptions options;
    options.window = command.window;
    options.stride = command.stride;
    options.computeType = nn::parseComputeType(command.dtype);
    options.stop = stop;
    const evaluation::Perplexity result = evaluation::perplexity(model->model, read.ids, options);
    sayWarning(text::unknownWarning(read.unknownTokens, read.ids.size(), command.text));
    sayWarning(checkpoint::contextWarning(model->files.config, std::min(options.window, std::ssize(read.ids))));
    if (command.json)
        std::cout << documentText({{"nats_per_token", result.natsPerToken}, {"perplexity", result.perplexity()}, {"tokens", result.tokens}, {"unknown_tokens", read.unknownTokens}, {"convention", result.convention}}, -1) << '\n';
    else
        std::cout << "perplexity " << result.perplexity() << " (" << result.natsPerToken << " nats/token over " << counted(result.tokens, "token") << "; " << result.convention << ")\n";
    return 0;
}

}  // namespace stillroom::cli
