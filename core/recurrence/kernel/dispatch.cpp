// SPDX-License-Identifier: GPL-3.0-or-later
#include "recurrence/kernel/headcall.h"

#include <cstdlib>
#include <string_view>

namespace stillroom::recurrence {

namespace baseline {
extern const HeadKernels kernels;
}
#if defined(STILLROOM_X86_KERNELS)
namespace avx2 {
extern const HeadKernels kernels;
}
namespace avx512 {
extern const HeadKernels kernels;
}
#endif

namespace {

const HeadKernels &choose() {
#if defined(STILLROOM_X86_KERNELS)
    const char *asked = std::getenv("STILLROOM_INSTRUCTION_SET");
    const std::string_view limit = asked ? asked : "";
    __builtin_cpu_init();
    if (limit != "baseline" && limit != "avx2" && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        return avx512::kernels;
    if (limit != "baseline" && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return avx2::kernels;
#endif
    return baseline::kernels;
}

}  // namespace

const HeadKernels &headKernels() {
    static const HeadKernels &chosen = choose();
    return chosen;
}

}  // namespace stillroom::recurrence
