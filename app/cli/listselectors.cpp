// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"
#include "formatted.h"
#include "procedures/selectors.h"

#include <nlohmann/json.hpp>

#include <iostream>

namespace stillroom::cli {
namespace {

nlohmann::json described(const procedures::Selector &selector)
{
    nlohmann::json fields = nlohmann::json::object();
    for (const procedures::SelectorField &field : selector.fields)
        fields[std::string(field.name)] = nlohmann::json::parse(field.defaultJson);
    return {{"name", selector.name}, {"help", selector.help}, {"source", selector.source}, {"cost", selector.costFormula}, {"needs_stage_1", selector.needsAligned},
            {"trains", selector.trains}, {"needs_recall", selector.needsRecall}, {"needs_tokenizer", selector.needsTokenizer}, {"fields", fields}};
}

void print(const procedures::Selector &selector)
{
    std::cout << selector.name << "\n  " << selector.help << "\n  cost: " << selector.costFormula << (selector.needsAligned ? ", after stage 1" : "; no stage 1") << "\n  source: " << selector.source << '\n';
    if (selector.needsRecall)
        std::cout << "  needs the recall task as data, or text to hide passkeys in\n";
    if (selector.needsTokenizer)
        std::cout << "  needs the teacher's tokenizer\n";
    for (const procedures::SelectorField &field : selector.fields)
        std::cout << "  reads " << field.name << " (default " << field.defaultJson << ")\n";
}

}  // namespace

int listSelectors(bool json)
{
    nlohmann::json list = nlohmann::json::array();
    for (const procedures::Selector *selector : procedures::selectors()) {
        if (json)
            list.push_back(described(*selector));
        else
            print(*selector);
    }
    if (json)
        std::cout << documentText({{"selectors", list}}) << '\n';
    return 0;
}

}  // namespace stillroom::cli
