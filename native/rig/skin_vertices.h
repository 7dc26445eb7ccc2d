// SPDX-License-Identifier: MIT
// Twin: lib/rig/kernels/skin-vertices.ts
//
// Linear blend skinning with vertices in lanes, one pose after another; docs/tables/rig-orders.md has the orders.
#pragma once

#include "skin_matrices.h"
#include "skin_morphs.h"

namespace poselane {
namespace {

/// In place of a number of sets of influences: any number.
constexpr int kAnySets = 0;

/// Calls body(Number), so that meshes with up to four or up to eight influences have loops of their own.
template <class Body> POSELANE_ALWAYS_INLINE void withSets(const MeshView& mesh, Body body) {
    if (!kSmallCode && mesh.sets == 1) {
        body(Number<1>());
    } else if (!kSmallCode && mesh.sets == 2) {
        body(Number<2>());
    } else {
        body(Number<kAnySets>());
    }
}

/// The blended matrices of the vertices of a vector.
template <class L, int sets> struct BlendedMatrices {
    const float* matrices;
    const uint32_t* joints;
    const float* weights;
    int anySets;

    /// The matrix of the i-th vertex.
    POSELANE_ALWAYS_INLINE typename L::Matrix operator()(int i) const {
        const size_t first = static_cast<size_t>(i) * kInfluences;
        typename L::Matrix sum = ofSet(first);
        if constexpr (sets == kAnySets) {
            for (size_t set = 1; set < static_cast<size_t>(anySets); set++) {
                sum = L::sum(sum, ofSet(set * kVertices * kInfluences + first));
            }
        } else if constexpr (sets == 2) {
            sum = L::sum(sum, ofSet(kVertices * kInfluences + first));
        }
        return sum;
    }

private:
    POSELANE_ALWAYS_INLINE typename L::Matrix ofSet(size_t first) const {
        const auto part = [&](size_t i)
                              POSELANE_INLINED { return L::scaled(matrices + joints[first + i], weights[first + i]); };
        return L::sum(L::sum(L::sum(part(0), part(1)), part(2)), part(3));
    }
};

template <class L>
POSELANE_ALWAYS_INLINE void movePositions(const LaneMat<L>& m, const float* positions, typename L::Floats (&moved)[3]) {
    const typename L::Floats x = L::load(positions), y = L::load(positions + kVertices),
                             z = L::load(positions + 2 * kVertices);
    each<3>([&](auto row) POSELANE_INLINED {
        const typename L::Floats sum = L::add(L::mul(m[row][0], x), L::mul(m[row][1], y));
        moved[row] = L::add(L::add(sum, L::mul(m[row][2], z)), m[row][3]);
    });
}

/// Columns a and b of m: their cross product.
template <class L, int a, int b>
POSELANE_ALWAYS_INLINE void cofactors(const LaneMat<L>& m, typename L::Floats (&c)[3]) {
    c[0] = L::sub(L::mul(m[1][a], m[2][b]), L::mul(m[2][a], m[1][b]));
    c[1] = L::sub(L::mul(m[2][a], m[0][b]), L::mul(m[0][a], m[2][b]));
    c[2] = L::sub(L::mul(m[0][a], m[1][b]), L::mul(m[1][a], m[0][b]));
}

/// Moves normals by the cofactors of the matrix with the sign of its determinant. The results have length 1, or 0.
template <class L>
POSELANE_ALWAYS_INLINE void moveNormals(const LaneMat<L>& m, const float* normals, typename L::Floats (&moved)[3]) {
    using Floats = typename L::Floats;
    Floats c0[3], c1[3], c2[3], n[3];
    cofactors<L, 1, 2>(m, c0);
    cofactors<L, 2, 0>(m, c1);
    cofactors<L, 0, 1>(m, c2);
    const Floats x = L::load(normals), y = L::load(normals + kVertices), z = L::load(normals + 2 * kVertices);
    const Floats determinant = L::add(L::add(L::mul(m[0][0], c0[0]), L::mul(m[1][0], c0[1])), L::mul(m[2][0], c0[2]));
    each<3>([&](auto i)
                POSELANE_INLINED { n[i] = L::add(L::add(L::mul(c0[i], x), L::mul(c1[i], y)), L::mul(c2[i], z)); });
    // The sign changes no square.
    const Floats square = L::add(L::add(L::mul(n[0], n[0]), L::mul(n[1], n[1])), L::mul(n[2], n[2]));
    const Floats length = L::select(L::isZero(square), L::set1(1.0f), L::sqrt(square));
    const Floats signedLength = L::flip(length, L::negativeSigns(determinant));
    each<3>([&](auto i) POSELANE_INLINED { moved[i] = L::div(n[i], signedLength); });
}

/// One pose, gathered.
struct SkinPose {
    const float* matrices;
    /// Weights of the targets; null when all are 0.
    const float* weights;
};

/// Calls take(block, first, m, vertices) for each vector of vertices: its block, its first place in the block, the
/// blended matrices, and the vertices before the matrices move them. Places behind the last vertex repeat it.
template <class L, int sets, class Normals, class Take>
POSELANE_ALWAYS_INLINE void forEachVertices(Normals normals, const MeshView& mesh, const SkinPose& pose, Take take) {
    const size_t blockInfluences = static_cast<size_t>(mesh.sets) * kVertices * kInfluences;
    const int blocks = (mesh.vertices + kVertices - 1) / kVertices;
    for (int block = 0; block < blocks; block++) {
        const size_t index = static_cast<size_t>(block);
        MorphedVertices morphed;
        VertexLists vertices = {mesh.positions + index * kVertices * 3, nullptr};
        if (normals) {
            vertices.normals = mesh.normals + index * kVertices * 3;
        }
        if (pose.weights != nullptr && hasMorphs(mesh, block)) {
            vertices = morphVertices(mesh, pose.weights, block, vertices, &morphed);
        }
        const uint32_t* const joints = mesh.influenceMatrices + index * blockInfluences;
        const float* const weights = mesh.influenceWeights + index * blockInfluences;
        for (int first = 0; first < kVertices && block * kVertices + first < mesh.vertices; first += L::kWidth) {
            const int influence = first * kInfluences;
            const BlendedMatrices<L, sets> blended = {pose.matrices, joints + influence, weights + influence,
                                                      mesh.sets};
            LaneMat<L> m;
            L::toElements(blended, m);
            take(block, first, m, vertices);
        }
    }
}

/// Calls each(pose, SkinPose) for the poses of a block.
template <class Skin, class Each>
POSELANE_ALWAYS_INLINE void forEachSkinPose(const MeshView& mesh, const SkinBlock& block, Each each) {
    const size_t stride = skinMatricesStride(mesh, Skin::kMatrixFloats);
    for (int pose = 0; pose < block.poses; pose++) {
        const bool morphs = gatherMorphWeights(mesh, block.weights, pose, block.scratch.weights);
        each(pose, SkinPose{block.scratch.matrices + static_cast<size_t>(pose) * stride,
                            morphs ? block.scratch.weights : nullptr});
    }
}

template <class L, int sets, class Normals>
void skinPose(Normals normals, const MeshView& mesh, const SkinPose& pose, float* outPositions, float* outNormals) {
    const int whole = mesh.vertices / kVertices;
    alignas(64) float lastPositions[3 * kVertices], lastNormals[3 * kVertices];
    const auto storeAt = [&](float* out, float* last, int block, int first) POSELANE_INLINED {
        return (block < whole ? out + static_cast<size_t>(block) * kVertices * 3 : last) + first * 3;
    };
    forEachVertices<L, sets>(normals, mesh, pose,
                             [&](int block, int first, const LaneMat<L>& m, const VertexLists& vertices)
                                 POSELANE_INLINED {
                                     typename L::Floats moved[3];
                                     movePositions<L>(m, vertices.positions + first, moved);
                                     L::storeVertices(storeAt(outPositions, lastPositions, block, first), moved);
                                     if (normals) {
                                         moveNormals<L>(m, vertices.normals + first, moved);
                                         L::storeVertices(storeAt(outNormals, lastNormals, block, first), moved);
                                     }
                                 });
    const size_t rest = static_cast<size_t>(mesh.vertices % kVertices) * 3;
    const size_t done = static_cast<size_t>(whole) * kVertices * 3;
    memcpy(outPositions + done, lastPositions, rest * sizeof(float));
    if (normals) {
        memcpy(outNormals + done, lastNormals, rest * sizeof(float));
    }
}

template <class Wide, class Narrow, class Skin>
void skinVertices(const MeshView& mesh, const SkinBlock& block, float* outPositions, float* outNormals) {
    gatherSkinMatrices<Wide, Narrow, Skin>(mesh, block);
    forEachSkinPose<Skin>(mesh, block, [&](int index, const SkinPose& pose) {
        const size_t at = static_cast<size_t>(index) * static_cast<size_t>(mesh.vertices) * 3;
        withSets(mesh, [&](auto sets) {
            withConstant(outNormals != nullptr, [&](auto normals) {
                skinPose<Skin, sets>(normals, mesh, pose, outPositions + at, normals ? outNormals + at : nullptr);
            });
        });
    });
}

} // namespace
} // namespace poselane
