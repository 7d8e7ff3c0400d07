// SPDX-License-Identifier: GPL-3.0-or-later
#include "resulttable.h"

#include "formatted.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <ostream>
#include <string>

namespace stillroom::cli {
namespace {

void printScores(const nlohmann::json &result, std::ostream &out)
{
    const bool kl = !result["scores"].empty() && !result["scores"][0]["kl_nats"].is_null();
    out << formatted("%5s  %5s  %14s  %9s  %6s\n", "rank", "layer", kl ? "KL/nats" : "residual", "SE", "n");
    std::vector<const nlohmann::json *> rows;
    for (const nlohmann::json &score : result["scores"])
        rows.push_back(&score);
    std::stable_sort(rows.begin(), rows.end(), [](const nlohmann::json *a, const nlohmann::json *b) {
        const double x = (*a)["score"].get<double>(), y = (*b)["score"].get<double>();
        return (*a)["higher_is_better"].get<bool>() ? x > y : x < y;
    });
    int rank = 0;
    for (const nlohmann::json *row : rows)
        out << formatted("%5d  %5d  %14.4f  %9.4f  %6lld\n", ++rank, (*row)["layer"].get<int>(), (*row)["score"].get<double>(),
                         row->value(kl ? "se_nats" : "se", 0.0), (*row)["n"].get<long long>());
    if (result.contains("all_linear"))
        out << formatted("all layers linear: KL %.4f nats/token\n", result["all_linear"]["score"].get<double>());
}

void printMeasures(const nlohmann::json &measures, std::ostream &out)
{
    for (const auto &[name, value] : measures.items())
        out << formatted("%-18s ", name.c_str()) << (value.is_number_float() ? formatted("%.5g", value.get<double>()) : value.dump()) << '\n';
}

}  // namespace

void printResult(const nlohmann::json &result, std::ostream &out)
{
    const std::string kind = result.value("kind", std::string());
    if (kind == "pipeline") {
        for (const auto &[task, stage] : result["stages"].items()) {
            out << task << (stage["reused"].get<bool>() ? " (reused)\n" : "\n");
            printResult(stage["result"], out);
        }
    } else if (kind == "score") {
        printScores(result, out);
    } else if (kind == "align") {
        out << "layer  residual (relative squared error)\n";
        for (const nlohmann::json &one : result["residuals"])
            out << formatted("%5d  %.4f ± %.4f\n", one["layer"].get<int>(), one["relative_mse"].get<double>(), one["se"].get<double>());
    } else if (kind == "distill" || kind == "evaluate") {
        if (result.contains("selected"))
            out << "softmax layers kept: " << result["selected"].dump() << '\n';
        printMeasures(result["measures"], out);
    } else if (kind == "generate") {
        for (const nlohmann::json &one : result["continuations"])
            out << one["text"].get<std::string>() << '\n';
    } else {
        out << result.dump(1) << '\n';
    }
}

}  // namespace stillroom::cli
