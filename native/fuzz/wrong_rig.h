// SPDX-License-Identifier: MIT
//
// Kernels of the Rig with a fault each, to prove that the fuzz target finds such (`test/long/fuzz-native.mjs --prove`).
// The environment says which fault there is: POSELANE_FUZZ_WRONG = bit, overrun, table, stream or bounds.
#pragma once

#include <stdlib.h>
#include <string.h>

#include "../isa/isa.h"

namespace poselane {

inline void flipLastBit(float* number) {
    uint32_t bits;
    memcpy(&bits, number, sizeof(bits));
    bits ^= 1;
    memcpy(number, &bits, sizeof(bits));
}

/// The last bit of one float, at one number of poses.
inline void wrongGlobalBit(const RigView& rig, const SlotsView& slots, float* block, int poses, int from) {
    kStrictScalarRig.toGlobal(rig, slots, block, poses, from);
    if (poses == 13) {
        flipLastBit(block + static_cast<size_t>(slots.count) * kLocalFloats * kPoses + poses - 1);
    }
}

/// Reads a float behind the inverse bind matrices.
inline void wrongPaletteOverrun(const float* globals, int poses, const int32_t* places, const float* inverseBinds,
                                int joints, float* out, bool mat4) {
    const volatile float* const behind = inverseBinds + static_cast<size_t>(joints) * kGlobalFloats;
    (void)*behind;
    kStrictScalarRig.palettes(globals, poses, places, inverseBinds, joints, out, mat4);
}

/// Changes what it is only to read.
inline void wrongBlendOfTable(const RigView& rig, const SlotsView& slots, float* out, const float* a, const float* b,
                              int poses, const float* weights, const float* mask, bool additive, const float* reference,
                              bool each) {
    kStrictScalarRig.blend(rig, slots, out, a, b, poses, weights, mask, additive, reference, each);
    flipLastBit(const_cast<float*>(rig.rest));
}

/// Writes other palettes past the caches than through them.
inline void wrongStream(const float* globals, int poses, const int32_t* places, const float* inverseBinds, int joints,
                        float* out, bool mat4) {
    kStrictScalarRig.streamPalettes(globals, poses, places, inverseBinds, joints, out, mat4);
    flipLastBit(out);
}

/// A box that is too small on one side, by the last bit.
inline void wrongBounds(const MeshView& mesh, const SkinBlock& block, float* out) {
    kStrictScalarRig.bounds(mesh, block, out);
    flipLastBit(out + 4);
}

inline bool isWrong(const char* fault) {
    const char* const which = getenv("POSELANE_FUZZ_WRONG");
    return which != nullptr && strcmp(which, fault) == 0;
}

/// Null where the environment names none.
inline const RigKernels* wrongRigKernels() {
    static RigKernels kernels = kStrictScalarRig;
    kernels.name = "strict/wrong";
    if (isWrong("bit")) {
        kernels.toGlobal = wrongGlobalBit;
    } else if (isWrong("overrun")) {
        kernels.palettes = wrongPaletteOverrun;
    } else if (isWrong("table")) {
        kernels.blend = wrongBlendOfTable;
    } else if (isWrong("stream")) {
        kernels.streamPalettes = wrongStream;
    } else if (isWrong("bounds")) {
        kernels.bounds = wrongBounds;
    } else {
        return nullptr;
    }
    return &kernels;
}

} // namespace poselane
