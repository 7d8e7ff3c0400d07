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

// A field of /proc/self/status in bytes.
double processBytes(const std::string &field) {
    std::ifstream in("/proc/self/status");
    for (std::string word; in >> word;)
        if (word == field + ":") {
            double kilobytes = 0;
            in >> kilobytes;
            return kilobytes * 1024;
        }
    return 0;
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
    const double before = processBytes("RssFile");
    double most = 0;
    for (std::size_t i = 0; i < json["tensors"].size(); ++i) {
        const auto &entry = json["tensors"][i];
        CHECK(file.tensors()[i].name == entry["name"].get<std::string>());
        const auto values = allFloats(*model.tensors, model.tensors->tensors()[i].name);
        most = std::max(most, processBytes("RssFile"));
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
    CHECK_MESSAGE(most - before < 8e6, "bytes of the file that stay resident: ", most - before);
    for (const auto &entry : json["row_order"]) {
        const auto name = entry["hf"].get<std::string>();
        const auto values = allFloats(*model.tensors, name);
        for (const auto &row : entry["rows"])
            for (std::size_t column = 0; column < 4; ++column)
                CHECK(values[row["hf_row"].get<std::size_t>() * 576 + column] == row["first4"][column].get<float>());
    }
}

}  // namespace smollm2_tests
