// SPDX-License-Identifier: GPL-3.0-or-later
#include "distillation/trainingcheckpoint.h"

#include "checkpoint/atomicfile.h"
#include "distillation/nonfinite.h"
#include "error.h"
#include "experiment/digest.h"
#include "log.h"
#include "nn/tensorfile.h"
#include "nn/torcherror.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>

#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace stillroom::distillation {
namespace fs = std::filesystem;
namespace {

constexpr int stateSchema = 1;
constexpr std::size_t keptCheckpoints = 2;
constexpr const char *temporaryPrefix = ".writing-";
constexpr std::array stateFiles{"state.safetensors", "state.json"};
constexpr const char *weightPrefix = "weight:", *optimizerPrefix = "optimizer:";

[[noreturn]] void failIo(const fs::path &path, const std::string &why)
{
    throw Error(ErrorCode::Io, "The checkpoint " + path.string() + " cannot be written: " + why + ". Free disk space or choose another folder; the earlier checkpoints are whole.");
}

/// Runs file operations; what std::filesystem throws leaves as Error(Io).
template <typename Work>
auto onDisk(const fs::path &path, Work &&work)
{
    try {
        return std::forward<Work>(work)();
    } catch (const fs::filesystem_error &error) {
        failIo(path, error.code().message());
    }
}

/// Makes what was renamed in `folder` last through a power cut.
void syncFolder(const fs::path &folder)
{
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const bool synced = descriptor >= 0 && ::fsync(descriptor) == 0;
    const int cause = errno;
    if (descriptor >= 0)
        ::close(descriptor);
    if (!synced)
        failIo(folder, std::strerror(cause));
}

std::string nameOf(std::int64_t step)
{
    const std::string digits = std::to_string(step);
    return "step-" + std::string(digits.size() < 12 ? 12 - digits.size() : 0, '0') + digits;
}

/// The step of a complete checkpoint's folder, or -1.
std::int64_t stepOf(const fs::path &folder)
{
    const std::string name = folder.filename().string();
    const std::string digits = name.starts_with("step-") ? name.substr(5) : std::string();
    if (digits.empty() || digits.size() > 18 || digits.find_first_not_of("0123456789") != std::string::npos || !fs::exists(folder / "DONE"))
        return -1;
    return std::stoll(digits);
}

nn::NamedTensors tensorsToWrite(const TrainingState &state)
{
    nn::NamedTensors tensors;
    for (const auto &[name, tensor] : state.weights)
        tensors.emplace_back(weightPrefix + name, tensor);
    for (const auto &[name, tensor] : state.optimizer)
        tensors.emplace_back(optimizerPrefix + name, tensor);
    return tensors;
}

nlohmann::json toJson(const TrainingState &state)
{
    return {{"schema", stateSchema}, {"kind", state.kind}, {"key", state.key}, {"step", state.step}, {"tokens", state.tokens},
            {"scalars", nlohmann::json::parse(state.scalarsJson)}};
}

/// What DONE says, as sha256sum does: a line per file.
std::string digestsOf(const fs::path &folder)
{
    std::string lines;
    for (const char *file : stateFiles)
        lines += experiment::sha256OfFile(folder / file) + "  " + file + "\n";
    return lines;
}

std::string textOf(const fs::path &file)
{
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

/// Checkpoints of earlier versions say nothing of their files.
void requireUnchanged(const fs::path &folder)
{
    if (const std::string said = textOf(folder / "DONE"); said != "\n" && said != digestsOf(folder))
        throw Error(ErrorCode::BadFile, "The files of the checkpoint " + folder.string() + " are not those that were written: their SHA-256 is not what DONE says.");
}

TrainingState readState(const fs::path &folder)
{
    requireUnchanged(folder);
    const nlohmann::json json = nlohmann::json::parse(textOf(folder / "state.json"), nullptr, false);
    if (!json.is_object() || json.value("schema", 0) != stateSchema)
        throw Error(ErrorCode::BadFile, "The checkpoint " + folder.string() + " has no state.json of schema " + std::to_string(stateSchema) + ".");
    TrainingState state;
    try {
        state.kind = json.at("kind");
        state.key = json.at("key");
        state.step = json.at("step");
        state.tokens = json.at("tokens");
        state.scalarsJson = json.at("scalars").dump();
    } catch (const nlohmann::json::exception &error) {
        throw Error(ErrorCode::BadFile, "The checkpoint " + folder.string() + " has a damaged state.json.", error.what());
    }
    for (auto &[name, tensor] : nn::readTensorsAsStored(folder / "state.safetensors")) {
        if (name.starts_with(weightPrefix))
            state.weights.emplace_back(name.substr(std::strlen(weightPrefix)), tensor);
        else if (name.starts_with(optimizerPrefix))
            state.optimizer.emplace_back(name.substr(std::strlen(optimizerPrefix)), tensor);
    }
    return state;
}

}  // namespace

CheckpointFolder::CheckpointFolder(fs::path folder)
    : m_folder(std::move(folder))
{
    onDisk(m_folder, [&] {
        fs::create_directories(m_folder);
        for (const fs::directory_entry &entry : fs::directory_iterator(m_folder))
            if (entry.path().filename().string().starts_with(temporaryPrefix))
                fs::remove_all(entry.path());
    });
}

fs::path CheckpointFolder::publish(const TrainingState &state, const std::string &name)
{
    const fs::path temporary = m_folder / (temporaryPrefix + name), replaced = m_folder / (std::string(temporaryPrefix) + "replaced"), target = m_folder / name;
    try {
        return onDisk(target, [&] {
            fs::remove_all(temporary);
            fs::create_directory(temporary);
            nn::asStillroomError("Writing a checkpoint", [&] { nn::writeTensors(temporary / "state.safetensors", tensorsToWrite(state)); });
            checkpoint::writeFileAtomically(temporary / "state.json", toJson(state).dump(1) + "\n");
            checkpoint::writeFileAtomically(temporary / "DONE", digestsOf(temporary));
            if (fs::exists(target)) {   // the same step again, or one that was damaged
                fs::remove_all(replaced);
                fs::rename(target, replaced);
            }
            fs::rename(temporary, target);
            syncFolder(m_folder);
            fs::remove_all(replaced);
            return target;
        });
    } catch (...) {
        std::error_code ignored;   // the first error is the one to tell
        fs::remove_all(temporary, ignored);
        throw;
    }
}

fs::path CheckpointFolder::write(const TrainingState &state)
{
    const fs::path written = publish(state, nameOf(state.step));
    std::vector<std::int64_t> all = steps();
    onDisk(m_folder, [&] {
        for (std::size_t i = 0; i + keptCheckpoints < all.size(); ++i)
            fs::remove_all(m_folder / nameOf(all[i]));
    });
    return written;
}

fs::path CheckpointFolder::writeFinal(const TrainingState &state)
{
    TrainingState weightsOnly = state;
    weightsOnly.optimizer.clear();
    const fs::path written = publish(weightsOnly, "final");
    onDisk(m_folder, [&] {
        for (const std::int64_t step : steps())
            fs::remove_all(m_folder / nameOf(step));
        removeNonFiniteValues(m_folder);      // of an earlier try that this one went on from
    });
    return written;
}

void CheckpointFolder::clear()
{
    onDisk(m_folder, [&] {
        fs::remove_all(m_folder / "final");
        for (const std::int64_t step : steps())
            fs::remove_all(m_folder / nameOf(step));
        removeNonFiniteValues(m_folder);
    });
}

std::optional<TrainingState> CheckpointFolder::newest(const std::string &key) const
{
    std::vector<fs::path> candidates;
    if (hasFinal())
        candidates.push_back(m_folder / "final");
    const std::vector<std::int64_t> all = steps();
    for (auto step = all.rbegin(); step != all.rend(); ++step)
        candidates.push_back(m_folder / nameOf(*step));
    for (const fs::path &candidate : candidates) {
        try {
            TrainingState state = readState(candidate);
            if (state.key != key)
                throw Error(ErrorCode::Usage, "The checkpoint " + candidate.string() + " belongs to another spec; start afresh, or choose another folder.");
            state.isFinal = candidate.filename() == "final";
            return state;
        } catch (const Error &error) {
            if (error.code() != ErrorCode::BadFile)
                throw;
            log::warning(std::string("A damaged checkpoint is passed over. ") + error.what());
        }
    }
    return std::nullopt;
}

bool CheckpointFolder::hasFinal() const { return fs::exists(m_folder / "final" / "DONE"); }

std::vector<std::int64_t> CheckpointFolder::steps() const
{
    return onDisk(m_folder, [&] {
        std::vector<std::int64_t> all;
        for (const fs::directory_entry &entry : fs::directory_iterator(m_folder))
            if (const std::int64_t step = stepOf(entry.path()); step >= 0)
                all.push_back(step);
        std::sort(all.begin(), all.end());
        return all;
    });
}

}  // namespace stillroom::distillation
