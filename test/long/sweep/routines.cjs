// SPDX-License-Identifier: MIT
'use strict';

/**
 * The routines that the sweep covers: what each takes, how a case of it is made, how it is called.
 *
 * A case is data: `count` elements, `lists` of floats (the first is the one that is written), each with the values that
 * it starts with; `at` says where a list lies in another, for calls in place. Its `integers` are index lists or parents.
 */

const { PAIR_CLASSES, MATRIX_CLASSES, TIMES, anyBits, matrices, quaternionPairs, times } = require('./classes.cjs');
const { INDEX_LISTS, SKELETONS, indexList, parents } = require('./lists.cjs');

const ANY = 'any';

/** What a call finds where it writes its results: nothing of it may show. */
function garbage(random, length) {
    const list = new Float32Array(length);
    for (let i = 0; i < length; i++) list[i] = anyBits(random);
    return list;
}

/** Where `list` lies within list `of`, from float `float` on. */
const within = (of, float = 0) => ({ of, float });

const list = (name, values, at) => ({ name, values, at });

/** slerpJoints and its like: `aliases` puts blendJoints in joints' place. */
function jointBlend(perJoint, call) {
    return {
        classes: PAIR_CLASSES,
        times: perJoint ? [ANY] : TIMES,
        indices: INDEX_LISTS,
        aliases: ['none', 'blendJoints = joints'],
        make(random, { data, count, time, index: kind, alias }) {
            const { index, joints } = indexList(kind, random, count);
            const [a, b] = quaternionPairs(data, random, joints, 8);
            const lists = [list('joints', a), list('blendJoints', b, alias === 'none' ? undefined : within(0))];
            if (perJoint) lists.push(list('lerps', times(random, joints)));
            return { lists, integers: index, time };
        },
        call,
    };
}

/** slerpQuats and its like. */
function quatBlend(perQuat, call) {
    return {
        classes: PAIR_CLASSES,
        times: perQuat ? [ANY] : TIMES,
        indices: ['none'],
        aliases: ['none', 'from = result', 'to = result', 'from = to', 'from = to = result'],
        make(random, { data, count, time, alias }) {
            const [a, b] = quaternionPairs(data, random, count, 4);
            const from = alias.startsWith('from') && alias.endsWith('result') ? within(0) : undefined;
            const to = alias.endsWith('to') || alias.startsWith('from = to') ? within(1) : undefined;
            const lists = [
                list('result', garbage(random, count * 4)),
                list('from', a, from),
                list('to', b, alias === 'to = result' ? within(0) : to),
            ];
            if (perQuat) lists.push(list('t', times(random, count)));
            return { lists, integers: null, time };
        },
        call,
    };
}

function convert(toMats, call) {
    return {
        classes: toMats ? PAIR_CLASSES : MATRIX_CLASSES,
        times: [ANY],
        indices: ['none'],
        aliases: ['none'],
        conventions: ['id', 'gltf'],
        make(random, { data, count }) {
            const from = toMats ? quaternionPairs(data, random, count, 8)[0] : matrices(data, random, count);
            const to = garbage(random, count * (toMats ? 12 : 8));
            const [first, second] = toMats ? ['jointMats', 'jointQuats'] : ['jointQuats', 'jointMats'];
            return { lists: [list(first, to), list(second, from)], integers: null };
        },
        call,
    };
}

function skeleton(call) {
    return {
        classes: MATRIX_CLASSES,
        times: [ANY],
        indices: SKELETONS,
        aliases: ['all', 'from joint 0', 'a part'],
        make(random, { data, count, index, alias }) {
            const list0 = list('jointMats', matrices(data, random, count));
            let first = alias === 'from joint 0' ? 0 : 1;
            let last = count - 1;
            if (alias === 'a part' && count > 0) {
                first = random.below(count);
                last = first - 1 + random.below(count - first + 1);
            }
            return { lists: [list0], integers: parents(index, random, count), first, last };
        },
        call,
    };
}

const ROUTINES = {
    slerpJoints: jointBlend(false, (k, [a, b], c) => k.slerpJoints(a, b, c.time, c.integers, c.count)),
    lerpJoints: jointBlend(false, (k, [a, b], c) => k.lerpJoints(a, b, c.time, c.integers, c.count)),
    slerpJointsPerJoint: jointBlend(true, (k, [a, b, t], c) => k.slerpJointsPerJoint(a, b, t, c.integers, c.count)),
    normalizeJoints: {
        classes: PAIR_CLASSES,
        times: [ANY],
        indices: INDEX_LISTS,
        aliases: ['none'],
        make(random, { data, count, index: kind }) {
            const { index, joints } = indexList(kind, random, count);
            return { lists: [list('joints', quaternionPairs(data, random, joints, 8)[1])], integers: index };
        },
        call: (k, [a], c) => k.normalizeJoints(a, c.integers, c.count),
    },
    convertJointQuatsToJointMats: convert(true, (k, [to, from], c) =>
        k.convertJointQuatsToJointMats(to, from, { numJoints: c.count, convention: c.convention }),
    ),
    convertJointMatsToJointQuats: convert(false, (k, [to, from], c) =>
        k.convertJointMatsToJointQuats(to, from, { numJoints: c.count, convention: c.convention }),
    ),
    transformSkeleton: skeleton((k, [m], c) => k.transformSkeleton(m, c.integers, c.first, c.last)),
    untransformSkeleton: skeleton((k, [m], c) => k.untransformSkeleton(m, c.integers, c.first, c.last)),
    transformJoints: {
        classes: MATRIX_CLASSES,
        times: [ANY],
        indices: ['none'],
        aliases: ['none', 'joints1 = result', 'joints2 = result', 'joints1 = joints2', 'joints1 = joints2 = result'],
        make(random, { data, count, alias }) {
            const first = alias.startsWith('joints1') && alias.endsWith('result') ? within(0) : undefined;
            const second = alias.startsWith('joints1 = joints2') ? within(1) : undefined;
            return {
                lists: [
                    list('result', garbage(random, count * 12)),
                    list('joints1', matrices(data, random, count), first),
                    list('joints2', matrices(data, random, count), alias === 'joints2 = result' ? within(0) : second),
                ],
                integers: null,
            };
        },
        call: (k, [r, a, b], c) => k.transformJoints(r, a, b, c.count),
    },
    slerpQuats: quatBlend(false, (k, [r, a, b], c) => k.slerpQuats(r, a, b, c.time, c.count)),
    lerpQuats: quatBlend(false, (k, [r, a, b], c) => k.lerpQuats(r, a, b, c.time, c.count)),
    slerpQuatsPerQuat: quatBlend(true, (k, [r, a, b, t], c) => k.slerpQuatsPerQuat(r, a, b, t, c.count)),
    slerpQuatTimes: {
        classes: PAIR_CLASSES,
        times: [ANY],
        indices: ['none'],
        aliases: ['none', 'q0 and q1 in result', 'q0 = q1'],
        make(random, { data, count, alias }) {
            const [a, b] = quaternionPairs(data, random, 1, 4);
            const inside = alias === 'q0 and q1 in result' && count > 1;
            const at = () => within(0, 4 * random.below(count));
            return {
                lists: [
                    list('result', garbage(random, count * 4)),
                    list('q0', a, inside ? at() : undefined),
                    list('q1', b, inside ? at() : alias === 'q0 = q1' ? within(1) : undefined),
                    list('t', times(random, count)),
                ],
                integers: null,
            };
        },
        call: (k, [r, a, b, t]) => k.slerpQuatTimes(r, a, b, t),
    },
};

module.exports = { ROUTINES, ROUTINE_NAMES: Object.keys(ROUTINES) };
