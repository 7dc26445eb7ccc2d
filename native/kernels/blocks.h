// SPDX-License-Identifier: MIT
//
// Cuts a list into blocks of Lanes::kWidth elements. A block is read completely before any of it is written.
#pragma once

#include "../core/small_code.h"
#include "rounds.h"

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

/// Calls body(batch, blocks) for a whole list, repeats in the order of Rounds. `index` may be null, for the first
/// `count` elements.
template <class Body> POSELANE_ALWAYS_INLINE void forEachBatch(const int* index, int count, Body&& body) {
    const auto listed = [&](const int* first, int blocks) POSELANE_CALLED_IN_WASM { body(Listed{first}, blocks); };
    /// `length` elements without repeats: list[0], list[1] ..., or without a list neighbors from `first`.
    const auto run = [&](const int* list, int first, int length) POSELANE_CALLED_IN_WASM {
        int i = 0;
        for (int rest = length / Lanes::kWidth; rest > 0;) {
            const int blocks = rest < kMaxBlocks ? rest : kMaxBlocks;
            if (list == nullptr) {
                body(Adjacent{first + i}, blocks);
            } else {
                listed(list + i, blocks);
            }
            i += blocks * Lanes::kWidth;
            rest -= blocks;
        }
        if (i < length) {
            // The last index fills up the block, so its result is stored more than once.
            int part[Lanes::kWidth];
            for (int k = 0; k < Lanes::kWidth; k++) {
                const int from = i + k < length ? i + k : length - 1;
                part[k] = list == nullptr ? first + from : list[from];
            }
            listed(part, 1);
        }
    };
    if (index == nullptr) {
        run(nullptr, 0, count);
        return;
    }
    for (int first = 0; first < count; first += kMaxChunk) {
        const Rounds rounds(index + first, count - first < kMaxChunk ? count - first : kMaxChunk);
        for (int round = 0, i = 0; round < rounds.count; i = rounds.end[round++]) {
            run(rounds.neighbors ? nullptr : rounds.index + i, index[first], rounds.end[round] - i);
        }
    }
}

} // namespace
} // namespace poselane
