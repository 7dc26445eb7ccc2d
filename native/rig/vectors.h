// SPDX-License-Identifier: MIT
//
// Chooses the vectors that cover some of a block's poses.
#pragma once

#include "../core/each.h"
#include "kernels.h"

namespace poselane {
namespace {

/// `count` neighboring vectors of L; `whole`: all of their poses are wanted.
template <class L_, int count_, bool whole_> struct Span {
    using L = L_;
    static constexpr int kCount = count_;
    static constexpr int kPoses = L::kWidth * kCount;
    static constexpr bool kWhole = whole_;
    static constexpr bool kBlock = kPoses == poselane::kPoses;
};

/// Calls body(Span, first) for vectors that cover the first poses of a block. Wide vectors take their poses in about
/// the time of narrow ones, so narrow ones are for few poses.
template <class Wide, class Narrow, class Body> POSELANE_ALWAYS_INLINE void forEachSpan(int poses, Body&& body) {
    if (!kSmallCode && poses > kPoses - Wide::kWidth) {
        if (Wide::kWidth < kPoses || poses > Narrow::kWidth) {
            body(Span<Wide, kPoses / Wide::kWidth, true>(), 0);
        } else {
            body(Span<Narrow, 1, true>(), 0);
        }
        return;
    }
    for (int first = 0; first < poses; first += Wide::kWidth) {
        // The same only where Wide is Narrow. NOLINTNEXTLINE(bugprone-branch-clone)
        if (Wide::kWidth > Narrow::kWidth && poses - first <= Narrow::kWidth) {
            body(Span<Narrow, 1, true>(), first);
        } else {
            body(Span<Wide, 1, true>(), first);
        }
    }
}

/// Calls body(L, first, poses) for each vector that covers the first poses: its first pose, and how many of its poses
/// are wanted.
template <class Span, class Body> POSELANE_ALWAYS_INLINE void forEachVector(int first, int poses, Body&& body) {
    using L = typename Span::L;
    for (int at = first; at < first + Span::kPoses && at < poses; at += L::kWidth) {
        body(at, poses - at);
    }
}

} // namespace
} // namespace poselane
