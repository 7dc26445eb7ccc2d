// SPDX-License-Identifier: MIT
//
// Splits lists of joints into pieces, for calls that must copy an index, or make one where the caller gave none.
#pragma once

namespace poselane {

constexpr int kMaxChunk = 1024;

/// How many joints of the rest to hand to a kernel at once.
///
/// The papers' listings work in groups of four from the front, and a list of exactly four goes through their
/// one-at-a-time loop, which rounds differently. So that a split list gives the same bits as a whole one, chunks are
/// whole groups and no split leaves exactly four.
inline int nextChunk(int rest) {
    if (rest <= kMaxChunk) {
        return rest;
    }
    return rest - kMaxChunk == 4 ? kMaxChunk - 4 : kMaxChunk;
}

} // namespace poselane
