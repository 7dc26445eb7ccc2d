// SPDX-License-Identifier: MIT
#include "isa.h"

#include "../lanes/sse2_mats.h"

#include "../kernels/table.h"
#include "../rig/lanes_4.h"
#include "../rig/table.h"

namespace poselane {

const Kernels kStrictSse2 = kernelsOverLanes("strict/sse2");
const RigKernels kStrictSse2Rig = rigKernelsOver<Lanes4, Lanes4>("strict/sse2");

} // namespace poselane
