// SPDX-License-Identifier: GPL-3.0-or-later
#include "freedpages.h"

#include "largeblocks.h"

#include <cstdlib>     // defines __GLIBC__
#ifdef __GLIBC__
#include <cstdint>
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>
#endif

namespace stillroom {

#ifdef __GLIBC__
namespace {

constexpr std::size_t pieceBytes = std::size_t{1} << 20;

/// Takes the pages within a block from it; the block stays allocated, as what `malloc` might have returned.
void dropPages(void *block, std::size_t bytes)
{
    const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE)), start = reinterpret_cast<std::uintptr_t>(block);
    const std::uintptr_t first = (start + page - 1) / page * page, end = (start + bytes) / page * page;
    madvise(reinterpret_cast<void *>(first), end - first, MADV_DONTNEED);
}

/// Allocates all that is free in pieces, drops their pages and frees them again.
void dropPagesOfFreePieces()
{
    std::vector<void *> pieces;
    for (std::size_t left = mallinfo2().fordblks; left >= pieceBytes; left -= pieceBytes) {
        void *piece = std::malloc(pieceBytes);
        if (!piece)
            break;
        dropPages(piece, pieceBytes);
        pieces.push_back(piece);
    }
    for (void *piece : pieces)
        std::free(piece);
}

}  // namespace

void keepFreedPages()
{
    mallopt(M_MMAP_THRESHOLD, 1 << 30);      // blocks up to 1 GiB come from the heap instead of a mapping of their own
    mallopt(M_TRIM_THRESHOLD, -1);           // which does not shrink by itself
    // The heap of any thread but the first is made of pieces of 64 MiB, which go when they are empty: a worker thread needs the one heap that can grow.
    mallopt(M_ARENA_MAX, 1);
}

void returnFreedPages()
{
    largeBlocks().dropWaiting();
    dropPagesOfFreePieces();     // malloc_trim alone would keep all threads from allocating until the last page is gone
    malloc_trim(0);
}
#else
void keepFreedPages() {}
void returnFreedPages() { largeBlocks().dropWaiting(); }
#endif

}  // namespace stillroom
