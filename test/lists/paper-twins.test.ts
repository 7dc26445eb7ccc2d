// SPDX-License-Identifier: MIT

/** `paper/typescript` against `paper/sse`: the same bits where only + - * are involved, nearly the same numbers elsewhere. */

import { ALIGNMENTS, expectSameBits, firstDifference, guardedFloats } from '../support/bytes';
import { describeImplementation } from '../support/implementations';
import {
    awkwardFloats,
    awkwardMats,
    awkwardPair,
    borderMats,
    distinctIndex,
    INNER_LERPS,
    jointMats,
    jointQuatPair,
    LERPS,
    random,
    TREE_SHAPES,
    tree,
} from '../support/joint-data';
import { distance, distanceToNearest, Worst } from '../support/joint-reference';

const COUNTS = [...Array(71).keys(), 1024, 1029, 3000];
const SPARE = 2;
const CONVENTIONS = ['id', 'gltf'] as const;

/** Ordinary and awkward lists in turn. */
const poses = (n: number, seed: number) => (n % 2 === 0 ? jointQuatPair : awkwardPair)(random(seed + n), n + SPARE);
const matrices = (n: number, seed: number) => (n % 2 === 0 ? jointMats : awkwardMats)(random(seed + n), n + SPARE);

const isMoved = (before: Float32Array, after: Float32Array) => firstDifference(before, after) >= 0;

describeImplementation('paper/typescript', (ts) => {
    describeImplementation('paper/sse', (sse) => {
        it.each(CONVENTIONS)('convertJointQuatsToJointMats (%s) gives the same bits', (convention) => {
            let moved = 0;
            for (const n of COUNTS) {
                const { joints: quats } = poses(n, 100);
                const before = jointMats(random(n), n + SPARE);
                const [a, b] = [ts, sse].map((kernels, i) => {
                    const to = guardedFloats(before, ALIGNMENTS[(n + i) % 4]);
                    kernels.convertJointQuatsToJointMats(to.view, quats, { numJoints: n, convention });
                    to.check();
                    return to.view;
                });
                expectSameBits(a!, b!, 12, () => `convertJointQuatsToJointMats (${convention}), N = ${n}`);
                if (isMoved(before, a!)) moved++;
            }
            expect(moved).toBe(COUNTS.length - 1);
        });

        it.each(['transformSkeleton', 'untransformSkeleton'] as const)('%s gives the same bits', (routine) => {
            let moved = 0;
            for (const n of COUNTS) {
                for (const shape of TREE_SHAPES) {
                    const next = random(200 + n);
                    const before = matrices(n, 300);
                    const parents = tree(next, n + SPARE, shape);
                    const first = n % 3 === 0 ? undefined : Math.floor((next() * n) / 3);
                    const last = n % 3 === 1 ? undefined : n;
                    const [a, b] = [ts, sse].map((kernels, i) => {
                        const mats = guardedFloats(before, ALIGNMENTS[(n + i) % 4]);
                        kernels[routine](mats.view, parents, first, last);
                        mats.check();
                        return mats.view;
                    });
                    expectSameBits(a!, b!, 12, () => `${routine}, N = ${n}, ${shape}, joints ${first} to ${last}`);
                    if (isMoved(before, a!)) moved++;
                }
            }
            expect(moved).toBeGreaterThan(0.95 * COUNTS.length * TREE_SHAPES.length);
        });

        it.each(['separate', 'joints1', 'joints2'] as const)(
            'transformJoints gives the same bits, result: %s',
            (place) => {
                let moved = 0;
                for (const n of COUNTS) {
                    const joints1 = matrices(n, 400);
                    const joints2 = n % 3 === 0 ? awkwardFloats(random(n), (n + SPARE) * 12, 0.3) : matrices(n, 500);
                    const before = { separate: jointMats(random(n), n + SPARE), joints1, joints2 }[place];
                    const [a, b] = [ts, sse].map((kernels, i) => {
                        const result = guardedFloats(before, ALIGNMENTS[(n + i) % 4]);
                        kernels.transformJoints(
                            result.view,
                            place === 'joints1' ? result.view : joints1,
                            place === 'joints2' ? result.view : joints2,
                            n,
                        );
                        result.check();
                        return result.view;
                    });
                    expectSameBits(a!, b!, 12, () => `transformJoints (${place}), N = ${n}`);
                    if (isMoved(before, a!)) moved++;
                }
                expect(moved).toBe(COUNTS.length - 1);
            },
        );

        it.each(['slerpJoints', 'lerpJoints'] as const)('%s is within 1.5e-6 for unit quaternions', (routine) => {
            const rotation = new Worst();
            const translation = new Worst();
            for (const n of COUNTS) {
                const next = random(600 + n);
                const { joints: before, blendJoints } = jointQuatPair(next, n + SPARE);
                const index = n % 2 === 0 ? null : distinctIndex(next, n + SPARE, n);
                const lerp = INNER_LERPS[n % INNER_LERPS.length]!;
                const [a, b] = [ts, sse].map((kernels) => {
                    const joints = before.slice();
                    kernels[routine](joints, blendJoints, lerp, index, n);
                    return joints;
                });
                for (let o = 0; o < before.length; o += 8) {
                    const cos = [0, 1, 2, 3].reduce((sum, k) => sum + before[o + k]! * blendJoints[o + k]!, 0);
                    const where = () => `N = ${n}, joint ${o / 8}, lerp ${lerp}`;
                    // Half a turn apart, where rounding decides which way round is shorter, the two need not agree.
                    if (Math.abs(cos) > 1e-6) {
                        rotation.add(distance([...a!.subarray(o, o + 4)], [...b!.subarray(o, o + 4)]), where);
                    }
                    const size = Math.max(1e-30, ...[4, 5, 6, 7].map((k) => Math.abs(before[o + k]!)));
                    const sizeTo = Math.max(...[4, 5, 6, 7].map((k) => Math.abs(blendJoints[o + k]!)));
                    translation.add(
                        distance([...a!.subarray(o + 4, o + 8)], [...b!.subarray(o + 4, o + 8)]) /
                            Math.max(size, sizeTo),
                        where,
                    );
                }
            }
            rotation.expectWithin(1.5e-6, `${routine}, rotation`);
            translation.expectWithin(1.5e-6, `${routine}, translation relative to its size`);
            expect(rotation.count).toBeGreaterThan(4000);
        });

        it.each(['slerpJoints', 'lerpJoints'] as const)(
            '%s gives the same bits at the edges of lerp, whatever the quaternions',
            (routine) => {
                const edges = LERPS.filter((lerp) => !INNER_LERPS.includes(lerp));
                expect(edges.length).toBeGreaterThan(5);
                for (const n of COUNTS) {
                    const { joints: before, blendJoints } = poses(n, 700);
                    for (const lerp of edges) {
                        const [a, b] = [ts, sse].map((kernels) => {
                            const joints = before.slice();
                            kernels[routine](joints, blendJoints, lerp, null, n);
                            return joints;
                        });
                        expectSameBits(a!, b!, 8, () => `${routine}, N = ${n}, lerp ${lerp}`);
                    }
                }
            },
        );

        describe('convertJointMatsToJointQuats', () => {
            /** The greatest difference, sign included. */
            function compare(lists: Iterable<Float32Array>, convention: 'id' | 'gltf'): Worst {
                const worst = new Worst();
                for (const mats of lists) {
                    const numJoints = mats.length / 12;
                    const [a, b] = [ts, sse].map((kernels) => {
                        const quats = new Float32Array(numJoints * 8);
                        kernels.convertJointMatsToJointQuats(quats, mats, { convention });
                        return quats;
                    });
                    for (let i = 0; i < numJoints; i++) {
                        const quat = (list: Float32Array) => [...list.subarray(i * 8, i * 8 + 4)];
                        worst.add(
                            distance(quat(a!), quat(b!)),
                            () =>
                                `N = ${numJoints}, joint ${i}: ${[...mats.subarray(i * 12, i * 12 + 12)]}: ` +
                                `${quat(a!)} in TypeScript, ${quat(b!)} in SSE`,
                        );
                        const move = (list: Float32Array) => list.subarray(i * 8 + 4, i * 8 + 8);
                        expectSameBits(move(a!), move(b!), 4, () => `translation of joint ${i}, N = ${numJoints}`);
                    }
                }
                return worst;
            }

            it.each(CONVENTIONS)('is within 1.5e-6 for rotations, sign included (%s)', (convention) => {
                const lists = COUNTS.slice(1).map((n) => jointMats(random(800 + n), n));
                const worst = compare(lists, convention);
                worst.expectWithin(1.5e-6, 'convertJointMatsToJointQuats');
                expect(worst.count).toBeGreaterThan(5000);
            });

            it.each(CONVENTIONS)(
                'decides exact ties and rotations next to them alike, so that the signs agree (%s)',
                (convention) => {
                    const worst = compare(
                        [1, 4, 5, 5000].map((n) => borderMats(random(900 + n), n)),
                        convention,
                    );
                    worst.expectWithin(1.5e-6, 'convertJointMatsToJointQuats');
                },
            );

            it('has the sign of the listing, not of the C, at a tie of two cases', () => {
                // Half a turn about (1, -1, 0), exactly; and the trace 0 of q = (1, 1, 1, -1) / 2.
                const halfTurn = [0, -1, 0, 0, -1, 0, 0, 0, 0, 0, -1, 0];
                const thirdTurn = [0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0];
                for (const kernels of [ts, sse]) {
                    const quats = new Float32Array(16);
                    kernels.convertJointMatsToJointQuats(quats, Float32Array.of(...halfTurn, ...thirdTurn));
                    const half = Math.SQRT1_2;
                    expect(distance([...quats.subarray(0, 4)], [half, -half, 0, 0])).toBeLessThan(1e-6);
                    const right = distanceToNearest([...quats.subarray(8, 12)], [[-0.5, -0.5, -0.5, 0.5]]);
                    expect(right).toBeLessThan(1e-6);
                }
            });
        });
    });
});
