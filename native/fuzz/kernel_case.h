// SPDX-License-Identifier: MIT
//
// One call of a kernel: its lists, and what else it is given. Every implementation gets copies of the same.
#pragma once

#include <stddef.h>

#include <vector>

#include "../kernels.h"
#include "numbers.h"

namespace poselane {

struct List {
    std::vector<float> values;
    /// Which list it is, if it is not one of its own.
    int sameAs = -1;

    float* at(size_t i) { return values.data() + i; }
    const float* at(size_t i) const { return values.data() + i; }
};

struct Case {
    /// The destination is the first.
    List lists[4];
    int listCount = 0;

    int count = 0;
    bool hasIndex = false;
    /// Joints; parents of `first` ... `last` for skeletons.
    std::vector<int> numbers;
    /// No joint is named twice.
    bool distinct = true;
    int first = 0, last = 0;
    float t = 0.0f;
    int terms = 0;
    Convention convention = Convention::id;

    /// Rotations are of unit length, times within 0 ... 1, and nothing is huge: results must be right.
    bool sane = false;

    /// The list as the kernel is given it.
    const List& list(int i) const { return lists[i].sameAs < 0 ? lists[i] : lists[lists[i].sameAs]; }
    /// Makes list i one of `floats` floats of its own, what is in it left open.
    float* start(int i, size_t floats) {
        lists[i].sameAs = -1;
        lists[i].values.resize(floats);
        listCount = listCount <= i ? i + 1 : listCount;
        return lists[i].values.data();
    }
    void share(int i, int other) {
        lists[i].sameAs = other;
        lists[i].values.clear();
        listCount = listCount <= i ? i + 1 : listCount;
    }
    int indexAt(int i) const { return hasIndex ? numbers[static_cast<size_t>(i)] : i; }
};

struct Routine {
    const char* name;
    bool (*isIn)(const Kernels& kernels);
    void (*make)(const char* routine, Input& input, Case& call);
    /// `lists` as in the case; `numbers` null where there are none.
    void (*run)(const Kernels& kernels, const Case& call, float* const* lists, const int* numbers);
    /// Fails where the result is off by more than the implementation may be. Called for sane cases only.
    void (*judge)(const char* routine, const Case& call, const Kernels& kernels, const float* result);
};

/// `make`, `run` with the kernel in front, and `judge` for routines of one shape: blends.h, matrices.h, functions.h.
template <typename Shape> struct Cases;

inline JointQuat* jointQuats(float* list) { return reinterpret_cast<JointQuat*>(list); }

constexpr size_t kJointFloats = 8;

/// How long lists are: mostly short, with all that is left over of groups of 4, 8 and 16; now and then longer than the
/// pieces that lists are cut into.
inline int drawCount(Input& input) {
    const int kind = input.choice(256);
    return kind == 0xd3 ? 1020 + input.choice(80) : kind % (kind < 192 ? 24 : 72);
}

/// Chooses joints for a list of `count` of them, and returns how many there must be.
int drawIndex(Input& input, int count, Case& call);

} // namespace poselane
