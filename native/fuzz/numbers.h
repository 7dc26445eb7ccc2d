// SPDX-License-Identifier: MIT
//
// Floats for the fuzz targets' lists.
#pragma once

#include <math.h>

#include "input.h"

namespace poselane {

enum class Numbers { around0, special, anyBits, fromInput, mixed, count };

inline float specialFloat(Input& input) {
    constexpr uint32_t kBits[] = {
        0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x3f000000, 0xbf000000, 0x3f3504f3, 0xbf3504f3,
        0x3f7fffff, 0x3f800001, 0x00000001, 0x80000001, 0x007fffff, 0x00800000, 0x80800000, 0x7f7fffff,
        0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000, 0x7f800001, 0x7149f2ca, 0x5f3759df,
    };
    return floatOf(kBits[input.randomBelow(sizeof(kBits) / sizeof(kBits[0]))]);
}

inline float drawFloat(Input& input, Numbers numbers) {
    switch (numbers) {
    case Numbers::special:
        return specialFloat(input);
    case Numbers::anyBits:
        return floatOf(input.random());
    case Numbers::fromInput:
        return floatOf(input.word());
    case Numbers::mixed:
        return input.randomBelow(6) == 0 ? specialFloat(input) : input.around0() * 3.0f;
    default:
        return input.around0();
    }
}

inline void drawFloats(Input& input, Numbers numbers, float* list, size_t count) {
    for (size_t i = 0; i < count; i++) {
        list[i] = drawFloat(input, numbers);
    }
}

/// A unit quaternion, rounded to float.
inline void drawRotation(Input& input, float* q) {
    double square = 0.0;
    do {
        square = 0.0;
        for (int i = 0; i < 4; i++) {
            q[i] = input.around0();
            square += static_cast<double>(q[i]) * static_cast<double>(q[i]);
        }
    } while (square < 0.01);
    const double scale = 1.0 / sqrt(square);
    for (int i = 0; i < 4; i++) {
        q[i] = static_cast<float>(q[i] * scale);
    }
}

/// The second quaternion of a pair: anywhere, near the first (by 1e-8 ... 1e-2) or near its opposite, the same, its
/// opposite, or at a right angle.
inline void drawPartner(Input& input, const float* q, float* partner) {
    drawRotation(input, partner);
    const int kind = input.randomBelow(8);
    if (kind < 3) {
        return;
    }
    double mixed[4] = {q[2], q[3], -static_cast<double>(q[0]), -static_cast<double>(q[1])};
    if (kind != 7) {
        constexpr double kAngles[] = {0.0, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3};
        const double angle = kAngles[input.randomBelow(7)] * (1.0 + 9.0 * static_cast<double>(input.unit()));
        const double sign = kind < 5 ? 1.0 : -1.0;
        for (int i = 0; i < 4; i++) {
            mixed[i] = sign * (static_cast<double>(q[i]) + angle * static_cast<double>(partner[i]));
        }
    }
    const double length = sqrt(mixed[0] * mixed[0] + mixed[1] * mixed[1] + mixed[2] * mixed[2] + mixed[3] * mixed[3]);
    for (int i = 0; i < 4; i++) {
        partner[i] = static_cast<float>(mixed[i] / length);
    }
}

/// Within 0 ... 1, often at the ends and next to them.
inline float drawUsualTime(Input& input) {
    constexpr float kTimes[] = {0.0f, 1.0f, 0.5f, 0x1p-149f, 0x1p-24f, 1.0f - 0x1p-24f, 0.5f + 0x1p-24f, 0.25f};
    return input.randomBelow(4) == 0 ? kTimes[input.randomBelow(8)] : input.unit();
}

/// Any number at all, mostly a usual one.
inline float drawTime(Input& input) {
    const int kind = input.randomBelow(8);
    return kind == 0 ? floatOf(input.random()) : kind == 1 ? specialFloat(input) : drawUsualTime(input);
}

/// Which NaN is not promised: all of them are made the same.
inline uint32_t comparable(float number) {
    const uint32_t bits = bitsOf(number);
    return (bits & 0x7fffffff) > 0x7f800000 ? 0x7fc00000 : bits;
}

/// The first place where two lists are not the same, or `count`.
inline size_t firstDifference(const float* a, const float* b, size_t count) {
    size_t i = 0;
    while (i < count && comparable(a[i]) == comparable(b[i])) {
        i++;
    }
    return i;
}

} // namespace poselane
