// SPDX-License-Identifier: GPL-3.0-or-later
#include "procedures/computerdescription.h"

#include "version.h"

#include <ATen/ATen.h>
#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <nlohmann/json.hpp>
#include <torch/version.h>

#include <fstream>
#include <thread>

namespace stillroom::procedures {

std::string processorName()
{
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);)
        if (line.starts_with("model name"))
            return line.substr(line.find(':') + 2);
    return "unknown";
}

nlohmann::json describeComputer()
{
    return {{"stillroom", versionText},
            {"libtorch", TORCH_VERSION},
            {"compiler", __VERSION__},
            {"processor", processorName()},
            {"cores", std::thread::hardware_concurrency()},
            {"torch_threads", at::get_num_threads()},
            {"instruction_set", at::get_cpu_capability()},
            {"cuda_devices", at::getNumGPUs()}};
}

}  // namespace stillroom::procedures
