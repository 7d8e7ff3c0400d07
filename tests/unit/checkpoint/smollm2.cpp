// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/gguf.h"
#include "checkpoint/modelfiles.h"
#include "goldendata.h"
#include "testdata.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <doctest/doctest.h>
#include <fstream>

namespace smollm2_tests {

using namespace stillroom::checkpoint;

namespace {

// $STILLROOM_SMOLLM2, or where `stillroom-cli fetch smollm2` puts it.
std::filesystem::path smollm2() {
    if (const char *given = std::getenv("STILLROOM_SMOLLM2"))
        return given;
    const char *cache = std::getenv("XDG_CACHE_HOME"), *home = std::getenv("HOME");
    const std::filesystem::path folder = cache != nullptr ? std::filesystem::path(cache) : std::filesystem::path(home != nullptr ? home : "/") / ".cache";
    return folder / "stillroom" / "models" / "SmolLM2-135M-Instruct.Q4_1.gguf";
}

// Bytes of a mapped file that lie in memory. The process' own sum counts the pages of its program too, which come as the program gets to them.
double residentBytes(const std::filesystem::path &file) {
    std::ifstream in("/proc/self/smaps");
    const std::string name = std::filesystem::canonical(file).string();
    double bytes = 0;
    bool isOfFile = false;
    for (std::string line; std::getline(in, line);) {
        const std::size_t end = line.find(' ');
        if (end != std::string::npos && line[end - 1] != ':')      // "7f12…-7f13… r--s 0 08:01 123  /name"
            isOfFile = line.ends_with(' ' + name);
        else if (isOfFile && line.starts_with("Rss:"))
            bytes += 1024 * std::stod(line.substr(4));
    }
    return bytes;
}

}  // namespace

TEST_CASE("SmolLM2 reads as gguf reads it, and its pages do not stay") {
    const auto golden = stillroom::test::sharedData() / "golden" / "smollm2_135m" / "dequant.json";
    if (!std::filesystem::exists(smollm2()) || !std::filesystem::exists(golden)) {
        MESSAGE("skipped: needs " << smollm2().string() << " and " << golden.string());
        return;
    }
    const auto json = readJsonFile(golden);
    const auto model = openModel(smollm2());
    CHECK(model.config.numParameters() == 134'515'008);
    CHECK(model.config.rope.theta == 100000.0);
    CHECK(model.config.tiedHead);
    CHECK(model.contentHash() == json["gguf_sha256"].get<std::string>());
    REQUIRE(model.tensors->tensors().size() == json["tensors"].size());
    const GgufFile file(smollm2());
    const double head = residentBytes(smollm2());      // of both that opened it
    double most = 0;
    for (std::size_t i = 0; i < json["tensors"].size(); ++i) {
        const auto &entry = json["tensors"][i];
        CHECK(file.tensors()[i].name == entry["name"].get<std::string>());
        const auto values = allFloats(*model.tensors, model.tensors->tensors()[i].name);
        most = std::max(most, residentBytes(smollm2()));
        double sum = 0, squares = 0, largest = 0;
        for (const float value : values) {
            const auto wide = static_cast<double>(value);
            sum += wide;
            squares += wide * wide;
            largest = std::max(largest, std::abs(wide));
        }
        const double expectedSquares = entry["sum_sq"].get<double>();
        CHECK(squares == doctest::Approx(expectedSquares).epsilon(1e-6));
        CHECK(std::abs(sum - entry["sum"].get<double>()) <= 1e-6 * std::sqrt(expectedSquares * static_cast<double>(values.size())) + 1e-9);
        CHECK(largest == doctest::Approx(entry["abs_max"].get<double>()).epsilon(1e-6));
    }
    CHECK(head > 0);
    CHECK_MESSAGE(most - head < 8e6, "bytes of the file that stay in memory: ", most - head, " beside its head's ", head);
    for (const auto &entry : json["row_order"]) {
        const auto name = entry["hf"].get<std::string>();
        const auto values = allFloats(*model.tensors, name);
        for (const auto &row : entry["rows"])
            for (std::size_t column = 0; column < 4; ++column)
                CHECK(values[row["hf_row"].get<std::size_t>() * 576 + column] == row["first4"][column].get<float>());
    }
}

}  // namespace smollm2_tests
