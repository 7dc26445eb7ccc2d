// SPDX-License-Identifier: MIT
//
// The papers' functions of one number or two, over lists.
#pragma once

#include "kernel_case.h"
#include "reference.h"

namespace poselane {

namespace {

/// Within what the function is made for, `low` ... `high`, or anything.
void drawArguments(Input& input, Case& call, int list, float low, float high) {
    const Numbers numbers = static_cast<Numbers>(input.choice(static_cast<int>(Numbers::count)));
    float* const x = call.start(list, static_cast<size_t>(call.count));
    for (int i = 0; i < call.count; i++) {
        x[i] = call.sane ? low + (high - low) * input.unit() : drawFloat(input, numbers);
    }
}

void drawResult(Input& input, Case& call) {
    call.sane = input.oneIn(2);
    call.hasIndex = false;
    call.count = drawCount(input);
    drawFloats(input, Numbers::anyBits, call.start(0, static_cast<size_t>(call.count)),
               static_cast<size_t>(call.count));
}

double rightOf(const char* routine, const Case& call, size_t i) {
    const double x = *call.list(1).at(i);
    return strcmp(routine, "reciprocalSqrt") == 0  ? 1.0 / sqrt(x)
           : strcmp(routine, "sinZeroHalfPI") == 0 ? sin(x)
                                                   : atan2(x, static_cast<double>(*call.list(2).at(i)));
}

/// How far off a result may be: a share of 1, or of a reciprocal square root.
double boundOf(const char* routine, const Kernels& kernels, double value) {
    const bool bySse = strcmp(kernels.name, "paper/sse") == 0;
    if (strcmp(routine, "reciprocalSqrt") == 0) {
        return (bySse ? 3.5e-7 : 1.76e-3) * value;
    }
    // The reciprocal of rcpps and one Newton step, where it is as good as documented.
    return bySse && strcmp(routine, "atanPositive") == 0 ? 2.7e-7 : 2.4e-7;
}

void judgeFunction(const char* routine, const Case& call, const Kernels& kernels, const float* result) {
    for (int i = 0; i < call.count; i++) {
        const double value = rightOf(routine, call, static_cast<size_t>(i));
        expectWithin(greatestOff(result + i, &value, 1), boundOf(routine, kernels, value), kernels.name, routine, i);
    }
}

} // namespace

template <> struct Cases<Function<float>> {
    static void make(const char* routine, Input& input, Case& call) {
        const bool sine = strcmp(routine, "sinZeroHalfPI") == 0;
        drawResult(input, call);
        drawArguments(input, call, 1, sine ? 0.0f : 1.0f, sine ? 1.5707963f : 4.0f);
        if (input.oneIn(4)) {
            call.lists[0].values = call.lists[1].values;
            call.share(1, 0);
        }
    }
    static void run(Function<float>::Kernel kernel, const Kernels&, const Case& call, float* const* lists, const int*) {
        kernel(lists[0], lists[1], call.count);
    }
    static constexpr auto judge = judgeFunction;
};

template <> struct Cases<Function<float, float>> {
    static void make(const char*, Input& input, Case& call) {
        drawResult(input, call);
        drawArguments(input, call, 1, 0.0f, 1.0f);
        drawArguments(input, call, 2, 0x1p-20f, 1.0f);
    }
    static void run(Function<float, float>::Kernel kernel, const Kernels&, const Case& call, float* const* lists,
                    const int*) {
        kernel(lists[0], lists[1], lists[2], call.count);
    }
    static constexpr auto judge = judgeFunction;
};

} // namespace poselane
