// SPDX-License-Identifier: MIT
//
// Poses in lanes, in plain C++: one. This file defines the functions that the other rig.h implement for 4, 8 or 16
// poses at once.
//
// `Floats` has one number of each of kWidth poses. A quad is four numbers of one pose, neighbors in memory: rows of
// keys are gathered as quads and turned into Floats, and matrices are turned into quads to be stored. Four vectors of
// quads hold those of kWidth poses: pose 4q + i is quarter q of vector i (of fewer than four poses, each is a vector).
#pragma once

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../../core/each.h"
#include "floats.h"

namespace poselane {
namespace {

struct Lanes1 : Floats1 {
    /// Vectors of quads.
    static constexpr int kQuads = 1;
    struct Quads {
        float part[4];
    };
    using Mask = bool;

    /// min(1, a)
    static Floats clampToOne(Floats a) { return 1.0f < a ? 1.0f : a; }

    static Mask isGreater(Floats a, Floats b) { return a > b; }
    static Mask isZero(Floats a) { return a == 0.0f; }
    static bool all(Mask mask) { return mask; }

    using Ints = uint32_t;
    static Ints setInts(uint32_t x) { return x; }
    static Ints loadInts(const uint32_t* p) { return *p; }
    static void storeInts(uint32_t* p, Ints x) { *p = x; }
    static Ints addInts(Ints a, Ints b) { return a + b; }
    static Ints mulInts(Ints a, Ints b) { return a * b; }
    /// a + b where the mask is true, otherwise a.
    static Ints addWhere(Mask mask, Ints a, Ints b) { return mask ? a + b : a; }
    static Floats select(Mask mask, Floats a, Floats b) { return mask ? a : b; }
    static bool any(Mask mask) { return mask; }
    /// The lowest kWidth bits.
    static Mask maskOf(unsigned bits) { return (bits & 1) != 0; }
    /// -0 where the mask is true, otherwise 0.
    static Floats signs(Mask mask) { return mask ? -0.0f : 0.0f; }
    static Floats negativeSigns(Floats a) { return signs(a < 0.0f); }
    static Floats flip(Floats a, Floats signs) { return signbit(signs) ? -a : a; }
    static Floats bothSigns(Floats a, Floats b) { return signs(signbit(a) && signbit(b)); }
    static void storeWhere(Mask mask, float* p, Floats x) { *p = mask ? x : *p; }

    /// (time - start) / (next - start) and next - start, in doubles that are rounded in the end.
    static Floats fraction(const double* time, Floats start, Floats next, Floats& interval) {
        const double from = start, seconds = next - from;
        interval = static_cast<float>(seconds);
        return static_cast<float>((*time - from) / seconds);
    }

    /// The quads at rows[4q].
    static Quads gather(const float* values, const uint32_t* rows) { return loadQuads(values + rows[0]); }
    static Quads loadQuads(const float* p) {
        Quads q;
        memcpy(q.part, p, sizeof(q.part));
        return q;
    }
    /// The first three numbers of a quad.
    static void storeThree(float* p, const Quads& quads) { memcpy(p, quads.part, 3 * sizeof(float)); }
    /// The times of quarter i's poses, as often as a quad has numbers.
    template <int i> static Floats everyElement(Floats x) { return x; }
    /// a + (t b - t a)
    static Quads mix(Quads a, Quads b, Floats t) {
        for (int i = 0; i < 4; i++) {
            a.part[i] = a.part[i] + (t * b.part[i] - t * a.part[i]);
        }
        return a;
    }

    /// The rows at rows[4q], pointers or offsets, to gather several quads from each.
    struct Rows {
        const float* row[1];

        POSELANE_ALWAYS_INLINE Rows(const float* values, const uint32_t* rows) : row{values + rows[0]} {}
        explicit POSELANE_ALWAYS_INLINE Rows(const float* const* rows) : row{rows[0]} {}
        template <int at> POSELANE_ALWAYS_INLINE Quads gather() const { return loadQuads(row[0] + at); }
    };
    /// Writes a cache line, `to` at its start, past the caches where the CPU can do that.
    static void streamLine(float* to, const float* from) { memcpy(to, from, 16 * sizeof(float)); }
    static POSELANE_ALWAYS_INLINE void toFloats(const Quads (&quads)[kQuads], Floats (&floats)[4]) {
        memcpy(floats, quads[0].part, sizeof(floats));
    }

    /// Stores `quads` quads of each pose: those of the i-th at `at(i)`. `quad(n, floats)` gives the n-th.
    template <int quads, class At, class Quad> static POSELANE_ALWAYS_INLINE void storeQuads(At at, Quad quad) {
        each<quads>([&](auto n) POSELANE_INLINED {
            Floats floats[4];
            quad(n, floats);
            memcpy(at(0) + n * 4, floats, sizeof(floats));
        });
    }
};

} // namespace
} // namespace poselane
