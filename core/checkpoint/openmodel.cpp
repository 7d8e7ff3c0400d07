// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/ggufmodel.h"
#include "checkpoint/huggingfacefolder.h"
#include "checkpoint/modelfiles.h"
#include "error.h"

#include <array>
#include <fstream>
#include <string_view>

namespace stillroom::checkpoint {

namespace {

bool beginsAsGguf(const std::filesystem::path &file) {
    std::array<char, 4> magic{};
    std::ifstream in(file, std::ios::binary);
    return in.read(magic.data(), magic.size()) && std::string_view(magic.data(), magic.size()) == "GGUF";
}

}  // namespace

ModelFiles openModel(const std::filesystem::path &path) {
    std::error_code problem;
    const auto status = std::filesystem::status(path, problem);
    if (!std::filesystem::exists(status))
        throw Error(ErrorCode::BadFile, "There is no model at " + path.string() + ": name a Hugging Face folder or a .gguf file.");
    if (std::filesystem::is_directory(status))
        return openFolder(path);
    const auto extension = path.extension().string();
    if (extension == ".bin" || extension == ".pt" || extension == ".pth" || extension == ".ckpt")
        refusePickle(path);
    if (std::filesystem::is_regular_file(status) && (extension == ".gguf" || beginsAsGguf(path)))
        return openGguf(path);
    throw Error(ErrorCode::BadFile, path.string() + " is not a model: name a Hugging Face folder or a .gguf file.");
}

}  // namespace stillroom::checkpoint
