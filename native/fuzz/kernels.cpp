// SPDX-License-Identifier: MIT
//
// The fuzz target of the kernels: one routine, one case, every implementation that this CPU can run. Strict ones must
// give the same bits, and so must Eberly's; where the numbers are usual ones every result must be right; and none may
// touch what it was not given.
#include "../core/dispatch.h"
#include "blends.h"
#include "functions.h"
#include "implementations.h"
#include "kernel_case.h"
#include "matrices.h"
#include "placed.h"
#include "reference.h"
#include "routine_name.h"
#include "wrong_kernels.h"

namespace poselane {

namespace {

struct Available {
    const Kernels* kernels[32];
    int count;
};

/// Asked once: hypervisors make CPUID slow.
const Available& available() {
    static const Available list = [] {
        Available result = {};
        forEachImplementation(
            [](void* context, const Kernels& kernels, const char* unavailable) {
                Available& to = *static_cast<Available*>(context);
                if (unavailable == nullptr) {
                    to.kernels[to.count++] = &kernels;
                }
            },
            &result);
        if (const Kernels* const wrong = wrongKernels()) {
            result.kernels[result.count++] = wrong;
        }
        sayImplementations(result.kernels, result.count);
        return result;
    }();
    return list;
}

/// Which implementations must give the same bits; null for those that have none to agree with.
const char* familyOf(const Kernels& kernels) {
    return isOf(kernels.name, "strict/") ? "strict/" : isOf(kernels.name, "eberly/") ? "eberly/" : nullptr;
}

/// Results of one implementation for a case.
struct Result {
    const Kernels* kernels = nullptr;
    std::vector<float> floats;
};

/// Joints that the case does not name have their bits still.
void expectOthersUntouched(const Case& call, const Kernels& kernels, const Routine& routine, const float* result) {
    const std::vector<float>& before = call.lists[0].values;
    const bool skeleton = call.last > 0;
    if (!call.hasIndex) {
        return;
    }
    const size_t stride = skeleton ? 12 : 8;
    static std::vector<bool> named;
    named.assign(before.size() / stride, false);
    for (size_t joint = 0; skeleton && joint < named.size(); joint++) {
        named[joint] = static_cast<int>(joint) >= call.first && static_cast<int>(joint) <= call.last;
    }
    for (size_t i = 0; !skeleton && i < call.numbers.size(); i++) {
        named[static_cast<size_t>(call.numbers[i])] = true;
    }
    for (size_t joint = 0; joint < named.size(); joint++) {
        if (!named[joint] && memcmp(result + joint * stride, before.data() + joint * stride, stride * 4) != 0) {
            fail("%s, %s: joint %zu is not named and has changed", kernels.name, routine.name, joint);
        }
    }
}

void runOne(const Case& call, const Kernels& kernels, const Routine& routine, const size_t* offsets,
            std::vector<float>* result) {
    const List* const lists = call.lists;
    const auto isThere = [&](int i) { return i < call.listCount && lists[i].sameAs < 0; };
    const Placed<float> placed[] = {
        {lists[0].values.data(), lists[0].values.size(), offsets[0]},
        {lists[1].values.data(), lists[1].values.size(), offsets[1], isThere(1)},
        {lists[2].values.data(), lists[2].values.size(), offsets[2], isThere(2)},
        {lists[3].values.data(), lists[3].values.size(), offsets[3], isThere(3)},
    };
    const Placed<int> numbers(call.numbers.data(), call.numbers.size(), offsets[0] & 1, call.hasIndex);
    float* pointers[4];
    for (int i = 0; i < 4; i++) {
        pointers[i] = placed[i < call.listCount && lists[i].sameAs >= 0 ? lists[i].sameAs : i].data();
    }
    routine.run(kernels, call, pointers, call.hasIndex ? numbers.data() : nullptr);
    for (int i = 1; i < call.listCount; i++) {
        if (lists[i].sameAs < 0 && !placed[i].holds(lists[i].values.data())) {
            fail("%s, %s: list %d has changed", kernels.name, routine.name, i);
        }
    }
    if (call.hasIndex && !numbers.holds(call.numbers.data())) {
        fail("%s, %s: the index list has changed", kernels.name, routine.name);
    }
    result->assign(placed[0].data(), placed[0].data() + placed[0].count());
}

const Routine kRoutines[] = {
#define POSELANE_ROUTINE(routine, ...)                                                                                 \
    {#routine, [](const Kernels& kernels) { return kernels.routine != nullptr; }, Cases<__VA_ARGS__>::make,            \
     [](const Kernels& kernels, const Case& call, float* const* lists, const int* numbers) {                           \
         Cases<__VA_ARGS__>::run(kernels.routine, kernels, call, lists, numbers);                                      \
     },                                                                                                                \
     Cases<__VA_ARGS__>::judge},
    POSELANE_STRICT_ROUTINES(POSELANE_ROUTINE) POSELANE_SCALAR_ROUTINES(POSELANE_ROUTINE)
#undef POSELANE_ROUTINE
};

const Routine& drawRoutine(Input& input) {
    constexpr int kCount = sizeof(kRoutines) / sizeof(kRoutines[0]);
    static const char* const* const names = [] {
        static const char* list[kCount];
        for (int i = 0; i < kCount; i++) {
            list[i] = kRoutines[i].name;
        }
        return list;
    }();
    return kRoutines[chosenRoutine(input.choice(kCount), names, kCount)];
}

void fuzz(Input input) {
    static Case call;
    static Result references[2];
    static std::vector<float> result;
    const Routine& routine = drawRoutine(input);
    call.listCount = 0;
    call.distinct = true;
    call.first = call.last = 0;
    size_t offsets[4];
    const uint32_t places = input.word();
    for (int i = 0; i < 4; i++) {
        offsets[i] = places >> (i * 4) & 15;
    }
    routine.make(routine.name, input, call);
    int found = 0;
    for (Result& reference : references) {
        reference.kernels = nullptr;
    }
    for (int i = 0; i < available().count; i++) {
        const Kernels& kernels = *available().kernels[i];
        if (!routine.isIn(kernels)) {
            continue;
        }
        found++;
        const char* const family = familyOf(kernels);
        Result* const reference = family == nullptr ? nullptr : &references[*family == 's' ? 0 : 1];
        const bool isFirst = reference != nullptr && reference->kernels == nullptr;
        std::vector<float>& floats = isFirst ? reference->floats : result;
        runOne(call, kernels, routine, offsets, &floats);
        expectOthersUntouched(call, kernels, routine, floats.data());
        if (isFirst) {
            reference->kernels = &kernels;
        } else if (reference != nullptr) {
            const size_t at = firstDifference(floats.data(), reference->floats.data(), floats.size());
            if (at < floats.size()) {
                fail("%s: %s and %s differ in float %zu: %08x, %08x", routine.name, kernels.name,
                     reference->kernels->name, at, bitsOf(floats[at]), bitsOf(reference->floats[at]));
            }
        }
        if (call.sane && call.distinct) {
            routine.judge(routine.name, call, kernels, floats.data());
        }
    }
    if (found == 0) {
        fail("%s is in no implementation", routine.name);
    }
}

} // namespace

} // namespace poselane

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    poselane::fuzz(poselane::Input(data, size));
    return 0;
}
