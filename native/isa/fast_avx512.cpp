// SPDX-License-Identifier: MIT
#include "isa.h"

// Fused multiply-adds and fewer terms.
#define POSELANE_FAST 1
#include "../lanes/avx512_mats.h"

#include "../kernels/table.h"

namespace poselane {

const Kernels kFastAvx512 = kernelsOverLanes("fast/avx512");

} // namespace poselane
