// SPDX-License-Identifier: MIT
//
// Index lists may name an element twice, which is then blended twice. A batch may be read before any of it is written,
// so no batch may name an element twice, except to fill its last block.
#pragma once

#include <stdint.h>
#include <string.h>

#include "../core/always_inline.h"
#include "../core/chunks.h"
#include "../core/each.h"

namespace poselane {
namespace {

/// body(first) … body(count - 1), with fewer jumps than compilers make.
template <class Body> POSELANE_ALWAYS_INLINE void unrolled(int first, int count, Body&& body) {
    constexpr int kTogether = kSmallCode ? 2 : 8;
    int i = first;
    for (; i <= count - kTogether; i += kTogether) {
        each<kTogether>([&](auto k) POSELANE_INLINED { body(i + k); });
    }
    for (; i < count; i++) {
        body(i);
    }
}

/// The bitwise or of bits(i) for i = first … end - 1. Compilers turn the lanes into vectors. There are four, because
/// each operation waits for the last one on its vector.
template <class Bits> POSELANE_ALWAYS_INLINE unsigned orOf(int first, int end, Bits&& bits) {
    constexpr int kLanes = Lanes::kWidth < 4 ? 4 : Lanes::kWidth;
    unsigned all = 0;
    if (end - first < kLanes) {
        for (int i = first; i < end; i++) {
            all |= bits(i);
        }
        return all;
    }
    // Not one array, which GCC would set to zero by a slow loop.
    unsigned a[kLanes] = {}, b[kLanes] = {}, c[kLanes] = {}, d[kLanes] = {};
    const auto look = [&](unsigned(&lanes)[kLanes], int i) POSELANE_INLINED {
        for (int lane = 0; lane < kLanes; lane++) {
            lanes[lane] |= bits(i + lane);
        }
    };
    int i = first;
    for (; !kSmallCode && i <= end - 4 * kLanes; i += 4 * kLanes) {
        look(a, i);
        look(b, i + kLanes);
        look(c, i + 2 * kLanes);
        look(d, i + 3 * kLanes);
    }
    for (; i <= end - kLanes; i += kLanes) {
        look(a, i);
    }
    // The rest, and some again.
    look(a, end - kLanes);
    for (int lane = 0; lane < kLanes; lane++) {
        all |= a[lane] | b[lane] | c[lane] | d[lane];
    }
    return all;
}

/// Splits at most kMaxChunk indices into rounds that name no element twice. Mentions of one element keep their order.
/// An element's result depends on no other element, so any order of elements gives the same bits. Most lists are one
/// round: the list itself. It is checked, and no other thread can change it.
struct Rounds {
    /// The indices of all rounds, one after the other; null if they are consecutive: `first`, first + 1 ...
    const int* index;
    int first;
    int count = 1;
    /// Where each round ends.
    uint16_t end[kMaxChunk];

    /// Without a list: consecutive elements from `firstElement` on.
    POSELANE_NOINLINE Rounds(const int* list, int firstElement, int length) : index(list), first(firstElement) {
        end[0] = static_cast<uint16_t>(length);
        if (list == nullptr) {
            return;
        }
        if (isAscending(list, length)) {
            if (list[length - 1] - list[0] == length - 1) {
                index = nullptr;
                first = list[0];
            }
            return;
        }
        if (length <= 64 && !shareBits(list, length)) {
            return;
        }
        // The bits in which they differ from the first.
        const unsigned bits =
            orOf(1, length, [=](int i) POSELANE_INLINED { return static_cast<unsigned>(list[i] ^ list[0]); });
        // Enough slots to tell the elements apart where they are not spread too far; kSlots otherwise, and elements
        // that share a slot go into different rounds.
        unsigned mask = 63;
        while (mask < bits && mask < kSlots - 1) {
            mask = mask * 2 + 1;
        }
        if (mask == 63 || countSlots(list, length, mask) < length) {
            split(list, length, mask);
        }
    }
    Rounds(const Rounds&) = delete;
    Rounds& operator=(const Rounds&) = delete;

private:
    static constexpr int kSlots = 4096;
    /// One more, because a pass writes before it knows whether the index belongs to its round.
    int order_[kMaxChunk + 1];

    static bool isAscending(const int* list, int length) {
        // Most lists that do not ascend show it at once.
        for (int i = 1; i < length && i < 8; i++) {
            if (list[i] <= list[i - 1]) {
                return false;
            }
        }
        // The highest bit of the sum is set where an index is not above the one before it.
        const unsigned bits =
            orOf(1, length, [=](int i) POSELANE_INLINED { return static_cast<unsigned>(list[i] + ~list[i - 1]); });
        return static_cast<int>(bits) >= 0;
    }

    /// Whether two indices have the same lowest six bits.
    static bool shareBits(const int* list, int length) {
        uint64_t seen = 0, twice = 0;
        unrolled(0, length, [&](int i) POSELANE_INLINED {
            const uint64_t bit = uint64_t{1} << (list[i] & 63);
            twice |= seen & bit;
            seen |= bit;
        });
        return twice != 0;
    }

    /// The number of slots of these indices: their lowest bits, those of `mask`.
    static int countSlots(const int* list, int length, unsigned mask) {
        alignas(16) uint8_t used[kSlots];
        memset(used, 0, mask + 1);
        unrolled(0, length, [&](int i) POSELANE_INLINED { used[static_cast<unsigned>(list[i]) & mask] = 1; });
        // Eight sums in each number, of at most kSlots / 32.
        uint64_t sums[4] = {};
        for (unsigned slot = 0; slot < mask; slot += 32) {
            for (int i = 0; i < 4; i++) {
                uint64_t eight;
                memcpy(&eight, used + slot + 8 * i, 8);
                sums[i] += eight;
            }
        }
        uint64_t all = 0;
        for (const uint64_t sum : sums) {
            all += (sum & 0x00FF00FF00FF00FF) + (sum >> 8 & 0x00FF00FF00FF00FF);
        }
        return static_cast<int>(all * 0x0001000100010001 >> 48);
    }

    /// Sorts the list by rounds. The round of an index is the number of indices before it with the same slot.
    POSELANE_NOINLINE void split(const int* list, int length, unsigned mask) {
        uint16_t mentions[kSlots];
        memset(mentions, 0, (mask + 1) * sizeof(mentions[0]));
        uint16_t roundOf[kMaxChunk];
        uint16_t last = 0;
        unrolled(0, length, [&](int i) POSELANE_INLINED {
            roundOf[i] = mentions[static_cast<unsigned>(list[i]) & mask]++;
            last = roundOf[i] > last ? roundOf[i] : last;
        });
        count = last + 1;
        if (count <= 4) {
            // A pass for each round, which waits for memory less than a counting sort does.
            int placed = 0;
            for (int round = 0; round < count; round++) {
                unrolled(0, length, [&](int i) POSELANE_INLINED {
                    order_[placed] = list[i];
                    placed += roundOf[i] == round ? 1 : 0;
                });
                end[round] = static_cast<uint16_t>(placed);
            }
        } else {
            // `end` holds sizes, then where the next index of each round goes.
            memset(end, 0, count * sizeof(end[0]));
            for (int i = 0; i < length; i++) {
                end[roundOf[i]]++;
            }
            int placed = 0;
            for (int round = 0; round < count; round++) {
                const int size = end[round];
                end[round] = static_cast<uint16_t>(placed);
                placed += size;
            }
            for (int i = 0; i < length; i++) {
                order_[end[roundOf[i]]++] = list[i];
            }
        }
        index = order_;
    }
};

} // namespace
} // namespace poselane
