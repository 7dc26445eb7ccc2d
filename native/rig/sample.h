// SPDX-License-Identifier: MIT
// Twin: lib/rig/kernels/sample.ts
//
// Animation samplers (glTF 2.0, section 3.11 and appendix C) for poses that were located between the keys of a group.
#pragma once

#include "kernels.h"
#include "slerp.h"

namespace poselane {
namespace {

/// The located poses from `first` on, as the samplers take them.
template <class L> struct LocatedPoses {
    const Located& at;
    int first;

    POSELANE_ALWAYS_INLINE typename L::Quads gather(const uint32_t* rows, const float* values, int i) const {
        return L::gather(values, rows + first + i);
    }
    /// Four floats of each pose's row.
    POSELANE_ALWAYS_INLINE void gatherQuads(const uint32_t* rows, const float* values,
                                            typename L::Quads (&quads)[L::kQuads]) const {
        each<L::kQuads>([&](auto i) POSELANE_INLINED { quads[i] = gather(rows, values, i); });
    }
    POSELANE_ALWAYS_INLINE void gather(const uint32_t* rows, const float* values,
                                       typename L::Floats (&floats)[4]) const {
        typename L::Quads quads[L::kQuads];
        gatherQuads(rows, values, quads);
        L::toFloats(quads, floats);
    }
};

/// Translation, rotation and scale of a slot, LINEAR all three and side by side in one group's rows: each pose's rows
/// are looked up once for all of them, which is half of what gathering costs.
template <class L> struct GatheredTransform {
    typename L::Quads translation[L::kQuads], base[L::kQuads], other[L::kQuads], scale[L::kQuads];

    POSELANE_ALWAYS_INLINE GatheredTransform(const LocatedPoses<L>& poses, const float* values) {
        const typename L::Floats times = L::load(poses.at.t + poses.first);
        each<L::kQuads>([&](auto i) POSELANE_INLINED {
            const typename L::Rows bases(values, poses.at.bases + poses.first + i);
            const typename L::Rows others(values, poses.at.others + poses.first + i);
            const typename L::Floats t = L::template everyElement<i>(times);
            translation[i] = L::mix(bases.template gather<0>(), others.template gather<0>(), t);
            base[i] = bases.template gather<3>();
            other[i] = others.template gather<3>();
            scale[i] = L::mix(bases.template gather<7>(), others.template gather<7>(), t);
        });
    }
};

/// STEP (C.1): the key at or before the time.
template <class L>
POSELANE_ALWAYS_INLINE void sampleStep(const LocatedPoses<L>& poses, const float* values,
                                       typename L::Floats (&result)[4]) {
    poses.gather(poses.at.rows, values, result);
}

/// LINEAR, component by component (C.2). The quads are mixed as they are gathered, so that they are turned round once.
template <class L>
POSELANE_ALWAYS_INLINE void sampleLinear(const LocatedPoses<L>& poses, const float* values,
                                         typename L::Floats (&result)[4]) {
    typename L::Quads mixed[L::kQuads];
    const typename L::Floats times = L::load(poses.at.t + poses.first);
    each<L::kQuads>([&](auto i) POSELANE_INLINED {
        mixed[i] = L::mix(poses.gather(poses.at.bases, values, i), poses.gather(poses.at.others, values, i),
                          L::template everyElement<i>(times));
    });
    L::toFloats(mixed, result);
}

/// CUBICSPLINE (C.4): in-tangent, value, out-tangent for each key, `width` floats each, tangents in units per second,
/// so multiplied with the time between the keys. At a key, its value.
template <class L>
POSELANE_INLINE_BUT_IN_WASM void sampleCubic(const LocatedPoses<L>& poses, const float* values, int width,
                                             typename L::Floats (&result)[4]) {
    using Floats = typename L::Floats;
    Floats value[4], out[4], into[4], nextValue[4];
    poses.gather(poses.at.rows, values + width, value);
    poses.gather(poses.at.rows, values + 2 * width, out);
    poses.gather(poses.at.nextRows, values, into);
    poses.gather(poses.at.nextRows, values + width, nextValue);
    const Floats s = L::load(poses.at.fractions + poses.first);
    const Floats td = L::load(poses.at.intervals + poses.first);
    const Floats one = L::set1(1.0f), two = L::set1(2.0f), three = L::set1(3.0f);
    const Floats s2 = L::mul(s, s), s3 = L::mul(s2, s);
    const Floats v1 = L::sub(L::mul(three, s2), L::mul(two, s3));
    const Floats v0 = L::sub(one, v1);
    const Floats m0 = L::mul(L::add(L::sub(s3, L::mul(two, s2)), s), td);
    const Floats m1 = L::mul(L::sub(s3, s2), td);
    const typename L::Mask atKey = L::isZero(s);
    each<4>([&](auto i) POSELANE_INLINED {
        const Floats from = L::add(L::mul(v0, value[i]), L::mul(m0, out[i]));
        const Floats to = L::add(L::mul(v1, nextValue[i]), L::mul(m1, into[i]));
        result[i] = L::select(atKey, value[i], L::add(from, to));
    });
}

/// Quaternions of length 0 stay as they are.
template <class L> POSELANE_ALWAYS_INLINE void normalize(typename L::Floats (&q)[4]) {
    using Floats = typename L::Floats;
    const Floats n =
        L::add(L::add(L::mul(q[0], q[0]), L::mul(q[2], q[2])), L::add(L::mul(q[1], q[1]), L::mul(q[3], q[3])));
    const Floats length = L::select(L::isZero(n), L::set1(1.0f), L::sqrt(n));
    each<4>([&](auto i) POSELANE_INLINED { q[i] = L::div(q[i], length); });
}

} // namespace
} // namespace poselane
