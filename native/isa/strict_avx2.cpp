// SPDX-License-Identifier: MIT
#include "isa.h"

#include "../lanes/avx2/mats.h"

#include "../kernels/table.h"
#include "../lanes/avx2/rig.h"
#include "../lanes/avx2/skin.h"
#include "../lanes/four/rig.h"
#include "../rig/table.h"

namespace poselane {

constexpr Kernels kTable = kernelsOverLanes("strict/avx2");
constexpr RigKernels kRigTable = rigKernelsOver<Lanes8, Lanes4, SkinLanes8>("strict/avx2");

const Kernels kStrictAvx2 = kTable;
const RigKernels kStrictAvx2Rig = kRigTable;

} // namespace poselane
