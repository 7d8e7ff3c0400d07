// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/runname.h"

#include "error.h"
#include "experiment/jsontext.h"
#include "experiment/score.h"
#include "shownname.h"

#include <algorithm>
#include <array>

namespace stillroom::experiment {

namespace {

constexpr std::size_t mostNameBytes = 1000;

struct Meaning {
    std::string_view word, what;
};

constexpr std::array words{Meaning{"demo", "the demo's teacher"}, Meaning{"none", "no answer to an option"}, Meaning{"-", "standard input"}, Meaning{"random", "random layers"},
                           Meaning{"uniform-start", "equally spaced layers"}, Meaning{"uniform-end", "equally spaced layers"}, Meaning{"uniform-rounded", "equally spaced layers"},
                           Meaning{"uniform-latter-half", "equally spaced layers"}};
constexpr std::array beginnings{Meaning{"stage:", "an earlier stage of a pipeline"}, Meaning{"published:", "a published layer set"}};

template <typename List, typename Is> std::string meaningIn(const List &list, const Is &is)
{
    const auto found = std::find_if(list.begin(), list.end(), [&](const Meaning &one) { return is(one.word); });
    return found == list.end() ? std::string() : std::string(found->what);
}

}  // namespace

void checkWritten(const std::string &what, const std::string &text, std::size_t mostBytes)
{
    if (inUtf8(text) != text)
        throw Error(ErrorCode::Usage, what + " holds bytes that are not UTF-8: write it in UTF-8.");
    if (text.size() > mostBytes)
        throw Error(ErrorCode::Usage, what + " has " + std::to_string(text.size()) + " bytes, " + std::to_string(mostBytes) + " are the most: shorten it.");
}

bool isLayerList(std::string_view text)
{
    static const std::size_t mostDigits = std::to_string(mostLayers).size();
    const bool isOneNumber = text.find(',') == std::string_view::npos;
    return !text.empty() && text.find_first_not_of("0123456789,") == std::string_view::npos && (!isOneNumber || text.size() <= mostDigits);
}

std::string meaningBesideRuns(std::string_view word)
{
    if (isLayerList(word))
        return "a list of layers";
    if (std::string whole = meaningIn(words, [&](std::string_view one) { return word == one; }); !whole.empty())
        return whole;
    return meaningIn(beginnings, [&](std::string_view one) { return word.starts_with(one); });
}

void checkRunName(const std::string &name)
{
    checkWritten("The name", name, mostNameBytes);
    if (const std::string meaning = meaningBesideRuns(name); !meaning.empty())
        throw Error(ErrorCode::Usage, "A run cannot be called \"" + shownName(name) + "\", for commands read that as " + meaning + ": give it another name.");
}

}  // namespace stillroom::experiment
