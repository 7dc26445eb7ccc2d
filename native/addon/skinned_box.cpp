// SPDX-License-Identifier: MIT
//
// The box of a clip: lib/bake/skinned-box.ts, whose bits these are.

#include <math.h>

#include "skin_clusters.h"

namespace poselane {

namespace {

double absolute(double value) { return value < 0 ? -value : value; }

/// How far a box that a matrix has moved reaches along an axis: where its centre is, and half its size.
struct Reach {
    double centre;
    double half;

    /// @param m The row of the matrix: its elements are 4 apart.
    Reach(const float* m, const CentredBox& box) {
        const double x = m[0], y = m[4], z = m[8];
        centre = x * box.centre[0] + y * box.centre[1] + z * box.centre[2] + m[12];
        half = absolute(x) * box.half[0] + absolute(y) * box.half[1] + absolute(z) * box.half[2];
    }
};

/// How far each side of the box is out: greatest x, y, z, then least x, y, z with the sign changed.
struct Sides {
    double out[6];
};

/// Moves one side out to hold vertices `first` to `end - 1`.
/// @param row Of the first joint's matrix.
void addVertices(double* side, const SkinClusters& of, uint32_t first, uint32_t end, const float* row, double sign) {
    const uint32_t* const starts = of.starts.data;
    const float* p = of.positions.data + static_cast<size_t>(first) * 3;
    double greatest = *side;
    if (starts[end] - starts[first] == end - first) {
        // One joint moves each vertex of the cluster, and so the same joint all of them: a common case.
        const float* const m = row + static_cast<size_t>(of.influenceJoints.data[starts[first]]) * 16;
        const double a = sign * m[0], b = sign * m[4], c = sign * m[8], d = sign * m[12];
        for (uint32_t v = first; v < end; v++, p += 3) {
            const double out = a * p[0] + b * p[1] + c * p[2] + d;
            greatest = out > greatest ? out : greatest;
        }
        *side = greatest;
        return;
    }
    for (uint32_t v = first; v < end; v++, p += 3) {
        const double x = p[0], y = p[1], z = p[2];
        double place = 0;
        for (uint32_t i = starts[v]; i < starts[v + 1]; i++) {
            const float* const m = row + static_cast<size_t>(of.influenceJoints.data[i]) * 16;
            place += of.influenceWeights.data[i] * (m[0] * x + m[4] * y + m[8] * z + m[12]);
        }
        const double out = sign * place;
        greatest = out > greatest ? out : greatest;
    }
    *side = greatest;
}

/// Moves one side out to hold all that a joint moves, in the row of the palette that starts at `mats`.
void visitJoint(Sides* sides, SkinClusters* of, const float* mats, int32_t joint, int side) {
    const int axis = side % 3;
    const double sign = side < 3 ? 1 : -1;
    double* const out = sides->out + side;
    const float* const m = mats + static_cast<size_t>(joint) * 16 + axis;
    for (uint32_t i = of->jointStarts.data[joint]; i < of->jointStarts.data[joint + 1]; i++) {
        const uint32_t c = of->jointClusters.data[i];
        uint64_t& seen = of->seen.data[static_cast<size_t>(c) * 6 + side];
        if (seen == of->row) {
            continue;
        }
        const Reach reach(m, of->clusterBoxes.data[c]);
        if (sign * reach.centre + reach.half <= *out) {
            continue;
        }
        seen = of->row;
        addVertices(out, *of, of->clusterStarts.data[c], of->clusterStarts.data[c + 1], mats + axis, sign);
    }
}

} // namespace

bool addSkinnedRows(double* box, SkinClusters* of, const float* palette, size_t rows) {
    const size_t rowFloats = static_cast<size_t>(of->joints) * 16;
    HeapMemory heap;
    Array<Sides> reach;
    if (of->moving != 0 && rows > SIZE_MAX / of->moving) {
        return false;
    }
    if (!reach.allocate(heap, rows * of->moving)) {
        return false;
    }
    Sides sides = {{box[3], box[4], box[5], -box[0], -box[1], -box[2]}};
    Sides farthest = sides;
    struct {
        const float* mats = nullptr;
        int32_t joint = 0;
    } at[6];
    Sides* entry = reach.data;
    for (size_t row = 0; row < rows; row++) {
        const float* const mats = palette + row * rowFloats;
        for (size_t i = 0; i < of->moving; i++, entry++) {
            const int32_t joint = of->movingJoints.data[i];
            const float* const m = mats + static_cast<size_t>(joint) * 16;
            for (int axis = 0; axis < 3; axis++) {
                const Reach each(m + axis, of->jointBoxes.data[joint]);
                entry->out[axis] = each.centre + each.half;
                entry->out[axis + 3] = each.half - each.centre;
            }
            for (int side = 0; side < 6; side++) {
                if (entry->out[side] > farthest.out[side]) {
                    farthest.out[side] = entry->out[side];
                    at[side] = {mats, joint};
                }
            }
        }
    }
    // What may reach farthest comes first: the sooner the box is large, the less has to be looked at.
    for (int side = 0; side < 6; side++) {
        if (at[side].mats != nullptr) {
            of->row++;
            visitJoint(&sides, of, at[side].mats, at[side].joint, side);
        }
    }
    entry = reach.data;
    for (size_t row = 0; row < rows; row++) {
        of->row++;
        for (size_t i = 0; i < of->moving; i++, entry++) {
            for (int side = 0; side < 6; side++) {
                if (entry->out[side] > sides.out[side]) {
                    visitJoint(&sides, of, palette + row * rowFloats, of->movingJoints.data[i], side);
                }
            }
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        box[axis] = -sides.out[axis + 3];
        box[axis + 3] = sides.out[axis];
    }
    return true;
}

} // namespace poselane
