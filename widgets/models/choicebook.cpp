// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/choicebook.h"

#include "error.h"
#include "models/specfields.h"
#include "views/names.h"
#include "views/quantities.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace stillroom::widgets {
namespace {

using comparison::Choice, comparison::Origin;

/// The latest score of each layer takes the place of the one before; the scorings of a run that is under way grow by this.
void grow(store::Scoring &scoring, const experiment::LayerScore &score)
{
    scoring.evaluations.push_back(score);
    const auto at = std::lower_bound(scoring.scores.begin(), scoring.scores.end(), score.layer, [](const experiment::LayerScore &one, int layer) { return one.layer < layer; });
    if (at != scoring.scores.end() && at->layer == score.layer)
        *at = score;
    else
        scoring.scores.insert(at, score);
}

void rankAnew(store::Scoring &scoring, int numLayers)
{
    try {
        scoring.ranking = experiment::rank(scoring.scores, numLayers);
    } catch (const Error &) {      // a layer is still missing, or diverged
        scoring.ranking.reset();
    }
}

/// Null for what no run measured.
const store::Scoring *scoringOf(const std::vector<store::Scoring> &scorings, const Choice &choice)
{
    const auto found = std::find_if(scorings.begin(), scorings.end(), [&](const store::Scoring &one) { return choice.name.ends_with(comparison::scoringName(one)); });
    return choice.run.empty() || found == scorings.end() ? nullptr : &*found;
}

/// Equal names are told apart by what differs in how they were measured, else by the run.
std::vector<QString> distinctNames(const std::vector<Choice> &choices, const std::vector<store::Scoring> &scorings)
{
    std::vector<QString> names;
    std::map<QString, std::vector<std::size_t>> alike;
    for (std::size_t i = 0; i < choices.size(); ++i)
        alike[names.emplace_back(choiceName(choices[i]))].push_back(i);
    for (const auto &[name, places] : alike) {
        if (places.size() < 2)
            continue;
        std::vector<experiment::Sibling> siblings;
        std::vector<std::string> runs;
        for (const std::size_t at : places) {
            const store::Scoring *scoring = scoringOf(scorings, choices[at]);
            siblings.push_back({scoring ? scoring->settings : std::string(), choices[at].seed});
            runs.push_back(choices[at].run);
        }
        const std::vector<QString> texts = distinctionTexts(siblings, runs);
        for (std::size_t i = 0; i < places.size(); ++i)
            names[places[i]] = distinctName(name, texts[i]);
    }
    return names;
}

/// Those that ended, and those that a job is about.
bool isCompared(const store::Scoring &scoring)
{
    return scoring.status == store::RunStatus::Finished || scoring.status == store::RunStatus::Running;
}

bool isRunning(const std::vector<store::Scoring> &all, const std::string &run)
{
    return std::any_of(all.begin(), all.end(), [&](const store::Scoring &one) { return one.run == run && one.status == store::RunStatus::Running; });
}

}  // namespace

void ChoiceBook::reset(const comparison::TeacherShape &teacher)
{
    m_teacher = teacher;
    m_unmeasured.clear();
    if (teacher.numLayers > 0)
        m_unmeasured = comparison::unmeasuredChoices(teacher, choices::PublishedSets::shipped());
    m_scorings.clear();
    ++m_generation;
    m_byHand.reset();
    rebuild();
    Q_EMIT scoringsChanged();
}

void ChoiceBook::setScorings(std::vector<store::Scoring> scorings)
{
    m_scorings = std::move(scorings);
    ++m_generation;
    rebuild();
    Q_EMIT scoringsChanged();
}

void ChoiceBook::add(const std::string &run, const std::string &task, const std::vector<experiment::LayerScore> &scores, const std::string &spec)
{
    std::set<std::size_t> touched;
    bool isEnough = true, isOther = false;
    for (const experiment::LayerScore &score : scores) {
        if (score.layer >= m_teacher.numLayers)
            continue;
        const ScoringKey key{run, task, score.selector, score.mixer};
        auto found = std::find_if(m_scorings.begin(), m_scorings.end(), [&](const store::Scoring &one) { return keyOf(one) == key; });
        if (found == m_scorings.end()) {
            found = m_scorings.emplace(m_scorings.end());
            std::tie(found->run, found->task, found->selector, found->mixer) = std::tie(key.run, key.task, key.selector, key.mixer);
            store::describeBySpec(*found, nlohmann::json::parse(spec, nullptr, false));
            isEnough = false;
        }
        isEnough = isEnough && found->status == store::RunStatus::Running;
        found->status = store::RunStatus::Running;      // also of one that goes on
        grow(*found, score);
        touched.insert(static_cast<std::size_t>(found - m_scorings.begin()));
    }
    if (touched.empty())
        return;
    for (const std::size_t at : touched) {
        rankAnew(m_scorings[at], m_teacher.numLayers);
        isEnough = isEnough && renew(m_scorings[at], isOther);
    }
    if (!isEnough)
        rebuild();
    else if (isOther)
        Q_EMIT entriesChanged();
    Q_EMIT scoringsChanged();
}

bool ChoiceBook::renew(const store::Scoring &scoring, bool &isOther)
{
    const std::string name = comparison::scoringName(scoring);
    const auto first = std::find_if(m_entries.begin(), m_entries.end(), [&](const Entry &entry) { return entry.choice.origin == Origin::Scoring && entry.choice.name == name; });
    const auto isOfIt = [&](const Entry &entry) { return entry.choice.origin == Origin::Smart && entry.choice.name.ends_with(name); };
    const auto last = first == m_entries.end() ? first : std::find_if_not(std::next(first), m_entries.end(), isOfIt);
    std::vector<Choice> now = comparison::choicesOfScoring(scoring, m_teacher);
    if (std::distance(first, last) != std::ssize(now))      // SMART of it has come, or gone
        return false;
    for (std::size_t i = 0; i < now.size(); ++i)
        if (Choice &choice = std::next(first, static_cast<std::ptrdiff_t>(i))->choice; choice != now[i]) {
            choice = std::move(now[i]);
            isOther = true;
        }
    return true;
}

void ChoiceBook::endRun(const std::string &run, store::RunStatus status)
{
    bool any = false;
    for (store::Scoring &one : m_scorings)
        if (one.run == run && one.status == store::RunStatus::Running) {
            one.status = status;
            any = true;
        }
    if (!any)
        return;
    rebuild();
    Q_EMIT scoringsChanged();
}

void ChoiceBook::setByHand(std::optional<experiment::LayerSet> layers)
{
    if (layers == m_byHand)
        return;
    m_byHand = std::move(layers);
    rebuild();
}

const store::Scoring *ChoiceBook::scoring(const ScoringKey &key) const
{
    const auto found = std::find_if(m_scorings.begin(), m_scorings.end(), [&](const store::Scoring &one) { return keyOf(one) == key; });
    return found == m_scorings.end() ? nullptr : &*found;
}

const store::Scoring *ChoiceBook::latest(const std::string &selector, const std::string &mixer) const
{
    const auto found = std::find_if(m_scorings.rbegin(), m_scorings.rend(), [&](const store::Scoring &one) { return one.selector == selector && one.mixer == mixer; });
    return found == m_scorings.rend() ? nullptr : &*found;
}

QString ChoiceBook::scoringName(const store::Scoring &scoring) const
{
    const std::string name = comparison::scoringName(scoring);
    for (const Entry &entry : m_entries)
        if (const Choice &choice = entry.choice; choice.origin == Origin::Scoring && choice.name == name)
            return entry.name;
    const Choice choice{Origin::Scoring, name, scoring.selector, scoring.mixer, scoring.run, scoring.seed, {}, {}};
    return distinctName(distinctName(choiceName(choice), runName(QString::fromStdString(scoring.run))), tr("stopped"));
}

void ChoiceBook::tellScoringsApart()
{
    std::map<std::pair<std::string, std::string>, std::vector<std::size_t>> alike;
    for (std::size_t i = 0; i < m_scorings.size(); ++i)
        alike[{m_scorings[i].selector, m_scorings[i].mixer}].push_back(i);
    m_distinctions.assign(m_scorings.size(), QString());
    for (const auto &[what, places] : alike) {
        if (places.size() < 2)
            continue;
        std::vector<experiment::Sibling> siblings;
        std::vector<std::string> runs;
        std::map<std::string, int> named;
        for (const std::size_t at : places) {
            siblings.push_back({m_scorings[at].settings, m_scorings[at].seed});
            runs.push_back(m_scorings[at].run);
            ++named[m_scorings[at].name];
        }
        const std::vector<QString> texts = distinctionTexts(siblings, runs);
        for (std::size_t i = 0; i < places.size(); ++i) {
            const std::string &own = m_scorings[places[i]].name;
            m_distinctions[places[i]] = !own.empty() && named.at(own) == 1 ? QString::fromStdString(own) : texts[i];
        }
    }
}

QString ChoiceBook::scoresLabel(const store::Scoring &scoring) const
{
    QStringList parts{scoresName(QString::fromStdString(scoring.selector), QString::fromStdString(scoring.mixer))};
    const auto known = std::find_if(m_scorings.begin(), m_scorings.end(), [key = keyOf(scoring)](const store::Scoring &one) { return keyOf(one) == key; });
    if (known != m_scorings.end())
        if (const QString &distinction = m_distinctions[static_cast<std::size_t>(known - m_scorings.begin())]; !distinction.isEmpty())
            parts << distinction;
    std::int64_t tokens = 0;
    for (const experiment::LayerScore &score : scoring.scores)
        tokens = std::max(tokens, score.tokens);
    if (scoring.status == store::RunStatus::Running)
        parts << tr("running");
    else if (scoring.status != store::RunStatus::Finished)
        parts << tr("stopped at %1 tokens").arg(shortCount(static_cast<double>(tokens)));
    return parts.join(QStringLiteral(" · "));
}

/// Says so only where there is something else than before.
void ChoiceBook::rebuild()
{
    tellScoringsApart();
    std::vector<Choice> all;
    for (const store::Scoring &one : m_scorings)
        if (m_teacher.numLayers > 0 && isCompared(one))
            for (Choice &choice : comparison::choicesOfScoring(one, m_teacher))
                all.push_back(std::move(choice));
    all.insert(all.end(), m_unmeasured.begin(), m_unmeasured.end());
    if (m_byHand)
        all.push_back(comparison::byHand(*m_byHand, m_teacher.numLayers));
    std::vector<QString> names = distinctNames(all, m_scorings);
    for (std::size_t i = 0; i < all.size(); ++i)
        if (!all[i].run.empty() && isRunning(m_scorings, all[i].run))
            names[i] = distinctName(names[i], tr("running"));
    std::vector<Entry> entries;
    for (std::size_t i = 0; i < all.size(); ++i)
        entries.push_back({std::move(all[i]), names[i]});
    if (entries == m_entries)
        return;
    m_entries = std::move(entries);
    Q_EMIT entriesChanged();
}

}  // namespace stillroom::widgets
