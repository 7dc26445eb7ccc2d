// SPDX-License-Identifier: MIT
//
// Every kernel needs a compiler that rounds each float operation to float, by itself and in the order of the source.
// Included before everything else.
#pragma once

#include <float.h>

#if defined(__FAST_MATH__) || defined(_M_FP_FAST)
#error "compile this without -ffast-math (/fp:fast): the order of IEEE operations is an interface"
#endif

static_assert(FLT_EVAL_METHOD == 0,
              "float operations must be rounded to float: on 32-bit x86, compile this with -msse2 -mfpmath=sse");

// No contraction into FMA, whatever the command line says. GCC has no such pragma: it needs -ffp-contract=off. clang-cl
// defines _MSC_VER, too.
#ifndef POSELANE_FAST
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(_MSC_VER)
#pragma fp_contract(off)
#endif
#endif
