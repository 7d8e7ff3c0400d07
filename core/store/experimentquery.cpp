// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/experimentquery.h"

#include "error.h"
#include "experiment/shownnames.h"
#include "experiment/spec.h"
#include "shownname.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

namespace stillroom::store {

namespace {

constexpr const char *textFields[] = {"name", "notes", "tag", "kind", "status", "teacher", "mixer", "probe", "selector", "stage", "is"};
constexpr const char *marks[] = {"locked", "pinned"};
constexpr const char *countFields[] = {"k", "seed", "tokens", "seconds"};

/// ASCII only: other letters are compared as they are.
std::string lower(std::string text)
{
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c); });
    return text;
}

bool isAmong(const std::string &name, const auto &names)
{
    return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

/// "kl" for "kl_nats", "perplexity" for itself.
std::string measureNamed(const std::string &field, const std::vector<std::string> &measures)
{
    for (const std::string &name : {field, field + "_nats"})
        if (isAmong(name, measures))
            return name;
    return {};
}

std::string listed(const std::vector<std::string> &names)
{
    std::string all;
    for (const std::string &name : names)
        all += (all.empty() ? "" : ", ") + name;
    return all;
}

std::vector<std::string> statusWords()
{
    std::vector<std::string> all;
    for (const RunStatus status : {RunStatus::Running, RunStatus::Finished, RunStatus::Failed, RunStatus::Cancelled, RunStatus::Interrupted})
        all.emplace_back(statusName(status));
    return all;
}

struct Word {
    std::string text;
    bool plain = false;      ///< it begins with a quote: no field
};

/// Parts between spaces; quotes hold spaces and are dropped.
std::vector<Word> wordsOf(const std::string &text)
{
    std::vector<Word> words;
    std::optional<Word> word;
    bool quoted = false;
    for (const char c : text) {
        if ((c == ' ' || c == '\t' || c == '\n') && !quoted) {
            if (word)
                words.push_back(*std::exchange(word, std::nullopt));
            continue;
        }
        if (!word)
            word = Word{{}, c == '"'};
        if (c == '"')
            quoted = !quoted;
        else
            word->text += c;
    }
    if (word)
        words.push_back(*word);
    return words;
}

std::vector<std::string> marksOf(const ExperimentRow &row)
{
    std::vector<std::string> found;
    if (row.locked)
        found.emplace_back("locked");
    if (row.pinned)
        found.emplace_back("pinned");
    return found;
}

std::vector<std::string> textsOf(const ExperimentRow &row, const std::string &field, const ExperimentQuery::Shown &shown);

/// What a run is: its marks, and how it stands. Both in the words of who asks, if it has its own.
std::vector<std::string> statesOf(const ExperimentRow &row, const ExperimentQuery::Shown &shown)
{
    std::vector<std::string> found = shown ? shown(row, "is") : std::vector<std::string>();
    if (found.empty())
        found = marksOf(row);
    const std::vector<std::string> status = textsOf(row, "status", shown);
    found.insert(found.end(), status.begin(), status.end());
    return found;
}

std::vector<std::string> textsOf(const ExperimentRow &row, const std::string &field, const ExperimentQuery::Shown &shown)
{
    if (field == "is")
        return statesOf(row, shown);
    if (shown)
        if (std::vector<std::string> texts = shown(row, field); !texts.empty())
            return texts;
    if (field == "name")
        return {row.name};
    if (field == "notes")
        return {row.notes};
    if (field == "tag")
        return row.tags;
    if (field == "kind")
        return {row.kind};
    if (field == "status")
        return {statusName(row.status)};
    if (field == "teacher")
        return {row.teacher, experiment::teacherName(row.teacher)};
    if (field == "mixer" || field == "probe")
        return {row.mixer};
    if (field == "selector")
        return {row.selector};
    return {row.task};
}

std::optional<double> numberOf(const ExperimentRow &row, const std::string &field)
{
    if (field == "k")
        return row.keep ? std::optional<double>(*row.keep) : std::nullopt;
    if (field == "seed")
        return row.seed ? std::optional(static_cast<double>(*row.seed)) : std::nullopt;
    if (field == "tokens")
        return static_cast<double>(row.tokens);
    if (field == "seconds")
        return row.seconds;
    const auto found = row.measures.find(field);
    return found == row.measures.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace

std::vector<std::string> ExperimentQuery::fields(const std::vector<std::string> &measures)
{
    std::vector<std::string> all(std::begin(textFields), std::end(textFields));
    all.insert(all.end(), std::begin(marks), std::end(marks));
    all.insert(all.end(), std::begin(countFields), std::end(countFields));
    constexpr std::string_view nats = "_nats";
    for (const std::string &name : measures)
        all.push_back(name.ends_with(nats) ? name.substr(0, name.size() - nats.size()) : name);
    return all;
}

std::vector<std::string> ExperimentQuery::states()
{
    std::vector<std::string> all(std::begin(marks), std::end(marks));
    const std::vector<std::string> statuses = statusWords();
    all.insert(all.end(), statuses.begin(), statuses.end());
    return all;
}

ExperimentQuery::ExperimentQuery(const std::string &text, const std::vector<std::string> &measures, const std::vector<std::string> &moreStates)
{
    for (const Word &word : wordsOf(text)) {
        m_parts.push_back(word.plain ? Part{.field = {}, .text = lower(word.text)} : parse(word.text, measures));
        checkState(m_parts.back(), moreStates);
    }
}

/// Of the few words that say how a run stands one that is none finds nothing, and a list that is empty does not say why.
void ExperimentQuery::checkState(const Part &part, const std::vector<std::string> &moreStates)
{
    if (part.field != "is" && part.field != "status")
        return;
    std::vector<std::string> known = part.field == "is" ? states() : statusWords();
    for (const std::string &more : moreStates)
        if (!isAmong(more, known))
            known.push_back(more);
    const auto fits = [&](const std::string &word) { return part.relation == Relation::Holds ? lower(word).find(part.text) != std::string::npos : lower(word) == part.text; };
    if (std::none_of(known.begin(), known.end(), fits))
        throw Error(ErrorCode::Usage, "No experiment is ever \"" + shownName(part.text) + "\": behind \"" + part.field + "\" stands one of " + listed(known) + ".");
}

ExperimentQuery::Part ExperimentQuery::parse(const std::string &word, const std::vector<std::string> &measures)
{
    Part part;
    part.negated = word.size() > 1 && word.front() == '-';
    const std::string said = part.negated ? word.substr(1) : word;
    const std::size_t at = said.find_first_of(":=<>!");
    if (at == std::string::npos || at == 0) {
        part.text = lower(said);
        return part;
    }
    std::size_t end = at + 1;
    const bool orEqual = end < said.size() && said[end] == '=';
    switch (said[at]) {
    case ':': part.relation = Relation::Holds; break;
    case '=': part.relation = Relation::Equals; break;
    case '!': part.relation = Relation::Differs; break;
    case '<': part.relation = orEqual ? Relation::AtMost : Relation::Below; break;
    default: part.relation = orEqual ? Relation::AtLeast : Relation::Above; break;
    }
    if (orEqual && said[at] != ':' && said[at] != '=')
        ++end;
    part.field = lower(said.substr(0, at));
    part.text = lower(said.substr(end));
    if (isAmong(part.field, marks) && part.relation == Relation::Holds && part.text.empty())      // "locked:" for "is:locked"
        part.text = std::exchange(part.field, "is");
    const bool isText = isAmong(part.field, textFields);
    if (!isText && !isAmong(part.field, countFields)) {
        const std::string measure = measureNamed(part.field, measures);
        if (measure.empty()) {
            const std::string nearest = experiment::nearestName(part.field, fields(measures));
            throw Error(ErrorCode::Usage, "No experiment has the field \"" + shownName(part.field) + "\"" + (nearest.empty() ? ": the fields are " + listed(fields(measures)) + "; put words in quotes that hold one of : = < >." : "; did you mean \"" + nearest + "\"?"));
        }
        part.field = measure;
    }
    if (isText && part.relation != Relation::Holds && part.relation != Relation::Equals && part.relation != Relation::Differs)
        throw Error(ErrorCode::Usage, "The field \"" + part.field + "\" is a text: write " + part.field + ":… for what it holds.");
    if (isText)
        return part;
    const char *last = part.text.data() + part.text.size();
    const auto [stop, failure] = std::from_chars(part.text.data(), last, part.number);
    if (failure != std::errc() || stop != last || !std::isfinite(part.number))
        throw Error(ErrorCode::Usage, "The field \"" + shownName(said.substr(0, at)) + "\" is a number, and \"" + shownName(part.text) + "\" is none: write for example " + shownName(said.substr(0, at)) + "<0.2.");
    if (part.relation == Relation::Holds)
        part.relation = Relation::Equals;
    return part;
}

bool ExperimentQuery::holds(const Part &part, const ExperimentRow &row, const Shown &shown)
{
    const auto within = [&](const std::string &text) { return lower(text).find(part.text) != std::string::npos; };
    if (part.field.empty()) {
        if (row.uuid.starts_with(part.text))
            return true;
        return std::any_of(std::begin(textFields), std::end(textFields), [&](const char *field) {
            const auto texts = textsOf(row, field, shown);
            return std::any_of(texts.begin(), texts.end(), within);
        });
    }
    if (isAmong(part.field, textFields)) {
        const auto texts = textsOf(row, part.field, shown);
        const auto equal = [&](const std::string &text) { return lower(text) == part.text; };
        switch (part.relation) {
        case Relation::Holds: return std::any_of(texts.begin(), texts.end(), within);
        case Relation::Differs: return std::none_of(texts.begin(), texts.end(), equal);
        default: return std::any_of(texts.begin(), texts.end(), equal);
        }
    }
    const auto number = numberOf(row, part.field);
    if (!number)
        return false;
    switch (part.relation) {
    case Relation::Below: return *number < part.number;
    case Relation::AtMost: return *number <= part.number;
    case Relation::Above: return *number > part.number;
    case Relation::AtLeast: return *number >= part.number;
    case Relation::Differs: return *number != part.number;
    default: return *number == part.number;
    }
}

bool ExperimentQuery::matches(const ExperimentRow &row, const Shown &shown) const
{
    const bool asksForKind = std::any_of(m_parts.begin(), m_parts.end(), [](const Part &part) { return part.field == "kind"; });
    if (row.kind == "inspect" && !asksForKind && row.name.empty() && row.tags.empty() && row.notes.empty() && !row.pinned && !row.locked)
        return false;
    return std::all_of(m_parts.begin(), m_parts.end(), [&](const Part &part) { return holds(part, row, shown) != part.negated; });
}

}  // namespace stillroom::store
