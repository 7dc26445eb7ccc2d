// SPDX-License-Identifier: MIT
// Twin: lib/strict/blendQuats.ts
//
// Lists of plain quaternions: slerpQuats, lerpQuats, slerpQuatsPerQuat, slerpQuatTimes.
#pragma once

#include <string.h>

#include "lerp_uniform.h"
#include "slerp_each.h"
#include "slerp_uniform.h"

namespace poselane {
namespace {

void copyQuats(Quaternion* result, const Quaternion* quats, int count) {
    if (count > 0) {
        memmove(result, quats, static_cast<size_t>(count) * sizeof(Quaternion));
    }
}

/// blend(blocks, base, other, store) on every batch; `swapped` as in slerpUniform.
template <class Swapped, class Blend>
POSELANE_ALWAYS_INLINE void forEachQuatBatch(Swapped swapped, Quaternion* result, const Quaternion* from,
                                             const Quaternion* to, int count, Blend&& blend) {
    using Quats = Lanes::Quats;
    const Quaternion* const base = swapped ? to : from;
    const Quaternion* const other = swapped ? from : to;
    forEachBatch(nullptr, count, [&](auto batch, int blocks) POSELANE_INLINED {
        blend(
            blocks, [=](int block, int row) POSELANE_INLINED { return batch.template load<Quats>(base, block, row); },
            [=](int block, int row) POSELANE_INLINED { return batch.template load<Quats>(other, block, row); },
            [=](int block, const Quats::Row(&rows)[Quats::kRows])
                POSELANE_INLINED { batch.template store<Quats>(result, block, rows); });
    });
}

template <class Swapped>
void slerpQuatsInside(Swapped swapped, Quaternion* result, const Quaternion* from, const Quaternion* to, float t,
                      int count) {
    const PreparedSlerp prepared(t);
    forEachQuatBatch(swapped, result, from, to, count,
                     [&](int blocks, auto base, auto other, auto store) POSELANE_INLINED {
                         slerpUniform<Lanes::Quats>(swapped, prepared, blocks, base, other, store);
                     });
}

template <class Swapped>
void lerpQuatsInside(Swapped swapped, Quaternion* result, const Quaternion* from, const Quaternion* to, float t,
                     int count) {
    forEachQuatBatch(swapped, result, from, to, count,
                     [&](int blocks, auto base, auto other, auto store)
                         POSELANE_INLINED { lerpUniform<Lanes::Quats>(swapped, t, blocks, base, other, store); });
}

void slerpQuats(Quaternion* result, const Quaternion* from, const Quaternion* to, float t, int count, int) {
    if (t <= 0.0f) {
        copyQuats(result, from, count);
    } else if (!(t < 1.0f)) {
        copyQuats(result, to, count);
    } else {
        withConstant(t > 0.5f, [=](auto swapped) POSELANE_INLINED {
            slerpQuatsInside(swapped, result, from, to, swapped ? 1.0f - t : t, count);
        });
    }
}

void lerpQuats(Quaternion* result, const Quaternion* from, const Quaternion* to, float t, int count, int) {
    if (t <= 0.0f) {
        copyQuats(result, from, count);
    } else if (!(t < 1.0f)) {
        copyQuats(result, to, count);
    } else {
        withConstant(t > 0.5f, [=](auto swapped) POSELANE_INLINED {
            lerpQuatsInside(swapped, result, from, to, swapped ? 1.0f - t : t, count);
        });
    }
}

void slerpQuatsPerQuat(Quaternion* result, const Quaternion* from, const Quaternion* to, const float* t, int count) {
    using Quats = Lanes::Quats;
    forEachBatch(nullptr, count, [&](auto batch, int blocks) POSELANE_INLINED {
        slerpEach<Quats>(
            blocks, [=](int block) POSELANE_INLINED { return Quats::inOrderOfSums(batch.load(t, block)); },
            [=](int block, int row) POSELANE_INLINED { return batch.template load<Quats>(from, block, row); },
            [=](int block, int row) POSELANE_INLINED { return batch.template load<Quats>(to, block, row); },
            [=](int block, const Quats::Row(&rows)[Quats::kRows])
                POSELANE_INLINED { batch.template store<Quats>(result, block, rows); });
    });
}

void slerpQuatTimes(Quaternion* result, const Quaternion& q0, const Quaternion& q1, const float* t, int count, int) {
    using Quats = Lanes::Quats;
    // The result may lie over the pair.
    slerpSamePair<Quats>(Quats::loadSame(&q0), Quats::loadSame(&q1), [=](auto slerpBlock) POSELANE_INLINED {
        forEachBatch(nullptr, count, [&](auto batch, int blocks) POSELANE_INLINED {
            for (int block = 0; block < blocks; block++) {
                Quats::Row rows[Quats::kRows];
                slerpBlock(Quats::inOrderOfSums(batch.load(t, block)), rows);
                batch.template store<Quats>(result, block, rows);
            }
        });
    });
}

} // namespace
} // namespace poselane
