// SPDX-License-Identifier: MIT
#include "isa.h"

#include "../lanes/neon_mats.h"

#include "../kernels/table.h"
#include "../rig/lanes_neon.h"
#include "../rig/skin_lanes_neon.h"
#include "../rig/table.h"

namespace poselane {

constexpr Kernels kTable = kernelsOverLanes("strict/neon");
constexpr RigKernels kRigTable = rigKernelsOver<LanesNeon, LanesNeon, SkinLanesNeon>("strict/neon");

const Kernels kStrictNeon = kTable;
const RigKernels kStrictNeonRig = kRigTable;

} // namespace poselane
