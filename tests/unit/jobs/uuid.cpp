// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobs/run.h"
#include "store/layout.h"

#include <doctest/doctest.h>
#include <set>

using namespace stillroom;

TEST_CASE("a UUID is one of version 4 and never the same")
{
    std::set<std::string> made;
    for (int i = 0; i < 10'000; ++i) {
        const std::string uuid = jobs::newUuid();
        CHECK(uuid[14] == '4');
        CHECK(std::string("89ab").find(uuid[19]) != std::string::npos);
        CHECK(store::runFolder("/workspace", uuid).filename() == uuid);
        CHECK(made.insert(uuid).second);
    }
}
