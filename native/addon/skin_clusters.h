// SPDX-License-Identifier: MIT
//
// A skin's vertices in clusters: lib/bake/geometry.ts and clusters.ts, whose bits these are. All in double precision.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "rig_arrays.h"

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
    OwnedArray<float> positions;
    /// Influences of vertex v: elements starts[v] to starts[v + 1] - 1.
    OwnedArray<uint32_t> starts;
    OwnedArray<int32_t> influenceJoints;
    OwnedArray<double> influenceWeights;

    /// Cluster c: vertices clusterStarts[c] to clusterStarts[c + 1] - 1.
    OwnedArray<uint32_t> clusterStarts;
    OwnedArray<CentredBox> clusterBoxes;
    uint32_t clusters = 0;

    /// The joints that move anything, and the box of what each of all joints moves.
    OwnedArray<int32_t> movingJoints;
    OwnedArray<CentredBox> jointBoxes;
    size_t moving = 0;
    /// Clusters that joint j moves: elements jointStarts[j] to jointStarts[j + 1] - 1 of jointClusters.
    OwnedArray<uint32_t> jointStarts;
    OwnedArray<uint32_t> jointClusters;

    /// Scratch: for each cluster and side of the box, the number of the row for which it was last looked at.
    OwnedArray<uint64_t> seen;
    uint64_t row = 0;

    int64_t bytes() const {
        return static_cast<int64_t>(positions.bytes() + starts.bytes() + influenceJoints.bytes() +
                                    influenceWeights.bytes() + clusterStarts.bytes() + clusterBoxes.bytes() +
                                    movingJoints.bytes() + jointBoxes.bytes() + jointStarts.bytes() +
                                    jointClusters.bytes() + seen.bytes());
    }
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
    bool cluster(int32_t joints, SkinClusters* clusters) const;

private:
    OwnedArray<float> positions_;
    OwnedArray<uint32_t> starts_;
    OwnedArray<int32_t> joints_;
    OwnedArray<double> weights_;
    size_t vertices_ = 0;
    size_t end_ = 0;
};

/// Grows `box`, least corner and greatest, by every vertex in each of `rows` rows of the palette, [row][joint] 4x4:
/// lib/bake/skinned-box.ts. False where there is no memory.
bool addSkinnedRows(double* box, SkinClusters* clusters, const float* palette, size_t rows);

} // namespace poselane
