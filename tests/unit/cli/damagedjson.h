// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "hostilefiles.h"

#include <nlohmann/json_fwd.hpp>

/// What a number is replaced by: signs, borders of types, fractions, beyond every type, no JSON at all.
[[nodiscard]] const std::vector<std::string> &strangeNumbers();
/// Arrays or objects in each other, as text; every other time without their ends.
[[nodiscard]] std::string nested(Draw &draw);
/// The document with one place, drawn among those that `wanted` says yes to, replaced by a text that need not be JSON.
[[nodiscard]] std::string withReplaced(const nlohmann::json &document, const std::function<bool(const nlohmann::json &)> &wanted, const std::string &text, Draw &draw);

/// The seven kinds of damage to a JSON text.
[[nodiscard]] Kinds damagedJson(std::function<nlohmann::json(Draw &)> whole);
