// SPDX-License-Identifier: MIT
#include "kernel_case.h"

namespace poselane {

namespace {

enum class IndexOrder { none, identity, increasing, permutation, duplicates, single, broken, count };

void shuffle(Input& input, std::vector<int>& list) {
    for (int i = static_cast<int>(list.size()) - 1; i > 0; i--) {
        std::swap(list[static_cast<size_t>(i)], list[static_cast<size_t>(input.randomBelow(i + 1))]);
    }
}

/// Runs of neighbors with gaps between them.
void increase(Input& input, std::vector<int>& list) {
    int joint = input.randomBelow(3);
    for (int& element : list) {
        element = joint;
        joint += input.randomBelow(4) == 0 ? 1 + input.randomBelow(5) : 1;
    }
}

} // namespace

int drawIndex(Input& input, int count, Case& call) {
    const IndexOrder order = static_cast<IndexOrder>(input.choice(static_cast<int>(IndexOrder::count)));
    call.hasIndex = order != IndexOrder::none;
    call.distinct = order < IndexOrder::duplicates;
    std::vector<int>& list = call.numbers;
    list.resize(call.hasIndex ? static_cast<size_t>(count) : 0);
    if (order == IndexOrder::identity || order == IndexOrder::permutation) {
        for (int i = 0; i < count; i++) {
            list[static_cast<size_t>(i)] = i;
        }
    }
    if (order == IndexOrder::permutation) {
        shuffle(input, list);
    } else if (order == IndexOrder::increasing || order == IndexOrder::broken) {
        increase(input, list);
    }
    if (order == IndexOrder::broken && count > 1) {
        for (int times = 1 + input.randomBelow(3); times > 0; times--) {
            const int at = 1 + input.randomBelow(count - 1);
            list[static_cast<size_t>(at)] = list[static_cast<size_t>(input.randomBelow(at))];
        }
    } else if (order == IndexOrder::duplicates) {
        const int joints = 1 + input.randomBelow(count + 1);
        for (int& joint : list) {
            joint = input.randomBelow(joints);
        }
    } else if (order == IndexOrder::single) {
        const int joint = input.randomBelow(3);
        for (int& element : list) {
            element = joint;
        }
    }
    int joints = call.hasIndex ? 0 : count;
    for (int joint : list) {
        joints = joint < joints ? joints : joint + 1;
    }
    // Some that nobody names, mostly none: then the last float is that of the last joint.
    return joints + (input.randomBelow(4) == 0 ? input.randomBelow(3) : 0);
}

} // namespace poselane
