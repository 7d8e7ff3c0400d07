// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/difference.h"

#include "experiment/jsontext.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

namespace stillroom::experiment {

namespace {

using nlohmann::json;

bool isListOfObjects(const json &value)
{
    return value.is_array() && !value.empty() && std::all_of(value.begin(), value.end(), [](const json &one) { return one.is_object(); });
}

/// Whether one side's fields are compared one by one: an object, or nothing beside an object that has fields.
bool isGoneInto(const json *side, const json *other)
{
    return side ? side->is_object() : other && other->is_object() && !other->empty();
}

const json *member(const json *object, const std::string &name)
{
    return object && object->contains(name) ? &object->at(name) : nullptr;
}

void collect(const json *before, const json *after, const std::string &path, std::vector<Difference> &found)
{
    if (isGoneInto(before, after) && isGoneInto(after, before)) {
        std::set<std::string> names;
        for (const json *side : {before, after})
            if (side)
                for (const auto &one : side->items())
                    names.insert(one.key());
        for (const std::string &name : names)
            collect(member(before, name), member(after, name), path.empty() ? name : path + '.' + name, found);
        return;
    }
    if (before && after && isListOfObjects(*before) && isListOfObjects(*after)) {
        for (std::size_t i = 0; i < std::max(before->size(), after->size()); ++i)
            collect(i < before->size() ? &before->at(i) : nullptr, i < after->size() ? &after->at(i) : nullptr, path + '[' + std::to_string(i) + ']', found);
        return;
    }
    if (before && after && *before == *after)
        return;
    found.push_back({path, before ? compactJson(*before) : std::string(), after ? compactJson(*after) : std::string()});
}

}  // namespace

std::vector<Difference> differences(const json &before, const json &after)
{
    std::vector<Difference> found;
    collect(&before, &after, {}, found);
    return found;
}

}  // namespace stillroom::experiment
