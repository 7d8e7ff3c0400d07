// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/boundedjson.h"

#include "checkpoint/mappedfile.h"
#include "error.h"
#include "shownname.h"

#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

namespace stillroom::checkpoint {

namespace {

using Json = nlohmann::json;

[[noreturn]] void refuse(const std::string &where, const std::string &why, std::string detail = {}) {
    throw Error(ErrorCode::BadFile, where + " " + why + "; replace the file by an undamaged copy.", std::move(detail));
}

// One pass over the bytes, no allocation: counts what the parser would build. It need not know JSON's grammar, only never count too little.
void checkLimits(std::string_view text, const std::string &where, const JsonLimits &limits) {
    std::size_t depth = 0, values = 1, tokenBytes = 0;
    bool inString = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '\0')
            refuse(where, "is not valid JSON: it holds a zero byte");   // for the parser it would be the end
        if (++tokenBytes > limits.maxStringBytes)
            refuse(where, "holds a string of more than " + std::to_string(limits.maxStringBytes) + " bytes");
        if (inString) {
            if (c == '\\')
                ++i;
            else if (c == '"')
                inString = false;
            continue;
        }
        if (std::string_view("[]{},:\" \t\r\n").find(c) != std::string_view::npos)
            tokenBytes = 0;
        inString = c == '"';
        values += c == '[' || c == '{' || c == ',' ? 1 : 0;
        if ((c == '[' || c == '{') && ++depth > limits.maxDepth)
            refuse(where, "is nested deeper than " + std::to_string(limits.maxDepth) + " levels");
        if (c == ']' || c == '}')
            depth -= depth > 0 ? 1 : 0;
        if (values > limits.maxValues)
            refuse(where, "holds more than " + std::to_string(limits.maxValues) + " JSON values");
    }
}

// Builds the document from the parser's events. nlohmann's own builder keeps the last of equal keys without a word, and with a callback
// that could notice it takes quadratic time.
class Builder final : public nlohmann::json_sax<Json> {
public:
    explicit Builder(const std::string &where) : m_where(where) {}
    [[nodiscard]] Json take() { return std::move(m_root); }

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
    bool key(string_t &name) override {
        auto &object = m_open.back()->get_ref<Json::object_t &>();
        const auto [place, fresh] = object.try_emplace(name);
        if (!fresh)
            refuse(m_where, "names \"" + shownName(name) + "\" twice in one object");
        m_member = &place->second;
        return true;
    }
    bool parse_error(std::size_t, const std::string &, const Json::exception &problem) override { refuse(m_where, "is not valid JSON", problem.what()); }

private:
    template <typename Value>
    bool put(Value &&value) {
        static_cast<void>(add(Json(std::forward<Value>(value))));
        return true;
    }
    bool open(Json &&empty) {
        m_open.push_back(add(std::move(empty)));
        return true;
    }
    bool close() {
        m_open.pop_back();
        return true;
    }
    Json *add(Json &&value) {
        if (m_open.empty())
            return &(m_root = std::move(value));
        if (m_open.back()->is_array()) {
            m_open.back()->push_back(std::move(value));
            return &m_open.back()->back();
        }
        return &(*m_member = std::move(value));
    }

    const std::string &m_where;
    Json m_root;
    std::vector<Json *> m_open;      // an open container's parent does not grow, so these stay valid
    Json *m_member = nullptr;        // where the open object's next value belongs
};

}  // namespace

nlohmann::json parseBoundedJson(std::string_view text, const std::string &where, const JsonLimits &limits) {
    if (text.size() > limits.maxBytes)
        refuse(where, "has " + std::to_string(text.size()) + " bytes of JSON, more than the " + std::to_string(limits.maxBytes) + " that are read");
    checkLimits(text, where, limits);
    Builder builder(where);
    Json::sax_parse(text.begin(), text.end(), &builder);
    return builder.take();
}

nlohmann::json readJsonFile(const std::filesystem::path &file, const JsonLimits &limits) {
    const MappedFile map(file);
    const auto bytes = map.bytes();
    return parseBoundedJson({reinterpret_cast<const char *>(bytes.data()), bytes.size()}, file.string(), limits);
}

}  // namespace stillroom::checkpoint
