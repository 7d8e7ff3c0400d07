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

void collect(const json *before, const json *after, const std::string &path, std::vector<Difference> &found)
{
    if (before && after && before->is_object() && after->is_object()) {
        std::set<std::string> names;
        for (const json *side : {before, after})
            for (const auto &member : side->items())
                names.insert(member.key());
        for (const std::string &name : names)
            collect(before->contains(name) ? &before->at(name) : nullptr, after->contains(name) ? &after->at(name) : nullptr, path.empty() ? name : path + '.' + name, found);
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
