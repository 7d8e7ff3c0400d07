// SPDX-License-Identifier: GPL-3.0-or-later
// advise: how many layers to keep.
#include "cli/program.h"
#include "cli/scorefile.h"
#include "temporaryfolder.h"

#include <cstddef>
#include <cstdint>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace advising_tests {

using nlohmann::json;
using stillroom::test::Answer;
using stillroom::test::refused;
using stillroom::test::runProgram;
using stillroom::test::ScoreFile;
using doctest::Approx;

TEST_CASE("advise says where further layers pay less, predicted and measured")
{
    const ScoreFile scores;
    const TemporaryFolder workspace;
    const auto put = [&](const std::string &key, const std::string &file, const json &content) {
        std::filesystem::create_directories((workspace.path() / "artifacts" / key / file).parent_path());
        std::ofstream(workspace.path() / "artifacts" / key / file) << content;
    };
    const auto curve = [](const std::vector<int> &kept, double kl, std::int64_t tokens) {
        json one = {{"kept", kept}, {"layer", kept.empty() ? -1 : kept.front()}, {"tokens", {tokens}}, {"counted_tokens", {10, 10}}, {"kl_nats", {{kl - 0.01, kl + 0.01}}}};
        return one;
    };
    const std::vector<double> alone{0.8, 0.9, 0.95, 0.85, 0.3, 0.96};
    json curves = json::array({curve({}, 1.0, 100)});
    json list = json::array();
    for (int layer = 0; layer < 6; ++layer) {
        curves.push_back(curve({layer}, alone[static_cast<std::size_t>(layer)], 100));
        list.push_back({{"layer", layer}, {"score", alone[static_cast<std::size_t>(layer)]}, {"higher_is_better", false}});
    }
    put("score-key", "curves.json", {{"schema", 1}, {"curves", curves}});
    put("score-key", "scores.json", {{"scores", list}, {"num_layers", 6}, {"mixer", "gdn"}, {"teacher_hash", "t"}});
    const auto hybrid = [&](const std::string &key, const std::vector<int> &kept, double kl, std::int64_t tokens, const std::string &teacher) {
        put(key, "curve.json", curve(kept, kl, tokens));
        put(key, "result.json", {{"kind", "distill"}, {"mixer", "gdn"}, {"teacher_hash", teacher}, {"tokens", tokens}, {"held_out_hash", "h"}, {"aligned", key == "calibrated" ? "b" : "a"}});
        put(key, "model/spec.json", {{"mixer", {{"kind", "gdn"}}}, {"seed", 0}, {"temperature", 1}, {"ce_weight", 0}, {"reverse_kl_weight", 0}});
    };
    hybrid("k1", {4}, 0.25, 500, "t");
    hybrid("k2", {0, 4}, 0.1, 500, "t");
    hybrid("k4", {0, 1, 3, 4}, 0.05, 500, "t");
    hybrid("uniform", {0, 3}, 0.6, 500, "t");          // not the best two
    hybrid("longer", {0, 4}, 0.08, 900, "t");          // other tokens
    hybrid("stranger", {0, 3, 4}, 0.01, 500, "u");
    hybrid("calibrated", {0, 3, 4}, 0.07, 500, "t");   // another start
    put("broken", "curve.json", json::array());
    put("broken", "result.json", {{"kind", "distill"}, {"mixer", "gdn"}, {"teacher_hash", "t"}, {"tokens", 500}});

    const Answer answer = runProgram({"advise", "score-key", "--json", "--workspace", workspace.path().string()});
    INFO(answer.err);
    REQUIRE(answer.status == 0);
    const json result = answer.json();
    CHECK(result["ranking"] == json({4, 0, 3, 1, 2, 5}));
    const json &predicted = result["predicted"]["points"];
    REQUIRE(predicted.size() == 6);                                 // with all six it is the teacher
    CHECK(predicted[0]["kl_nats"].get<double>() == Approx(1.0));
    CHECK(predicted[1]["kl_nats"].get<double>() == Approx(0.3));
    CHECK(predicted[2]["kl_nats"].get<double>() == Approx(0.1));    // 1 - 0.7 - 0.2
    CHECK(predicted[3]["kl_nats"].is_null());                       // 0.1 - 0.15: more than there was to gain
    CHECK(predicted[3]["high"].is_null());
    CHECK(runProgram({"advise", "score-key", "--workspace", workspace.path().string()}).out.find("no guess") != std::string::npos);
    CHECK(result["predicted"]["elbow"]["share_of_fall"].get<double>() == Approx(0.9));
    CHECK(result["predicted"]["elbow"]["fall_to"] == 6);
    CHECK(result["hybrids_left_out"]["other_start"] == 1);
    CHECK(result["hybrids_left_out"]["other_tokens"] == 1);
    CHECK(result["hybrids_left_out"]["unreadable"] == 1);
    CHECK(runProgram({"advise", "score-key", "--workspace", workspace.path().string()}).out.find("3 hybrids of these layers are left out: 1 of another start, 1 trained on another number of tokens, 1 unreadable.") != std::string::npos);
    CHECK(result["predicted"]["elbow"]["keep"] == 2);               // 0.9 of the fall at a third of the way; at one 0.7 at a sixth
    const json &measured = result["measured"]["points"];
    REQUIRE(measured.size() == 3);
    CHECK(measured[2]["keep"] == 4);
    CHECK(measured[1]["kl_nats"].get<double>() == Approx(0.1));
    CHECK(result["measured"]["elbow"]["keep"] == 2);
    CHECK(result["hybrids"][1]["key"] == "k2");
    put("other-start", "curves.json", {{"schema", 1}, {"curves", curves}});
    put("other-start", "scores.json", {{"scores", list}, {"num_layers", 6}, {"mixer", "gdn"}, {"teacher_hash", "t"}, {"aligned", "b"}});
    const json own = runProgram({"advise", "other-start", "--json", "--workspace", workspace.path().string()}).json();
    CHECK(own["hybrids"] == json::array({{{"keep", 3}, {"key", "calibrated"}, {"seed", 0}, {"is_own", true}, {"tokens", 500}}}));
    CHECK(own["hybrids_left_out"]["other_start"] == 4);
    refused({"advise", scores.path(), "--workspace", workspace.path().string()}, "held-out sequence");

    // A hybrid that is its teacher has KL 0, and rounding may put it below: that was measured, it is no guess that failed.
    hybrid("k5", {0, 1, 2, 3, 4}, -1e-9, 500, "t");
    hybrid("k6", {0, 1, 2, 3, 4, 5}, 0.0, 500, "t");
    const json whole = runProgram({"advise", "score-key", "--json", "--workspace", workspace.path().string()}).json()["measured"]["points"];
    REQUIRE(whole.size() == 5);
    CHECK(whole[3]["kl_nats"].get<double>() == Approx(-1e-9));
    CHECK(whole[4]["kl_nats"].get<double>() == Approx(0.0));
    CHECK(whole[4]["low"].get<double>() < 0.0);
    const std::string table = runProgram({"advise", "score-key", "--workspace", workspace.path().string()}).out;
    CHECK(table.find("no guess") < table.find("Measured"));
    CHECK(table.find("no guess", table.find("Measured")) == std::string::npos);
}

}  // namespace advising_tests
