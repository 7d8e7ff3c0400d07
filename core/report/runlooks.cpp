// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/runlooks.h"

#include <cstdint>
#include <map>
#include <set>

namespace stillroom::report {
namespace {

/// std::hash may be another one after the next update.
std::uint64_t fnv1a(const std::string &text)
{
    std::uint64_t hash = 14695981039346656037ULL;
    for (const char one : text)
        hash = (hash ^ static_cast<unsigned char>(one)) * 1099511628211ULL;
    return hash ^ (hash >> 29);      // its last bits hardly mix
}

/// The number below 30 that has both remainders.
int lookOf(int colour, int pattern)
{
    for (int look = colour; look < numRunColours * numRunPatterns; look += numRunColours)
        if (look % numRunPatterns == pattern)
            return look;
    return colour;
}

}  // namespace

std::vector<int> runLooks(const std::vector<std::string> &identities)
{
    std::map<std::string, int> looks;
    std::set<int> colours;
    for (const std::string &identity : std::set<std::string>(identities.begin(), identities.end())) {
        const std::uint64_t hash = fnv1a(identity);
        int colour = static_cast<int>(hash % numRunColours);
        const int pattern = static_cast<int>(hash / numRunColours % numRunPatterns);
        if (colours.size() == numRunColours)      // a further round through them
            colours.clear();
        while (!colours.insert(colour).second)
            colour = (colour + 1) % numRunColours;
        looks.emplace(identity, lookOf(colour, pattern));
    }
    std::vector<int> all;
    for (const std::string &identity : identities)
        all.push_back(looks.at(identity));
    return all;
}

}  // namespace stillroom::report
