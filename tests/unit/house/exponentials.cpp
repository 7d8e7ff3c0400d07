// SPDX-License-Identifier: GPL-3.0-or-later
// exp(-G) of a running sum G of log decays overflows float32 past 88, which a decay of 1e-12 a token reaches with the fourth: the factors exp(G_r) · exp(-G_i) may
// only be formed as exp(G_r - G_i).
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>

namespace exponentials_tests {
namespace {

namespace fs = std::filesystem;

/// Source without comments and white space.
std::string packed(const std::string &text)
{
    static const std::regex comments(R"(//[^\n]*)"), space(R"(\s+)");
    return std::regex_replace(std::regex_replace(text, comments, ""), space, "");
}

/// The first exponential of a negated running sum in packed source, or nothing. A running sum is known by its names: cumsum, cumulative, through_, before_, …Sum.
std::string forbidden(const std::string &source)
{
    const std::string sum = "(cumsum|[cC]umulative|through_|before_|[a-z]Sum)";
    const std::regex patterns[] = {std::regex(R"(exp\(-[^;]{0,80}?)" + sum),                                     // exp(-sum)
                                   std::regex(R"(\(-[^;()]{0,60})" + sum + R"([^;]{0,60}?\)\.exp)"),             // (-sum).exp()
                                   std::regex(sum + R"([^;,]{0,60}?\.neg(ative)?_?\(\)[^;,]{0,40}?\.exp)"),       // sum.neg().exp()
                                   std::regex(R"(neg(ative)?\([^;]{0,60}?)" + sum + R"([^;]{0,60}?\.exp)")};      // at::neg(sum).exp()
    for (const std::regex &pattern : patterns)
        if (std::smatch found; std::regex_search(source, found, pattern))
            return found.str();
    return {};
}

}  // namespace

TEST_CASE("the search for exponentials of negated running sums finds them, and lets differences alone")
{
    for (const char *bad : {"at::exp(-g_BTH.cumsum(1))", "auto w = (-g_LCD.cumsum(1, at::kDouble)).exp();", "x = decay.through_LCD.neg().to(form.type).exp();",
                            "k * std::exp(-decaySum)", "at::neg(before_LCD).exp()", "const auto inverse = at::exp( - decay.through_LCD );", "v = torch::exp(-cumulativeDecay_T)"}) {
        CAPTURE(bad);
        CHECK_FALSE(forbidden(packed(bad)).empty());
    }
    for (const char *good : {"(last_L1D - decay.through_LCD).exp().to(form.type)", "(reader_LR1 - writer_L1W).exp()", "-m_ALog_H.to(wide).exp() * step_BTH", "std::exp(-x)",
                             "// at::exp(-g.cumsum(1)) would overflow", "through_LCD.narrow(1, 0, 1).exp()", "total = -g.cumsum(1); y = x.exp();"}) {
        CAPTURE(good);
        CHECK(forbidden(packed(good)) == "");
    }
}

TEST_CASE("no decay is split into exp(G) and exp(-G)")
{
    int files = 0;
    for (const char *room : {"recurrence", "mixers", "calibration", "nn"})
        for (const fs::directory_entry &entry : fs::recursive_directory_iterator(fs::path(STILLROOM_SOURCE) / "core" / room)) {
            if (entry.path().extension() != ".cpp" && entry.path().extension() != ".h")
                continue;
            ++files;
            std::ifstream stream(entry.path());
            CAPTURE(entry.path().string());
            CHECK(forbidden(packed({std::istreambuf_iterator<char>(stream), {}})) == "");
        }
    CHECK(files > 40);
}

}  // namespace exponentials_tests
