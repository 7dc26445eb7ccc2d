// SPDX-License-Identifier: MIT

/** What is proved of reduced keys holds at all times, whatever the rig and the keys; and it says no more than it must. */

import { join } from 'node:path';
import { inputOfBytes } from '../../../lib/gltf/input';
import { readGltf } from '../../../lib/gltf/read';
import type { SceneChannel } from '../../../lib/gltf/scene';
import { boundClip } from '../../../lib/reduce/bounds/clip-bound';
import type { ComparedTrack } from '../../../lib/reduce/bounds/derivative-bounds';
import { type Model, modelOf } from '../../../lib/reduce/model/model';
import type { SampledChannel } from '../../../lib/reduce/model/sampler';
import { PLACES, places } from '../../../lib/reduce/model/skeleton';
import { reduceRecipeOf } from '../../../lib/reduce/options';
import { DoubleEvaluator } from '../../../lib/verify/evaluator';
import { compose, multiply, transformed } from '../../../lib/verify/matrix';
import { sampleAt } from '../../../lib/verify/sampler';
import { random, randomRotation, randomVector } from '../../support/random';
import { rounds } from '../../support/rounds';
import { scratchFolder } from '../../support/temporary-folder';
import { denseTimes, displacementOf, evaluatorOf } from '../judge';
import { type Mesh, type Rig, RigBuilder, randomRig, type Wildness } from '../rigs';

const folder = scratchFolder();

interface Case {
    readonly rig: Rig;
    readonly model: Model;
    readonly tracks: readonly ComparedTrack[];
    /** All key times. */
    readonly times: Float64Array;
    readonly evaluators: readonly [DoubleEvaluator, DoubleEvaluator];
}

/** Compares clip 0 of a rig with other keys of the same channels, which `reduce` makes. */
async function caseOf(rig: Rig, reduce: (channel: SceneChannel, width: number) => SampledChannel): Promise<Case> {
    const bytes = rig.builder.toGlb();
    const scene = await readGltf('rig.glb', { surfaces: true, rigid: true }, inputOfBytes('rig.glb', bytes));
    const model = modelOf(scene, reduceRecipeOf('prove', { maxError: '1%' }));
    const source = await evaluatorOf(join(folder(), 'rig.glb'), bytes);
    const numbers = new Map(source.file.numbers);
    const json = structuredClone(source.file.json) as {
        animations: { samplers: { input: number; output: number; interpolation: string }[] }[];
    };
    const { samplers } = json.animations[0]!;
    const all = new Set<number>();
    const tracks = scene.animations[0]!.channels.flatMap((channel, i): ComparedTrack[] => {
        if (!places(channel)) return [];
        const width = channel.path === 'rotation' ? 4 : 3;
        const reduced = reduce(channel, width);
        for (const list of [channel.times, reduced.times]) for (let k = 0; k < list.length; k++) all.add(list[k]!);
        samplers[i] = { input: 1000 + 2 * i, output: 1001 + 2 * i, interpolation: reduced.interpolation };
        numbers.set(1000 + 2 * i, Float64Array.from(reduced.times));
        numbers.set(1001 + 2 * i, Float64Array.from(reduced.values));
        return [{ node: model.indexOf[channel.node]!, place: PLACES[channel.path], width, source: channel, reduced }];
    });
    const other = new DoubleEvaluator({ ...source.file, json: json as never, numbers });
    return { rig, model, tracks, times: Float64Array.from(all).sort(), evaluators: [source, other] };
}

/** Some of the keys, with noise, straight; STEP and splines now and then as they are. */
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

/** The same of the points that the proof looks at. */
function measuredPoints({ model, evaluators }: Case, samples: number): number {
    const meshes = Array.from(model.nodes, (node, index): Mesh => {
        const positions = model.points.slice(model.starts[index]! * 3, model.starts[index + 1]! * 3);
        return { node, skin: -1, positions, joints: new Uint8Array(), weights: new Float32Array(), targets: [] };
    });
    const still = evaluators.map((one) => Object.assign(Object.create(one), { weights: () => [] })) as [
        DoubleEvaluator,
        DoubleEvaluator,
    ];
    return displacementOf({ meshes }, still, 0, denseTimes(evaluators, 0, samples)).vertices;
}

/** Without splitting: what follows from the ends and the derivatives alone. A limit just above what happens makes it split. */
const COARSE = 1e30;
const CLOSE = 1.02;

function finished<T>(steps: Iterator<void, T>): T {
    for (;;) {
        const { done, value } = steps.next();
        if (done) return value;
    }
}

function proved({ model, tracks, times }: Case, limit: number): number {
    return finished(boundClip(model, tracks, times, () => limit)).error;
}

/** The rig's morph weights have no part in a proof. */
const withoutMorphs = (rig: Rig): Rig => ({ ...rig, meshes: rig.meshes.map((mesh) => ({ ...mesh, targets: [] })) });

async function randomCase(seed: number, wildness: Wildness, noise: number): Promise<Case> {
    const next = random(seed);
    return caseOf(withoutMorphs(randomRig(next, wildness)), fewer(next, noise));
}

const WILD: readonly (readonly [string, Wildness, number])[] = [
    ['unit quaternions', { nodes: 5, keys: 8 }, 0.01],
    ['quaternions off unit length', { nodes: 5, keys: 8, offUnit: 0.02 }, 0.05],
    ['deeper hierarchies', { nodes: 14, keys: 5 }, 0.003],
];

describe.each(WILD)('random rigs, %s', (_, wildness, noise) => {
    test.each(Array.from({ length: rounds(3) }, (_, i) => 2206 + i))(
        'seed %d: nothing goes further between keys than is proved',
        async (seed) => {
            const one = await randomCase(seed, wildness, noise);
            const most = measured(one, 64);
            expect(most).toBeLessThanOrEqual(proved(one, COARSE) * (1 + 1e-9) + 1e-9);
            // Split or not; and then it says little more than what its points do, which the slack is added to.
            const points = measuredPoints(one, 64);
            const fine = proved(one, CLOSE * points + 1e-9);
            expect(most).toBeLessThanOrEqual(fine * (1 + 1e-9) + 1e-9);
            expect(fine).toBeLessThanOrEqual(1.1 * points + 1e-6);
        },
    );
});

/** Three nodes below each other, all of which turn, move and are scaled; a mesh on the last one. */
async function chain() {
    const rig = new RigBuilder();
    const nodes = [rig.node(), rig.node(0), rig.node(1)];
    rig.mesh(2, [1, 0, 0, 0, 1, 0, -0.5, 0, 2]);
    rig.clip([{ node: 0, path: 'scale', times: [0], values: [1, 1, 1] }]);
    const scene = await readGltf(
        'rig.glb',
        { surfaces: true, rigid: true },
        inputOfBytes('rig.glb', rig.done().builder.toGlb()),
    );
    return { nodes, model: modelOf(scene, reduceRecipeOf('prove', { maxError: '1%' })) };
}

type Way = SampledChannel['interpolation'];
type Path = keyof typeof PLACES;

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

/** The same keys, or others of the same way, a little or far off. */
function changed({ times, values, interpolation }: SampledChannel, next: () => number): SampledChannel {
    const noise = [0, 1e-5, 1e-2, 1][Math.floor(next() * 4)]!;
    return { times, values: Array.from(values, (x) => x + noise * (next() - 0.5)), interpolation };
}

/** The greatest displacement of the mesh at `count` times from one time to another, by the formulas of glTF alone. */
function displacementBetween(tracks: readonly ComparedTrack[], from: number, to: number, count: number): number {
    const points = [
        [1, 0, 0],
        [0, 1, 0],
        [-0.5, 0, 2],
    ];
    let max = 0;
    for (let i = 0; i <= count; i++) {
        const time = from + ((to - from) * i) / count;
        const [a, b] = (['source', 'reduced'] as const).map((which) => {
            const locals = Float64Array.from({ length: 30 }, (_, c) => (c % 10 < 6 ? 0 : 1));
            for (const track of tracks) {
                const { times, values, interpolation } = track[which];
                const sampler = { times: Float64Array.from(times), values: Float64Array.from(values), interpolation };
                const { width } = track;
                locals.set(sampleAt({ ...sampler, width, rotation: width === 4 }, time), track.node * 10 + track.place);
            }
            const matrices = [0, 1, 2].map((node) => {
                const local = new Float64Array(16);
                compose(local, 0, locals, node * 10);
                return local;
            });
            const [above, global] = [new Float64Array(16), new Float64Array(16)];
            multiply(above, 0, matrices[0]!, 0, matrices[1]!, 0);
            multiply(global, 0, above, 0, matrices[2]!, 0);
            return points.map(([x, y, z]) => transformed(global, 0, x!, y!, z!));
        }) as [number[][], number[][]];
        for (const [p, one] of a.entries()) max = Math.max(max, Math.hypot(...one.map((x, c) => b[p]![c]! - x)));
    }
    return max;
}

const SETS: readonly (readonly [string, readonly (readonly [Path, Way])[], number])[] = [
    ['rotations', [['rotation', 'LINEAR']], 0],
    ['rotations off unit length', [['rotation', 'LINEAR']], 0.1],
    ['rotations on splines', [['rotation', 'CUBICSPLINE']], 0],
    ['rotations that jump', [['rotation', 'STEP']], 0],
    ['scales', [['scale', 'LINEAR']], 0],
    ['scales on splines', [['scale', 'CUBICSPLINE']], 0],
    ['translations', [['translation', 'LINEAR']], 0],
    ['translations on splines', [['translation', 'CUBICSPLINE']], 0],
    [
        'all of it',
        [
            ['rotation', 'LINEAR'],
            ['scale', 'LINEAR'],
            ['translation', 'LINEAR'],
        ],
        0.05,
    ],
    [
        'all of it on splines',
        [
            ['rotation', 'CUBICSPLINE'],
            ['scale', 'CUBICSPLINE'],
            ['translation', 'CUBICSPLINE'],
        ],
        0,
    ],
];

/** Tracks of some nodes with the paths of a set. */
function tracksOf(
    next: () => number,
    nodes: readonly number[],
    set: readonly (readonly [Path, Way])[],
    offUnit: number,
) {
    const tracks: ComparedTrack[] = [];
    for (const node of nodes) {
        for (const [path, way] of set) {
            if (next() < 0.3) continue;
            const source = pair(next, path, way, offUnit);
            // Straight keys beside a spline as well.
            const other =
                way === 'CUBICSPLINE' && next() < 0.4 ? pair(next, path, 'LINEAR', offUnit) : changed(source, next);
            tracks.push({ node, place: PLACES[path], width: path === 'rotation' ? 4 : 3, source, reduced: other });
        }
    }
    return tracks;
}

describe.each(SETS)('%s', (_, set, offUnit) => {
    const whips = set.some(([path, way]) => path === 'rotation' && way === 'CUBICSPLINE');

    test('what follows from ends and derivatives holds, on short intervals and on long ones', async () => {
        const { nodes, model } = await chain();
        const next = random(2207);
        let tightest = Infinity;
        for (let i = 0; i < rounds(60); i++) {
            const tracks = tracksOf(next, nodes, set, offUnit);
            const length = [0.95, 0.5, 0.125, 0.02][i % 4]!;
            const from = (1 - length) * next();
            const to = from + length;
            const { error } = finished(boundClip(model, tracks, [from, to], () => COARSE));
            const most = displacementBetween(tracks, from, to, 24);
            expect(most).toBeLessThanOrEqual(error * (1 + 1e-9) + 1e-7);
            if (most > 1e-3) tightest = Math.min(tightest, error / most);
        }
        // Where intervals are short it is no more than a few percent above.
        expect(tightest).toBeLessThan(1.02);
    });

    test('split as often as may be, it is close to what happens', async () => {
        const { nodes, model } = await chain();
        const next = random(2208);
        for (let i = 0; i < 8; i++) {
            const tracks = tracksOf(next, nodes, set, offUnit);
            const most = displacementBetween(tracks, 0, 1, 128);
            const { error, seen } = finished(boundClip(model, tracks, [0, 1], () => CLOSE * most + 1e-9));
            expect(error).toBeGreaterThanOrEqual(most * (1 - 1e-9) - 1e-7);
            expect(seen).toBeGreaterThanOrEqual(most * 0.99 - 1e-7);
            // A spline between rotations at random comes near zero, where its direction whips round.
            if (most > 1e-2) expect(error / most).toBeLessThan(whips ? 1.1 : 1.03);
        }
    });
});

test('a rotation at rest that is off unit length stretches what hangs below', async () => {
    const rig = new RigBuilder();
    rig.node(-1, { rotation: [0, 0, 0.8, 0.9] });
    rig.node(0);
    rig.mesh(1, [1, 0, 0, 0, 1, 0]);
    // A parabola, so that what follows from ends and derivatives is what happens.
    const values = [0, 0, 0, 0, 0, 0, 4, 0, 0, -4, 0, 0, 0, 0, 0, 0, 0, 0];
    rig.clip([{ node: 1, path: 'translation', interpolation: 'CUBICSPLINE', times: [0, 1], values }]);
    const still = await caseOf(rig.done(), () => ({
        times: [0, 1],
        values: [0, 0, 0, 0, 0, 0],
        interpolation: 'LINEAR',
    }));
    expect(measured(still, 63)).toBeGreaterThan(1.4);
    expect(measured(still, 63)).toBeLessThanOrEqual(proved(still, COARSE));
});

test('a bound that nothing can keep is not kept', async () => {
    const one = await randomCase(2206, { nodes: 3, keys: 4 }, 0.01);
    const share = (limit: number) => finished(boundClip(one.model, one.tracks, one.times, () => limit)).share;
    expect(share(1e9)).toBeLessThan(1);
    for (const limit of [0, -1, Number.NaN]) expect(share(limit)).toBe(Infinity);
});
