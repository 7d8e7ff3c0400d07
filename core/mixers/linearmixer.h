// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mixers/transfer.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace stillroom::mixers {

/// A token mixer that can take the place of a teacher's attention.
class LinearMixer : public nn::TokenMixer {
public:
    /// Copies what the options say from the teacher's attention and draws the rest: every parameter from its own generator.
    virtual void initialise(const TeacherAttention &teacher, int layer, std::uint64_t seed) = 0;
};

/// One kind of linear mixer, as registry.cpp lists them. Constant-initialised, so that the order of files does not matter.
struct MixerKind {
    std::string_view name;
    /// The options with every default filled in for this teacher. \throws Error(Usage)
    std::string (*completeOptions)(const std::string &optionsJson, const checkpoint::ModelConfig &teacher);
    /// A mixer of zeros with the shapes that completed options ask for.
    std::shared_ptr<LinearMixer> (*make)(const std::string &optionsJson, const checkpoint::ModelConfig &config, at::Device device);
};

}  // namespace stillroom::mixers
