// SPDX-License-Identifier: MIT

#include "skin_clusters.h"

#include <math.h>

namespace poselane {

namespace {

/// Vertices that one test may spare.
constexpr uint32_t kClusterVertices = 16;

struct Box {
    double least[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
    double greatest[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};

    void add(const float* point) {
        for (int axis = 0; axis < 3; axis++) {
            const double value = point[axis];
            least[axis] = value < least[axis] ? value : least[axis];
            greatest[axis] = value > greatest[axis] ? value : greatest[axis];
        }
    }

    CentredBox centred() const {
        CentredBox result;
        for (int axis = 0; axis < 3; axis++) {
            const bool empty = least[axis] > greatest[axis];
            result.centre[axis] = empty ? 0 : (least[axis] + greatest[axis]) / 2;
            result.half[axis] = empty ? -1 : (greatest[axis] - least[axis]) / 2;
        }
        return result;
    }
};

/// The joint with the greatest weight, of equal ones the first.
int32_t dominantJoint(const int32_t* joints, const double* weights, uint32_t first, uint32_t end) {
    uint32_t best = first;
    for (uint32_t i = first + 1; i < end; i++) {
        best = weights[i] > weights[best] ? i : best;
    }
    return joints[best];
}

bool makeClusters(Memory& memory, SkinClusters* to, const int32_t* dominant, size_t vertices) {
    // No more than this: a cluster ends where the joint changes, or where it is full.
    const size_t most = static_cast<size_t>(to->joints) + vertices / kClusterVertices + 1;
    if (!to->clusterStarts.allocate(memory, most + 1) || !to->clusterBoxes.allocate(memory, most)) {
        return false;
    }
    uint32_t start = 0;
    for (uint32_t v = 1; v <= vertices; v++) {
        if (v == vertices || v - start == kClusterVertices || dominant[v] != dominant[start]) {
            Box box;
            for (uint32_t inside = start; inside < v; inside++) {
                box.add(to->positions.data + static_cast<size_t>(inside) * 3);
            }
            to->clusterBoxes.data[to->clusters++] = box.centred();
            to->clusterStarts.data[to->clusters] = start = v;
        }
    }
    return to->seen.allocate(memory, static_cast<size_t>(to->clusters) * 6);
}

/// use(joint, vertex, whether the cluster is new to the joint) for each influence, in order.
template <typename Use> bool forEachInfluence(const SkinClusters& of, Use use) {
    HeapMemory heap;
    Array<uint32_t> last; // cluster + 1
    if (!last.allocate(heap, static_cast<size_t>(of.joints))) {
        return false;
    }
    for (uint32_t c = 0; c < of.clusters; c++) {
        for (uint32_t v = of.clusterStarts.data[c]; v < of.clusterStarts.data[c + 1]; v++) {
            for (uint32_t i = of.starts.data[v]; i < of.starts.data[v + 1]; i++) {
                const int32_t joint = of.influenceJoints.data[i];
                use(joint, v, c, last.data[joint] != c + 1);
                last.data[joint] = c + 1;
            }
        }
    }
    return true;
}

bool listClusters(Memory& memory, SkinClusters* to) {
    const size_t joints = static_cast<size_t>(to->joints);
    HeapMemory heap;
    Array<Box> boxes;
    Array<uint32_t> next;
    if (!boxes.allocate(heap, joints) || !to->jointStarts.allocate(memory, joints + 1) ||
        !to->jointBoxes.allocate(memory, joints) || !to->movingJoints.allocate(memory, joints) ||
        !forEachInfluence(*to, [&](int32_t joint, uint32_t v, uint32_t, bool isNew) {
            boxes.data[joint].add(to->positions.data + static_cast<size_t>(v) * 3);
            to->jointStarts.data[joint + 1] += isNew ? 1 : 0;
        })) {
        return false;
    }
    for (size_t joint = 0; joint < joints; joint++) {
        to->jointStarts.data[joint + 1] += to->jointStarts.data[joint];
        to->jointBoxes.data[joint] = boxes.data[joint].centred();
        if (to->jointBoxes.data[joint].half[0] >= 0) {
            to->movingJoints.data[to->moving++] = static_cast<int32_t>(joint);
        }
    }
    return next.copy(heap, to->jointStarts.data, joints) &&
           to->jointClusters.allocate(memory, to->jointStarts.data[joints]) &&
           forEachInfluence(*to, [&](int32_t joint, uint32_t, uint32_t c, bool isNew) {
               if (isNew) {
                   to->jointClusters.data[next.data[joint]++] = c;
               }
           });
}

} // namespace

bool SkinVertices::reserve(size_t vertices, size_t influences) {
    return vertices < UINT32_MAX / 3 && influences < UINT32_MAX && positions_.allocate(memory_, vertices * 3) &&
           starts_.allocate(memory_, vertices + 1) && joints_.allocate(memory_, influences) &&
           weights_.allocate(memory_, influences);
}

bool SkinVertices::add(const PrimitiveView& primitive, int32_t joints) {
    const size_t influences = primitive.influences;
    const size_t room = starts_.length - 1 - vertices_;
    if (primitive.vertices > room || (joints_.length - end_) / influences < primitive.vertices) {
        return false;
    }
    if (primitive.vertices == 0) {
        return true; // An empty array has no address that memcpy would take.
    }
    memcpy(positions_.data + vertices_ * 3, primitive.positions, primitive.vertices * 3 * sizeof(float));
    for (size_t v = 0; v < primitive.vertices; v++) {
        const uint16_t* const from = primitive.joints + v * influences;
        const float* const weights = primitive.weights + v * influences;
        const size_t first = end_;
        double sum = 0;
        for (size_t i = 0; i < influences; i++) {
            const double weight = weights[i];
            if (weight > 0) {
                // Read once: another thread may change it between a check and its use.
                const int32_t joint = *static_cast<const volatile uint16_t*>(from + i);
                if (joint >= joints) {
                    return false;
                }
                sum += weight;
                joints_.data[end_] = joint;
                weights_.data[end_++] = weight;
            }
        }
        for (size_t i = first; i < end_; i++) {
            weights_.data[i] /= sum;
        }
        if (end_ == first) {
            const int32_t joint = *static_cast<const volatile uint16_t*>(from);
            joints_.data[end_] = joint < joints ? joint : 0;
            weights_.data[end_++] = 1;
        }
        starts_.data[++vertices_] = static_cast<uint32_t>(end_);
    }
    return true;
}

void SkinVertices::addTo(double* box) const {
    Box all;
    for (size_t v = 0; v < vertices_; v++) {
        all.add(positions_.data + v * 3);
    }
    for (int axis = 0; axis < 3; axis++) {
        box[axis] = all.least[axis] < box[axis] ? all.least[axis] : box[axis];
        box[axis + 3] = all.greatest[axis] > box[axis + 3] ? all.greatest[axis] : box[axis + 3];
    }
}

bool SkinVertices::cluster(Memory& memory, int32_t joints, SkinClusters* to) const {
    const size_t vertices = vertices_;
    HeapMemory heap;
    Array<int32_t> unsorted, dominant;
    Array<uint32_t> next;
    if (vertices == 0 || vertices + 1 != starts_.length || !unsorted.allocate(heap, vertices) ||
        !dominant.allocate(heap, vertices) || !next.allocate(heap, static_cast<size_t>(joints) + 1) ||
        !to->positions.allocate(memory, vertices * 3) || !to->starts.allocate(memory, vertices + 1) ||
        !to->influenceJoints.allocate(memory, end_) || !to->influenceWeights.allocate(memory, end_)) {
        return false;
    }
    to->joints = joints;
    for (size_t v = 0; v < vertices; v++) {
        unsorted.data[v] = dominantJoint(joints_.data, weights_.data, starts_.data[v], starts_.data[v + 1]);
        next.data[unsorted.data[v] + 1]++;
    }
    for (int32_t joint = 1; joint < joints; joint++) {
        next.data[joint] += next.data[joint - 1];
    }
    // Vertices that one joint moves stay in the file's order, which is mostly one of neighbours.
    Array<uint32_t> order;
    if (!order.allocate(heap, vertices)) {
        return false;
    }
    for (size_t v = 0; v < vertices; v++) {
        order.data[next.data[unsorted.data[v]]++] = static_cast<uint32_t>(v);
    }
    uint32_t end = 0;
    for (size_t v = 0; v < vertices; v++) {
        const uint32_t from = order.data[v];
        const uint32_t first = starts_.data[from];
        const uint32_t count = starts_.data[from + 1] - first;
        memcpy(to->positions.data + v * 3, positions_.data + static_cast<size_t>(from) * 3, 3 * sizeof(float));
        for (uint32_t i = 0; i < count; i++) {
            to->influenceJoints.data[end + i] = joints_.data[first + i];
            to->influenceWeights.data[end + i] = weights_.data[first + i];
        }
        to->starts.data[v + 1] = end += count;
        dominant.data[v] = unsorted.data[from];
    }
    return makeClusters(memory, to, dominant.data, vertices) && listClusters(memory, to);
}

} // namespace poselane
