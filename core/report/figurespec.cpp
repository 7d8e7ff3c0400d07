// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/figurespec.h"

#include "error.h"
#include "experiment/completion.h"
#include "experiment/jsontext.h"
#include "experiment/score.h"
#include "experiment/spec.h"
#include "report/delimited.h"
#include "report/latex.h"
#include "report/markdown.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <exception>
#include <fstream>
#include <set>
#include <system_error>

namespace stillroom::report {
namespace {

constexpr int figureSchema = 1;
constexpr int mostHeads = 4096;
constexpr std::size_t mostComparedRuns = 6;

using experiment::Field;
using experiment::FieldType;

Field textField(const std::string &name, const std::string &fallback, const std::string &help)
{
    return {.name = name, .type = FieldType::Text, .defaultJson = "\"" + fallback + "\"", .choices = {}, .unit = {}, .help = help, .fields = {}};
}

const std::vector<Field> &figureFields()
{
    static const std::vector<Field> fields = {
        {.name = "plot", .type = FieldType::Choice, .choices = plotNames(), .unit = {}, .help = "What is shown", .fields = {}},
        textField("teacher", "demo", "As specs name it"),
        textField("run", "", "UUID, its beginning or a name; empty: the newest that fits"),
        textField("selector", "", "Of the scoring"),
        textField("mixer", "", "Of the scoring"),
        {.name = "keep", .type = FieldType::Integer, .optional = true, .minimum = 0, .maximum = experiment::mostLayers, .choices = {}, .unit = {}, .help = "K", .fields = {}},
        {.name = "layers", .type = FieldType::IntegerList, .defaultJson = "[]", .minimum = 0, .maximum = experiment::mostLayers - 1, .choices = {}, .unit = {}, .help = "What the hybrid keeps", .fields = {}, .set = true},
        {.name = "choices", .type = FieldType::TextList, .defaultJson = "[]", .choices = {}, .unit = {}, .help = "Compared with each other", .fields = {}},
        textField("overlay", "", "A second scoring beside the bars, as compare --teacher lists it"),
        {.name = "by_rank", .type = FieldType::Bool, .defaultJson = "false", .choices = {}, .unit = {}, .help = "Best layer first", .fields = {}},
        {.name = "logarithmic", .type = FieldType::Bool, .defaultJson = "false", .choices = {}, .unit = {}, .help = "Axis of the values", .fields = {}},
        {.name = "logarithmic_x", .type = FieldType::Bool, .defaultJson = "false", .choices = {}, .unit = {}, .help = "Other axis of compared curves", .fields = {}},
        textField("statistic", "", "Of a calibration's heads"),
        textField("against", "", "The other one of a scatter plot"),
        {.name = "side", .type = FieldType::Choice, .defaultJson = "\"after\"", .choices = sideNames(), .unit = {}, .help = "Of a calibration", .fields = {}},
        {.name = "layer", .type = FieldType::Integer, .optional = true, .minimum = 0, .maximum = experiment::mostLayers - 1, .choices = {}, .unit = {}, .help = "Of one head", .fields = {}},
        {.name = "head", .type = FieldType::Integer, .optional = true, .minimum = 0, .maximum = mostHeads, .choices = {}, .unit = {}, .help = "Of one head", .fields = {}},
        {.name = "runs", .type = FieldType::TextList, .defaultJson = "[]", .choices = {}, .unit = {}, .help = "UUID, or UUID/TASK, of each compared run", .fields = {}},
        textField("series", "", "Name of a curve"),
        {.name = "over", .type = FieldType::Choice, .defaultJson = "\"tokens\"", .choices = overNames(), .unit = {}, .help = "Axis of compared curves", .fields = {}},
        {.name = "smoothing", .type = FieldType::Number, .defaultJson = "0", .minimum = 0.0, .maximum = 0.9999, .choices = {}, .unit = {}, .help = "Of compared curves", .fields = {}},
        textField("venue", "icml", "Whose widths and letters"),
        textField("width", "column", "column, text, or inches"),
        {.name = "ratio", .type = FieldType::Number, .defaultJson = "0.618", .minimum = 0.1, .maximum = 3.0, .choices = {}, .unit = {}, .help = "Height of width", .fields = {}},
        textField("font", "", "Family of the letters"),
        {.name = "theme", .type = FieldType::Choice, .defaultJson = "\"grid\"", .choices = themeNames(), .unit = {}, .help = "Lines behind the data, or along the axes", .fields = {}},
        {.name = "formats", .type = FieldType::TextList, .defaultJson = "[\"pdf\"]", .choices = formatNames(), .unit = {}, .help = "Files to be made", .fields = {}},
        {.name = "dpi", .type = FieldType::Integer, .defaultJson = "300", .minimum = 72, .maximum = 1200, .choices = {}, .unit = {}, .help = "Of PNG", .fields = {}},
        textField("file", "", "Stem of the files"),
        textField("date", "", "YYYY-MM-DD"),
    };
    return fields;
}

/// A stem that is one file name on every system, and one that TeX reads.
void checkStem(const std::string &stem, const std::string &where)
{
    const auto plain = [](const char one) { return std::isalnum(static_cast<unsigned char>(one)) != 0 || one == '-' || one == '_' || one == '.'; };
    if (stem.empty() || stem.front() == '.' || stem.size() > 120 || !std::all_of(stem.begin(), stem.end(), plain))
        throw Error(ErrorCode::Usage, where + "file is " + experiment::shown(stem) + ": use letters, digits, '-', '_' and '.' alone, not '.' at the beginning");
}

void checkFormats(const std::vector<std::string> &formats, const std::string &where)
{
    for (const std::string &format : formats) {
        if (std::find(formatNames().begin(), formatNames().end(), format) != formatNames().end())
            continue;
        const std::string nearest = experiment::nearestName(format, formatNames());
        throw Error(ErrorCode::Usage, where + "formats has " + experiment::shown(format) + (nearest.empty() ? ": choose from pdf, svg, png, tikz, csv, latex, markdown" : ": did you mean " + nearest + "?"));
    }
    if (formats.empty())
        throw Error(ErrorCode::Usage, where + "formats is empty: name at least one");
}

FigureSpec figureOf(const nlohmann::json &object, const std::string &where)
{
    const nlohmann::json full = experiment::completeFields(object, figureFields(), where);
    const auto text = [&](const char *name) { return full.at(name).get<std::string>(); };
    FigureSpec figure;
    figure.plot = text("plot");
    figure.teacher = text("teacher");
    figure.run = text("run");
    figure.selector = text("selector");
    figure.mixer = text("mixer");
    if (full.contains("keep") && !full.at("keep").is_null())
        figure.keep = full.at("keep").get<int>();
    figure.layers = full.at("layers").get<std::vector<int>>();
    figure.choices = full.at("choices").get<std::vector<std::string>>();
    figure.overlay = text("overlay");
    figure.byRank = full.at("by_rank").get<bool>();
    figure.logarithmic = full.at("logarithmic").get<bool>();
    figure.logarithmicX = full.at("logarithmic_x").get<bool>();
    figure.statistic = text("statistic");
    figure.against = text("against");
    figure.side = text("side");
    for (const auto &[name, place] : {std::pair{"layer", &figure.layer}, {"head", &figure.head}})
        if (full.contains(name) && !full.at(name).is_null())
            *place = full.at(name).get<int>();
    figure.runs = full.at("runs").get<std::vector<std::string>>();
    figure.series = text("series");
    figure.over = text("over");
    figure.smoothing = full.at("smoothing").get<double>();
    figure.venue = text("venue");
    figure.width = text("width");
    figure.ratio = full.at("ratio").get<double>();
    figure.font = text("font");
    figure.theme = text("theme");
    figure.formats = full.at("formats").get<std::vector<std::string>>();
    figure.dpi = full.at("dpi").get<int>();
    figure.file = text("file");
    figure.date = text("date");
    (void)widthInches(venueNamed(figure.venue), figure.width);
    checkFormats(figure.formats, where);
    checkStem(stemOf(figure), where);
    checkDate(figure.date);
    if (!figure.overlay.empty() && figure.plot != "layer-scores")
        throw Error(ErrorCode::Usage, where + "overlay is " + experiment::shown(figure.overlay) + ", but plot is " + figure.plot + ": only layer-scores has a second scoring");
    if (!figure.choices.empty() && figure.plot != "overlap" && figure.plot != "agreement")
        throw Error(ErrorCode::Usage, where + "choices names " + experiment::shown(figure.choices.front()) + ", but plot is " + figure.plot + ": only overlap and agreement compare choices, of a scoring name its run, selector and mixer");
    if (figure.plot == "agreement" && figure.choices.size() != 2)
        throw Error(ErrorCode::Usage, where + "choices has " + std::to_string(figure.choices.size()) + " names: an agreement is between two");
    if (figure.plot == "agreement" && figure.choices[0] == figure.choices[1])
        throw Error(ErrorCode::Usage, where + "choices has " + experiment::shown(figure.choices[0]) + " twice: an agreement is between two");
    if (figure.plot.starts_with("head-") && figure.plot != "head-map" && figure.plot != "head-distribution" && (!figure.layer || !figure.head))
        throw Error(ErrorCode::Usage, where + "plot is " + figure.plot + ": give the layer and the head that it is of");
    if (isOfRuns(figure.plot) && (figure.runs.empty() || figure.series.empty()))
        throw Error(ErrorCode::Usage, where + "plot is " + figure.plot + ": give the runs and the series that it shows");
    if (figure.runs.size() > mostComparedRuns || std::set<std::string>(figure.runs.begin(), figure.runs.end()).size() != figure.runs.size())
        throw Error(ErrorCode::Usage, where + "runs has " + std::to_string(figure.runs.size()) + " names: give up to " + std::to_string(mostComparedRuns) + ", each once");
    return figure;
}

std::string nameOf(const std::filesystem::path &file)
{
    return "The file " + experiment::shown(file.string());
}

std::string textOf(const std::filesystem::path &file)
{
    return experiment::readTextFile(file.string(), experiment::maximumSpecBytes, nameOf(file));
}

/// Hands over each figure in turn, unread: reading it throws where it is wrong.
void readEach(const std::string &text, const std::string &what, const std::function<void(const std::function<FigureSpec()> &)> &take)
{
    const nlohmann::json json = experiment::parseJson(text, what);
    if (!json.is_object())
        throw Error(ErrorCode::Usage, what + " is not an object: write {\"schema\": 1, \"figures\": [{\"plot\": \"layer-scores\"}]}");
    const std::vector<Field> fields = {{.name = "schema", .type = FieldType::Integer, .defaultJson = "1", .minimum = figureSchema, .maximum = figureSchema, .choices = {}, .unit = {}, .help = {}, .fields = {}}};
    (void)experiment::completeFields(json, fields, {}, {"figures"});
    if (!json.contains("figures") || !json.at("figures").is_array())
        throw Error(ErrorCode::Usage, what + " has no list \"figures\": name the figures in it");
    std::set<std::string> stems;
    const nlohmann::json &list = json.at("figures");
    for (std::size_t i = 0; i < list.size(); ++i)
        take([&, i] {
            const std::string name = "figures[" + std::to_string(i) + "]", where = name + ".";
            if (!list[i].is_object())
                throw Error(ErrorCode::Usage, name + " is " + experiment::shown(list[i]) + ": each figure is an object");
            FigureSpec figure = figureOf(list[i], where);
            if (!stems.insert(stemOf(figure)).second)
                throw Error(ErrorCode::Usage, where + "file is " + experiment::shown(stemOf(figure)) + ", as that of an earlier figure: give each a name of its own");
            return figure;
        });
}

nlohmann::json jsonOf(const FigureSpec &figure)
{
    nlohmann::json all = {{"plot", figure.plot}, {"teacher", figure.teacher}, {"venue", figure.venue}, {"width", figure.width}, {"ratio", figure.ratio}, {"theme", figure.theme},
                          {"formats", figure.formats}, {"file", stemOf(figure)}};
    for (const auto &[name, value] : {std::pair{"run", &figure.run}, {"selector", &figure.selector}, {"mixer", &figure.mixer}, {"font", &figure.font}, {"date", &figure.date}, {"statistic", &figure.statistic}, {"against", &figure.against}, {"series", &figure.series}, {"overlay", &figure.overlay}})
        if (!value->empty())
            all[name] = *value;
    if (figure.keep)
        all["keep"] = *figure.keep;
    if (!figure.layers.empty())
        all["layers"] = figure.layers;
    if (!figure.choices.empty())
        all["choices"] = figure.choices;
    if (!figure.runs.empty())
        all["runs"] = figure.runs;
    for (const auto &[name, value] : {std::pair{"layer", &figure.layer}, {"head", &figure.head}})
        if (*value)
            all[name] = **value;
    const FigureSpec usual;
    if (figure.side != usual.side)
        all["side"] = figure.side;
    if (figure.over != usual.over)
        all["over"] = figure.over;
    if (figure.smoothing != usual.smoothing)
        all["smoothing"] = figure.smoothing;
    if (figure.dpi != FigureSpec().dpi)
        all["dpi"] = figure.dpi;
    if (figure.byRank)
        all["by_rank"] = true;
    if (figure.logarithmic)
        all["logarithmic"] = true;
    if (figure.logarithmicX)
        all["logarithmic_x"] = true;
    return all;
}

}  // namespace

const std::vector<std::string> &plotNames()
{
    static const std::vector<std::string> names{"layer-scores", "ranks", "kl-against-k", "curve", "overlap", "agreement", "run-curves", "run-bars", "head-map", "head-distribution", "head-lags", "head-entropy", "head-attention", "head-student", "alignment", "hidden-cosine"};
    return names;
}

bool isOfCalibration(const std::string &plot)
{
    return plot.starts_with("head-") || plot == "alignment" || plot == "hidden-cosine";
}

bool isOfRuns(const std::string &plot)
{
    return plot == "run-curves" || plot == "run-bars";
}

const std::vector<std::string> &sideNames()
{
    static const std::vector<std::string> names{"before", "after", "difference", "after-phase-1", "after-phase-2", "difference-phase-1", "difference-phase-2"};
    return names;
}

const std::string &sideId(Side side)
{
    return sideNames().at(static_cast<std::size_t>(side));
}

const std::vector<std::string> &overNames()
{
    static const std::vector<std::string> names{"tokens", "steps", "wall-time", "compute-time"};
    return names;
}

const std::vector<std::string> &formatNames()
{
    static const std::vector<std::string> names{"pdf", "svg", "png", "tikz", "csv", "latex", "markdown"};
    return names;
}

const std::vector<std::string> &themeNames()
{
    static const std::vector<std::string> names{"grid", "axes"};
    return names;
}

bool needsWindow(const std::string &format)
{
    return format == "pdf" || format == "svg" || format == "png";
}

std::vector<FigureSpec> parseFigures(const std::string &text, const std::string &what)
{
    std::vector<FigureSpec> all;
    readEach(text, what, [&](const std::function<FigureSpec()> &read) { all.push_back(read()); });
    return all;
}

std::vector<FigureSpec> readFigures(const std::filesystem::path &file)
{
    const std::string what = nameOf(file);
    return parseFigures(textOf(file), what);
}

void makeEach(const std::filesystem::path &file, const std::function<void(const FigureSpec &)> &make, const std::function<void()> &begin)
{
    makeEachIn(textOf(file), nameOf(file), make, begin);
}

void makeEachIn(const std::string &text, const std::string &what, const std::function<void(const FigureSpec &)> &make, const std::function<void()> &begin)
{
    std::vector<Error> wrong;
    std::size_t count = 0;
    readEach(text, what, [&](const std::function<FigureSpec()> &read) {
        if (count == 0 && begin)
            begin();
        const std::string name = "figures[" + std::to_string(count++) + "]";
        const auto refuse = [&](ErrorCode code, std::string why, const std::string &detail) {
            if (why.ends_with('.'))      // others may follow in the same sentence
                why.pop_back();
            wrong.emplace_back(code, why.find(name) != std::string::npos ? why : name + ": " + why, detail);
        };
        try {
            make(read());
        } catch (const Error &error) {
            if (error.code() == ErrorCode::Cancelled)
                throw;
            refuse(error.code(), error.what(), error.detail());
        } catch (const std::exception &error) {      // of a library below, say while it draws
            refuse(ErrorCode::Failed, error.what(), {});
        }
    });
    if (count == 0)
        throw Error(ErrorCode::Usage, what + " names no figure: its list \"figures\" is empty, so write at least one into it");
    if (wrong.empty())
        return;
    std::string all;
    for (const Error &one : wrong)
        all += (all.empty() ? "" : "; ") + std::string(one.what());
    const std::size_t made = count - wrong.size();
    throw Error(wrong.front().code(), all + (made == 0 ? "" : made == 1 ? " (the other figure is made)" : " (the other " + std::to_string(made) + " figures are made)"));
}

void makeFolder(const std::filesystem::path &folder)
{
    std::error_code problem;
    std::filesystem::create_directories(folder, problem);
    if (problem)
        throw Error(ErrorCode::Io, "cannot make the folder \"" + folder.string() + "\" (" + problem.message() + "): choose another one with --out");
}

std::string figuresText(const std::vector<FigureSpec> &figures)
{
    nlohmann::json list = nlohmann::json::array();
    for (const FigureSpec &figure : figures)
        list.push_back(jsonOf(figure));
    return nlohmann::json{{"schema", figureSchema}, {"figures", list}}.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

void addFigure(const std::filesystem::path &file, const FigureSpec &figure)
{
    std::error_code ignored;
    std::vector<FigureSpec> figures;
    if (std::filesystem::exists(file, ignored))
        figures = readFigures(file);
    const auto same = std::find_if(figures.begin(), figures.end(), [&](const FigureSpec &one) { return stemOf(one) == stemOf(figure); });
    if (same == figures.end())
        figures.push_back(figure);
    else
        *same = figure;
    const std::string text = figuresText(figures);
    (void)parseFigures(text, "The file " + experiment::shown(file.string()));      // never write what cannot be read
    writeFile(file, text);
}

PageSize pageSize(const FigureSpec &figure)
{
    const Venue &venue = venueNamed(figure.venue);
    return {widthInches(venue, figure.width), figure.ratio, venue.basePt, venue.smallPt};
}

std::string stemOf(const FigureSpec &figure)
{
    return figure.file.empty() ? figure.plot : figure.file;
}

std::string whatCannotBeMade(const FigureSpec &figure)
{
    return "the figure " + stemOf(figure) + " cannot be made";
}

void cannotMake(const FigureSpec &figure, const std::string &what)
{
    throw Error(ErrorCode::Usage, whatCannotBeMade(figure) + ": " + what);
}

std::vector<std::string> fileNames(const std::string &stem, const std::vector<std::string> &formats)
{
    std::vector<std::string> names;
    for (const std::string &format : formats) {
        if (needsWindow(format) || format == "csv")
            names.push_back(stem + "." + format);
        else if (format == "tikz")
            names.insert(names.end(), {stem + ".tikz.tex", stem + ".tikz.csv"});
        else
            names.push_back(stem + (format == "latex" ? ".tex" : ".md"));
    }
    names.push_back(stem + ".json");
    return names;
}

void refuseOwnFile(const FigureSpec &figure, const std::filesystem::path &folder, const std::filesystem::path &readFrom)
{
    for (const std::string &name : fileNames(stemOf(figure), figure.formats)) {
        std::error_code isAbsent;       // then it is another file
        if (std::filesystem::equivalent(folder / name, readFrom, isAbsent))
            cannotMake(figure, "its file " + experiment::shown((folder / name).string()) + " is the one that the figures are read from: give another folder with --out, or another name in the field file");
    }
}

std::vector<std::filesystem::path> writeTexts(const Figure &figure, const FigureSpec &spec, const std::filesystem::path &folder)
{
    std::vector<std::filesystem::path> written;
    const std::string stem = stemOf(spec);
    const auto write = [&](const std::string &ending, const std::string &bytes) {
        written.push_back(folder / (stem + ending));
        writeFile(written.back(), bytes);
    };
    Figure dated = figure;
    dated.table.provenance.date = spec.date;
    for (const std::string &format : spec.formats) {
        if (format == "tikz") {
            const PgfPlot plot = pgfPlot(dated.chart, pageSize(spec), stem + ".tikz.csv", dated.table.provenance);
            write(".tikz.tex", plot.tex);
            write(".tikz.csv", plot.csv);
        } else if (format == "csv") {
            write(".csv", csvText(dated.table));
        } else if (format == "latex") {
            write(".tex", latexText(dated.table, pageSize(spec).widthInches));
        } else if (format == "markdown") {
            write(".md", markdownText(dated.table));
        }
    }
    write(".json", provenanceJson(dated.table.provenance));
    return written;
}

void writeFile(const std::filesystem::path &file, const std::string &bytes)
{
    const auto fail = [&](const std::string &why) { throw Error(ErrorCode::Io, "cannot write " + experiment::shown(file.string()) + " (" + why + "): choose a folder that can be written"); };
    const std::filesystem::path beside = file.parent_path() / ("." + file.filename().string() + ".part");
    {
        std::ofstream out(beside, std::ios::binary | std::ios::trunc);
        out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        out.flush();
        if (!out) {
            const std::error_code why(errno, std::generic_category());
            std::error_code ignored;
            std::filesystem::remove(beside, ignored);
            fail(why ? why.message() : "the disk refused");
        }
    }
    std::error_code why;
    std::filesystem::rename(beside, file, why);
    if (why) {
        std::error_code ignored;
        std::filesystem::remove(beside, ignored);
        fail(why.message());
    }
}

}  // namespace stillroom::report
