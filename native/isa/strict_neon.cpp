// SPDX-License-Identifier: MIT
#include "isa.h"

#include "../lanes/neon/mats.h"

#include "../kernels/table.h"
#include "../lanes/neon/rig.h"
#include "../lanes/neon/skin.h"
#include "../rig/table.h"

namespace poselane {

constexpr Kernels kTable = kernelsOverLanes("strict/neon");
constexpr RigKernels kRigTable = rigKernelsOver<LanesNeon, LanesNeon, SkinLanesNeon>("strict/neon");

const Kernels kStrictNeon = kTable;
const RigKernels kStrictNeonRig = kRigTable;

} // namespace poselane
