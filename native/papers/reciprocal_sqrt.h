// SPDX-License-Identifier: LGPL-2.1-or-later
//
//     Copyright (C) 2005 Id Software, Inc.
//     Written by J.M.P. van Waveren
//
//     This code is free software; you can redistribute it and/or
//     modify it under the terms of the GNU Lesser General Public
//     License as published by the Free Software Foundation; either
//     version 2.1 of the License, or (at your option) any later version.
//
//     This code is distributed in the hope that it will be useful,
//     but WITHOUT ANY WARRANTY; without even the implied warranty of
//     MERCHANTABILITY or FITNESS FOR A PARTICULAR PURPOSE. See the GNU
//     Lesser General Public License for more details.
//
// ReciprocalSqrt, which "Slerping Clock Cycles" (section 5) and "From Quaternion to Matrix and Back" (section 4) share.
// Changed in this port: the `long` of 2005 is 32 bits wide everywhere, and unsigned, so that no x makes the subtraction
// overflow.
#pragma once

#include <stdint.h>
#include <string.h>

namespace poselane {
namespace paper_c {
// Unnamed, so that each file's loops have it inline.
namespace {

/// 1 / sqrt(x) for x > 0, without a division: one Newton step, relative error 1.75e-3.
inline float ReciprocalSqrtC(float x) {
    uint32_t i;
    float r;
    const float y = x * 0.5f;
    memcpy(&i, &x, sizeof i);
    i = 0x5f3759df - (i >> 1);
    memcpy(&r, &i, sizeof r);
    r = r * (1.5f - r * r * y);
    return r;
}

} // namespace
} // namespace paper_c
} // namespace poselane
