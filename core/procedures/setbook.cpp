// SPDX-License-Identifier: GPL-3.0-or-later
#include "procedures/setbook.h"

#include "checkpoint/atomicfile.h"
#include "error.h"
#include "log.h"

#include <fstream>
#include <nlohmann/json.hpp>

namespace stillroom::procedures {
namespace {

constexpr int bookSchema = 1;

}  // namespace

SetBook SetBook::read(const std::filesystem::path &file)
{
    SetBook book;
    if (!std::filesystem::exists(file))
        return book;
    try {
        const nlohmann::json json = nlohmann::json::parse(std::ifstream(file));
        if (json.at("schema") != bookSchema)
            return book;
        for (const nlohmann::json &set : json.at("sets"))
            book.m_values[set.at("layers").get<experiment::LayerSet>()] = set.at("values").get<std::vector<double>>();
    } catch (const nlohmann::json::exception &error) {
        log::warning(std::string("The measured sets in a checkpoint cannot be read and are measured anew. ") + error.what());
        return {};
    }
    return book;
}

void SetBook::write(const std::filesystem::path &file) const
{
    nlohmann::json sets = nlohmann::json::array();
    for (const auto &[layers, values] : m_values)
        sets.push_back({{"layers", layers}, {"values", values}});
    std::filesystem::create_directories(file.parent_path());
    checkpoint::writeFileAtomically(file, nlohmann::json{{"schema", bookSchema}, {"sets", std::move(sets)}}.dump());
}

void SetBook::add(const std::vector<experiment::LayerSet> &sets, const std::vector<std::vector<double>> &perSequence)
{
    for (std::size_t i = 0; i < sets.size(); ++i)
        m_values[sets[i]] = perSequence.at(i);
}

std::vector<experiment::LayerSet> SetBook::missing(const std::vector<experiment::LayerSet> &sets) const
{
    std::vector<experiment::LayerSet> missing;
    for (const experiment::LayerSet &set : sets)
        if (!m_values.contains(set))
            missing.push_back(set);
    return missing;
}

const std::vector<double> &SetBook::at(const experiment::LayerSet &set) const
{
    const auto found = m_values.find(set);
    if (found == m_values.end())
        throw Error(ErrorCode::Failed, "a layer set was asked for that was not measured");
    return found->second;
}

}  // namespace stillroom::procedures
