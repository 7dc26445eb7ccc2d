// SPDX-License-Identifier: MIT

/** Frames in place and root motion are the file's frames again, and are what verify finds by itself. */

import { readFileSync, writeFileSync } from 'node:fs';
import { type BakeOptions, type BakeOutput, bakeFile, writeBake } from '../../../lib/bake';
import { readGltf } from '../../../lib/gltf/read';
import { BakedTable } from '../../../lib/table';
import { verifyBake } from '../../../lib/verify';
import { numbersOf } from '../../bake/baked-scenes';
import { compose, type Matrix, multiply } from '../../rig/double-reference';
import { type ChannelSpec, GltfBuilder, keyed, type NodeSpec } from '../../support/gltf-builder';
import { describeModel, FOX, KNIGHT, type Model, ROBOT } from '../../support/models';
import { scratchFolder } from '../../support/temporary-folder';

const folder = scratchFolder();
const ARRAYS = ['palette', 'hit', 'local', 'bounds', 'root'] as const;
const PARTS = ['xz+yaw', 'xyz+rotation'] as const;
const BOX = [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].map((z) => [0.2 * x, 0.3 * y + 0.3, 0.1 * z])));

const TIMES = Array.from({ length: 9 }, (_, i) => i / 8);
/** About y by so many turns, leaning forward. */
const heading = (turns: number, lean = 0) => {
    const [s, c] = [Math.sin(turns * Math.PI), Math.cos(turns * Math.PI)];
    const [ls, lc] = [Math.sin(lean), Math.cos(lean)];
    return [c * ls, s * lc, -s * ls, c * lc];
};

interface Walker {
    readonly path: string;
    readonly hips: string;
}

/** Joints hips and leg below what is given, a sword in the hand; unless `alone`, a cape that hangs from nothing and a drone beside them. */
function walkerFile(
    above: NodeSpec[],
    { storage, alone = false }: { storage?: 'short'; alone?: boolean } = {},
): Walker {
    const hips = above.length;
    const nodes: NodeSpec[] = [
        ...above.map((spec, i) => ({ ...spec, children: [i + 1] })),
        { name: 'hips', children: [hips + 1], translation: [1, 1, 2] },
        { name: 'leg', children: [hips + 2], translation: [0, -0.5, 0.1], scale: [1, 2, 1] },
        { name: 'sword', translation: [0.3, 0, 0] },
        { name: 'cape', translation: [1, 2, 0] },
        { name: 'drone', translation: [0, 3, 0] },
    ];
    const builder = new GltfBuilder(nodes);
    const mesh = builder.rigidMesh(BOX);
    for (const node of alone ? [hips + 2] : [hips + 2, hips + 4]) nodes[node]!.mesh = mesh;
    builder.skinnedMesh(builder.skin(alone ? [hips, hips + 1] : [hips, hips + 1, hips + 3]));
    const turn = (node: number, rotation: (time: number) => number[]): ChannelSpec => ({
        ...keyed(node, 'rotation', TIMES, ...TIMES.map(rotation)),
        ...(storage === undefined ? {} : { storage: { component: storage } }),
    });
    const way = (node: number, place: (time: number) => number[]) =>
        keyed(node, 'translation', TIMES, ...TIMES.map(place));
    const round = (t: number) => Math.sin(2 * Math.PI * t);
    builder.animation('Walk', [
        turn(hips, (t) => heading(0, 0.1 * round(t))),
        way(hips, (t) => [1 + 2 * t, 1 + 0.05 * round(t), 2 + 0.1 * round(t)]),
        turn(hips + 1, (t) => heading(0, 0.5 * round(t))),
    ]);
    // More than half a turn in one clip.
    builder.animation('Turn', [
        turn(hips, (t) => heading(0.8 * t, 0.2)),
        way(hips, (t) => [1 - t * t, 1, 2 + t]),
        turn(hips + 3, (t) => heading(0.1 * t)),
        way(hips + 4, (t) => [t, 3 - t, 0]),
    ]);
    return { path: builder.write(folder(), `walker${count++}`), hips: 'hips' };
}
let count = 0;

const Z_UP = [1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1];
const ARMATURE = { name: 'armature', rotation: [-Math.SQRT1_2, 0, 0, Math.SQRT1_2], scale: [0.5, 0.5, 0.5] };

/** A door, without a skin. */
function doorFile(): Walker {
    const nodes: NodeSpec[] = [
        { name: 'door', children: [1] },
        { name: 'handle', translation: [1, 0, 0] },
    ];
    const builder = new GltfBuilder(nodes);
    for (const node of nodes) node.mesh = builder.rigidMesh(BOX);
    builder.animation('Open', [
        keyed(0, 'rotation', TIMES, ...TIMES.map((t) => heading(0.4 * t))),
        keyed(0, 'translation', TIMES, ...TIMES.map((t) => [t, t, 3 * t])),
    ]);
    return { path: builder.write(folder(), `door${count++}`), hips: 'door' };
}

const SYNTHETIC: [string, () => Walker, BakeOptions][] = [
    ['a walk at the top', () => walkerFile([]), {}],
    ['below a turned and scaled armature', () => walkerFile([ARMATURE]), {}],
    ['below a matrix', () => walkerFile([{ name: 'Z_UP', matrix: Z_UP }, ARMATURE]), {}],
    [
        'below shear',
        () => walkerFile([{ matrix: [1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, -2, 0, 1, 2, 3, 1] }]),
        {
            emit: ['palette', 'hit', 'bounds', 'root'],
        },
    ],
    [
        'with quantised rotations',
        () => walkerFile([], { storage: 'short' }),
        { emit: ['palette', 'hit', 'bounds', 'root'] },
    ],
    [
        'with quantised rotations, made of unit length',
        () => walkerFile([], { storage: 'short' }),
        { renormalize: true },
    ],
    ["in the space of the skin's root", () => walkerFile([ARMATURE, {}], { alone: true }), { space: 'skin-root' }],
    ['from the middle of the clips, 3x4', () => walkerFile([ARMATURE]), { from: 0.3, to: 0.9, layout: 'mat3x4' }],
    ['without a skin', () => doorFile(), {}],
];

const motionOf = (tr: readonly number[], row: number): Matrix => {
    const [x, y, z, ...rotation] = tr.slice(row * 7, row * 7 + 7);
    return compose([x!, y!, z!], rotation, [1, 1, 1]);
};

/** Matrices of a row of the palette, column-major. */
function matricesOf(output: BakeOutput): (row: number) => Matrix[] {
    const numbers = numbersOf(output, 'palette');
    const { shape, layout } = output.manifest.arrays.palette!;
    const floats = layout === 'mat4' ? 16 : 12;
    return (row) =>
        Array.from({ length: shape[1]! }, (_, k) => {
            const m = numbers.slice((row * shape[1]! + k) * floats, (row * shape[1]! + k + 1) * floats);
            if (floats === 16) return m;
            return Array.from({ length: 16 }, (_, i) => (i % 4 < 3 ? m[(i % 4) * 4 + (i >> 2)]! : i === 15 ? 1 : 0));
        });
}

const apply = (m: Matrix, [x, y, z]: readonly number[]) =>
    [0, 1, 2].map((c) => m[c]! * x! + m[4 + c]! * y! + m[8 + c]! * z! + m[12 + c]!);
const distance = (a: readonly number[], b: readonly number[]) => Math.hypot(...a.map((x, i) => x - b[i]!));

/** For each column the corners of the box of what it shows, before the palette moves them. */
async function cornersOf(path: string, { manifest: { skin, attachments } }: BakeOutput): Promise<number[][][]> {
    const { skinnedMeshes, rigidMeshes = [] } = await readGltf(path, { rigid: true });
    const corners = (primitives: readonly { positions: Float32Array }[]) => {
        const box = [0, 1, 2].map((axis) => {
            const all = primitives.flatMap(({ positions }) => [...positions].filter((_, i) => i % 3 === axis));
            return [all.reduce((a, b) => Math.min(a, b)), all.reduce((a, b) => Math.max(a, b))];
        });
        return [0, 1].flatMap((x) => [0, 1].flatMap((y) => [0, 1].map((z) => [box[0]![x]!, box[1]![y]!, box[2]![z]!])));
    };
    const own = skin === null ? [] : skinnedMeshes.filter((mesh) => skin.indices.includes(mesh.skin));
    const ofSkin = own.length === 0 ? [] : corners(own.flatMap(({ primitives }) => primitives));
    return [
        ...(skin?.joints ?? []).map(() => ofSkin),
        ...attachments.map(({ node }) => corners(rigidMeshes.find((mesh) => mesh.node === node)!.primitives)),
    ];
}

/** Bakes with and without the motion: palettes are the same with it. The verifier proves all arrays of both. */
async function judge({ path, hips }: Walker, options: BakeOptions, every = 1): Promise<BakeOutput> {
    const given: BakeOptions = { emit: ARRAYS, rootJoint: hips, ...options };
    const [kept, moved] = [
        await bakeFile(path, { ...given, root: 'keep' }),
        await bakeFile(path, { ...given, root: 'extract' }),
    ];
    const [keep, extract] = [kept.outputs[0]!, moved.outputs[0]!];
    const tr = numbersOf(extract, 'root');
    expect(numbersOf(keep, 'root')).toEqual(tr);
    expect(keep.manifest.extent).toBe(extract.manifest.extent);
    const corners = await cornersOf(path, keep);
    const limit = 1e-6 * keep.manifest.extent;
    const palettes = [keep, extract].map(matricesOf);
    let most = 0;
    let before: number[] = [];
    const first = new Set(keep.manifest.clips.map(({ firstRow }) => firstRow));
    for (let row = 0; row * 7 < tr.length; row++) {
        const rotation = tr.slice(row * 7 + 3, row * 7 + 7);
        if (first.has(row)) expect(tr.slice(row * 7, row * 7 + 7)).toEqual([0, 0, 0, 0, 0, 0, 1]);
        else expect(rotation.reduce((dot, x, c) => dot + x * before[c]!, 0)).toBeGreaterThanOrEqual(0);
        before = rotation;
        if (row % every !== 0) continue;
        const m = motionOf(tr, row);
        most = Math.max(most, Math.hypot(m[12]!, m[14]!) / keep.manifest.extent);
        const [file, place] = palettes.map((of) => of(row));
        for (const [column, matrix] of file!.entries()) {
            const back = multiply(m, place![column]!);
            for (const p of corners[column]!) expect(distance(apply(back, p), apply(matrix, p))).toBeLessThan(limit);
        }
    }
    expect(most).toBeGreaterThan(0.01);
    for (const bake of [kept, moved]) {
        const [written] = await writeBake(bake, folder());
        const { ok, problems, worst } = await verifyBake(path, written!.json);
        expect([ok, problems, worst!.share < 1e-5]).toEqual([true, [], true]);
    }
    return extract;
}

describe.each(SYNTHETIC)('%s', (_, make, options) => {
    test.each(PARTS)('%s', async (rootMotion) => {
        const output = await judge(make(), { fps: 20, rootMotion, ...options });
        expect(output.manifest.recipe.root).toMatchObject({ mode: 'extract', motion: rootMotion });
    });
});

for (const [model, hips, clips] of [
    [ROBOT, 'Hips', ['Walking', 'Jump', 'Death']],
    [FOX, 'b_Hip_01', undefined],
    [KNIGHT, 'hips', ['Dodge_Left', 'Death_A', 'Walking_A']],
] as [Model, string, string[] | undefined][]) {
    describeModel(model, () => {
        test.each(PARTS)('%s', async (rootMotion) => {
            await judge({ path: model.path, hips }, { fps: 15, rootMotion, clips }, 3);
        });
    });
}

test('a walk that goes on is a loop in place, and its box is that of a step', async () => {
    const { path } = walkerFile([ARMATURE], { alone: true });
    const [kept, moved] = [await bakeFile(path, { fps: 24 }), await bakeFile(path, { fps: 24, root: 'in-place' })];
    const clipOf = ({ outputs }: typeof kept) => outputs[0]!.manifest.clips[0]!;
    expect([clipOf(kept).loop, clipOf(moved).loop]).toEqual([false, true]);
    const wide = ({ bounds }: { bounds: readonly number[] }) => bounds[3]! - bounds[0]!;
    expect(wide(clipOf(moved))).toBeLessThan(0.1 + wide(clipOf(kept)));
    expect(moved.outputs[0]!.manifest.arrays.root).toBeUndefined();
});

describe('verify sees', () => {
    const spoilt = async (
        spoil: (manifest: { [key: string]: never }, bin: Buffer) => void,
        options: BakeOptions = {},
    ) => {
        const { path } = walkerFile([ARMATURE]);
        const bake = await bakeFile(path, { fps: 12, emit: ['palette', 'root'], ...options });
        const [{ json, bin }] = (await writeBake(bake, folder())) as unknown as [{ json: string; bin: string }];
        const manifest = JSON.parse(readFileSync(json, 'utf8'));
        const bytes = readFileSync(bin);
        spoil(manifest, bytes);
        writeFileSync(json, JSON.stringify(manifest));
        writeFileSync(bin, bytes);
        const { ok, problems, worst } = await verifyBake(path, json);
        expect(ok).toBe(false);
        return { codes: problems.map(({ code, pointer }) => `${code} ${pointer}`), worst };
    };

    test('a motion that is wrong', async () => {
        const { worst } = await spoilt(({ arrays }: { [key: string]: never }, bin) => {
            const at = (arrays as { root: { byteOffset: number } }).root.byteOffset + 5 * 28;
            bin.writeFloatLE(bin.readFloatLE(at) + 0.01, at);
        });
        expect(worst).toMatchObject({ array: 'root', frame: 5, what: "joint 'hips'" });
    });

    test('a rotation of the other sign', async () => {
        const { worst } = await spoilt(({ arrays }: { [key: string]: never }, bin) => {
            const at = (arrays as { root: { byteOffset: number } }).root.byteOffset + 5 * 28 + 12;
            for (let c = 0; c < 16; c += 4) bin.writeFloatLE(-bin.readFloatLE(at + c), at + c);
        });
        expect(worst).toMatchObject({ array: 'root', error: Infinity });
    });

    test.each<[string, object | undefined]>([
        ['frames that are in place, and do not say so', undefined],
        ['other parts of the motion', { mode: 'extract', motion: 'xyz+rotation', node: 1 }],
        ['another joint', { mode: 'extract', motion: 'xz+yaw', node: 2 }],
        ['frames that are not in place', { mode: 'keep', motion: 'xz+yaw', node: 1 }],
    ])('%s', async (_, root) => {
        const { worst, codes } = await spoilt(({ recipe }: { [key: string]: never }) => {
            (recipe as { root: unknown }).root = root;
        });
        expect(codes.length > 0 || worst!.array === 'palette' || worst!.array === 'root').toBe(true);
    });

    test.each<[string, object, string]>([
        ['no such node', { mode: 'extract', motion: 'xz+yaw', node: 99 }, 'SKIN_DIFFERS /recipe/root/node'],
        [
            'an array that should not be there',
            { mode: 'in-place', motion: 'xz+yaw', node: 1 },
            'ARRAY_INVALID /arrays/root',
        ],
    ])('%s', async (_, root, problem) => {
        const { codes } = await spoilt(({ recipe }: { [key: string]: never }) => {
            (recipe as { root: unknown }).root = root;
        });
        expect(codes).toContain(problem);
    });
});

test('all skins of a file have one root, those that do not have the joint, too', async () => {
    const nodes: NodeSpec[] = [{ name: 'hips', children: [1] }, { name: 'chest', children: [2] }, { name: 'head' }];
    const builder = new GltfBuilder(nodes);
    for (const joints of [[0, 1], [2]]) builder.skinnedMesh(builder.skin(joints));
    nodes.push({ name: 'hat' }); // beside the body
    builder.skinnedMesh(builder.skin([nodes.length - 1]));
    builder.animation('Walk', [keyed(0, 'translation', [0, 1], [0, 0, 0], [1, 2, 3])]);
    const path = builder.write(folder(), 'skins');
    const bake = await bakeFile(path, { fps: 10, emit: ['palette', 'root', 'local'] });
    expect(bake.outputs.map(({ manifest }) => manifest.arrays.root!.joint)).toEqual([0, -1, -1]);
    for (const { manifest } of bake.outputs) expect(manifest.recipe.root!.node).toBe(0);
    const roots = bake.outputs.map((output) => numbersOf(output, 'root'));
    expect(roots[1]).toEqual(roots[0]);
    expect(roots[2]).toEqual(roots[0]);
    // The hat is left behind.
    const hat = numbersOf(bake.outputs[2]!, 'palette');
    expect(hat.slice(-4).map((x) => x + 0)).toEqual([-1, 0, -3, 1]);
    for (const { json } of await writeBake(bake, folder())) {
        expect(await verifyBake(path, json)).toMatchObject({ ok: true, problems: [] });
    }
});

test.each<[string, () => Walker, BakeOptions, RegExp]>([
    [
        'shear above locals',
        () => walkerFile([{ matrix: [1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1] }]),
        { root: 'in-place', emit: ['local'] },
        /root: the matrix of slot 0 .+: leave 'local' out of emit, or use 'keep'$/,
    ],
    [
        'locals whose rotation is not of unit length',
        () => walkerFile([], { storage: 'short' }),
        { root: 'extract', emit: ['local'] },
        /rotation of node \d '\w+' is not of unit length.+renormalize helps/,
    ],
    [
        'a space that has unequal scale',
        () => walkerFile([{ name: 'armature', scale: [1, 2, 1] }], { alone: true }),
        { root: 'extract', space: 'skin-root' },
        /space: the skin's root \(node 1\) has unequal scale or shear at rest.+'scene'$/,
    ],
    [
        'an unknown joint',
        () => walkerFile([]),
        { root: 'extract', rootJoint: 'hip' },
        /rootJoint: no joint 'hip', has 'hips', 'leg', 'cape'$/,
    ],
    [
        'an attachment, where there are joints',
        () => walkerFile([]),
        { root: 'extract', rootJoint: 'sword' },
        /no joint 'sword'/,
    ],
])('refused: %s', async (_, make, options, message) => {
    await expect(bakeFile(make().path, { fps: 10, ...options })).rejects.toThrow(message);
});

test('a joint that stands still is warned of, and one that moves is not', async () => {
    const { path } = walkerFile([{ name: 'armature' }], { alone: true });
    const codes = async (options: BakeOptions) =>
        (await bakeFile(path, { fps: 10, ...options })).warnings
            .map(({ code }) => code)
            .filter((code) => /^ROOT/.test(code));
    const still: BakeOptions = { clips: ['Walk'], from: 0.5, to: 0.50001 };
    expect(await codes({ root: 'extract', ...still })).toEqual(['ROOT_STANDS_STILL']);
    expect(await codes({ root: 'in-place' })).toEqual([]);
    expect(await codes(still)).toEqual([]);
});

test('a table counts rounds: motion goes on where the clip starts again', async () => {
    const { path } = walkerFile([ARMATURE], { alone: true });
    const { outputs } = await bakeFile(path, { fps: 30, root: 'extract' });
    const table = BakedTable.open(outputs[0]!.json, outputs[0]!.bin);
    for (const clip of [0, 1]) {
        const { duration, loop } = table.clips[clip]!;
        expect(loop).toBe(clip === 0);
        const at = (time: number) =>
            motionOf([...table.rootMotion(clip, Float64Array.of(time), new Float32Array(7))], 0);
        const within = (time: number) =>
            motionOf([...table.sample('root', clip, Float64Array.of(time), new Float32Array(7))], 0);
        const round = within(duration);
        for (const time of [0, 0.3, 0.98, 0.999]) expect(distance(at(time), within(time))).toBe(0);
        let rounds = within(0);
        for (let n = 0; n < 6; n++, rounds = multiply(rounds, round)) {
            for (const time of [0, 0.01, 0.5, 0.97, 0.99]) {
                const expected = multiply(rounds, within(time));
                expect(distance(at(n * duration + time), expected)).toBeLessThan(1e-4);
            }
            // No leap at the seam, from either side.
            const seam = (n + 1) * duration;
            expect(distance(at(seam - 1e-7), at(seam + 1e-7))).toBeLessThan(1e-4);
        }
        // A round earlier, it was a round behind.
        expect(distance(multiply(round, at(0.25 - duration)), within(0.25))).toBeLessThan(1e-5);
        // After a million rounds, in no time.
        expect(at(1e6 * duration).every(Number.isFinite)).toBe(true);
    }
    const poses = table.rootMotion(Uint16Array.of(0, 1), Float64Array.of(2.5, -1.5), new Float32Array(14));
    expect([...poses.subarray(7)]).toEqual([...table.rootMotion(1, Float64Array.of(-1.5), new Float32Array(7))]);
});
