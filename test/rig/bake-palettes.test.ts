// SPDX-License-Identifier: MIT

/** `bakePalettes` without poses gives the bytes of `evaluate`, `toGlobal` and `palettes`. */

import { typescriptRig } from '../../lib/rig/kernels';
import type { RigImplementation } from '../../lib/rig/kernels/table';
import { Rig } from '../../lib/rig/rig';
import { type RigParts, sourceOfParts } from '../../lib/rig/source/from-parts';
import { expectSameBits } from '../support/bytes';
import { thrownBy } from '../support/faults';
import { random as randomOf } from '../support/random';
import { PARTS } from '../support/rig-calls.cjs';
import { randomScene } from './double-reference';
import { describeRigs } from './native-tiers';

const GUARD = 12345;
const CLIPS = 3;

/** All kinds of tracks, slots with a matrix, joints in any order; one, two and three tiles of slots. */
const SCENES = [10, 10, 10, 23, 60, 90, 200].map((count, seed) => randomScene(randomOf(seed), CLIPS, count));
const PARTS_SOURCE = sourceOfParts(PARTS as RigParts);
/** The last rig has morph weights with key times of their own. */
const rigsOf = (implementation: RigImplementation) =>
    [...SCENES, PARTS_SOURCE].map((source) => new Rig(source, undefined, implementation));

const twins = rigsOf(typescriptRig);

function threeCalls(rig: Rig, clips: Uint16Array, times: Float32Array | Float64Array, loop: Uint8Array) {
    const poses = rig.createPoses(times.length);
    rig.evaluate(poses, clips, times, { loop });
    rig.toGlobal(poses);
    return (['mat4', 'mat3x4'] as const).map((format) => {
        const out = new Float32Array(times.length * rig.skins[0]!.joints.length * (format === 'mat4' ? 16 : 12));
        rig.palettes(poses, 0, out, format);
        return { format, out };
    });
}

function testImplementation(implementation: RigImplementation): void {
    const rigs = rigsOf(implementation);

    test.each([1, 2, 3, 4, 5, 16, 17, 35])('%i poses, of one clip and of several', (count) => {
        const next = randomOf(count);
        for (const [i, rig] of rigs.entries()) {
            const numClips = rig.clips.length;
            for (const mixed of [false, true]) {
                const times = Float64Array.from({ length: count }, () => next() * 4 - 1);
                const clips = Uint16Array.from(times, () => (mixed ? Math.floor(next() * numClips) : 0));
                const loop = Uint8Array.from(times, () => Math.floor(next() * 2));
                for (const list of [times, Float32Array.from(times)]) {
                    for (const { format, out: expected } of threeCalls(twins[i]!, clips, list, loop)) {
                        const memory = new Float32Array(expected.length + 8).fill(GUARD);
                        const out = memory.subarray(1, -7);
                        rig.bakePalettes(null, mixed ? clips : 0, list, 0, out, format, { loop });
                        expectSameBits(out, expected, 16, () => `rig ${i}`);
                        expect([memory[0], ...memory.subarray(-7)]).toEqual(new Array(8).fill(GUARD));
                    }
                }
            }
        }
    });

    test('wrong arguments change nothing', () => {
        const rig = rigs[0]!;
        const out = new Float32Array(2 * rig.skins[0]!.joints.length * 16);
        const times = new Float64Array(2);
        const codes = (
            [
                [undefined, 0, times, 0, out],
                [null, CLIPS, times, 0, out],
                [null, Uint16Array.of(0, CLIPS), times, 0, out],
                [null, 0, Float64Array.of(0, Number.NaN), 0, out],
                [null, 0, times, 1, out],
                [null, 0, times, 0, out.subarray(1)],
                [null, 0, new Float32Array(out.buffer, 0, 2), 0, out],
                [null, new Uint16Array(out.buffer, 0, 2), times, 0, out],
                [null, 0, times, 0, out, 'mat3'],
                [null, 0, times, 0, out, 'mat4', { loop: Uint8Array.of(0, 2) }],
            ] as unknown as Parameters<Rig['bakePalettes']>[]
        ).map((args) => (thrownBy(() => rig.bakePalettes(...args)) as { code?: string } | null)?.code);
        const [type, index, overlap] = ['ERR_ARGUMENT_TYPE', 'ERR_INDEX_RANGE', 'ERR_BUFFER_OVERLAP'];
        const expected = [type, index, index, 'ERR_NOT_FINITE', index, 'ERR_BUFFER_LENGTH', overlap, overlap, type];
        expect(codes).toEqual([...expected, index]);
        expect(out.every((x) => x === 0)).toBe(true);
        rig.dispose();
        expect(() => rig.bakePalettes(null, 0, times, 0, out)).toThrow(
            expect.objectContaining({ code: 'ERR_DISPOSED' }),
        );
    });
}

describe('strict/typescript', () => testImplementation(typescriptRig));
describeRigs(testImplementation);
