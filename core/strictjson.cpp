// SPDX-License-Identifier: GPL-3.0-or-later
#include "strictjson.h"

#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

namespace stillroom {
namespace {

using Json = nlohmann::json;

/// Builds the document from the parser's events. nlohmann's own builder cannot see a name that stands twice, and with the callback that could it searches every
/// list again at the end of each object in it.
class Builder final : public nlohmann::json_sax<Json> {
public:
    Builder(std::size_t maxDepth, std::size_t maxValues) : m_maxDepth(maxDepth), m_maxValues(maxValues) {}
    [[nodiscard]] Json takeDocument() { return std::move(m_root); }
    [[nodiscard]] JsonFault takeFault() { return std::move(m_fault); }

    bool null() override { return put(nullptr); }
    bool boolean(bool value) override { return put(value); }
    bool number_integer(number_integer_t value) override { return put(value); }
    bool number_unsigned(number_unsigned_t value) override { return put(value); }
    bool number_float(number_float_t value, const string_t &) override { return put(value); }
    bool string(string_t &value) override { return put(std::move(value)); }
    bool binary(binary_t &) override { return false; }   // not in JSON texts
    bool start_object(std::size_t) override { return open(Json::object()); }
    bool start_array(std::size_t) override { return open(Json::array()); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool key(string_t &name) override
    {
        const auto [place, fresh] = m_open.back()->get_ref<Json::object_t &>().try_emplace(name);
        m_member = &place->second;
        return fresh ? count() : refuse({JsonFault::Kind::NameTwice, name, 0, {}});
    }
    bool parse_error(std::size_t byte, const std::string &, const Json::exception &problem) override
    {
        constexpr int outOfRange = 406;
        return refuse({problem.id == outOfRange ? JsonFault::Kind::Number : JsonFault::Kind::Syntax, {}, byte, problem.what()});
    }

private:
    bool refuse(JsonFault fault)
    {
        m_fault = std::move(fault);
        return false;
    }
    bool count() { return ++m_numValues <= m_maxValues || refuse({JsonFault::Kind::TooMany, {}, 0, {}}); }
    template <typename Value>
    bool put(Value &&value)
    {
        static_cast<void>(add(Json(std::forward<Value>(value))));
        return count();
    }
    bool open(Json &&empty)
    {
        m_open.push_back(add(std::move(empty)));
        return m_open.size() <= m_maxDepth ? count() : refuse({JsonFault::Kind::TooDeep, {}, 0, {}});
    }
    bool close()
    {
        m_open.pop_back();
        return count();      // an object or a list takes as much again as a plain value
    }
    Json *add(Json &&value)
    {
        if (m_open.empty())
            return &(m_root = std::move(value));
        if (m_open.back()->is_array()) {
            m_open.back()->push_back(std::move(value));
            return &m_open.back()->back();
        }
        return &(*m_member = std::move(value));
    }

    std::size_t m_maxDepth, m_maxValues, m_numValues = 0;
    Json m_root;
    std::vector<Json *> m_open;      // an open container's parent does not grow, so these stay valid
    Json *m_member = nullptr;        // where the open object's next value belongs
    JsonFault m_fault;
};

}  // namespace

std::variant<nlohmann::json, JsonFault> strictJson(std::string_view text, std::size_t maxDepth, std::size_t maxValues)
{
    Builder builder(maxDepth, maxValues);
    if (!Json::sax_parse(text.begin(), text.end(), &builder))
        return builder.takeFault();
    return builder.takeDocument();
}

}  // namespace stillroom
