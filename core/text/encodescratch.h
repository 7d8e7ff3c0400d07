// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "text/bpemerges.h"
#include "text/textregex.h"
#include "text/wordcache.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace stillroom::text {

/// What one call of encode() works in. A tokenizer keeps a few, so that it can be shared between threads without a lock in the inner loop.
struct EncodeScratch {
    RegexScratch regex;
    MergeScratch merge;
    WordCache cache;
    std::vector<std::uint32_t> symbols;
    std::string mapped;
};

class ScratchPool {
public:
    /// A scratch for the time of one call.
    class Lease {
    public:
        explicit Lease(ScratchPool &pool) : m_pool(pool), m_scratch(pool.take()) {}
        ~Lease() { m_pool.give(std::move(m_scratch)); }
        Lease(const Lease &) = delete;
        Lease &operator=(const Lease &) = delete;
        EncodeScratch &operator*() const noexcept { return *m_scratch; }

    private:
        ScratchPool &m_pool;
        std::unique_ptr<EncodeScratch> m_scratch;
    };

private:
    static constexpr std::size_t most = 16;   // kept when idle
    std::unique_ptr<EncodeScratch> take()
    {
        {
            const std::scoped_lock lock(m_mutex);
            if (!m_free.empty()) {
                std::unique_ptr<EncodeScratch> scratch = std::move(m_free.back());
                m_free.pop_back();
                return scratch;
            }
        }
        return std::make_unique<EncodeScratch>();
    }
    void give(std::unique_ptr<EncodeScratch> scratch) noexcept
    {
        const std::scoped_lock lock(m_mutex);
        if (m_free.size() < most) {
            m_free.push_back(std::move(scratch));
        }
    }

    std::mutex m_mutex;
    std::vector<std::unique_ptr<EncodeScratch>> m_free = reserved();
    static std::vector<std::unique_ptr<EncodeScratch>> reserved()
    {
        std::vector<std::unique_ptr<EncodeScratch>> free;
        free.reserve(most);
        return free;
    }
};

}  // namespace stillroom::text
