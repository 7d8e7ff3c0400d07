// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/figurespec.h"

#include "error.h"
#include "experiment/jsontext.h"
#include "samples.h"
#include "temporaryfolder.h"

#include <doctest/doctest.h>

#include <string>

using namespace stillroom;
using namespace stillroom::report;

namespace {

std::string refusal(const std::string &text)
{
    try {
        static_cast<void>(parseFigures(text, "The file"));
    } catch (const Error &error) {
        return error.what();
    }
    return "nothing";
}

bool says(const std::string &message, const std::string &part)
{
    if (message.find(part) == std::string::npos)
        MESSAGE(message);
    return message.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("venues have the widths of the papers")
{
    CHECK(widthInches(venueNamed("icml"), "column") == 3.25);
    CHECK(widthInches(venueNamed("icml"), "text") == 6.75);
    CHECK(widthInches(venueNamed("acl"), "column") == 3.03);
    CHECK(widthInches(venueNamed("acl"), "text") == 6.3);
    CHECK(widthInches(venueNamed("neurips"), "column") == 5.5);
    CHECK(widthInches(venueNamed("cvpr"), "text") == 6.875);
    CHECK(widthInches(venueNamed("aaai"), "4.25") == 4.25);
    for (const char *wrong : {"", "wide", "0.5", "21", "nan", "4in"})
        CHECK_THROWS_AS(static_cast<void>(widthInches(venueNamed("icml"), wrong)), Error);
    CHECK_THROWS_WITH_AS(static_cast<void>(venueNamed("icmll")), "there is no venue \"icmll\": did you mean icml?", Error);
    CHECK_THROWS_WITH_AS(static_cast<void>(venueNamed("iclr")), "there is no venue \"iclr\": did you mean neurips, which has its widths?", Error);
    CHECK_THROWS_WITH_AS(static_cast<void>(venueNamed("quarterly")), doctest::Contains("choose one of icml (ICML, UAI), aistats, acl (ACL, EMNLP, NAACL), "), Error);
}

TEST_CASE("a spec that was written is read back as it was")
{
    FigureSpec figure;
    figure.plot = "layer-scores";
    figure.run = "11111111-2222-3333-4444-555555555555";
    figure.selector = "ga-s2";
    figure.mixer = "gdn";
    figure.keep = 2;
    figure.byRank = true;
    figure.overlay = "11111111/score/ga-s1/gdn";
    figure.venue = "neurips";
    figure.width = "4.5";
    figure.ratio = 0.5;
    figure.theme = "axes";
    figure.formats = {"pdf", "tikz", "latex"};
    figure.file = "scores";
    figure.date = "2026-12-01";
    FigureSpec other;
    other.plot = other.file = "agreement";
    other.choices = {"uniform-start", "random"};
    CHECK(parseFigures(figuresText({figure, other}), "The file") == std::vector<FigureSpec>{figure, other});
    CHECK(parseFigures(R"({"figures": [{"plot": "ranks"}]})", "The file").front().formats == std::vector<std::string>{"pdf"});
}

TEST_CASE("KL against K is a plot of a scoring")
{
    FigureSpec figure;
    figure.plot = figure.file = "kl-against-k";
    figure.selector = "ga-s2";
    figure.mixer = "gdn";
    figure.keep = 3;
    CHECK(parseFigures(figuresText({figure}), "The file") == std::vector<FigureSpec>{figure});
    CHECK(fileNames(stemOf(figure), {"tikz"}) == std::vector<std::string>{"kl-against-k.tikz.tex", "kl-against-k.tikz.csv", "kl-against-k.json"});
    CHECK_FALSE(isOfCalibration(figure.plot));
    CHECK_FALSE(isOfRuns(figure.plot));
    CHECK(says(refusal(R"({"figures": [{"plot": "kl-again-k"}]})"), "kl-against-k"));
    CHECK(says(refusal(R"({"figures": [{"plot": "kl-against-k", "overlay": "a"}]})"), "only layer-scores has a second scoring"));
    CHECK(says(refusal(R"({"figures": [{"plot": "kl-against-k", "choices": ["random"]}]})"), "choices names \"random\", but plot is kl-against-k"));
}

TEST_CASE("each side of a calibration has its own name")
{
    CHECK(sideId(Side::Before) == "before");
    CHECK(sideId(FigureSpec().side == "after" ? Side::After : Side::Before) == "after");
    CHECK(sideId(Side::Difference) == "difference");
    CHECK(sideId(Side::AfterPhaseTwo) == "after-phase-2");
    CHECK(sideId(Side::ByPhaseTwo) == sideNames().back());
}

TEST_CASE("what is wrong is named, with the nearest that is right")
{
    CHECK(says(refusal(R"({"figures": [{"plot": "ranks", "vennue": "icml"}]})"), "venue"));
    CHECK(says(refusal(R"({"figures": [{"plot": "ranks", "vennue": "icml"}]})"), "figures[0]."));
    CHECK(says(refusal(R"({"figurs": []})"), "figures"));
    CHECK(says(refusal(R"({"figures": [{"plot": "rank"}]})"), "ranks"));
    CHECK(says(refusal(R"({"figures": [{"plot": "ranks", "venue": "aistat"}]})"), "did you mean aistats"));
    CHECK(says(refusal(R"({"figures": [{"plot": "ranks", "formats": ["pfd"]}]})"), "pdf"));
    CHECK(says(refusal(R"({"figures": [{"plot": "ranks", "formats": []}]})"), "formats is empty"));
    CHECK(says(refusal(R"({"figures": [{"plot": "ranks", "file": "../ranks"}]})"), "file is"));
    CHECK(says(refusal(R"({"figures": [{"plot": "ranks", "width": "wide"}]})"), "width"));
    CHECK(says(refusal(R"({"figures": [{"plot": "ranks", "date": "yesterday"}]})"), "YYYY-MM-DD"));
    CHECK(says(refusal(R"({"figures": [{"plot": "ranks"}, {"plot": "ranks"}]})"), "figures[1].file"));
    CHECK(says(refusal(R"({"figures": [{"plot": "agreement", "choices": ["random"]}]})"), "between two"));
    CHECK(says(refusal(R"({"figures": {"plot": "ranks"}})"), "figures"));
    CHECK(says(refusal("[]"), "not an object"));
    CHECK(says(refusal("{"), "The file"));
}

TEST_CASE("a figure is put in the place of the one that makes the same files")
{
    const TemporaryFolder folder;
    const auto file = folder.path() / "figures.json";
    FigureSpec ranks, scores;
    ranks.plot = ranks.file = "ranks";
    scores.plot = scores.file = "layer-scores";
    addFigure(file, ranks);
    addFigure(file, scores);
    ranks.venue = "neurips";
    addFigure(file, ranks);
    CHECK(readFigures(file) == std::vector<FigureSpec>{ranks, scores});
    writeFile(file, "{}");
    CHECK_THROWS_AS(addFigure(file, ranks), Error);      // what is not ours is not overwritten
    CHECK(experiment::readTextFile(file.string(), 100, "It") == "{}");
    CHECK_THROWS_AS(addFigure(folder.path() / "nowhere" / "figures.json", ranks), Error);
}

TEST_CASE("texts are written beside what they came from, twice the same")
{
    const TemporaryFolder folder;
    FigureSpec spec;
    spec.plot = "layer-scores";
    spec.formats = {"tikz", "csv", "latex", "markdown", "pdf"};
    const Figure figure = layerScoresFigure(test::scores(), test::results().provenance);
    std::vector<std::string> names, first;
    for (const auto &file : writeTexts(figure, spec, folder.path())) {
        names.push_back(file.filename().string());
        first.push_back(experiment::readTextFile(file.string(), 100000, "It"));
    }
    CHECK(names == std::vector<std::string>{"layer-scores.tikz.tex", "layer-scores.tikz.csv", "layer-scores.csv", "layer-scores.tex", "layer-scores.md", "layer-scores.json"});
    CHECK(fileNames("a", {"pdf", "tikz", "latex"}) == std::vector<std::string>{"a.pdf", "a.tikz.tex", "a.tikz.csv", "a.tex", "a.json"});
    std::size_t at = 0;
    for (const auto &file : writeTexts(figure, spec, folder.path()))
        CHECK(experiment::readTextFile(file.string(), 100000, "It") == first.at(at++));
}

TEST_CASE("one figure that cannot be made does not stop the others")
{
    const TemporaryFolder folder;
    const auto file = folder.path() / "figures.json";
    const auto made = [&](const std::string &figures, std::string &problem) {
        writeFile(file, "{\"figures\": [" + figures + "]}");
        std::vector<std::string> plots;
        try {
            makeEach(file, [&](const FigureSpec &spec) {
                if (spec.plot == "curve")
                    throw Error(ErrorCode::Usage, "the figure curve cannot be made: there is none");
                plots.push_back(spec.plot);
            });
        } catch (const Error &error) {
            problem = error.what();
        }
        return plots;
    };
    std::string problem;
    CHECK(made(R"({"plot": "ranks"}, {"plot": "overlap"})", problem) == std::vector<std::string>{"ranks", "overlap"});
    CHECK(problem.empty());
    CHECK(made(R"({"plot": "curve"}, {"plot": "agreement"}, {"plot": "ranks"}, {"plot": "ranks"}, {"plot": "overlap", "by_ranks": true}, {"plot": "layer-scores"})", problem) ==
          std::vector<std::string>{"ranks", "layer-scores"});
    for (const char *part : {"figures[0]: the figure curve cannot be made: there is none; ", "figures[1].choices has 0 names", "figures[3].file is \"ranks\", as that of an earlier figure", "; There is no field \"figures[4].by_ranks\"; did you mean \"figures[4].by_rank\"?", "(the other 2 figures are made)"})
        CHECK(says(problem, part));
    CHECK(made("{\"plot\": \"curve\"}", problem).empty());
    CHECK(problem.find("other") == std::string::npos);
    writeFile(file, "[]");
    CHECK_THROWS_AS(makeEach(file, [](const FigureSpec &) {}), Error);
    CHECK(made("", problem).empty());
    CHECK(says(problem, "names no figure: its list \"figures\" is empty"));
}

TEST_CASE("whatever a figure throws is one of that figure, the first code wins, and cancelling stops")
{
    const TemporaryFolder folder;
    const auto file = folder.path() / "figures.json";
    writeFile(file, R"({"figures": [{"plot": "ranks"}, {"plot": "overlap"}, {"plot": "layer-scores"}, {"plot": "curve"}]})");
    std::vector<std::string> made;
    const auto make = [&](const FigureSpec &spec) {
        if (spec.plot == "ranks")
            throw std::out_of_range("no such row");
        if (spec.plot == "overlap")
            throw Error(ErrorCode::Io, "the disk is full");
        made.push_back(spec.plot);
    };
    try {
        makeEach(file, make);
        FAIL("nothing was said");
    } catch (const Error &error) {
        CHECK(error.code() == ErrorCode::Failed);
        CHECK(std::string(error.what()) == "figures[0]: no such row; figures[1]: the disk is full (the other 2 figures are made)");
    }
    CHECK(made == std::vector<std::string>{"layer-scores", "curve"});
    made.clear();
    const auto stopped = [&](const FigureSpec &spec) {
        made.push_back(spec.plot);
        throw Error(ErrorCode::Cancelled, "stopped");
    };
    CHECK_THROWS_WITH_AS(makeEach(file, stopped), "stopped", Error);
    CHECK(made.size() == 1);
}

TEST_CASE("a file that is none of figures leaves no folder behind")
{
    const TemporaryFolder folder;
    const auto file = folder.path() / "figures.json", out = folder.path() / "a" / "b";
    int begun = 0;
    const auto begin = [&] {
        ++begun;
        makeFolder(out);
    };
    for (const char *wrong : {"[]", "{", "{\"figures\": 3}", "{\"figures\": []}"}) {
        writeFile(file, wrong);
        try {
            makeEach(file, [](const FigureSpec &) {}, begin);
        } catch (const Error &) {
        }
        CHECK(begun == 0);
    }
    CHECK_FALSE(std::filesystem::exists(folder.path() / "a"));
    writeFile(file, R"({"figures": [{"plot": "ranks"}, {"plot": "overlap"}]})");
    makeEach(file, [&](const FigureSpec &) { CHECK(std::filesystem::is_directory(out)); }, begin);
    CHECK(begun == 1);
    CHECK_THROWS_AS(makeFolder(file / "below"), Error);
}

TEST_CASE("an overlay is of layer-scores alone, an agreement between two")
{
    CHECK(says(refusal(R"({"figures": [{"plot": "ranks", "overlay": "a"}]})"), "only layer-scores has a second scoring"));
    CHECK(says(refusal(R"({"figures": [{"plot": "agreement", "choices": ["a", "a"]}]})"), "choices has \"a\" twice"));
    CHECK(says(refusal(R"({"figures": [{"plot": "layer-scores", "overlays": "a"}]})"), "did you mean \"figures[0].overlay\"?"));
}
