// SPDX-License-Identifier: MIT
// Twin: lib/rig/kernels/turn.ts
//
// Turns a joint about its place, with poses in lanes: the parts that kernels of inverse kinematics share. A joint turns
// rigidly in the space of its parent, whatever transforms are above it. Directions without a length give NaNs, and
// rotations with NaNs are not stored.
#pragma once

#include <math.h>

#include "geometry.h"

namespace poselane {
namespace {

/// Square of the sine up to which two directions are the same.
constexpr float kSameDirection = 1e-8f;

// As `dot` and `cross`, which hit tests inline everywhere.
template <class L>
POSELANE_INLINE_BUT_IN_WASM typename L::Floats dotOf(const LaneVector<L>& a, const LaneVector<L>& b) {
    return dot<L>(a, b);
}

template <class L>
POSELANE_INLINE_BUT_IN_WASM void crossOf(const LaneVector<L>& a, const LaneVector<L>& b, LaneVector<L>& out) {
    cross<L>(a, b, out);
}

/// a + s b
template <class L>
POSELANE_INLINE_BUT_IN_WASM void addScaled(const LaneVector<L>& a, const LaneVector<L>& b, typename L::Floats s,
                                           LaneVector<L>& out) {
    each<3>([&](auto i) POSELANE_INLINED { out[i] = L::add(a[i], L::mul(b[i], s)); });
}

template <class L> POSELANE_INLINE_BUT_IN_WASM void scale(LaneVector<L>& v, typename L::Floats s) {
    each<3>([&](auto i) POSELANE_INLINED { v[i] = L::mul(v[i], s); });
}

template <class L> POSELANE_INLINE_BUT_IN_WASM void normalize(LaneVector<L>& v) {
    scale<L>(v, L::div(L::set1(1.0f), L::sqrt(dotOf<L>(v, v))));
}

template <class L> POSELANE_INLINE_BUT_IN_WASM typename L::Floats squareOf(const LaneQuat<L>& q) {
    return L::add(L::add(L::add(L::mul(q[0], q[0]), L::mul(q[1], q[1])), L::mul(q[2], q[2])), L::mul(q[3], q[3]));
}

template <class L> POSELANE_INLINE_BUT_IN_WASM void normalizeQuat(LaneQuat<L>& q) {
    const typename L::Floats scale = L::div(L::set1(1.0f), L::sqrt(squareOf<L>(q)));
    each<4>([&](auto i) POSELANE_INLINED { q[i] = L::mul(q[i], scale); });
}

template <class L>
POSELANE_INLINE_BUT_IN_WASM void choose(typename L::Mask mask, const LaneVector<L>& a, const LaneVector<L>& b,
                                        LaneVector<L>& out) {
    each<3>([&](auto i) POSELANE_INLINED { out[i] = L::select(mask, a[i], b[i]); });
}

template <class L>
POSELANE_INLINE_BUT_IN_WASM void transform(const LaneRows<L>& m, const LaneVector<L>& v, LaneVector<L>& out) {
    each<3>([&](auto row) POSELANE_INLINED { out[row] = dotOf<L>(m[row], v); });
}

/// The vector that a unit quaternion rotates `v` to: v + w c + q x c, c being 2 q x v.
template <class L>
POSELANE_INLINE_BUT_IN_WASM void rotate(const LaneQuat<L>& q, const LaneVector<L>& v, LaneVector<L>& out) {
    const LaneVector<L> axis = {q[0], q[1], q[2]};
    LaneVector<L> once, twice;
    crossOf<L>(axis, v, once);
    each<3>([&](auto i) POSELANE_INLINED { once[i] = L::add(once[i], once[i]); });
    crossOf<L>(axis, once, twice);
    each<3>([&](auto i) POSELANE_INLINED { out[i] = L::add(L::add(v[i], L::mul(q[3], once[i])), twice[i]); });
}

/// `v` across the unit vector `along`. False where they have the same direction, or `v` is zeros.
template <class L>
POSELANE_INLINE_BUT_IN_WASM typename L::Mask across(const LaneVector<L>& v, const LaneVector<L>& along,
                                                    LaneVector<L>& out) {
    addScaled<L>(v, along, L::sub(L::set1(0.0f), dotOf<L>(v, along)), out);
    return L::isGreater(dotOf<L>(out, out), L::mul(L::set1(kSameDirection), dotOf<L>(v, v)));
}

/// Any vector across `v`.
template <class L> POSELANE_INLINE_BUT_IN_WASM void anyAcross(const LaneVector<L>& v, LaneVector<L>& out) {
    const typename L::Floats zero = L::set1(0.0f);
    const LaneVector<L> aboutZ = {L::sub(zero, v[1]), v[0], zero}, aboutX = {zero, L::sub(zero, v[2]), v[1]};
    choose<L>(L::isGreater(L::abs(v[0]), L::abs(v[2])), aboutZ, aboutX, out);
}

template <class L> POSELANE_INLINE_BUT_IN_WASM void loadRows(const float* global, LaneRows<L>& m) {
    each<9>([&](auto i) POSELANE_INLINED { m[i / 3][i % 3] = L::load(global + (i / 3 * 4 + i % 3) * kPoses); });
}

template <class L> POSELANE_INLINE_BUT_IN_WASM void loadOrigin(const float* global, LaneVector<L>& p) {
    each<3>([&](auto i) POSELANE_INLINED { p[i] = L::load(global + (i * 4 + 3) * kPoses); });
}

inline const float* globalAt(const float* globals, int place) {
    return globals + static_cast<size_t>(place) * kGlobalFloats * kPoses;
}

/// For directions of model space into the space of a place's parent: the inverse of its global's 3x3 part. Zeros have
/// no inverse: it has NaNs.
template <class L> void intoParent(const SlotsView& slots, const float* globals, int place, LaneRows<L>& inverse) {
    const int parent = slots.parents[place];
    if (parent < 0) {
        each<9>([&](auto i) POSELANE_INLINED { inverse[i / 3][i % 3] = L::set1(i % 4 == 0 ? 1.0f : 0.0f); });
        return;
    }
    LaneRows<L> m, columns;
    loadRows<L>(globalAt(globals, parent), m);
    each<3>([&](auto i) POSELANE_INLINED { crossOf<L>(m[(i + 1) % 3], m[(i + 2) % 3], columns[i]); });
    const typename L::Floats scale = L::div(L::set1(1.0f), dotOf<L>(m[0], columns[0]));
    each<9>([&](auto i) POSELANE_INLINED { inverse[i / 3][i % 3] = L::mul(columns[i % 3][i / 3], scale); });
}

/// The factors of the axis and of 1 in a quaternion, of any length, that turns by an angle.
template <class L>
POSELANE_INLINE_BUT_IN_WASM void halve(typename L::Floats cosine, typename L::Floats sine, typename L::Floats& axis,
                                       typename L::Floats& real) {
    const typename L::Floats one = L::set1(1.0f);
    const typename L::Mask isObtuse = L::isGreater(L::set1(0.0f), cosine);
    axis = L::select(isObtuse, L::sub(one, cosine), sine);
    real = L::select(isObtuse, sine, L::add(one, cosine));
}

/// The quaternion of these parts, of any length, with a last component that is not negative.
template <class L>
POSELANE_INLINE_BUT_IN_WASM void finish(const LaneVector<L>& axis, typename L::Floats real, LaneQuat<L>& q) {
    const typename L::Floats negative = L::negativeSigns(real);
    each<3>([&](auto i) POSELANE_INLINED { q[i] = L::flip(axis[i], negative); });
    q[3] = L::flip(real, negative);
    normalizeQuat<L>(q);
}

/// Directions that a turn moves onto each other, of any lengths.
template <class L> struct LaneTurn {
    /// Moves to `target`.
    LaneVector<L> forward;
    /// Its part across `forward` moves to that of `pole` across `target`.
    LaneVector<L> up;
    LaneVector<L> target;
    /// Where it is zeros or along `target`, as where `up` is along `forward`, the turn is the shortest one.
    LaneVector<L> pole;
    /// Cosine and sine of a further turn about `target`.
    typename L::Floats cosine, sine;
};

/// The rotation of a turn. Its last component is not negative.
template <class L> void turn(LaneTurn<L>& of, LaneQuat<L>& q) {
    using Floats = typename L::Floats;
    const Floats zero = L::set1(0.0f), one = L::set1(1.0f);
    LaneVector<L>&u = of.forward, &t = of.target;
    normalize<L>(u);
    normalize<L>(t);
    LaneVector<L> g, h, other;
    const typename L::Mask hasUp = across<L>(of.up, u, g);
    anyAcross<L>(u, other);
    choose<L>(hasUp, g, other, g);
    normalize<L>(g);

    // By the shortest arc, g moves to h; where that arc is half a turn, it is one about g.
    const Floats c = dotOf<L>(u, t), onePlusC = L::add(one, c);
    LaneVector<L> sum;
    addScaled<L>(u, t, one, sum);
    const Floats back = L::div(dotOf<L>(g, t), onePlusC);
    addScaled<L>(g, sum, L::select(L::isGreater(onePlusC, L::set1(1e-6f)), L::sub(zero, back), zero), other);
    (void)across<L>(other, t, h);
    const typename L::Mask hasPole = across<L>(of.pole, t, other);
    choose<L>(hasPole, other, h, other);
    choose<L>(hasUp, other, h, h);
    normalize<L>(h);
    crossOf<L>(t, h, other);
    scale<L>(h, of.cosine);
    addScaled<L>(h, other, of.sine, h);

    // From u, g to t, h: half a turn about g where t is farther than a right angle from u, the shortest arc, then a
    // turn about t. The products are written out, so that no step divides by a small number.
    const typename L::Mask isFar = L::isGreater(zero, c);
    scale<L>(u, L::select(isFar, L::set1(-1.0f), one));
    const Floats w = L::add(one, L::abs(c));
    addScaled<L>(u, t, one, sum);
    addScaled<L>(g, sum, L::sub(zero, L::div(dotOf<L>(g, t), w)), other);
    LaneVector<L> axis;
    crossOf<L>(other, h, axis);
    Floats x, y;
    halve<L>(dotOf<L>(other, h), dotOf<L>(axis, t), x, y);
    crossOf<L>(u, t, axis);
    scale<L>(axis, y);
    addScaled<L>(axis, sum, x, axis);
    const Floats real = L::mul(y, w);
    crossOf<L>(axis, g, other);
    addScaled<L>(other, g, real, other);
    const Floats farReal = L::sub(zero, dotOf<L>(axis, g));
    choose<L>(isFar, other, axis, axis);
    finish<L>(axis, L::select(isFar, farReal, real), q);
}

/// A part of a rotation, from none at 0 to all at 1.
template <class L> POSELANE_INLINE_BUT_IN_WASM void takePart(LaneQuat<L>& q, typename L::Floats amount) {
    const typename L::Floats rest = L::sub(L::set1(1.0f), amount);
    each<4>([&](auto i) POSELANE_INLINED { q[i] = L::mul(q[i], amount); });
    q[3] = L::add(q[3], rest);
    normalizeQuat<L>(q);
}

/// q x the rotation of a local transform. Returns the square of its length.
template <class L>
POSELANE_INLINE_BUT_IN_WASM typename L::Floats turned(const LaneQuat<L>& q, const float* local, LaneQuat<L>& result) {
    LaneQuat<L> own;
    loadQuat<L>(local + 3 * kPoses, own);
    multiply<L>(q, own, result);
    return squareOf<L>(result);
}

/// Whether to store a turn: it has a weight, and its square is finite.
template <class L>
POSELANE_ALWAYS_INLINE typename L::Mask isTurn(typename L::Floats square, typename L::Floats amount) {
    const typename L::Floats infinity = L::set1(INFINITY);
    return L::isGreater(infinity, L::select(L::isGreater(amount, L::set1(0.0f)), square, infinity));
}

template <class L>
POSELANE_INLINE_BUT_IN_WASM void storeTurned(typename L::Mask mask, float* local, const LaneQuat<L>& result) {
    each<4>([&](auto i) POSELANE_INLINED { L::storeWhere(mask, local + (3 + i) * kPoses, result[i]); });
}

/// The same vector for all poses.
template <class L> POSELANE_INLINE_BUT_IN_WASM void spread(const float* list, LaneVector<L>& v) {
    each<3>([&](auto i) POSELANE_INLINED { v[i] = L::set1(list[i]); });
}

} // namespace
} // namespace poselane
