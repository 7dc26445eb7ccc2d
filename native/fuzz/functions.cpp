// SPDX-License-Identifier: MIT
//
// The papers' functions of one number or two, over lists.
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

template <int low, int high> void makeOne(Input& input, Case& call) {
    drawResult(input, call);
    drawArguments(input, call, 1, static_cast<float>(low), static_cast<float>(high));
    if (input.oneIn(4)) {
        call.lists[0].values = call.lists[1].values;
        call.share(1, 0);
    }
}

void makeSine(Input& input, Case& call) {
    makeOne<0, 1>(input, call);
    for (int i = 0; call.sane && i < call.count; i++) {
        call.lists[call.lists[1].sameAs < 0 ? 1 : 0].values[static_cast<size_t>(i)] *= 1.5707963f;
    }
}

void makeAtan(Input& input, Case& call) {
    drawResult(input, call);
    drawArguments(input, call, 1, 0.0f, 1.0f);
    drawArguments(input, call, 2, 0x1p-20f, 1.0f);
}

template <typename Right> void judgeEach(const Case& call, const float* result, Right right, const char* name) {
    for (int i = 0; i < call.count; i++) {
        const double value = right(static_cast<size_t>(i));
        // Relative to 1, which the greatest result is above and the reciprocal square root below.
        const double bound = strcmp(name, "reciprocalSqrt") == 0 ? 1.76e-3 * value : 2.4e-7;
        expectWithin(greatestOff(result + i, &value, 1), bound, "paper/c", name, i);
    }
}

const Routine kRoutines[] = {
    {"reciprocalSqrt", [](const Kernels& kernels) { return kernels.reciprocalSqrt != nullptr; }, makeOne<1, 4>,
     [](const Kernels& kernels, const Case& call, float* const* lists, const int*) {
         kernels.reciprocalSqrt(lists[0], lists[1], call.count);
     },
     [](const Case& call, const Kernels&, const float* result) {
         judgeEach(
             call, result, [&](size_t i) { return 1.0 / sqrt(static_cast<double>(*call.list(1).at(i))); },
             "reciprocalSqrt");
     }},
    {"sinZeroHalfPI", [](const Kernels& kernels) { return kernels.sinZeroHalfPI != nullptr; }, makeSine,
     [](const Kernels& kernels, const Case& call, float* const* lists, const int*) {
         kernels.sinZeroHalfPI(lists[0], lists[1], call.count);
     },
     [](const Case& call, const Kernels&, const float* result) {
         judgeEach(
             call, result, [&](size_t i) { return sin(static_cast<double>(*call.list(1).at(i))); }, "sinZeroHalfPI");
     }},
    {"atanPositive", [](const Kernels& kernels) { return kernels.atanPositive != nullptr; }, makeAtan,
     [](const Kernels& kernels, const Case& call, float* const* lists, const int*) {
         kernels.atanPositive(lists[0], lists[1], lists[2], call.count);
     },
     [](const Case& call, const Kernels&, const float* result) {
         judgeEach(
             call, result,
             [&](size_t i) {
                 return atan2(static_cast<double>(*call.list(1).at(i)), static_cast<double>(*call.list(2).at(i)));
             },
             "atanPositive");
     }},
};

} // namespace

RoutineList functionRoutines() { return {kRoutines, static_cast<int>(sizeof(kRoutines) / sizeof(kRoutines[0]))}; }

} // namespace poselane
