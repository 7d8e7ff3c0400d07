// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/provenance.h"

#include "error.h"
#include "report/table.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>

namespace stillroom::report {
namespace {

constexpr std::size_t shownUuid = 8;

std::string joined(const std::vector<std::string> &parts, const std::string &between)
{
    std::string all;
    for (const std::string &part : parts)
        all += (all.empty() ? "" : between) + part;
    return all;
}

template <typename List, typename One> void addOnce(List &list, const One &one)
{
    if (std::find(list.begin(), list.end(), one) == list.end())
        list.push_back(one);
}

nlohmann::json hybridsJson(const std::vector<HybridShown> &hybrids)
{
    nlohmann::json all = nlohmann::json::array();
    for (const HybridShown &one : hybrids)      // an SE that is not finite becomes null
        all.push_back({{"run", one.source.run}, {"name", one.source.runName}, {"stage_key", one.source.key}, {"keep", one.keep}, {"kl_nats", one.klNats}, {"se_nats", one.seNats}, {"n", one.n}});
    return all;
}

}  // namespace

void addOverlay(Provenance &provenance, const std::string &name, const std::string &mixer, const std::string &run, const std::string &key, std::int64_t seed)
{
    addOnce(provenance.runs, run);
    if (!key.empty())
        addOnce(provenance.keys, key);
    addOnce(provenance.seeds, seed);
    provenance.settings.emplace_back("overlay", name);
    provenance.settings.emplace_back("overlay mixer", mixer);
    std::stable_sort(provenance.settings.begin(), provenance.settings.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
}

void addHybrids(Provenance &provenance, const std::vector<HybridShown> &hybrids)
{
    for (const HybridShown &one : hybrids) {
        if (!one.source.run.empty())
            addOnce(provenance.runs, one.source.run);
        addOnce(provenance.keys, one.source.key);
        provenance.hybrids.push_back(one);
    }
}

std::string provenanceLine(const Provenance &provenance)
{
    std::vector<std::string> parts{"Stillroom" + (provenance.version.empty() ? std::string() : " " + provenance.version)}, runs;
    for (const std::string &run : provenance.runs)
        runs.push_back(run.substr(0, shownUuid));
    if (!runs.empty())
        parts.push_back((runs.size() == 1 ? "run " : "runs ") + joined(runs, ", "));
    for (const auto &[name, value] : provenance.settings)
        parts.push_back(name + " = " + value);
    if (!provenance.date.empty())
        parts.push_back(provenance.date);
    return oneLine(joined(parts, " · "));
}

std::string provenanceJson(const Provenance &provenance)
{
    nlohmann::json settings = nlohmann::json::object();
    for (const auto &[name, value] : provenance.settings)
        settings[name] = value;
    nlohmann::json all = {{"schema", 1}, {"program", "Stillroom"}, {"version", provenance.version}, {"title", provenance.title}, {"runs", provenance.runs},
                          {"stage_keys", provenance.keys}, {"seeds", provenance.seeds}, {"settings", settings}};
    if (!provenance.hybrids.empty())
        all["hybrids"] = hybridsJson(provenance.hybrids);
    if (!provenance.date.empty())
        all["date"] = provenance.date;
    return all.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

void checkDate(const std::string &date)
{
    if (date.empty())
        return;
    int year = 0;
    unsigned month = 0, day = 0;
    int used = 0;
    const bool read = std::sscanf(date.c_str(), "%4d-%2u-%2u%n", &year, &month, &day, &used) == 3 && used == 10 && date.size() == 10;
    if (!read || year < 1 || !std::chrono::year_month_day(std::chrono::year(year), std::chrono::month(month), std::chrono::day(day)).ok())
        throw Error(ErrorCode::Usage, "the date is \"" + date + "\": write it as YYYY-MM-DD");
}

}  // namespace stillroom::report
