// SPDX-License-Identifier: GPL-3.0-or-later
#include "shownname.h"

#include <doctest/doctest.h>

#include <string>

using namespace stillroom;

TEST_CASE("no byte of a shown name commands a terminal")
{
    CHECK(shownName("a\x1b[2Jb\r\n\tc\x7f") == "a?[2Jb???c?");
    CHECK(shownName("a\xc2\x9b" "31mb") == "a?31mb");                    // CSI as one character
    CHECK(shownName("\xe2\x80\xae" "fdp.exe\xe2\x81\xa6\xe2\x80\xa8x") == "?fdp.exe??x");      // right-to-left override, isolate, line separator
    CHECK(shownName("Größe 层 😀 é") == "Größe 层 😀 é");
    CHECK(shownName(std::string("a\0b", 3)) == "a?b");
}

TEST_CASE("bytes that are not UTF-8 are replaced one by one, and what follows them stays")
{
    for (const char *bytes : {"\xff", "\xc3", "\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\x80"})
        CHECK(shownName(std::string(bytes) + "ok") == std::string(std::string(bytes).size(), '?') + "ok");
    CHECK(shownLine("\xe2\x82") == "??");
}

TEST_CASE("a name is cut between characters; a line is not cut, and a text keeps its lines")
{
    const std::string cut = shownName(std::string(159, 'x') + "é" + "y");
    CHECK(cut == std::string(159, 'x') + "…");
    CHECK(shownName(std::string(160, 'x')) == std::string(160, 'x'));
    CHECK(shownLine(std::string(1000, 'x')).size() == 1000);
    CHECK(shownLine("a\nb\tc") == "a?b?c");
    CHECK(shownText("a\nb\tc\x1b[0m\r") == "a\nb\tc?[0m?");
}
