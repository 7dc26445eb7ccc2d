// SPDX-License-Identifier: MIT

// Fused multiply-adds and fewer terms.
#define POSELANE_FAST 1
#include "isa.h"

#include "../lanes/avx512/mats.h"

#include "../kernels/table.h"

namespace poselane {

constexpr Kernels kTable = kernelsOverLanes("fast/avx512");

const Kernels kFastAvx512 = kTable;

} // namespace poselane
