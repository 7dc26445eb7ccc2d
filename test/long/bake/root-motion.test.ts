// SPDX-License-Identifier: MIT

/** verify derives the same frames in place and root motion from the file. */

import { readFileSync, writeFileSync } from 'node:fs';
import { type BakeOptions, type BakeOutput, bakeFile, writeBake } from '../../../lib/bake';
import { BakedTable } from '../../../lib/table';
import { verifyBake } from '../../../lib/verify';
import { numbersOf } from '../../bake/baked-scenes';
import { compose, type Matrix, multiply } from '../../rig/double-reference';
import { type ChannelSpec, GltfBuilder, keyed, type NodeSpec } from '../../support/gltf-builder';
import { describeModel, FOX, KNIGHT, type Model, ROBOT } from '../../support/models';
import { scratchFolder } from '../../support/temporary-folder';

const folder = scratchFolder();
const ARRAYS = ['palette', 'hit', 'local', 'bounds', 'root'] as const;
const PARTS = ['xz+yaw', 'xyz+rotation', 'yaw'] as const;
const BOX = [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].map((z) => [0.2 * x, 0.3 * y + 0.3, 0.1 * z])));

const TIMES = Array.from({ length: 9 }, (_, i) => i / 8);
/** A rotation about y by `turns`, leaning forward. */
const heading = (turns: number, lean = 0) => {
    const [s, c] = [Math.sin(turns * Math.PI), Math.cos(turns * Math.PI)];
    const [ls, lc] = [Math.sin(lean), Math.cos(lean)];
    return [c * ls, s * lc, -s * ls, c * lc];
};

interface Walker {
    readonly path: string;
    readonly hips: string;
}

/** Joints hips and leg below the given nodes, a sword in the hand; also a cape and a drone that have no parent, unless excluded. */
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

const SHEARED: NodeSpec = { matrix: [1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, -2, 0, 1, 2, 3, 1] };
const NOT_LOCAL = ['palette', 'hit', 'bounds', 'root'] as const;
const SHORTS = { storage: 'short' } as const;
const ALONE = { alone: true };

const SYNTHETIC: [string, () => Walker, BakeOptions][] = [
    ['a walk at the top', () => walkerFile([]), {}],
    ['below a turned and scaled armature', () => walkerFile([ARMATURE]), {}],
    ['below a matrix', () => walkerFile([{ name: 'Z_UP', matrix: Z_UP }, ARMATURE]), {}],
    ['below shear', () => walkerFile([SHEARED]), { emit: NOT_LOCAL }],
    ['with quantised rotations', () => walkerFile([], SHORTS), { emit: NOT_LOCAL }],
    ['with quantized rotations, made of unit length', () => walkerFile([], SHORTS), { renormalize: true }],
    ["in the space of the skin's root", () => walkerFile([ARMATURE, {}], ALONE), { space: 'skin-root' }],
    ['from the middle of the clips, 3x4', () => walkerFile([ARMATURE]), { from: 0.3, to: 0.9, layout: 'mat3x4' }],
    ['without a skin', () => doorFile(), {}],
];

const motionOf = (tr: readonly number[], row: number): Matrix => {
    const [x, y, z, ...rotation] = tr.slice(row * 7, row * 7 + 7);
    return compose([x!, y!, z!], rotation, [1, 1, 1]);
};

const distance = (a: readonly number[], b: readonly number[]) => Math.hypot(...a.map((x, i) => x - b[i]!));

/** Bakes with the motion in the frames and extracted; the verifier proves all arrays of both. */
async function judge({ path, hips }: Walker, options: BakeOptions): Promise<BakeOutput> {
    const bake = (root: BakeOptions['root']) => bakeFile(path, { emit: ARRAYS, rootJoint: hips, ...options, root });
    const [kept, moved] = [await bake('keep'), await bake('extract')];
    const [keep, extract] = [kept.outputs[0]!, moved.outputs[0]!];
    const tr = numbersOf(extract, 'root');
    expect(numbersOf(keep, 'root')).toEqual(tr);
    const { extent, clips } = extract.manifest;
    expect(keep.manifest.extent).toBe(extent);
    const rows = Array.from({ length: tr.length / 7 }, (_, row) => tr.slice(row * 7, row * 7 + 7));
    const turns = options.rootMotion === 'yaw';
    if (!turns) expect(Math.max(...rows.map(([x, , z]) => Math.hypot(x!, z!))) / extent).toBeGreaterThan(0.01);
    else if (options.space === undefined) for (const row of rows) expect(row.slice(0, 3)).toEqual([0, 0, 0]);
    for (const { firstRow, frameCount } of clips) {
        expect(rows[firstRow]).toEqual([0, 0, 0, 0, 0, 0, 1]);
        for (let row = firstRow + 1; row < firstRow + frameCount; row++) {
            const dot = [3, 4, 5, 6].reduce((sum, c) => sum + rows[row]![c]! * rows[row - 1]![c]!, 0);
            expect(dot).toBeGreaterThanOrEqual(0);
        }
    }
    for (const one of [kept, moved]) {
        const [written] = await writeBake(one, folder());
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
            await judge({ path: model.path, hips }, { fps: 15, rootMotion, clips });
        });
    });
}

test('a walk that goes on is a loop in place, and its box is that of a step', async () => {
    const { path } = walkerFile([ARMATURE], ALONE);
    const [kept, moved] = [await bakeFile(path, { fps: 24 }), await bakeFile(path, { fps: 24, root: 'in-place' })];
    const clipOf = ({ outputs }: typeof kept) => outputs[0]!.manifest.clips[0]!;
    expect([clipOf(kept).loop, clipOf(moved).loop]).toEqual([false, true]);
    const wide = ({ bounds }: { bounds: readonly number[] }) => bounds[3]! - bounds[0]!;
    expect(wide(clipOf(moved))).toBeLessThan(0.1 + wide(clipOf(kept)));
    expect(moved.outputs[0]!.manifest.arrays.root).toBeUndefined();
});

interface Spoilt {
    recipe: { root?: object };
    readonly bin: Buffer;
    /** Where the motion of frame 5 is. */
    readonly at: number;
}
const recipeSays = (mode: string, motion: string, node: number) => (of: Spoilt) => {
    of.recipe.root = { mode, motion, node };
};
/** In the palette or the motion, if not in the manifest. */
const ROWS = { array: expect.stringMatching(/^(palette|root)$/) };

test.each<[string, (of: Spoilt) => void, found: object | string]>([
    [
        'a motion that is wrong',
        ({ bin, at }) => void bin.writeFloatLE(bin.readFloatLE(at) + 0.01, at),
        { array: 'root', frame: 5, what: "joint 'hips'" },
    ],
    [
        'a rotation of the other sign',
        ({ bin, at }) => {
            for (let c = at + 12; c < at + 28; c += 4) bin.writeFloatLE(-bin.readFloatLE(c), c);
        },
        { array: 'root', error: Infinity },
    ],
    ['frames that are in place, and do not say so', ({ recipe }) => delete recipe.root, ROWS],
    ['other parts of the motion', recipeSays('extract', 'xyz+rotation', 1), ROWS],
    ['another joint', recipeSays('extract', 'xz+yaw', 2), ROWS],
    ['frames that are not in place', recipeSays('keep', 'xz+yaw', 1), ROWS],
    ['no such node', recipeSays('extract', 'xz+yaw', 99), 'SKIN_DIFFERS /recipe/root/node'],
    ['an array that should not be there', recipeSays('in-place', 'xz+yaw', 1), 'ARRAY_INVALID /arrays/root'],
])('verify sees %s', async (_, spoil, found) => {
    const { path } = walkerFile([ARMATURE]);
    const [written] = await writeBake(await bakeFile(path, { fps: 12, emit: ['palette', 'root'] }), folder());
    const manifest = JSON.parse(readFileSync(written!.json, 'utf8'));
    const bin = readFileSync(written!.bin);
    spoil({ recipe: manifest.recipe, bin, at: manifest.arrays.root.byteOffset + 5 * 28 });
    writeFileSync(written!.json, JSON.stringify(manifest));
    writeFileSync(written!.bin, bin);
    const verdict = await verifyBake(path, written!.json);
    const codes = verdict.problems.map((problem) => `${problem.code} ${problem.pointer}`);
    expect(verdict.ok).toBe(false);
    if (typeof found === 'string') expect(codes).toContain(found);
    else if (found !== ROWS || codes.length === 0) expect(verdict.worst).toMatchObject(found);
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
        () => walkerFile([], SHORTS),
        { emit: ['local'] },
        /rotation of node \d '\w+' is not of unit length.+renormalize helps/,
    ],
    [
        'a space that has unequal scale',
        () => walkerFile([{ name: 'armature', scale: [1, 2, 1] }], ALONE),
        { space: 'skin-root' },
        /space: the skin's root \(node 1\) has unequal scale or shear at rest.+'scene'$/,
    ],
    [
        'an unknown joint',
        () => walkerFile([]),
        { rootJoint: 'hip' },
        /rootJoint: no joint 'hip', has 'hips', 'leg', 'cape'$/,
    ],
    ['an attachment, where there are joints', () => walkerFile([]), { rootJoint: 'sword' }, /no joint 'sword'/],
])('refused: %s', async (_, make, options, message) => {
    await expect(bakeFile(make().path, { fps: 10, root: 'extract', ...options })).rejects.toThrow(message);
});

test('a joint that stands still is warned of, and one that moves is not', async () => {
    const { path } = walkerFile([{ name: 'armature' }], ALONE);
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
    const { path } = walkerFile([ARMATURE], ALONE);
    const { outputs } = await bakeFile(path, { fps: 30, root: 'extract' });
    const table = BakedTable.open(outputs[0]!.json, outputs[0]!.bin);
    for (const clip of [0, 1]) {
        const { duration, loop } = table.clips[clip]!;
        expect(loop).toBe(clip === 0);
        const at = (time: number) =>
            motionOf([...table.rootMotion(clip, Float64Array.of(time), new Float32Array(7))], 0);
        const within = (time: number) =>
            motionOf([...table.sample('root', clip, Float64Array.of(time), new Float32Array(7), { loop: 'clamp' })], 0);
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
