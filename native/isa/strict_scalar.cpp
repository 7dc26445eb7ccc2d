// SPDX-License-Identifier: MIT
#include "isa.h"

#include "../lanes/scalar/mats.h"

#include "../kernels/table.h"
#include "../lanes/scalar/rig.h"
#include "../lanes/scalar/skin.h"
#include "../rig/table.h"

namespace poselane {

constexpr Kernels kTable = kernelsOverLanes("strict/scalar");
constexpr RigKernels kRigTable = rigKernelsOver<Lanes1, Lanes1, SkinLanes1>("strict/scalar");

const Kernels kStrictScalar = kTable;
const RigKernels kStrictScalarRig = kRigTable;

} // namespace poselane
