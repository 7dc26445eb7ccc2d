// SPDX-License-Identifier: MIT

/** The addon's Rig kernels give the bytes of the TypeScript twin, and reject arguments that they cannot use. */

import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { readGltf } from '../../lib/gltf/read';
import { compiledRigs } from '../../lib/rig/compiled';
import { typescriptRig } from '../../lib/rig/kernels';
import { GROUP_NUMBERS, type RigTables, type SlotTables } from '../../lib/rig/kernels/contract';
import type { PoseKernels } from '../../lib/rig/kernels/table';
import { findMorphs } from '../../lib/rig/pack/morphs';
import { packRig } from '../../lib/rig/pack/rig';
import { allSlots } from '../../lib/rig/select-slots';
import { buildSkeleton, nodesToEvaluate } from '../../lib/rig/skeleton';
import { bytesOf, expectSameBytes } from '../support/bytes';
import { detached } from '../support/faults';
import { itNative } from '../support/implementations';
import {
    CHARACTER,
    describeModel,
    FOX,
    INTERPOLATION_TEST,
    KNIGHT,
    RIGGED_FIGURE,
    SIMPLE_SKIN,
    SIMPLE_SKIN_TWICE,
} from '../support/models';
import { once } from '../support/once';
import { firstDifference, type GeneratedRig, posesFor, posesOf, randomRig } from './native-tables';
import { describeAddonRigs, describeRigs, NAMES, type Refusable, refusable } from './native-tiers';

const GUARD = 12345;

itNative('the addon has every tier, best first', () => {
    expect(compiledRigs.map(({ name }) => name)).toEqual(NAMES);
    expect(compiledRigs.find(({ name }) => name === 'strict/scalar')!.implementation).not.toBeNull();
});

/** Runs in a worker: the addon's kernels on the given tables. Leaves the poses in shared memory. */
const WORKER = `
    const { workerData } = require('node:worker_threads');
    const { folder, name, tables, slots, data, times } = workerData;
    const { rigs } = require('node-gyp-build')(folder);
    const made = rigs.find((rig) => rig.name === name).load(tables)(slots);
    if (made.evaluate(data, times.length, 0, times, false) !== undefined) throw new Error('evaluate');
    if (made.toGlobal(data, times.length, -1) !== undefined) throw new Error('toGlobal');
`;

describe('workers', () => {
    describeAddonRigs((implementation) => {
        it('give the same bytes, each with its own rig, in shared poses', async () => {
            const { tables, all } = randomRig(9, 'usual');
            const folder = join(__dirname, '../..');
            const { data } = posesFor(tables, all, 32);
            const times = Float64Array.from({ length: 32 }, (_, i) => i / 20);
            const twin = typescriptRig.load(tables).select(all);
            twin.evaluate(data, 32, 0, times, false);
            twin.toGlobal(data, 32, -1);
            const shared = new Float32Array(new SharedArrayBuffer(data.byteLength));
            const half = shared.length / 2;
            await Promise.all(
                [0, 1].map(
                    (part) =>
                        new Promise((resolve, reject) => {
                            const workerData = {
                                folder,
                                name: implementation.name,
                                tables,
                                slots: all,
                                data: shared.subarray(part * half, (part + 1) * half),
                                times: times.slice(part * 16, part * 16 + 16),
                            };
                            const worker = new Worker(WORKER, { eval: true, workerData });
                            worker.once('error', reject);
                            worker.once('exit', resolve);
                        }),
                ),
            );
            expect(firstDifference(data, shared)).toBeNull();
        });
    });
});

/** All clips of a model, packed as in the Rig. */
async function tablesOf(path: string): Promise<{ tables: RigTables; slots: SlotTables }> {
    const source = await readGltf(path);
    const skeleton = buildSkeleton(source.nodes, nodesToEvaluate(source));
    const tables = packRig(source, skeleton, findMorphs(source.nodes));
    return { tables, slots: allSlots(tables, skeleton.parents, skeleton.matrixOfSlot) };
}

/** Locals, globals and palettes of poses of a clip, between guard values. */
function runClip(kernels: PoseKernels, tables: RigTables, slots: SlotTables, clip: number, times: Float64Array) {
    const { data } = posesFor(tables, slots, times.length);
    data.fill(GUARD);
    const count = times.length;
    kernels.evaluate(data, count, clip, times, clip % 2 === 1);
    kernels.toGlobal(data, count, -1);
    const palettes = tables.skins.flatMap(({ joints }, skin) =>
        (['mat4', 'mat3x4'] as const).map((format) => {
            const length = count * joints.length * (format === 'mat4' ? 16 : 12);
            const out = new Float32Array(length + 20).fill(GUARD);
            kernels.palettes(data, count, skin, out, format);
            return out;
        }),
    );
    const parts = (['locals', 'globals'] as const).map((part) => posesOf(tables, slots, data, count, part));
    return [...parts, ...palettes];
}

describe('whole clips of the models have the bytes of the TypeScript twin; rigs of every kind: test/strict/golden', () => {
    const models = [CHARACTER, FOX, RIGGED_FIGURE, KNIGHT, SIMPLE_SKIN, SIMPLE_SKIN_TWICE, INTERPOLATION_TEST];
    for (const model of models) {
        describeModel(model, () => {
            const tablesOfModel = once(() => tablesOf(model.path));
            /** The twin's output by clip: most of the run time, so made once for all implementations. */
            const twins: Float32Array[][] = [];
            describeRigs((implementation) => {
                it('same bytes', async () => {
                    // The 76 clips of the Knight have 1,900 frames at 20 Hz.
                    const hertz = model === KNIGHT ? 20 : 60;
                    const { tables, slots } = await tablesOfModel();
                    expect(tables.clips.length).toBeGreaterThan(0);
                    const [twin, native] = [typescriptRig, implementation].map((one) => one.load(tables).select(slots));
                    for (const [clip, { duration }] of tables.clips.entries()) {
                        const times = Float64Array.from(
                            { length: Math.ceil(duration * hertz) + 2 },
                            (_, i) => i / hertz,
                        );
                        twins[clip] ??= runClip(twin!, tables, slots, clip, times);
                        for (const [i, list] of runClip(native!, tables, slots, clip, times).entries()) {
                            expect([clip, i, firstDifference(list, twins[clip]![i]!)]).toEqual([clip, i, null]);
                        }
                    }
                });
            });
        });
    }
});

describe('poses of mixed clips have the bytes of the TypeScript twin, for tables and mixtures of every kind', () => {
    /** The clips of a block's poses: few poses for each, most poses from one, halves, and random. */
    const MIXTURES: readonly ((pose: number, clips: number, next: () => number) => number)[] = [
        (pose, clips) => pose % clips,
        (pose, clips) => (pose % 16 < 13 ? 0 : pose % clips),
        (pose, clips) => (pose % 16 < 8 ? 0 : clips - 1),
        (_, clips, next) => Math.floor(next() * clips),
    ];
    describeRigs((implementation) => {
        it.each([...Array(40).keys()])('rig %i', (seed) => {
            const { tables, all, some, next } = randomRig(seed, seed % 2 === 0 ? 'usual' : 'extreme');
            for (const slots of [all, some]) {
                const [twin, tested] = [typescriptRig, implementation].map((one) => one.load(tables).select(slots));
                for (const mixture of MIXTURES) {
                    const clips = Uint16Array.from({ length: 45 }, (_, i) => mixture(i, tables.clips.length, next));
                    const times = Float64Array.from(clips, () => next() * 3 - 0.5);
                    const [expected, found] = [twin!, tested!].map((kernels) => {
                        const { data } = posesFor(tables, slots, 45);
                        kernels.evaluate(data, 45, clips, times, seed % 3 === 0);
                        return posesOf(tables, slots, data, 45, 'locals');
                    });
                    expect(firstDifference(found!, expected!)).toBeNull();
                }
            }
        });
    });
});

/** A call of a function of the addon, and the faults of its arguments. */
interface Refusals {
    readonly method: keyof Refusable;
    readonly good: readonly unknown[];
    /** List arguments, which must not be shorter. */
    readonly lists: readonly number[];
    /** Other rejected values, by argument. */
    readonly wrong: readonly (readonly [argument: number, values: readonly unknown[]])[];
    /** Accepted values, by argument. */
    readonly taken?: readonly (readonly [argument: number, values: readonly unknown[]])[];
}

const NO_COUNTS = [-1, 0.5, NaN, 2 ** 31, 2 ** 32 + 1];

/** The same numbers in another memory. */
const over = <V extends Float32Array | Float64Array | Int32Array | Uint8Array | Uint16Array>(
    View: new (buffer: ArrayBufferLike, byteOffset: number, length: number) => V,
    { buffer, byteOffset }: Float32Array | Int32Array,
    length: number,
) => new View(buffer, byteOffset, length).fill(0) as V;

function refusalsOf({ tables, all }: GeneratedRig): Refusals[] {
    const poses = (count: number) => posesFor(tables, all, count).data;
    const [data, other, third] = [poses(20), poses(20), poses(20)];
    const outside = (limit: number) => [-1, 0.5, NaN, limit];
    const size = tables.skins[0]!.joints.length * 16;
    const out = new Float32Array(20 * size);
    const jointsOut = new Float32Array(20 * 24);
    const chosen = Uint16Array.of(0, tables.slots - 1);
    const [clips, times] = [new Uint16Array(50), new Float64Array(50)];
    const twice = new Float32Array(data.length * 2);
    const slots = new Int32Array(34).fill(tables.slots - 1);
    const [ends, rays, placements] = [17, 3, 20].map((n) => new Float32Array(n * 7));
    const [distances, hits] = [new Float32Array(60), new Int32Array(60)];
    const [baked, bakedOut] = [poses(32), new Float32Array(50 * size)];
    const noFloats = [NaN, Infinity, -Infinity];
    return [
        {
            method: 'evaluate',
            good: [data, 20, clips.slice(30), new Float32Array(20), false],
            lists: [0, 2, 3],
            wrong: [
                [1, [...NO_COUNTS, 33]],
                [
                    2,
                    [
                        ...outside(tables.clips.length),
                        clips.slice(30).with(19, tables.clips.length),
                        over(Uint16Array, data, 20),
                    ],
                ],
                [
                    3,
                    [
                        data,
                        ...noFloats.flatMap((x) => [times.slice(30).with(19, x), jointsOut.slice(0, 20).with(19, x)]),
                    ],
                ],
            ],
            taken: [
                [1, [0]],
                [3, [new Float64Array(20).fill(1e300), new Float64Array(20).fill(-1e300)]],
                [4, [true]],
            ],
        },
        {
            method: 'evaluate',
            good: [data, 20, 0, new Float32Array(20), new Uint8Array(20)],
            lists: [4],
            wrong: [[4, [1, 'wrap', over(Uint8Array, data, 20)]]],
        },
        {
            method: 'blend',
            good: [data, other, third, 20, new Float32Array(20), new Float32Array(tables.slots), true, poses(20), true],
            lists: [0, 1, 2, 4, 5, 7],
            wrong: [
                [0, [over(Float32Array, other.subarray(4), data.length - 4)]],
                [4, [NaN, 1e39, data, new Float32Array(20).fill(Infinity)]],
                [5, [new Float32Array(tables.slots).fill(NaN)]],
            ],
            taken: [
                [0, [other]],
                [4, [0.5, 1]],
                [5, [null]],
                [7, [null, data]],
            ],
        },
        {
            method: 'blend',
            good: [twice.subarray(0, data.length), twice.subarray(data.length), data, 20, 1, null, false, null, false],
            lists: [],
            wrong: [
                [1, [twice.subarray(4)]],
                [7, [twice, twice.subarray(4)]],
            ],
            taken: [[7, [poses(1)]]],
        },
        {
            method: 'toGlobal',
            good: [data, 20, -1],
            lists: [0],
            wrong: [[2, [-2, all.slots.length, 2 ** 31 - 1, 0.5]]],
            taken: [[2, [all.slots.length - 1]]],
        },
        {
            method: 'palettes',
            good: [data, 20, 0, out, true],
            lists: [0, 3],
            wrong: [
                [2, outside(tables.skins.length)],
                [3, [data]],
            ],
        },
        {
            method: 'joints',
            good: [data, 20, chosen, jointsOut],
            lists: [0, 3],
            wrong: [
                [2, [[tables.slots], [65535]].map((list) => Uint16Array.from(list))],
                [2, [-1, -(2 ** 31), 2 ** 31 - 1, tables.slots].map((slot) => Int32Array.of(0, slot))],
                [2, [over(Int32Array, jointsOut, 1), over(Uint16Array, jointsOut, 1)]],
                [2, [detached(chosen.slice()), new BigInt64Array(2)]],
                [3, [data]],
            ],
        },
        {
            method: 'castRays',
            good: [data, 20, slots, ends, rays, 3, placements, distances, hits],
            lists: [0, 2, 3, 4, 6, 7, 8],
            wrong: [
                ...[1, 5].map((i) => [i, NO_COUNTS] as const),
                // Also in the second tile.
                [
                    2,
                    [0, 33].flatMap((at) =>
                        outside(tables.slots)
                            .filter(Number.isInteger)
                            .map((slot) => slots.with(at, slot)),
                    ),
                ],
                [7, [data, ends, rays, placements]],
                [
                    8,
                    [
                        slots,
                        ...[data, ends!, rays!, placements!, distances].map((list) =>
                            over(Int32Array, list, list.length),
                        ),
                    ],
                ],
            ],
            taken: [
                [1, [0]],
                [5, [0]],
                [6, [null]],
            ],
        },
        ...inverseKinematics(all, data),
        {
            method: 'bakePalettes',
            good: [baked, 32, clips, times, false, 50, 0, bakedOut, true],
            lists: [0, 2, 3, 7],
            wrong: [
                [1, [...NO_COUNTS, 0, 48]],
                [
                    2,
                    [
                        ...outside(tables.clips.length),
                        clips.with(49, tables.clips.length),
                        over(Uint16Array, bakedOut, 50),
                    ],
                ],
                [3, [times.with(49, NaN), times.with(49, -Infinity), over(Float64Array, bakedOut, 50)]],
                [5, [...NO_COUNTS, 51]],
                [6, outside(tables.skins.length)],
                [7, [baked]],
            ],
            taken: [[5, [0]]],
        },
        {
            method: 'bakePalettes',
            good: [null, 1, clips, times, false, 50, 0, bakedOut, true],
            lists: [2, 3, 7],
            wrong: [
                [1, [...NO_COUNTS, 0]],
                [2, [...outside(tables.clips.length), clips.with(49, tables.clips.length)]],
                [3, [times.with(49, NaN), over(Float64Array, bakedOut, 50)]],
                [5, [...NO_COUNTS, 51]],
                [6, outside(tables.skins.length)],
            ],
            taken: [[5, [0]]],
        },
        {
            method: 'bakePalettes',
            good: [baked, 32, 0, times, new Uint8Array(50), 50, 0, bakedOut, true],
            lists: [4],
            wrong: [[4, [over(Uint8Array, baked, 50), over(Uint8Array, bakedOut, 50)]]],
        },
    ];
}

/** A slot with two ancestors; none of the three has a matrix. */
function limbOf({ parents, matrices }: SlotTables): [start: number, mid: number, end: number] {
    const turns = (place: number) => place >= 0 && matrices[place]! < 0;
    for (let end = 0; end < parents.length; end++) {
        const mid = parents[end]!;
        if (turns(end) && turns(mid) && turns(parents[mid]!)) return [parents[mid]!, mid, end];
    }
    throw new Error('no place has two others above it');
}

function inverseKinematics(slots: SlotTables, data: Float32Array): Refusals[] {
    const chain = Int32Array.from(limbOf(slots));
    const [start, mid, end] = [chain[0]!, chain[1]!, chain[2]!];
    const vectors = () => new Float32Array(60);
    const reached = new Uint8Array(240);
    const path = new Int32Array(64).fill(-1);
    path.set(chain);
    const until = new Float32Array(64);
    until.set([0.25, 0.25, 1]);
    const notFinite = [NaN, Infinity].map((x) => vectors().with(59, x));
    const outside = [-1, slots.slots.length, 2 ** 31 - 1, -(2 ** 31)];
    return [
        {
            method: 'twoBoneIk',
            good: [
                data,
                20,
                chain,
                new Float32Array(7),
                vectors(),
                vectors(),
                new Float32Array(20),
                reached.subarray(0, 20),
            ],
            lists: [0, 2, 3, 4, 5, 6, 7],
            wrong: [
                [1, NO_COUNTS],
                [2, [0, 1, 2].flatMap((at) => outside.map((place) => chain.with(at, place)))],
                [
                    2,
                    [
                        [mid, start, end],
                        [start, end, mid],
                        [start, start, end],
                        [start, mid, mid],
                    ].map((list) => Int32Array.from(list)),
                ],
                [3, [new Float32Array(8), new Float32Array(7).fill(NaN)]],
                [4, [data, ...notFinite, over(Float32Array, new Float32Array(reached.buffer), 60)]],
                [5, [data, ...notFinite]],
                [6, [data, NaN, 1e39, new Float32Array(20).fill(Infinity)]],
                [7, [over(Uint8Array, data, 20)]],
            ],
            taken: [
                [1, [0]],
                [5, [null]],
                [6, [0.5]],
                [7, [null]],
            ],
        },
        {
            method: 'aimIk',
            good: [
                data,
                20,
                path.slice(0, 3),
                until.slice(0, 3),
                3,
                new Float32Array(12),
                vectors(),
                new Float32Array(20),
            ],
            lists: [0, 2, 3, 5, 6, 7],
            wrong: [
                [1, NO_COUNTS],
                [2, [0, 1, 2].flatMap((at) => outside.map((place) => path.slice(0, 3).with(at, place)))],
                [
                    2,
                    [
                        [start, end, mid],
                        [mid, mid, end],
                    ].map((list) => Int32Array.from(list)),
                ],
                [
                    3,
                    [
                        [0.5, 0.25, 1],
                        [-0.5, 0, 1],
                        [0, 0.5, 1.5],
                        [0, NaN, 1],
                    ].map((list) => Float32Array.from(list)),
                ],
                [4, [...NO_COUNTS, 0, 4, 65]],
                [5, [new Float32Array(13), new Float32Array(12).fill(Infinity)]],
                [6, [data, ...notFinite]],
                [7, [data, NaN, 1e39, new Float32Array(20).fill(Infinity)]],
            ],
            taken: [
                [1, [0]],
                [2, [path]],
                [4, [1, 2]],
                [7, [0.5]],
            ],
        },
    ];
}

describe('refusals', () => {
    describeAddonRigs(({ name }) => {
        const rig = randomRig(4, 'usual');
        const { tables, all, some } = rig;
        const load = (changed: object) => refusable(name, { ...tables, ...changed });
        const kernelsOf = (slots: unknown) => {
            const select = refusable(name, tables);
            if (select === false) throw new Error('the tables were refused');
            return select(slots);
        };
        const kernels = () => kernelsOf(all) as Refusable;
        const clip = tables.clips.find(({ groups }) => groups.length > 0)!;
        const skin = tables.skins[0]!;
        const withClip = (changed: object) => load({ clips: [{ ...clip, ...changed }] });
        const withSkin = (changed: object) => load({ skins: [{ ...skin, ...changed }] });
        const withTracks = (at: number, value: number) => withClip({ tracks: clip.tracks.with(at, value) });

        it('the rig of these tests covers all cases', () => {
            for (const made of [
                load({}),
                withClip({}),
                withSkin({ joints: skin.joints.with(0, 0) }),
                kernelsOf(some),
            ]) {
                expect(made).not.toBe(false);
            }
            expect(skin.joints.length).toBeGreaterThan(0);
        });

        it('invalid tables', () => {
            for (const value of [undefined, null, 1, 'tables', {}, [], () => 0])
                expect(refusable(name, value)).toBe(false);
            const throwing = {
                ...tables,
                get skins(): never {
                    throw new RangeError('from the tables');
                },
            };
            expect(() => refusable(name, throwing)).toThrow('from the tables');
        });

        it('lists that state more than they contain allocate nothing', () => {
            const list = new Array(2 ** 22);
            const before = process.resourceUsage().maxRSS;
            for (const key of ['skins', 'clips', 'meshes']) expect(load({ [key]: list })).toBe(false);
            // KiB. An entry for each would take more than 200 MiB.
            expect(process.resourceUsage().maxRSS - before).toBeLessThan(100 * 1024);
        });

        const at = clip.tracks.findIndex((group, i) => i % 3 === 0 && group >= 0);
        const stride = clip.groups[clip.tracks[at]! * GROUP_NUMBERS + 3]!;
        const NO_LISTS = [undefined, null, 7.5, new Uint8Array(3), new Float64Array(4)];
        it.each<[what: string, attempts: (() => unknown)[]]>([
            [
                'tables of the wrong types and lengths',
                [
                    ...['rest', 'restWeights', 'matrices', 'morphs', 'skins', 'clips', 'slots'].flatMap((key) =>
                        NO_LISTS.map((value) => () => load({ [key]: value })),
                    ),
                    ...[[0], [0, tables.restWeights.length + 1], [-1, 1]].map(
                        (morphs) => () => load({ morphs: Int32Array.from(morphs) }),
                    ),
                    ...[-1, 2 ** 31 - 1].map((slots) => () => load({ slots })),
                    () => load({ rest: tables.rest.subarray(1) }),
                    () => load({ matrices: new Float32Array(11) }),
                ],
            ],
            [
                'skins whose joints are not slots',
                [
                    ...[-1, tables.slots, 2 ** 31 - 1, -(2 ** 31)].map(
                        (slot) => () => withSkin({ joints: skin.joints.with(0, slot) }),
                    ),
                    () => withSkin({ inverseBinds: skin.inverseBinds.subarray(1) }),
                    () => load({ skins: [null] }),
                ],
            ],
            [
                'clips that would read outside their keys',
                [
                    ...Array.from(clip.groups, (_, i) => () => withClip({ groups: clip.groups.with(i, 0xffffffff) })),
                    () => withClip({ groups: clip.groups.with(1, 0) }),
                    ...(['groups', 'times', 'starts', 'values', 'base'] as const).map(
                        (key) => () => withClip({ [key]: clip[key].subarray(1) }),
                    ),
                    () => withClip({ tracks: clip.tracks.subarray(3) }),
                    () => withClip({ times: clip.times.map((time) => (time < Infinity ? time : 1e9)) }),
                    () => withClip({ starts: clip.starts.map(() => 0xffff) }),
                    () => withClip({ baseWeights: new Float32Array(clip.baseWeights.length + 1) }),
                    ...[NaN, -1, '1'].map((duration) => () => withClip({ duration })),
                    ...[-5, NaN].map((time) => () => withClip({ times: clip.times.with(1, time) })),
                ],
            ],
            [
                'tracks outside their rows, of no group or of no kind',
                [
                    ...[-2, clip.groups.length / GROUP_NUMBERS, 2 ** 31 - 1].map(
                        (group) => () => withTracks(at, group),
                    ),
                    ...[-1, 3].map((kind) => () => withTracks(at + 1, kind)),
                    ...[-1, stride - 2, stride, 2 ** 31 - 1].map((first) => () => withTracks(at + 2, first)),
                ],
            ],
            [
                'invalid slots',
                [
                    ...[undefined, null, 1, {}, []].map((value) => () => kernelsOf(value)),
                    ...(['slots', 'places', 'parents', 'matrices'] as const).flatMap((key) =>
                        [
                            all[key].with(0, 2 ** 31 - 1),
                            all[key].with(0, -2),
                            all[key].subarray(1),
                            new Float32Array(all[key]),
                        ].map((list) => () => kernelsOf({ ...all, [key]: list })),
                    ),
                    ...(
                        [
                            ['parents', tables.slots - 1, tables.slots - 1],
                            ['places', tables.slots - 1, 0],
                            ['slots', tables.slots - 1, 0],
                            ['matrices', 0, tables.matrices.length / 12],
                        ] as const
                    ).map(
                        ([key, place, value]) =>
                            () =>
                                kernelsOf({ ...all, [key]: all[key].with(place, value) }),
                    ),
                ],
            ],
        ])('%s', (_, attempts) => {
            for (const [i, attempt] of attempts.entries()) expect([i, attempt()]).toEqual([i, false]);
        });

        it('a track of no group, and cells of arbitrary times, do not crash', () => {
            expect(withTracks(at, -1)).not.toBe(false);
            for (const value of [NaN, Infinity, -Infinity, -1]) {
                expect(withClip({ firstTime: value, cellsPerSecond: value })).not.toBe(false);
            }
        });

        it.each(refusalsOf(rig))(
            '$method: wrong types, short lists, numbers out of range, memory that is shared',
            (row) => {
                const { method, good, lists, wrong, taken = [] } = row;
                const call = kernels()[method];
                const views = good.filter((arg) => ArrayBuffer.isView(arg)) as Float32Array[];
                const expectResult = (result: false | undefined, i: number, value: unknown) => {
                    const before = views.map(bytesOf);
                    expect([i, value, call(...good.with(i, value))]).toEqual([i, value, result]);
                    if (result === undefined) return;
                    for (const [k, view] of views.entries()) expectSameBytes(bytesOf(view), before[k]!, () => method);
                };
                expect(call(...good)).toBeUndefined();
                expect(call()).toBe(false);
                for (const i of good.keys()) {
                    const junk = [{}, 'x', new Int8Array(1e6), new DataView(new ArrayBuffer(1e6))];
                    for (const value of junk) expectResult(false, i, value);
                }
                for (const i of lists) {
                    const list = good[i] as Float32Array;
                    for (const value of [list.subarray(1), detached(list.slice()), new BigInt64Array(1e5)])
                        expectResult(false, i, value);
                }
                for (const [i, values] of wrong) for (const value of values) expectResult(false, i, value);
                for (const [i, values] of taken) for (const value of values) expectResult(undefined, i, value);
            },
        );

        it('slots and skins that the poses do not have', () => {
            const missing = some.places.indexOf(-1);
            expect(missing).toBeGreaterThanOrEqual(0);
            const { joints } = kernelsOf(some) as Refusable;
            const { data } = posesFor(tables, some, 1);
            expect(joints(data, 1, Uint16Array.of(some.slots[0]!), new Float32Array(12))).toBeUndefined();
            expect(joints(data, 1, Uint16Array.of(missing), new Float32Array(12))).toBe(false);
            const select = load({ skins: [{ joints: Int32Array.of(missing), inverseBinds: new Float32Array(12) }] });
            const { palettes } = (select as (slots: unknown) => Refusable)(some);
            expect(palettes(data, 1, 0, new Float32Array(16), true)).toBe(false);
        });

        it('palettes without poses, by kernels that lack slots', () => {
            const skins = [{ joints: some.slots.subarray(0, 1), inverseBinds: new Float32Array(12) }];
            const answers = [all, some].map((slots) => {
                const { bakePalettes } = (load({ skins }) as (slots: unknown) => Refusable)(slots);
                return bakePalettes(null, 1, 0, new Float32Array(1), false, 1, 0, new Float32Array(16), true);
            });
            expect(answers).toEqual([undefined, false]);
        });

        it('functions outlive the objects that they were made from', () => {
            const made = kernels();
            const { data } = posesFor(tables, all, 16);
            const garbage = Array.from({ length: 200 }, () => kernels());
            expect(garbage.length).toBe(200);
            expect(made.evaluate(data, 16, 0, new Float32Array(16), false)).toBeUndefined();
        });
    });
});
