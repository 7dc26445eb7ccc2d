// SPDX-License-Identifier: MIT
// Twin: lib/rig/kernels/locate.ts
//
// Finding the keys around a time.
#pragma once

#include "rig.h"
#include "slerp.h"

namespace poselane {
namespace {

/// The last key in [low, high) with a time up to `time`; `low` where there is none.
inline uint32_t searchKey(const float* keys, uint32_t low, uint32_t high, double time) {
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (keys[middle] <= time) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

/// Steps from the hint before searching: enough for forward playback at the usual rates.
constexpr int kSteps = 4;

/// The last key with a time up to `time`, or key 0. `key`: where to start.
inline uint32_t findKey(const float* keys, uint32_t last, uint32_t key, double time) {
    if (keys[key] > time) {
        return searchKey(keys, 0, key, time);
    }
    for (int steps = 0; key < last && keys[key + 1] <= time; key++) {
        if (++steps > kSteps) {
            return searchKey(keys, key, last + 1, time);
        }
    }
    return key;
}

/// Finds the keys of one group for one pose of a block.
///
/// @param hint A key to start from. Any number will do.
inline void locatePose(Located& located, const Clip& clip, const KeyGroup& group, double time, int pose,
                       uint16_t* hint) {
    const float* const keys = clip.times + group.firstKey;
    const uint32_t last = group.keys - 1;
    // Read once: the number is checked and then used to address memory.
    const uint32_t from = *const_cast<const volatile uint16_t*>(hint);
    const uint32_t key = findKey(keys, last, from < last ? from : last, time);
    *hint = static_cast<uint16_t>(key < 0xffff ? key : 0xffff);
    const double start = keys[key];
    const uint32_t row = group.firstFloat + key * group.rowFloats;
    uint32_t nextRow = row;
    float s = 0.0f, interval = 0.0f;
    if (key < last) {
        const double seconds = keys[key + 1] - start;
        nextRow = row + group.rowFloats;
        s = time <= start ? 0.0f : static_cast<float>((time - start) / seconds);
        interval = static_cast<float>(seconds);
    }
    located.rows[pose] = row;
    located.nextRows[pose] = nextRow;
    located.fractions[pose] = s;
    located.intervals[pose] = interval;
    located.bases[pose] = s > 0.5f ? nextRow : row;
    located.others[pose] = s > 0.5f ? row : nextRow;
}

/// The same for the poses whose bits are set in `poses`. All other poses get the keys of the first of these.
inline void locatePoses(Located& located, const Clip& clip, const KeyGroup& group, const double* times, unsigned poses,
                        uint16_t* hints) {
    int first = 0;
    while ((poses >> first & 1) == 0) {
        first++;
    }
    for (int pose = first; pose < kPoses; pose++) {
        if ((poses >> pose & 1) != 0) {
            locatePose(located, clip, group, times[pose], pose, hints + pose);
        }
    }
    for (int pose = 0; pose < kPoses; pose++) {
        if ((poses >> pose & 1) == 0) {
            located.rows[pose] = located.rows[first];
            located.nextRows[pose] = located.nextRows[first];
            located.fractions[pose] = located.fractions[first];
            located.intervals[pose] = located.intervals[first];
            located.bases[pose] = located.bases[first];
            located.others[pose] = located.others[first];
        }
    }
}

inline void spreadTime(Located& located, int pose) {
    for (int i = 0; i < 4; i++) {
        located.spreadT[pose & 3][(pose & ~3) + i] = located.t[pose];
    }
}

/// Computes the numbers that LINEAR needs for one located pose alone.
inline void prepareTime(Located& located, int pose) {
    const float s = located.fractions[pose];
    located.t[pose] = s > 0.5f ? 1.0f - s : s;
    located.swapSigns[pose] = s > 0.5f ? -0.0f : 0.0f;
    spreadTime(located, pose);
}

/// Computes the numbers that LINEAR needs for all poses.
template <class Wide> void prepareTimes(Located& located) {
    for (int pose = 0; pose < kPoses; pose += Wide::kWidth) {
        typename Wide::Mask swap;
        const SlerpTimes<Wide> t = slerpTimes<Wide>(Wide::load(located.fractions + pose), swap);
        Wide::store(located.t + pose, t.t);
        Wide::store(located.tt + pose, t.tt);
        Wide::store(located.dd + pose, t.dd);
        Wide::store(located.td + pose, t.td);
        Wide::store(located.onePlusT + pose, t.onePlusT);
        Wide::store(located.onePlusD + pose, t.onePlusD);
        Wide::store(located.swapSigns + pose, t.swapSigns);
    }
    for (int pose = 0; pose < kPoses; pose++) {
        spreadTime(located, pose);
    }
}

} // namespace
} // namespace poselane
