// SPDX-License-Identifier: MIT
//
// For the inner part of a loop that several routines share: it is so long that compilers would call it and pass its
// registers through memory (GCC 12: SlerpJoints takes 1.4 times as long).
#pragma once

/// Before a function, and after the parameters of a lambda. (clang-cl uses the GNU form.)
#if defined(_MSC_VER) && !defined(__clang__)
#define POSELANE_ALWAYS_INLINE __forceinline
#define POSELANE_INLINED [[msvc::forceinline]]
#define POSELANE_NOINLINE __declspec(noinline)
#else
#define POSELANE_ALWAYS_INLINE inline __attribute__((always_inline))
#define POSELANE_INLINED __attribute__((always_inline))
#define POSELANE_NOINLINE __attribute__((noinline))
#endif
