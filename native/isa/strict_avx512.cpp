// SPDX-License-Identifier: MIT
#include "isa.h"

#include "../lanes/avx512_mats.h"

#include "../kernels/table.h"
#include "../rig/lanes_16.h"
#include "../rig/lanes_4.h"
#include "../rig/table.h"

namespace poselane {

const Kernels kStrictAvx512 = kernelsOverLanes("strict/avx512");
const RigKernels kStrictAvx512Rig = rigKernelsOver<Lanes16, Lanes4>("strict/avx512");

} // namespace poselane
