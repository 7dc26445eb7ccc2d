// SPDX-License-Identifier: MIT
#include "index_chunks.h"

#include <string.h>

namespace poselane {

namespace {

int32_t higher(int32_t a, int32_t b) { return a > b ? a : b; }

/// The maximum of some indices, with lanes that compilers keep in one vector.
struct Max {
    int32_t max[4] = {};

    void look(const int32_t* index) {
        for (int lane = 0; lane < 4; lane++) {
            max[lane] = higher(index[lane], max[lane]);
        }
    }
};

/// The maximum of the indices, or a number above all indices if one of them is negative.
unsigned maxIndex(const int32_t* index, int count) {
    // Four, because each operation waits for the last one on its vector.
    Max a, b, c, d;
    int32_t signs[4] = {};
    int i = 0;
    for (; i <= count - 16; i += 16) {
        const int32_t* const p = index + i;
        a.look(p);
        b.look(p + 4);
        c.look(p + 8);
        d.look(p + 12);
        for (int lane = 0; lane < 4; lane++) {
            signs[lane] |= p[lane] | p[4 + lane] | p[8 + lane] | p[12 + lane];
        }
    }
    int32_t max = 0, sign = 0;
    for (; i < count; i++) {
        max = higher(index[i], max);
        sign |= index[i];
    }
    for (int lane = 0; lane < 4; lane++) {
        max = higher(max, higher(higher(a.max[lane], b.max[lane]), higher(c.max[lane], d.max[lane])));
        sign |= signs[lane];
    }
    return sign < 0 ? UINT32_MAX : static_cast<unsigned>(max);
}

bool isBelow(unsigned max, int count, size_t room, size_t* used) {
    *used = count > 0 ? static_cast<size_t>(max) + 1 : 0;
    return *used <= room && *used <= static_cast<size_t>(INT32_MAX) + 1;
}

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

bool scanIndex(const int32_t* index, int count, size_t room, size_t* used) {
    return isBelow(maxIndex(index, count), count, room, used);
}

bool copyIndex(int* copy, const int32_t* index, int count, size_t room, size_t* used) {
    memcpy(copy, index, static_cast<size_t>(count) * sizeof(int));
    return scanIndex(copy, count, room, used);
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
