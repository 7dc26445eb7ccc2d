// SPDX-License-Identifier: MIT
//
// The one routine of "Slerping Clock Cycles" that papers.h cannot declare beside the others:
// from_quaternion_to_matrix_and_back.cpp has its own routine of this name, as its paper does, and includes papers.h.
#pragma once

namespace poselane {
namespace paper_c {

/// 1 / sqrt(x) for x > 0, without a division, to 1.75e-3 (relative): the published single Newton step.
float ReciprocalSqrt(float x);

} // namespace paper_c
} // namespace poselane
