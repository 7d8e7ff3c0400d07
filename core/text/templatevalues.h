// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>
#include <vector>

/// What values of a Jinja template can do. Internal to the chat templates. An undefined value is nlohmann's "discarded".
namespace stillroom::text {

using Value = nlohmann::ordered_json;

[[nodiscard]] inline Value undefinedValue() { return Value(Value::value_t::discarded); }
[[nodiscard]] bool isTrue(const Value &value);
/// As Python's str() writes it. \throws Error(Unsupported) for a list or mapping
[[nodiscard]] std::string toText(const Value &value);
/// Bytes that a value takes, about. \throws Error(Unsupported) where it nests more than 100 deep: copying it calls itself
[[nodiscard]] std::size_t weightOf(const Value &value);
/// \throws Error(Unsupported): the template makes a text or list that is too large
[[noreturn]] void refuseTooLarge();
/// Whole numbers from `first` to before `end`. \throws Error(Unsupported) for what are no whole numbers, or more of them than `mostBytes` hold
[[nodiscard]] Value rangeOf(const Value &first, const Value &end, std::size_t mostBytes);
/// \throws Error(Unsupported) for values that know no such operation, or whole numbers that leave 64 bits
[[nodiscard]] Value binaryOperation(const std::string &symbol, const Value &a, const Value &b);
[[nodiscard]] bool contains(const Value &container, const Value &item);
[[nodiscard]] Value itemOf(const Value &container, const Value &key);
/// start and stop may be undefined.
[[nodiscard]] Value sliceOf(const Value &container, const Value &start, const Value &stop);
/// `value | name(arguments)`. \throws Error(Unsupported) naming the filter, or where a text would grow beyond `mostBytes`
[[nodiscard]] Value applyFilter(const std::string &name, const Value &value, const std::vector<Value> &arguments, std::size_t mostBytes);
/// `value.name(arguments)`. \throws Error(Unsupported) naming the method, or where a text or list would grow beyond `mostBytes`
[[nodiscard]] Value callMethod(const Value &value, const std::string &name, const std::vector<Value> &arguments, std::size_t mostBytes);
/// `value is name`. \throws Error(Unsupported) naming the test
[[nodiscard]] bool applyTest(const std::string &name, const Value &value);

}  // namespace stillroom::text
