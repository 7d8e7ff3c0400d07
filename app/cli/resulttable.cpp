// SPDX-License-Identifier: GPL-3.0-or-later
#include "resulttable.h"

#include "earlystopline.h"
#include "experiment/shownnames.h"
#include "formatted.h"
#include "shownname.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <ostream>
#include <string>

namespace stillroom::cli {
namespace {

constexpr std::size_t setsShown = 10;

/// Layers in the order of the selector's own ranking, where it has one.
std::vector<const nlohmann::json *> rankedRows(const nlohmann::json &result)
{
    std::vector<const nlohmann::json *> rows;
    for (const nlohmann::json &score : result["scores"])
        rows.push_back(&score);
    std::stable_sort(rows.begin(), rows.end(), [](const nlohmann::json *a, const nlohmann::json *b) {
        const double x = (*a)["score"].get<double>(), y = (*b)["score"].get<double>();
        return (*a)["higher_is_better"].get<bool>() ? x > y : x < y;
    });
    if (!result.contains("ranking"))
        return rows;
    const auto ranking = result["ranking"].get<std::vector<int>>();
    const auto place = [&](const nlohmann::json *row) { return std::find(ranking.begin(), ranking.end(), (*row)["layer"].get<int>()); };
    std::stable_sort(rows.begin(), rows.end(), [&](const nlohmann::json *a, const nlohmann::json *b) { return place(a) < place(b); });
    return rows;
}

void printSets(const nlohmann::json &result, std::ostream &out)
{
    for (const nlohmann::json &set : result["sets"])
        out << "keep " << set["keep"] << ": " << set["layers"].dump() << "  " << numberText(set["score"]) << " ± " << numberText(set["se"]) << '\n';
    if (!result["notes"].contains("all_sets"))
        return;
    const nlohmann::json &all = result["notes"]["all_sets"];
    out << all.size() << " sets, best first; regret is KL above the best one, ± its standard error over held-out sequences\n";
    for (std::size_t i = 0; i < std::min(all.size(), setsShown); ++i)
        out << "  " << all[i]["layers"].dump() << formatted("  KL %.4f  regret %.4f", all[i]["kl_nats"].get<double>(), all[i]["regret_nats"].get<double>()) << " ± " << numberText(all[i]["regret_se_nats"]) << '\n';
}

void printScores(const nlohmann::json &result, std::ostream &out)
{
    const std::string unit = result["scores"].empty() ? "" : shownName(result["scores"][0]["unit"].get<std::string>());
    out << formatted("%5s  %5s  %14s  %9s  %6s\n", "rank", "layer", unit.c_str(), "SE", "n");
    int rank = 0;
    for (const nlohmann::json *row : rankedRows(result)) {
        const nlohmann::json &se = row->contains("se_nats") ? row->at("se_nats") : row->at("se");
        out << formatted("%5d  %5d  %14.4f  ", ++rank, (*row)["layer"].get<int>(), (*row)["score"].get<double>()) << numberText(se, 4, 9) << formatted("  %6lld\n", (*row)["n"].get<long long>());
    }
    if (result.contains("all_linear"))
        out << "all layers linear: " << formatted("%.4f ", result["all_linear"]["score"].get<double>()) << shownName(result["all_linear"]["unit"].get<std::string>()) << '\n';
    if (result.contains("sets"))
        printSets(result, out);
    if (result.value("error_bars", std::string()).starts_with("none"))
        out << "error bars: " << shownLine(result["error_bars"].get<std::string>()) << '\n';
    if (const std::string saved = earlyStopText(result); !saved.empty())
        out << saved << '\n';
    if (result["notes"].contains("ranking"))
        out << "ranking: " << shownLine(result["notes"]["ranking"].get<std::string>()) << '\n';
}

/// What is left of each layer's error on held-out text, teacher-forced.
void printResiduals(const nlohmann::json &residuals, std::ostream &out)
{
    const std::int64_t numSequences = residuals.empty() ? 0 : residuals.front().value("n", std::int64_t{0});
    out << "layer  residual (relative squared error" << (numSequences > 1 ? ", ± its standard error over " + counted(numSequences, "held-out sequence") : std::string()) << ")\n";
    for (const nlohmann::json &one : residuals)
        out << formatted("%5d  %.4f ± ", one["layer"].get<int>(), one["relative_mse"].get<double>()) << numberText(one["se"]) << '\n';
}

std::string alarmText(const nlohmann::json &alarm)
{
    const auto kind = alarm["kind"].get<std::string>();
    const std::string heads = "heads " + alarm["heads"].dump();
    if (kind == "sigma-floor")
        return formatted("%.0f %% of the value scales stopped at the lowest one", 100.0 * alarm["value"].get<double>()) + " (" + heads + ")";
    if (kind == "look-back")
        return heads + " look back farther than uniform attention would: a sink, so that the half-life follows the length of the text";
    if (kind == "small-context")
        return heads + " are so quiet that the norm behind them no longer makes unit RMS";
    return heads + " write more or less strongly than their target";
}

void printCalibration(const nlohmann::json &result, std::ostream &out)
{
    out << "arm " << shownName(result["arm"].get<std::string>()) << ", " << result["calibration_tokens"] << " calibration tokens\n";
    printResiduals(result["residuals"], out);
    for (const nlohmann::json &alarm : result.value("alarms", nlohmann::json::array()))
        out << "look at layer " << alarm["layer"] << ": " << alarmText(alarm) << '\n';
}

std::string valueText(const nlohmann::json &value)
{
    if (value.is_number_float())
        return formatted("%.5g", value.get<double>());
    if (value.is_string())
        return shownLine(value.get<std::string>());
    return value.is_null() ? unknownText : shownLine(value.dump());
}

void printMeasures(const nlohmann::json &measures, std::ostream &out)
{
    std::size_t width = 0;
    for (const auto &[name, value] : measures.items())
        width = std::max(width, shownName(experiment::measureWords(name)).size());
    for (const auto &[name, value] : measures.items())
        out << formatted("%-*s  ", static_cast<int>(width), shownName(experiment::measureWords(name)).c_str()) << valueText(value) << '\n';
}

void printTeacher(const nlohmann::json &result, std::ostream &out)
{
    out << (result["solved"].get<bool>() ? "solved at step " + std::to_string(result["solved_at_step"].get<std::int64_t>()) : std::string("not solved")) << ", seed " << result["seed"] << ", trained for "
        << counted(result["steps"].get<std::int64_t>(), "step") << ", " << counted(result["tokens"].get<std::int64_t>(), "token") << " in all\n";
    printMeasures({{"recall", result["recall"]}, {"filler_accuracy", result["filler_accuracy"]}, {"n", result["n"]}}, out);
    out << formatted("filler accuracy can be %.5g at most\n", result["filler_ceiling"].get<double>());
    const nlohmann::json &without_L = result["recall_without_attention"];
    for (std::size_t layer = 0; layer < without_L.size(); ++layer)
        out << "recall without the attention of layer " << layer << ": " << valueText(without_L[layer]) << '\n';
}

}  // namespace

void printResult(const nlohmann::json &result, std::ostream &out)
{
    const std::string kind = result.value("kind", std::string());
    if (kind == "pipeline") {
        for (const auto &[task, stage] : result["stages"].items()) {
            out << shownName(task) << (stage["reused"].get<bool>() ? " (reused)\n" : "\n");
            printResult(stage["result"], out);
        }
    } else if (kind == "score") {
        printScores(result, out);
    } else if (kind == "align") {
        printResiduals(result["residuals"], out);
    } else if (kind == "calibrate") {
        printCalibration(result, out);
    } else if (kind == "distill" || kind == "evaluate") {
        if (result.contains("selected"))
            out << "softmax layers kept: " << result["selected"].dump() << '\n';
        printMeasures(result["measures"], out);
    } else if (kind == "train-teacher") {
        printTeacher(result, out);
    } else if (kind == "generate") {
        for (const nlohmann::json &one : result["continuations"])
            out << shownText(one["text"].get<std::string>()) << '\n';
    } else {
        out << documentText(result) << '\n';
    }
}

}  // namespace stillroom::cli
