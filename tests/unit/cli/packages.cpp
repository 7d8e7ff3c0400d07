// SPDX-License-Identifier: GPL-3.0-or-later
#include "packages.h"

#include <zlib.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <stdexcept>

namespace stillroom::test {
namespace {

std::string littleEndian(std::uint64_t value, int bytes)
{
    std::string text;
    for (int i = 0; i < bytes; ++i)
        text += static_cast<char>((value >> (8 * i)) & 0xffU);
    return text;
}

std::string bigEndian(std::uint32_t value)
{
    std::string text;
    for (int i = 3; i >= 0; --i)
        text += static_cast<char>((value >> (8 * i)) & 0xffU);
    return text;
}

std::string padded(std::string text, std::size_t width, char with)
{
    text.resize(width, with);
    return text;
}

std::string octal(std::uint64_t value, int digits)
{
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%0*llo", digits, static_cast<unsigned long long>(value));
    return text.data();
}

/// POSIX ustar, blocks of 512 bytes.
std::string tarOf(const PackagedFiles &files)
{
    std::string tar;
    for (const auto &[path, content] : files) {
        std::string header = padded("./" + path, 100, '\0') + octal(0644, 7) + '\0' + octal(0, 7) + '\0' + octal(0, 7) + '\0' + octal(content.size(), 11) + '\0' + octal(0, 11) + '\0';
        const std::string rest = padded("0" + std::string(100, '\0') + std::string("ustar\0" "00", 8), 512 - 156, '\0');
        std::uint64_t sum = 8 * ' ';
        for (const char c : header + rest)
            sum += static_cast<unsigned char>(c);
        header += octal(sum, 6) + '\0' + ' ' + rest;
        tar += header + padded(content, (content.size() + 511) / 512 * 512, '\0');
    }
    return tar + std::string(1024, '\0');
}

std::string arMember(const std::string &name, const std::string &content)
{
    return padded(name, 16, ' ') + padded("0", 12, ' ') + padded("0", 6, ' ') + padded("0", 6, ' ') + padded("100644", 8, ' ') + padded(std::to_string(content.size()), 10, ' ') + "`\n" +
           content + (content.size() % 2 == 1 ? "\n" : "");
}

std::string compressed(const std::string &text, int windowBits)
{
    z_stream stream{};
    if (::deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        throw std::runtime_error("zlib could not start");
    std::string input = text, out(::deflateBound(&stream, text.size()) + 64, '\0');
    stream.next_in = reinterpret_cast<Bytef *>(input.data());
    stream.avail_in = static_cast<uInt>(input.size());
    stream.next_out = reinterpret_cast<Bytef *>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    if (::deflate(&stream, Z_FINISH) != Z_STREAM_END)
        throw std::runtime_error("zlib did not end");
    out.resize(out.size() - stream.avail_out);
    ::deflateEnd(&stream);
    return out;
}

}  // namespace

std::string wheelOf(const PackagedFiles &files)
{
    std::string archive, directory;
    for (const auto &[path, content] : files) {
        const std::uint64_t crc = ::crc32(0, reinterpret_cast<const Bytef *>(content.data()), static_cast<uInt>(content.size()));
        const std::string common = littleEndian(20, 2) + littleEndian(0, 2) + littleEndian(0, 2) + littleEndian(0, 2) + littleEndian(0x21, 2) + littleEndian(crc, 4) +
                                   littleEndian(content.size(), 4) + littleEndian(content.size(), 4) + littleEndian(path.size(), 2) + littleEndian(0, 2);
        directory += "PK\x01\x02" + littleEndian(20, 2) + common + littleEndian(0, 2) + littleEndian(0, 2) + littleEndian(0, 2) + littleEndian(0, 4) + littleEndian(archive.size(), 4) + path;
        archive += "PK\x03\x04" + common + path + content;
    }
    return archive + directory + "PK\x05\x06" + littleEndian(0, 4) + littleEndian(files.size(), 2) + littleEndian(files.size(), 2) + littleEndian(directory.size(), 4) +
           littleEndian(archive.size(), 4) + littleEndian(0, 2);
}

std::string debOf(const PackagedFiles &files)
{
    const std::string control = "Package: made-up\nVersion: 1\nArchitecture: all\nMaintainer: nobody <nobody@example.org>\nDescription: made up for a test\n";
    return "!<arch>\n" + arMember("debian-binary", "2.0\n") + arMember("control.tar", tarOf({{"control", control}})) + arMember("data.tar", tarOf(files));
}

std::string gzipped(const std::string &text)
{
    return compressed(text, 15 + 16);
}

std::string deflated(const std::string &text)
{
    return compressed(text, 15);
}

std::string serialisedStrings(std::initializer_list<const char *> strings)
{
    constexpr std::uint32_t stringVector = 16, oneString = 0x00040009, missing = 0xffffffff;
    std::string text = "X\n" + bigEndian(3) + bigEndian(0x00040202) + bigEndian(0x00030500) + bigEndian(5) + "UTF-8" + bigEndian(stringVector) + bigEndian(static_cast<std::uint32_t>(strings.size()));
    for (const char *one : strings)
        text += one ? bigEndian(oneString) + bigEndian(static_cast<std::uint32_t>(std::string(one).size())) + one : bigEndian(9) + bigEndian(missing);
    return text;
}

}  // namespace stillroom::test
