// SPDX-License-Identifier: MIT
// Twin: lib/rig/kernels/to-global.ts
#pragma once

#include "geometry.h"

namespace poselane {
namespace {

/// Row-major 3x4.
template <class L> using LaneMat = typename L::Floats[3][4];

/// T x R x S (glTF 2.0, section 3.5.3): the rotation's matrix in glTF's convention, its columns times the scale.
///
/// @param component Returns those of the local transform: T 3, R 4, S 3.
template <class L, class Component> POSELANE_ALWAYS_INLINE void composeLocal(Component component, LaneMat<L>& m) {
    using Floats = typename L::Floats;
    const Floats x = component(3), y = component(4), z = component(5);
    const Floats w = L::flip(component(6), L::set1(-0.0f));
    const Floats one = L::set1(1.0f);
    const Floats x2 = L::add(x, x), y2 = L::add(y, y), z2 = L::add(z, z);
    const Floats xx2 = L::mul(x, x2), xy2 = L::mul(x, y2), xz2 = L::mul(x, z2);
    const Floats yy2 = L::mul(y, y2), yz2 = L::mul(y, z2), zz2 = L::mul(z, z2);
    const Floats wx2 = L::mul(w, x2), wy2 = L::mul(w, y2), wz2 = L::mul(w, z2);
    const Floats oneMinusZZ2 = L::sub(one, zz2);
    const Floats sx = component(7), sy = component(8), sz = component(9);
    m[0][0] = L::mul(L::sub(oneMinusZZ2, yy2), sx);
    m[0][1] = L::mul(L::add(xy2, wz2), sy);
    m[0][2] = L::mul(L::sub(xz2, wy2), sz);
    m[0][3] = component(0);
    m[1][0] = L::mul(L::sub(xy2, wz2), sx);
    m[1][1] = L::mul(L::sub(oneMinusZZ2, xx2), sy);
    m[1][2] = L::mul(L::add(yz2, wx2), sz);
    m[1][3] = component(1);
    m[2][0] = L::mul(L::add(xz2, wy2), sx);
    m[2][1] = L::mul(L::sub(yz2, wx2), sy);
    m[2][2] = L::mul(L::sub(L::sub(one, xx2), yy2), sz);
    m[2][3] = component(2);
}

template <class L> POSELANE_ALWAYS_INLINE void spreadMatrix(const float* matrix, LaneMat<L>& m) {
    each<12>([&](auto i) POSELANE_INLINED { m[i / 4][i % 4] = L::set1(matrix[i]); });
}

/// Stores parent x m; `parent` and `global` are [12][16].
template <class L> POSELANE_ALWAYS_INLINE void storeChild(const float* parent, const LaneMat<L>& m, float* global) {
    each<3>([&](auto row) POSELANE_INLINED {
        const float* const p = parent + row * 4 * kPoses;
        float* const g = global + row * 4 * kPoses;
        const typename L::Floats rotation[3] = {L::load(p), L::load(p + kPoses), L::load(p + 2 * kPoses)};
        each<4>([&](auto column) POSELANE_INLINED {
            typename L::Floats sum = rowTimesColumn<L>(rotation, m[0][column], m[1][column], m[2][column]);
            if constexpr (decltype(column)::value == 3) {
                sum = L::add(sum, L::load(p + 3 * kPoses));
            }
            L::store(g + column * kPoses, sum);
        });
    });
}

/// Computes the global of a place. `block` is at the first pose of the vector.
template <class L>
POSELANE_INLINE_BUT_IN_WASM void placeGlobal(const RigView& rig, const SlotsView& slots, float* block, int place) {
    float* const globals = block + static_cast<size_t>(slots.count) * kLocalFloats * kPoses;
    const auto globalAt = [&](int at)
                              POSELANE_INLINED { return globals + static_cast<size_t>(at) * kGlobalFloats * kPoses; };
    const int parent = slots.parents[place], matrix = slots.matrices[place];
    LaneMat<L> m;
    if (matrix < 0) {
        const float* const local = block + static_cast<size_t>(place) * kLocalFloats * kPoses;
        composeLocal<L>([&](int i) POSELANE_INLINED { return L::load(local + i * kPoses); }, m);
    } else {
        spreadMatrix<L>(rig.matrices + static_cast<size_t>(matrix) * kGlobalFloats, m);
    }
    if (parent < 0) {
        each<12>([&](auto k) POSELANE_INLINED { L::store(globalAt(place) + k * kPoses, m[k / 4][k % 4]); });
    } else {
        storeChild<L>(globalAt(parent), m, globalAt(place));
    }
}

/// Whether a place is `from` or below it. Parents have lower places.
inline bool isFrom(const SlotsView& slots, int from, int place) {
    while (place > from) {
        place = slots.parents[place];
    }
    return place == from;
}

/// @param vectors Number of vectors.
template <class L>
POSELANE_ALWAYS_INLINE void toGlobalVectors(const RigView& rig, const SlotsView& slots, float* block, int vectors,
                                            int from) {
    for (int place = from < 0 ? 0 : from; place < slots.count; place++) {
        if (from >= 0 && !isFrom(slots, from, place)) {
            continue;
        }
        for (int i = 0; i < vectors; i++) {
            placeGlobal<L>(rig, slots, block + i * L::kWidth, place);
        }
    }
}

template <class Wide, class Narrow>
void toGlobal(const RigView& rig, const SlotsView& slots, float* block, int poses, int from) {
    if constexpr (kSmallCode) {
        toGlobalVectors<Wide>(rig, slots, block, (poses + Wide::kWidth - 1) / Wide::kWidth, from);
        return;
    }
    forEachSpan<Wide, Narrow>(poses, [&](auto span, int first) POSELANE_INLINED {
        toGlobalVectors<typename decltype(span)::L>(rig, slots, block + first, decltype(span)::kCount, from);
    });
}

} // namespace
} // namespace poselane
