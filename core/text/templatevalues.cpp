// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/templatevalues.h"

#include "error.h"

#include <algorithm>
#include <cctype>
#include <cstdint>

namespace stillroom::text {
namespace {

[[noreturn]] void refuseValue(const std::string &what)
{
    throw Error(ErrorCode::Unsupported, "the chat template uses " + what + ", which is not understood: give the prompt without --chat");
}

std::string stripped(const std::string &text, const std::string &blanks, bool left, bool right)
{
    std::size_t first = left ? text.find_first_not_of(blanks) : 0;
    if (first == std::string::npos)
        return {};
    const std::size_t last = right ? text.find_last_not_of(blanks) : text.size() - 1;
    return last == std::string::npos ? std::string() : text.substr(first, last - first + 1);
}

/// ASCII letters only: no chat template changes the case of others.
std::string withCase(std::string text, bool upper)
{
    for (char &c : text) {
        const auto letter = static_cast<unsigned char>(c);
        c = static_cast<char>(upper ? std::toupper(letter) : std::tolower(letter));
    }
    return text;
}

std::string replaced(const std::string &text, const std::string &from, const std::string &to, std::size_t mostBytes)
{
    if (from.empty())
        return text;
    std::string made;
    std::size_t at = 0;
    for (std::size_t found = text.find(from); found != std::string::npos; found = text.find(from, at)) {
        made.append(text, at, found - at).append(to);
        at = found + from.size();
        if (made.size() > mostBytes)
            refuseTooLarge();
    }
    return made.append(text, at);
}

Value splitText(const std::string &text, const std::string &separator, std::size_t mostBytes)
{
    Value parts = Value::array();
    std::size_t at = 0;
    for (std::size_t found = text.find(separator); found != std::string::npos; found = text.find(separator, at)) {
        if (parts.size() > mostBytes / sizeof(Value))
            refuseTooLarge();
        parts.push_back(text.substr(at, found - at));
        at = found + separator.size();
    }
    parts.push_back(text.substr(at));
    return parts;
}

std::string argumentText(const std::vector<Value> &arguments, std::size_t index, const std::string &otherwise)
{
    return index < arguments.size() ? toText(arguments[index]) : otherwise;
}

/// Python counts and cuts texts by code points.
std::vector<std::string> codePoints(const std::string &text)
{
    std::vector<std::string> points;
    for (const char c : text) {
        const bool continues = (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
        if (!continues || points.empty())
            points.emplace_back();
        points.back() += c;
    }
    return points;
}

/// A text as a list of its code points; a list as it is.
Value asList(const Value &value)
{
    return value.is_string() ? Value(codePoints(value.get_ref<const std::string &>())) : value;
}

constexpr const char *blankCharacters = " \t\n\r\f\v";

Value wholeNumberOperation(const std::string &symbol, std::int64_t x, std::int64_t y)
{
    std::int64_t result = 0;
    const bool known = symbol == "+" || symbol == "-" || symbol == "*" || (symbol == "%" && y > 0);
    if (!known)
        refuseValue("the operation \"" + symbol + "\" on such values");
    if (symbol == "%")
        return ((x % y) + y) % y;
    if (symbol == "+" ? __builtin_add_overflow(x, y, &result) : symbol == "-" ? __builtin_sub_overflow(x, y, &result) : __builtin_mul_overflow(x, y, &result))
        refuseValue("whole numbers of more than 64 bits");
    return result;
}

std::string joinedText(const Value &list, const std::string &separator, std::size_t mostBytes)
{
    std::string joined;
    for (const Value &one : list) {
        joined += (joined.empty() ? "" : separator) + toText(one);
        if (joined.size() > mostBytes)
            refuseTooLarge();
    }
    return joined;
}

std::size_t weightWithin(const Value &value, int depth)
{
    if (depth > 100)
        refuseValue("lists within lists too deeply");
    std::size_t weight = sizeof(Value);
    if (value.is_string())
        return weight + value.get_ref<const std::string &>().size();
    if (value.is_structured())
        for (const auto &[key, one] : value.items())
            weight += (value.is_object() ? sizeof(std::string) + key.size() : 0) + weightWithin(one, depth + 1);
    return weight;
}

}  // namespace

std::size_t weightOf(const Value &value)
{
    return weightWithin(value, 0);
}

void refuseTooLarge()
{
    throw Error(ErrorCode::Unsupported, "the chat template makes a text or list that is too large: give the prompt without --chat");
}

Value rangeOf(const Value &first, const Value &end, std::size_t mostBytes)
{
    if (!first.is_number_integer() || !end.is_number_integer())
        refuseValue("a range of something that is no whole number");
    const auto begin = first.get<std::int64_t>(), stop = end.get<std::int64_t>();
    if (begin < stop && static_cast<std::uint64_t>(stop) - static_cast<std::uint64_t>(begin) > mostBytes / sizeof(Value))
        refuseTooLarge();
    Value numbers = Value::array();
    for (std::int64_t i = begin; i < stop; ++i)
        numbers.push_back(i);
    return numbers;
}

bool isTrue(const Value &value)
{
    if (value.is_discarded() || value.is_null())
        return false;
    if (value.is_boolean())
        return value.get<bool>();
    if (value.is_number())
        return value.get<double>() != 0.0;
    return value.is_string() ? !value.get_ref<const std::string &>().empty() : !value.empty();
}

std::string toText(const Value &value)
{
    if (value.is_discarded())
        return {};
    if (value.is_string())
        return value.get<std::string>();
    if (value.is_null())
        return "None";
    if (value.is_boolean())
        return value.get<bool>() ? "True" : "False";
    if (value.is_number())
        return value.dump();
    refuseValue("a list or mapping as text");
}

bool contains(const Value &container, const Value &item)
{
    if (container.is_string())
        return container.get_ref<const std::string &>().find(toText(item)) != std::string::npos;
    if (container.is_object())
        return item.is_string() && container.contains(item.get<std::string>());
    return container.is_array() && std::find(container.begin(), container.end(), item) != container.end();
}

Value binaryOperation(const std::string &symbol, const Value &a, const Value &b)
{
    if (symbol == "==")
        return a == b && !a.is_discarded() && !b.is_discarded();
    if (symbol == "!=")
        return !(a == b) || a.is_discarded() || b.is_discarded();
    if (symbol == "~" || (symbol == "+" && (a.is_string() || b.is_string())))
        return toText(a) + toText(b);
    if (symbol == "+" && a.is_array() && b.is_array()) {
        Value both = a;
        both.insert(both.end(), b.begin(), b.end());
        return both;
    }
    if (symbol == "<" || symbol == ">" || symbol == "<=" || symbol == ">=") {
        const Value &x = symbol.front() == '<' ? a : b, &y = symbol.front() == '<' ? b : a;
        return symbol.size() == 1 ? x < y : !(y < x);
    }
    if (a.is_number_integer() && b.is_number_integer())
        return wholeNumberOperation(symbol, a.get<std::int64_t>(), b.get<std::int64_t>());
    refuseValue("the operation \"" + symbol + "\" on such values");
}

Value itemOf(const Value &container, const Value &key)
{
    if (container.is_object() && key.is_string()) {
        const auto found = container.find(key.get<std::string>());
        return found == container.end() ? undefinedValue() : *found;
    }
    if ((container.is_array() || container.is_string()) && key.is_number_integer()) {
        const Value list = asList(container);
        const auto size = static_cast<std::int64_t>(list.size());
        std::int64_t index = key.get<std::int64_t>();
        index = index < 0 ? index + size : index;
        return index < 0 || index >= size ? undefinedValue() : list[static_cast<std::size_t>(index)];
    }
    return undefinedValue();
}

Value sliceOf(const Value &container, const Value &start, const Value &stop)
{
    const Value list = asList(container);
    const auto size = static_cast<std::int64_t>(list.size());
    const auto bound = [&](const Value &value, std::int64_t otherwise) {
        if (!value.is_number_integer())
            return otherwise;
        const auto index = value.get<std::int64_t>();
        return std::clamp(index < 0 ? index + size : index, std::int64_t{0}, size);
    };
    const std::int64_t first = bound(start, 0), last = std::max(first, bound(stop, size));
    Value part = Value::array();
    std::string text;
    for (std::int64_t i = first; i < last; ++i) {
        const Value &one = list[static_cast<std::size_t>(i)];
        if (container.is_string())
            text += one.get_ref<const std::string &>();
        else
            part.push_back(one);
    }
    return container.is_string() ? Value(text) : part;
}

Value applyFilter(const std::string &name, const Value &value, const std::vector<Value> &arguments, std::size_t mostBytes)
{
    if (name == "trim")
        return stripped(toText(value), blankCharacters, true, true);
    if (name == "upper" || name == "lower")
        return withCase(toText(value), name == "upper");
    if (name == "string")
        return toText(value);
    if (name == "length" || name == "count")
        return static_cast<std::int64_t>(asList(value).size());
    if (name == "first" || name == "last")
        return itemOf(value, name == "first" ? 0 : -1);
    if (name == "tojson")
        return value.dump(-1, ' ', false, Value::error_handler_t::replace);     // strip() may cut a letter in two
    if (name == "default" || name == "d")
        return value.is_discarded() && !arguments.empty() ? arguments.front() : value;
    if (name == "replace" && arguments.size() == 2)
        return replaced(toText(value), toText(arguments[0]), toText(arguments[1]), mostBytes);
    if (name == "join")
        return joinedText(value, argumentText(arguments, 0, ""), mostBytes);
    refuseValue("the filter \"" + name + "\"");
}

Value callMethod(const Value &value, const std::string &name, const std::vector<Value> &arguments, std::size_t mostBytes)
{
    if (value.is_object() && name == "get" && !arguments.empty()) {
        const Value found = itemOf(value, arguments[0]);
        return found.is_discarded() ? (arguments.size() > 1 ? arguments[1] : Value()) : found;
    }
    if (value.is_object() && (name == "items" || name == "keys")) {
        Value list = Value::array();
        for (const auto &[key, one] : value.items())
            list.push_back(name == "items" ? Value::array({key, one}) : Value(key));
        return list;
    }
    if (!value.is_string())
        refuseValue("the method \"" + name + "\" on something that is no text");
    const auto &text = value.get_ref<const std::string &>();
    if (name == "strip" || name == "lstrip" || name == "rstrip")
        return stripped(text, argumentText(arguments, 0, blankCharacters), name != "rstrip", name != "lstrip");
    if (name == "upper" || name == "lower")
        return withCase(text, name == "upper");
    if (name == "startswith")
        return text.starts_with(argumentText(arguments, 0, ""));
    if (name == "endswith")
        return text.ends_with(argumentText(arguments, 0, ""));
    if (name == "replace" && arguments.size() >= 2)
        return replaced(text, toText(arguments[0]), toText(arguments[1]), mostBytes);
    if (name == "split" && !arguments.empty() && !toText(arguments[0]).empty())
        return splitText(text, toText(arguments[0]), mostBytes);
    refuseValue("the method \"" + name + "\"");
}

bool applyTest(const std::string &name, const Value &value)
{
    if (name == "defined")
        return !value.is_discarded();
    if (name == "undefined")
        return value.is_discarded();
    if (name == "none")
        return value.is_null();
    if (name == "string")
        return value.is_string();
    if (name == "mapping")
        return value.is_object();
    if (name == "iterable" || name == "sequence")
        return value.is_array() || value.is_string() || value.is_object();
    if (name == "number")
        return value.is_number();
    if (name == "boolean")
        return value.is_boolean();
    if (name == "true" || name == "false")
        return value.is_boolean() && value.get<bool>() == (name == "true");
    refuseValue("the test \"is " + name + "\"");
}

}  // namespace stillroom::text
