// SPDX-License-Identifier: MIT
//
// Lists of any length in blocks of L::kWidth joints.
#pragma once

#include <string.h>

#include "../core/small_code.h"

namespace poselane {
namespace {

/// Calls converter(block, to, from) for blocks that cover the lists, which do not overlap. The last block ends with the
/// list, so it may convert some joints a second time. A list shorter than a block is converted as a part of one, or
/// through a copy.
template <class L, class To, class From, class Convert>
POSELANE_ALWAYS_INLINE void forEachJointBlock(To* to, const From* from, int numJoints, Convert converter) {
    const auto convert = [&](auto block, To* toBlock, const From* fromBlock)
                             POSELANE_CALLED_IN_WASM { converter(block, toBlock, fromBlock); };
    constexpr int kWidth = L::kWidth;
    constexpr typename L::Whole whole = {};
    if (numJoints <= 0) {
        return;
    }
    if (numJoints < kWidth) {
        if constexpr (L::kParts) {
            convert(typename L::Part{numJoints}, to, from);
        } else {
            From shortFrom[kWidth] = {};
            To shortTo[kWidth];
            memcpy(shortFrom, from, numJoints * sizeof(From));
            convert(whole, shortTo, shortFrom);
            memcpy(to, shortTo, numJoints * sizeof(To));
        }
        return;
    }
    int i = 0;
    for (; i <= numJoints - kWidth; i += kWidth) {
        convert(whole, to + i, from + i);
    }
    if (i < numJoints) {
        convert(whole, to + (numJoints - kWidth), from + (numJoints - kWidth));
    }
}

} // namespace
} // namespace poselane
