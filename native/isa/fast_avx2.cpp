// SPDX-License-Identifier: MIT
#include "isa.h"

// Fused multiply-adds and fewer terms.
#define POSELANE_FAST 1
#include "../lanes/avx2_mats.h"

#include "../kernels/table.h"

namespace poselane {

const Kernels kFastAvx2 = kernelsOverLanes("fast/avx2");

} // namespace poselane
