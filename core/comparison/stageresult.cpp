// SPDX-License-Identifier: GPL-3.0-or-later
#include "comparison/stageresult.h"

#include "experiment/jsontext.h"
#include "store/stagecache.h"

#include <nlohmann/json.hpp>

namespace stillroom::comparison {
namespace {

constexpr std::size_t maximumResultBytes = std::size_t{256} << 20U;

}  // namespace

nlohmann::json stageResult(const std::filesystem::path &file, const std::string &what)
{
    store::requireUnchanged(file);
    return experiment::parseJson(experiment::readTextFile(file.string(), maximumResultBytes, what), what);
}

std::string textIn(const nlohmann::json &object, const char *field)
{
    return object.is_object() && object.contains(field) && object.at(field).is_string() ? object.at(field).get<std::string>() : std::string();
}

}  // namespace stillroom::comparison
