// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace stillroom::text {

/// What a tokenizer puts around a single text: TemplateProcessing, BertProcessing, RobertaProcessing; ByteLevel adds nothing; Sequence nests.
struct SpecialFrame {
    std::vector<std::uint32_t> before;
    std::vector<std::uint32_t> after;
};

/// \throws Error(BadFile | Unsupported) naming the component.
[[nodiscard]] SpecialFrame makeSpecialFrame(const nlohmann::json &node);

}  // namespace stillroom::text
