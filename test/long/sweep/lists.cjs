// SPDX-License-Identifier: MIT
'use strict';

/** Index lists and skeletons for the sweep. */

function shuffled(random, n) {
    const list = Int32Array.from({ length: n }, (_, i) => i);
    for (let i = n - 1; i > 0; i--) {
        const j = random.below(i + 1);
        const held = list[i];
        list[i] = list[j];
        list[j] = held;
    }
    return list;
}

/** `count` different joints in ascending order, and how many joints there must be. */
function increasing(random, count) {
    const index = new Int32Array(count);
    let joint = random.below(3);
    for (let i = 0; i < count; i++) {
        index[i] = joint;
        // Runs of adjacent joints with gaps between them.
        joint += random.below(4) === 0 ? 1 + random.below(5) : 1;
    }
    return { index, joints: joint };
}

/** Each makes an index list of `count` mentions, or none, and returns the number of joints that the lists need. */
const INDEX_LISTS = {
    none: (_, count) => ({ index: null, joints: count }),
    identity: (_, count) => ({ index: Int32Array.from({ length: count }, (_, i) => i), joints: count }),
    increasing,
    permutation: (random, count) => ({ index: shuffled(random, count), joints: count }),
    duplicates(random, count) {
        const joints = 1 + random.below(count + 1);
        return { index: Int32Array.from({ length: count }, () => random.below(joints)), joints };
    },
    single: (random, count) => ({ index: new Int32Array(count).fill(random.below(3)), joints: 3 }),
    /** Increasing but for a few places, which may be anywhere in a group of lanes. */
    broken(random, count) {
        const { index, joints } = increasing(random, count);
        for (let k = 1 + random.below(3); k > 0 && count > 1; k--) {
            const at = 1 + random.below(count - 1);
            index[at] = index[random.below(2) ? at - 1 : random.below(at)];
        }
        return { index, joints };
    },
};

/** Each gives joint i (more than 0) a parent before it, or none (-1). */
const SKELETONS = {
    chain: (_, i) => i - 1,
    bush: (random, i) => (random.below(3) === 0 ? 0 : i - 1 - random.below(Math.min(i, 4))),
    roots: (random, i) => (random.below(5) === 0 ? -1 : random.below(i)),
    star: () => 0,
    forest: (random, i) => (i % 8 === 0 ? -1 : i - 1 - random.below(i % 8)),
};

function parents(name, random, count) {
    const list = new Int32Array(count);
    for (let i = 0; i < count; i++) list[i] = i === 0 ? -1 : SKELETONS[name](random, i);
    return list;
}

module.exports = {
    INDEX_LISTS: Object.keys(INDEX_LISTS),
    SKELETONS: Object.keys(SKELETONS),
    indexList: (name, random, count) => INDEX_LISTS[name](random, count),
    parents,
    shuffled,
};
