// SPDX-License-Identifier: MIT
#pragma once

#include "../../core/joint.h"

namespace poselane {

/// Intel's code exactly as printed, including its error of 1.1e-3. Runs only where cpuFeatures().avx says so.
namespace intel_avx_as_printed {
void SlerpQuats(Quaternion* result, const Quaternion* from, const Quaternion* to, float t, int count);
} // namespace intel_avx_as_printed

} // namespace poselane
