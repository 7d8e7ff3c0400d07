// SPDX-License-Identifier: GPL-3.0-or-later
#include "comparison/resultfile.h"

#include "experiment/jsontext.h"
#include "store/stagecache.h"

#include <nlohmann/json.hpp>

namespace stillroom::comparison {
namespace {

constexpr std::size_t maximumResultBytes = std::size_t{256} << 20U;

}  // namespace

nlohmann::json readResultFile(const std::filesystem::path &file, const std::string &what)
{
    store::requireUnchanged(file);
    return experiment::parseJson(experiment::readTextFile(file.string(), maximumResultBytes, what), what);
}

}  // namespace stillroom::comparison
