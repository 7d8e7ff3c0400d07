// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// What becomes of memory that was freed. What is said of the heap holds for glibc; elsewhere the C library keeps its ways.
namespace stillroom {

/// From here on freed memory stays with the process, for the next step to take, until `returnFreedPages`. By itself glibc gives every large block back
/// at once, and the kernel clears its pages anew at the next step; training steps allocate and free the same gigabytes over and over, and students in
/// lock-step, who keep more alive at a time, pay most. For programs: called first in main, before there are other threads.
void keepFreedPages();

/// Gives what is free now, in the heap and among the blocks of largeblocks.h, back to the system: at the end of a job, and before the free memory is measured. Takes some tenths of a second a gigabyte, in
/// which other threads can allocate: none waits longer than some milliseconds.
void returnFreedPages();

}  // namespace stillroom
