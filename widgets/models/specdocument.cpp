// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/specdocument.h"

#include <utility>
#include <vector>

namespace stillroom::widgets {
namespace {

using nlohmann::json;

/// "stages[1].spec.steps" as "/stages/1/spec/steps".
json::json_pointer pointerTo(const std::string &path)
{
    std::string text = "/";
    for (const char letter : path) {
        if (letter == '.' || letter == '[')
            text += '/';
        else if (letter != ']')
            text += letter;
    }
    return json::json_pointer(text);
}

/// What stands where an object belongs, as in a damaged preset, gives way to one.
json &objectsAlong(json &spec, json::json_pointer place)
{
    const auto isIndex = [](const std::string &name) { return !name.empty() && name.find_first_not_of("0123456789") == std::string::npos; };
    std::vector<std::pair<json::json_pointer, bool>> around;      // innermost first; whether it may be a list
    while (!place.empty()) {
        const bool mayBeList = isIndex(place.back());
        place.pop_back();
        around.emplace_back(place, mayBeList);
    }
    for (auto one = around.rbegin(); one != around.rend(); ++one)
        if (spec.contains(one->first) && !spec.at(one->first).is_object() && !(one->second && spec.at(one->first).is_array()))
            spec[one->first] = json::object();
    return spec;
}

/// The objects around it go with the last that they held, but for elements of lists.
void eraseAt(json &spec, json::json_pointer place)
{
    while (!place.empty()) {
        const std::string name = place.back();
        place.pop_back();
        if (!spec.contains(place) || !spec.at(place).is_object())
            return;
        json &around = spec.at(place);
        around.erase(name);
        const bool isElement = !place.empty() && spec.at(place.parent_pointer()).is_array();
        if (!around.empty() || isElement || (!place.empty() && place.back() == "spec"))
            return;
    }
}

}  // namespace

SpecDocument::SpecDocument(QObject *parent) : QObject(parent) {}

QString SpecDocument::kindOf(const json &spec)
{
    const json kind = spec.is_object() ? spec.value("kind", json()) : json();
    return kind.is_string() ? QString::fromStdString(kind.get<std::string>()) : QString();
}

json SpecDocument::at(const std::string &path) const
{
    const json::json_pointer place = pointerTo(path);
    return m_spec.contains(place) ? m_spec.at(place) : json();
}

QString SpecDocument::problemAt(const std::string &path) const
{
    if (const auto found = m_refused.find(path); found != m_refused.end())
        return found->second;
    return m_fault && m_fault->field == path ? QString::fromStdString(m_fault->message) : QString();
}

std::vector<std::string> SpecDocument::problems() const
{
    std::vector<std::string> paths;
    for (const auto &[path, why] : m_refused)
        paths.push_back(path);
    if (m_fault)
        paths.push_back(m_fault->field);
    return paths;
}

void SpecDocument::write(const QString &text)
{
    if (text == m_text)
        return;
    m_text = text;
    experiment::SpecReading reading = experiment::readSpecText(text.toStdString());
    const bool fits = reading.fits;
    if (fits) {
        m_essence = experiment::withoutDefaults(reading.given);
        m_spec = m_showsDefaults ? m_essence : reading.given;
        m_refused.clear();
    }
    judge(std::move(reading));
    if (fits)
        Q_EMIT specChanged();
}

void SpecDocument::replace(const json &spec)
{
    m_spec = experiment::withoutDefaults(spec);
    m_refused.clear();
    rewrite();
}

void SpecDocument::set(const std::string &path, const json &value)
{
    m_refused.erase(path);
    if (value.is_null())
        eraseAt(m_spec, pointerTo(path));
    else
        objectsAlong(m_spec, pointerTo(path))[pointerTo(path)] = value;
    rewrite();
}

void SpecDocument::refuse(const std::string &path, const QString &why)
{
    m_refused[path] = why;
    Q_EMIT judged();
}

void SpecDocument::blame(const QString &why)
{
    m_fault = experiment::faultIn(m_text.toStdString(), why.toStdString());
    Q_EMIT judged();
}

void SpecDocument::showDefaults(bool all)
{
    m_showsDefaults = all;
    rewrite();
}

void SpecDocument::rewrite()
{
    m_essence = experiment::withoutDefaults(m_spec);
    std::string text = experiment::specText(m_essence);
    experiment::SpecReading reading = experiment::readSpecText(text);
    if (m_showsDefaults && !reading.completed.is_null()) {
        text = experiment::specText(reading.completed);
        reading = experiment::readSpecText(text);
    }
    m_text = QString::fromStdString(text).trimmed();
    judge(std::move(reading));
    Q_EMIT rewritten();
    Q_EMIT specChanged();
}

void SpecDocument::judge(experiment::SpecReading reading)
{
    m_completed = std::move(reading.completed);
    m_fault = std::move(reading.fault);
    Q_EMIT judged();
}

}  // namespace stillroom::widgets
