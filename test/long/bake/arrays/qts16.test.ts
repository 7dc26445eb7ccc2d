// SPDX-License-Identifier: MIT

/** The layout qts16: its rows, its playback and its error against the double evaluator; what it cannot hold is refused. */

import { join } from 'node:path';
import { type BakeOptions, type BakeOutput, bakeFile, writeBake } from '../../../../lib/bake';
import { bakeScene } from '../../../../lib/bake/bake';
import { verifyBake } from '../../../../lib/verify';
import { columnsOfBake } from '../../../../lib/verify/columns';
import { DoubleEvaluator } from '../../../../lib/verify/evaluator';
import { createSubject, paletteOf, poseAt } from '../../../../lib/verify/pose';
import { verticesOf } from '../../../../lib/verify/vertices';
import { numbersOf } from '../../../bake/baked-scenes';
import { channel, node, scene, skin } from '../../../rig/scenes';
import { limbsFile } from '../../../support/limbs-file';
import { describeModel, FOX, KNIGHT, type Model, ROBOT, ROGUE } from '../../../support/models';
import { knightFile } from '../../../support/rigid-files';
import { scratchFolder } from '../../../support/temporary-folder';

const folder = scratchFolder();
const limbs = (seed: number) => limbsFile(folder(), seed);

/** A column as docs/format.md has it: v -> s R (v - p0) + p. */
function shownAt(column: readonly number[], pivot: readonly number[], v: ArrayLike<number>): number[] {
    const [x, y, z, w, , , , s] = column as [number, number, number, number, number, number, number, number];
    const length = Math.hypot(x, y, z, w);
    const q = [x / length, y / length, z / length];
    const d = [0, 1, 2].map((axis) => v[axis]! - pivot[axis]!);
    // v + 2 q x (q x v + w v)
    const cross = (a: number[], b: number[]) =>
        [0, 1, 2].map((i) => a[(i + 1) % 3]! * b[(i + 2) % 3]! - a[(i + 2) % 3]! * b[(i + 1) % 3]!);
    const inner = cross(q, d).map((value, i) => value + (w / length) * d[i]!);
    const turned = cross(q, inner).map((value, i) => d[i]! + 2 * value);
    return turned.map((value, axis) => s * value + column[4 + axis]!);
}

function mixed(a: readonly number[], b: readonly number[], share: number): number[] {
    const dot = [0, 1, 2, 3].reduce((sum, k) => sum + a[k]! * b[k]!, 0);
    return a.map((from, k) => from * (1 - share) + b[k]! * share * (k < 4 && dot < 0 ? -1 : 1));
}

/** How far every vertex is off at every eighth of every interval, at worst, in each clip: what was baked against the double evaluator. */
async function vertexErrors(path: string, output: BakeOutput): Promise<number[]> {
    const evaluator = await DoubleEvaluator.load(path);
    const { manifest } = output;
    const { palette } = manifest.arrays;
    const columns = columnsOfBake(evaluator, manifest.skin?.index ?? null, undefined);
    const subject = createSubject(evaluator, columns, [], manifest.recipe);
    const vertices = verticesOf(evaluator.file, subject);
    const numbers = numbersOf(output, 'palette');
    const columnAt = (row: number, column: number) => {
        const at = (row * palette!.shape[1]! + column) * 8;
        return numbers.slice(at, at + 8);
    };
    return manifest.clips.map(({ animation, firstRow, frameCount, fps, duration, discontinuities }) => {
        const timeOf = (frame: number) =>
            frame === frameCount - 1 ? Math.fround(duration) : Math.fround(frame / fps!);
        let worst = 0;
        for (let frame = 0; frame < frameCount; frame++) {
            const held = frame === frameCount - 1 || discontinuities.includes(frame + 1);
            for (let k = 0; k < (held ? 1 : 8); k++) {
                const time = timeOf(frame) + (held ? 0 : ((timeOf(frame + 1) - timeOf(frame)) * k) / 8);
                const exact = paletteOf(subject, poseAt(subject, animation, time));
                const rows = Array.from({ length: columns.nodes.length }, (_, column) => {
                    const from = columnAt(firstRow + frame, column);
                    return k === 0 ? from : mixed(from, columnAt(firstRow + frame + 1, column), k / 8);
                });
                for (const { count, positions, influences, joints, weights } of vertices) {
                    for (let v = 0; v < count; v++) {
                        const off = [0, 0, 0];
                        let sum = 0;
                        for (let i = v * influences; i < (v + 1) * influences; i++) {
                            const weight = weights[i]!;
                            if (weight === 0) continue;
                            const joint = joints[i]!;
                            const at = positions.subarray(v * 3, v * 3 + 3);
                            const shown = shownAt(rows[joint]!, palette!.pivots![joint]!, at);
                            const m = exact.subarray(joint * 16, joint * 16 + 16);
                            sum += weight;
                            for (let axis = 0; axis < 3; axis++) {
                                const meant =
                                    m[axis]! * at[0]! + m[4 + axis]! * at[1]! + m[8 + axis]! * at[2]! + m[12 + axis]!;
                                off[axis]! += weight * (shown[axis]! - meant);
                            }
                        }
                        worst = Math.max(worst, Math.hypot(...off) / sum);
                    }
                }
            }
        }
        return worst;
    });
}

/** Baked; judged by the verifier, figures and all, and vertex by vertex. */
async function expectProved(path: string, options: BakeOptions): Promise<BakeOutput> {
    const { outputs } = await bakeFile(path, { ...options, layout: 'qts16' });
    const [files] = await writeBake(outputs, folder());
    const { ok, problems, clips } = await verifyBake(path, files!.json);
    expect(problems).toEqual([]);
    expect(ok).toBe(true);
    // Figures are judged where the rows are right.
    expect(clips.every(({ playback }) => playback !== null)).toBe(true);
    const output = outputs[0]!;
    const found = await vertexErrors(path, output);
    const stated = output.manifest.clips.map(({ error }) => error.maxLerp);
    for (const [clip, error] of found.entries()) {
        expect(stated[clip]).toBeGreaterThan(0);
        expect(error).toBeLessThanOrEqual(stated[clip]! * (1 + 1e-5));
        // Boxes hold little more than vertices: the bound is no idle one.
        expect(error).toBeGreaterThan(stated[clip]! / 20);
    }
    return output;
}

describe('what is stated is what every vertex keeps to', () => {
    test.each([1, 2, 3])('scale to 0 and below, mirrored parts, binds that turn and scale (%d)', async (seed) => {
        const path = limbs(seed);
        const { manifest, bin } = await expectProved(path, { fps: 11, maxError: 0.02 });
        expect(manifest.arrays.palette).toMatchObject({
            layout: 'qts16',
            dtype: 'f16',
            shape: [manifest.clips.reduce((n, { frameCount }) => n + frameCount, 0), 4, 8],
        });
        const [matrices] = (await bakeFile(path, { fps: 11 })).outputs;
        expect(bin.length * 4).toBe(matrices!.bin.length);
        // The first two joints and the mirrored mesh, which the jump hides.
        const scales = numbersOf({ manifest, bin } as BakeOutput, 'palette').filter((_, i) => i % 8 === 7);
        const ofColumn = (column: number) => scales.filter((_, i) => i % 4 === column);
        expect(Math.min(...ofColumn(1))).toBeLessThan(-0.9);
        expect(ofColumn(3)).toContain(0);
        expect(Math.max(...ofColumn(3).slice(0, manifest.clips[0]!.frameCount))).toBeLessThan(0);
    });

    test("in the space of the skin's root", async () => {
        const path = limbs(4);
        const { outputs } = await bakeFile(path, { layout: 'qts16', space: 'skin-root', maxError: 0.05 });
        expect(outputs.map(({ manifest }) => manifest.skin!.indices)).toEqual([[0, 1]]);
        const [files] = await writeBake(outputs, folder());
        expect(await verifyBake(path, files!.json)).toMatchObject({ ok: true, problems: [] });
    });

    for (const model of [ROBOT, KNIGHT, ROGUE, FOX] satisfies Model[]) {
        describeModel(model, () => {
            test('a clip', async () => {
                await expectProved(model.path, { fps: 10, clips: ['#1'] });
            });
        });
    }
});

test('successive rotations are on the same side, the first of a clip on that of w', async () => {
    const [{ manifest, ...rest }] = (await bakeFile(limbs(5), { fps: 30, layout: 'qts16', maxError: 0.05 }))
        .outputs as [BakeOutput];
    const numbers = numbersOf({ manifest, ...rest }, 'palette');
    const at = (row: number, column: number) => numbers.slice((row * 4 + column) * 8, (row * 4 + column) * 8 + 4);
    const negative = new Set<boolean>();
    for (const { firstRow, frameCount } of manifest.clips) {
        for (let column = 0; column < 4; column++) {
            expect(at(firstRow, column)[3]).toBeGreaterThanOrEqual(0);
            for (let row = firstRow + 1; row < firstRow + frameCount; row++) {
                const before = at(row - 1, column);
                expect(at(row, column).reduce((sum, x, k) => sum + x * before[k]!, 0)).toBeGreaterThanOrEqual(0);
                negative.add(at(row, column)[3]! < 0);
            }
        }
    }
    expect(negative).toEqual(new Set([true, false]));
});

test('pivots are where the origins of joints are before skinning, and 0 for what hangs on nodes', async () => {
    const [output] = (await bakeFile(limbs(6), { fps: 5, layout: 'qts16', maxError: 0.05 })).outputs;
    const { pivots } = output!.manifest.arrays.palette!;
    const evaluator = await DoubleEvaluator.load(join(folder(), 'limbs-6.gltf'));
    const binds = evaluator.inverseBindsOf(0);
    for (let joint = 0; joint < 3; joint++) {
        const m = binds.subarray(joint * 16, joint * 16 + 16);
        const [x, y, z] = pivots![joint]!;
        for (let axis = 0; axis < 3; axis++) {
            expect(m[axis]! * x! + m[4 + axis]! * y! + m[8 + axis]! * z! + m[12 + axis]!).toBeCloseTo(0, 6);
        }
    }
    expect(pivots![3]).toEqual([0, 0, 0]);
});

test("fps 'auto' finds the rate at which playback of these rows keeps to the error", async () => {
    const path = limbs(7);
    const options: BakeOptions = { fps: 'auto', layout: 'qts16', maxError: 0.04, clips: ['turns'] };
    const [{ manifest }] = (await bakeFile(path, options)).outputs as [BakeOutput];
    const [clip] = manifest.clips;
    expect(clip!.error.maxLerp).toBeLessThanOrEqual(0.04);
    const lower = clip!.fps! - 1;
    const [other] = (await bakeFile(path, { ...options, fps: lower })).outputs;
    expect(other!.manifest.clips[0]!.error.maxLerp).toBeGreaterThan(0.04);
    // Matrices, which shrink between rows, need another one.
    const [matrices] = (await bakeFile(path, { ...options, layout: 'mat4' })).outputs;
    expect(matrices!.manifest.clips[0]!.fps).not.toBe(clip!.fps);
});

describe('refused', () => {
    const at = (scale: number[], shear = 0) => {
        const nodes = [
            node(-1, { name: 'hips', scale: shear === 0 ? [1, 1, 1] : [1, 1 + shear, 1] }),
            node(0, { name: 'arm', rotation: shear === 0 ? [0, 0, 0, 1] : [0, 0, 0.6, 0.8] }),
        ];
        const animations = [
            {
                name: 'grow',
                channels: [channel(1, 'scale', 'LINEAR', [0, 1], [1, 1, 1, ...scale])],
            },
        ];
        return scene(nodes, [skin([0, 1])], animations);
    };
    const options: BakeOptions = { fps: 2, layout: 'qts16' };
    const message = (text: RegExp) => ({
        name: 'ToleranceError',
        code: 'ERR_TOLERANCE',
        message: expect.stringMatching(text),
    });

    test('scale that is not uniform, with the joint, the clip and the frame', async () => {
        const text =
            /test\.glb: clip #0 'grow', frame 1, joint 1 'arm' \(node 1\): its scale is not uniform.* use 'mat4'/;
        await expect(bakeScene(at([1, 1.5, 1]), options)).rejects.toMatchObject(message(text));
        await expect(bakeScene(at([1, -1, 1]), { ...options, fps: 1 })).resolves.toBeDefined();
        await expect(bakeScene(at([1, 1, 0]), options)).rejects.toMatchObject(message(/frame 1, joint 1/));
    });

    test('shear, from unequal scale above a turn', async () => {
        await expect(bakeScene(at([1, 1, 1], 0.5), options)).rejects.toMatchObject(message(/frame 0, joint 0 'hips'/));
        await expect(bakeScene(at([1, 1, 1], 1e-4), options)).resolves.toBeDefined();
        const input = knightFile(folder());
        await expect(bakeFile(input, { ...options, skin: 0 })).rejects.toMatchObject(
            message(/joint 1 'hand' \(node 3\)/),
        );
    });

    test('but not of joints that move no vertex, whose rotation is as near as it can be', async () => {
        const skinned = {
            node: 0,
            mesh: 0,
            skin: 0,
            primitives: [
                {
                    positions: Float32Array.of(1, 0, 0, 0, 1, 0),
                    influences: 4,
                    joints: new Uint16Array(8),
                    weights: Float32Array.of(1, 0, 0, 0, 1, 0, 0, 0),
                },
            ],
        };
        const { outputs } = await bakeScene({ ...at([1, 1.5, 1]), skinnedMeshes: [skinned] }, options);
        expect(outputs[0]!.manifest.clips[0]!.error.maxLerp).toBeLessThan(1e-6);
    });

    test('errors above maxError, and what is beyond half floats', async () => {
        const rise = (height: number) => {
            const channels = [channel(0, 'translation', 'LINEAR', [0, 1], [0, 0, 0, 0, height, 0])];
            return scene([node(-1), node(0, { translation: [0, 1, 0] })], [skin([0, 1])], [{ name: 'rise', channels }]);
        };
        // Halves are 2 apart between 2,048 and 4,096.
        const far = { ...options, fps: 1 };
        await expect(bakeScene(rise(2051), { ...far, maxError: 0.9 })).rejects.toMatchObject(
            message(/off by 1, more than the 0\.9 of maxError: use 'mat4'/),
        );
        const [{ manifest }] = (await bakeScene(rise(2051), { ...far, maxError: 1.5 })).outputs as [BakeOutput];
        expect(manifest.recipe.maxError).toBe(1.5);
        expect(manifest.clips[0]!.error.maxLerp).toBeGreaterThanOrEqual(1);
        await expect(bakeScene(rise(2051), far)).rejects.toMatchObject(message(/more than the 0\.001/));
        await expect(bakeScene(rise(65505), { ...far, maxError: 1e6 })).rejects.toMatchObject(
            message(/frame 1, joint 0 .*65505 is beyond half floats/),
        );
    });
});
