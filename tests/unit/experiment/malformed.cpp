// SPDX-License-Identifier: GPL-3.0-or-later
// Damaged specs, at least 30 of every kind of damage, fixed seed: one sentence, never a crash.
#include "experiment/jsontext.h"
#include "experiment/spec.h"
#include "samples.h"

#include <filesystem>
#include <fstream>
#include <random>
#include <unistd.h>

using namespace stillroom;
using namespace stillroom::experiment;
using nlohmann::json;

namespace {

class SpecFile final {
public:
    SpecFile() : m_path(std::filesystem::temp_directory_path() / ("stillroom-spec-" + std::to_string(::getpid()) + ".json")) {}
    ~SpecFile() { std::filesystem::remove(m_path); }
    SpecFile(const SpecFile &) = delete;
    SpecFile &operator=(const SpecFile &) = delete;

    /// Reads the text as a spec; true when it was refused in the way that the contract says.
    bool refuses(const std::string &text) const
    {
        std::ofstream(m_path, std::ios::binary) << text;
        try {
            (void)readSpec(m_path.string());
            return false;
        } catch (const Error &error) {
            const std::string message = error.what();
            CHECK_MESSAGE((error.code() == ErrorCode::Usage || error.code() == ErrorCode::BadFile), message);
            CHECK(message.find('\n') == std::string::npos);
            CHECK_MESSAGE(message.size() < 1200, message);
            CHECK(samples::holds(message, m_path.string()));
            return true;
        }
    }
    [[nodiscard]] std::string path() const { return m_path.string(); }

private:
    std::filesystem::path m_path;
};

/// Pointers to every value inside.
void collect(const json &value, const json::json_pointer &place, std::vector<json::json_pointer> &found)
{
    found.push_back(place);
    if (value.is_object()) {
        for (const auto &[name, child] : value.items())
            collect(child, place / name, found);
    } else if (value.is_array()) {
        for (std::size_t i = 0; i < value.size(); ++i)
            collect(value[i], place / i, found);
    }
}

std::vector<json> hostileValues()
{
    json deep = 0;
    for (int i = 0; i < 40; ++i)
        deep = json{{"a", deep}};
    return {json(), json(true), json(-1), json(1e300), json(-1e300), json(1.5), json(9223372036854775807), json(18446744073709551615U), json(""), json(std::string(100'000, 'x')),
            json("\xF0\x9F\x98\x80"), json("a\nb"), json::array(), json::array({json::array({json::array()})}), json(std::vector<int>(5000, 1)), json::object(), json{{"kind", 1}}, deep};
}

}  // namespace

TEST_CASE("truncated, flipped, doubled and inserted bytes")
{
    const SpecFile file;
    std::mt19937 generator(1);
    int refused = 0;
    for (const json &spec : samples::specs()) {
        const std::string text = completeSpec(spec).dump(1);
        for (int i = 0; i < 30; ++i)
            CHECK(file.refuses(text.substr(0, generator() % text.size())));
        for (int i = 0; i < 60; ++i) {
            std::string damaged = text;
            damaged[generator() % text.size()] ^= static_cast<char>(1U << (generator() % 8U));
            refused += file.refuses(damaged) ? 1 : 0;
        }
        for (int i = 0; i < 30; ++i) {
            std::string damaged = text;
            damaged.insert(generator() % text.size(), 1, static_cast<char>(generator() % 256U));
            refused += file.refuses(damaged) ? 1 : 0;
        }
        for (int i = 0; i < 30; ++i) {
            const std::size_t start = generator() % text.size();
            std::string damaged = text;
            damaged.insert(generator() % text.size(), text.substr(start, 1 + generator() % 40U));
            refused += file.refuses(damaged) ? 1 : 0;
        }
    }
    CHECK(refused > 400);        // the others only change a free text, a number within its range or white space
}

TEST_CASE("hostile values in every place")
{
    const SpecFile file;
    std::mt19937 generator(2);
    int refused = 0;
    const auto hostile = hostileValues();
    for (const json &spec : samples::specs()) {
        const json completed = completeSpec(spec);
        std::vector<json::json_pointer> places;
        collect(completed, json::json_pointer(""), places);
        for (int i = 0; i < 120; ++i) {
            json damaged = completed;
            damaged[places[generator() % places.size()]] = hostile[generator() % hostile.size()];
            refused += file.refuses(damaged.dump()) ? 1 : 0;
        }
    }
    CHECK(refused > 500);
}

TEST_CASE("unknown names in every object")
{
    std::mt19937 generator(3);
    const SpecFile file;
    int tried = 0;
    for (const json &spec : samples::specs()) {
        const json completed = completeSpec(spec);
        std::vector<json::json_pointer> places;
        collect(completed, json::json_pointer(""), places);
        for (const auto &place : places) {
            if (!completed.at(place).is_object() || samples::holds(place.to_string(), "options"))
                continue;
            json damaged = completed;
            damaged[place]["unheard_of_" + std::to_string(generator())] = 1;
            CHECK_MESSAGE(file.refuses(damaged.dump()), place.to_string());
            ++tried;
        }
    }
    CHECK(tried >= 30);
}

TEST_CASE("bottomless nesting, doubled names and numbers beyond doubles")
{
    const SpecFile file;
    for (int i = 0; i < 30; ++i) {
        const auto depth = static_cast<std::size_t>(65 + i * 20'000);
        CHECK(file.refuses(std::string(depth, '[')));
        CHECK(file.refuses(R"({"kind": "align", "teacher": "demo", "mixer": {"options": )" + std::string(depth, '[') + std::string(depth, ']') + "}}"));
        CHECK(file.refuses(R"({"kind": "align", "teacher": "demo", "kind": "score", "steps": )" + std::to_string(i) + "}"));
        CHECK(file.refuses(R"({"kind": "align", "teacher": "demo", "learning_rate": 1e)" + std::to_string(309 + i) + "}"));
    }
    json programmatic = json{{"kind", "align"}, {"teacher", "demo"}};
    json deep = 0;
    for (int i = 0; i < 3000; ++i)
        deep = json::array({std::move(deep)});
    programmatic["mixer"] = json{{"options", json{{"x", deep}}}};
    CHECK(samples::holds(samples::refusal(ErrorCode::Usage, [&] { (void)completeSpec(programmatic); }), "deeper than 64"));
    (void)samples::refusal(ErrorCode::Usage, [] { (void)completeSpec(json{{"kind", "align"}, {"teacher", "demo"}, {"notes", "\xFF"}}); });
    (void)samples::refusal(ErrorCode::Usage, [] { (void)completeSpec(json{{"kind", "align"}, {"teacher", "demo"}, {"mixer", {{"options", {{"x", std::nan("")}}}}}}); });
}

TEST_CASE("a spec file that is too large, missing, a folder or a pipe is refused without being read")
{
    const SpecFile file;
    {
        std::ofstream stream(file.path(), std::ios::binary);
        stream << R"({"kind": "align", "teacher": "demo"})" << std::string(maximumSpecBytes, ' ');
    }
    CHECK(samples::holds(samples::refusal(ErrorCode::BadFile, [&] { (void)readSpec(file.path()); }), "16 MB"));
    (void)samples::refusal(ErrorCode::BadFile, [] { (void)readSpec("/nonexistent/spec.json"); });
    (void)samples::refusal(ErrorCode::BadFile, [] { (void)readSpec("/tmp"); });
    (void)samples::refusal(ErrorCode::BadFile, [] { (void)readSpec("/dev/zero"); });
}

TEST_CASE("a spec file of the allowed size is read")
{
    const SpecFile file;
    const std::string text = R"({"kind": "align", "teacher": "demo"})";
    std::ofstream(file.path(), std::ios::binary) << text << std::string(maximumSpecBytes - text.size(), ' ');
    CHECK(readSpec(file.path()) == completeSpec(json::parse(text)));
}
