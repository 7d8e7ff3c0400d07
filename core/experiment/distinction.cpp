// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/distinction.h"

#include "experiment/difference.h"
#include "experiment/spec.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

namespace stillroom::experiment {

namespace {

using nlohmann::json;

/// By path: what stands there in every one of some settings.
using Columns = std::map<std::string, std::vector<std::string>>;

json settingsFrom(const std::string &text)
{
    json settings = json::parse(text, nullptr, false);
    if (!settings.is_object())
        return json::object();
    for (const char *own : fieldsOfRepetition)
        settings.erase(own);
    leaveOutSwitchedOff(settings);
    return settings;
}

/// Of the fields that are not equal in all of them. Each is compared with the first one: equal parts, which is most of them, are gone through once.
Columns differingFields(const std::vector<const std::string *> &texts)
{
    Columns columns;
    const json first = texts.size() > 1 ? settingsFrom(*texts.front()) : json();
    for (std::size_t i = 1; i < texts.size(); ++i)
        for (Difference &one : differences(first, settingsFrom(*texts[i])))
            columns.try_emplace(std::move(one.path), texts.size(), one.before).first->second[i] = std::move(one.after);
    return columns;
}

/// Those that are alike have one number.
using Classes = std::vector<std::size_t>;

std::size_t numClasses(const Classes &classes)
{
    return classes.empty() ? 0 : *std::max_element(classes.begin(), classes.end()) + 1;
}

template <typename Value>
Classes split(const Classes &classes, const std::vector<Value> &values)
{
    std::map<std::pair<std::size_t, Value>, std::size_t> known;
    Classes finer;
    for (std::size_t i = 0; i < classes.size(); ++i)
        finer.push_back(known.try_emplace({classes[i], values[i]}, known.size()).first->second);
    return finer;
}

std::vector<Columns::const_iterator> tellingColumns(const Columns &columns, std::size_t numSettings)
{
    std::vector<Columns::const_iterator> chosen;
    Classes classes(numSettings, 0);
    while (true) {
        auto best = columns.end();
        Classes finest = classes;
        for (auto column = columns.begin(); column != columns.end(); ++column)
            if (Classes finer = split(classes, column->second); numClasses(finer) > numClasses(finest)) {
                finest = std::move(finer);
                best = column;
            }
        if (best == columns.end())
            return chosen;
        chosen.push_back(best);
        classes = std::move(finest);
    }
}

}  // namespace

std::vector<std::vector<SpecValue>> distinctions(const std::vector<Sibling> &siblings)
{
    std::map<std::string, std::size_t> known;
    std::vector<const std::string *> texts;
    Classes settings;
    std::vector<std::optional<std::int64_t>> seeds;
    for (const Sibling &one : siblings) {
        const auto [place, isNew] = known.try_emplace(one.settings, texts.size());
        if (isNew)
            texts.push_back(&place->first);
        settings.push_back(place->second);
        seeds.push_back(one.seed);
    }
    const Columns columns = differingFields(texts);
    const auto chosen = tellingColumns(columns, texts.size());
    Classes told(siblings.size(), 0);
    std::vector<std::vector<SpecValue>> all(siblings.size());
    for (const auto &column : chosen) {
        std::vector<std::string> values;
        for (std::size_t i = 0; i < siblings.size(); ++i) {
            values.push_back(column->second[settings[i]]);
            all[i].push_back({column->first, values.back()});
        }
        told = split(told, values);
    }
    if (numClasses(split(told, seeds)) > numClasses(told))
        for (std::size_t i = 0; i < siblings.size(); ++i)
            all[i].push_back({"seed", seeds[i] ? std::to_string(*seeds[i]) : std::string()});
    return all;
}

}  // namespace stillroom::experiment
