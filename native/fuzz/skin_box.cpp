// SPDX-License-Identifier: MIT
#include "skin_box.h"

#include <math.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "../addon/skin_clusters.h"
#include "numbers.h"
#include "placed.h"
#ifdef POSELANE_FUZZ_WRONG
#include "wrong_rig.h"
#endif

namespace poselane {

namespace {

constexpr size_t kMatrix = 16;

/// A primitive's lists as the addon lets them through (readPrimitive in native/addon/box_calls.cpp): none is empty, and
/// they hold influences for all vertices, or more.
struct Primitive {
    std::vector<float> positions, weights;
    std::vector<uint16_t> joints;
    size_t vertices, influences;
};

struct SkinCase {
    std::vector<Primitive> primitives;
    int32_t joints;
    std::vector<float> palette;
    size_t rows;
    double box[6];
    /// All numbers are usual ones: the box must be right.
    bool sane;
    size_t offset;
    /// By how much the second look at the lists sees fewer vertices or influences than the first.
    size_t missingVertices, missingInfluences;
    /// And whether it sees more.
    bool tooLittleRoom;
};

float drawWeight(Input& input, bool sane, Numbers numbers) {
    const int kind = input.randomBelow(8);
    return kind < 3 ? 0.0f : kind == 3 ? -input.unit() : sane ? 0.01f + input.unit() : drawFloat(input, numbers);
}

Primitive drawPrimitive(Input& input, const SkinCase& skin, Numbers numbers) {
    Primitive primitive;
    primitive.vertices = static_cast<size_t>(input.choice(input.oneIn(4) ? 70 : 20));
    primitive.influences = 1 + static_cast<size_t>(input.choice(9));
    const size_t all = primitive.vertices * primitive.influences;
    // A position may be there in part, and more influences than vertices.
    const size_t floats = primitive.vertices * 3 + static_cast<size_t>(input.choice(3));
    primitive.positions.resize(std::max<size_t>(floats, 1));
    primitive.weights.resize(std::max<size_t>(all + static_cast<size_t>(input.choice(3)), 1));
    primitive.joints.resize(std::max<size_t>(all + static_cast<size_t>(input.choice(3)), 1));
    drawFloats(input, skin.sane ? Numbers::around0 : numbers, primitive.positions.data(), primitive.positions.size());
    for (float& weight : primitive.weights) {
        weight = drawWeight(input, skin.sane, numbers);
    }
    const bool outside = input.oneIn(8);
    // Neighbours often have the same joint.
    const int run = 1 + input.choice(40);
    for (size_t i = 0; i < primitive.joints.size(); i++) {
        const bool same = i > 0 && input.randomBelow(run) != 0;
        primitive.joints[i] = same ? primitive.joints[i - 1] : static_cast<uint16_t>(input.randomBelow(skin.joints));
        // Those without a weight may name any.
        if (i < primitive.weights.size() && (!(primitive.weights[i] > 0.0f) || (outside && i % 16 == 7))) {
            primitive.joints[i] = static_cast<uint16_t>(input.random() >> (input.randomBelow(2) == 0 ? 16 : 28));
        }
    }
    return primitive;
}

SkinCase drawSkin(Input& input) {
    SkinCase skin;
    const Numbers numbers = static_cast<Numbers>(input.choice(static_cast<int>(Numbers::count)));
    skin.sane = input.oneIn(2);
    skin.joints = 1 + input.choice(input.oneIn(4) ? 60 : 6);
    skin.rows = static_cast<size_t>(input.choice(6));
    for (int primitives = input.choice(4); primitives > 0; primitives--) {
        skin.primitives.push_back(drawPrimitive(input, skin, numbers));
    }
    skin.palette.resize(skin.rows * static_cast<size_t>(skin.joints) * kMatrix);
    drawFloats(input, skin.sane ? Numbers::around0 : numbers, skin.palette.data(), skin.palette.size());
    const bool empty = input.oneIn(2);
    for (int side = 0; side < 6; side++) {
        const double outermost = side < 3 ? HUGE_VAL : -HUGE_VAL;
        skin.box[side] = empty       ? outermost
                         : skin.sane ? static_cast<double>(input.around0())
                                     : static_cast<double>(drawFloat(input, numbers));
    }
    skin.offset = static_cast<size_t>(input.choice(16));
    // Another thread may have changed a list's length in between.
    const int changed = input.choice(16);
    skin.missingVertices = changed == 15 ? 1 : 0;
    skin.missingInfluences = changed == 14 ? 1 : 0;
    skin.tooLittleRoom = changed == 13;
    return skin;
}

/// Calls use(vertex's position, influences, their joints and weights) for each vertex.
template <typename Use> void forEachVertex(const SkinCase& skin, Use use) {
    for (const Primitive& primitive : skin.primitives) {
        for (size_t v = 0; v < primitive.vertices; v++) {
            const size_t first = v * primitive.influences;
            use(primitive.positions.data() + v * 3, primitive.influences, primitive.joints.data() + first,
                primitive.weights.data() + first);
        }
    }
}

/// Whether the addon is to refuse the lists.
bool isRefused(const SkinCase& skin) {
    size_t vertices = 0;
    bool outside = false;
    forEachVertex(skin, [&](const float*, size_t influences, const uint16_t* joints, const float* weights) {
        vertices++;
        for (size_t i = 0; i < influences; i++) {
            outside |= weights[i] > 0.0f && joints[i] >= skin.joints;
        }
    });
    return vertices == 0 || outside || skin.missingVertices > 0 || skin.tooLittleRoom;
}

/// As the addon does; null where it refuses.
std::unique_ptr<SkinClusters> makeClusters(Memory& memory, const SkinCase& skin, double* vertexBox) {
    size_t vertices = skin.missingVertices, influences = skin.missingInfluences;
    for (const Primitive& primitive : skin.primitives) {
        vertices += primitive.vertices;
        influences += primitive.vertices * primitive.influences;
    }
    if (skin.tooLittleRoom) {
        vertices -= vertices == 0 ? 0 : 1;
    }
    SkinVertices gathered;
    auto clusters = std::make_unique<SkinClusters>();
    if (!gathered.reserve(vertices, influences)) {
        fail("skinBox: no memory for %zu vertices", vertices);
    }
    for (const Primitive& primitive : skin.primitives) {
        const Placed<float> positions(primitive.positions.data(), primitive.positions.size(), skin.offset);
        const Placed<float> weights(primitive.weights.data(), primitive.weights.size(), 1);
        const Placed<uint16_t> joints(primitive.joints.data(), primitive.joints.size(), skin.offset);
        const bool added = gathered.add(
            {positions.data(), joints.data(), weights.data(), primitive.vertices, primitive.influences}, skin.joints);
        if (!positions.holds(primitive.positions.data()) || !weights.holds(primitive.weights.data()) ||
            !joints.holds(primitive.joints.data())) {
            fail("skinBox: a list has changed");
        }
        if (!added) {
            return nullptr;
        }
    }
    if (!gathered.cluster(memory, skin.joints, clusters.get())) {
        return nullptr;
    }
    gathered.addTo(vertexBox);
    return clusters;
}

void addRows(const SkinCase& skin, SkinClusters* clusters, double* box, size_t first, size_t rows) {
    const size_t row = static_cast<size_t>(skin.joints) * kMatrix;
    const Placed<float> palette(skin.palette.data() + first * row, rows * row, skin.offset);
    const Placed<double> placed(box, 6, 1);
    if (!addSkinnedRows(placed.data(), clusters, palette.data(), rows)) {
        fail("skinBox: no memory for %zu rows", rows);
    }
#ifdef POSELANE_FUZZ_WRONG
    makeBoxWrong(placed.data());
#endif
    if (!palette.holds(skin.palette.data() + first * row)) {
        fail("skinBox: the palette has changed");
    }
    memcpy(box, placed.data(), 6 * sizeof(double));
}

void grow(double* box, int axis, double place) {
    box[axis] = place < box[axis] ? place : box[axis];
    box[axis + 3] = place > box[axis + 3] ? place : box[axis + 3];
}

/// Every vertex in every row: glTF 2.0, 3.7.3.3.
void moveAll(const SkinCase& skin, double* box) {
    for (size_t row = 0; row < skin.rows; row++) {
        const float* const palette = skin.palette.data() + row * static_cast<size_t>(skin.joints) * kMatrix;
        forEachVertex(skin, [&](const float* at, size_t influences, const uint16_t* joints, const float* weights) {
            double place[3] = {}, sum = 0.0;
            const auto move = [&](size_t joint, double weight) {
                const float* const m = palette + joint * kMatrix;
                for (int axis = 0; axis < 3; axis++) {
                    double moved = m[12 + axis];
                    for (int k = 0; k < 3; k++) {
                        moved += static_cast<double>(m[axis + 4 * k]) * static_cast<double>(at[k]);
                    }
                    place[axis] += weight * moved;
                }
                sum += weight;
            };
            for (size_t i = 0; i < influences; i++) {
                if (weights[i] > 0.0f) {
                    move(joints[i], weights[i]);
                }
            }
            if (sum == 0.0) {
                move(joints[0] < skin.joints ? joints[0] : 0, 1.0);
            }
            for (int axis = 0; axis < 3; axis++) {
                grow(box, axis, place[axis] / sum);
            }
        });
    }
}

void expectNear(const double* box, const double* right, const char* what) {
    for (int side = 0; side < 6; side++) {
        // Nothing is farther out than 4.
        if (!(box[side] == right[side] || fabs(box[side] - right[side]) <= 1e-13)) {
            fail("skinBox, %s: side %d is %.17g, not %.17g", what, side, box[side], right[side]);
        }
    }
}

void expectSame(const double* box, const double* before) {
    for (int side = 0; side < 6; side++) {
        if (!(box[side] == before[side] || (isnan(box[side]) && isnan(before[side])))) {
            fail("skinBox: the same rows moved side %d again, from %.17g to %.17g", side, before[side], box[side]);
        }
    }
}

void expectGrown(const double* box, const double* before) {
    for (int side = 0; side < 6; side++) {
        if (side < 3 ? box[side] > before[side] : box[side] < before[side]) {
            fail("skinBox: side %d went in, from %.17g to %.17g", side, before[side], box[side]);
        }
    }
}

/// Every vertex is in the box of each joint that moves it.
void expectJointBoxes(const SkinCase& skin, const SkinClusters& clusters) {
    forEachVertex(skin, [&](const float* at, size_t influences, const uint16_t* joints, const float* weights) {
        for (size_t i = 0; i < influences; i++) {
            for (int axis = 0; axis < 3 && weights[i] > 0.0f; axis++) {
                const CentredBox& box = clusters.jointBoxes.data[joints[i]];
                if (!(fabs(at[axis] - box.centre[axis]) <= box.half[axis])) {
                    fail("skinBox: a vertex of joint %d is outside of its box", joints[i]);
                }
            }
        }
    });
}

} // namespace

void fuzzSkinBox(Input& input) {
    const SkinCase skin = drawSkin(input);
    double vertexBox[6] = {HUGE_VAL, HUGE_VAL, HUGE_VAL, -HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, right[6];
    memcpy(right, vertexBox, sizeof(right));
    HeapMemory memory;
    const std::unique_ptr<SkinClusters> clusters = makeClusters(memory, skin, vertexBox);
    if ((clusters == nullptr) != isRefused(skin)) {
        fail("skinBox: %s", clusters == nullptr ? "good lists are refused" : "bad lists are not refused");
    }
    if (clusters == nullptr) {
        return;
    }
    forEachVertex(skin, [&](const float* at, size_t, const uint16_t*, const float*) {
        for (int axis = 0; axis < 3; axis++) {
            grow(right, axis, at[axis]);
        }
    });
    expectSame(vertexBox, right);

    double box[6], again[6];
    memcpy(box, skin.box, sizeof(box));
    addRows(skin, clusters.get(), box, 0, skin.rows);
    expectGrown(box, skin.box);
    memcpy(again, box, sizeof(again));
    addRows(skin, clusters.get(), again, 0, skin.rows);
    expectSame(again, box);
    memcpy(again, skin.box, sizeof(again));
    for (size_t row = 0; row < skin.rows; row++) {
        addRows(skin, clusters.get(), again, row, 1);
    }
    if (skin.sane) {
        memcpy(right, skin.box, sizeof(right));
        moveAll(skin, right);
        expectNear(box, right, "all rows at once");
        expectNear(again, right, "row by row");
        expectJointBoxes(skin, *clusters);
    }
}

} // namespace poselane
