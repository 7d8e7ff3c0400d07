// SPDX-License-Identifier: GPL-3.0-or-later
#include "temporaryfolder.h"

#include <cstdio>
#include <doctest/doctest.h>
#include <string>

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

namespace {

struct Resident {
    double afterStep = 0.0, afterJob = 0.0;      ///< MiB above the start
};

Resident residentOf(const std::string &setting)
{
    const TemporaryFolder folder;
    FILE *output = popen((std::string(JOBS_FREEDPAGESPROGRAM " ") + setting + " " + folder.path().string()).c_str(), "r");
    REQUIRE(output != nullptr);
    Resident resident;
    CHECK(std::fscanf(output, "%lf %lf", &resident.afterStep, &resident.afterJob) == 2);
    CHECK(pclose(output) == 0);
    return resident;
}

}  // namespace

TEST_CASE("freed pages stay with the process between the steps of a job, on its worker thread too, and go back when it ends")
{
    constexpr double stepMebibytes = 192.0;
    const Resident kept = residentOf("keep"), usual = residentOf("usual");
    CHECK(kept.afterStep > 0.9 * stepMebibytes);
    CHECK(kept.afterJob < 0.1 * stepMebibytes);
    CHECK(usual.afterStep < 0.6 * stepMebibytes);      // what the setting is for: were it not so, it could go
}

#endif
