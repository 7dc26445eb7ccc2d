// SPDX-License-Identifier: MIT
//
// Palettes of poses that no other kernel reads. In a block, a pose has a sixteenth of 22 cache lines for each slot. So
// a few poses are computed one after another, with slots in lanes: a pose then fits in a first-level cache.
#pragma once

#include "../kernels/mat_product.h"
#include "evaluate.h"
#include "gather.h"
#include "stream.h"

namespace poselane {
namespace {

/// Turns the locals of kWidth slots into matrices.
template <class L> void composeSlots(const float* locals, JointMat* to) {
    static constexpr uint32_t kRows[kPoses] = {0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120, 130, 140, 150};
    typename L::Floats floats[3][4];
    each<3>([&](auto i) POSELANE_INLINED {
        typename L::Quads quads[L::kQuads];
        each<L::kQuads>([&](auto quad) POSELANE_INLINED { quads[quad] = L::gather(locals + i * 4, kRows + quad); });
        L::toFloats(quads, floats[i]);
    });
    LaneMat<L> m;
    composeLocal<L>([&](int i) POSELANE_INLINED { return floats[i / 4][i % 4]; }, m);
    L::template storeQuads<3>([&](int slot) POSELANE_INLINED { return to[slot].mat; },
                              [&](auto row, typename L::Floats(&quad)[4])
                                  POSELANE_INLINED { each<4>([&](auto i) POSELANE_INLINED { quad[i] = m[row][i]; }); });
}

/// left x right
POSELANE_ALWAYS_INLINE MatLanes::Mat product(const JointMat* left, const JointMat* right) {
    const MatLanes::Mat mat = MatLanes::load(left);
    return MatLanes::movedBy(rotated<MatLanes>(mat, right), mat);
}

/// The globals of `count` slots from `first` on.
///
/// @param row Locals of these slots. Whole vectors are read.
template <class L>
void rowGlobals(const RigView& rig, const SlotsView& slots, const float* row, int first, int count, JointMat* globals) {
    const JointMat* const matrices = reinterpret_cast<const JointMat*>(rig.matrices);
    for (int i = 0; i < count; i++) {
        if (i % L::kWidth == 0) {
            composeSlots<L>(row + i * kLocalFloats, globals + first + i);
        }
        const int place = first + i, parent = slots.parents[place], matrix = slots.matrices[place];
        JointMat* const global = globals + place;
        const JointMat* const local = matrix < 0 ? global : matrices + matrix;
        if (parent >= 0) {
            MatLanes::store(global, product(globals + parent, local));
        } else if (matrix >= 0) {
            *global = *local;
        }
    }
}

template <bool mat4> void rowPalettes(const JointMat* globals, const SkinPalettes& skin, float* out) {
    const JointMat* const inverseBinds = reinterpret_cast<const JointMat*>(skin.inverseBinds);
    for (int joint = 0; joint < skin.joints; joint++) {
        const MatLanes::Mat palette = product(globals + skin.places[joint], inverseBinds + joint);
        if constexpr (mat4) {
            MatLanes::storeMat4(out + static_cast<size_t>(joint) * 16, palette);
        } else {
            MatLanes::store(reinterpret_cast<JointMat*>(out) + joint, palette);
        }
    }
}

template <class Wide, class Narrow>
void bakeRows(const RigView& rig, const SlotsView& slots, const BlockTimes& at, const SkinPalettes& skin, float* out,
              const Workspace& workspace) {
    int pending[kPoses];
    LocatedPose located[kPoses];
    const auto search = at.poses == 1 ? searchPoses<Narrow> : searchPoses<Wide>;
    search(rig, slots, at, firstPoses(at.poses), workspace.groups, pending, located);
    const int tiles = countTiles(slots);
    JointMat* const globals = reinterpret_cast<JointMat*>(workspace.globals);
    RotationQueue<Wide> rotations;
    for (int pose = 0; pose < at.poses; pose++) {
        const int clip = at.clips[pose];
        for (int tile = 0; tile < tiles; tile++) {
            evaluateRow<Wide, Narrow>(slots, rig.clips[clip], ClipLists(slots, clip), tile, located[pose],
                                      workspace.rows, rotations);
            rotations.finish();
            rowGlobals<Wide>(rig, slots, workspace.rows, tile * kTileSlots, slotsInTile(slots, tile), globals);
        }
        float* const to = out + static_cast<size_t>(pose) * skin.poseFloats();
        if (skin.mat4) {
            rowPalettes<true>(globals, skin, to);
        } else {
            rowPalettes<false>(globals, skin, to);
        }
    }
}

/// Maximum number of poses that take less time in rows: vectors take the same time for any number.
template <class Wide> constexpr int kMostRows = Wide::kWidth < 8 ? Wide::kWidth / 2 : 3;

template <class Wide, class Narrow>
void bakePalettes(const RigView& rig, const SlotsView& slots, const BlockTimes& at, const SkinPalettes& skin,
                  float* out, Workspace* workspace) {
    if constexpr (Wide::kWidth > 1) {
        if (at.poses <= kMostRows<Wide>) {
            bakeRows<Wide, Narrow>(rig, slots, at, skin, out, *workspace);
            return;
        }
    }
    float* const block = workspace->block;
    evaluate<Wide, Narrow>(rig, slots, block, at, workspace);
    toGlobal<Wide, Narrow>(rig, slots, block, at.poses, -1);
    const auto write = skin.streamed ? streamPalettes<Wide, Narrow> : palettes<Wide, Narrow>;
    write(block + static_cast<size_t>(slots.count) * kLocalFloats * kPoses, at.poses, skin.places, skin.inverseBinds,
          skin.joints, out, skin.mat4);
}

} // namespace
} // namespace poselane
