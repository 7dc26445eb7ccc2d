// SPDX-License-Identifier: MIT

/** Morph weights are measured by displacements: for the rate of `fps: 'auto'`, for `error.maxMorph` and for `loop`. */

import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type BakeOptions, bakeFile, writeBake } from '../../../lib/bake';
import { Rig } from '../../../lib/rig/rig';
import { verifyBake } from '../../../lib/verify';
import { type ChannelSpec, GltfBuilder, keyed } from '../../support/gltf-builder';
import { random as randomOf } from '../../support/random';
import { scratchFolder } from '../../support/temporary-folder';
import { numbersOf } from '../baked-scenes';

const folder = scratchFolder();
const SQUARE = [
    [1, 1, 0],
    [-1, 1, 0],
    [1, -1, 0],
    [-1, -1, 0],
];
const up = (height: number) => SQUARE.map(() => [0, height, 0]);
let files = 0;

type Keys = Pick<ChannelSpec, 'times' | 'values' | 'interpolation'>;

interface Face {
    /** Displacement of every vertex for each target. */
    readonly lifts?: readonly number[];
    readonly scale?: number;
    readonly normalized?: boolean;
}

/** A face of 2 m below a node with a scale; weights of 0 at rest. */
function face(keys: Keys, { lifts = [0.5], scale = 1, normalized = false }: Face = {}, more: ChannelSpec[] = []) {
    const nodes = [
        { name: 'head', children: [1], scale: [scale, scale, scale] },
        { name: 'face', mesh: 0 },
    ];
    const builder = new GltfBuilder(nodes);
    const storage = normalized ? ({ component: 'short', stride: 8 } as const) : {};
    const rest = lifts.map(() => 0);
    builder.rigidMesh(SQUARE, rest, lifts.map(up), storage);
    builder.animation('idle', [
        keyed(0, 'translation', [0, 2], [0, 0, 0], [0, 0, 0]), // prettier-ignore
        { node: 1, path: 'weights', ...keys },
        ...more,
    ]);
    return builder.write(folder(), `face-${files++}`);
}

/** The only output of a bake, which the verifier must accept. */
async function baked(input: string, options: BakeOptions) {
    const result = await bakeFile(input, options);
    const written = await writeBake(result, join(folder(), `bake-${files++}`));
    const manifest = written[0]!.json;
    const found = await verifyBake(input, manifest);
    expect([found.problems, found.ok]).toEqual([[], true]);
    return { output: result.outputs[0]!, clip: result.outputs[0]!.manifest.clips[0]!, result, manifest };
}

const blink = (at: number, peak = 1): Keys => ({
    times: [0, at - 0.05, at, at + 0.05, 2],
    values: [[0], [0], [peak], [0], [0]],
});

describe("fps: 'auto'", () => {
    // Between the eighths of a second, at them, and at frames of low rates.
    test.each([0.06, 0.31, 0.5, 0.6833, 1.19, 1.94])('no blink is lost, at any time: %d s', async (at) => {
        const { output, clip } = await baked(face(blink(at)), { fps: 'auto', maxError: '0.1%', emit: ['morph'] });
        const { fps, frameCount, error } = clip;
        const rows = numbersOf(output, 'morph');
        // Weights are straight between keys, so the max playback error is at a key.
        const played = (time: number) => {
            const row = Math.min(Math.floor(time * fps!), frameCount - 2);
            return rows[row]! + (rows[row + 1]! - rows[row]!) * (time * fps! - row);
        };
        const { times, values } = blink(at);
        const off = times.map((time, key) => Math.abs(played(time) - values[key]![0]!) * 0.5);
        const allowed = 1e-3 * output.manifest.extent;
        expect(Math.max(...off)).toBeLessThanOrEqual(allowed * 1.001);
        expect(error.maxMorph).toBeCloseTo(Math.max(...off), 4);
        expect(error.maxMorphShare).toBeCloseTo(error.maxMorph! / output.manifest.extent, 6);
    });

    test('weights matter if an output has them', async () => {
        const input = face(blink(0.31));
        const rate = async (emit: BakeOptions['emit']) =>
            (await bakeFile(input, { fps: 'auto', minFps: 0, emit })).outputs[0]!.manifest.clips[0]!.fps!;
        expect(await rate(['palette'])).toBe(1);
        const needed = await rate(['palette', 'morph']);
        expect(needed).toBeGreaterThan(10);
        expect(await rate(['palette', 'glb'])).toBe(needed);
    });

    const rateOf = async (input: string) => (await baked(input, { fps: 'auto', minFps: 0, emit: ['morph'] })).clip.fps!;

    test('displacement matters, not the weight: scale, reach, targets that cancel, negative weights', async () => {
        const small = { times: [0, 0.3, 2], values: [[0], [1], [0]] };
        expect(await rateOf(face(small, { lifts: [0] }))).toBe(1);
        expect(await rateOf(face(small, { lifts: [1e-4] }))).toBe(1);
        const one = await rateOf(face(small));
        expect(one).toBeGreaterThan(1);
        expect(await rateOf(face({ ...small, values: [[0], [-1], [0]] }))).toBe(one);
        const both = keyed(1, 'weights', [0, 0.3, 2], [0, 0], [1, 1], [0, 0]);
        expect(await rateOf(face(both, { lifts: [0.5, -0.5] }))).toBe(1);
        expect(await rateOf(face(both, { lifts: [0.25, 0.25] }))).toBe(one);
        // The node shrinks displacements and the face equally.
        expect(await rateOf(face(small, { scale: 0.01 }))).toBe(one);
        expect(await rateOf(face(small, { normalized: true }))).toBe(one);
    });

    test('STEP weights are late, not interpolated; splines bend between keys', async () => {
        const step = await baked(face({ ...blink(0.31), interpolation: 'STEP' }), { fps: 10, emit: ['morph'] });
        expect(step.clip.error.maxMorph).toBe(0);
        const bent = [[0], [0], [8], [-8], [0], [0]]; // in-tangent, value, out-tangent
        const cubic = { times: [0, 2], values: bent, interpolation: 'CUBICSPLINE' as const };
        expect((await baked(face(cubic), { fps: 2, emit: ['morph'] })).clip.error.maxMorph).toBeGreaterThan(0.1);
        expect(await rateOf(face(cubic))).toBeGreaterThan(2);
    });

    test('if no rate is enough, the message names the weights', async () => {
        const input = face({ times: [0, 0.3, 0.3011, 2], values: [[0], [0], [1], [0]] });
        const failed = await bakeFile(input, { fps: 'auto', emit: ['morph'], maxError: 1e-3 }).catch((error) => error);
        expect(failed).toMatchObject({ code: 'ERR_TOLERANCE' });
        expect(failed.message).toMatch(/the morph weights of node 1 'face' are off by [\d.]+ at 0\.3 s/);
    });
});

test('a rate that loses a blink gives a warning, for any output with weights', async () => {
    const input = face(blink(0.31));
    const told = async (emit: BakeOptions['emit'], fps = 5) =>
        (await bakeFile(input, { fps, emit })).warnings.filter(({ code }) => code === 'PLAYBACK_ERROR_LARGE');
    expect(await told(['morph'])).toMatchObject([{ message: expect.stringMatching(/morph weights/) }]);
    expect(await told(['palette', 'glb'])).toHaveLength(1);
    expect(await told(['palette'])).toEqual([]);
    expect(await told(['morph'], 100)).toEqual([]);
});

describe('loop', () => {
    const open = { times: [0, 2], values: [[0], [1]] };

    test.each(['palette', 'morph'] as const)(
        'weights that do not close are not a loop, in %s without other arrays',
        async (emit) => {
            expect((await baked(face(open), { emit: [emit] })).clip.loop).toBe(false);
        },
    );

    test('weights close, displace nothing, or change outside the baked range', async () => {
        const loopOf = async (input: string, options?: BakeOptions) => {
            const { loop } = (await baked(input, options ?? {})).clip;
            if (options === undefined) expect((await Rig.load(input)).clips[0]!.loop).toBe(loop);
            return loop;
        };
        expect(await loopOf(face(blink(0.31)))).toBe(true);
        expect(await loopOf(face(open, { lifts: [1e-5] }))).toBe(true);
        const both = keyed(1, 'weights', [0, 2], [0, 0], [1, 1]);
        expect(await loopOf(face(both, { lifts: [0.5, -0.5] }))).toBe(true);
        expect(await loopOf(face(both, { lifts: [0.5, -0.4] }))).toBe(false);
        const late = { times: [0, 1, 2], values: [[0.5], [0.5], [1]] };
        expect(await loopOf(face(late), { to: 1 })).toBe(true);
        expect(await loopOf(face(late), { to: 1.5 })).toBe(false);
    });
});

test('random weights of skinned and rigid meshes: the verifier finds the same figures, and rejects others', async () => {
    for (let seed = 1; seed <= 12; seed++) {
        const random = randomOf(seed);
        const list = (count: number, of: () => number) => Array.from({ length: count }, of);
        const near = () => random() * 2 - 1;
        const nodes = [
            { name: 'root', children: [1, 2, 3], scale: list(3, () => 0.5 + random()) },
            { name: 'limb', translation: list(3, near) },
            { name: 'left', mesh: 0, translation: list(3, near) },
            { name: 'right', mesh: 0, scale: list(3, near) },
        ];
        const builder = new GltfBuilder(nodes);
        builder.rigidMesh(SQUARE, [0, 0], [list(4, () => 0).map(() => list(3, near)), up(random())]);
        const body = builder.skinnedMesh(builder.skin([0, 1]), {}, [0.2, 0, 0.7]);
        const weightsOf = (node: number, targets: number): ChannelSpec => {
            const interpolation = (['LINEAR', 'STEP', 'CUBICSPLINE'] as const)[Math.floor(random() * 3)]!;
            const parts = interpolation === 'CUBICSPLINE' ? 3 : 1;
            const times = list(6, () => Math.floor(random() * 12) / 10).sort((a, b) => a - b);
            return {
                node,
                path: 'weights',
                interpolation,
                times,
                values: list(6 * parts, () => 0).map(() => list(targets, near)),
            };
        };
        const turn = list(3, () => 0).flatMap(() => [list(3, near)]);
        builder.animation('', [
            weightsOf(2, 2),
            weightsOf(3, 2),
            weightsOf(body, 3),
            { node: 1, path: 'scale', times: [0, 0.5, 1], values: turn },
        ]);
        const input = builder.write(folder(), `random-${seed}`);
        const { clip, manifest } = await baked(input, { fps: 3 + seed, emit: ['palette', 'morph'] });
        expect(clip.loop).toBe(false);
        const json = JSON.parse(readFileSync(manifest, 'utf8'));
        json.clips[0].loop = true;
        json.clips[0].error.maxMorph = json.clips[0].error.maxMorph * 1.01 + 0.01;
        writeFileSync(join(dirname(manifest), 'wrong.bake.json'), JSON.stringify(json));
        const { problems } = await verifyBake(input, join(dirname(manifest), 'wrong.bake.json'));
        expect(problems.map(({ pointer }) => pointer)).toEqual(['/clips/0/error/maxMorph', '/clips/0/loop']);
    }
});
