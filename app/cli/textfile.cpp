// SPDX-License-Identifier: GPL-3.0-or-later
#include "textfile.h"

#include "error.h"

#include <cstddef>
#include <fstream>
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

}  // namespace

std::string readText(const fs::path &file)
{
    refuseWhatIsNoText(file);
    std::ifstream stream(file, std::ios::binary);
    if (!stream)
        throw Error(ErrorCode::BadFile, file.string() + " cannot be read: check that it is there and that you may read it");
    constexpr std::size_t mostBytes = std::size_t{4} << 30U, longestLineBytes = std::size_t{256} << 20U, pieceBytes = std::size_t{1} << 20U;
    std::string all, piece(pieceBytes, '\0');
    std::size_t lineBytes = 0;       // since the last newline
    while (stream.read(piece.data(), static_cast<std::streamsize>(pieceBytes)) || stream.gcount() > 0) {
        const std::string_view got(piece.data(), static_cast<std::size_t>(stream.gcount()));
        all += got;
        const std::size_t newline = got.rfind('\n');
        lineBytes = newline == std::string_view::npos ? lineBytes + got.size() : got.size() - newline - 1;
        if (lineBytes > longestLineBytes)
            throw Error(ErrorCode::BadFile, file.string() + " has a line of more than 256 MiB: break it into shorter ones");
        if (all.size() > mostBytes)
            throw Error(ErrorCode::BadFile, file.string() + " holds more than 4 GiB, or has no end: give a shorter text");
    }
    if (stream.bad())
        throw Error(ErrorCode::BadFile, file.string() + " cannot be read to its end: check the file and its disk");
    return all;
}

}  // namespace stillroom::cli
