// SPDX-License-Identifier: MIT
#pragma once

#include "../../core/joint.h"

namespace poselane {

/// What Intel's document prints, wrong by 1.1e-3 and all. Runs only where cpuFeatures().avx says so.
namespace intel_avx_as_printed {
void SlerpQuats(Quaternion* result, const Quaternion* from, const Quaternion* to, float t, int count);
} // namespace intel_avx_as_printed

} // namespace poselane
