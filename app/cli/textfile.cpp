// SPDX-License-Identifier: GPL-3.0-or-later
#include "textfile.h"

#include "error.h"

#include <unistd.h>

#include <fstream>
#include <iostream>
#include <string_view>

namespace stillroom::cli {
namespace fs = std::filesystem;
namespace {

/// A device may have no end; its first gigabytes say nothing.
void refuseWhatIsNoText(const fs::path &file)
{
    std::error_code absent;       // said when it is opened
    const fs::file_status status = fs::status(file, absent);
    if (fs::is_directory(status))
        throw Error(ErrorCode::BadFile, file.string() + " is a folder: give one file");
    if (fs::exists(status) && !fs::is_regular_file(status) && !fs::is_fifo(status))
        throw Error(ErrorCode::BadFile, file.string() + " is a device, neither a file nor a pipe: give a text");
}

constexpr std::size_t longestLineBytes = std::size_t{256} << 20U;

std::string sizeText(std::size_t bytes)
{
    const std::size_t inMiB = bytes >> 20U;
    return inMiB % 1024U == 0 ? std::to_string(inMiB >> 10U) + " GiB" : std::to_string(inMiB) + " MiB";
}

/// To its end, or to the first thing that is too long.
std::string readAll(std::istream &stream, const std::string &name, std::size_t mostBytes, bool hasLines)
{
    constexpr std::size_t pieceBytes = std::size_t{1} << 20U;
    std::string all, piece(pieceBytes, '\0');
    std::size_t lineBytes = 0;       // since the last newline
    while (stream.read(piece.data(), static_cast<std::streamsize>(pieceBytes)) || stream.gcount() > 0) {
        const std::string_view got(piece.data(), static_cast<std::size_t>(stream.gcount()));
        all += got;
        const std::size_t newline = got.rfind('\n');
        lineBytes = newline == std::string_view::npos ? lineBytes + got.size() : got.size() - newline - 1;
        if (hasLines && lineBytes > longestLineBytes)
            throw Error(ErrorCode::BadFile, name + " has a line of more than " + sizeText(longestLineBytes) + ": break it into shorter ones");
        if (all.size() > mostBytes)
            throw Error(ErrorCode::BadFile, name + " holds more than " + sizeText(mostBytes) + ", or has no end: give a shorter text");
    }
    if (stream.bad())
        throw Error(ErrorCode::BadFile, name + " cannot be read to its end: check the file and its disk");
    return all;
}

std::string readNamed(const fs::path &file, std::size_t mostBytes, bool hasLines)
{
    refuseWhatIsNoText(file);
    std::ifstream stream(file, std::ios::binary);
    if (!stream)
        throw Error(ErrorCode::BadFile, file.string() + " cannot be read: check that it is there and that you may read it");
    return readAll(stream, file.string(), mostBytes, hasLines);
}

/// Nobody knows on a terminal that a text is waited for, or how it ends.
std::string readInput(std::size_t mostBytes)
{
    if (std::cin.eof())
        throw Error(ErrorCode::Usage, "standard input is named twice, but can be read once: put one of the two texts into a file");
    if (::isatty(STDIN_FILENO) != 0)
        throw Error(ErrorCode::Usage, "standard input is a terminal: send a text there with a pipe or <, or name a file instead of -");
    return readAll(std::cin, "standard input", mostBytes, true);
}

}  // namespace

bool isPipe(const fs::path &file)
{
    std::error_code absent;
    return file == "-" || fs::is_fifo(fs::status(file, absent));
}

std::string readText(const fs::path &file, std::size_t mostBytes)
{
    return file == "-" ? readInput(mostBytes) : readNamed(file, mostBytes, true);
}

std::string readFile(const fs::path &file) { return readNamed(file, mostTextBytes, false); }

}  // namespace stillroom::cli
