// SPDX-License-Identifier: MIT
//
// Palettes written past the caches: for lists so long that they have left the caches before they are read. An ordinary
// store to uncached memory first reads the line that it writes to, which here costs more than all the arithmetic.
#pragma once

#include <stdint.h>
#include <string.h>

#include "../core/fetch.h"
#include "gather.h"

namespace poselane {
namespace {

/// The palettes of a whole block. Only whole, aligned cache lines can bypass the caches, but lists are only aligned to
/// floats. So a tile in the first-level cache collects some joints at a time.
template <class L, bool mat4> struct PaletteTile {
    static constexpr size_t kFloats = mat4 ? 16 : 12;
    /// Few enough for the cache. Their floats fill whole lines.
    static constexpr int kJoints = 16;
    /// Floats of a pose: those before its first joint in the same line, then the joints.
    static constexpr size_t kRow = kLine + kJoints * kFloats;

    alignas(64) float rows[kPoses * kRow];

    /// Collects `count` joints of all poses.
    void fill(const float* globals, const int32_t* places, const float* inverseBinds, int count) {
        for (int i = 0; i < count; i++) {
            const float* const global = globals + static_cast<size_t>(places[i]) * kGlobalFloats * kPoses;
            const float* const bind = inverseBinds + static_cast<size_t>(i) * kGlobalFloats;
            float* const to = rows + kLine + static_cast<size_t>(i) * kFloats;
            each<kPoses / L::kWidth>([&](auto vector) POSELANE_INLINED {
                constexpr size_t kFirst = static_cast<size_t>(vector) * L::kWidth;
                storePalette<L, mat4>(global + kFirst, bind, ListAt{to + kFirst * kRow, kRow}, L::kWidth);
            });
        }
    }

    /// Writes the `floats` that one pose has in the tile. Where more floats follow, the line that these end in waits
    /// for them.
    ///
    /// @param to Destination of the first float.
    void write(int pose, float* to, size_t floats, bool isFirst, bool isLast) {
        float* const row = rows + static_cast<size_t>(pose) * kRow;
        // How far into a line `to` is.
        const size_t inLine = reinterpret_cast<uintptr_t>(to) / sizeof(float) % kLine;
        const size_t waiting = isFirst ? 0 : inLine;
        const float* from = row + kLine - waiting;
        float* line = to - waiting;
        size_t left = waiting + floats;
        if (isFirst && inLine > 0) {
            const size_t head = kLine - inLine < left ? kLine - inLine : left;
            memcpy(line, from, head * sizeof(float));
            from += head;
            line += head;
            left -= head;
        }
        for (; left >= kLine; left -= kLine) {
            L::streamLine(line, from);
            from += kLine;
            line += kLine;
        }
        if (isLast) {
            memcpy(line, from, left * sizeof(float));
        } else {
            memcpy(row, row + floats, kLine * sizeof(float));
        }
    }
};

/// Writes the palettes of a whole block.
template <class L, bool mat4>
void streamBlock(const float* globals, const int32_t* places, const float* inverseBinds, int joints, float* out) {
    using Tile = PaletteTile<L, mat4>;
    const size_t stride = static_cast<size_t>(joints) * Tile::kFloats;
    Tile tile;
    for (int joint = 0; joint < joints; joint += Tile::kJoints) {
        const int count = joints - joint < Tile::kJoints ? joints - joint : Tile::kJoints;
        tile.fill(globals, places + joint, inverseBinds + static_cast<size_t>(joint) * kGlobalFloats, count);
        for (int pose = 0; pose < kPoses; pose++) {
            float* const to = out + static_cast<size_t>(pose) * stride + static_cast<size_t>(joint) * Tile::kFloats;
            tile.write(pose, to, static_cast<size_t>(count) * Tile::kFloats, joint == 0, joint + count == joints);
        }
    }
}

template <class Wide, class Narrow>
void streamPalettes(const float* globals, int poses, const int32_t* places, const float* inverseBinds, int joints,
                    float* out, bool mat4) {
    if constexpr (Wide::kWidth > 1) {
        if (poses == kPoses) {
            if (mat4) {
                streamBlock<Wide, true>(globals, places, inverseBinds, joints, out);
            } else {
                streamBlock<Wide, false>(globals, places, inverseBinds, joints, out);
            }
            return;
        }
    }
    palettes<Wide, Narrow>(globals, poses, places, inverseBinds, joints, out, mat4);
}

} // namespace
} // namespace poselane
