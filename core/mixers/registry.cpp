// SPDX-License-Identifier: GPL-3.0-or-later
#include "mixers/registry.h"

#include "checkpoint/dtypes.h"
#include "checkpoint/expectedtensors.h"
#include "error.h"
#include "experiment/spec.h"
#include "mixers/linearmixer.h"
#include "nn/torcherror.h"
#include "shownname.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <array>

namespace stillroom::mixers {

extern const MixerKind gdnKind, glaKind;

namespace {

/// In display order.
constexpr std::array allKinds{
    &gdnKind,
    &glaKind,
};

std::string listed(const std::vector<std::string> &names)
{
    std::string text;
    for (const std::string &name : names)
        text += (text.empty() ? "" : ", ") + name;
    return text;
}

const MixerKind &kindNamed(const std::string &name)
{
    const auto found = std::find_if(allKinds.begin(), allKinds.end(), [&](const MixerKind *kind) { return kind->name == name; });
    if (found != allKinds.end())
        return **found;
    const std::string nearest = experiment::nearestName(name, kinds());
    throw Error(ErrorCode::Usage, "There is no mixer \"" + shownName(name) + "\"; " + (nearest.empty() ? "choose one of " + listed(kinds()) + '.' : "did you mean \"" + nearest + "\"?"));
}

std::string shapeText(at::IntArrayRef shape)
{
    std::string text;
    for (const std::int64_t size : shape)
        text += (text.empty() ? "" : ", ") + std::to_string(size);
    return '[' + text + ']';
}

/// A parameter in the file must be there, have the shape that the layer's options ask for, and hold real numbers.
void checkParameter(const checkpoint::TensorSource &tensors, const std::string &name, at::IntArrayRef sizes)
{
    const checkpoint::TensorInfo *info = tensors.find(name);
    if (!info)
        throw Error(ErrorCode::BadFile, "The model lacks the tensor \"" + name + "\", which its linear layer needs; use the config.json that belongs to the weights.");
    if (at::IntArrayRef(info->shape) != sizes)
        throw Error(ErrorCode::BadFile, "The tensor \"" + name + "\" has the shape " + shapeText(info->shape) + ", but its linear layer needs " + shapeText(sizes) + "; use the config.json that belongs to the weights.");
    if (checkpoint::isInteger(info->dtype))
        throw Error(ErrorCode::BadFile, "The tensor \"" + name + "\" holds integers (" + std::string(checkpoint::dtypeName(info->dtype)) + ") where real numbers are needed: replace the weights by an undamaged copy.");
}

/// What the config describes for a layer, on the meta device, once the file is known to hold just its parameters: nothing is allocated before.
std::shared_ptr<nn::TokenMixer> checkedShapes(const checkpoint::LayerMixer &described, const checkpoint::ModelConfig &config, int layer, const checkpoint::TensorSource &tensors)
{
    const std::string prefix = checkpoint::mixerPrefix(layer);
    std::shared_ptr<nn::TokenMixer> mixer = shapesOf(described, config, layer);
    std::vector<std::string> wanted;
    mixer->visitParameters([&](const std::string &name, at::Tensor &tensor, nn::ParameterTraits) {
        checkParameter(tensors, prefix + name, tensor.sizes());
        wanted.push_back(prefix + name);
    });
    for (const checkpoint::TensorInfo &info : tensors.tensors())
        if (info.name.starts_with(prefix) && std::find(wanted.begin(), wanted.end(), info.name) == wanted.end())
            throw Error(ErrorCode::BadFile, "The model has a tensor \"" + shownName(info.name) + "\" that its linear layer has no use for: use the config.json that belongs to the weights.");
    return mixer;
}

std::shared_ptr<nn::TokenMixer> loadMixer(const checkpoint::LayerMixer &described, const checkpoint::ModelConfig &config, int layer, const checkpoint::TensorSource &tensors, at::Device device)
{
    std::shared_ptr<nn::TokenMixer> mixer = checkedShapes(described, config, layer, tensors);
    mixer->visitParameters([&](const std::string &name, at::Tensor &tensor, nn::ParameterTraits) {
        auto values = at::empty(tensor.sizes(), at::TensorOptions().dtype(at::kFloat));
        tensors.readFloat32(checkpoint::mixerPrefix(layer) + name, {values.mutable_data_ptr<float>(), static_cast<std::size_t>(values.numel())});
        tensor = values.to(device);
    });
    return mixer;
}

}  // namespace

std::vector<std::string> kinds()
{
    std::vector<std::string> names;
    for (const MixerKind *kind : allKinds)
        names.emplace_back(kind->name);
    return names;
}

std::string completeOptions(const std::string &kind, const std::string &optionsJson, const checkpoint::ModelConfig &teacher)
{
    return kindNamed(kind).completeOptions(optionsJson, teacher);
}

std::shared_ptr<nn::TokenMixer> fromTeacher(const std::string &kind, const std::string &optionsJson, const nn::Transformer &teacher, int layer, std::uint64_t seed)
{
    return nn::asStillroomError("Starting a linear mixer from its teacher", [&]() -> std::shared_ptr<nn::TokenMixer> {
        const TeacherAttention attention = teacherAttention(teacher, layer);
        const auto mixer = kindNamed(kind).make(optionsJson, teacher.config, teacher.device());
        mixer->initialise(attention, layer, seed);
        return mixer;
    });
}

std::shared_ptr<nn::TokenMixer> blank(const std::string &kind, const std::string &optionsJson, const checkpoint::ModelConfig &config, int /*layer*/, at::Device device)
{
    return nn::asStillroomError("Making a linear mixer", [&]() -> std::shared_ptr<nn::TokenMixer> { return kindNamed(kind).make(optionsJson, config, device); });
}

std::shared_ptr<nn::TokenMixer> shapesOf(const checkpoint::LayerMixer &described, const checkpoint::ModelConfig &config, int layer)
{
    try {
        return blank(described.kind, described.optionsJson, config, layer, at::kMeta);
    } catch (const Error &error) {
        if (error.code() != ErrorCode::Usage)
            throw;
        throw Error(ErrorCode::BadFile, "Layer " + std::to_string(layer) + " of the model's config.json cannot be built: " + error.what(), error.detail());
    }
}

void checkLinearLayers(const checkpoint::ModelFiles &files)
{
    try {
        for (int layer = 0; layer < files.config.numLayers; ++layer)
            if (const checkpoint::LayerMixer &own = files.config.layers[static_cast<std::size_t>(layer)]; own.kind != "softmax")
                (void)checkedShapes(own, files.config, layer, *files.tensors);
    } catch (const Error &error) {
        throw naming(files, error);
    }
}

Error naming(const checkpoint::ModelFiles &files, const Error &error)
{
    const std::string path = files.path.string(), message = error.what();
    const bool blamesFile = error.code() == ErrorCode::BadFile || error.code() == ErrorCode::Unsupported;
    return blamesFile && message.find(path) == std::string::npos ? Error(error.code(), path + ": " + message, error.detail()) : error;
}

nn::Transformer loadModel(const checkpoint::ModelFiles &files, at::Device device)
{
    try {
        return nn::loadTransformer(files, device, loadMixer);
    } catch (const Error &error) {
        throw naming(files, error);
    }
}

}  // namespace stillroom::mixers
