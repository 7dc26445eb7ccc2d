// SPDX-License-Identifier: MIT
//
// Slerp without trigonometry, after the equations and Table 1 of David Eberly, "A Fast and Accurate Algorithm for
// Computing SLERP", Journal of Graphics, GPU, and Game Tools 15:3 (2011), in code of our own. With x = cos(theta),
//
//     sin(t * theta) / sin(theta) ~ t * (1 + b[0] * (1 + b[1] * (1 + ... (1 + b[n-1]))))         (equations 18, 20)
//     b[i] = (u[i] * t * t - v[i]) * (x - 1)                                                      (equation 21)
//     u[i] = 1 / ((i + 1) * (2 * i + 3)), v[i] = (i + 1) / (2 * i + 3), the last pair times 1 + mu[n]
//
// The article bounds the error by its table's e[n], but that holds at x = 0 only: between 0 and 1 it is up to 35 times
// as large (2.6e-5 for n = 8, not 1.3e-6).
//
// One order of operations, therefore the same bits, in all four: cos = (x*x + z*z) + (y*y + w*w); the brackets from the
// innermost outwards, as 1 + b * (what is inside); result = f(1 - t) * q0 + (+-f(t)) * q1. The article's Table 2 times
// FPU, SSE1, SSE2 and SSE4, and does not list the last two; here they are what it says of them.
// The sign is that of a cosine below 0, so that -0 turns nothing round.
#include "papers.h"

#include <math.h>
#include <stddef.h>

#ifdef POSELANE_HAVE_SSE2
#include <emmintrin.h>
#endif

namespace poselane {
namespace {

constexpr int kMaxTerms = 16;

/// mu[n], from n = 1: Table 1, recomputed with 40 digits, because the last printed digits are wrong.
constexpr double kMu[kMaxTerms] = {
    0.62943436108234548, 0.73965850021314065, 0.79701067629567248, 0.83291820510336339,
    0.85772477879042090, 0.87596835698903144, 0.88998444919713745, 0.90110745351739949,
    0.91015881189935671, 0.91767344933041668, 0.92401541194205542, 0.92944142668268624,
    0.93413793373486437, 0.93824371263539795, 0.94186426367124459, 0.94508125971469205,
};

/// u and v for one n. Elements beyond n are never used.
struct alignas(16) Series {
    float u[kMaxTerms];
    float v[kMaxTerms];
};

struct AllSeries {
    Series ofTerms[kMaxTerms + 1];
};

constexpr AllSeries MakeAllSeries() {
    AllSeries all = {};
    for (int n = 1; n <= kMaxTerms; n++) {
        for (int i = 0; i < n; i++) {
            const double factor = i == n - 1 ? 1 + kMu[n - 1] : 1;
            all.ofTerms[n].u[i] = static_cast<float>(factor / ((i + 1) * (2 * i + 3)));
            all.ofTerms[n].v[i] = static_cast<float>(factor * (i + 1) / (2 * i + 3));
        }
    }
    return all;
}

constexpr AllSeries kAllSeries = MakeAllSeries();

} // namespace

namespace eberly_fpu {
namespace {

Quaternion SlerpFpu(const Quaternion& q0, const Quaternion& q1, float t, const Series& series, int terms) {
    const float cosine = (q0.x * q1.x + q0.z * q1.z) + (q0.y * q1.y + q0.w * q1.w);
    const bool turn = cosine < 0.0f;
    const float xMinus1 = (turn ? -cosine : cosine) - 1.0f;
    const float t0 = 1.0f - t, square0 = t0 * t0, square1 = t * t;
    float nested0 = 1.0f, nested1 = 1.0f;
    for (int i = terms - 1; i >= 0; i--) {
        nested0 = 1.0f + (series.u[i] * square0 - series.v[i]) * xMinus1 * nested0;
        nested1 = 1.0f + (series.u[i] * square1 - series.v[i]) * xMinus1 * nested1;
    }
    const float f0 = t0 * nested0;
    const float f1 = turn ? -(t * nested1) : t * nested1;
    return {f0 * q0.x + f1 * q1.x, f0 * q0.y + f1 * q1.y, f0 * q0.z + f1 * q1.z, f0 * q0.w + f1 * q1.w};
}

} // namespace

void Slerp(Quaternion* result, const Quaternion* from, const Quaternion* to, float t, int count) {
    for (int i = 0; i < count; i++) {
        const Quaternion q0 = from[i], q1 = to[i];
        const float cosine = (q0.x * q1.x + q0.z * q1.z) + (q0.y * q1.y + q0.w * q1.w);
        const float absCosine = cosine < 0.0f ? -cosine : cosine;
        float f0 = 1.0f, f1 = 0.0f;
        if (absCosine < 1.0f) {
            const double angle = acos(static_cast<double>(absCosine));
            const double inverseSine = 1.0 / sin(angle);
            f0 = static_cast<float>(sin((1.0 - static_cast<double>(t)) * angle) * inverseSine);
            f1 = static_cast<float>(sin(static_cast<double>(t) * angle) * inverseSine);
        }
        f1 = cosine < 0.0f ? -f1 : f1;
        result[i] = {f0 * q0.x + f1 * q1.x, f0 * q0.y + f1 * q1.y, f0 * q0.z + f1 * q1.z, f0 * q0.w + f1 * q1.w};
    }
}

void SlerpQuats(Quaternion* result, const Quaternion* from, const Quaternion* to, float t, int count, int terms) {
    const Series& series = kAllSeries.ofTerms[terms];
    for (int i = 0; i < count; i++) {
        result[i] = SlerpFpu(from[i], to[i], t, series, terms);
    }
}

void SlerpQuatTimes(Quaternion* result, const Quaternion& q0, const Quaternion& q1, const float* t, int count,
                    int terms) {
    const Series& series = kAllSeries.ofTerms[terms];
    const Quaternion a = q0, b = q1;
    for (int i = 0; i < count; i++) {
        result[i] = SlerpFpu(a, b, t[i], series, terms);
    }
}

} // namespace eberly_fpu

#ifdef POSELANE_HAVE_SSE2

namespace {

template <int lane> __m128 Spread(__m128 v) { return _mm_shuffle_ps(v, v, _MM_SHUFFLE(lane, lane, lane, lane)); }

__m128 Load(const Quaternion& q) { return _mm_loadu_ps(&q.x); }

void Store(Quaternion& q, __m128 v) { _mm_storeu_ps(&q.x, v); }

/// The cosine of one pair, in every lane.
__m128 Cosine(__m128 q0, __m128 q1) {
    const __m128 products = _mm_mul_ps(q0, q1);
    const __m128 halves = _mm_add_ps(products, _mm_movehl_ps(products, products)); // x + z, y + w
    return _mm_add_ps(Spread<0>(halves), Spread<1>(halves));
}

/// The sign bit where a cosine is below 0.
__m128 Turn(__m128 cosine) { return _mm_and_ps(_mm_cmplt_ps(cosine, _mm_setzero_ps()), _mm_set1_ps(-0.0f)); }

__m128 OneMinus(__m128 t) { return _mm_sub_ps(_mm_set1_ps(1.0f), t); }

__m128 MinusOne(__m128 x) { return _mm_sub_ps(x, _mm_set1_ps(1.0f)); }

/// b for one or several i, as equation 21 has it.
__m128 Factor(__m128 u, __m128 v, __m128 square, __m128 xMinus1) {
    return _mm_mul_ps(_mm_sub_ps(_mm_mul_ps(u, square), v), xMinus1);
}

/// One bracket.
__m128 Nest(__m128 b, __m128 nested) { return _mm_add_ps(_mm_set1_ps(1.0f), _mm_mul_ps(b, nested)); }

/// f0 * q0 + f1 * q1.
__m128 Mix(__m128 f0, __m128 q0, __m128 f1, __m128 q1) { return _mm_add_ps(_mm_mul_ps(f0, q0), _mm_mul_ps(f1, q1)); }

/// f of four times, each with a cosine of its own.
__m128 FourCoefficients(__m128 t, __m128 xMinus1, const Series& series, int terms) {
    const __m128 square = _mm_mul_ps(t, t);
    __m128 nested = _mm_set1_ps(1.0f);
    for (int i = terms - 1; i >= 0; i--) {
        nested = Nest(Factor(_mm_set1_ps(series.u[i]), _mm_set1_ps(series.v[i]), square, xMinus1), nested);
    }
    return _mm_mul_ps(t, nested);
}

} // namespace

namespace eberly_sse1 {
namespace {

/// The bracket of coefficient `lane` of four, for both times.
template <int lane> void NestBoth(__m128 b0, __m128 b1, __m128& nested0, __m128& nested1) {
    nested0 = Nest(Spread<lane>(b0), nested0);
    nested1 = Nest(Spread<lane>(b1), nested1);
}

__m128 Slerp(__m128 q0, __m128 q1, float time, const Series& series, int terms) {
    const __m128 cosine = Cosine(q0, q1);
    const __m128 turn = Turn(cosine);
    const __m128 xMinus1 = MinusOne(_mm_xor_ps(cosine, turn));
    const __m128 t1 = _mm_set1_ps(time), t0 = OneMinus(t1);
    const __m128 square0 = _mm_mul_ps(t0, t0), square1 = _mm_mul_ps(t1, t1);
    __m128 nested0 = _mm_set1_ps(1.0f), nested1 = _mm_set1_ps(1.0f);
    for (int first = (terms - 1) & ~3; first >= 0; first -= 4) {
        const __m128 u = _mm_load_ps(series.u + first), v = _mm_load_ps(series.v + first);
        const __m128 b0 = Factor(u, v, square0, xMinus1), b1 = Factor(u, v, square1, xMinus1);
        switch (terms - first) {
        default:
            NestBoth<3>(b0, b1, nested0, nested1);
            [[fallthrough]];
        case 3:
            NestBoth<2>(b0, b1, nested0, nested1);
            [[fallthrough]];
        case 2:
            NestBoth<1>(b0, b1, nested0, nested1);
            [[fallthrough]];
        case 1:
            NestBoth<0>(b0, b1, nested0, nested1);
        }
    }
    const __m128 f0 = _mm_mul_ps(t0, nested0);
    const __m128 f1 = _mm_xor_ps(_mm_mul_ps(t1, nested1), turn);
    return Mix(f0, q0, f1, q1);
}

} // namespace

void SlerpQuats(Quaternion* result, const Quaternion* from, const Quaternion* to, float t, int count, int terms) {
    const Series& series = kAllSeries.ofTerms[terms];
    for (int i = 0; i < count; i++) {
        Store(result[i], Slerp(Load(from[i]), Load(to[i]), t, series, terms));
    }
}

void SlerpQuatTimes(Quaternion* result, const Quaternion& q0, const Quaternion& q1, const float* t, int count,
                    int terms) {
    const Series& series = kAllSeries.ofTerms[terms];
    const __m128 a = Load(q0), b = Load(q1);
    for (int i = 0; i < count; i++) {
        Store(result[i], Slerp(a, b, t[i], series, terms));
    }
}

} // namespace eberly_sse1

namespace eberly_sse2 {
namespace {

/// Two pairs (a and b), each at a time of its own. Lanes: a at ta, a at 1 - ta, b at tb, b at 1 - tb.
void SlerpTwo(__m128 a0, __m128 a1, __m128 b0, __m128 b1, float ta, float tb, const Series& series, int terms,
              __m128& resultA, __m128& resultB) {
    const __m128 cosine = _mm_movelh_ps(Cosine(a0, a1), Cosine(b0, b1));
    const __m128 turn = Turn(cosine);
    const __m128 xMinus1 = MinusOne(_mm_xor_ps(cosine, turn));
    const __m128 t = _mm_setr_ps(ta, 1.0f - ta, tb, 1.0f - tb);
    const __m128 f = FourCoefficients(t, xMinus1, series, terms);
    const __m128 turned = _mm_xor_ps(f, turn); // lanes 0 and 2 are wanted
    resultA = Mix(Spread<1>(f), a0, Spread<0>(turned), a1);
    resultB = Mix(Spread<3>(f), b0, Spread<2>(turned), b1);
}

} // namespace

void SlerpQuats(Quaternion* result, const Quaternion* from, const Quaternion* to, float t, int count, int terms) {
    const Series& series = kAllSeries.ofTerms[terms];
    for (ptrdiff_t i = 0; i < count; i += 2) {
        // The last of an odd number is its own companion.
        const ptrdiff_t j = count - i > 1 ? i + 1 : i;
        __m128 resultI, resultJ;
        SlerpTwo(Load(from[i]), Load(to[i]), Load(from[j]), Load(to[j]), t, t, series, terms, resultI, resultJ);
        Store(result[i], resultI);
        Store(result[j], resultJ);
    }
}

void SlerpQuatTimes(Quaternion* result, const Quaternion& q0, const Quaternion& q1, const float* t, int count,
                    int terms) {
    const Series& series = kAllSeries.ofTerms[terms];
    const __m128 a = Load(q0), b = Load(q1);
    for (ptrdiff_t i = 0; i < count; i += 2) {
        const ptrdiff_t j = count - i > 1 ? i + 1 : i;
        __m128 resultI, resultJ;
        SlerpTwo(a, b, a, b, t[i], t[j], series, terms, resultI, resultJ);
        Store(result[i], resultI);
        Store(result[j], resultJ);
    }
}

} // namespace eberly_sse2

namespace eberly_sse4 {
namespace {

/// Four quaternions by component, or a component of each.
struct Four {
    __m128 x, y, z, w;
};

Four Transposed(Four rows) {
    _MM_TRANSPOSE4_PS(rows.x, rows.y, rows.z, rows.w);
    return rows;
}

/// Four pairs, each at a time of its own.
Four SlerpFour(const Four& q0, const Four& q1, __m128 t, const Series& series, int terms) {
    const __m128 cosine = _mm_add_ps(Mix(q0.x, q1.x, q0.z, q1.z), Mix(q0.y, q1.y, q0.w, q1.w));
    const __m128 turn = Turn(cosine);
    const __m128 xMinus1 = MinusOne(_mm_xor_ps(cosine, turn));
    const __m128 f0 = FourCoefficients(OneMinus(t), xMinus1, series, terms);
    const __m128 f1 = _mm_xor_ps(FourCoefficients(t, xMinus1, series, terms), turn);
    return {Mix(f0, q0.x, f1, q1.x), Mix(f0, q0.y, f1, q1.y), Mix(f0, q0.z, f1, q1.z), Mix(f0, q0.w, f1, q1.w)};
}

/// Where lane `lane` of the group that begins at `i` reads and writes: past the end, the last element once more.
ptrdiff_t At(ptrdiff_t i, int lane, int count) { return count - i > lane ? i + lane : count - 1; }

Four LoadFour(const Quaternion* q, ptrdiff_t i, int count) {
    return Transposed({Load(q[i]), Load(q[At(i, 1, count)]), Load(q[At(i, 2, count)]), Load(q[At(i, 3, count)])});
}

void StoreFour(Quaternion* q, ptrdiff_t i, int count, const Four& columns) {
    const Four rows = Transposed(columns);
    Store(q[i], rows.x);
    Store(q[At(i, 1, count)], rows.y);
    Store(q[At(i, 2, count)], rows.z);
    Store(q[At(i, 3, count)], rows.w);
}

Four SpreadFour(const Quaternion& q) {
    return {_mm_set1_ps(q.x), _mm_set1_ps(q.y), _mm_set1_ps(q.z), _mm_set1_ps(q.w)};
}

} // namespace

void SlerpQuats(Quaternion* result, const Quaternion* from, const Quaternion* to, float t, int count, int terms) {
    const Series& series = kAllSeries.ofTerms[terms];
    for (ptrdiff_t i = 0; i < count; i += 4) {
        const Four q0 = LoadFour(from, i, count);
        const Four q1 = LoadFour(to, i, count);
        StoreFour(result, i, count, SlerpFour(q0, q1, _mm_set1_ps(t), series, terms));
    }
}

void SlerpQuatTimes(Quaternion* result, const Quaternion& q0, const Quaternion& q1, const float* t, int count,
                    int terms) {
    const Series& series = kAllSeries.ofTerms[terms];
    const Four a = SpreadFour(q0), b = SpreadFour(q1);
    for (ptrdiff_t i = 0; i < count; i += 4) {
        const __m128 times = _mm_setr_ps(t[i], t[At(i, 1, count)], t[At(i, 2, count)], t[At(i, 3, count)]);
        StoreFour(result, i, count, SlerpFour(a, b, times, series, terms));
    }
}

} // namespace eberly_sse4

#endif

} // namespace poselane
