// SPDX-License-Identifier: MIT
#include "isa.h"

#include "../lanes/avx512_mats.h"

#include "../kernels/table.h"
#include "../rig/lanes_16.h"
#include "../rig/lanes_4.h"
#include "../rig/skin_lanes_16.h"
#include "../rig/table.h"

namespace poselane {

constexpr Kernels kTable = kernelsOverLanes("strict/avx512");
constexpr RigKernels kRigTable = rigKernelsOver<Lanes16, Lanes4, SkinLanes16>("strict/avx512");

const Kernels kStrictAvx512 = kTable;
const RigKernels kStrictAvx512Rig = kRigTable;

} // namespace poselane
