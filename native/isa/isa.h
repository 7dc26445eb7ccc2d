// SPDX-License-Identifier: MIT
//
// One table of kernels for each instruction set, all from the same source: native/kernels over a Lanes type of
// native/lanes. Each is defined in a translation unit of its own, which alone is compiled for that instruction set.
//
// All code that those units include is in unnamed namespaces: an inline function or template with external linkage
// could be merged with its twin from another unit, and an older CPU would then run instructions that it does not have.
// For the same reason the tables are constexpr before they are exported: nothing may have to be computed when the addon
// is loaded.
#pragma once

#include "float_arithmetic.h"

namespace poselane {

struct Kernels;
struct RigKernels;

extern const Kernels kStrictScalar;
extern const RigKernels kStrictScalarRig;
#if defined(__x86_64__) || defined(_M_X64)
#define POSELANE_HAVE_X64 1
extern const Kernels kStrictSse2;
extern const Kernels kStrictAvx2;
extern const Kernels kStrictAvx512;
extern const Kernels kFastAvx2;
extern const Kernels kFastAvx512;
extern const RigKernels kStrictSse2Rig;
extern const RigKernels kStrictAvx2Rig;
extern const RigKernels kStrictAvx512Rig;
#endif
#if defined(__aarch64__) || defined(_M_ARM64)
#define POSELANE_HAVE_ARM64 1
extern const Kernels kStrictNeon;
extern const RigKernels kStrictNeonRig;
#endif

} // namespace poselane
