// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/jobnames.h"

#include "models/specfields.h"
#include "views/names.h"

#include <cstddef>
#include <map>
#include <utility>

namespace stillroom::widgets {

std::vector<QString> jobNames(const std::vector<ListedJob> &jobs)
{
    std::vector<QString> names;
    std::map<std::pair<QString, QString>, std::vector<std::size_t>> alike;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        names.push_back(jobs[i].text);
        alike[{jobs[i].text, jobs[i].teacher}].push_back(i);
    }
    for (const auto &[what, places] : alike) {
        if (places.size() < 2)
            continue;
        std::vector<experiment::Sibling> siblings;
        for (const std::size_t at : places)
            siblings.push_back(jobs[at].told);
        const auto told = experiment::distinctions(siblings);
        for (std::size_t i = 0; i < places.size(); ++i)
            if (const QString words = distinctionText(told[i]); !words.isEmpty())
                names[places[i]] = distinctName(what.first, words);
    }
    return names;
}

}  // namespace stillroom::widgets
