// SPDX-License-Identifier: MIT
//
// For the inner part of a loop that several routines share: long enough that compilers would call it, and pass its
// registers through memory (GCC 12: SlerpJoints takes 1.4 times as long).
#pragma once

#ifdef _MSC_VER
#define POSELANE_ALWAYS_INLINE __forceinline
#else
#define POSELANE_ALWAYS_INLINE inline __attribute__((always_inline))
#endif
