// SPDX-License-Identifier: MIT

/** The layout qts16: the verifier proves rows and errors. test/bake/arrays tests errors above maxError, and numbers beyond half floats. */

import { type BakeOptions, type BakeOutput, bakeFile, writeBake } from '../../../../lib/bake';
import { matricesOfQts, mixQts } from '../../../../lib/format/qts';
import { readGltf } from '../../../../lib/gltf/read';
import { verifyBake } from '../../../../lib/verify';
import { DoubleEvaluator } from '../../../../lib/verify/evaluator';
import { transformed } from '../../../../lib/verify/matrix';
import { numbersOf } from '../../../bake/baked-scenes';
import { limbsFile } from '../../../support/limbs-file';
import { describeModel, FOX, KNIGHT, type Model, ROBOT, ROGUE } from '../../../support/models';
import { stretchedFile } from '../../../support/stretched-file';
import { scratchFolder } from '../../../support/temporary-folder';

const folder = scratchFolder();
const limbs = (seed: number) => limbsFile(folder(), seed);

/** Bakes, and proves with the verifier the rows, and the stated errors by its own playback. */
async function expectProved(path: string, options: BakeOptions): Promise<BakeOutput> {
    const { outputs } = await bakeFile(path, { ...options, layout: 'qts16' });
    const [files] = await writeBake(outputs, folder());
    const { ok, problems, clips } = await verifyBake(path, files!.json);
    expect({ ok, problems }).toEqual({ ok: true, problems: [] });
    // Errors are checked only if the rows are right.
    expect(clips.every(({ playback }) => playback !== null)).toBe(true);
    for (const { error } of outputs[0]!.manifest.clips) expect(error.maxLerp).toBeGreaterThan(0);
    return outputs[0]!;
}

describe('the verifier finds the same rows and errors', () => {
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
        const { manifest } = await expectProved(path, { space: 'skin-root', maxError: 0.05 });
        expect(manifest.skin!.indices).toEqual([0, 1]);
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
    const { outputs } = await bakeFile(limbs(5), { fps: 30, layout: 'qts16', maxError: 0.05 });
    const [{ manifest }] = outputs as [BakeOutput];
    const numbers = numbersOf(outputs[0]!, 'palette');
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

test('pivots are the origins of joints before skinning, and 0 for meshes on nodes', async () => {
    const path = limbs(6);
    const [output] = (await bakeFile(path, { fps: 5, layout: 'qts16', maxError: 0.05 })).outputs;
    const { pivots } = output!.manifest.arrays.palette!;
    const binds = (await DoubleEvaluator.load(path)).inverseBindsOf(0);
    for (const [joint, [x, y, z]] of pivots!.slice(0, 3).entries()) {
        const m = binds.subarray(joint * 16, joint * 16 + 16);
        for (let axis = 0; axis < 3; axis++) {
            expect(m[axis]! * x! + m[4 + axis]! * y! + m[8 + axis]! * z! + m[12 + axis]!).toBeCloseTo(0, 6);
        }
    }
    expect(pivots![3]).toEqual([0, 0, 0]);
});

test("fps 'auto' finds the rate at which playback of these rows is within the error", async () => {
    const path = limbs(7);
    const options: BakeOptions = { fps: 'auto', layout: 'qts16', maxError: 0.04, clips: ['turns'] };
    const [{ manifest }] = (await bakeFile(path, options)).outputs as [BakeOutput];
    const [clip] = manifest.clips;
    expect(clip!.error.maxLerp).toBeLessThanOrEqual(0.04);
    const lower = clip!.fps! - 1;
    const [other] = (await bakeFile(path, { ...options, fps: lower })).outputs;
    expect(other!.manifest.clips[0]!.error.maxLerp).toBeGreaterThan(0.04);
    // Matrices shrink between rows, so they need another rate.
    const [matrices] = (await bakeFile(path, { ...options, layout: 'mat4' })).outputs;
    expect(matrices!.manifest.clips[0]!.fps).not.toBe(clip!.fps);
});

test.each<[string, () => string]>([
    ['rotations and scales', () => limbs(7)],
    ['stretched columns', () => stretchedFile(folder(), 7, 1, true, true)],
])('no vertex is off by more than is stated, and the statement is not idle: %s', async (_, file) => {
    const path = file();
    const output = await expectProved(path, { fps: 11, maxError: 0.02, attachments: 'none' });
    const { arrays, clips } = output.manifest;
    const rows = numbersOf(output, 'palette');
    const pivots = Float32Array.from(arrays.palette!.pivots!.flatMap(([x, y, z, third = 0]) => [x!, y!, z!, third]));
    const width = arrays.palette!.shape[1]! * arrays.palette!.shape[2]!;
    const evaluator = await DoubleEvaluator.load(path);
    const primitives = (await readGltf(path)).skinnedMeshes.flatMap((mesh) => mesh.primitives);
    /** The maximum displacement of a vertex by matrices that are the difference of two poses. */
    const maxDisplacement = (apart: Float64Array) => {
        let worst = 0;
        for (const { positions, joints, weights, influences } of primitives) {
            for (let v = 0; v * 3 < positions.length; v++) {
                const off = [0, 0, 0];
                const [x, y, z] = positions.subarray(v * 3) as unknown as [number, number, number];
                for (let k = v * influences; k < (v + 1) * influences; k++) {
                    const moved = transformed(apart, joints[k]! * 16, x, y, z);
                    for (const axis of [0, 1, 2]) off[axis]! += weights[k]! * moved[axis]!;
                }
                worst = Math.max(worst, Math.hypot(...off));
            }
        }
        return worst;
    };
    for (const { animation, firstRow, frameCount, fps, duration, error } of clips) {
        let worst = 0;
        for (let i = 0; i < (frameCount - 1) * 8; i++) {
            const [frame, share] = [i >> 3, (i % 8) / 8];
            const [from, to] = [frame, frame + 1].map((f) => Math.min(Math.fround(f / fps!), duration)) as [
                number,
                number,
            ];
            const at = (firstRow + frame) * width;
            const two = Float32Array.from(rows.slice(at, at + 2 * width));
            const [mixed, shown] = [new Float32Array(width), new Float64Array(pivots.length * 4)];
            mixQts(mixed, 0, two, 0, two, width, width, Float64Array.of(share), pivots);
            matricesOfQts(shown, mixed, pivots);
            const meant = evaluator.palette(0, animation, from + (to - from) * share);
            worst = Math.max(worst, maxDisplacement(shown.map((x, k) => x - meant[k]!)));
        }
        expect(worst).toBeLessThanOrEqual(error.maxLerp * (1 + 1e-5));
        expect(worst).toBeGreaterThan(error.maxLerp / 20);
    }
});
