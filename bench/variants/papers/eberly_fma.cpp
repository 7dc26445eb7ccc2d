// SPDX-License-Identifier: MIT
//
// Eberly's article, section 5.2: on a processor that has them, fused multiply-adds evaluate the nested expression.
// Compiled with -mfma and -ffp-contract=fast, by which the compiler fuses what it can of the very same code.
#include "variants.h"

#define eberly_fpu eberly_fpu_fma
#define eberly_sse1 eberly_sse1_fma
#define eberly_sse2 eberly_sse2_fma
#define eberly_sse4 eberly_sse4_fma
#include "../../../native/papers/eberly.cpp"
