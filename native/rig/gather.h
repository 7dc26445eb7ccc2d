// SPDX-License-Identifier: MIT
// Twin: lib/rig/kernels/gather.ts
//
// Copies poses out of lanes, to lists with one pose after another.
#pragma once

#include <string.h>

#include "to_global.h"

namespace poselane {
namespace {

/// The destinations of a vector's poses.
struct ListAt {
    float* first;
    size_t stride;

    POSELANE_ALWAYS_INLINE float* operator()(int pose) const { return first + static_cast<size_t>(pose) * stride; }
};

/// Stores `quads` quads of each of `poses` poses, and none of the vector's other poses.
template <class L, int quads, class At, class Quad>
POSELANE_ALWAYS_INLINE void storePoses(At to, int poses, Quad quad) {
    if (poses >= L::kWidth) {
        L::template storeQuads<quads>(to, quad);
        return;
    }
    constexpr size_t kFloats = quads * 4;
    float all[L::kWidth * kFloats];
    L::template storeQuads<quads>(ListAt{all, kFloats}, quad);
    for (int pose = 0; pose < poses; pose++) {
        memcpy(to(pose), all + static_cast<size_t>(pose) * kFloats, kFloats * sizeof(float));
    }
}

/// One of the 12 elements of global x inverse bind.
template <class L, int row, int column>
POSELANE_ALWAYS_INLINE typename L::Floats paletteElement(const float* global, const float* bind) {
    const float* const g = global + row * 4 * kPoses;
    const typename L::Floats rotation[3] = {L::load(g), L::load(g + kPoses), L::load(g + 2 * kPoses)};
    const typename L::Floats sum =
        rowTimesColumn<L>(rotation, L::set1(bind[column]), L::set1(bind[4 + column]), L::set1(bind[8 + column]));
    return column == 3 ? L::add(sum, L::load(g + 3 * kPoses)) : sum;
}

template <class L, bool mat4, class At>
POSELANE_ALWAYS_INLINE void storePalette(const float* global, const float* bind, At to, int poses) {
    using Floats = typename L::Floats;
    storePoses<L, mat4 ? 4 : 3>(to, poses, [&](auto n, Floats(&quad)[4]) POSELANE_INLINED {
        constexpr int i = decltype(n)::value;
        if constexpr (mat4) {
            quad[0] = paletteElement<L, 0, i>(global, bind);
            quad[1] = paletteElement<L, 1, i>(global, bind);
            quad[2] = paletteElement<L, 2, i>(global, bind);
            quad[3] = L::set1(i == 3 ? 1.0f : 0.0f);
        } else {
            quad[0] = paletteElement<L, i, 0>(global, bind);
            quad[1] = paletteElement<L, i, 1>(global, bind);
            quad[2] = paletteElement<L, i, 2>(global, bind);
            quad[3] = paletteElement<L, i, 3>(global, bind);
        }
    });
}

/// forEachSpan for bodies that end with the last pose wanted.
template <class Wide, class Narrow, class Body> POSELANE_ALWAYS_INLINE void forEachGathered(int poses, Body&& body) {
    if constexpr (kSmallCode) {
        body(Span<Wide, kPoses / Wide::kWidth, true>(), 0);
    } else {
        forEachSpan<Wide, Narrow>(poses, body);
    }
}

/// Whether the matrices of 16 poses for the same joint fall into one set of a first-level cache. A set has fewer than
/// 16 ways, so lines would be evicted before they are full. That is so for 64 joints, which many rigs have.
inline bool collide(size_t strideBytes) { return strideBytes % 4096 == 0; }

template <class Span, bool mat4> struct Palettes {
    using L = typename Span::L;
    using Floats = typename L::Floats;
    static constexpr size_t kFloats = mat4 ? 16 : 12;

    const float* globals;
    const int32_t* places;
    const float* inverseBinds;
    int joints;
    float* out;
    size_t stride;

    POSELANE_ALWAYS_INLINE const float* global(int joint, int pose) const {
        return globals + static_cast<size_t>(places[joint]) * kGlobalFloats * kPoses + pose;
    }
    POSELANE_ALWAYS_INLINE const float* bind(int joint) const {
        return inverseBinds + static_cast<size_t>(joint) * kGlobalFloats;
    }
    POSELANE_ALWAYS_INLINE float* to(int joint, int pose) const {
        return out + static_cast<size_t>(pose) * stride + static_cast<size_t>(joint) * kFloats;
    }

    /// Joint by joint.
    void store(int first, int poses) const {
        for (int joint = 0; joint < joints; joint++) {
            forEachVector<Span>(first, poses, [&](int at, int wanted) POSELANE_INLINED {
                storePalette<L, mat4>(global(joint, at), bind(joint), ListAt{to(joint, at), stride}, wanted);
            });
        }
    }

    /// Gathers one pose, row by row: each lane is a column. Adding -0 changes nothing.
    void storeOne(int pose) const {
        for (int joint = 0; joint < joints; joint++) {
            const float* const g = global(joint, pose);
            const float* const b = bind(joint);
            const Floats b0 = L::load(b), b1 = L::load(b + 4), b2 = L::load(b + 8);
            Floats rows[4];
            each<3>([&](auto row) POSELANE_INLINED {
                const float* const at = g + row * 4 * kPoses;
                const Floats rotation[3] = {L::set1(at[0]), L::set1(at[kPoses]), L::set1(at[2 * kPoses])};
                rows[row] =
                    L::add(rowTimesColumn<L>(rotation, b0, b1, b2), L::quadOf(-0.0f, -0.0f, -0.0f, at[3 * kPoses]));
            });
            float* const list = to(joint, pose);
            if constexpr (mat4) {
                rows[3] = L::quadOf(0.0f, 0.0f, 0.0f, 1.0f);
                Floats columns[4];
                L::toFloats(rows, columns);
                each<4>([&](auto i) POSELANE_INLINED { L::store(list + i * 4, columns[i]); });
            } else {
                each<3>([&](auto i) POSELANE_INLINED { L::store(list + i * 4, rows[i]); });
            }
        }
    }

    /// Vector by vector, and no more than eight poses in turn.
    void storeApart(int first, int poses) const {
        forEachVector<Span>(first, poses, [&](int at, int wanted) POSELANE_INLINED {
            if constexpr (L::kWidth <= kAtOnce) {
                for (int joint = 0; joint < joints; joint++) {
                    storePalette<L, mat4>(global(joint, at), bind(joint), ListAt{to(joint, at), stride}, wanted);
                }
            } else {
                for (int joint = 0; joint < joints; joint += kJoints) {
                    storeHalves(joint, joints - joint < kJoints ? joints - joint : kJoints, at, wanted);
                }
            }
        });
    }

private:
    static constexpr int kAtOnce = 8;
    static constexpr int kJoints = 32;

    /// Some joints: the first poses at once, the others when those are done.
    POSELANE_ALWAYS_INLINE void storeHalves(int firstJoint, int count, int at, int poses) const {
        constexpr size_t kStride = kJoints * kFloats;
        alignas(64) float later[kAtOnce * kStride];
        for (int i = 0; i < count; i++) {
            const ListAt now = {to(firstJoint + i, at), stride};
            const ListAt then = {later + static_cast<size_t>(i) * kFloats, kStride};
            const auto both = [&](int pose)
                                  POSELANE_INLINED { return pose < kAtOnce ? now(pose) : then(pose - kAtOnce); };
            storePalette<L, mat4>(global(firstJoint + i, at), bind(firstJoint + i), both, poses);
        }
        for (int pose = kAtOnce; pose < poses && pose < L::kWidth; pose++) {
            const float* const from = later + static_cast<size_t>(pose - kAtOnce) * kStride;
            float* const list = to(firstJoint, at + pose);
            const size_t floats = static_cast<size_t>(count) * kFloats;
            size_t i = 0;
            for (; i + L::kWidth <= floats; i += L::kWidth) {
                L::store(list + i, L::load(from + i));
            }
            for (; i < floats; i += 4) {
                memcpy(list + i, from + i, 4 * sizeof(float));
            }
        }
    }
};

/// @param stride Floats from the matrices of one pose to those of the next.
template <class Span, bool mat4>
void palettesSpan(const float* globals, int first, int poses, const int32_t* places, const float* inverseBinds,
                  int joints, float* out, size_t stride) {
    const Palettes<Span, mat4> palettes = {globals, places, inverseBinds, joints, out, stride};
    if constexpr (Span::kPoses == 4 || kSmallCode) {
        if (poses - first == 1) {
            palettes.storeOne(first);
            return;
        }
    }
    if (kSmallCode || collide(stride * sizeof(float))) {
        palettes.storeApart(first, poses);
    } else {
        palettes.store(first, poses);
    }
}

template <class Wide, class Narrow>
void palettes(const float* globals, int poses, const int32_t* places, const float* inverseBinds, int joints, float* out,
              bool mat4) {
    const size_t stride = static_cast<size_t>(joints) * (mat4 ? 16 : 12);
    forEachGathered<Wide, Narrow>(poses, [&](auto span, int first) POSELANE_INLINED {
        if (mat4) {
            palettesSpan<decltype(span), true>(globals, first, poses, places, inverseBinds, joints, out, stride);
        } else {
            palettesSpan<decltype(span), false>(globals, first, poses, places, inverseBinds, joints, out, stride);
        }
    });
}

template <class Span>
void jointsSpan(const float* globals, int first, int poses, const int32_t* places, int count, float* out,
                size_t stride) {
    using L = typename Span::L;
    for (int k = 0; k < count; k++) {
        const float* const global = globals + static_cast<size_t>(places[k]) * kGlobalFloats * kPoses;
        float* const to = out + static_cast<size_t>(k) * kGlobalFloats;
        forEachVector<Span>(first, poses, [&](int at, int wanted) POSELANE_INLINED {
            const float* const g = global + at;
            storePoses<L, 3>(ListAt{to + static_cast<size_t>(at) * stride, stride}, wanted,
                             [&](auto row, typename L::Floats(&quad)[4]) POSELANE_INLINED {
                                 each<4>([&](auto i)
                                             POSELANE_INLINED { quad[i] = L::load(g + (row * 4 + i) * kPoses); });
                             });
        });
    }
}

template <class Wide, class Narrow>
void joints(const float* globals, int poses, const int32_t* places, int count, float* out, size_t stride) {
    forEachGathered<Wide, Narrow>(poses, [&](auto span, int first) POSELANE_INLINED {
        jointsSpan<decltype(span)>(globals, first, poses, places, count, out, stride);
    });
}

} // namespace
} // namespace poselane
