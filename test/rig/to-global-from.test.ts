// SPDX-License-Identifier: MIT

/** `rig.toGlobal(poses, { from })` updates the globals of a subtree (matrices in double precision), and no others; rejected calls. */

import { typescriptRig } from '../../lib/rig/kernels';
import type { Poses } from '../../lib/rig/poses';
import { Rig } from '../../lib/rig/rig';
import { sourceOfParts } from '../../lib/rig/source/from-parts';
import { random as randomOf, randomRotation } from '../support/random';
import { compose, fromMat3x4, multiply, worstDifference } from './double-reference';
import { describeRigs } from './native-tiers';
import { globalsOf, localAt, refusal } from './scenes';

/** Two limbs of a body. Slots are sorted by depth, so their numbers alternate: 1, 3, 5, 7 and 2, 4, 6, 8. */
const PARENTS = [-1, 0, 0, 1, 2, 3, 4, 5, 6];
const BELOW: Readonly<Record<number, readonly number[]>> = {
    0: [0, 1, 2, 3, 4, 5, 6, 7, 8],
    1: [1, 3, 5, 7],
    2: [2, 4, 6, 8],
    5: [5, 7],
    8: [8],
};
const random = randomOf(31);
const transform = () => [random() - 0.5, random(), random(), ...randomRotation(random), 1, 1 + random() / 8, 1];
const PARTS = { parents: PARENTS, rest: PARENTS.flatMap(transform), clips: [] };
const rigOf = (implementation = typescriptRig) =>
    new Rig(sourceOfParts(PARTS), new Uint8Array(PARENTS.length).fill(1), implementation);

/** The global of the slot in double precision. */
function expectedOf(rig: Rig, poses: Poses, pose: number, slot: number): number[] {
    const trs = localAt(rig, poses, pose, slot);
    const local = compose(trs.slice(0, 3), trs.slice(3, 7), trs.slice(7));
    const parent = PARENTS[slot]!;
    return parent < 0 ? local : multiply(expectedOf(rig, poses, pose, parent), local);
}

describeRigs((implementation) => {
    test.each(Object.entries(BELOW))('from slot %s: that slot and those below it', (from, below) => {
        for (const count of [1, 5, 16, 37]) {
            const rig = rigOf(implementation);
            const poses = rig.createPoses(count);
            rig.toGlobal(poses);
            const before = globalsOf(rig, poses);
            for (let pose = 0; pose < count; pose++) {
                for (const slot of below) rig.setLocal(poses, pose, slot, Float32Array.from(transform()));
            }
            rig.toGlobal(poses, { from: Number(from) });
            const after = globalsOf(rig, poses);
            const others = (_: unknown, i: number) => !below.includes(i % PARENTS.length);
            expect(after.filter(others)).toEqual(before.filter(others));
            const errors = after.map((global, i) => {
                const expected = expectedOf(rig, poses, Math.floor(i / PARENTS.length), i % PARENTS.length);
                return worstDifference(fromMat3x4(global), expected);
            });
            expect(Math.max(...errors)).toBeLessThan(5e-6);
            rig.toGlobal(poses);
            expect(globalsOf(rig, poses)).toEqual(after);
        }
    });
});

test('poses of some slots: slots keep their numbers in the rig', () => {
    const rig = rigOf();
    const poses = rig.createPoses(3, { only: [7, 2] });
    const trs = Float32Array.from(transform());
    rig.toGlobal(poses);
    rig.setLocal(poses, 1, 5, trs);
    rig.toGlobal(poses, { from: 5 });
    const own = globalsOf(rig, poses, [5, 7]);
    const local = compose(trs.subarray(0, 3), trs.subarray(3, 7), trs.subarray(7));
    const above = fromMat3x4(globalsOf(rig, poses, [3])[1]!);
    expect(worstDifference(fromMat3x4(own[2]!), multiply(above, local))).toBeLessThan(5e-6);
    expect(worstDifference(fromMat3x4(own[3]!), expectedOf(rig, poses, 1, 7))).toBeLessThan(5e-6);
    expect(() => rig.toGlobal(poses, { from: 8 })).toThrow(refusal('ERR_INDEX_RANGE', /options.from needs slot 8/));
});

describe('newer locals', () => {
    const rig = rigOf();
    const trs = Float32Array.from(transform());
    const stale = expect.objectContaining({ code: 'ERR_STALE_GLOBALS' });

    test.each([
        ['the slot', [5], 5],
        ['a slot below it', [7], 5],
        ['several slots below it', [7, 3, 5], 1],
        ['two limbs, from the body', [7, 8], 0],
    ])('of %s become global', (_, written, from) => {
        const poses = rig.createPoses(4);
        rig.toGlobal(poses);
        for (const [pose, slot] of written.entries()) rig.setLocal(poses, pose, slot, trs);
        expect(() => globalsOf(rig, poses)).toThrow(stale);
        rig.toGlobal(poses, { from });
        globalsOf(rig, poses);
    });

    test.each([
        ['a slot above it', [3], 5],
        ['another limb', [8], 1],
        ['also the other limb', [7, 8], 1],
        ['the other limb first', [8, 7], 1],
    ])('of %s are rejected', (_, written, from) => {
        const poses = rig.createPoses(4);
        rig.toGlobal(poses);
        for (const slot of written) rig.setLocal(poses, 2, slot, trs);
        const before = poses.data.slice();
        const message =
            /^toGlobal: the locals of pose 2 of poses are newer than its globals, also outside of options.from, needs toGlobal\(poses\) first$/;
        expect(() => rig.toGlobal(poses, { from })).toThrow(refusal('ERR_STALE_GLOBALS', message, 'Error'));
        expect(poses.data).toEqual(before);
    });

    test('of poses beyond the count are allowed, until the count includes them', () => {
        const poses = rig.createPoses(4);
        poses.count = 3;
        rig.toGlobal(poses);
        for (const pose of [0, 2]) rig.setLocal(poses, pose, 5, trs);
        rig.toGlobal(poses, { from: 5 });
        globalsOf(rig, poses);
        poses.count = 4;
        expect(() => globalsOf(rig, poses)).toThrow(stale);
        expect(() => rig.toGlobal(poses, { from: 5 })).toThrow(stale);
        rig.toGlobal(poses);
        globalsOf(rig, poses);
    });

    test('of new poses and of blends need all slots', () => {
        const poses = rig.createPoses(4);
        expect(() => rig.toGlobal(poses, { from: 1 })).toThrow(stale);
        rig.toGlobal(poses);
        rig.blend(poses, poses, poses, 0.5);
        expect(() => rig.toGlobal(poses, { from: 0 })).toThrow(stale);
    });
});
