// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

/// What values of a Jinja template can do. Internal to the chat templates. An undefined value is nlohmann's "discarded".
namespace stillroom::text {

using Value = nlohmann::ordered_json;

[[nodiscard]] inline Value undefinedValue() { return Value(Value::value_t::discarded); }
[[nodiscard]] bool isTrue(const Value &value);
/// As Python's str() writes it. \throws Error(Unsupported) for a list or mapping
[[nodiscard]] std::string toText(const Value &value);
[[nodiscard]] Value binaryOperation(const std::string &symbol, const Value &a, const Value &b);
[[nodiscard]] bool contains(const Value &container, const Value &item);
[[nodiscard]] Value itemOf(const Value &container, const Value &key);
/// start and stop may be undefined.
[[nodiscard]] Value sliceOf(const Value &container, const Value &start, const Value &stop);
/// `value | name(arguments)`. \throws Error(Unsupported) naming the filter
[[nodiscard]] Value applyFilter(const std::string &name, const Value &value, const std::vector<Value> &arguments);
/// `value.name(arguments)`. \throws Error(Unsupported) naming the method
[[nodiscard]] Value callMethod(const Value &value, const std::string &name, const std::vector<Value> &arguments);
/// `value is name`. \throws Error(Unsupported) naming the test
[[nodiscard]] bool applyTest(const std::string &name, const Value &value);

}  // namespace stillroom::text
