// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "checkpoint/modelconfig.h"
#include "checkpoint/tensorsource.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace stillroom::checkpoint {

/// A model on disk, opened but not loaded: what it is, and where its weights are.
struct ModelFiles {
    std::filesystem::path path;                     ///< the folder or the .gguf file
    std::string format;                             ///< "huggingface", "gguf", "stillroom_hybrid"
    std::string name;                               ///< for people: folder or general.name
    ModelConfig config;
    std::shared_ptr<const TensorSource> tensors;    ///< Hugging Face's names: model.embed_tokens.weight, model.layers.N.self_attn.q_proj.weight, …
    std::vector<std::filesystem::path> files;       ///< what contentHash covers: config.json and the weights, or the .gguf
    std::filesystem::path tokenizerPath;            ///< folder or .gguf to hand to text::loadTokenizer; empty when there is none
    std::string warning;                            ///< what a person should know who uses it; empty: nothing
    [[nodiscard]] std::string contentHash(const std::stop_token &stop = {}) const;  ///< SHA-256 (hex) over config and weight files; cached as fileHash is; the same wherever the folder lies
};

/// Opens a Hugging Face folder, a GGUF file or a hybrid of ours. Refuses pytorch_model.bin by name and says the way out.
/// Checks that every tensor which `config` asks for is there with its shape, and that no weight is left over unread.
/// A tied head that is stored nevertheless is ignored when it equals the embeddings and makes the head untied when it does not, as in transformers 5; `warning` says so.
/// \throws Error(BadFile | Unsupported)
[[nodiscard]] ModelFiles openModel(const std::filesystem::path &path);

[[nodiscard]] std::int64_t unixSeconds();      ///< by the system's clock

/// SHA-256 of a file's bytes in hex; of larger files cached in the user's cache folder by path, device, inode, size and time of change (not of writing, which unpacking and
/// copying set back): reading gigabytes anew for every command to know which model it is would take longer than many a command. \param now  seconds of Unix time
/// \throws Error(BadFile), Error(Cancelled) once a stop is requested
[[nodiscard]] std::string fileHash(const std::filesystem::path &file, const std::stop_token &stop = {}, const std::function<std::int64_t()> &now = unixSeconds);
/// SHA-256 of bytes in hex.
[[nodiscard]] std::string sha256(std::string_view bytes);

}  // namespace stillroom::checkpoint
