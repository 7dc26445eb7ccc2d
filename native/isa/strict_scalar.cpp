// SPDX-License-Identifier: MIT
#include "isa.h"

#include "../lanes/scalar_mats.h"

#include "../kernels/table.h"
#include "../rig/lanes_1.h"
#include "../rig/table.h"

namespace poselane {

const Kernels kStrictScalar = kernelsOverLanes("strict/scalar");
const RigKernels kStrictScalarRig = rigKernelsOver<Lanes1, Lanes1>("strict/scalar");

} // namespace poselane
