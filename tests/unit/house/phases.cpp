// SPDX-License-Identifier: GPL-3.0-or-later
// What a procedure says it is at, the window says in the person's language.
#include "sourcetext.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <regex>
#include <set>
#include <string>

namespace phases_tests {
namespace {

namespace fs = std::filesystem;
using stillroom::test::sourceText;

/// The texts that begin a phase's name: the whole of it, or what stands before a number.
std::set<std::string> phasesOfProcedures(const fs::path &procedures)
{
    const std::regex meter(R"re((?:ProgressMeter \w+|m_meter)\([^"\n]*"([^"]+)"|\.phase = "([^"]+)")re");
    std::set<std::string> phases;
    for (const fs::directory_entry &entry : fs::directory_iterator(procedures)) {
        const std::string text = sourceText(entry.path());
        for (std::sregex_iterator one(text.begin(), text.end(), meter), end; one != end; ++one)
            phases.insert((*one)[1].matched ? (*one)[1].str() : (*one)[2].str());
    }
    return phases;
}

}  // namespace

TEST_CASE("the window has words for every phase that a procedure says")
{
    const fs::path source = STILLROOM_SOURCE;
    const std::string names = sourceText(source / "widgets" / "views" / "names.cpp");
    const std::set<std::string> phases = phasesOfProcedures(source / "core" / "procedures");
    CHECK(phases.size() >= 18);
    for (const std::string &phase : phases) {
        CAPTURE(phase);
        const bool isWhole = names.find("{\"" + phase + "\", Names::tr(") != std::string::npos, isBeginning = names.find("\"^" + phase) != std::string::npos || names.find("startsWith(QLatin1String(\"" + phase) != std::string::npos;
        CHECK((isWhole || isBeginning));
    }
}

}  // namespace phases_tests
