// SPDX-License-Identifier: MIT
#include "isa.h"

#include "../lanes/avx2_mats.h"

#include "../kernels/table.h"
#include "../rig/lanes_4.h"
#include "../rig/lanes_8.h"
#include "../rig/table.h"

namespace poselane {

const Kernels kStrictAvx2 = kernelsOverLanes("strict/avx2");
const RigKernels kStrictAvx2Rig = rigKernelsOver<Lanes8, Lanes4>("strict/avx2");

} // namespace poselane
