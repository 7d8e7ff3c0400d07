// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/digest.h"

#include "error.h"

#include <array>
#include <fstream>
#include <memory>
#include <openssl/evp.h>
#include <vector>

namespace stillroom::experiment {

namespace {

class Sha256 final {
public:
    Sha256() : m_context(EVP_MD_CTX_new(), EVP_MD_CTX_free)
    {
        if (!m_context || EVP_DigestInit_ex(m_context.get(), EVP_sha256(), nullptr) != 1)
            throw Error(ErrorCode::Failed, "OpenSSL offers no SHA-256 here.");
    }
    void add(const void *bytes, std::size_t size)
    {
        if (EVP_DigestUpdate(m_context.get(), bytes, size) != 1)
            throw Error(ErrorCode::Failed, "OpenSSL failed to compute a SHA-256.");
    }
    [[nodiscard]] std::string hex()
    {
        std::array<unsigned char, 32> digest{};
        if (EVP_DigestFinal_ex(m_context.get(), digest.data(), nullptr) != 1)
            throw Error(ErrorCode::Failed, "OpenSSL failed to compute a SHA-256.");
        static constexpr std::string_view digits = "0123456789abcdef";
        std::string text;
        for (const unsigned char byte : digest) {
            text += digits[byte >> 4U];
            text += digits[byte & 15U];
        }
        return text;
    }

private:
    std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> m_context;
};

}  // namespace

std::string sha256Hex(std::string_view bytes)
{
    Sha256 sha;
    sha.add(bytes.data(), bytes.size());
    return sha.hex();
}

std::string sha256OfFile(const std::filesystem::path &file, const std::stop_token &stop)
{
    std::error_code error;
    if (!std::filesystem::is_regular_file(file, error))
        throw Error(ErrorCode::BadFile, "Cannot hash \"" + file.string() + "\": it is not an ordinary file.");
    std::ifstream stream(file, std::ios::binary);
    Sha256 sha;
    std::vector<char> buffer(std::size_t{1} << 20U);
    while (stream) {
        if (stop.stop_requested())
            throw Error(ErrorCode::Cancelled, "Stopped on request.");
        stream.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
        sha.add(buffer.data(), static_cast<std::size_t>(stream.gcount()));
    }
    if (!stream.eof())
        throw Error(ErrorCode::BadFile, "Cannot read \"" + file.string() + "\" to its end.");
    return sha.hex();
}

}  // namespace stillroom::experiment
