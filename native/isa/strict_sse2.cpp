// SPDX-License-Identifier: MIT
#include "isa.h"

#include "../lanes/four/mats.h"

#include "../kernels/table.h"
#include "../lanes/four/rig.h"
#include "../lanes/four/skin.h"
#include "../rig/table.h"

namespace poselane {

constexpr Kernels kTable = kernelsOverLanes("strict/sse2");
constexpr RigKernels kRigTable = rigKernelsOver<Lanes4, Lanes4, SkinLanes4>("strict/sse2");

const Kernels kStrictSse2 = kTable;
const RigKernels kStrictSse2Rig = kRigTable;

} // namespace poselane
