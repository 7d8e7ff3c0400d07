// SPDX-License-Identifier: GPL-3.0-or-later
#include "hostilestrings.h"

#include "text/utf8.h"

#include <array>
#include <cstdio>
#include <fstream>
#include <stdexcept>

#include <nlohmann/json.hpp>

namespace stillroom::text::test {

namespace {

bool isSurrogate(char32_t c)
{
    return c >= 0xD800U && c < 0xE000U;
}

void appendRepeated(std::string &out, std::string_view part, std::uint64_t times)
{
    for (std::uint64_t i = 0; i < times; ++i) {
        out += part;
    }
}

}  // namespace

std::uint64_t SplitMix::below(std::uint64_t n)
{
    m_state += 0x9E3779B97F4A7C15ULL;
    std::uint64_t z = m_state;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBULL;
    return (z ^ (z >> 31U)) % n;
}

HostileStrings::HostileStrings(const std::filesystem::path &file)
{
    std::ifstream stream(file);
    const nlohmann::json data = nlohmann::json::parse(stream);
    m_atoms = data.at("atoms").get<std::vector<std::string>>();
    for (const auto &plane : data.at("planes")) {
        m_planes.push_back({static_cast<char32_t>(plane.at(0).get<std::uint32_t>()), static_cast<char32_t>(plane.at(1).get<std::uint32_t>())});
    }
    if (characterBlocks().size() != data.at("character_blocks").get<std::size_t>()) {
        throw std::runtime_error("hostile.json and hostilestrings.cpp list different blocks");
    }
}

std::string HostileStrings::string(std::uint64_t index) const
{
    std::string out;
    if (index == 0) {
        return out;
    }
    SplitMix random(index);
    const auto atom = [&]() -> const std::string & { return m_atoms[random.below(m_atoms.size())]; };
    const std::uint64_t parts = 1 + random.below(12);
    for (std::uint64_t part = 0; part < parts; ++part) {
        const std::uint64_t kind = random.below(10);
        if (kind < 6) {
            out += atom();
        } else if (kind == 6) {
            const Plane &plane = m_planes[random.below(m_planes.size())];
            const char32_t c = plane.first + static_cast<char32_t>(random.below(plane.last - plane.first + 1U));
            appendUtf8(out, isSurrogate(c) ? 0xFFFDU : c);
        } else if (kind == 7) {
            const std::string &repeated = atom();
            appendRepeated(out, repeated, 2 + random.below(8));
        } else if (kind == 8) {
            out.push_back(static_cast<char>(random.below(128)));
        } else {
            appendRepeated(out, " ", random.below(4));
            out += std::to_string(random.below(100000));
        }
    }
    if (index % 100 == 99) {
        appendRepeated(out, atom(), 200);
    }
    return out;
}

std::string HostileStrings::characters(std::uint64_t block)
{
    std::string out;
    for (auto c = static_cast<char32_t>(64 * block); c < 64 * (block + 1); ++c) {
        if (isSurrogate(c)) {
            continue;
        }
        for (const char *before : {"a", "1", " ", "\n", "B'"}) {
            out += before;
            appendUtf8(out, c);
        }
    }
    return out;
}

std::vector<std::uint64_t> HostileStrings::characterBlocks()
{
    std::vector<std::uint64_t> blocks;
    for (std::uint64_t block = 0; block < 0x110000 / 64; ++block) {
        const std::uint64_t first = block * 64;
        if (first < 0x32400 || block % 97 == 0 || (first >= 0xE0000 && first < 0xE0200)) {
            blocks.push_back(block);
        }
    }
    return blocks;
}

std::uint32_t fnv1a(std::string_view bytes)
{
    std::uint32_t hash = 0x811C9DC5U;
    for (const char byte : bytes) {
        hash = (hash ^ static_cast<unsigned char>(byte)) * 0x01000193U;
    }
    return hash;
}

std::string hex8(std::uint32_t value)
{
    std::array<char, 9> buffer{};
    std::snprintf(buffer.data(), buffer.size(), "%08x", value);
    return buffer.data();
}

std::string folded(std::uint32_t value)
{
    return hex8((value ^ (value >> 16U)) & 0xFFFFU).substr(4);
}

}  // namespace stillroom::text::test
