// SPDX-License-Identifier: MIT
//
// The four floats of this processor: the only file of an instruction set of that width.
#pragma once

#if defined(__aarch64__) || defined(_M_ARM64)
#include "../neon/floats.h"
#elif defined(__wasm_simd128__)
#include "../wasm/floats.h"
#else
#include "../sse2/floats.h"
#endif
