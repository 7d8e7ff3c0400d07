// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

/// What a person may score layers with, and what it costs. Both are known where tensors are computed, which the window does not link: the program hands them in, as
/// it hands `jobs` its procedures.
namespace stillroom::widgets {

struct SelectorOffer {
    std::string name;                                          ///< "ga-s2"
    std::string help;                                          ///< one sentence, for a selector that the window has no words for
    bool needsStageOne = true;                                 ///< false: it looks at the teacher alone
    bool trains = false;
    bool needsRecall = false;                                  ///< the recall task, or passkeys in a text, which take the teacher's tokenizer
    bool needsTokenizer = false;
    std::vector<std::pair<std::string, std::string>> fields;   ///< of the score spec that not all selectors read, and what they are when left out (JSON)
};

/// Said before a spec runs; it follows from the spec and the teacher's shape.
struct StatedCost {
    std::int64_t stageOneTokens = 0;                           ///< 0: there is none, or it is given
    std::int64_t calibrationTokens = 0, phaseTwoTokens = 0;    ///< of a calibration: read off the teacher; at most trained on by every layer
    std::int64_t students = 0, studentTokens = 0;              ///< that train after it, and the tokens of all of them together
    std::int64_t measuredTokens = 0;                           ///< through a whole model without training
    bool atMost = false;                                       ///< the way depends on what is found
    bool isWhole = true;                                       ///< false: there is more, of which nobody knows how much
};

/// On this machine: the teacher is loaded and timed for it.
struct TimedCost {
    double seconds = 0.0;
    std::int64_t memoryBytes = 0, diskBytes = 0;
    bool leavesOut = false;                                    ///< stages that are in the workspace already are not counted
};

struct SelectorOffers {
    std::vector<SelectorOffer> list;                           ///< in display order
    /// \param spec  may be incomplete; \throws stillroom::Error for what the experiment itself would refuse. Called on another thread than the GUI's.
    std::function<StatedCost(const nlohmann::json &spec, const std::filesystem::path &workspace)> state;
    /// \throws stillroom::Error(Cancelled) soon after it is told to stop
    std::function<TimedCost(const nlohmann::json &spec, const std::filesystem::path &workspace, const std::stop_token &stop)> time;
};

}  // namespace stillroom::widgets
