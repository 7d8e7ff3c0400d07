// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment/digest.h"
#include "samples.h"

#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace stillroom;
using namespace stillroom::experiment;

TEST_CASE("SHA-256 gives the values of FIPS 180-4")
{
    CHECK(sha256Hex("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    CHECK(sha256Hex("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    CHECK(sha256Hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    CHECK(sha256Hex(std::string(1'000'000, 'a')) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("a file's SHA-256 is that of its bytes")
{
    const auto file = std::filesystem::temp_directory_path() / ("stillroom-digest-" + std::to_string(::getpid()));
    const std::string bytes(3'000'017, 'x');
    std::ofstream(file, std::ios::binary) << bytes;
    CHECK(sha256OfFile(file) == sha256Hex(bytes));
    std::stop_source stopped;
    stopped.request_stop();
    (void)samples::refusal(ErrorCode::Cancelled, [&] { (void)sha256OfFile(file, stopped.get_token()); });
    std::filesystem::remove(file);
    (void)samples::refusal(ErrorCode::BadFile, [&] { (void)sha256OfFile(file); });
    (void)samples::refusal(ErrorCode::BadFile, [] { (void)sha256OfFile("/"); });
}
