// SPDX-License-Identifier: MIT

// Fused multiply-adds and fewer terms.
#define POSELANE_FAST 1
#include "isa.h"

#include "../lanes/avx2/mats.h"

#include "../kernels/table.h"

namespace poselane {

constexpr Kernels kTable = kernelsOverLanes("fast/avx2");

const Kernels kFastAvx2 = kTable;

} // namespace poselane
