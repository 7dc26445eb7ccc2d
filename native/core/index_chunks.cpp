// SPDX-License-Identifier: MIT
#include "index_chunks.h"

#include <string.h>

namespace poselane {

namespace {

bool parentIsValid(int parent, int joint) { return parent >= -1 && parent < joint; }

/// The copy, addressed by joint number as the kernels do. Only elements inside the copy are ever read.
const int* byJoint(const int* copy, int firstJoint) {
    // In integers, because a pointer may not point before its array. NOLINTNEXTLINE(performance-no-int-to-ptr)
    return reinterpret_cast<const int*>(reinterpret_cast<uintptr_t>(copy) -
                                        static_cast<uintptr_t>(firstJoint) * sizeof(int));
}

/// Calls the kernel for each run of joints between roots.
template <Order order>
void runBetweenRoots(const SkeletonRun& run, const int* copy, bool hasRoots, int firstJoint, int lastJoint) {
    const int* parents = byJoint(copy, firstJoint);
    if (!hasRoots) {
        run.kernel(run.jointMats, parents, firstJoint, lastJoint);
        return;
    }
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

bool areBelow(const int32_t* index, int count, size_t room) {
    const unsigned last = static_cast<unsigned>(room <= INT32_MAX ? room : INT32_MAX + size_t{1}) - 1;
    // The highest bit is set where an index is negative or above the last joint. Compilers turn each of the lanes into
    // a vector. There are four, because each operation waits for the last one on its vector.
    unsigned a[4] = {}, b[4] = {}, c[4] = {}, d[4] = {};
    const auto look = [=](unsigned(&lanes)[4], const int32_t* four) {
        for (int lane = 0; lane < 4; lane++) {
            const unsigned joint = static_cast<unsigned>(four[lane]);
            lanes[lane] |= joint | (last - joint);
        }
    };
    int i = 0;
    for (; i <= count - 16; i += 16) {
        look(a, index + i);
        look(b, index + i + 4);
        look(c, index + i + 8);
        look(d, index + i + 12);
    }
    unsigned all = 0;
    for (; i < count; i++) {
        const unsigned joint = static_cast<unsigned>(index[i]);
        all |= joint | (last - joint);
    }
    for (int lane = 0; lane < 4; lane++) {
        all |= a[lane] | b[lane] | c[lane] | d[lane];
    }
    return static_cast<int>(all) >= 0;
}

size_t usedBy(const int32_t* index, int count) {
    size_t used = 0;
    for (int i = 0; i < count; i++) {
        const size_t joint = static_cast<uint32_t>(index[i]);
        used = joint < used ? used : joint + 1;
    }
    return used;
}

bool copyParents(int* copy, const int32_t* parents, int firstJoint, int lastJoint, bool* hasRoots) {
    const int count = lastJoint - firstJoint + 1;
    memcpy(copy, parents + firstJoint, static_cast<size_t>(count) * sizeof(int));
    // Skeletons are short, and every call makes this check: it takes eight joints at a time without a branch, which
    // compilers turn into four instructions.
    unsigned wrong[8] = {};
    int signs[8] = {};
    const auto look = [&](int i, int lane) {
        // -1 ... joint - 1, as 0 ... joint
        wrong[lane] |= static_cast<unsigned>(copy[i]) + 1u > static_cast<unsigned>(firstJoint + i) ? 1u : 0u;
        signs[lane] |= copy[i];
    };
    int i = 0;
    for (; i + 8 <= count; i += 8) {
        for (int lane = 0; lane < 8; lane++) {
            look(i + lane, lane);
        }
    }
    for (; i < count; i++) {
        look(i, 0);
    }
    for (int lane = 1; lane < 8; lane++) {
        wrong[0] |= wrong[lane];
        signs[0] |= signs[lane];
    }
    *hasRoots = signs[0] < 0;
    return wrong[0] == 0;
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
    bool hasRoots;
    const bool single = lastJoint - firstJoint < kMaxChunk;
    if (!single && !scanParents(run.parents, firstJoint, lastJoint)) {
        return false;
    }
    if constexpr (order == Order::parentsFirst) {
        for (int first = firstJoint; first <= lastJoint;) {
            const int last = lastJoint - first < kMaxChunk ? lastJoint : first + kMaxChunk - 1;
            if (!copyParents(copy, run.parents, first, last, &hasRoots)) {
                return false;
            }
            runBetweenRoots<order>(run, copy, hasRoots, first, last);
            if (last == lastJoint) {
                break;
            }
            first = last + 1;
        }
    } else {
        for (int last = lastJoint; last >= firstJoint;) {
            const int first = last - firstJoint < kMaxChunk ? firstJoint : last - kMaxChunk + 1;
            if (!copyParents(copy, run.parents, first, last, &hasRoots)) {
                return false;
            }
            runBetweenRoots<order>(run, copy, hasRoots, first, last);
            last = first - 1;
        }
    }
    return true;
}

template <Order order>
void runSkeletonOn(const int* copy, bool hasRoots, const SkeletonRun& run, int firstJoint, int lastJoint) {
    runBetweenRoots<order>(run, copy, hasRoots, firstJoint, lastJoint);
}

template void runSkeletonOn<Order::parentsFirst>(const int*, bool, const SkeletonRun&, int, int);
template void runSkeletonOn<Order::childrenFirst>(const int*, bool, const SkeletonRun&, int, int);
template bool runSkeleton<Order::parentsFirst>(const SkeletonRun&, int, int);
template bool runSkeleton<Order::childrenFirst>(const SkeletonRun&, int, int);

} // namespace poselane
