// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "allocationmeter.h"
#include "error.h"

#include <cstdint>
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <utility>
#include <vector>

/// Draws that are the same everywhere (the standard's distributions are not).
class Draw {
public:
    explicit Draw(std::uint64_t seed) : m_engine(seed) {}
    std::uint64_t bits() { return m_engine(); }
    std::size_t below(std::size_t bound) { return static_cast<std::size_t>(m_engine() % bound); }
    template <typename T>
    T oneOf(const std::vector<T> &choices) {
        return choices[below(choices.size())];
    }

private:
    std::mt19937_64 m_engine;
};

/// One way to spoil a file.
template <typename Spoil>
struct Kind {
    const char *name;
    bool alwaysRefused;   ///< else some of its files may still be valid
    Spoil spoil;
};

constexpr int filesPerKind = 40;

/// Not writeFileAtomically: thousands of flushes to the disk would only take time.
inline void writePlain(const std::filesystem::path &file, const std::string &text) {
    std::ofstream(file, std::ios::binary) << text;
}

/// Flips one to four bits of the first `bytes` bytes.
inline void flipBits(std::string &text, std::size_t bytes, Draw &draw) {
    for (std::size_t flips = 1 + draw.below(4); flips > 0; --flips) {
        auto &byte = text[draw.below(bytes)];
        byte = static_cast<char>(static_cast<unsigned char>(byte) ^ (1U << draw.below(8)));
    }
}

/// Replaces what stands between the `n`-th occurrence (drawn) of `before` and the next character of `ends` by `value`.
inline void replaceValue(std::string &text, const std::string &before, const std::string &ends, const std::string &value, Draw &draw) {
    std::vector<std::size_t> places;
    for (auto at = text.find(before); at != std::string::npos; at = text.find(before, at + 1))
        places.push_back(at + before.size());
    REQUIRE_FALSE(places.empty());
    const auto begin = draw.oneOf(places);
    const auto end = text.find_first_of(ends, begin);
    REQUIRE(end != std::string::npos);
    text.replace(begin, end - begin, value);
}

/// Reads a file that may be anything: it must be valid, or be refused with the status 4 (BadFile, Unsupported) and one sentence;
/// in both cases within twice its size and 64 MB. \returns whether it was refused.
template <typename Read>
bool refusedOrValid(const std::string &what, std::size_t fileBytes, Read &&read) {
    const AllocationMeter meter;
    bool refused = false;
    try {
        read();
    } catch (const stillroom::Error &error) {
        refused = true;
        const std::string message = error.what();
        CHECK_MESSAGE(stillroom::exitStatus(error.code()) == 4, what, ": ", message);
        CHECK_MESSAGE((!message.empty() && message.back() == '.' && message.size() < 1000), what, ": ", message);
        CHECK_MESSAGE(message.find('\n') == std::string::npos, what, ": ", message);
    } catch (const std::exception &error) {
        FAIL_CHECK(what << " let another exception out: " << error.what());
    }
    CHECK_MESSAGE(meter.peakBytes() <= 2 * fileBytes + 64'000'000, what, " took ", meter.peakBytes(), " bytes for a file of ", fileBytes);
    return refused;
}
