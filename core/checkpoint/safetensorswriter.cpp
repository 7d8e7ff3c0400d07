// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/atomicfile.h"
#include "checkpoint/dtypes.h"
#include "error.h"

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>

namespace stillroom::checkpoint {

namespace {

void checkTensors(const std::filesystem::path &file, const std::vector<TensorToWrite> &tensors) {
    std::set<std::string_view> names;
    for (const auto &tensor : tensors) {
        const auto &info = tensor.info;
        const auto size = sizeBytesOf(info.dtype, info.shape);
        const char *wrong = isQuantised(info.dtype)                                                                          ? "its type cannot be stored"
                            : !size || static_cast<std::uint64_t>(*size) != tensor.data.size()                               ? "its data does not fit its shape"
                            : info.name.empty() || info.name == "__metadata__" || !names.insert(info.name).second            ? "its name is empty, reserved or used twice"
                                                                                                                             : nullptr;
        if (wrong != nullptr)
            throw Error(ErrorCode::Failed, "Cannot write tensor \"" + info.name + "\" of shape " + shapeText(info.shape) + " to " + file.string() + ": " + wrong + ".");
    }
}

std::string headerText(const std::vector<const TensorToWrite *> &order, const std::vector<std::pair<std::string, std::string>> &metadata) {
    nlohmann::ordered_json header, &notes = header["__metadata__"];
    notes["format"] = "pt";
    for (const auto &[key, value] : metadata)
        notes[key] = value;
    std::size_t offset = 0;
    for (const auto *tensor : order) {
        auto &entry = header[tensor->info.name];
        entry["dtype"] = dtypeName(tensor->info.dtype);
        entry["shape"] = tensor->info.shape;
        entry["data_offsets"] = {offset, offset + tensor->data.size()};
        offset += tensor->data.size();
    }
    std::string text = header.dump();
    text.append((8 - text.size() % 8) % 8, ' ');   // data starts at a multiple of 8
    return text;
}

}  // namespace

void writeSafetensors(const std::filesystem::path &file, const std::vector<TensorToWrite> &tensors,
                      const std::vector<std::pair<std::string, std::string>> &metadata) {
    checkTensors(file, tensors);
    std::vector<const TensorToWrite *> order;
    order.reserve(tensors.size());
    for (const auto &tensor : tensors)
        order.push_back(&tensor);
    // Wide types first keeps every tensor aligned, as the reference implementation does.
    std::stable_sort(order.begin(), order.end(), [](const TensorToWrite *a, const TensorToWrite *b) { return blockOf(a->info.dtype).bytes > blockOf(b->info.dtype).bytes; });
    std::string text;
    try {
        text = headerText(order, metadata);
    } catch (const nlohmann::json::exception &problem) {
        throw Error(ErrorCode::Failed, "Cannot write " + file.string() + ": a tensor name or note is not valid UTF-8.", problem.what());
    }
    const auto length = static_cast<std::uint64_t>(text.size());
    AtomicFile out(file);
    out.write(std::as_bytes(std::span(&length, 1)));
    out.write(text);
    for (const auto *tensor : order)
        out.write(tensor->data);
    out.commit();
}

}  // namespace stillroom::checkpoint
