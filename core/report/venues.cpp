// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/venues.h"

#include "error.h"
#include "experiment/spec.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace stillroom::report {

const std::vector<Venue> &venues()
{
    static const std::vector<Venue> all = {
        {"icml", "ICML, UAI", 3.25, 6.75, 8.0, 6.0},
        {"aistats", "AISTATS", 3.25, 6.75, 9.0, 7.0},
        {"acl", "ACL, EMNLP, NAACL", 3.03, 6.3, 9.0, 7.0},
        {"cvpr", "CVPR", 3.25, 6.875, 8.0, 6.0},
        {"aaai", "AAAI", 3.3, 6.975, 8.0, 6.0},
        {"neurips", "NeurIPS, ICLR", 0.0, 5.5, 9.0, 7.0},
        {"jmlr", "JMLR", 0.0, 6.0, 9.0, 7.0},
        {"tmlr", "TMLR", 0.0, 6.5, 9.0, 7.0},
        {"eccv", "ECCV", 0.0, 4.8, 9.0, 7.0},
    };
    return all;
}

namespace {

std::string inSmallLetters(std::string text)
{
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    return text;
}

/// \param names  "NeurIPS, ICLR"
bool isAmong(const std::string &venue, const std::string &names)
{
    return (", " + inSmallLetters(names) + ",").find(", " + inSmallLetters(venue) + ",") != std::string::npos;
}

}  // namespace

const Venue &venueNamed(const std::string &key)
{
    const auto found = std::find_if(venues().begin(), venues().end(), [&](const Venue &one) { return one.key == key; });
    if (found != venues().end())
        return *found;
    std::vector<std::string> keys;
    std::string list;
    for (const Venue &one : venues()) {
        keys.push_back(one.key);
        list += (list.empty() ? "" : ", ") + one.key + (one.name.find(',') == std::string::npos ? "" : " (" + one.name + ")");
    }
    const auto same = std::find_if(venues().begin(), venues().end(), [&](const Venue &one) { return isAmong(key, one.name); });
    const std::string nearest = same != venues().end() ? same->key + ", which has its widths" : experiment::nearestName(key, keys);
    throw Error(ErrorCode::Usage, "there is no venue \"" + key + "\": " + (nearest.empty() ? "choose one of " + list : "did you mean " + nearest + "?"));
}

double widthInches(const Venue &venue, const std::string &width)
{
    if (width == "text")
        return venue.textInches;
    if (width == "column")
        return venue.columnInches > 0.0 ? venue.columnInches : venue.textInches;
    double inches = 0.0;
    const auto [end, problem] = std::from_chars(width.data(), width.data() + width.size(), inches);
    if (problem != std::errc() || end != width.data() + width.size() || !(inches >= leastInches && inches <= mostInches))
        throw Error(ErrorCode::Usage, "the width of a figure is \"" + width + "\": give column, text, or 1 to 20 inches");
    return inches;
}

}  // namespace stillroom::report
