// SPDX-License-Identifier: MIT

/** Right bakes of unusual rotations are proved, and errors above the stated tolerance are found. */

import { type BakeOptions, bakeFile, writeBake } from '../../lib/bake';
import { verifyBake } from '../../lib/verify';
import { type ChannelSpec, GltfBuilder, keyed, type NodeSpec } from '../support/gltf-builder';
import { times } from '../support/joint-reference';
import { random as randomOf, randomRotation, randomVector } from '../support/random';
import { scratchFolder } from '../support/temporary-folder';
import { fullBake } from './full-bake';

const folder = scratchFolder();
const LAYOUTS: BakeOptions[] = [
    { fps: 20, emit: ['palette', 'hit', 'local', 'bounds', 'jointBounds'] },
    { fps: 17, layout: 'mat3x4', renormalize: true },
    { fps: 37, dtype: 'f16', maxError: 10 },
    { fps: 13, layout: 'qts16', maxError: 10 },
    { fps: 30, root: 'extract', emit: ['palette', 'local', 'root'] },
];

/** A chain of joints. */
function chain(joints: NodeSpec[], channels: ChannelSpec[], name: string): string {
    const nodes = joints.map((joint, i) => ({
        name: `joint ${i}`,
        ...joint,
        ...(i + 1 < joints.length ? { children: [i + 1] } : {}),
    }));
    const builder = new GltfBuilder(nodes);
    builder.skinnedMesh(builder.skin(nodes.map((_, i) => i)));
    return builder.animation('', channels).write(folder(), name);
}

/** Whether it can be baked; the bake must be right. */
async function expectRight(input: string, options: BakeOptions): Promise<boolean> {
    // Matrices without uniform scale cannot be stored as qts16, and their motion cannot be extracted.
    const bake = await bakeFile(input, options).catch((error) => {
        expect(['ToleranceError', 'InputError', 'UsageError']).toContain(error.name);
        return null;
    });
    if (bake === null) return false;
    const { json } = (await writeBake(bake, folder()))[0]!;
    const { ok, problems, worst } = await verifyBake(input, json);
    expect([problems, ok ? null : worst]).toEqual([[], null]);
    return true;
}

/** Three keys, 0.1 s apart. */
function keysOf(random: () => number, interpolation: ChannelSpec['interpolation'], values: number[][]) {
    const times = values.map((_, i) => i / 10);
    if (interpolation !== 'CUBICSPLINE') return { times, values, interpolation };
    const bend = [0, 1, 10][Math.floor(random() * 3)]!;
    const tangent = () => [...randomVector(random, bend), random() * bend];
    return { times, values: values.flatMap((value) => [tangent(), value, tangent()]), interpolation };
}

test('random rigs with rotations off unit length', async () => {
    let proved = 0;
    for (let seed = 1; seed <= 12; seed++) {
        const random = randomOf(seed);
        const any = () => {
            const length = [0.9, 1.1, 0.5, 2, 1, 0.1][Math.floor(random() * 6)]!;
            return randomRotation(random).map((x) => x * length);
        };
        const joints = Array.from({ length: 1 + (seed % 5) }, () => ({
            translation: randomVector(random, 1),
            ...(random() < 0.3 ? { rotation: any() } : {}),
        }));
        const channels = joints.map((_, node): ChannelSpec => {
            const interpolation = (['LINEAR', 'STEP', 'CUBICSPLINE'] as const)[Math.floor(random() * 3)]!;
            return { node, path: 'rotation', ...keysOf(random, interpolation, [any(), any(), any(), any()]) };
        });
        const input = chain(joints, channels, `lengths-${seed}`);
        for (const options of LAYOUTS) if (await expectRight(input, options)) proved++;
    }
    expect(proved).toBeGreaterThan(35);
});

test('frames that are all at keys, with float32 rounding between them', async () => {
    const times = Array.from({ length: 31 }, (_, i) => i / 30);
    for (const reach of [0.37, 3, 40]) {
        const values = times.map((t) => [t * reach, t * 0.37 * reach, 0]);
        const input = chain([{}], [{ node: 0, path: 'translation', times, values }], `at-keys-${reach}`);
        await expectRight(input, { fps: 30 });
    }
});

test('a deep chain of long quaternions', async () => {
    for (let seed = 1; seed <= 6; seed++) {
        const random = randomOf(seed);
        const joints = Array.from({ length: 10 }, () => ({ translation: randomVector(random, 1) }));
        const long = () => randomRotation(random).map((x) => x * (1.1 + random()));
        const channels = joints.map(
            (_, node): ChannelSpec => ({
                node,
                path: 'rotation',
                ...keysOf(random, 'LINEAR', [long(), long(), long()]),
            }),
        );
        await expectRight(chain(joints, channels, `deep-${seed}`), LAYOUTS[0]!);
    }
});

test('the middle between q and -q, and between turns 180 degrees apart: any direction is right', async () => {
    for (let seed = 1; seed <= 8; seed++) {
        const random = randomOf(seed);
        const q = randomRotation(random);
        const opposite = q.map((x) => -x);
        const zeros = [0, 0, 0, 0];
        const spline = [zeros, q, zeros, zeros, opposite, zeros, zeros, q, zeros];
        const half = randomRotation(random).map((x, c, q) => (c === 3 ? 0 : x / Math.hypot(q[0]!, q[1]!, q[2]!)));
        const turned = times(half, q);
        const channels: ChannelSpec[] = [
            { node: 0, path: 'rotation', times: [0, 0.1, 0.2], values: spline, interpolation: 'CUBICSPLINE' },
            { node: 1, path: 'rotation', times: [0, 0.1, 0.2], values: [q, turned, q] },
        ];
        const joints = [{}, { translation: [1, 0, 0] }, { translation: [0, 1, 0] }];
        const input = chain(joints, channels, `middle-${seed}`);
        for (const fps of [20, 5]) for (const options of LAYOUTS) await expectRight(input, { ...options, fps });
    }
});

test('the tolerance grows as one over the length of a spline, and a larger error is found', async () => {
    const zeros = [0, 0, 0, 0];
    const keys = [zeros, [0, 0, 0, 1], zeros, zeros, [0, 0, 0, -1], zeros];
    for (const [share, roundings] of [
        [0.2, 1],
        [0.49, 50],
        [0.499, 500],
    ] as const) {
        // From q to -q without tangents: the length is |1 - 2 w|, w being the weight of the second key.
        const time = Math.fround(share);
        const channel: ChannelSpec = { ...keyed(0, 'rotation', [0, 1], ...keys), interpolation: 'CUBICSPLINE' };
        const input = chain([{}], [channel], `length-${share}`);
        const bake = await fullBake(input, { fps: 10, from: time, to: time + 0.1, emit: ['palette'] });
        /** The bake with one number of its palette changed by a distance. */
        const judged = async (off: number) => {
            bake.set('palette', 12, bake.at('palette', 12) + off);
            const { clips, extent } = await verifyBake(input, bake.write(folder()));
            return { verdict: clips[0]!.arrays[0]!, extent };
        };
        const { verdict, extent } = await judged(0);
        const w = time * time * (3 - 2 * time);
        const length = Math.abs(1 - 2 * w);
        // 160 roundings of 2^-24 for each length from the joint. Within 4 extents they are less than 1e-5.
        const derived = 1e-5 + 160 * 2 ** -24 * Math.max(0, 1.5 / length - 4) + 1e-7;
        expect(1 / length).toBeGreaterThan(roundings / 2);
        expect(verdict.tolerance).toBeLessThanOrEqual(derived);
        expect(verdict.ok).toBe(true);
        expect((await judged(derived * 1.1 * extent)).verdict.ok).toBe(false);
    }
});

test('figures of 0, and models smaller than the steps of float32', async () => {
    for (const size of [0, 1e-45, 1e-42, 1e-38, 1e-30, 1e-6]) {
        const builder = new GltfBuilder([
            { name: 'root', children: [1] },
            { name: 'tip', translation: [size, 0, 0] },
        ]);
        builder.skin([0, 1]);
        builder.animation('', [keyed(1, 'translation', [0, 0.11, 0.2], [0, 0, 0], [size, size, 0], [0, 0, 0])]);
        const input = builder.write(folder(), `small-${size}`);
        for (const options of LAYOUTS.slice(0, 2)) await expectRight(input, options);
    }
});
