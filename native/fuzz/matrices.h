// SPDX-License-Identifier: MIT
//
// The routines on matrices. A product of two is off by no more than its roundings: by a share of the sum of what was
// added, whatever its size.
#pragma once

#include <utility>

#include "kernel_case.h"
#include "reference.h"

namespace poselane {

namespace {

constexpr size_t kMatFloats = 12;

/// Three products plus one term: each is rounded at most four times.
constexpr double kProductRounding = 5.0 * 0x1p-24;

/// The rotation's matrix in double precision, row-major 3x3.
void rotationOf(const float* q, Convention convention, double* m) {
    const double x = q[0], y = q[1], z = q[2], w = convention == Convention::gltf ? -static_cast<double>(q[3]) : q[3];
    const double rows[9] = {1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z),       2.0 * (x * z - w * y),
                            2.0 * (x * y - w * z),       1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x),
                            2.0 * (x * z + w * y),       2.0 * (y * z - w * x),       1.0 - 2.0 * (x * x + y * y)};
    memcpy(m, rows, sizeof(rows));
}

/// Matrices of rotations by the quaternions, which are kept where they are asked for.
void drawMatrices(Input& input, bool sane, Convention convention, float* mats, size_t count, float* rotations) {
    const Numbers numbers = static_cast<Numbers>(input.choice(static_cast<int>(Numbers::count)));
    const bool usual = sane || input.oneIn(3);
    for (size_t i = 0; i < count; i++) {
        float* const mat = mats + i * kMatFloats;
        if (!usual) {
            drawFloats(input, numbers, mat, kMatFloats);
            continue;
        }
        float q[4];
        double m[9];
        drawRotation(input, q);
        if (input.randomBelow(4) == 0) {
            // On the borders between the cases of the conversion to quaternions, and by half a turn.
            q[input.randomBelow(4)] = 0.0f;
            const int same = input.randomBelow(4);
            q[same] = q[(same + 1) % 4];
            const float length = sqrtf(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
            for (float& component : q) {
                component = length < 0.1f ? 0.5f : component / length;
            }
        }
        rotationOf(q, convention, m);
        for (int row = 0; row < 3; row++) {
            for (int column = 0; column < 3; column++) {
                mat[row * 4 + column] = static_cast<float>(m[row * 3 + column]);
            }
            mat[row * 4 + 3] = input.around0() * 100.0f;
        }
        if (rotations != nullptr) {
            memcpy(rotations + i * 4, q, sizeof(q));
        }
    }
}

void drawConversion(Input& input, Case& call) {
    call.sane = input.oneIn(3);
    call.convention = input.oneIn(2) ? Convention::gltf : Convention::id;
    call.count = drawCount(input);
    call.hasIndex = false;
}

void makeToMats(Input& input, Case& call) {
    drawConversion(input, call);
    const size_t count = static_cast<size_t>(call.count);
    drawFloats(input, Numbers::anyBits, call.start(0, count * kMatFloats), count * kMatFloats);
    const Numbers numbers = static_cast<Numbers>(input.choice(static_cast<int>(Numbers::count)));
    float* const from = call.start(1, count * kJointFloats);
    drawFloats(input, call.sane ? Numbers::around0 : numbers, from, count * kJointFloats);
    for (size_t i = 0; call.sane && i < count; i++) {
        drawRotation(input, from + i * kJointFloats);
    }
}

void judgeToMats(const char* routine, const Case& call, const Kernels& kernels, const float* result) {
    for (int i = 0; i < call.count; i++) {
        const float* const joint = call.list(1).at(static_cast<size_t>(i) * kJointFloats);
        const float* const mat = result + static_cast<size_t>(i) * kMatFloats;
        double m[9];
        rotationOf(joint, call.convention, m);
        for (int row = 0; row < 3; row++) {
            expectWithin(greatestOff(mat + row * 4, m + row * 3, 3), usualBound(kernels.name), kernels.name, routine,
                         i);
            if (bitsOf(mat[row * 4 + 3]) != bitsOf(joint[4 + row])) {
                fail("%s: %s changed a translation, joint %d", kernels.name, routine, i);
            }
        }
    }
}

/// Which quaternions the matrices were made of.
std::vector<float> originals;

void makeToQuats(Input& input, Case& call) {
    drawConversion(input, call);
    const size_t count = static_cast<size_t>(call.count);
    drawFloats(input, Numbers::anyBits, call.start(0, count * kJointFloats), count * kJointFloats);
    originals.resize(count * 4);
    drawMatrices(input, call.sane, call.convention, call.start(1, count * kMatFloats), count, originals.data());
}

void judgeToQuats(const char* routine, const Case& call, const Kernels& kernels, const float* result) {
    // As published, with a reciprocal square root that is off by 1.75e-3.
    const bool published = strcmp(kernels.name, "paper/c") == 0 || strcmp(kernels.name, "blueprint/c") == 0;
    const double bound = published ? 2e-3 : 1e-6;
    for (int i = 0; i < call.count; i++) {
        const float* const q = originals.data() + static_cast<size_t>(i) * 4;
        const float* const joint = result + static_cast<size_t>(i) * kJointFloats;
        const double same[4] = {q[0], q[1], q[2], q[3]};
        const double negated[4] = {-same[0], -same[1], -same[2], -same[3]};
        const double error = fmin(greatestOff(joint, same, 4), greatestOff(joint, negated, 4));
        expectWithin(error, bound, kernels.name, routine, i);
        for (int row = 0; row < 3; row++) {
            if (bitsOf(joint[4 + row]) != bitsOf(call.list(1).at(static_cast<size_t>(i) * kMatFloats)[row * 4 + 3])) {
                fail("%s: %s changed a translation, joint %d", kernels.name, routine, i);
            }
        }
    }
}

/// Joints first ... last have a parent before them each, as kernels are promised.
void makeSkeleton(Input& input, Case& call) {
    call.sane = input.oneIn(3);
    call.hasIndex = true;
    const int joints = 2 + drawCount(input);
    call.first = input.oneIn(2) ? 1 : 1 + input.randomBelow(joints - 1);
    call.last = input.oneIn(2) ? joints - 1 : call.first + input.randomBelow(joints - call.first);
    const int shape = input.choice(4);
    call.numbers.resize(static_cast<size_t>(call.last - call.first + 1));
    for (int joint = call.first; joint <= call.last; joint++) {
        const int recent = joint - 1 - input.randomBelow(joint < 4 ? joint : 4);
        const int parents[] = {joint - 1, 0, recent, input.randomBelow(joint)};
        call.numbers[static_cast<size_t>(joint - call.first)] = parents[shape];
    }
    const size_t count = static_cast<size_t>(call.last) + 1;
    drawMatrices(input, call.sane, Convention::id, call.start(0, count * kMatFloats), count, nullptr);
}

/// The list of parents as kernels address it: by joint. Only those of first ... last are there.
const int* byJoint(const Case& call, const int* numbers) {
    return reinterpret_cast<const int*>(reinterpret_cast<uintptr_t>(numbers) -
                                        static_cast<uintptr_t>(call.first) * sizeof(int));
}

/// Whether element (row, column) is that of a product of `a`, or its transpose, with `b`, an offset added to its
/// translation first or last.
void expectProduct(const Kernels& kernels, const char* routine, const float* actual, const float* a, const float* b,
                   int joint) {
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 4; column++) {
            double sum = column == 3 ? a[row * 4 + 3] : 0.0, size = fabs(sum);
            for (int k = 0; k < 3; k++) {
                const double term = static_cast<double>(a[row * 4 + k]) * static_cast<double>(b[k * 4 + column]);
                sum += term;
                size += fabs(term);
            }
            const double error = greatestOff(actual + row * 4 + column, &sum, 1);
            // Denormal results have fewer bits.
            expectWithin(error, kProductRounding * size + 0x1p-146, kernels.name, routine, joint);
        }
    }
}

/// Each joint is its parent, as it came out, times what it was.
void judgeTransform(const char* routine, const Case& call, const Kernels& kernels, const float* result) {
    for (int joint = call.first; joint <= call.last; joint++) {
        const size_t parent = static_cast<size_t>(call.numbers[static_cast<size_t>(joint - call.first)]);
        const size_t at = static_cast<size_t>(joint) * kMatFloats;
        expectProduct(kernels, routine, result + at, result + parent * kMatFloats, call.list(0).at(at), joint);
    }
}

/// Each joint is the transpose of its parent, as that was, times what it was less the parent's translation.
void judgeUntransform(const char* routine, const Case& call, const Kernels& kernels, const float* result) {
    for (int joint = call.first; joint <= call.last; joint++) {
        const float* const a =
            call.list(0).at(static_cast<size_t>(call.numbers[static_cast<size_t>(joint - call.first)]) * kMatFloats);
        const float* const b = call.list(0).at(static_cast<size_t>(joint) * kMatFloats);
        const float* const actual = result + static_cast<size_t>(joint) * kMatFloats;
        for (int row = 0; row < 3; row++) {
            for (int column = 0; column < 4; column++) {
                double sum = 0.0, size = 0.0;
                for (int k = 0; k < 3; k++) {
                    const double taken = column == 3 ? a[k * 4 + 3] : 0.0;
                    const double left = a[k * 4 + row], right = b[k * 4 + column];
                    sum += left * (right - taken);
                    size += fabs(left) * (fabs(right) + fabs(taken));
                }
                expectWithin(greatestOff(actual + row * 4 + column, &sum, 1), kProductRounding * size + 0x1p-146,
                             kernels.name, routine, joint);
            }
        }
    }
}

/// A result, and `operands` lists that it is made of.
void makeMap(Input& input, Case& call, int operands) {
    call.sane = input.oneIn(3);
    call.hasIndex = false;
    call.count = drawCount(input);
    const size_t count = static_cast<size_t>(call.count);
    drawFloats(input, Numbers::anyBits, call.start(0, count * kMatFloats), count * kMatFloats);
    for (int i = 1; i <= operands; i++) {
        const Convention convention = i == 1 ? Convention::id : Convention::gltf;
        drawMatrices(input, call.sane, convention, call.start(i, count * kMatFloats), count, nullptr);
    }
    // In place: the first, the second, or both.
    const int shared = input.choice(8);
    if (shared == 1 || shared == 3) {
        call.lists[0].values = call.lists[1].values;
        call.share(1, 0);
    }
    if (operands > 1 && shared == 2) {
        call.lists[0].values = call.lists[2].values;
    }
    if (operands > 1 && (shared == 2 || shared == 3)) {
        call.share(2, 0);
    }
}

void judgeTransformJoints(const char* routine, const Case& call, const Kernels& kernels, const float* result) {
    for (int i = 0; i < call.count; i++) {
        const size_t at = static_cast<size_t>(i) * kMatFloats;
        expectProduct(kernels, routine, result + at, call.list(1).at(at), call.list(2).at(at), i);
    }
}

JointMat* jointMats(float* list) { return reinterpret_cast<JointMat*>(list); }

} // namespace

template <> struct Cases<Convert<JointMat, JointQuat>> {
    static void make(const char*, Input& input, Case& call) { makeToMats(input, call); }
    static void run(Convert<JointMat, JointQuat>::Kernel kernel, const Kernels&, const Case& call, float* const* lists,
                    const int*) {
        kernel(jointMats(lists[0]), jointQuats(lists[1]), call.count, call.convention);
    }
    static constexpr auto judge = judgeToMats;
};

template <> struct Cases<Convert<JointQuat, JointMat>> {
    static void make(const char*, Input& input, Case& call) { makeToQuats(input, call); }
    static void run(Convert<JointQuat, JointMat>::Kernel kernel, const Kernels&, const Case& call, float* const* lists,
                    const int*) {
        kernel(jointQuats(lists[0]), jointMats(lists[1]), call.count, call.convention);
    }
    static constexpr auto judge = judgeToQuats;
};

template <Order order> struct Cases<Skeleton<order>> {
    static void make(const char*, Input& input, Case& call) { makeSkeleton(input, call); }
    static void run(typename Skeleton<order>::Kernel kernel, const Kernels&, const Case& call, float* const* lists,
                    const int* numbers) {
        kernel(jointMats(lists[0]), byJoint(call, numbers), call.first, call.last);
    }
    static constexpr auto judge = order == Order::parentsFirst ? judgeTransform : judgeUntransform;
};

template <typename... From> struct Cases<Map<JointMat, From...>> {
    using Kernel = typename Map<JointMat, From...>::Kernel;

    static void make(const char*, Input& input, Case& call) { makeMap(input, call, sizeof...(From)); }
    static void run(Kernel kernel, const Kernels&, const Case& call, float* const* lists, const int*) {
        runOn(kernel, call, lists, std::index_sequence_for<From...>());
    }
    static void judge(const char* routine, const Case& call, const Kernels& kernels, const float* result) {
        if (strcmp(routine, "transformJoints") == 0) {
            judgeTransformJoints(routine, call, kernels, result);
        }
    }

private:
    template <size_t... i>
    static void runOn(Kernel kernel, const Case& call, float* const* lists, std::index_sequence<i...>) {
        kernel(jointMats(lists[0]), reinterpret_cast<From*>(lists[i + 1])..., call.count);
    }
};

} // namespace poselane
