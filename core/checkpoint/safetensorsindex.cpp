// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/boundedjson.h"
#include "checkpoint/safetensors.h"
#include "error.h"
#include "shownname.h"

#include <map>
#include <nlohmann/json.hpp>
#include <unordered_map>

namespace stillroom::checkpoint {

namespace {

// Several files as one set. Each tensor belongs to exactly one of them.
class ShardedTensors final : public TensorSource {
public:
    ShardedTensors(std::string where, std::vector<std::shared_ptr<const TensorSource>> shards) : m_where(std::move(where)), m_shards(std::move(shards)) {
        for (const auto &shard : m_shards)
            for (const auto &info : shard->tensors()) {
                if (!m_owner.emplace(info.name, shard.get()).second)   // views into the shards' own tables
                    throw Error(ErrorCode::BadFile, m_where + " leads to the tensor " + shownName(info.name) + " in two files; replace it by an undamaged copy.");
                m_infos.push_back(info);
            }
    }
    [[nodiscard]] const std::vector<TensorInfo> &tensors() const override { return m_infos; }
    [[nodiscard]] const TensorInfo *find(std::string_view name) const override {
        const auto found = m_owner.find(name);
        return found == m_owner.end() ? nullptr : found->second->find(name);
    }
    void readFloat32(std::string_view name, std::span<float> out) const override { owner(name).readFloat32(name, out); }
    void readInt64(std::string_view name, std::span<std::int64_t> out) const override { owner(name).readInt64(name, out); }
    [[nodiscard]] std::span<const std::byte> bytes(std::string_view name) const override { return owner(name).bytes(name); }
    void release(std::string_view name) const override { owner(name).release(name); }

private:
    [[nodiscard]] const TensorSource &owner(std::string_view name) const {
        const auto found = m_owner.find(name);
        if (found == m_owner.end())
            throw Error(ErrorCode::BadFile, m_where + " has no tensor " + std::string(name) + "; use a model that holds it.");
        return *found->second;
    }
    std::string m_where;
    std::vector<std::shared_ptr<const TensorSource>> m_shards;
    std::vector<TensorInfo> m_infos;
    std::unordered_map<std::string_view, const TensorSource *> m_owner;
};

// tensor → file, from the index.
std::map<std::string, std::string> weightMap(const std::filesystem::path &indexFile) {
    const auto json = readJsonFile(indexFile);
    const auto where = indexFile.string();
    if (!json.is_object() || !json.contains("weight_map") || !json["weight_map"].is_object() || json["weight_map"].empty())
        throw Error(ErrorCode::BadFile, where + " has no \"weight_map\" that says which tensor lies in which file; replace it by an undamaged copy.");
    std::map<std::string, std::string> map;
    for (const auto &item : json["weight_map"].items()) {
        const auto name = item.value().is_string() ? item.value().get<std::string>() : std::string();
        const std::filesystem::path file(name);
        if (name.empty() || name.find('\0') != std::string::npos || file.filename() != file || name == "." || name == "..")
            throw Error(ErrorCode::BadFile, where + " names for " + shownName(item.key()) + " a file that is not a plain name in the same folder; put the files beside it and replace it by their own index.");
        map.emplace(item.key(), name);
    }
    return map;
}

}  // namespace

std::vector<std::filesystem::path> shardFiles(const std::filesystem::path &indexFile) {
    std::map<std::string, bool> names;
    for (const auto &[tensor, file] : weightMap(indexFile))
        names.emplace(file, true);
    std::vector<std::filesystem::path> files;
    files.reserve(names.size());
    for (const auto &entry : names)
        files.push_back(indexFile.parent_path() / entry.first);
    return files;
}

std::shared_ptr<const TensorSource> openSafetensorsIndex(const std::filesystem::path &indexFile) {
    const auto map = weightMap(indexFile);
    std::vector<std::shared_ptr<const TensorSource>> shards;
    std::unordered_map<std::string, const TensorSource *> opened;
    for (const auto &file : shardFiles(indexFile)) {
        shards.push_back(openSafetensors(file));
        opened.emplace(file.filename().string(), shards.back().get());
    }
    std::size_t found = 0;
    for (const auto &[tensor, file] : map) {
        if (opened.at(file)->find(tensor) == nullptr)
            throw Error(ErrorCode::BadFile, indexFile.string() + " says that " + shownName(tensor) + " lies in " + shownName(file) + ", but it does not; replace both by undamaged copies.");
        ++found;
    }
    auto all = std::make_shared<const ShardedTensors>(indexFile.string(), std::move(shards));
    if (all->tensors().size() != found)
        throw Error(ErrorCode::BadFile, "The files that " + indexFile.string() + " names hold " + std::to_string(all->tensors().size()) + " tensors, but it lists "
                                            + std::to_string(found) + "; replace it by their own index.");
    return all;
}

}  // namespace stillroom::checkpoint
