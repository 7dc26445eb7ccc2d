// SPDX-License-Identifier: MIT
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

/// Steps from the hint before searching: what forward playback at the usual rates needs.
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

/// Finds the keys of one group for some poses of a block.
///
/// @param poses Bits. The others get what the first of these gets.
/// @param hints Of this group and block: for each pose a key to start from. Any number will do.
template <class Wide>
void locate(Located& located, const Clip& clip, const KeyGroup& group, const double* times, unsigned poses,
            uint16_t* hints) {
    const float* const keys = clip.times + group.firstKey;
    const uint32_t last = group.keys - 1;
    int first = 0;
    while ((poses >> first & 1) == 0) {
        first++;
    }
    uint32_t rows[kPoses], nextRows[kPoses];
    float fractions[kPoses], intervals[kPoses];
    for (int pose = first; pose < kPoses; pose++) {
        if ((poses >> pose & 1) == 0) {
            continue;
        }
        const double time = times[pose];
        // Read once: the number is checked and then used to address memory.
        const uint32_t hint = *const_cast<const volatile uint16_t*>(hints + pose);
        const uint32_t key = findKey(keys, last, hint < last ? hint : last, time);
        hints[pose] = static_cast<uint16_t>(key < 0xffff ? key : 0xffff);
        const double start = keys[key];
        const uint32_t row = group.firstFloat + key * group.rowFloats;
        rows[pose] = row;
        if (key == last) {
            nextRows[pose] = row;
            fractions[pose] = 0.0f;
            intervals[pose] = 0.0f;
        } else {
            const double interval = keys[key + 1] - start;
            nextRows[pose] = row + group.rowFloats;
            fractions[pose] = time <= start ? 0.0f : static_cast<float>((time - start) / interval);
            intervals[pose] = static_cast<float>(interval);
        }
    }
    for (int pose = 0; pose < kPoses; pose++) {
        const int from = (poses >> pose & 1) != 0 ? pose : first;
        const float s = fractions[from];
        located.rows[pose] = rows[from];
        located.nextRows[pose] = nextRows[from];
        located.fractions[pose] = s;
        located.intervals[pose] = intervals[from];
        located.bases[pose] = s > 0.5f ? nextRows[from] : rows[from];
        located.others[pose] = s > 0.5f ? rows[from] : nextRows[from];
    }
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
        for (int i = 0; i < 4; i++) {
            located.spreadT[pose & 3][(pose & ~3) + i] = located.t[pose];
        }
    }
}

} // namespace
} // namespace poselane
