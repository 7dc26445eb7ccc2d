// SPDX-License-Identifier: MIT
//
// Kernels with one fault each, to prove that the fuzz target finds them (`test/long/fuzz-native.mjs --prove`).
// POSELANE_FUZZ_WRONG selects the fault: bit, overrun, neighbour or inaccurate.
#pragma once

#include <stdlib.h>
#include <string.h>

#include "../isa/isa.h"

namespace poselane {

/// The last bit of one float, at one length.
inline void wrongBit(Quaternion* result, const Quaternion* from, const Quaternion* to, float t, int count, int terms) {
    kStrictScalar.slerpQuats(result, from, to, t, count, terms);
    if (count == 13) {
        float& last = result[12].w;
        uint32_t bits;
        memcpy(&bits, &last, sizeof(bits));
        bits ^= 1;
        memcpy(&last, &bits, sizeof(bits));
    }
}

/// Reads a float behind the list.
inline void wrongOverrun(Quaternion* result, const Quaternion* from, const Quaternion* to, float t, int count,
                         int terms) {
    const volatile float* const behind = reinterpret_cast<const float*>(from + count);
    (void)*behind;
    kStrictScalar.slerpQuats(result, from, to, t, count, terms);
}

/// Changes a joint that nobody named.
inline void wrongNeighbour(JointQuat* joints, const JointQuat* blendJoints, float lerp, const int* index,
                           int numJoints) {
    kStrictScalar.slerpJoints(joints, blendJoints, lerp, index, numJoints);
    if (index != nullptr && numJoints > 0 && index[0] > 0) {
        joints[0].t.z += 1.0f;
    }
}

/// Off by 1e-5.
inline void wrongValue(Quaternion* result, const Quaternion* from, const Quaternion* to, float t, int count,
                       int terms) {
    kStrictScalar.slerpQuats(result, from, to, t, count, terms);
    for (int i = 0; i < count; i++) {
        result[i].x += 1e-5f;
    }
}

/// Null where the environment names none.
inline const Kernels* wrongKernels() {
    static Kernels kernels = {};
    const char* const which = getenv("POSELANE_FUZZ_WRONG");
    if (which == nullptr) {
        return nullptr;
    }
    kernels.name = "strict/wrong";
    if (strcmp(which, "neighbour") == 0) {
        kernels.slerpJoints = wrongNeighbour;
    } else if (strcmp(which, "inaccurate") == 0) {
        kernels.name = "paper/wrong";
        kernels.slerpQuats = wrongValue;
    } else {
        kernels.slerpQuats = strcmp(which, "bit") == 0 ? wrongBit : wrongOverrun;
    }
    return &kernels;
}

} // namespace poselane
