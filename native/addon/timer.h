// SPDX-License-Identifier: MIT
//
// The finest clock there is: the time stamp counter on x86-64, nanoseconds of a monotonic clock elsewhere.
#pragma once

#include <stdint.h>

#if defined(__x86_64__)
#include <x86intrin.h>
#define POSELANE_HAVE_TSC 1
#elif defined(_M_X64)
#include <intrin.h>
#define POSELANE_HAVE_TSC 1
#elif defined(_WIN32)
#include <chrono>
#else
#include <time.h>
#endif

namespace poselane {

/// Ticks since some moment. All earlier instructions have finished, and no later one has begun.
inline uint64_t readTimer() {
#if defined(POSELANE_HAVE_TSC)
    _mm_lfence();
    const uint64_t ticks = __rdtsc();
    _mm_lfence();
    return ticks;
#elif defined(_WIN32)
    using namespace std::chrono;
    return static_cast<uint64_t>(duration_cast<nanoseconds>(steady_clock::now().time_since_epoch()).count());
#else
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<uint64_t>(now.tv_sec) * 1000000000u + static_cast<uint64_t>(now.tv_nsec);
#endif
}

/// Waits until all stores have reached the cache, or memory where they went past the caches. A load must wait for
/// pending stores of other sizes to the same bytes; that time belongs to the preparation of the data, not to the
/// measured call.
inline void finishWrites() {
#if defined(POSELANE_HAVE_TSC)
    _mm_mfence();
#endif
}

/// The shortest time between two consecutive readings.
inline uint64_t timerOverhead() {
    uint64_t min = UINT64_MAX;
    for (int i = 0; i < 64; i++) {
        const uint64_t start = readTimer();
        const uint64_t ticks = readTimer() - start;
        min = ticks < min ? ticks : min;
    }
    return min;
}

} // namespace poselane
