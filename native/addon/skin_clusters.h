// SPDX-License-Identifier: MIT
//
// A skin's vertices in clusters: lib/bake/geometry.ts and clusters.ts, whose bits these are. All in double precision.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "arrays.h"

namespace poselane {

/// Vertices of one primitive, as a file has them.
struct PrimitiveView {
    const float* positions;
    const uint16_t* joints;
    const float* weights;
    size_t vertices;
    size_t influences;
};

/// Centre and half size, x y z each.
struct CentredBox {
    double centre[3];
    double half[3];
};

struct SkinClusters {
    int32_t joints = 0;

    /// Sorted by cluster.
    Array<float> positions;
    /// Influences of vertex v: elements starts[v] to starts[v + 1] - 1.
    Array<uint32_t> starts;
    Array<int32_t> influenceJoints;
    Array<double> influenceWeights;

    /// Cluster c: vertices clusterStarts[c] to clusterStarts[c + 1] - 1.
    Array<uint32_t> clusterStarts;
    Array<CentredBox> clusterBoxes;
    uint32_t clusters = 0;

    /// The joints that move anything, and the box of what each of all joints moves.
    Array<int32_t> movingJoints;
    Array<CentredBox> jointBoxes;
    size_t moving = 0;
    /// Clusters that joint j moves: elements jointStarts[j] to jointStarts[j + 1] - 1 of jointClusters.
    Array<uint32_t> jointStarts;
    Array<uint32_t> jointClusters;

    /// Scratch: for each cluster and side of the box, the number of the row for which it was last looked at.
    Array<uint64_t> seen;
    uint64_t row = 0;
};

/// The vertices of a skin's primitives in the file's order, while they are gathered.
class SkinVertices {
public:
    /// Room for so many. False where there is no memory.
    bool reserve(size_t vertices, size_t influences);
    /// False where there is no room for them.
    bool add(const PrimitiveView& primitive, int32_t joints);
    /// Grows a box, least corner and greatest, by the vertices as they are.
    void addTo(double* box) const;
    /// False where there is no memory, or not all vertices have been added.
    bool cluster(Memory& memory, int32_t joints, SkinClusters* clusters) const;

private:
    HeapMemory memory_;
    Array<float> positions_;
    Array<uint32_t> starts_;
    Array<int32_t> joints_;
    Array<double> weights_;
    size_t vertices_ = 0;
    size_t end_ = 0;
};

/// Grows `box`, least corner and greatest, by every vertex in each of `rows` rows of the palette, [row][joint] 4x4:
/// lib/bake/skinned-box.ts. False where there is no memory.
bool addSkinnedRows(double* box, SkinClusters* clusters, const float* palette, size_t rows);

} // namespace poselane
