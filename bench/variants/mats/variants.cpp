// SPDX-License-Identifier: MIT
//
// Variants that lost against native/kernels (README.md has their numbers). All give the same bits.
#include "variants.h"

#if defined(__GNUC__) && !defined(__clang__)
// GCC 12 takes the undefined operands of its own intrinsics for a mistake of whoever calls them.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#include <immintrin.h>
#pragma GCC diagnostic pop
#else
#include <immintrin.h>
#endif

namespace {

using namespace poselane;

constexpr __mmask16 kTranslations = 0x8888;

__m512 load64(const JointMat* mat) { return _mm512_loadu_ps(mat->mat); }
__m512 load48(const JointMat* mat) {
    return _mm512_insertf32x4(_mm512_castps256_ps512(_mm256_loadu_ps(mat->mat)), _mm_loadu_ps(mat->mat + 8), 2);
}
__m512 loadMasked(const JointMat* mat) { return _mm512_maskz_loadu_ps(0x0FFF, mat->mat); }
void store48(JointMat* mat, __m512 m) {
    _mm256_storeu_ps(mat->mat, _mm512_castps512_ps256(m));
    _mm_storeu_ps(mat->mat + 8, _mm512_extractf32x4_ps(m, 2));
}
__m512 rowOf(const float* row) { return _mm512_broadcast_f32x4(_mm_loadu_ps(row)); }
__m512 product3(__m512 b0, __m512 a0, __m512 b1, __m512 a1, __m512 b2, __m512 a2) {
    return _mm512_add_ps(_mm512_add_ps(_mm512_mul_ps(b0, a0), _mm512_mul_ps(b1, a1)), _mm512_mul_ps(b2, a2));
}
template <int row> __m512 columnOfTranspose(__m512 b) {
    return _mm512_permutexvar_ps(_mm512_setr_epi32(row * 4, row * 4, row * 4, row * 4, row * 4 + 1, row * 4 + 1,
                                                   row * 4 + 1, row * 4 + 1, row * 4 + 2, row * 4 + 2, row * 4 + 2,
                                                   row * 4 + 2, row * 4 + 3, row * 4 + 3, row * 4 + 3, row * 4 + 3),
                                 b);
}

/// The parent in one load of 64 bytes; its transpose by permutations of the whole register.
void untransformWholeParent(JointMat* mats, const int* parents, int first, int last) {
    for (int i = last; i >= first; i--) {
        const JointMat* const parent = mats + parents[i];
        const __m512 b = load64(parent);
        __m512 a[3];
        for (int k = 0; k < 3; k++) {
            const __m512 row = rowOf(mats[i].mat + k * 4);
            a[k] = _mm512_mask_sub_ps(row, kTranslations, row, rowOf(parent->mat + k * 4));
        }
        store48(mats + i,
                product3(columnOfTranspose<0>(b), a[0], columnOfTranspose<1>(b), a[1], columnOfTranspose<2>(b), a[2]));
    }
}

/// As the kernel, with masked loads and stores.
void untransformMasked(JointMat* mats, const int* parents, int first, int last) {
    for (int i = last; i >= first; i--) {
        const __m512 b = load64(mats + parents[i]);
        const __m512 a = loadMasked(mats + i);
        const __m512 moved = _mm512_mask_sub_ps(a, kTranslations, a, b);
        _mm512_mask_storeu_ps(mats[i].mat, 0x0FFF,
                              product3(columnOfTranspose<0>(b), _mm512_shuffle_f32x4(moved, moved, 0x00),
                                       columnOfTranspose<1>(b), _mm512_shuffle_f32x4(moved, moved, 0x55),
                                       columnOfTranspose<2>(b), _mm512_shuffle_f32x4(moved, moved, 0xAA)));
    }
}

/// One subtraction for the three rows, which then are spread by loads from the stack.
void untransformThroughStack(JointMat* mats, const int* parents, int first, int last) {
    alignas(64) float moved[16 * 8];
    for (int i = last; i >= first; i--) {
        const __m512 b = load64(mats + parents[i]);
        const __m512 a = load48(mats + i);
        float* const rows = moved + i % 8 * 16;
        _mm512_store_ps(rows, _mm512_mask_sub_ps(a, kTranslations, a, b));
        store48(mats + i, product3(columnOfTranspose<0>(b), rowOf(rows), columnOfTranspose<1>(b), rowOf(rows + 4),
                                   columnOfTranspose<2>(b), rowOf(rows + 8)));
    }
}

/// One subtraction for the three rows, whose results masked permutations bring into rows from memory.
void untransformBlend(JointMat* mats, const int* parents, int first, int last) {
    for (int i = last; i >= first; i--) {
        const JointMat* const parent = mats + parents[i];
        const __m512 b = load64(parent);
        const __m512 a = load48(mats + i);
        const __m512 t = _mm512_sub_ps(a, b);
        const __m512 a0 = _mm512_mask_shuffle_f32x4(rowOf(mats[i].mat), kTranslations, t, t, 0x00);
        const __m512 a1 = _mm512_mask_shuffle_f32x4(rowOf(mats[i].mat + 4), kTranslations, t, t, 0x55);
        const __m512 a2 = _mm512_mask_shuffle_f32x4(rowOf(mats[i].mat + 8), kTranslations, t, t, 0xAA);
        store48(mats + i,
                product3(columnOfTranspose<0>(b), a0, columnOfTranspose<1>(b), a1, columnOfTranspose<2>(b), a2));
    }
}

/// One 64-byte store a joint, over the next one's first row, which is loaded before.
void transformOverlappingStores(JointMat* mats, const int* parents, int first, int last) {
    if (first > last) {
        return;
    }
    int parent = parents[first];
    __m512 rotation = load48(mats + parent), mat = rotation;
    __m512 row0 = rowOf(mats[first].mat);
    for (int i = first; i <= last; i++) {
        if (parents[i] != parent) {
            rotation = mat = load48(mats + parents[i]);
        }
        const __m512 next = i < last ? rowOf(mats[i + 1].mat) : row0;
        rotation = product3(_mm512_permute_ps(rotation, 0x00), row0, _mm512_permute_ps(rotation, 0x55),
                            rowOf(mats[i].mat + 4), _mm512_permute_ps(rotation, 0xAA), rowOf(mats[i].mat + 8));
        mat = _mm512_mask_add_ps(rotation, kTranslations, rotation, mat);
        if (i < last) {
            _mm512_storeu_ps(mats[i].mat, mat);
        } else {
            store48(mats + i, mat);
        }
        row0 = next;
        parent = i;
    }
}

/// Every parent from memory.
void transformFromMemory(JointMat* mats, const int* parents, int first, int last) {
    for (int i = first; i <= last; i++) {
        const __m512 parent = load48(mats + parents[i]);
        const __m512 sum =
            product3(_mm512_permute_ps(parent, 0x00), rowOf(mats[i].mat), _mm512_permute_ps(parent, 0x55),
                     rowOf(mats[i].mat + 4), _mm512_permute_ps(parent, 0xAA), rowOf(mats[i].mat + 8));
        store48(mats + i, _mm512_mask_add_ps(sum, kTranslations, sum, parent));
    }
}

/// A matrix as 64 bytes, 48 of them by masks: the trap.
void transformMasked(JointMat* mats, const int* parents, int first, int last) {
    for (int i = first; i <= last; i++) {
        const __m512 parent = loadMasked(mats + parents[i]);
        const __m512 sum =
            product3(_mm512_permute_ps(parent, 0x00), rowOf(mats[i].mat), _mm512_permute_ps(parent, 0x55),
                     rowOf(mats[i].mat + 4), _mm512_permute_ps(parent, 0xAA), rowOf(mats[i].mat + 8));
        _mm512_mask_storeu_ps(mats[i].mat, 0x0FFF, _mm512_mask_add_ps(sum, kTranslations, sum, parent));
    }
}

Kernels skeleton(const char* name, decltype(Kernels::transformSkeleton) transform,
                 decltype(Kernels::untransformSkeleton) untransform) {
    Kernels k = {};
    k.name = name;
    k.transformSkeleton = transform;
    k.untransformSkeleton = untransform;
    return k;
}

} // namespace

const std::vector<Kernels> kVariants = {
    skeleton("whole parent", nullptr, untransformWholeParent),
    skeleton("masked", nullptr, untransformMasked),
    skeleton("through the stack", nullptr, untransformThroughStack),
    skeleton("blended translation", nullptr, untransformBlend),
    skeleton("overlapping stores", transformOverlappingStores, nullptr),
    skeleton("from memory", transformFromMemory, nullptr),
    skeleton("masked", transformMasked, nullptr),
};
