// SPDX-License-Identifier: MIT
//
// Cuts a list into blocks of Lanes::kWidth elements. A block is read completely before any of it is written.
#pragma once

#include "../core/small_code.h"

namespace poselane {
namespace {

template <int i> struct Constant { static constexpr int value = i; };

/// body(Constant<0>()) ... body(Constant<count - 1>()): a loop whose counter is a constant in each turn.
template <int count, class Body> POSELANE_ALWAYS_INLINE void unrolled(Body&& body) {
    if constexpr (count > 0) {
        unrolled<count - 1>(body);
        body(Constant<count - 1>());
    }
}

/// Maximum number of blocks in a batch. One block alone is a long chain of dependent operations and mostly waits; a
/// batch goes through each part of the computation as a whole, which keeps the CPU busy. A batch should fit into the
/// first-level cache.
constexpr int kMaxBlocks = Lanes::kWidth < 16 ? 32 : 16;

/// Blocks of neighbors.
struct Adjacent {
    int first;

    template <class Rows> typename Rows::Row load(const typename Rows::Element* list, int block, int row) const {
        return Rows::load(list + first + block * Lanes::kWidth + row * Rows::kPerRow);
    }
    template <class Rows> void store(typename Rows::Element* list, int block, int row, typename Rows::Row x) const {
        Rows::store(list + first + block * Lanes::kWidth + row * Rows::kPerRow, x);
    }
    /// One float an element.
    Lanes::Floats load(const float* list, int block) const { return Lanes::load(list + first + block * Lanes::kWidth); }
};

/// Blocks of the elements index[0], index[1] ...
struct Listed {
    const int* index;

    template <class Rows> typename Rows::Row load(const typename Rows::Element* list, int block, int row) const {
        return Rows::load(list, index + block * Lanes::kWidth + row * Rows::kPerRow);
    }
    template <class Rows> void store(typename Rows::Element* list, int block, int row, typename Rows::Row x) const {
        Rows::store(list, index + block * Lanes::kWidth + row * Rows::kPerRow, x);
    }
    Lanes::Floats load(const float* list, int block) const {
        float x[Lanes::kWidth];
        for (int i = 0; i < Lanes::kWidth; i++) {
            x[i] = list[index[block * Lanes::kWidth + i]];
        }
        return Lanes::load(x);
    }
};

/// Counts the leading blocks whose indices strictly increase: they name no element twice, so all may be read before the
/// first is written.
int increasingBlocks(const int* index, int count) {
    const int max = count / Lanes::kWidth < kMaxBlocks ? count / Lanes::kWidth : kMaxBlocks;
    int blocks = 0;
    while (blocks < max) {
        const int* const block = index + blocks * Lanes::kWidth;
        if (!Lanes::increases(block) || (blocks > 0 && block[-1] >= block[0])) {
            break;
        }
        blocks++;
    }
    return blocks;
}

/// The leading indices of a list that increase, up to one block of them. The last index fills up the block, so its
/// result is stored more than once.
struct PartOfBlock {
    int length;
    int index[Lanes::kWidth];

    PartOfBlock(const int* list, int first, int count) {
        const int max = count < Lanes::kWidth ? count : Lanes::kWidth;
        length = list == nullptr ? max : 1;
        while (length < max && list[first + length - 1] < list[first + length]) {
            length++;
        }
        for (int i = 0; i < Lanes::kWidth; i++) {
            const int from = first + (i < length ? i : length - 1);
            index[i] = list == nullptr ? from : list[from];
        }
    }
};

/// Calls body(batch, blocks) for a whole list, in order. `index` may be null, for the first `count` elements.
template <class Body> POSELANE_ALWAYS_INLINE void forEachBatch(const int* index, int count, Body&& body) {
    int i = 0;
    if (index == nullptr) {
        while (count - i >= Lanes::kWidth) {
            const int max = (count - i) / Lanes::kWidth;
            const int blocks = max < kMaxBlocks ? max : kMaxBlocks;
            body(Adjacent{i}, blocks);
            i += blocks * Lanes::kWidth;
        }
    }
    const auto listed = [&](const int* first, int blocks) POSELANE_CALLED_IN_WASM { body(Listed{first}, blocks); };
    while (i < count) {
        const int blocks = index == nullptr ? 0 : increasingBlocks(index + i, count - i);
        if (blocks > 0) {
            listed(index + i, blocks);
            i += blocks * Lanes::kWidth;
        } else {
            const PartOfBlock part(index, i, count - i);
            listed(part.index, 1);
            i += part.length;
        }
    }
}

} // namespace
} // namespace poselane
