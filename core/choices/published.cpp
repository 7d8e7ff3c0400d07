// SPDX-License-Identifier: GPL-3.0-or-later
#include "choices/published.h"

#include "error.h"
#include "experiment/jsontext.h"
#include "experiment/spec.h"
#include "folders.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace stillroom::choices {
namespace {

constexpr std::size_t maximumTableBytes = std::size_t{4} << 20U;

/// A budget as a share of the layers in percent: "25", "25%" and "0.25" are one; shares below 1 that mean a percent need the sign.
std::optional<double> percentOf(std::string_view text)
{
    const bool signedPercent = text.ends_with('%');
    if (signedPercent)
        text.remove_suffix(1);
    double value = 0.0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return value < 1.0 && !signedPercent ? 100.0 * value : value;
}

std::optional<int> countOf(std::string_view text)
{
    if (!text.starts_with('k') && !text.starts_with('K'))
        return std::nullopt;
    int count = 0;
    const auto [end, problem] = std::from_chars(text.data() + 1, text.data() + text.size(), count);
    return problem == std::errc() && end == text.data() + text.size() ? std::optional<int>(count) : std::nullopt;
}

constexpr const char *listing = " (stillroom-cli select --list-published lists them all)";

bool isBudget(const PublishedSet &set, const std::string &text)
{
    if (set.budget == text)
        return true;
    if (const auto count = countOf(text))
        return static_cast<int>(set.layers.size()) == *count;
    const auto asked = percentOf(text), has = percentOf(set.budget);
    return asked && has && std::abs(*asked - *has) < 1e-9;
}

std::array<std::string, 4> partsOf(std::string_view name)
{
    if (isPublishedName(name))
        name.remove_prefix(publishedPrefix.size());
    std::array<std::string, 4> parts;
    std::size_t filled = 0;
    for (const char c : name) {
        if (c != '/')
            parts[filled] += c;
        else if (++filled == parts.size())
            break;
    }
    if (filled != parts.size() - 1)
        throw Error(ErrorCode::Usage, "\"" + std::string(name.substr(0, 100)) + "\" is no published set: write published:TEACHER/PROBE/BUDGET/SELECTOR, for example published:qwen2.5-3b/gdn/25/ga-s2" + listing);
    return parts;
}

PublishedSet readSet(const nlohmann::json &json, const nlohmann::json &source, const std::vector<PublishedTeacher> &teachers)
{
    PublishedSet set;
    set.teacher = json.at("teacher").get<std::string>();
    set.probe = json.at("probe").get<std::string>();
    set.budget = json.at("budget").get<std::string>();
    set.selector = json.at("selector").get<std::string>();
    set.layers = json.at("layers").get<std::vector<int>>();
    set.ranked = json.at("ranked").get<bool>();
    set.note = json.value("note", std::string());
    set.source = source.at("repository").get<std::string>() + " at " + source.at("commit").get<std::string>().substr(0, 7) + ", configs/" + json.at("config").get<std::string>() + "/stage2.yaml";
    const auto teacher = std::find_if(teachers.begin(), teachers.end(), [&](const PublishedTeacher &one) { return one.name == set.teacher; });
    if (teacher == teachers.end())
        throw Error(ErrorCode::BadFile, "the table of published sets names a teacher \"" + set.teacher + "\" that it does not describe");
    set.numLayers = teacher->numLayers;
    (void)experiment::validLayerSet(set.layers, set.numLayers);
    return set;
}

}  // namespace

std::string PublishedSet::name() const
{
    return std::string(publishedPrefix) + teacher + "/" + probe + "/" + budget + "/" + selector;
}

experiment::LayerSet PublishedSet::set() const
{
    return experiment::topLayers(layers, static_cast<int>(layers.size()));
}

PublishedSets::PublishedSets(const std::filesystem::path &file)
{
    const std::string what = "The table of published sets \"" + file.string() + "\"";
    const nlohmann::json json = experiment::parseJson(experiment::readTextFile(file.string(), maximumTableBytes, what), what);
    try {
        if (json.at("schema").get<int>() != 1)
            throw Error(ErrorCode::BadFile, what + " is of another version than 1: install the one that came with this program");
        const auto words = [&](const char *group) {
            std::vector<Word> read;
            for (const nlohmann::json &one : json.at(group))
                read.push_back({one.at("name").get<std::string>(), one.at("also").get<std::vector<std::string>>()});
            return read;
        };
        m_teacherWords = words("teachers");
        m_probeWords = words("probes");
        m_selectorWords = words("selectors");
        for (const nlohmann::json &one : json.at("teachers"))
            m_teachers.push_back({one.at("name").get<std::string>(), one.at("model").get<std::string>(), one.at("num_layers").get<int>(), one.at("hidden_size").get<std::int64_t>()});
        for (const nlohmann::json &one : json.at("sets")) {
            m_sets.push_back(readSet(one, json.at("source"), m_teachers));
            for (std::size_t i = 0; i + 1 < m_sets.size(); ++i)
                if (m_sets[i].name() == m_sets.back().name())
                    throw Error(ErrorCode::BadFile, what + " holds " + m_sets[i].name() + " twice");
        }
    } catch (const nlohmann::json::exception &error) {
        throw Error(ErrorCode::BadFile, what + " cannot be understood: install the one that came with this program", error.what());
    } catch (const Error &error) {
        throw Error(ErrorCode::BadFile, error.what());      // a layer out of range is the file's fault, not the person's
    }
}

const PublishedSets &PublishedSets::shipped()
{
    static const PublishedSets table(resourceFolder() / "published" / "layersets.json");
    return table;
}

const PublishedTeacher *PublishedSets::teacherOf(int numLayers, std::int64_t hiddenSize) const
{
    const auto found = std::find_if(m_teachers.begin(), m_teachers.end(), [&](const PublishedTeacher &one) { return one.numLayers == numLayers && one.hiddenSize == hiddenSize; });
    return found == m_teachers.end() ? nullptr : &*found;
}

std::vector<PublishedSet> PublishedSets::setsOf(const PublishedTeacher &teacher) const
{
    std::vector<PublishedSet> own;
    std::copy_if(m_sets.begin(), m_sets.end(), std::back_inserter(own), [&](const PublishedSet &set) { return set.teacher == teacher.name; });
    return own;
}

std::string PublishedSets::known(const std::vector<Word> &words, const std::string &text, const char *what)
{
    std::vector<std::string> names;
    for (const Word &word : words) {
        if (word.name == text || std::find(word.also.begin(), word.also.end(), text) != word.also.end())
            return word.name;
        names.push_back(word.name);
    }
    const std::string nearest = experiment::nearestName(text, names);
    std::string all;
    for (const std::string &name : names)
        all += (all.empty() ? "" : ", ") + name;
    throw Error(ErrorCode::Usage, "no published set has the " + std::string(what) + " \"" + text.substr(0, 100) + "\"" + (nearest.empty() ? "; there are " + all + listing : ": did you mean " + nearest + listing + "?"));
}

const PublishedSet &PublishedSets::find(std::string_view name) const
{
    const auto [teacherText, probeText, budget, selectorText] = partsOf(name);
    const std::string teacher = known(m_teacherWords, teacherText, "teacher"), probe = known(m_probeWords, probeText, "probe"), selector = known(m_selectorWords, selectorText, "selector");
    std::string budgets;
    for (const PublishedSet &set : m_sets) {
        if (set.teacher != teacher || set.probe != probe || set.selector != selector)
            continue;
        if (isBudget(set, budget))
            return set;
        budgets += (budgets.empty() ? "" : ", ") + set.budget;
    }
    if (budgets.empty())
        throw Error(ErrorCode::Usage, "nothing was published for " + teacher + " with " + probe + " students and the selector " + selector + listing);
    throw Error(ErrorCode::Usage, "nothing was published for " + teacher + "/" + probe + "/" + selector + " at the budget \"" + budget.substr(0, 100) + "\"; there are " + budgets + listing);
}

}  // namespace stillroom::choices
