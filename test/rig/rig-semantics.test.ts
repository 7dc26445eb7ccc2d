// SPDX-License-Identifier: MIT
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { InputError } from '../../lib/errors';
import { Rig } from '../../lib/rig/rig';
import { type ChannelSpec, GltfBuilder, type NodeSpec } from '../support/gltf-builder';
import { random, randomRotation, randomVector } from '../support/random';
import { scratchFolder } from '../support/temporary-folder';
import { judgeRig } from './rig-judge';

/**
 * The semantics table of shared/baking.md, the rows on evaluation, one test or more each: every file is judged at the
 * frames and between them, by the double evaluator and three.js (see `judgeRig`), and figures worked out by hand are there
 * for the case that the judges share an error.
 */
const folder = scratchFolder();
const HALF = Math.SQRT1_2;

const moved = (node: number, from: number[], to: number[]): ChannelSpec => ({
    node,
    path: 'translation',
    times: [0, 1],
    values: [from, to],
});

/** A root and one joint below it, 1 m up. */
async function judge(name: string, channels: readonly ChannelSpec[], options?: Parameters<typeof judgeRig>[1]) {
    const gltf = new GltfBuilder([{ children: [1] }, { translation: [0, 1, 0] }]);
    gltf.skinnedMesh(gltf.skin([0, 1]));
    return judgeRig(gltf.animation('clip', channels).write(folder(), name), options);
}

function expectNear(actual: readonly number[], expected: readonly number[]): void {
    expect(actual).toHaveLength(expected.length);
    for (const [c, x] of expected.entries()) expect(actual[c]).toBeCloseTo(x, 5);
}

describe('frame times and STEP', () => {
    test.each([24, 25, 30, 60, 120])('at fround(i / %d) a STEP key stored so is there, 0 of 301 late', async (fps) => {
        const frames = Array.from({ length: 301 }, (_, i) => i);
        const times = frames.map((i) => Math.fround(i / fps));
        const values = frames.map((i) => [i / 512, 0, 0]);
        const channels: ChannelSpec[] = [{ node: 0, path: 'translation', times, values, interpolation: 'STEP' }];
        const { rig } = await judge(`step-${fps}`, channels, { fps });
        expect(rig.clips[0]!.cadence).toMatchObject({ keys: 301, rate: fps });
        const poses = rig.createPoses(301);
        rig.evaluate(poses, 0, Float32Array.from(times));
        const trs = new Float32Array(10);
        expect(frames.map((i) => rig.getLocal(poses, i, 0, trs)[0]! * 512)).toEqual(frames);
    });

    test('t = duration is the last key; one ulp before it, a STEP channel is not there yet', async () => {
        const D = Math.fround(0.99);
        const step: ChannelSpec = { ...moved(0, [0, 0, 0], [0, 0, 1]), times: [0, D], interpolation: 'STEP' };
        const judged = await judge('end', [step, { ...moved(1, [0, 1, 0], [0, 2, 0]), times: [0, D] }]);
        expect(judged.at(0, D, 0)).toEqual([0, 0, 1]);
        expect(judged.at(0, D, 1)).toEqual([0, 2, 1]);
        expect(judged.at(0, D - 2 ** -24, 0)).toEqual([0, 0, 0]);
    });
});

describe('keys', () => {
    test('outside its keys a channel keeps its nearest one; the time line starts at 0', async () => {
        const judged = await judge('late', [
            { ...moved(0, [2, 0, 0], [4, 0, 0]), times: [0.5, 1] },
            { ...moved(1, [0, 1, 0], [0, 1, 3]), times: [0, 0.25] },
            { node: 1, path: 'scale', times: [1.5], values: [[2, 2, 2]] },
        ]);
        expect(judged.rig.clips[0]!.duration).toBe(1.5);
        expect(judged.at(0, 0, 0)).toEqual([2, 0, 0]);
        expectNear(judged.at(0, 0.75, 0), [3, 0, 0]);
        expect(judged.at(0, 1.5, 1, [1, 0, 0])).toEqual([6, 1, 3]);
        expect(judged.at(0, 0, 1, [1, 0, 0])).toEqual([4, 1, 0]);
    });

    test('of keys at the same time the last one wins', async () => {
        const times = [0, 0.5, 0.5, 0.5, 1];
        const values = [0, 1, 9, 3, 4].map((x) => [x, 0, 0]);
        const judged = await judge(
            'duplicates',
            [
                { node: 0, path: 'translation', times, values },
                {
                    node: 1,
                    path: 'rotation',
                    times: [0, 1, 1],
                    values: [
                        [0, 0, 0, 1],
                        [0, 0, 1, 0],
                        [1, 0, 0, 0],
                    ],
                },
            ],
            { three: false },
        );
        expectNear(judged.at(0, 29 / 60, 0), [29 / 30, 0, 0]);
        expect(judged.at(0, 0.5, 0)).toEqual([3, 0, 0]);
        expect(judged.at(0, 1, 1, [0, 1, 0])).toEqual([4, 0, 0]);
    });
});

describe('LINEAR rotations', () => {
    test('the short way round, at constant speed', async () => {
        const judged = await judge('hemispheres', [
            {
                node: 1,
                path: 'rotation',
                times: [0, 1, 2],
                values: [
                    [0, 0, 0, 1],
                    [0, 0, -HALF, -HALF],
                    [0, 0, HALF, -HALF],
                ],
            },
        ]);
        expectNear(judged.at(0, 0.5, 1, [1, 0, 0]), [HALF, 1 + HALF, 0]);
        expectNear(judged.at(0, 1, 1, [1, 0, 0]), [0, 2, 0]);
        expectNear(judged.at(0, 4 / 3, 1, [1, 0, 0]).map(Math.abs), [Math.sin(Math.PI / 3), 1 + 0.5, 0]);
    });

    test('random keys, both signs, from tiny steps to opposite ends', async () => {
        const next = random(1);
        const times = Array.from({ length: 200 }, (_, i) => Math.fround(i / 7));
        const anywhere = times.map(() => randomRotation(next));
        let close = randomRotation(next);
        const tiny = times.map(() => {
            const step = randomVector(next, 0.002);
            const away = close.map((x, c) => x + (step[c] ?? 0));
            const sign = next() < 0.5 ? -1 : 1;
            close = away.map((x) => (sign * x) / Math.hypot(...away));
            return close;
        });
        const judged = await judge('random-rotations', [
            { node: 0, path: 'rotation', times, values: anywhere },
            { node: 1, path: 'rotation', times, values: tiny },
        ]);
        expect(judged.worst).toBeLessThan(1.5e-6);
    });

    test.each([0.706, 0.7075])('keys of 2 x %d squared are taken as they are, still ones as well', async (c) => {
        const judged = await judge(
            `non-unit-${c}`,
            [
                {
                    node: 1,
                    path: 'rotation',
                    times: [0, 1, 2],
                    values: [
                        [0, 0, c, c],
                        [0, 0, c, c + 0.0001],
                        [0, 0, -c, -c],
                    ],
                },
                { node: 0, path: 'rotation', times: [0, 2], values: Array(2).fill([0, 0, c, c]) },
            ],
            { three: false },
        );
        // The matrix of a quaternion that is not unit is no rotation: x goes to (1 - 2 c c, 2 c c).
        const k = Math.fround(c);
        expectNear(judged.at(0, 0, 0, [1, 0, 0]), [1 - 2 * k * k, 2 * k * k, 0]);
        expect(Math.abs(1 - 2 * k * k)).toBeGreaterThan(2e-4);
    });
});

describe('CUBICSPLINE', () => {
    test('tangents count times the key interval', async () => {
        const judged = await judge('cubic', [
            {
                node: 0,
                path: 'translation',
                interpolation: 'CUBICSPLINE',
                times: [0, 2],
                values: [
                    [9, 9, 9],
                    [0, 0, 0],
                    [1, 0, 0],
                    [0, -1, 0],
                    [0, 0, 1],
                    [9, 9, 9],
                ],
            },
        ]);
        expectNear(judged.at(0, 1, 0), [2 / 8, 2 / 8, 0.5]);
        expect(judged.at(0, 2, 0)).toEqual([0, 0, 1]);
    });

    test('rotations are normalised afterwards and change no hemisphere', async () => {
        const zero = [0, 0, 0, 0];
        const judged = await judge('cubic-rotation', [
            {
                node: 1,
                path: 'rotation',
                interpolation: 'CUBICSPLINE',
                times: [0, 1],
                values: [zero, [0, 0, 0, 1], zero, zero, [0, 0, -HALF, -HALF], zero],
            },
        ]);
        const z = -HALF * (5 / 32);
        const w = 27 / 32 - HALF * (5 / 32);
        const squared = z * z + w * w;
        expectNear(judged.at(0, 0.25, 1, [1, 0, 0]), [(w * w - z * z) / squared, 1 + (2 * z * w) / squared, 0]);
    });

    test('a single key that is not of unit length is normalised as well', async () => {
        const zero = [0, 0, 0, 0];
        const values = [zero, [0, 3, 0, 0], zero];
        const channel: ChannelSpec = { node: 1, path: 'rotation', interpolation: 'CUBICSPLINE', times: [0.5], values };
        const judged = await judge('cubic-one', [channel], { three: false });
        expect(judged.at(0, 0, 1, [1, 0, 0])).toEqual([-1, 1, 0]);
    });

    test('random splines of translation, rotation and scale, late first keys among them', async () => {
        const next = random(2);
        const times = Array.from({ length: 40 }, (_, i) => Math.fround(0.3 + i / 3 + next() / 4));
        const triples = (value: () => number[], tangent: () => number[]) =>
            times.flatMap(() => [tangent(), value(), tangent()]);
        const small = () => randomVector(next, 1);
        const rotations = triples(
            () => randomRotation(next),
            () => [...small(), next()],
        );
        await judge('cubic-random', [
            { node: 0, path: 'rotation', interpolation: 'CUBICSPLINE', times, values: rotations },
            { node: 1, path: 'translation', interpolation: 'CUBICSPLINE', times, values: triples(small, small) },
            { node: 1, path: 'scale', interpolation: 'CUBICSPLINE', times, values: triples(small, small) },
        ]);
    });
});

describe('accessors are decoded before interpolation', () => {
    const times = [0, 0.5, 1, 1.5];

    test.each(['byte', 'ubyte', 'short', 'ushort'] as const)('normalised %s', async (component) => {
        const turns = [
            [0, 0, 0, 1],
            [0, 0, 1, 0],
            [0, 1, 0, 0],
            [1, 0, 0, 0],
        ];
        const channels: ChannelSpec[] = [{ node: 1, path: 'rotation', times, values: turns, storage: { component } }];
        const judged = await judge(`normalised-${component}`, channels);
        expect(judged.at(0, 0.5, 1, [1, 0, 0])).toEqual([-1, 1, 0]);
        expectNear(judged.at(0, 0.25, 1, [1, 0, 0]), [0, 2, 0]);
    });

    test.each([{ sparse: 'zeros' }, { sparse: 'over' }, { stride: 20 }] as const)('%p', async (storage) => {
        const values = [
            [0, 0, 0],
            [0, 2, 0],
            [0, 0, 0],
            [4, 0, 0],
        ];
        const name = `stored-${Object.values(storage)[0]}`;
        const judged = await judge(name, [{ node: 0, path: 'translation', times, values, storage }]);
        expectNear(judged.at(0, 0.25, 0), [0, 1, 0]);
        expect(judged.at(0, 1, 0)).toEqual([0, 0, 0]);
        expect(judged.at(0, 1.5, 0)).toEqual([4, 0, 0]);
    });
});

const affine = (...columns: number[][]) => columns.flatMap((column, i) => [...column, i === 3 ? 1 : 0]);

describe('hierarchy', () => {
    test('joints in any order, nodes between and above that are no joints, animated ones too', async () => {
        const gltf = new GltfBuilder([
            { translation: [0, 0, 1] },
            { children: [3], scale: [2, 2, 2] },
            { children: [0], rotation: [0, 0, HALF, HALF] },
            { children: [2], translation: [1, 0, 0] },
        ]);
        gltf.skinnedMesh(gltf.skin([0, 3]));
        gltf.animation('all', [
            moved(3, [1, 0, 0], [3, 0, 0]),
            {
                node: 2,
                path: 'rotation',
                times: [0, 1],
                values: [
                    [0, 0, 0, 1],
                    [0, 0, HALF, HALF],
                ],
            },
            {
                node: 1,
                path: 'scale',
                times: [0, 1],
                values: [
                    [1, 1, 1],
                    [2, 1, 1],
                ],
            },
        ]);
        const judged = await judgeRig(gltf.write(folder(), 'order'));
        expect(judged.rig.slots.map(({ node }) => node)).toEqual([1, 3, 2, 0]);
        expect(judged.rig.slots.map(({ parent }) => parent)).toEqual([-1, 0, 1, 2]);
        expectNear(judged.at(0, 1, 0, [1, 0, 0]), [6, 1, 1]);
        expect([...judged.rig.skins[0]!.parents]).toEqual([1, -1]);
    });

    test('sockets below joints and moved nodes elsewhere are slots; still ones elsewhere are not', async () => {
        const gltf = new GltfBuilder([
            { name: 'joint', children: [1] },
            { name: 'hand', children: [2], translation: [0, 0, 3] },
            { name: 'sword', translation: [0, 2, 0] },
            { name: 'scenery' },
            { name: 'mover' },
        ]);
        gltf.skin([0, 1]);
        gltf.animation('clip', [moved(4, [0, 0, 0], [1, 0, 0]), moved(0, [0, 0, 0], [0, 0, 5])]);
        const { rig } = await judgeRig(gltf.write(folder(), 'sockets'));
        expect(rig.slots.map(({ name }) => name)).toEqual(['joint', 'mover', 'hand', 'sword']);
        expect(rig.slotOf(3)).toBe(-1);
        expect(rig.slotOf(2)).toBe(3);
        const poses = rig.createPoses(1);
        rig.evaluate(poses, 0, Float32Array.of(1));
        rig.toGlobal(poses);
        const out = new Float32Array(24);
        rig.joints(poses, Uint16Array.of(3, 1), out);
        expect([...out]).toEqual([1, 0, 0, 0, 0, 1, 0, 2, 0, 0, 1, 8, 1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0]);
    });

    test("the skinned mesh's own node and skin.skeleton have no effect; no inverse bind is the identity", async () => {
        const gltf = new GltfBuilder([{ children: [1] }, { translation: [0, 1, 0] }, { children: [] }]);
        const skin = gltf.skin([0, 1], { skeleton: 1 });
        const mesh = gltf.skinnedMesh(skin, { translation: [5, 6, 7], scale: [3, 3, 3] });
        gltf.nodes[2]!.children!.push(mesh);
        gltf.animation('decoy', [
            moved(mesh, [5, 6, 7], [8, 8, 8]),
            moved(2, [0, 0, 0], [9, 0, 0]),
            moved(1, [0, 1, 0], [0, 3, 0]),
        ]);
        const judged = await judgeRig(gltf.write(folder(), 'mesh-node'));
        expect(judged.at(0, 1, 1, [1, 0, 0])).toEqual([1, 3, 0]);
        expect(judged.rig.meshes).toMatchObject([{ name: '', node: mesh, skin, firstWeight: 0, weightCount: 0 }]);
    });

    test('several skins with shared joints: nodes once, a palette each', async () => {
        const gltf = new GltfBuilder([
            { children: [1, 2], translation: [0, 1, 0] },
            { translation: [1, 0, 0] },
            { translation: [-1, 0, 0] },
        ]);
        const up = affine([1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 5]);
        const sheared = affine([1, 0.5, 0], [0, -2, 0], [0, 0.25, 1], [0, 0, -3]);
        gltf.skinnedMesh(gltf.skin([0, 1]));
        gltf.skinnedMesh(gltf.skin([2, 1, 0], { inverseBindMatrices: [up, sheared, up] }));
        gltf.animation('shared', [moved(0, [0, 1, 0], [0, 2, 0]), moved(1, [1, 0, 0], [3, 0, 0])]);
        const judged = await judgeRig(gltf.write(folder(), 'two-skins'));
        expect(judged.rig.slots.length).toBe(3);
        expect(judged.at(0, 1, 1, [1, 0, 0], 0)).toEqual([4, 2, 0]);
        expect(judged.at(0, 1, 0, [1, 0, 0], 1)).toEqual([0, 2, 5]);
        expect(judged.at(0, 1, 1, [1, 1, 0], 1)).toEqual([3 + 1, 2 + 0.5 - 2, -3]);
    });

    test('non-uniform and negative scale, still and animated, are kept', async () => {
        const gltf = new GltfBuilder([
            { children: [1], scale: [1, 3, -1] },
            { children: [2], translation: [0, 1, 0], rotation: [0, 0, Math.sin(Math.PI / 8), Math.cos(Math.PI / 8)] },
            { translation: [0, 1, 0] },
        ]);
        gltf.skinnedMesh(gltf.skin([0, 1, 2]));
        gltf.animation('mirror', [
            {
                node: 1,
                path: 'scale',
                times: [0, 1],
                values: [
                    [1, 1, 1],
                    [-2, 1, 0.5],
                ],
            },
            {
                node: 2,
                path: 'rotation',
                times: [0, 1],
                values: [
                    [0, 0, 0, 1],
                    [HALF, 0, 0, HALF],
                ],
            },
        ]);
        const judged = await judgeRig(gltf.write(folder(), 'scale'));
        expectNear(judged.at(0, 0, 1, [1, 0, 1]), [HALF, 3 + 3 * HALF, -1]);
        expectNear(judged.at(0, 1, 1, [1, 0, 1]), [-2 * HALF, 3 - 6 * HALF, -0.5]);
    });

    test('matrix nodes as they are: shear above, in a joint, and a scale of 0', async () => {
        const gltf = new GltfBuilder([
            { children: [1], matrix: affine([1, 0, 0], [0.5, 1, 0], [0, 0.25, 1], [0, 0, 1]) },
            { children: [2, 3], translation: [0, 2, 0] },
            { matrix: affine([0, 1, 0], [0, 0, -2], [1, 1, 0], [1, 0, 0]) },
            { matrix: affine([1, 0, 0], [0, 0, 0], [0, 0, 1], [0, 1, 0]) },
        ]);
        gltf.skinnedMesh(gltf.skin([1, 2, 3]));
        gltf.animation('rise', [moved(1, [0, 2, 0], [0, 4, 0])]);
        const judged = await judgeRig(gltf.write(folder(), 'matrix-nodes'), { three: false });
        expect(judged.at(0, 1, 0)).toEqual([2, 4, 1]);
        expect(judged.at(0, 1, 1, [1, 1, 1])).toEqual([2 + 1 + 1 + 1, 4 - 0.5 + 1 + 1, 1 - 2]);
        expect(judged.rig.slots.map(({ hasMatrix }) => hasMatrix)).toEqual([true, false, true, true]);
        expect([...judged.rig.rest.matrices.subarray(0, 12)]).toEqual([1, 0.5, 0, 0, 0, 1, 0.25, 0, 0, 0, 1, 1]);
    });
});

describe('clips', () => {
    test('joints that a clip does not animate are at rest there; nothing leaks, in one block either', async () => {
        const gltf = new GltfBuilder([
            { children: [1, 2], translation: [0, 1, 0] },
            { translation: [1, 0, 0], rotation: [0, 0, 1, 0] },
            { translation: [2, 0, 0], scale: [2, 2, 2] },
        ]);
        gltf.skinnedMesh(gltf.skin([0, 1, 2]));
        const turn: ChannelSpec = {
            node: 1,
            path: 'rotation',
            times: [0, 1],
            values: [
                [0, 0, 0, 1],
                [1, 0, 0, 0],
            ],
        };
        const grow: ChannelSpec = {
            node: 2,
            path: 'scale',
            times: [0, 1],
            values: [
                [3, 3, 3],
                [5, 5, 5],
            ],
        };
        gltf.animation('all', [turn, grow, moved(1, [7, 7, 7], [8, 8, 8]), moved(0, [9, 9, 9], [6, 6, 6])])
            .animation('one', [moved(1, [1, 0, 0], [3, 0, 0])])
            .animation('grow', [grow]);
        const judged = await judgeRig(gltf.write(folder(), 'rest-pose'));
        expect(judged.at(0, 1, 2, [1, 0, 0])).toEqual([6 + 2 + 5, 6, 6]);
        expect(judged.at(1, 1, 1, [1, 0, 0])).toEqual([2, 1, 0]);
        expect(judged.at(1, 1, 2, [1, 0, 0])).toEqual([4, 1, 0]);
        expect(judged.at(2, 1, 1, [1, 0, 0])).toEqual([0, 1, 0]);
    });

    test('duplicate, empty and missing names: everything is addressed by its index', async () => {
        const names = ['walk', 'walk', '', undefined];
        const gltf = new GltfBuilder([
            { name: 'bone', children: [1] },
            { name: 'bone', translation: [0, 1, 0] },
        ]);
        gltf.skinnedMesh(gltf.skin([0, 1]));
        for (const [i, name] of names.entries()) gltf.animation(name, [moved(1, [0, 1, 0], [0, i + 2, 0])]);
        const judged = await judgeRig(gltf.write(folder(), 'names'));
        expect(judged.rig.clips.map(({ name }) => name)).toEqual(['walk', 'walk', '', '']);
        expect(judged.rig.slots.map(({ name }) => name)).toEqual(['bone', 'bone']);
        expect(names.map((_, clip) => judged.at(clip, 1, 1)[1])).toEqual([2, 3, 4, 5]);
    });

    test('a large random skeleton, everything at once', async () => {
        const next = random(4);
        const count = 60;
        const parents = Array.from({ length: count }, (_, node) => (node === 0 ? -1 : Math.floor(next() * node)));
        const nodes = parents.map((_, node): NodeSpec => {
            const children = parents.flatMap((parent, child) => (parent === node ? [child] : []));
            return {
                ...(children.length > 0 ? { children } : {}),
                translation: randomVector(next, 0.5),
                rotation: randomRotation(next),
                scale: randomVector(next, 0.1).map((x) => (next() < 0.1 ? -1 : 1) * (1 + x)),
            };
        });
        const gltf = new GltfBuilder(nodes);
        const joints = nodes.map((_, node) => node).filter((node) => node % 5 !== 2);
        const column = () => randomVector(next, 1);
        const inverseBindMatrices = joints.map(() => affine(column(), column(), column(), column()));
        gltf.skinnedMesh(gltf.skin(joints.reverse(), { inverseBindMatrices }));
        const modes = ['LINEAR', 'STEP', 'CUBICSPLINE'] as const;
        for (let clip = 0; clip < 3; clip++) {
            const channels: ChannelSpec[] = [];
            for (let node = 0; node < count; node++) {
                if (next() < 0.3) continue;
                const interpolation = modes[Math.floor(next() * 3)]!;
                const start = next();
                const times = Array.from({ length: 12 }, (_, k) => Math.fround(start + k / 9));
                const each = (value: () => number[], width: number) =>
                    times.flatMap(() => {
                        const tangent = () => [...randomVector(next, 1), 0].slice(0, width);
                        return interpolation === 'CUBICSPLINE' ? [tangent(), value(), tangent()] : [value()];
                    });
                const rotations = each(() => randomRotation(next), 4);
                channels.push({ node, path: 'rotation', interpolation, times, values: rotations });
                const translations = each(() => randomVector(next, 0.5), 3);
                channels.push({ node, path: 'translation', interpolation, times, values: translations });
            }
            gltf.animation(`random ${clip}`, channels);
        }
        await judgeRig(gltf.write(folder(), 'random-skeleton'));
    });
});

/** Changes the JSON of a small file. */
function edited(name: string, edit: (json: Record<string, never>) => void): string {
    const gltf = new GltfBuilder([{ children: [1] }, { translation: [0, 1, 0] }]);
    gltf.skinnedMesh(gltf.skin([0, 1]));
    gltf.animation('clip', [moved(1, [0, 1, 0], [0, 3, 0])]);
    const path = gltf.write(folder(), name);
    const json = JSON.parse(readFileSync(path, 'utf8'));
    edit(json);
    writeFileSync(path, JSON.stringify(json));
    return path;
}

test('KHR_animation_pointer to a node is a channel like others', async () => {
    const path = edited('pointer', (json) => {
        const [animation] = json.animations as [{ channels: Record<string, unknown>[] }];
        json.extensionsUsed = ['KHR_animation_pointer'] as never;
        animation.channels[0]!.target = {
            path: 'pointer',
            extensions: { KHR_animation_pointer: { pointer: '/nodes/0/scale' } },
        };
    });
    const rig = await Rig.load(path);
    const poses = rig.createPoses(1);
    rig.evaluate(poses, 0, Float32Array.of(0.5));
    const trs = new Float32Array(10);
    expect([...rig.getLocal(poses, 0, rig.slotOf(0), trs).subarray(7)]).toEqual([0, 2, 0]);
    expect([...rig.getLocal(poses, 0, rig.slotOf(1), trs).subarray(0, 3)]).toEqual([0, 1, 0]);
});

test.each([
    ['a cycle', (json: never) => ((json as { nodes: NodeSpec[] }).nodes[1]!.children = [0]), '/nodes/1/children/0'],
    [
        'joints out of range',
        (json: never) => ((json as { skins: { joints: number[] }[] }).skins[0]!.joints[1] = 17),
        '/skins/0/joints/1',
    ],
    [
        'counts past the buffer',
        (json: never) => ((json as { accessors: { count: number }[] }).accessors[3]!.count = 1e6),
        '/accessors/3/count',
    ],
])('malformed input: %s is an error that names the file, the pointer and the rule', async (what, edit, pointer) => {
    const path = edited(`bad ${what}`, edit as never);
    const error = await Rig.load(path).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(InputError);
    expect(error).toMatchObject({ code: 'GLTF_INVALID', file: join(folder(), `bad ${what}.gltf`), pointer });
});
