// SPDX-License-Identifier: MIT
#pragma once

#include "../core/always_inline.h"
#include "../core/joint.h"

namespace poselane {
namespace {

/// left * right without left's translation. Element (row, column) is the sum over k, in order, of left[row][k] *
/// right[k][column]; so all of them are three products of a column of `left`, repeated over all columns, with a row of
/// `right`, repeated over all rows. M is MatLanes, or a part of MatBlockLanes.
template <class M> POSELANE_ALWAYS_INLINE typename M::Mat rotated(const typename M::Mat& left, const JointMat* right) {
    const typename M::Mat product0 = M::mul(M::template everyColumn<0>(left), M::template everyRow<0>(right));
    const typename M::Mat sum = M::mulAdd(M::template everyColumn<1>(left), M::template everyRow<1>(right), product0);
    return M::mulAdd(M::template everyColumn<2>(left), M::template everyRow<2>(right), sum);
}

} // namespace
} // namespace poselane
