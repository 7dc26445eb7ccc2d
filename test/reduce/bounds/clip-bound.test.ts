// SPDX-License-Identifier: MIT

/** Proved bounds of reduced keys hold at all times, for any rig and keys, and are not much larger than the error. */

import { inputOfBytes } from '../../../lib/gltf/input';
import { readGltf } from '../../../lib/gltf/read';
import type { SceneChannel } from '../../../lib/gltf/scene';
import { nativeBoundClip } from '../../../lib/reduce/bounds/choose-clip-bound';
import { boundClipTwin } from '../../../lib/reduce/bounds/clip-bound';
import type { ComparedTrack } from '../../../lib/reduce/bounds/derivative-bounds';
import { type Model, modelOf } from '../../../lib/reduce/model/model';
import type { SampledChannel } from '../../../lib/reduce/model/sampler';
import { PLACES, places } from '../../../lib/reduce/model/skeleton';
import { reduceRecipeOf } from '../../../lib/reduce/options';
import { compiledRigs } from '../../../lib/rig/compiled';
import { DoubleEvaluator } from '../../../lib/verify/evaluator';
import { itNative, WASM } from '../../support/implementations';
import { random, randomRotation, randomVector } from '../../support/random';
import { rounds } from '../../support/rounds';
import { denseTimes, displacementOf, evaluatorOf } from '../judge';
import { type Mesh, type Rig, RigBuilder, randomRig, type Wildness } from '../rigs';

type Path = keyof typeof PLACES;
const widthOf = (path: Path) => (path === 'rotation' ? 4 : 3);

/** A rig for the proof, and for the judge. */
interface Opened {
    readonly rig: Rig;
    readonly model: Model;
    readonly scene: Awaited<ReturnType<typeof readGltf>>;
    readonly file: DoubleEvaluator['file'];
}

interface Case extends Opened {
    readonly tracks: readonly ComparedTrack[];
    readonly evaluators: readonly [DoubleEvaluator, DoubleEvaluator];
}

async function opened(rig: Rig): Promise<Opened> {
    const bytes = rig.builder.toGlb();
    const scene = await readGltf('rig.glb', { surfaces: true, rigid: true }, inputOfBytes('rig.glb', bytes));
    const model = modelOf(scene, reduceRecipeOf('prove', { maxError: '1%' }));
    return { rig, model, scene, file: (await evaluatorOf(bytes)).file };
}

/** A rig with two lists of keys for the same channels. */
function caseOf(rig: Opened, tracks: readonly ComparedTrack[]): Case {
    const evaluators = (['source', 'reduced'] as const).map((which) => {
        const numbers = new Map(rig.file.numbers);
        const samplers = tracks.map(({ [which]: { times, values, interpolation } }, i) => {
            const [input, output] = [1000 + 2 * i, 1001 + 2 * i];
            numbers.set(input, Float64Array.from(times)).set(output, Float64Array.from(values));
            return { input, output, interpolation };
        });
        const channels = tracks.map(({ node, place }, sampler) => {
            const path = (Object.keys(PLACES) as Path[]).find((one) => PLACES[one] === place)!;
            return { sampler, target: { node: rig.model.nodes[node]!, path } };
        });
        const json = { ...rig.file.json, animations: [{ name: '', channels, samplers }] };
        return new DoubleEvaluator({ ...rig.file, json, numbers });
    });
    return { ...rig, tracks, evaluators: evaluators as [DoubleEvaluator, DoubleEvaluator] };
}

/** Compares clip 0 of a rig with the keys that `reduce` makes for the same channels. */
async function reducedCase(rig: Rig, reduce: (channel: SceneChannel, width: number) => SampledChannel): Promise<Case> {
    const one = await opened(rig);
    const tracks = one.scene.animations[0]!.channels.flatMap((channel): ComparedTrack[] => {
        if (!places(channel)) return [];
        const { node, path } = channel;
        const width = widthOf(path as Path);
        const reduced = reduce(channel, width);
        return [{ node: one.model.indexOf[node]!, place: PLACES[path as Path], width, source: channel, reduced }];
    });
    return caseOf(one, tracks);
}

/** All key times of a case. */
function timesOf({ tracks }: Case): Float64Array {
    const all = tracks.flatMap(({ source, reduced }) => [...Array.from(source.times), ...Array.from(reduced.times)]);
    return Float64Array.from(new Set(all)).sort();
}

/** Some of the keys, with noise, as LINEAR; sometimes STEP and splines unchanged. */
function fewer(next: () => number, noise: number) {
    return ({ times, values, interpolation }: SceneChannel, width: number): SampledChannel => {
        if (interpolation !== 'LINEAR' && next() < 0.5)
            return { times, values: values.map((x) => x + noise * (next() - 0.5)), interpolation };
        const cubic = interpolation === 'CUBICSPLINE';
        const kept = Array.from(times, (_, k) => k).filter((k) => k === 0 || next() < 0.6);
        const part = (k: number) => (cubic ? 3 * k + 1 : k) * width;
        const own = kept.flatMap((k) =>
            Array.from(values.slice(part(k), part(k) + width), (x) => x + noise * (next() - 0.5)),
        );
        return { times: kept.map((k) => times[k]!), values: own, interpolation: 'LINEAR' };
    };
}

/** The displacement of the rig's vertices, by the evaluator. */
function measured({ rig, evaluators }: Case, samples: number): number {
    return displacementOf(rig, evaluators, 0, denseTimes(evaluators, 0, samples)).carried;
}

/** The displacement of the points of the proof. */
function measuredPoints({ model, evaluators }: Case, samples: number): number {
    const meshes = Array.from(model.nodes, (node, index): Mesh => {
        const positions = model.points.slice(model.starts[index]! * 3, model.starts[index + 1]! * 3);
        return { node, skin: -1, positions, joints: new Uint8Array(), weights: new Float32Array(), targets: [] };
    });
    return displacementOf({ meshes }, evaluators, 0, denseTimes(evaluators, 0, samples)).vertices;
}

/** Without splitting: only from the ends and the derivatives. A limit just above the error forces splits. */
const COARSE = 1e30;
const CLOSE = 1.02;

function finished<T>(steps: Iterator<void, T>): T {
    for (;;) {
        const { done, value } = steps.next();
        if (done) return value;
    }
}

/** The bound, which all implementations must give. */
function boundOf(one: Case, limit: number, times: ArrayLike<number> = timesOf(one)) {
    const limits = new Float64Array(one.model.nodes.length * Math.max(1, times.length - 1)).fill(limit);
    const bound = (of: typeof boundClipTwin) => finished(of(one.model, one.tracks, Float64Array.from(times), limits));
    const expected = bound(boundClipTwin);
    for (const [name, native] of nativeBoundClip) expect([name, bound(native)]).toEqual([name, expected]);
    return expected;
}

async function randomCase(seed: number, wildness: Wildness, noise: number): Promise<Case> {
    const next = random(seed);
    const rig = randomRig(next, wildness);
    // Proofs do not include morph weights.
    const meshes = rig.meshes.map((mesh) => ({ ...mesh, targets: [] }));
    return reducedCase({ ...rig, meshes }, fewer(next, noise));
}

const WILD: readonly (readonly [string, Wildness, number])[] = [
    ['unit quaternions', { nodes: 5, keys: 8 }, 0.01],
    ['quaternions off unit length', { nodes: 5, keys: 8, offUnit: 0.02 }, 0.05],
    ['deeper hierarchies', { nodes: 14, keys: 5 }, 0.003],
];

describe.each(WILD)('random rigs, %s', (_, wildness, noise) => {
    test.each(Array.from({ length: rounds(3) }, (_, i) => 2206 + i))(
        'seed %d: no displacement between keys is larger than proved',
        async (seed) => {
            const one = await randomCase(seed, wildness, noise);
            const most = measured(one, 64);
            expect(most).toBeLessThanOrEqual(boundOf(one, COARSE).error * (1 + 1e-9) + 1e-9);
            // With or without splits. With splits the bound is close to the displacement of its points plus the slack.
            const points = measuredPoints(one, 64);
            const fine = boundOf(one, CLOSE * points + 1e-9).error;
            expect(most).toBeLessThanOrEqual(fine * (1 + 1e-9) + 1e-9);
            expect(fine).toBeLessThanOrEqual(1.1 * points + 1e-6);
        },
    );
});

/** Three nodes in a chain, with a mesh on the last. Their clip follows. */
function chain(): Promise<Opened> {
    const rig = new RigBuilder();
    for (const parent of [-1, 0, 1]) rig.node(parent);
    rig.mesh(2, [1, 0, 0, 0, 1, 0, -0.5, 0, 2]);
    rig.clip([0, 1, 2].map((node) => ({ node, path: 'scale' as const, times: [0], values: [1, 1, 1] })));
    return opened(rig.done());
}

type Way = SampledChannel['interpolation'];

/** Keys at 0 and 1 s. */
function pair(next: () => number, path: Path, way: Way, offUnit: number): SampledChannel {
    const value = () => {
        if (path !== 'rotation') return randomVector(next, 1).map((x) => (path === 'scale' ? 1 + x : x));
        const length = 1 + offUnit * (2 * next() - 1);
        return (next() < 0.1 ? [1, 0, 0, 0] : randomRotation(next)).map((x) => x * length);
    };
    const values = way === 'CUBICSPLINE' ? Array.from({ length: 6 }, value).flat() : [...value(), ...value()];
    return { times: [0, 1], values, interpolation: way };
}

/** The same keys, or others on a similar path, with small or large errors. */
function changed({ times, values, interpolation }: SampledChannel, next: () => number): SampledChannel {
    const noise = [0, 1e-5, 1e-2, 1][Math.floor(next() * 4)]!;
    return { times, values: Array.from(values, (x) => x + noise * (next() - 0.5)), interpolation };
}

/** The max displacement of the mesh at `count` times of a range. */
function displacementBetween({ rig, evaluators }: Case, from: number, to: number, count: number): number {
    const times = Float64Array.from({ length: count + 1 }, (_, i) => from + ((to - from) * i) / count);
    return displacementOf(rig, evaluators, 0, times).vertices;
}

const ALL = ['rotation', 'scale', 'translation'] as const;

const SETS: readonly (readonly [string, readonly Path[], Way, number])[] = [
    ['rotations', ['rotation'], 'LINEAR', 0],
    ['rotations off unit length', ['rotation'], 'LINEAR', 0.1],
    ['rotations on splines', ['rotation'], 'CUBICSPLINE', 0],
    ['rotations with jumps', ['rotation'], 'STEP', 0],
    ['scales', ['scale'], 'LINEAR', 0],
    ['scales on splines', ['scale'], 'CUBICSPLINE', 0],
    ['translations', ['translation'], 'LINEAR', 0],
    ['translations on splines', ['translation'], 'CUBICSPLINE', 0],
    ['all paths', ALL, 'LINEAR', 0.05],
    ['all paths on splines', ALL, 'CUBICSPLINE', 0],
];

/** Keys for some nodes and paths. */
function randomTracks(rig: Opened, next: () => number, paths: readonly Path[], way: Way, offUnit: number): Case {
    const tracks: ComparedTrack[] = [];
    for (const node of [0, 1, 2]) {
        for (const path of paths) {
            if (next() < 0.3) continue;
            const source = pair(next, path, way, offUnit);
            // Also straight keys next to a spline.
            const reduced =
                way === 'CUBICSPLINE' && next() < 0.4 ? pair(next, path, 'LINEAR', offUnit) : changed(source, next);
            tracks.push({ node, place: PLACES[path], width: widthOf(path), source, reduced });
        }
    }
    return caseOf(rig, tracks);
}

describe.each(SETS)('%s', (_, paths, way, offUnit) => {
    const whips = paths.includes('rotation') && way === 'CUBICSPLINE';

    test('the bound from ends and derivatives holds, on short and long intervals', async () => {
        const rig = await chain();
        const next = random(2207);
        let tightest = Infinity;
        for (let i = 0; i < rounds(60); i++) {
            const one = randomTracks(rig, next, paths, way, offUnit);
            const length = [0.95, 0.5, 0.125, 0.02][i % 4]!;
            const from = (1 - length) * next();
            const to = from + length;
            const { error } = boundOf(one, COARSE, [from, to]);
            const most = displacementBetween(one, from, to, 24);
            expect(most).toBeLessThanOrEqual(error * (1 + 1e-9) + 1e-7);
            if (most > 1e-3) tightest = Math.min(tightest, error / most);
        }
        // On short intervals it is at most a few percent larger.
        expect(tightest).toBeLessThan(1.02);
    });

    test('with the max number of splits it is close to the displacement', async () => {
        const rig = await chain();
        const next = random(2208);
        for (let i = 0; i < 8; i++) {
            const one = randomTracks(rig, next, paths, way, offUnit);
            const most = displacementBetween(one, 0, 1, 128);
            const { error, seen } = boundOf(one, CLOSE * most + 1e-9, [0, 1]);
            expect(error).toBeGreaterThanOrEqual(most * (1 - 1e-9) - 1e-7);
            expect(seen).toBeGreaterThanOrEqual(most * 0.99 - 1e-7);
            // A spline between random rotations passes near zero, where its direction turns quickly.
            if (most > 1e-2) expect(error / most).toBeLessThan(whips ? 1.1 : 1.03);
        }
    });
});

itNative('every instruction set is compared with the twin, on clips that take several calls too', async () => {
    const available = compiledRigs.filter(({ implementation }) => implementation !== null).map(({ name }) => name);
    expect([...nativeBoundClip.keys()]).toEqual(available.filter((name) => name !== WASM));
    const rig = await chain();
    const next = random(2209);
    const keys = 6000;
    const times = Float64Array.from({ length: keys }, (_, k) => (k - (k % 1000 === 1 ? 1 : 0)) / 30);
    const tracks = ALL.map((path, node): ComparedTrack => {
        const width = widthOf(path);
        const interpolation = node === 0 ? 'STEP' : 'LINEAR';
        const value = () => (path === 'rotation' ? randomRotation(next) : randomVector(next, 0.01).map((x) => 1 + x));
        const source = { times, values: Array.from({ length: keys }, value).flat(), interpolation } as const;
        return { node, place: PLACES[path], width, source, reduced: changed(source, next) };
    });
    const { error, seen } = boundOf(caseOf(rig, tracks), 1e-3, [...new Set(times)]);
    expect(error).toBeGreaterThanOrEqual(seen);
});

itNative('the addon refuses lists that are too short and indices out of bounds, and writes nothing', () => {
    const { rigs } = require('../../../lib/addon/load').addon as {
        rigs: { boundIntervals?(...args: unknown[]): unknown }[];
    };
    const natives = rigs.flatMap(({ boundIntervals }) => boundIntervals ?? []);
    const list = (length: number) => new Float64Array(length).fill(0.5);
    const found = list(5);
    // A child with a rotation of two keys, and of one spline key.
    const curves = [13, 0, 2, 0, 2, 1, 10];
    const args = [found, Int32Array.of(-1, 0), list(24).fill(NaN), list(20), Int32Array.of(0, 0, 2), list(6), list(2)];
    args.push(
        list(2),
        Int32Array.from(curves),
        list(23).map((_, i) => i),
        Float64Array.of(0, 1),
        list(2),
    );
    const all = [...args, 0, 2];
    const other = (at: number, value: number) => curves.with(at, value);
    const bad: [number, unknown][] = [
        ...[0, 2, 3, 5, 6, 7, 9, 11].flatMap((at): [number, unknown][] => {
            const good = all[at] as Float64Array;
            return [good.subarray(1), new Float32Array(good), [...good], null].map((x) => [at, x]);
        }),
        ...[
            [-2, 0],
            [0, 0],
            [-1, 1],
            [-1, 2 ** 31 - 1],
        ].map((x): [number, unknown] => [1, Int32Array.from(x)]),
        ...[
            [0, 2],
            [0, 0, 3],
            [0, 1, 0],
            [1, 1, 2],
            [-1, 0, 2],
        ].map((x): [number, unknown] => [4, Int32Array.from(x)]),
        ...[other(0, 20), other(0, -1), other(0, 11), other(1, 3), other(1, -1), other(2, 0), other(2, 5), other(3, -1)]
            .concat([other(3, 24), other(4, 3), other(5, 2), other(6, 11)])
            .map((x): [number, unknown] => [8, Int32Array.from(x)]),
        ...[-1, 0.5, 3, NaN, '0', undefined].flatMap((x): [number, unknown][] => [
            [12, x],
            [13, x],
        ]),
    ];
    for (const native of natives) {
        for (const [at, value] of bad)
            expect([at, value, native(...all.with(at, value as never))]).toEqual([at, value, false]);
        expect(native()).toBe(false);
        expect(found.every((x) => x === 0.5)).toBe(true);
        expect(native(...all)).toBeUndefined();
        expect(found.every((x) => x === 0.5)).toBe(false);
        found.fill(0.5);
    }
});

test('a rest rotation that is off unit length scales its children', async () => {
    const rig = new RigBuilder();
    rig.node(-1, { rotation: [0, 0, 0.8, 0.9] });
    rig.node(0);
    rig.mesh(1, [1, 0, 0, 0, 1, 0]);
    // On a parabola, the bound from ends and derivatives is exact.
    const values = [0, 0, 0, 0, 0, 0, 4, 0, 0, -4, 0, 0, 0, 0, 0, 0, 0, 0];
    rig.clip([{ node: 1, path: 'translation', interpolation: 'CUBICSPLINE', times: [0, 1], values }]);
    const still = { times: [0, 1], values: [0, 0, 0, 0, 0, 0], interpolation: 'LINEAR' } as const;
    const one = await reducedCase(rig.done(), () => still);
    expect(measured(one, 63)).toBeGreaterThan(1.4);
    expect(measured(one, 63)).toBeLessThanOrEqual(boundOf(one, COARSE).error);
});

test('a bound that no keys can keep is not kept', async () => {
    const one = await randomCase(2206, { nodes: 3, keys: 4 }, 0.01);
    expect(boundOf(one, 1e9).share).toBeLessThan(1);
    for (const limit of [0, -1, Number.NaN]) expect(boundOf(one, limit).share).toBe(Infinity);
});
