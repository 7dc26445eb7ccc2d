// SPDX-License-Identifier: MIT
#include "index_chunks.h"

namespace poselane {

namespace {

struct Identity {
    int values[kMaxChunk];
    constexpr Identity() : values() {
        for (int i = 0; i < kMaxChunk; i++) {
            values[i] = i;
        }
    }
};

constexpr Identity kIdentity;

bool parentIsValid(int parent, int joint) { return parent >= -1 && parent < joint; }

bool copyParents(int* copy, const int32_t* parents, int firstJoint, int lastJoint) {
    for (int i = firstJoint; i <= lastJoint; i++) {
        const int parent = *static_cast<const volatile int32_t*>(parents + i);
        if (!parentIsValid(parent, i)) {
            return false;
        }
        copy[i - firstJoint] = parent;
    }
    return true;
}

/// The copy, addressed by joint number as the kernels do. Only elements inside the copy are ever read.
const int* byJoint(const int* copy, int firstJoint) {
    return reinterpret_cast<const int*>(reinterpret_cast<uintptr_t>(copy) -
                                        static_cast<uintptr_t>(firstJoint) * sizeof(int));
}

/// Calls the kernel for each run of joints between roots.
template <Order order> void runBetweenRoots(const SkeletonRun& run, const int* copy, int firstJoint, int lastJoint) {
    const int* parents = byJoint(copy, firstJoint);
    if constexpr (order == Order::parentsFirst) {
        for (int i = firstJoint; i <= lastJoint; i++) {
            int end = i;
            while (end <= lastJoint && copy[end - firstJoint] >= 0) {
                end++;
            }
            if (end > i) {
                run.kernel(run.jointMats, parents, i, end - 1);
            }
            i = end;
        }
    } else {
        for (int i = lastJoint; i >= firstJoint; i--) {
            int end = i;
            while (end >= firstJoint && copy[end - firstJoint] >= 0) {
                end--;
            }
            if (end < i) {
                run.kernel(run.jointMats, parents, end + 1, i);
            }
            i = end;
        }
    }
}

} // namespace

const int* identityIndex() { return kIdentity.values; }

bool scanIndex(const int32_t* index, int count, size_t room, size_t* used) {
    size_t most = 0;
    for (int i = 0; i < count; i++) {
        const int joint = index[i];
        if (joint < 0 || static_cast<size_t>(joint) >= room) {
            return false;
        }
        if (static_cast<size_t>(joint) >= most) {
            most = static_cast<size_t>(joint) + 1;
        }
    }
    *used = most;
    return true;
}

bool copyIndex(int* copy, const int32_t* index, int count, size_t room) {
    for (int i = 0; i < count; i++) {
        const int joint = *static_cast<const volatile int32_t*>(index + i);
        if (joint < 0 || static_cast<size_t>(joint) >= room) {
            return false;
        }
        copy[i] = joint;
    }
    return true;
}

bool scanParents(const int32_t* parents, int firstJoint, int lastJoint) {
    for (int i = firstJoint; i <= lastJoint; i++) {
        if (!parentIsValid(parents[i], i)) {
            return false;
        }
    }
    return true;
}

template <Order order> bool runSkeleton(const SkeletonRun& run, int firstJoint, int lastJoint) {
    int copy[kMaxChunk];
    const bool single = lastJoint - firstJoint < kMaxChunk;
    if (!single && !scanParents(run.parents, firstJoint, lastJoint)) {
        return false;
    }
    if constexpr (order == Order::parentsFirst) {
        for (int first = firstJoint; first <= lastJoint;) {
            const int last = lastJoint - first < kMaxChunk ? lastJoint : first + kMaxChunk - 1;
            if (!copyParents(copy, run.parents, first, last)) {
                return false;
            }
            runBetweenRoots<order>(run, copy, first, last);
            if (last == lastJoint) {
                break;
            }
            first = last + 1;
        }
    } else {
        for (int last = lastJoint; last >= firstJoint;) {
            const int first = last - firstJoint < kMaxChunk ? firstJoint : last - kMaxChunk + 1;
            if (!copyParents(copy, run.parents, first, last)) {
                return false;
            }
            runBetweenRoots<order>(run, copy, first, last);
            last = first - 1;
        }
    }
    return true;
}

template bool runSkeleton<Order::parentsFirst>(const SkeletonRun&, int, int);
template bool runSkeleton<Order::childrenFirst>(const SkeletonRun&, int, int);

} // namespace poselane
