// SPDX-License-Identifier: MIT

/** `rig.toGlobal(poses, { from })`: the globals of a subtree, by matrices in double precision; all others stay; what is refused. */

import { typescriptRig } from '../../lib/rig/kernels';
import { Rig } from '../../lib/rig/rig';
import { sourceOfParts } from '../../lib/rig/source/from-parts';
import { random as randomOf, randomRotation } from '../support/random';
import { compose, multiply } from './double-reference';
import { describeRigs } from './native-tiers';

/** Two limbs of a body whose slots are mixed, as slots are sorted by depth: 1, 3, 5, 7 and 2, 4, 6, 8. */
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
const SLOTS = Uint16Array.from(PARENTS.keys());

function globalsOf(rig: Rig, poses: ReturnType<Rig['createPoses']>): number[][] {
    const out = new Float32Array(poses.count * SLOTS.length * 12);
    rig.joints(poses, SLOTS, out);
    return Array.from({ length: out.length / 12 }, (_, i) => [...out.subarray(i * 12, i * 12 + 12)]);
}

/** The slot's global in double precision, row-major 3x4. */
function expectedOf(rig: Rig, poses: ReturnType<Rig['createPoses']>, pose: number, slot: number): number[] {
    let product: number[] | undefined;
    for (let at = slot; at >= 0; at = PARENTS[at]!) {
        const trs = rig.getLocal(poses, pose, at, new Float32Array(10));
        const local = compose(trs.subarray(0, 3), trs.subarray(3, 7), trs.subarray(7));
        product = product === undefined ? local : multiply(local, product);
    }
    return Array.from({ length: 12 }, (_, i) => product![(i % 4) * 4 + Math.floor(i / 4)]!);
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
            const others = (_: unknown, i: number) => !below.includes(i % SLOTS.length);
            expect(after.filter(others)).toEqual(before.filter(others));
            const errors = after.flatMap((global, i) => {
                const expected = expectedOf(rig, poses, Math.floor(i / SLOTS.length), i % SLOTS.length);
                return global.map((value, c) => Math.abs(value - expected[c]!));
            });
            expect(Math.max(...errors)).toBeLessThan(5e-6);
            rig.toGlobal(poses);
            expect(globalsOf(rig, poses)).toEqual(after);
        }
    });
});

test('poses with some of the slots: slots by their numbers in the rig', () => {
    const rig = rigOf();
    const poses = rig.createPoses(3, { only: [7, 2] });
    const trs = Float32Array.from(transform());
    rig.toGlobal(poses);
    rig.setLocal(poses, 1, 5, trs);
    rig.toGlobal(poses, { from: 5 });
    const out = new Float32Array(3 * 12);
    rig.joints(poses, Uint16Array.of(7), out);
    const expected = expectedOf(rig, poses, 1, 7);
    for (const [c, value] of out.subarray(12, 24).entries()) expect(value).toBeCloseTo(expected[c]!, 5);
    expect(() => rig.toGlobal(poses, { from: 8 })).toThrow(
        expect.objectContaining({
            code: 'ERR_INDEX_RANGE',
            message: expect.stringContaining('options.from needs slot 8'),
        }),
    );
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
    ])('of %s are made global', (_, written, from) => {
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
        ['the other limb, too', [7, 8], 1],
        ['the other limb first', [8, 7], 1],
    ])('of %s are refused', (_, written, from) => {
        const poses = rig.createPoses(4);
        rig.toGlobal(poses);
        for (const slot of written) rig.setLocal(poses, 2, slot, trs);
        const before = poses.data.slice();
        expect(() => rig.toGlobal(poses, { from })).toThrow(
            expect.objectContaining({
                code: 'ERR_STALE_GLOBALS',
                message:
                    'toGlobal: the locals of pose 2 of poses are newer than its globals, also outside of options.from, needs toGlobal(poses) first',
            }),
        );
        expect(poses.data).toEqual(before);
    });

    test('of new poses and of blends are those of all slots', () => {
        const poses = rig.createPoses(4);
        expect(() => rig.toGlobal(poses, { from: 1 })).toThrow(stale);
        rig.toGlobal(poses);
        rig.blend(poses, poses, poses, 0.5);
        expect(() => rig.toGlobal(poses, { from: 0 })).toThrow(stale);
    });
});
