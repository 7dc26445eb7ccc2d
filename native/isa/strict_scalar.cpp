// SPDX-License-Identifier: MIT
#include "isa.h"

#include "../lanes/scalar_mats.h"

#include "../kernels/table.h"
#include "../rig/lanes_1.h"
#include "../rig/skin_lanes_1.h"
#include "../rig/table.h"

namespace poselane {

constexpr Kernels kTable = kernelsOverLanes("strict/scalar");
constexpr RigKernels kRigTable = rigKernelsOver<Lanes1, Lanes1, SkinLanes1>("strict/scalar");

const Kernels kStrictScalar = kTable;
const RigKernels kStrictScalarRig = kRigTable;

} // namespace poselane
