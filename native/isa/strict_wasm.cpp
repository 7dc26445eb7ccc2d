// SPDX-License-Identifier: MIT
//
// The kernels as a WebAssembly module: lib/webassembly finds them by name in one table. The module imports its memory
// and has no allocator: the memory from `__heap_base` on belongs to the caller, which stores all data of a call there.
#include "isa.h"

#include "../lanes/four/mats.h"

#include "../kernels/table.h"
#include "../lanes/four/rig.h"
#include "../lanes/four/skin.h"
#include "../rig/table.h"

// After the kernels, whose headers it would otherwise include without their lanes.
#include "../core/index_chunks.h"

namespace poselane {

constexpr Kernels kTable = kernelsOverLanes("strict/wasm");
constexpr RigKernels kRigTable = rigKernelsOver<Lanes4, Lanes4, SkinLanes4>("strict/wasm");
// lib/rig/webassembly/tables.ts lays these out; those of calls are in rig/kernels.h.
static_assert(kRigTable.matrixFloats == 12 && sizeof(Located) == 576 && sizeof(Clip) == 48 && sizeof(RigView) == 28 &&
              sizeof(SlotsView) == 20 && sizeof(Workspace) == 24 && kRowFloats == 688 && sizeof(MeshView) == 56);

namespace {

/// The kernels know no roots.
template <Order order> void overRoots(JointMat* jointMats, const int* parents, int firstJoint, int lastJoint) {
    constexpr auto kernel = order == Order::parentsFirst ? kTable.transformSkeleton : kTable.untransformSkeleton;
    runSkeleton<order>({kernel, jointMats, parents}, firstJoint, lastJoint);
}

/// The maximum of indices as unsigned numbers, so that a negative one is above all joints. Zeros fill the last four.
unsigned maxIndex(const unsigned* index, int count) {
    v128_t max = wasm_i32x4_splat(0);
    for (int i = 0; i < count; i += 4) {
        max = wasm_u32x4_max(max, wasm_v128_load(index + i));
    }
    max = wasm_u32x4_max(max, wasm_i64x2_shuffle(max, max, 1, 0));
    max = wasm_u32x4_max(max, wasm_i32x4_shuffle(max, max, 1, 0, 3, 2));
    return wasm_u32x4_extract_lane(max, 0);
}

constexpr Kernels callable() {
    Kernels kernels = kTable;
    kernels.transformSkeleton = overRoots<Order::parentsFirst>;
    kernels.untransformSkeleton = overRoots<Order::childrenFirst>;
    return kernels;
}

constexpr Kernels kCallable = callable();

struct Entry {
    const char* name;
    void (*function)();
};

} // namespace

#define POSELANE_ENTRY(table, name) {#name, reinterpret_cast<void (*)()>(table.name)},
#define POSELANE_ROUTINE(name, ...) POSELANE_ENTRY(kCallable, name)
#define POSELANE_RIG_KERNEL(name, ...) POSELANE_ENTRY(kRigTable, name)

/// Up to an entry without a name.
extern "C" __attribute__((used, visibility("default"))) const Entry kernels[] = {
    POSELANE_STRICT_ROUTINES(POSELANE_ROUTINE) POSELANE_POSE_KERNELS(POSELANE_RIG_KERNEL)
        POSELANE_SKIN_KERNELS(POSELANE_RIG_KERNEL)
            POSELANE_ENTRY(kRigTable, playbackError){"listTracks", reinterpret_cast<void (*)()>(listTracks)},
    {"maxIndex", reinterpret_cast<void (*)()>(maxIndex)},
    {nullptr, nullptr},
};

} // namespace poselane
