// SPDX-License-Identifier: GPL-3.0-or-later
#include "storedcurves.h"

#include "comparison/resultfile.h"
#include "error.h"
#include "experiment/jsontext.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace stillroom::cli {
namespace {

/// Lists by layer as samples; nothing where a layer is missing.
std::optional<analysis::LayerSamples> wholeSamples(std::vector<std::vector<double>> values_LS, bool higherIsBetter)
{
    if (values_LS.empty() || std::any_of(values_LS.begin(), values_LS.end(), [](const std::vector<double> &values) { return values.empty(); }))
        return std::nullopt;
    return analysis::LayerSamples(std::move(values_LS), higherIsBetter);
}

std::optional<analysis::LayerSamples> samplesOf(const nlohmann::json &samples, int numLayers)
{
    std::vector<std::vector<double>> values_LS(static_cast<std::size_t>(numLayers));
    for (const nlohmann::json &one : samples.at("layers"))
        if (const int layer = experiment::wholeNumber(one.at("layer"), "the layer of a sample"); layer >= 0 && layer < numLayers)
            values_LS[static_cast<std::size_t>(layer)] = one.at("values").get<std::vector<double>>();
    return wholeSamples(std::move(values_LS), samples.at("higher_is_better").get<bool>());
}

}  // namespace

StoredCurves::StoredCurves(std::filesystem::path file) : m_file(std::move(file))
{
    reading([&] {
        m_json = std::make_shared<const nlohmann::json>(comparison::readResultFile(m_file, "it"));
        if (!m_json->is_object() || !m_json->contains("curves") || !m_json->at("curves").is_array())
            throw Error(ErrorCode::BadFile, "it holds no list of curves");
    });
}

void StoredCurves::reading(const std::function<void()> &read) const
{
    const auto refuse = [&](std::string why, const std::string &detail) {
        while (why.ends_with('.'))
            why.pop_back();
        throw Error(ErrorCode::BadFile, "The stored curves \"" + m_file.string() + "\" cannot be used: " + why + "; run the score stage again with --fresh, which makes them anew.", detail);
    };
    try {
        read();
    } catch (const nlohmann::json::exception &error) {
        refuse("it holds something else than numbers by layer and sequence", error.what());
    } catch (const Error &error) {
        refuse(error.what(), error.detail());
    }
}

comparison::KeptAloneKl StoredCurves::keptAlone(int numLayers) const
{
    comparison::KeptAloneKl found;
    reading([&] { found = comparison::keptAlone(m_json->at("curves"), numLayers); });
    return found;
}

std::optional<analysis::LayerSamples> StoredCurves::samples(int numLayers) const
{
    std::optional<analysis::LayerSamples> found;
    reading([&] { found = m_json->contains("samples") ? samplesOf(m_json->at("samples"), numLayers) : wholeSamples(comparison::keptAlone(m_json->at("curves"), numLayers).kl_LS, false); });
    return found;
}

}  // namespace stillroom::cli
