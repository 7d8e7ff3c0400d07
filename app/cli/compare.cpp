// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/agreementcurve.h"
#include "analysis/bootstrapranks.h"
#include "analysis/chanceoverlap.h"
#include "analysis/layersets.h"
#include "analysis/rankbiasedoverlap.h"
#include "commands.h"
#include "comparison/teacherchoices.h"
#include "earlystopline.h"
#include "error.h"
#include "folders.h"
#include "formatted.h"
#include "procedures/modelargument.h"
#include "setsource.h"
#include "shownname.h"
#include "store/scorings.h"
#include "store/workspace.h"
#include "storedcurves.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iostream>
#include <optional>

namespace stillroom::cli {
namespace {

/// A set and, where it is the beginning of a ranking by values of every layer and held-out sequence, the rankings by other sequences.
struct RankedSet {
    const NamedSet *set = nullptr;
    std::optional<analysis::BootstrapRanks> draws;
    int numSequences = 0;
    std::string whyNoDraws;      ///< behind the name of the set; empty where there are draws
    std::string measuredOn;      ///< names its held-out sequences, or where they are not known its values
    /// Both were measured on the same sequences, and each draw takes the same ones of them: what is hard for both drops out.
    [[nodiscard]] bool isPairedWith(const RankedSet &other) const { return numSequences == other.numSequences && measuredOn == other.measuredOn; }
};

constexpr int numDraws = 2000;

/// A file that cannot be read costs an interval, not the table; it is said.
std::optional<analysis::LayerSamples> samplesIn(const NamedSet &set)
{
    try {
        return StoredCurves(set.curves).samples(static_cast<int>(set.ranking->size()));
    } catch (const Error &error) {
        std::cerr << shownText(set.name + " has no interval, for its values by sequence cannot be read: " + error.what()) << '\n';
        return std::nullopt;
    }
}

/// Of the held-out sequences; a scoring that is named twice may know them by one of its names only.
std::string measuredOn(const NamedSet &set, const std::vector<NamedSet> &sets)
{
    for (const NamedSet &other : sets)
        if (!other.heldOut.empty() && (&other == &set || other.curves == set.curves))
            return other.heldOut;
    return set.key.empty() ? set.curves : set.key;
}

/// What was measured on the same sequences draws the same ones, whatever stands beside it and in which order.
std::vector<RankedSet> withDraws(const std::vector<NamedSet> &sets)
{
    std::vector<RankedSet> ranked(sets.size());
    for (std::size_t i = 0; i < sets.size(); ++i) {
        const NamedSet &set = *(ranked[i].set = &sets[i]);
        if (set.curves.empty() || !set.ranking)
            ranked[i].whyNoDraws = "has no values by held-out sequence";
        else if (experiment::topLayers(*set.ranking, static_cast<int>(set.layers.size())) != set.layers)
            ranked[i].whyNoDraws = "is not the beginning of its ranking";
        if (!ranked[i].whyNoDraws.empty())
            continue;
        const auto samples = samplesIn(set);
        if (samples && samples->numSequences() == 1)
            ranked[i].whyNoDraws = "was measured on one held-out sequence";
        else if (!samples)
            ranked[i].whyNoDraws = "has no values by held-out sequence that can be read";
        else if (samples->numSequences() < 1 || samples->ranking() != *set.ranking)
            ranked[i].whyNoDraws = "is not ranked by its values by held-out sequence";
        if (!ranked[i].whyNoDraws.empty())
            continue;
        ranked[i].numSequences = samples->numSequences();
        ranked[i].measuredOn = measuredOn(set, sets);
        ranked[i].draws.emplace(*samples, numDraws, store::drawSeed(ranked[i].measuredOn));
    }
    return ranked;
}

/// The one number of layers that the sets are of; 0 when none says.
int commonLayers(const std::vector<NamedSet> &sets, int given)
{
    int numLayers = given;
    std::string who = "--layers";
    for (const NamedSet &set : sets) {
        if (set.numLayers == 0)
            continue;
        if (numLayers > 0 && set.numLayers != numLayers)
            throw Error(ErrorCode::Usage, set.name + " is of a model with " + counted(set.numLayers, "layer") + " and " + who + " of one with " + std::to_string(numLayers) +
                                              ": sets of different models cannot be compared by number");
        numLayers = set.numLayers;
        who = set.name;
    }
    return numLayers;
}

experiment::Ranking among(const experiment::Ranking &ranking, const experiment::LayerSet &layers)
{
    experiment::Ranking kept;
    std::copy_if(ranking.begin(), ranking.end(), std::back_inserter(kept), [&](int layer) { return std::binary_search(layers.begin(), layers.end(), layer); });
    return kept;
}

/// How alike two rankings are. Published ones stop at their budget, so Kendall's tau is over the layers that both rank.
void compareRankings(nlohmann::json &pair, const experiment::Ranking &a, const experiment::Ranking &b, const CompareCommand &command, int numLayers)
{
    experiment::LayerSet ofA(a), ofB(b), both;
    std::sort(ofA.begin(), ofA.end());
    std::sort(ofB.begin(), ofB.end());
    std::set_intersection(ofA.begin(), ofA.end(), ofB.begin(), ofB.end(), std::back_inserter(both));
    if (both.size() > 1) {
        pair["kendall_tau"] = analysis::kendallTau(among(a, both), among(b, both));
        pair["kendall_layers"] = both.size();
    }
    pair["rbo"] = analysis::rankBiasedOverlap(a, b, command.persistence.value_or(usualPersistence));
    pair["rbo_p"] = command.persistence.value_or(usualPersistence);
    if (!command.curve)
        return;
    for (const analysis::AgreementPoint &point : analysis::agreementCurve(a, b, numLayers))
        pair["curve"].push_back({{"keep", point.keep}, {"jaccard", point.jaccard}, {"chance_jaccard", point.chance}, {"chance_low", point.chanceBand.low},
                                 {"chance_high", point.chanceBand.high}, {"p_value", point.pValue}});
}

/// Two sets of one size, the first layers of rankings that are the order of what was measured sequence by sequence: then other sequences say how sure their overlap is.
bool isComparedByDraws(const RankedSet &a, const RankedSet &b)
{
    return a.draws && b.draws && a.draws->numLayers() == b.draws->numLayers() && a.set->layers.size() == b.set->layers.size() && !a.set->layers.empty();
}

/// Why isComparedByDraws says no.
std::string whyNoInterval(const RankedSet &a, const RankedSet &b)
{
    for (const RankedSet *one : {&a, &b})
        if (!one->draws)
            return one->set->name + ' ' + one->whyNoDraws;
    return a.set->layers.size() == b.set->layers.size() ? "there is no layer to draw" : "the sets keep different numbers of layers";
}

/// Intervals of the Jaccard index, over other held-out sequences: of the two sets (null, and why there is none, where one of them has no values by sequence, or is not
/// the beginning of its ranking), and at every K of a curve.
void addIntervals(nlohmann::json &pair, const RankedSet &a, const RankedSet &b)
{
    nlohmann::json &interval = pair["jaccard_interval"] = nullptr;
    if (!isComparedByDraws(a, b)) {
        pair["no_interval"] = whyNoInterval(a, b);
        return;
    }
    const auto curve = analysis::agreementCurve(*a.set->ranking, *b.set->ranking, *a.draws, *b.draws);
    const analysis::Band band = curve.at(a.set->layers.size() - 1).bootstrap.value();
    interval = {{"low", band.low}, {"high", band.high}, {"level", 0.95}, {"draws", a.draws->numDraws()}, {"paired", a.isPairedWith(b)}};
    if (pair.contains("curve"))
        for (std::size_t k = 0; k < curve.size(); ++k)
            pair["curve"][k].update({{"jaccard_low", curve[k].bootstrap->low}, {"jaccard_high", curve[k].bootstrap->high}});
}

nlohmann::json comparePair(const RankedSet &rankedA, const RankedSet &rankedB, const CompareCommand &command, int numLayers)
{
    const NamedSet &a = *rankedA.set, &b = *rankedB.set;
    experiment::LayerSet onlyA, onlyB;
    std::set_difference(a.layers.begin(), a.layers.end(), b.layers.begin(), b.layers.end(), std::back_inserter(onlyA));
    std::set_difference(b.layers.begin(), b.layers.end(), a.layers.begin(), a.layers.end(), std::back_inserter(onlyB));
    const int shared = analysis::numShared(a.layers, b.layers);
    nlohmann::json pair = {{"a", a.name}, {"b", b.name}, {"layers_a", a.layers}, {"layers_b", b.layers}, {"shared", shared}, {"jaccard", analysis::jaccard(a.layers, b.layers)},
                           {"overlap_coefficient", analysis::overlapCoefficient(a.layers, b.layers)}, {"differing", analysis::symmetricDifference(a.layers, b.layers)}, {"only_a", onlyA},
                           {"only_b", onlyB}};
    if (numLayers > 0) {
        const analysis::ChanceOverlap chance(static_cast<int>(a.layers.size()), static_cast<int>(b.layers.size()), numLayers);
        pair["num_layers"] = numLayers;
        pair["chance_jaccard"] = chance.meanJaccard();
        pair["p_value"] = chance.atLeast(shared);
    }
    if (a.ranking && b.ranking)
        compareRankings(pair, *a.ranking, *b.ranking, command, numLayers);
    addIntervals(pair, rankedA, rankedB);
    return pair;
}

void printPair(const nlohmann::json &pair)
{
    const auto number = [&](const char *field) { return pair.at(field).get<double>(); };
    std::cout << shownName(pair["a"].get<std::string>()) << " · " << shownName(pair["b"].get<std::string>()) << '\n' << formatted("  Jaccard %.3f", number("jaccard"));
    if (const nlohmann::json &interval = pair["jaccard_interval"]; interval.is_object())
        std::cout << formatted(" (95 %% %.3f-%.3f over held-out sequences)", interval["low"].get<double>(), interval["high"].get<double>());
    else
        std::cout << " (no interval: " << shownLine(pair["no_interval"].get<std::string>()) << ')';
    if (pair.contains("p_value"))
        std::cout << formatted(", by chance %.3f, p = %.2g", number("chance_jaccard"), number("p_value"));
    std::cout << formatted("; overlap coefficient %.3f", number("overlap_coefficient"));
    if (pair.contains("kendall_tau"))
        std::cout << formatted("; Kendall's tau %.3f over %d layers", number("kendall_tau"), pair["kendall_layers"].get<int>());
    if (pair.contains("rbo"))
        std::cout << formatted("; rank-biased overlap %.3f", number("rbo"));
    std::cout << "\n  only the first: " << pair["only_a"].dump() << ", only the second: " << pair["only_b"].dump() << '\n';
    if (!pair.contains("curve"))
        return;
    std::cout << "      K  Jaccard  by chance (95 %)          p\n";
    for (const nlohmann::json &point : pair["curve"])
        std::cout << formatted("  %5d    %.3f    %.3f (%.3f–%.3f)  %9.2g\n", point["keep"].get<int>(), point["jaccard"].get<double>(), point["chance_jaccard"].get<double>(),
                               point["chance_low"].get<double>(), point["chance_high"].get<double>(), point["p_value"].get<double>());
}

/// [{"name", "text"}] of the scorings that were to stop early.
nlohmann::json earlyStops(const std::vector<RankedSet> &sets)
{
    nlohmann::json stops = nlohmann::json::array();
    for (const RankedSet &one : sets)
        if (!one.set->earlyStop.empty())
            stops.push_back({{"name", one.set->name}, {"text", one.set->earlyStop}});
    return stops;
}

void printEarlyStops(const nlohmann::json &stops)
{
    for (const nlohmann::json &stop : stops)
        std::cout << shownName(stop["name"].get<std::string>()) << ": " << stop["text"].get<std::string>() << '\n';
}

/// All against all: {"sets": […], "jaccard": [[…]], …}; what was not measured is null.
nlohmann::json matrix(const std::vector<RankedSet> &sets, const CompareCommand &command, int numLayers)
{
    nlohmann::json result = {{"num_layers", numLayers > 0 ? nlohmann::json(numLayers) : nlohmann::json()}};
    for (const RankedSet &one : sets)
        result["sets"].push_back({{"name", one.set->name}, {"layers", one.set->layers}, {"note", one.set->note}});
    result["early_stop"] = earlyStops(sets);
    constexpr std::array measures{"jaccard", "jaccard_interval", "chance_jaccard", "p_value", "overlap_coefficient", "kendall_tau", "rbo"};      // all symmetric
    for (const char *measure : measures)
        result[measure] = nlohmann::json(sets.size(), nlohmann::json(sets.size(), nullptr));
    for (std::size_t i = 0; i < sets.size(); ++i)
        for (std::size_t j = i; j < sets.size(); ++j) {
            const nlohmann::json pair = comparePair(sets[i], sets[j], command, numLayers);
            for (const char *measure : measures)
                if (pair.contains(measure))
                    result[measure][i][j] = result[measure][j][i] = pair.at(measure);
        }
    return result;
}

/// Jaccard indices, and a star where the overlap is beyond chance.
void printMatrix(const nlohmann::json &result)
{
    const std::size_t numSets = result["sets"].size();
    std::cout << "Jaccard index (* overlap beyond chance, p < 0.05)\n     ";
    for (std::size_t j = 0; j < numSets; ++j)
        std::cout << formatted("%8zu", j + 1);
    for (std::size_t i = 0; i < numSets; ++i) {
        std::cout << formatted("\n%4zu ", i + 1);
        for (std::size_t j = 0; j < numSets; ++j) {
            const nlohmann::json &p = result["p_value"][i][j];
            std::cout << formatted("   %.2f%s", result["jaccard"][i][j].get<double>(), i != j && p.is_number() && analysis::isBeyondChance(p.get<double>()) ? "*" : " ");
        }
    }
    std::cout << '\n';
    for (std::size_t i = 0; i < numSets; ++i) {
        const nlohmann::json &set = result["sets"][i];
        const std::string note = shownLine(set["note"].get<std::string>());
        std::cout << formatted("%4zu  ", i + 1) << shownName(set["name"].get<std::string>()) << "  " << set["layers"].dump() << (note.empty() ? "" : "  (" + note + ")") << '\n';
    }
    printEarlyStops(result["early_stop"]);
}

/// What is known of a scoring's sequences and tokens.
void addMeasured(NamedSet &set, const store::Scoring &scoring, const std::filesystem::path &workspace)
{
    set.heldOut = scoring.heldOut;
    set.key = scoring.key;
    if (scoring.artifact.empty())
        return;
    if (const auto curves = workspace / scoring.artifact / "curves.json"; isFileThere(curves))
        set.curves = curves.string();
    set.earlyStop = earlyStopText(scoring.earlyStop);
}

/// What the window's overlap page shows: every choice of the teacher that has an answer at this K.
std::vector<NamedSet> setsOfTeacher(const CompareCommand &command, const std::filesystem::path &workspace)
{
    const auto config = procedures::openModelArgument(command.teacher, workspace).config;
    const int keep = command.keep ? *command.keep : experiment::keepFromPercent(usualPercent, config.numLayers);
    if (keep > config.numLayers)
        throw Error(ErrorCode::Usage, "-k is " + std::to_string(keep) + ", but " + command.teacher + " has " + counted(config.numLayers, "layer") + ": give 0 to " + std::to_string(config.numLayers));
    std::vector<store::Scoring> scorings;
    if (isWorkspaceThere(workspace))
        scorings = store::scorings(store::Workspace(workspace), command.teacher);
    std::vector<NamedSet> sets;
    for (const comparison::Choice &choice : comparison::teacherChoices(scorings, {config.numLayers, config.hiddenSize}, choices::PublishedSets::shipped(), command.seed.value_or(usualSetSeed))) {
        auto layers = choice.rule ? choice.rule->at(keep) : std::nullopt;
        const auto scoring = std::find_if(scorings.begin(), scorings.end(), [&](const store::Scoring &one) { return comparison::scoringName(one) == choice.name; });
        if (!layers) {      // without a rule it is a scoring's own choice
            std::cerr << shownName(choice.name) << ' ' << (choice.rule ? "has no set of " + counted(keep, "layer") : comparison::whyUnranked(*scoring, config.numLayers)) << ": left out\n";
            continue;
        }
        NamedSet set{choice.name, std::move(*layers), {}, config.numLayers, choice.note};
        if (const experiment::Ranking *ranking = choice.rule->ranking())
            set.ranking = *ranking;
        if (scoring != scorings.end())
            addMeasured(set, *scoring, workspace);
        sets.push_back(std::move(set));
    }
    return sets;
}

/// Two draws are to be two sets: one that was drawn before says nothing of chance. Where there are no more different sets, it is what it is.
NamedSet nextDraw(const std::string &text, SetOptions &options, std::vector<experiment::LayerSet> &drawn)
{
    for (;;) {
        NamedSet set = readSet(text, options);
        ++options.draw;
        const auto numDrawn = static_cast<std::int64_t>(drawn.size());
        const bool areMore = experiment::numberOfSets(set.numLayers, static_cast<int>(set.layers.size()), numDrawn + 1) > numDrawn;
        if (areMore && std::find(drawn.begin(), drawn.end(), set.layers) != drawn.end())
            continue;
        drawn.push_back(set.layers);
        return set;
    }
}

/// Reads what says of itself how many layers it keeps and of how many, then the grids and random sets, which take both from the others.
std::vector<NamedSet> readSets(const CompareCommand &command)
{
    SetOptions options{command.keep, command.numLayers, workspaceOr(command.workspace), command.seed.value_or(usualSetSeed)};
    std::vector<NamedSet> sets(command.sets.size()), ofTeacher;
    if (!command.teacher.empty())
        ofTeacher = setsOfTeacher(command, options.workspace);
    std::vector<NamedSet> spoken = ofTeacher;
    for (std::size_t i = 0; i < sets.size(); ++i)
        if (!needsBudget(command.sets[i]))
            spoken.push_back(sets[i] = readSet(command.sets[i], options));
    options.numLayers = commonLayers(spoken, command.numLayers);
    const auto differs = [&](const NamedSet &set) { return set.layers.size() != spoken.front().layers.size(); };
    if (!options.keep && !spoken.empty() && std::none_of(spoken.begin(), spoken.end(), differs))
        options.keep = static_cast<int>(spoken.front().layers.size());
    std::vector<experiment::LayerSet> drawn;
    for (const NamedSet &set : ofTeacher)
        if (isDrawn(set.name)) {
            drawn.push_back(set.layers);
            options.draw = 1;
        }
    for (std::size_t i = 0; i < sets.size(); ++i)
        if (isDrawn(command.sets[i]))
            sets[i] = nextDraw(command.sets[i], options, drawn);
        else if (needsBudget(command.sets[i]))
            sets[i] = readSet(command.sets[i], options);
    sets.insert(sets.begin(), ofTeacher.begin(), ofTeacher.end());
    if (sets.size() < 2)
        throw Error(ErrorCode::Usage, "name two sets at least, or --teacher MODEL for all that there are for it");
    return sets;
}

constexpr double mostCurveSteps = 1e8;        // of agreement curves, whose time grows with the square of K: some seconds

void checkCurves(const std::vector<NamedSet> &sets, int numLayers)
{
    double steps = 0.0;
    for (std::size_t i = 0; i < sets.size(); ++i)
        for (std::size_t j = i + 1; j < sets.size(); ++j)
            if (sets[i].ranking && sets[j].ranking)
                steps += static_cast<double>(numLayers) * static_cast<double>(std::min(sets[i].ranking->size(), sets[j].ranking->size()));
    if (steps > mostCurveSteps)
        throw Error(ErrorCode::Usage, "--curve of so many rankings of " + std::to_string(numLayers) + " layers would take too long: name fewer sets, or leave --curve out");
}

/// Options of which nothing depends in what these sets are and what is shown of them.
void refuseUnread(const CompareCommand &command, const std::vector<NamedSet> &sets, int numLayers)
{
    const auto numRankings = std::count_if(sets.begin(), sets.end(), [](const NamedSet &set) { return set.ranking.has_value(); });
    const bool isChosen = !command.teacher.empty() || numRankings > 0 || std::any_of(command.sets.begin(), command.sets.end(), needsNoScores);
    if (command.keep && !isChosen && std::any_of(sets.begin(), sets.end(), [&](const NamedSet &set) { return static_cast<int>(set.layers.size()) != *command.keep; }))
        throw Error(ErrorCode::Usage, "-k takes the best of rankings, and these are sets: leave it out, or name a ranking");
    if (command.seed && command.teacher.empty() && std::none_of(command.sets.begin(), command.sets.end(), isDrawn))
        throw Error(ErrorCode::Usage, "--seed is of random sets, and none is named: leave it out, or name random");
    for (const auto &[isGiven, option] : {std::pair{command.persistence.has_value(), "--rbo-p"}, {command.curve, "--curve"}})
        if (isGiven && numRankings < 2)
            throw Error(ErrorCode::Usage, std::string(option) + " is of two rankings, and there " + (numRankings == 1 ? "is one" : "are none") + ": leave it out, or name scores instead of sets");
    if (command.curve && numLayers == 0)
        throw Error(ErrorCode::Usage, "--curve needs to know how many layers the teacher has: say --layers L");
    if (command.persistence && command.matrix && !command.json)
        throw Error(ErrorCode::Usage, "--rbo-p is of rank-biased overlap, which the table of --matrix does not show: add --json, or leave one of them out");
}

}  // namespace

int compare(const CompareCommand &command)
{
    const std::vector<NamedSet> sets = readSets(command);
    const int numLayers = commonLayers(sets, command.numLayers);
    refuseUnread(command, sets, numLayers);
    if (command.curve)
        checkCurves(sets, numLayers);
    for (const NamedSet &set : sets)
        if (numLayers > 0)
            (void)experiment::validLayerSet(set.layers, numLayers);      // a plain list knows no model of its own
    const std::vector<RankedSet> ranked = withDraws(sets);
    if (command.matrix) {
        const nlohmann::json result = matrix(ranked, command, numLayers);
        if (command.json)
            std::cout << documentText(result) << '\n';
        else
            printMatrix(result);
        return 0;
    }
    nlohmann::json pairs = nlohmann::json::array();
    for (std::size_t i = 0; i < sets.size(); ++i)
        for (std::size_t j = i + 1; j < sets.size(); ++j)
            pairs.push_back(comparePair(ranked[i], ranked[j], command, numLayers));
    const nlohmann::json stops = earlyStops(ranked);
    if (command.json) {
        std::cout << documentText({{"pairs", pairs}, {"early_stop", stops}}) << '\n';
        return 0;
    }
    std::for_each(pairs.begin(), pairs.end(), printPair);
    printEarlyStops(stops);
    return 0;
}

}  // namespace stillroom::cli
