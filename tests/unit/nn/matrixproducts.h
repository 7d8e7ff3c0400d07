// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

#include <ATen/record_function.h>

namespace stillroom::test {

/// How many matrix products (aten::mm) this thread asks for during `work`: counted by LibTorch, not by the code under test.
template <typename Work>
std::int64_t matrixProducts(Work &&work)
{
    static thread_local std::int64_t numProducts = 0;
    numProducts = 0;
    const at::CallbackHandle handle = at::addThreadLocalCallback(at::RecordFunctionCallback([](const at::RecordFunction &call) -> std::unique_ptr<at::ObserverContext> {
        numProducts += std::string_view(call.name()) == "aten::mm" ? 1 : 0;
        return nullptr;
    }));
    std::forward<Work>(work)();
    at::removeCallback(handle);
    return numProducts;
}

}  // namespace stillroom::test
