// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/atomicfile.h"
#include "checkpoint/gguf.h"

namespace stillroom::checkpoint {

void writeGgufVocabulary(const GgufFile &file, const std::filesystem::path &target) {
    const std::uint32_t version = file.version();
    const std::uint64_t numTensors = 0, numKeys = file.keys().size();
    AtomicFile out(target);
    out.write("GGUF");
    out.write(std::as_bytes(std::span(&version, 1)));
    out.write(std::as_bytes(std::span(&numTensors, 1)));
    out.write(std::as_bytes(std::span(&numKeys, 1)));
    out.write(file.metadataBytes());
    out.commit();
}

}  // namespace stillroom::checkpoint
