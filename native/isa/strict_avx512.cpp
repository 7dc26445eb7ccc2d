// SPDX-License-Identifier: MIT
#include "isa.h"

#include "../lanes/avx512/mats.h"

#include "../kernels/table.h"
#include "../lanes/avx512/rig.h"
#include "../lanes/avx512/skin.h"
#include "../lanes/four/rig.h"
#include "../rig/table.h"

namespace poselane {

constexpr Kernels kTable = kernelsOverLanes("strict/avx512");
constexpr RigKernels kRigTable = rigKernelsOver<Lanes16, Lanes4, SkinLanes16>("strict/avx512");

const Kernels kStrictAvx512 = kTable;
const RigKernels kStrictAvx512Rig = kRigTable;

} // namespace poselane
