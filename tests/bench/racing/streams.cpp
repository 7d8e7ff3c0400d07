// SPDX-License-Identifier: GPL-3.0-or-later
#include "streams.h"

#include "analysis/stability.h"
#include "error.h"
#include "experiment/jsontext.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace stillroom::racing {
namespace {

constexpr int window = 3;
constexpr double leastGap = 2.0;

double normal(RandomStream &random)
{
    const double radius = std::sqrt(-2.0 * std::log1p(-random.uniform()));
    return radius * std::cos(2.0 * std::numbers::pi * random.uniform());
}

/// True KL by layer, best first, in SE; then in a random order.
std::vector<double> trueMeans(const GaussianSetting &setting, RandomStream &random)
{
    std::vector<double> means{0.0};
    for (int place = 1; place < setting.numLayers; ++place) {
        double step = setting.gap;
        if (place != setting.keep && setting.layout == GaussianSetting::Layout::Block)
            step = 0.0;
        if (place != setting.keep && setting.layout == GaussianSetting::Layout::Spread)
            step = -3.0 * std::log1p(-random.uniform());
        means.push_back(means.back() + step);
    }
    for (std::size_t i = 0; i + 1 < means.size(); ++i)
        std::swap(means[i], means[i + random.below(means.size() - i)]);
    return means;
}

Outcome followWhole(const Stream &stream, bool apart)
{
    std::vector<experiment::Ranking> rankings;
    for (int e = 0; e < stream.numEvaluations(); ++e) {
        const analysis::LayerSamples samples(stream.kl_ELS[static_cast<std::size_t>(e)]);
        rankings.push_back(samples.ranking());
        const analysis::Stability state = analysis::stability(rankings, samples, stream.keep, window, leastGap);
        if (state == analysis::Stability::Settled || (!apart && state == analysis::Stability::NotSettled) || e + 1 == stream.numEvaluations())
            return {experiment::topLayers(rankings.back(), stream.keep) == experiment::topLayers(stream.fullRanking(), stream.keep),
                    static_cast<double>(e + 1) / stream.numEvaluations(), apart ? state == analysis::Stability::Settled : state != analysis::Stability::Moving};
    }
    return {};
}

Outcome followRace(const Stream &stream, const analysis::Race::Options &options)
{
    analysis::Race race(stream.numLayers(), options);
    std::int64_t spent = 0;
    for (int e = 0; e < stream.numEvaluations() && !race.settled(); ++e) {
        spent += static_cast<std::int64_t>(race.racing().size());
        race.evaluate(stream.kl_ELS[static_cast<std::size_t>(e)]);
    }
    return {experiment::topLayers(race.ranking(), stream.keep) == experiment::topLayers(stream.fullRanking(), stream.keep),
            static_cast<double>(spent) / (static_cast<double>(stream.numEvaluations()) * stream.numLayers()), race.settled()};
}

}  // namespace

experiment::Ranking Stream::fullRanking() const
{
    return analysis::LayerSamples(kl_ELS.back()).ranking();
}

Stream gaussianStream(const GaussianSetting &setting, RandomStream &random)
{
    const auto evaluations = static_cast<std::size_t>(setting.numEvaluations), layers = static_cast<std::size_t>(setting.numLayers), sequences = static_cast<std::size_t>(setting.numSequences);
    const double unit = std::sqrt(2.0 / setting.numSequences);      // SE of the mean of a difference of two unit normals
    const std::vector<double> means = trueMeans(setting, random);
    Stream stream{setting.keep, std::vector<std::vector<std::vector<double>>>(evaluations, std::vector<std::vector<double>>(layers, std::vector<double>(sequences)))};
    std::vector<double> difficulty(sequences);
    for (double &one : difficulty)
        one = 5.0 * normal(random);
    for (std::size_t layer = 0; layer < layers; ++layer) {
        std::vector<double> moved(evaluations, 0.0);
        for (std::size_t e = 1; e < evaluations; ++e)
            moved[e] = moved[e - 1] + setting.drift * unit * normal(random);
        for (std::size_t s = 0; s < sequences; ++s) {
            const double lasting = std::sqrt(setting.persistence) * normal(random);
            for (std::size_t e = 0; e < evaluations; ++e) {
                const double growth = setting.growing ? std::sqrt(static_cast<double>(e + 1) / static_cast<double>(evaluations)) : 1.0;
                stream.kl_ELS[e][layer][s] = growth * unit * means[layer] + moved[e] + difficulty[s] + lasting + std::sqrt(1.0 - setting.persistence) * normal(random);
            }
        }
    }
    return stream;
}

Stream storedStream(const std::filesystem::path &file)
{
    const std::string what = "The stored run \"" + file.string() + "\"";
    const nlohmann::json json = experiment::parseJson(experiment::readTextFile(file.string(), experiment::maximumSpecBytes, what), what);
    Stream stream;
    try {
        for (const nlohmann::json &curve : json.at("curves")) {
            if (curve.at("layer").get<int>() < 0)
                continue;                         // the all-linear student does not race
            const auto tokens = curve.at("tokens").get<std::vector<std::int64_t>>();
            std::size_t evaluation = 0;
            for (std::size_t i = 0; i < tokens.size(); ++i) {
                if (tokens[i] == 0)
                    continue;
                if (stream.kl_ELS.size() <= evaluation)
                    stream.kl_ELS.emplace_back();
                stream.kl_ELS[evaluation++].push_back(curve.at("kl_nats").at(i).get<std::vector<double>>());
            }
        }
    } catch (const nlohmann::json::exception &error) {
        throw Error(ErrorCode::BadFile, what + " is not the curves.json of a score stage", error.what());
    }
    if (stream.kl_ELS.empty())
        throw Error(ErrorCode::BadFile, what + " holds no evaluation after training began");
    for (const auto &kl_LS : stream.kl_ELS)
        (void)analysis::LayerSamples(kl_LS);      // whole
    return stream;
}

Stream thinned(const Stream &stream, int every)
{
    if (every < 1 || every > stream.numEvaluations())
        throw Error(ErrorCode::Usage, "every " + std::to_string(every) + "-th of " + std::to_string(stream.numEvaluations()) + " evaluations are none");
    Stream made = stream;
    made.kl_ELS.clear();
    for (int e = (stream.numEvaluations() - 1) % every; e < stream.numEvaluations(); e += every)
        made.kl_ELS.push_back(stream.kl_ELS[static_cast<std::size_t>(e)]);
    return made;
}

Stream resampled(const Stream &stream, int keep, RandomStream &random)
{
    const std::size_t sequences = stream.kl_ELS.front().front().size();
    std::vector<std::size_t> drawn(sequences);
    for (std::size_t &one : drawn)
        one = random.below(sequences);
    Stream made = stream;
    made.keep = keep;
    for (std::size_t e = 0; e < made.kl_ELS.size(); ++e)
        for (std::size_t layer = 0; layer < made.kl_ELS[e].size(); ++layer)
            for (std::size_t s = 0; s < sequences; ++s)
                made.kl_ELS[e][layer][s] = stream.kl_ELS[e][layer][drawn[s]];
    return made;
}

std::string ruleName(Rule rule)
{
    switch (rule) {
    case Rule::Stable: return "stable";
    case Rule::StableApart: return "stable-and-apart";
    case Rule::Race: return "race";
    case Rule::RaceWithoutDrift: break;
    }
    return "race-without-drift";
}

Outcome follow(const Stream &stream, Rule rule, double error)
{
    if (rule == Rule::Stable || rule == Rule::StableApart)
        return followWhole(stream, rule == Rule::StableApart);
    return followRace(stream, {.keep = stream.keep, .numEvaluations = stream.numEvaluations(), .error = error, .drift = rule == Rule::Race});
}

}  // namespace stillroom::racing
