// SPDX-License-Identifier: MIT

/**
 * Index lists in any order, with repeats: the result is that of one call for each mention, in the order of
 * the list.
 */

import { cached } from '../../lib/base/cached';
import { implementation, type Kernels } from '../../lib/lists';
import { expectSameBits } from '../support/bytes';
import { describeJointImplementations, FALLBACK } from '../support/implementations';
import { distinctIndex, jointQuatPair, random, repeatingIndex } from '../support/joint-data';

const ROUTINES = ['lerpJoints', 'slerpJoints', 'slerpJointsPerJoint', 'normalizeJoints'] as const;

/** Beyond a block of each instruction set, a batch (256) and a piece of a long list (1024). */
const COUNTS = [1, 2, 3, 5, 8, 9, 16, 17, 33, 257, 1100];

const ORDERS: Record<string, (count: number, next: () => number) => Int32Array> = {
    identity: (count) => Int32Array.from({ length: count }, (_, i) => i),
    'from joint 7': (count) => Int32Array.from({ length: count }, (_, i) => i + 7),
    'every second': (count) => Int32Array.from({ length: count }, (_, i) => i * 2),
    descending: (count) => Int32Array.from({ length: count }, (_, i) => count - 1 - i),
    permuted: (count, next) => distinctIndex(next, count, count),
    // Beyond the 4096 joints that the kernels tell apart, in the longest list.
    'spread far': (count, next) => distinctIndex(next, count * 3, count).map((joint) => joint * 5),
    // These repeat, too.
    '4096 apart': (count) => Int32Array.from({ length: count }, (_, i) => (i % 3) * 4096 + (i >> 2)),
    'each twice': (count) => Int32Array.from({ length: count }, (_, i) => i >> 1),
    'all of them twice': (count) => Int32Array.from({ length: count }, (_, i) => i % ((count + 1) >> 1)),
    'one repeated at the end': (count) => Int32Array.from({ length: count }, (_, i) => (i < count - 1 ? i : 0)),
    'seven in turn': (count) => Int32Array.from({ length: count }, (_, i) => i % 7),
    'at random': (count, next) => repeatingIndex(next, Math.max(1, count >> 2), count),
    'always the same': (count) => new Int32Array(count).fill(3),
};

type OnIndex = Pick<Kernels, (typeof ROUTINES)[number]>;

const callOf =
    (kernels: OnIndex, routine: (typeof ROUTINES)[number], blendJoints: Float32Array, times: Float32Array) =>
    (joints: Float32Array, index: Int32Array) => {
        if (routine === 'normalizeJoints') kernels[routine](joints, index);
        else if (routine === 'slerpJointsPerJoint') kernels[routine](joints, blendJoints, times, index);
        else kernels[routine](joints, blendJoints, times[0]!, index);
    };

function listsOf(order: string, count: number) {
    const next = random(count);
    const index = ORDERS[order]!(count, next);
    const numJoints = Math.max(...index) + 1;
    const times = Float32Array.from({ length: numJoints }, (_, i) => (i % 11) / 10 - (i % 2) * 0.01);
    times[0] = count % 2 === 0 ? 0.3 : 0.7;
    return { index, times, ...jointQuatPair(next, numJoints) };
}

/** By order and count, because all implementations use them. */
const lists = new Map<string, ReturnType<typeof listsOf>>();
/** By the implementation that computed it, routine, order and count. */
const results = new Map<string, Float32Array>();

describeJointImplementations((kernels, routines, name) => {
    // Only the listings lack it. They blend a joint that a group of four names twice in another way: accuracy.test.ts.
    if (!routines.includes('slerpJointsPerJoint')) return;
    // All `strict` implementations have the same bits.
    const [judgeName, judge] = name.startsWith('strict/')
        ? [FALLBACK, implementation(FALLBACK) as OnIndex]
        : [name, kernels];

    for (const routine of ROUTINES) {
        it.each(Object.keys(ORDERS))(`${routine}: %s`, (order) => {
            for (const count of COUNTS) {
                const given = cached(lists, `${order} ${count}`, () => listsOf(order, count));
                const { index, joints, blendJoints, times } = given;
                const expected = cached(results, `${judgeName} ${routine} ${order} ${count}`, () => {
                    const result = joints.slice();
                    const call = callOf(judge, routine, blendJoints, times);
                    for (const joint of index) call(result, Int32Array.of(joint));
                    return result;
                });
                const shared = new Float32Array(new SharedArrayBuffer(joints.byteLength));
                shared.set(joints);
                for (const result of [joints.slice(), shared]) {
                    callOf(kernels, routine, blendJoints, times)(result, index);
                    expectSameBits(result, expected, 8, () => `${count} joints`);
                }
            }
        });
    }
});
