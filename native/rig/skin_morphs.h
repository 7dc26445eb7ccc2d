// SPDX-License-Identifier: MIT
//
// Morph targets, before vertices are skinned: vertex by vertex, because each is moved by targets of its own.
#pragma once

#include <string.h>

#include "kernels.h"

namespace poselane {
namespace {

/// [3][16]: a block of vertices; or pointers to one of them and those after it.
struct VertexLists {
    const float* positions;
    const float* normals;
};

struct alignas(64) MorphedVertices {
    float positions[3 * kVertices];
    float normals[3 * kVertices];
};

/// Gathers the weights of the mesh's targets in one pose. False where all are 0.
inline bool gatherMorphWeights(const MeshView& mesh, const float* blockWeights, int pose, float* weights) {
    bool any = false;
    for (int target = 0; target < mesh.targets; target++) {
        const float weight = blockWeights[static_cast<size_t>(mesh.firstWeight + target) * kPoses + pose];
        weights[target] = weight;
        any = any || weight != 0.0f;
    }
    return any;
}

inline int verticesInBlock(const MeshView& mesh, int block) {
    const int rest = mesh.vertices - block * kVertices;
    return rest < kVertices ? rest : kVertices;
}

inline bool hasMorphs(const MeshView& mesh, int block) {
    const uint32_t* const starts = mesh.morphStarts + static_cast<size_t>(block) * kVertices;
    return starts[0] != starts[verticesInBlock(mesh, block)];
}

inline void addDelta(float* vertex, float weight, const float* delta) {
    vertex[0] = vertex[0] + weight * delta[0];
    vertex[kVertices] = vertex[kVertices] + weight * delta[1];
    vertex[2 * kVertices] = vertex[2 * kVertices] + weight * delta[2];
}

/// Repeats the last vertex in the places behind it.
inline void repeatLast(float* list, int vertices) {
    for (int row = 0; row < 3; row++) {
        for (int i = vertices; i < kVertices; i++) {
            list[row * kVertices + i] = list[row * kVertices + vertices - 1];
        }
    }
}

/// A block of vertices with their targets added.
inline VertexLists morphVertices(const MeshView& mesh, const float* weights, int block, const VertexLists& from,
                                 MorphedVertices* to) {
    const bool normals = from.normals != nullptr;
    const int vertices = verticesInBlock(mesh, block);
    memcpy(to->positions, from.positions, sizeof(to->positions));
    if (normals) {
        memcpy(to->normals, from.normals, sizeof(to->normals));
    }
    const uint32_t* const starts = mesh.morphStarts + static_cast<size_t>(block) * kVertices;
    for (int i = 0; i < vertices; i++) {
        for (size_t entry = starts[i]; entry < starts[i + 1]; entry++) {
            const float weight = weights[mesh.morphTargets[entry]];
            if (weight == 0.0f) {
                continue;
            }
            addDelta(to->positions + i, weight, mesh.morphPositions + entry * 3);
            if (normals) {
                addDelta(to->normals + i, weight, mesh.morphNormals + entry * 3);
            }
        }
    }
    repeatLast(to->positions, vertices);
    if (normals) {
        repeatLast(to->normals, vertices);
    }
    return {to->positions, normals ? to->normals : nullptr};
}

} // namespace
} // namespace poselane
