// SPDX-License-Identifier: GPL-3.0-or-later
#include "ggufbuilder.h"

#include "checkpoint/atomicfile.h"

#include <algorithm>

namespace {

template <typename T>
std::string raw(T value) {
    return {reinterpret_cast<const char *>(&value), sizeof value};
}

std::string counted(const std::string &text) {
    return raw(static_cast<std::uint64_t>(text.size())) + text;
}

std::string padded(std::string text) {
    text.append((32 - text.size() % 32) % 32, '\0');
    return text;
}

}  // namespace

void GgufBuilder::setRaw(const std::string &key, std::uint32_t type, const std::string &value) {
    remove(key);
    metadata.emplace_back(key, raw(type) + value);
}

void GgufBuilder::setText(const std::string &key, const std::string &value) { setRaw(key, 8, counted(value)); }
void GgufBuilder::setInteger(const std::string &key, std::uint32_t value) { setRaw(key, 4, raw(value)); }
void GgufBuilder::setNumber(const std::string &key, float value) { setRaw(key, 6, raw(value)); }

void GgufBuilder::remove(const std::string &key) {
    std::erase_if(metadata, [&key](const auto &entry) { return entry.first == key; });
}

void GgufBuilder::addTensor(const std::string &name, std::vector<std::uint64_t> extents) {
    std::uint64_t elements = 1;
    for (const auto extent : extents)
        elements *= extent;
    tensors.push_back({name, std::move(extents), 0, std::string(elements * 4, '\0'), {}});
}

std::string GgufBuilder::bytes() const {
    std::string text = "GGUF" + raw(version) + raw(claimedTensors.value_or(tensors.size())) + raw(claimedKeys.value_or(metadata.size()));
    for (const auto &[key, value] : metadata)
        text += counted(key) + value;
    std::uint64_t offset = 0;
    for (const auto &tensor : tensors) {
        text += counted(tensor.name) + raw(static_cast<std::uint32_t>(tensor.extents.size()));
        for (const auto extent : tensor.extents)
            text += raw(extent);
        text += raw(tensor.type) + raw(tensor.offset.value_or(offset));
        offset += padded(tensor.bytes).size();
    }
    text = padded(std::move(text));
    for (const auto &tensor : tensors)
        text += padded(tensor.bytes);
    return text;
}

void GgufBuilder::write(const std::filesystem::path &file) const {
    stillroom::checkpoint::writeFileAtomically(file, std::string_view(bytes()));
}

GgufBuilder GgufBuilder::smallLlama() {
    GgufBuilder builder;
    builder.setText("general.architecture", "llama");
    builder.setText("general.name", "small");
    for (const auto &[key, value] : {std::pair("block_count", 1U), {"context_length", 64U}, {"embedding_length", 32U}, {"feed_forward_length", 64U},
                                     {"attention.head_count", 2U}, {"attention.head_count_kv", 1U}, {"rope.dimension_count", 16U}})
        builder.setInteger("llama." + std::string(key), value);
    builder.setNumber("llama.attention.layer_norm_rms_epsilon", 1e-5F);
    builder.addTensor("token_embd.weight", {32, 8});
    builder.addTensor("output_norm.weight", {32});
    builder.addTensor("blk.0.attn_k.weight", {32, 16});
    builder.addTensor("blk.0.attn_v.weight", {32, 16});
    builder.addTensor("blk.0.attn_q.weight", {32, 32});
    builder.addTensor("blk.0.attn_output.weight", {32, 32});
    builder.addTensor("blk.0.attn_norm.weight", {32});
    builder.addTensor("blk.0.ffn_norm.weight", {32});
    builder.addTensor("blk.0.ffn_gate.weight", {32, 64});
    builder.addTensor("blk.0.ffn_up.weight", {32, 64});
    builder.addTensor("blk.0.ffn_down.weight", {64, 32});
    return builder;
}
