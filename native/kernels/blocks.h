// SPDX-License-Identifier: MIT
//
// Cuts a list into blocks of Lanes::kWidth elements. A block is read completely before any of it is written.
#pragma once

#include "../core/small_code.h"
#include "rounds.h"

namespace poselane {
namespace {

/// Maximum number of blocks in a batch. One block alone is a long chain of dependent operations and mostly waits; a
/// batch goes through each part of the computation as a whole, which keeps the CPU busy. A batch should fit into the
/// first-level cache.
constexpr int kMaxBlocks = Lanes::kWidth < 16 ? 32 : 16;

/// Blocks of consecutive elements.
struct Adjacent {
    int first;

    template <class Rows> typename Rows::Row load(const typename Rows::Element* list, int block, int row) const {
        return Rows::load(list + first + block * Lanes::kWidth + row * Rows::kPerRow);
    }
    template <class Rows>
    POSELANE_ALWAYS_INLINE void store(typename Rows::Element* list, int block,
                                      const typename Rows::Row (&rows)[Rows::kRows]) const {
        each<Rows::kRows>([&](auto row) POSELANE_INLINED {
            Rows::store(list + first + block * Lanes::kWidth + row * Rows::kPerRow, rows[row]);
        });
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
    template <class Rows>
    POSELANE_ALWAYS_INLINE void store(typename Rows::Element* list, int block,
                                      const typename Rows::Row (&rows)[Rows::kRows]) const {
        const int* const from = index + block * Lanes::kWidth;
        // As many as fit into registers are copied, because compilers would load each of them again after a store.
        constexpr int kCopied = Lanes::kWidth <= 8 ? Lanes::kWidth : 0;
        int copy[kCopied + 1];
        each<kCopied>([&](auto i) POSELANE_INLINED { copy[i] = from[i]; });
        each<Rows::kRows>([&](auto row) POSELANE_INLINED {
            Rows::store(list, (kCopied > 0 ? copy : from) + row * Rows::kPerRow, rows[row]);
        });
    }
    Lanes::Floats load(const float* list, int block) const {
        float x[Lanes::kWidth];
        for (int i = 0; i < Lanes::kWidth; i++) {
            x[i] = list[index[block * Lanes::kWidth + i]];
        }
        return Lanes::load(x);
    }
};

/// Calls `body` with blocks of the elements list[0], list[1] ..., or of `first` and its neighbors where there is no
/// list.
using RunBlocks = void (*)(const void* body, const int* list, int first, int blocks);

/// Cuts a list into batches. A function of its own, because all kernels can share it; forEachBatch is what they call.
POSELANE_NOINLINE void forEachBatchWith(RunBlocks run, const void* body, const int* index, int count) {
    for (int piece = 0, length; piece < count; piece += length) {
        length = count - piece < kMaxChunk ? count - piece : kMaxChunk;
        const Rounds rounds(index == nullptr ? nullptr : index + piece, piece, length);
        const int* const list = rounds.index;
        int i = 0;
        for (int round = 0; round < rounds.count; round++) {
            const int end = rounds.end[round];
            while (end - i >= Lanes::kWidth) {
                const int max = (end - i) / Lanes::kWidth;
                const int blocks = max < kMaxBlocks ? max : kMaxBlocks;
                run(body, list == nullptr ? nullptr : list + i, rounds.first + i, blocks);
                i += blocks * Lanes::kWidth;
            }
            if (i < end) {
                // The last index fills up the block, so its result is stored more than once.
                int part[Lanes::kWidth];
                for (int k = 0; k < Lanes::kWidth; k++) {
                    const int from = i + k < end ? i + k : end - 1;
                    part[k] = list == nullptr ? rounds.first + from : list[from];
                }
                run(body, part, 0, 1);
                i = end;
            }
        }
    }
}

/// Calls body(batch, blocks) for a whole list, repeats in the order of Rounds. `index` may be null, for the first
/// `count` elements.
template <class Body> void forEachBatch(const int* index, int count, const Body& body) {
    const auto run = [](const void* context, const int* list, int first, int blocks) {
        const Body& call = *static_cast<const Body*>(context);
        if (list == nullptr) {
            call(Adjacent{first}, blocks);
        } else {
            call(Listed{list}, blocks);
        }
    };
    forEachBatchWith(run, &body, index, count);
}

} // namespace
} // namespace poselane
