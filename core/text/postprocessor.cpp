// SPDX-License-Identifier: GPL-3.0-or-later
#include "text/postprocessor.h"

#include "shownname.h"
#include "text/tokenizerfields.h"
#include "text/tokentable.h"

namespace stillroom::text {

namespace {

using nlohmann::json;

std::uint32_t idFrom(const json &node, const ComponentFields &fields)
{
    if (!node.is_number_unsigned() || node.get<std::uint64_t>() >= TokenTable::idLimit) {
        fields.bad("has an id that is not a whole number in range");
    }
    return static_cast<std::uint32_t>(node.get<std::uint64_t>());
}

std::vector<std::uint32_t> idsOfSpecial(const std::string &name, const ComponentFields &fields)
{
    const json &known = fields.object("special_tokens");
    const auto found = known.find(name);
    if (found == known.end()) {
        fields.bad("uses the special token '" + shownName(name) + "' without giving its ids");
    }
    std::vector<std::uint32_t> ids;
    for (const json &id : ComponentFields(*found, "post-processor").array("ids")) {
        ids.push_back(idFrom(id, fields));
    }
    return ids;
}

// {"id": name, "type_id": n} → name
std::string nameIn(const json &piece, const char *kind, const ComponentFields &fields)
{
    const auto body = piece.find(kind);
    if (!body->is_object() || !body->contains("id") || !body->at("id").is_string()) {
        fields.bad("has a template piece without a name");
    }
    return body->at("id").get<std::string>();
}

SpecialFrame templateFrame(const ComponentFields &fields)
{
    SpecialFrame frame;
    bool seenText = false;
    for (const json &piece : fields.array("single")) {
        if (!piece.is_object() || piece.size() != 1) {
            fields.bad("has a template piece that is neither a special token nor the text");
        }
        if (piece.contains("SpecialToken")) {
            const std::vector<std::uint32_t> ids = idsOfSpecial(nameIn(piece, "SpecialToken", fields), fields);
            std::vector<std::uint32_t> &side = seenText ? frame.after : frame.before;
            side.insert(side.end(), ids.begin(), ids.end());
        } else if (piece.contains("Sequence")) {
            if (seenText || nameIn(piece, "Sequence", fields) != "A") {
                fields.unsupported("a template that does not hold the text exactly once");
            }
            seenText = true;
        } else {
            fields.bad("has a template piece that is neither a special token nor the text");
        }
    }
    if (!seenText) {
        fields.unsupported("a template that does not hold the text exactly once");
    }
    return frame;
}

std::uint32_t idOfPair(const char *name, const ComponentFields &fields)
{
    const json &pair = fields.array(name);
    if (pair.size() != 2 || !pair[0].is_string()) {
        fields.bad("has no token and id in '" + std::string(name) + "'");
    }
    return idFrom(pair[1], fields);
}

}  // namespace

SpecialFrame makeSpecialFrame(const json &node)
{
    if (node.is_null()) {
        return {};
    }
    const ComponentFields fields(node, "post-processor");
    const std::string type = fields.type();
    if (type == "ByteLevel") {
        return {};
    }
    if (type == "TemplateProcessing") {
        return templateFrame(fields);
    }
    if (type == "BertProcessing" || type == "RobertaProcessing") {
        return {{idOfPair("cls", fields)}, {idOfPair("sep", fields)}};
    }
    if (type == "Sequence") {
        SpecialFrame frame;
        for (const json &part : fields.array("processors")) {
            const SpecialFrame outer = makeSpecialFrame(part);
            frame.before.insert(frame.before.begin(), outer.before.begin(), outer.before.end());
            frame.after.insert(frame.after.end(), outer.after.begin(), outer.after.end());
        }
        return frame;
    }
    fields.unsupportedType();
}

}  // namespace stillroom::text
