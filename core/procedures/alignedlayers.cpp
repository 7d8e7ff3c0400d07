// SPDX-License-Identifier: GPL-3.0-or-later
#include "procedures/alignedlayers.h"

#include "checkpoint/atomicfile.h"
#include "error.h"
#include "experiment/score.h"
#include "mixers/registry.h"
#include "nn/tensorfile.h"

#include <ATen/ATen.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>

namespace stillroom::procedures {
namespace fs = std::filesystem;
namespace {

constexpr int alignedSchema = 1;

fs::path layerFile(const fs::path &folder, int layer)
{
    std::array<char, 32> name{};
    std::snprintf(name.data(), name.size(), "layer-%03d.safetensors", layer);
    return folder / "layers" / name.data();
}

void loadInto(nn::TokenMixer &mixer, const fs::path &file)
{
    const auto source = checkpoint::openSafetensors(file);
    mixer.visitParameters([&](const std::string &name, at::Tensor &tensor, nn::ParameterTraits) {
        const at::Tensor stored = nn::readTensor(*source, name);
        if (stored.sizes() != tensor.sizes())
            throw Error(ErrorCode::BadFile, file.string() + ": " + name + " has another shape than this teacher's mixer");
        tensor = stored.to(tensor.options());
    });
}

/// What a file describes that no mixer answers to is the file's fault.
std::shared_ptr<nn::TokenMixer> blankAsDescribed(const fs::path &folder, const AlignedArtifact &aligned, const checkpoint::ModelConfig &teacher, int layer, at::Device device)
{
    try {
        return mixers::blank(aligned.mixerKind, aligned.optionsJson, teacher, layer, device);
    } catch (const Error &error) {
        if (error.code() != ErrorCode::Usage)
            throw;
        throw Error(ErrorCode::BadFile, folder.string() + "/aligned.json: " + error.what(), error.detail());
    }
}

}  // namespace

void saveAligned(const fs::path &folder, const AlignedArtifact &aligned)
{
    fs::create_directories(folder / "layers");
    nlohmann::json layers = nlohmann::json::array();
    for (const distillation::AlignedLayer &one : aligned.layers) {
        nn::NamedTensors tensors;
        one.mixer->visitParameters([&](const std::string &name, at::Tensor &tensor, nn::ParameterTraits) { tensors.emplace_back(name, tensor); });
        nn::writeTensors(layerFile(folder, one.layer), tensors, {{"layer", std::to_string(one.layer)}, {"mixer", aligned.mixerKind}});
        layers.push_back(one.layer);
    }
    const nlohmann::json description = {{"schema", alignedSchema}, {"teacher_hash", aligned.teacherHash},
                                        {"mixer", {{"kind", aligned.mixerKind}, {"options", nlohmann::json::parse(aligned.optionsJson)}}}, {"layers", layers}};
    checkpoint::writeFileAtomically(folder / "aligned.json", description.dump(1));
}

AlignedArtifact loadAligned(const fs::path &folder, const checkpoint::ModelConfig &teacher, const std::string &teacherHash, at::Device device)
{
    const nlohmann::json description = nlohmann::json::parse(std::ifstream(folder / "aligned.json"), nullptr, false);
    AlignedArtifact aligned;
    std::vector<int> layers;
    try {
        if (description.at("schema").get<int>() > alignedSchema)
            throw Error(ErrorCode::BadFile, folder.string() + " was written by a newer version: update this program");
        aligned.teacherHash = description.at("teacher_hash").get<std::string>();
        aligned.mixerKind = description.at("mixer").at("kind").get<std::string>();
        aligned.optionsJson = description.at("mixer").at("options").dump();
        layers = experiment::validLayerSet(description.at("layers").get<std::vector<int>>(), teacher.numLayers);
    } catch (const nlohmann::json::exception &error) {
        throw Error(ErrorCode::BadFile, folder.string() + " holds no aligned layers: give the artifact of an align or calibrate run", error.what());
    } catch (const Error &error) {
        throw Error(ErrorCode::BadFile, folder.string() + "/aligned.json: " + error.what(), error.detail());
    }
    if (aligned.teacherHash != teacherHash)
        throw Error(ErrorCode::Usage, folder.string() + " was aligned to another teacher (" + aligned.teacherHash.substr(0, 12) + ", this one is " + teacherHash.substr(0, 12) + ")");
    for (const int layer : layers) {
        auto mixer = blankAsDescribed(folder, aligned, teacher, layer, device);
        loadInto(*mixer, layerFile(folder, layer));
        aligned.layers.push_back({layer, std::move(mixer)});
    }
    return aligned;
}

std::vector<distillation::AlignedLayer> freshMixers(const nn::Transformer &teacher, const std::string &kind, const std::string &optionsJson,
                                                    const std::vector<int> &layers, std::uint64_t seed)
{
    const auto numLayers = static_cast<int>(teacher.blocks.size());
    for (const int layer : layers)
        if (layer < 0 || layer >= numLayers)
            throw Error(ErrorCode::Usage, "The field \"layers\" holds " + std::to_string(layer) + " but the teacher's layers are 0 to " + std::to_string(numLayers - 1) + ".");
    std::vector<distillation::AlignedLayer> made;
    for (int layer = 0; layer < numLayers; ++layer)
        if (layers.empty() || std::find(layers.begin(), layers.end(), layer) != layers.end())
            made.push_back({layer, mixers::fromTeacher(kind, optionsJson, teacher, layer, seed)});
    return made;
}

}  // namespace stillroom::procedures
