// SPDX-License-Identifier: MIT
//
// Times the forms of variants.h beside those of the addon, in turns, and prints them as JSON: nanoseconds an element,
// minimum and median over rounds, and the error against double precision. Where two forms are to have the same bits and
// have not, it says so and fails. One argument: the number of rounds.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "variants.h"

namespace {

using namespace poselane;

constexpr int kCount = 1024;
constexpr float kTime = 0.3f;
constexpr int kTerms = 8;
/// Long enough for the clock's own time not to matter.
constexpr double kSampleNanoseconds = 50000;

double random01() {
    static uint64_t state = 1;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state >> 11) * 0x1p-53;
}

alignas(32) Quaternion from[kCount], to[kCount], result[kCount], expected[kCount];
double exact[kCount][4];
JointMat mats[kCount], otherMats[kCount], resultMats[kCount], expectedMats[kCount], still[kCount];
int parents[kCount];
float numbers[3][kCount], resultNumbers[kCount];

void draw(Quaternion& quat) {
    double q[4], length = 0;
    for (double& x : q) {
        x = sqrt(-2 * log(1 - random01())) * cos(2 * M_PI * random01());
        length += x * x;
    }
    for (double& x : q) {
        x /= sqrt(length);
    }
    quat = {static_cast<float>(q[0]), static_cast<float>(q[1]), static_cast<float>(q[2]), static_cast<float>(q[3])};
}

void drawAll() {
    for (int i = 0; i < kCount; i++) {
        draw(from[i]);
        draw(to[i]);
        const float* const a = &from[i].x;
        const float* const b = &to[i].x;
        double dot = 0;
        for (int k = 0; k < 4; k++) {
            dot += static_cast<double>(a[k]) * static_cast<double>(b[k]);
        }
        const double angle = acos(fmin(fabs(dot), 1)), t = static_cast<double>(kTime);
        const double f0 = sin((1 - t) * angle) / sin(angle), f1 = copysign(sin(t * angle) / sin(angle), dot);
        for (int k = 0; k < 4; k++) {
            exact[i][k] = f0 * static_cast<double>(a[k]) + f1 * static_cast<double>(b[k]);
        }
        // Of a tree: the parent is one of the eight before. Not moved by itself, so that it may be transformed again.
        parents[i] = std::max(0, i - 1 - static_cast<int>(8 * random01()));
        still[i] = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}};
        const double cosine = cos(angle);
        numbers[0][i] = static_cast<float>(cosine);
        numbers[1][i] = static_cast<float>(sin(angle));
        numbers[2][i] = static_cast<float>(angle);
    }
    const JointQuat* joints[2];
    static JointQuat drawn[2][kCount];
    for (int list = 0; list < 2; list++) {
        for (int i = 0; i < kCount; i++) {
            drawn[list][i].q = list == 0 ? from[i] : to[i];
            drawn[list][i].t = {1, 2, 3, 0};
        }
        joints[list] = drawn[list];
    }
    paper_c::ConvertJointQuatsToJointMats(mats, joints[0], kCount, Convention::id);
    paper_c::ConvertJointQuatsToJointMats(otherMats, joints[1], kCount, Convention::id);
}

/// What a group's forms write, and how far it is from right.
template <typename T, size_t n> bool sameBits(const T (&a)[n], const T (&b)[n]) { return memcmp(a, b, sizeof a) == 0; }

double quatError() {
    double worst = 0;
    for (int i = 0; i < kCount; i++) {
        for (int k = 0; k < 4; k++) {
            worst = fmax(worst, fabs(static_cast<double>((&result[i].x)[k]) - exact[i][k]));
        }
    }
    return worst;
}

double numberError(double (*right)(double), const float* x) {
    double worst = 0;
    for (int i = 0; i < kCount; i++) {
        worst = fmax(worst, fabs(static_cast<double>(resultNumbers[i]) - right(static_cast<double>(x[i]))));
    }
    return worst;
}

double angleError() {
    double worst = 0;
    for (int i = 0; i < kCount; i++) {
        const double right = atan2(static_cast<double>(numbers[1][i]), static_cast<double>(numbers[0][i]));
        worst = fmax(worst, fabs(static_cast<double>(resultNumbers[i]) - right));
    }
    return worst;
}

struct Form {
    const char* group;
    const char* name;
    void (*run)();
    /// After a run; nullptr: not a matter of accuracy.
    double (*error)();
    /// Whether its bits are right; nullptr: they are not those of another form.
    bool (*same)();
    double each = 0;
    std::vector<double> samples = {};
};

using Blend = void (*)(Quaternion*, const Quaternion*, const Quaternion*, float, int);

template <Blend blend> void blendAll() { blend(result, from, to, kTime, kCount); }

template <Blend blend> bool sameBlend() {
    blend(expected, from, to, kTime, kCount);
    return sameBits(result, expected);
}

using Terms = void (*)(Quaternion*, const Quaternion*, const Quaternion*, float, int, int);

template <Terms blend> void blendTerms() { blend(result, from, to, kTime, kCount, kTerms); }

using Skeleton = void (*)(JointMat*, const int*, int, int);

template <Skeleton transform> void transformStill() { transform(still, parents, 1, kCount - 1); }

template <Skeleton one, Skeleton other> bool sameSkeleton() {
    memcpy(resultMats, mats, sizeof mats);
    memcpy(expectedMats, mats, sizeof mats);
    one(resultMats, parents, 1, kCount - 1);
    other(expectedMats, parents, 1, kCount - 1);
    return sameBits(resultMats, expectedMats);
}

using Joints = void (*)(JointMat*, const JointMat*, const JointMat*, int);

template <Joints multiply> void multiplyAll() { multiply(resultMats, mats, otherMats, kCount); }

bool sameProducts() {
    multiplyAll<paper_sse::TransformJointsMovss>();
    paper_sse::TransformJoints(expectedMats, mats, otherMats, kCount);
    return sameBits(resultMats, expectedMats);
}

template <void (*function)(float*, const float*, int), int list> void ofList() {
    function(resultNumbers, numbers[list], kCount);
}

template <void (*function)(float*, const float*, const float*, int)> void ofBoth() {
    function(resultNumbers, numbers[1], numbers[0], kCount);
}

double sineError() { return numberError(sin, numbers[2]); }

double arcCosineError() { return numberError(acos, numbers[0]); }

Form forms[] = {
    {"transformSkeleton", "pshufd (listing)", transformStill<paper_sse::TransformSkeleton>, nullptr, nullptr},
    {"transformSkeleton", "movss, shufps", transformStill<paper_sse::TransformSkeletonMovss>, nullptr,
     sameSkeleton<paper_sse::TransformSkeletonMovss, paper_sse::TransformSkeleton>},
    {"untransformSkeleton", "pshufd (listing)", transformStill<paper_sse::UntransformSkeleton>, nullptr, nullptr},
    {"untransformSkeleton", "movss, shufps", transformStill<paper_sse::UntransformSkeletonMovss>, nullptr,
     sameSkeleton<paper_sse::UntransformSkeletonMovss, paper_sse::UntransformSkeleton>},
    {"transformJoints", "pshufd (listing)", multiplyAll<paper_sse::TransformJoints>, nullptr, nullptr},
    {"transformJoints", "movss, shufps", multiplyAll<paper_sse::TransformJointsMovss>, nullptr, sameProducts},

    {"angle", "arc tangent, rcpps (listing)", ofBoth<paper_sse::ATanPositive>, angleError, nullptr},
    {"angle", "arc tangent, divps (listing)", ofBoth<paper_sse::ATanPositiveDivps>, angleError, nullptr},
    {"angle", "arc tangent, degree 9", ofBoth<paper_sse::ATan9>, angleError, nullptr},
    {"angle", "arc cosine, degree 7", ofList<paper_sse::ACos7, 0>, arcCosineError, nullptr},
    {"angle", "arc cosine, degree 3", ofList<paper_sse::ACos3, 0>, arcCosineError, nullptr},
    {"sine", "degree 11 (listing)", ofList<paper_sse::SinZeroHalfPI, 2>, sineError, nullptr},
    {"sine", "degree 5", ofList<paper_sse::Sin4, 2>, sineError, nullptr},

    {"slerpQuats, SSE", "appendix A", blendAll<paper_sse::SlerpQuats>, quatError, nullptr},
    {"slerpQuats, SSE", "of section 6's functions", blendAll<paper_sse::SlerpQuatsRcpps>, quatError,
     sameBlend<paper_sse::SlerpQuats>},
    {"slerpQuats, SSE", "arc tangent by divps", blendAll<paper_sse::SlerpQuatsDivps>, quatError, nullptr},
    {"slerpQuats, SSE", "arc cosine, degree 7", blendAll<paper_sse::SlerpQuatsACos7>, quatError, nullptr},
    {"slerpQuats, SSE", "arc cosine, degree 3", blendAll<paper_sse::SlerpQuatsACos3>, quatError, nullptr},
    {"slerpQuats, SSE", "arc tangent, degree 9", blendAll<paper_sse::SlerpQuatsATan9>, quatError, nullptr},
    {"slerpQuats, SSE", "arc tangent, degree 9, sine, degree 5", blendAll<paper_sse::SlerpQuatsATan9Sin4>, quatError,
     nullptr},

    {"slerpQuats, AVX", "straight port", blendAll<intel_avx::SlerpQuatsStraight>, quatError,
     sameBlend<paper_sse::SlerpQuats>},
    {"slerpQuats, AVX", "not unrolled", blendAll<intel_avx::SlerpQuatsNotUnrolled>, quatError,
     sameBlend<intel_avx::SlerpQuats>},
    {"slerpQuats, AVX", "unrolled (listing)", blendAll<intel_avx::SlerpQuats>, quatError,
     sameBlend<intel_avx::SlerpQuatsUnrolled>},
    {"slerpQuats, AVX", "aligned loads and stores", blendAll<intel_avx_aligned::SlerpQuats>, quatError,
     sameBlend<intel_avx::SlerpQuats>},

    {"slerpQuats, Eberly, n = 8", "sse4", blendTerms<eberly_sse4::SlerpQuats>, quatError, nullptr},
    {"slerpQuats, Eberly, n = 8", "sse4, fused", blendTerms<eberly_sse4_fma::SlerpQuats>, quatError, nullptr},
};

double nanosecondsOf(const Form& form, int runs) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < runs; i++) {
        form.run();
    }
    return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
}

} // namespace

int main(int argc, char** argv) {
    const int rounds = argc > 1 ? atoi(argv[1]) : 1;
    drawAll();
    for (Form& form : forms) {
        form.run();
        if (form.same != nullptr && !form.same()) {
            fprintf(stderr, "%s, %s: not the bits of the form that it is to have\n", form.group, form.name);
            return 1;
        }
        form.each = nanosecondsOf(form, 4) / 4;
    }
    for (int round = 0; round < rounds; round++) {
        for (Form& form : forms) {
            const int runs = std::max(1, static_cast<int>(kSampleNanoseconds / form.each));
            form.samples.push_back(nanosecondsOf(form, runs) / runs / kCount);
        }
    }
    const char* separator = "[";
    for (Form& form : forms) {
        std::sort(form.samples.begin(), form.samples.end());
        const double median = form.samples.empty() ? 0 : form.samples[form.samples.size() / 2];
        const double min = form.samples.empty() ? 0 : form.samples[0];
        printf("%s\n{\"group\": \"%s\", \"name\": \"%s\", \"min\": %.4f, \"median\": %.4f", separator, form.group,
               form.name, min, median);
        if (form.error != nullptr) {
            form.run();
            printf(", \"error\": %.3g", form.error());
        }
        printf(", \"sameBits\": %s}", form.same != nullptr ? "true" : "false");
        separator = ",";
    }
    printf("\n]\n");
    return 0;
}
