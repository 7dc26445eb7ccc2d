// SPDX-License-Identifier: MIT
//
// The kernels over the Lanes type that was included before this file, as a table for the dispatcher.
#pragma once

#define POSELANE_OVER_LANES
#include "../kernels.h"

namespace poselane {
namespace {

#if defined(POSELANE_HAVE_X64) && !defined(POSELANE_FAST)
/// Whether vectors of half the width take less time for a list: it fits into one. Its length is the first int of the
/// arguments.
template <typename... Others> constexpr bool isShort(int count, Others...) { return count <= Lanes::kWidth / 2; }
#ifdef __AVX512BW__
/// Also a whole vector of indices that repeat, which would be two at least.
inline bool isShort(const int* index, int count) {
    return count <= Lanes::kWidth / 2 || (index != nullptr && count <= Lanes::kWidth && Lanes::repeat(index, count));
}
constexpr const Kernels& kNarrower = kStrictAvx2;
#else
constexpr const Kernels& kNarrower = kStrictSse2;
#endif
template <typename First, typename... Others> constexpr bool isShort(First, Others... others) {
    return isShort(others...);
}

/// A kernel that leaves short lists to the next narrower instruction set, which has the same bits.
template <auto kernel, auto member> struct OrNarrower;
template <typename... Parameters, void (*kernel)(Parameters...), auto member> struct OrNarrower<kernel, member> {
    static void call(Parameters... parameters) { (isShort(parameters...) ? kNarrower.*member : kernel)(parameters...); }
};

template <typename Shape> constexpr bool kIsList = true;
template <Order order> constexpr bool kIsList<Skeleton<order>> = false;

template <typename Shape, auto kernel, auto member> constexpr auto chosen() {
    if constexpr (Lanes::kWidth > 4 && kIsList<Shape>) {
        return OrNarrower<kernel, member>::call;
    } else {
        return kernel;
    }
}
#else
template <typename Shape, auto kernel, auto member> constexpr auto chosen() { return kernel; }
#endif

constexpr Kernels kernelsOverLanes(const char* name) {
    Kernels k = {};
    k.name = name;
#define POSELANE_ENTRY(routine, ...) k.routine = chosen<__VA_ARGS__, routine, &Kernels::routine>();
    POSELANE_STRICT_ROUTINES(POSELANE_ENTRY)
#undef POSELANE_ENTRY
    return k;
}

} // namespace
} // namespace poselane
