// SPDX-License-Identifier: MIT
// Twin: lib/rig/kernels/locate.ts
//
// Finding the keys around a time.
#pragma once

#include <float.h>
#include <math.h>
#include <string.h>

#include "kernels.h"
#include "slerp.h"

namespace poselane {
namespace {

/// A run's times, of all poses of its block.
struct RunTimes {
    double times[kPoses];
    /// The largest floats that are at most these times. A key is at most the time if and only if it is at most this
    /// float.
    float floors[kPoses];
    uint32_t cells[kPoses];
};

/// The largest float that is at most `time` and below infinity. Infinity follows the last key of every group.
inline float floatUpTo(double time) {
    float floor = static_cast<float>(time);
    if (static_cast<double>(floor) > time) {
        int32_t bits;
        memcpy(&bits, &floor, sizeof(bits));
        // Only negative times give 0. The next lower float has bits that are one less, or one more if negative.
        bits = floor == 0.0f ? INT32_MIN + 1 : floor > 0.0f ? bits - 1 : bits + 1;
        memcpy(&floor, &bits, sizeof(bits));
    }
    return floor < FLT_MAX ? floor : FLT_MAX;
}

inline void setTime(RunTimes& to, const Clip& clip, int pose, double time) {
    const float floor = floatUpTo(time);
    const float cell = (floor - clip.firstTime) * clip.cellsPerSecond;
    // -0 would make a fraction of -0.
    to.times[pose] = time + 0.0;
    to.floors[pose] = floor;
    // 0 for a NaN.
    to.cells[pose] = cell > 0.0f ? cell < kCells - 1 ? static_cast<uint32_t>(cell) : kCells - 1 : 0;
}

/// Returns the last key whose time is at most `time`, or the first key. It is usually near the start of the search.
inline uint32_t searchKey(const float* keys, uint32_t key, uint32_t last, float time) {
    // Infinity follows the last key and ends these steps.
    for (int steps = 0; steps < kKeysPadding; steps++) {
        if (!(keys[key + 1] <= time)) {
            return key;
        }
        key++;
    }
    uint32_t end = last + 1;
    while (end - key > 1) {
        const uint32_t middle = key + (end - key) / 2;
        if (keys[middle] <= time) {
            key = middle;
        } else {
            end = middle;
        }
    }
    return key;
}

inline uint32_t firstKeyFor(const Clip& clip, const KeyGroup& group, uint32_t cell) {
    return clip.starts[group.firstStart + (cell >> group.cellShift)];
}

/// The groups of a vector of searches: floats of a row, and 0 less them; first float of the first row.
template <class L> struct GroupRows { typename L::Ints step, back, first; };

/// Finds the keys around a vector of times, and computes the numbers that samplers need.
///
/// @param found The keys where searching starts. `search(i)` searches for the i-th time from there on.
/// @param gather Returns four keys from found[4q + i] on for each quarter q.
template <class L, class Gather, class Search>
POSELANE_ALWAYS_INLINE void locateVector(Located& located, int first, const double* times, const float* floors,
                                         const uint32_t* found, const GroupRows<L>& rows, Gather gather,
                                         Search search) {
    using Floats = typename L::Floats;
    using Mask = typename L::Mask;
    using Ints = typename L::Ints;
    const Floats time = L::load(floors);
    Floats at[4];
    const auto gatherAll = [&]() POSELANE_INLINED {
        typename L::Quads quads[L::kQuads];
        each<L::kQuads>([&](auto i) POSELANE_INLINED { quads[i] = gather(i); });
        L::toFloats(quads, at);
    };
    gatherAll();
    if (!L::all(L::isGreater(at[3], time))) {
        for (int i = 0; i < L::kWidth; i++) {
            search(i);
        }
        gatherAll();
    }
    const Mask before1 = L::isGreater(at[1], time), before2 = L::isGreater(at[2], time);
    const Floats start = L::select(before1, at[0], L::select(before2, at[1], at[2]));
    const Floats next = L::select(before1, at[1], L::select(before2, at[2], at[3]));
    Floats interval;
    const Floats quotient = L::fraction(times, start, next, interval);
    const Floats s = L::select(L::isGreater(start, time), L::set1(0.0f), quotient);
    L::store(located.fractions + first, s);
    L::store(located.intervals + first, interval);
    Mask swap;
    const SlerpTimes<L> t = slerpTimes<L>(s, swap);
    L::store(located.t + first, t.t);
    L::store(located.swapSigns + first, t.swapSigns);
    const Ints third = L::addInts(L::mulInts(L::addInts(L::loadInts(found), L::setInts(2)), rows.step), rows.first);
    const Ints row = L::addWhere(before2, L::addWhere(before1, third, rows.back), rows.back);
    const Ints nextRow = L::addWhere(L::isGreater(L::set1(INFINITY), next), row, rows.step);
    L::storeInts(located.rows + first, row);
    L::storeInts(located.nextRows + first, nextRow);
    L::storeInts(located.bases + first, L::addWhere(swap, row, rows.step));
    L::storeInts(located.others + first, L::addWhere(swap, nextRow, rows.back));
}

} // namespace
} // namespace poselane
