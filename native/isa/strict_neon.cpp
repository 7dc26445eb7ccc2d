// SPDX-License-Identifier: MIT
#include "isa.h"

#include "../lanes/four/mats.h"

#include "../kernels/table.h"
#include "../lanes/four/rig.h"
#include "../lanes/four/skin.h"
#include "../rig/table.h"

namespace poselane {

constexpr Kernels kTable = kernelsOverLanes("strict/neon");
constexpr RigKernels kRigTable = rigKernelsOver<Lanes4, Lanes4, SkinLanes4>("strict/neon");

const Kernels kStrictNeon = kTable;
const RigKernels kStrictNeonRig = kRigTable;

} // namespace poselane
