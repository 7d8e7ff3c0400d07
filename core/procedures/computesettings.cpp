// SPDX-License-Identifier: GPL-3.0-or-later
#include "procedures/computesettings.h"

#include "error.h"
#include "freedpages.h"
#include "nn/transformer.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <c10/core/CachingDeviceAllocator.h>
#include <nlohmann/json.hpp>

#include <fstream>

namespace stillroom::procedures {

std::string ComputeSettings::deviceText() const
{
    return device.str();
}

std::string ComputeSettings::deviceClass() const
{
    return device.is_cuda() ? "cuda" : "cpu";
}

std::string ComputeSettings::typeText() const
{
    switch (computeType) {
    case at::kBFloat16: return "bfloat16";
    case at::kDouble: return "float64";
    default: return "float32";
    }
}

ComputeSettings statedSettings(const nlohmann::json &spec)
{
    ComputeSettings settings;
    settings.device = nn::parseDevice(spec.value("device", "auto"));
    const std::string type = spec.value("compute_type", "auto");
    settings.computeType = type != "auto" ? nn::parseComputeType(type) : settings.device.is_cuda() ? at::kBFloat16 : at::kFloat;
    settings.threads = spec.value("threads", 1);
    return settings;
}

ComputeSettings computeSettings(const nlohmann::json &spec)
{
    ComputeSettings settings = statedSettings(spec);
    at::set_num_threads(settings.threads);
    return settings;
}

std::int64_t availableBytes(at::Device device)
{
    if (device.is_cuda()) {
        auto *allocator = dynamic_cast<c10::DeviceAllocator *>(c10::GetAllocator(at::kCUDA));
        if (allocator) {
            const auto [free, total] = allocator->getMemoryInfo(device.index());
            return static_cast<std::int64_t>(free);
        }
    }
    returnFreedPages();     // what an earlier stage has freed is there to be used again
    std::ifstream meminfo("/proc/meminfo");
    for (std::string name; meminfo >> name;) {
        std::int64_t kibibytes = 0;
        if (name == "MemAvailable:" && meminfo >> kibibytes)
            return kibibytes * 1024;
        meminfo.ignore(256, '\n');
    }
    throw Error(ErrorCode::Failed, "the free memory cannot be read: give group_size in the spec");
}

}  // namespace stillroom::procedures
