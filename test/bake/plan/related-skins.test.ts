// SPDX-License-Identifier: MIT

/** Skins of the same joints, with inverse bind matrices that differ by one matrix for each skin, give a warning. */

import { bakeFile } from '../../../lib/bake';
import { areRelated } from '../../../lib/bake/plan/related-skins';
import { multiply } from '../../../lib/verify/matrix';
import { GltfBuilder, keyed } from '../../support/gltf-builder';
import { random as randomOf, randomRotation, randomVector } from '../../support/random';
import { scratchFolder } from '../../support/temporary-folder';

const folder = scratchFolder();
const random = randomOf(22);

/** Rotation and scale about a point, column-major, in double precision. */
function placement(scale: number, far: number): number[] {
    const [x, y, z, w] = randomRotation(random) as [number, number, number, number];
    const [tx, ty, tz] = randomVector(random, far) as [number, number, number];
    return [
        ...[1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y), 0].map((a) => a * scale),
        ...[2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x), 0].map((a) => a * scale),
        ...[2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y), 0].map((a) => a * scale),
        ...[tx, ty, tz, 1],
    ];
}

/** Only scale and offset, as tools write for quantized positions. */
function dequantization(scale: number): number[] {
    const [x, y, z] = randomVector(random, 2) as [number, number, number];
    return [scale, 0, 0, 0, 0, scale, 0, 0, 0, 0, scale, 0, x, y, z, 1];
}

/** The same with more height, so that no scale is enough. */
function stretched(scale: number, height = 2): number[] {
    return dequantization(scale).map((x, i) => (i === 5 ? height * x : x));
}

const JOINTS = 12;

function product(a: readonly number[], b: readonly number[]): number[] {
    const out = new Float64Array(16);
    multiply(out, 0, Float64Array.from(a), 0, Float64Array.from(b), 0);
    return [...out];
}

function skin(matrices: readonly (readonly number[])[], joints = matrices.map((_, joint) => joint)) {
    return { name: '', joints, inverseBindMatrices: Float32Array.from(matrices.flat()) };
}

const single = (matrix: readonly number[]) => matrix.map(Math.fround);

describe.each([
    ['in meters', 1, 2],
    ['in centimeters', 0.01, 200],
    ['in micrometers', 1, 1e-5],
    ['far from the origin', 1, 1000],
])('a model %s', (_, size, far) => {
    test('one matrix for each skin, unless a joint has its own', () => {
        for (let round = 0; round < 80; round++) {
            const scale = [1, 40, 1 / 16383, 1 / 65535][round % 4]!;
            const source = Array.from({ length: JOINTS }, () => single(placement(size, far)));
            const times = (factor: readonly number[]) => source.map((bind) => product(bind, factor));
            const factor = dequantization(scale);
            const other = times(factor);
            expect(areRelated(skin(source), skin(other))).toBe(true);
            expect(areRelated(skin(other), skin(source))).toBe(true);
            // Two from one source.
            expect(areRelated(skin(other), skin(times(dequantization(scale / 3))))).toBe(true);
            const at = Math.floor(random() * JOINTS);
            const turned = times(dequantization(0.25));
            turned[at] = product(turned[at]!, dequantization(1.001));
            expect(areRelated(skin(source), skin(turned))).toBe(false);
        }
    });
});

test('different joints, and singular matrices', () => {
    const source = Array.from({ length: 3 }, () => placement(1, 1));
    expect(areRelated(skin(source), skin(source, [0, 1, 3]))).toBe(false);
    expect(areRelated(skin(source), skin([source[1]!, source[0]!, source[2]!], [1, 0, 2]))).toBe(false);
    expect(areRelated(skin(source), skin(source.slice(0, 2)))).toBe(false);
    const zero = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];
    expect(areRelated(skin([zero, zero, zero]), skin(source))).toBe(false);
    expect(areRelated(skin(source), skin([zero, zero, zero]))).toBe(false);
    const [, ...others] = source;
    const factor = dequantization(0.5);
    const hidden = [zero, ...others];
    expect(areRelated(skin(hidden), skin(hidden.map((bind) => product(bind, factor))))).toBe(true);
});

describe('the warning', () => {
    /** Three skins of two joints: two from one source, the third with other joint positions. */
    function model(factors: readonly number[][]): string {
        const builder = new GltfBuilder([{ children: [1] }, { translation: [0, 1, 0] }]);
        const source = [placement(1, 1), placement(1, 1)];
        for (const factor of factors) {
            builder.skinnedMesh(
                builder.skin([0, 1], { inverseBindMatrices: source.map((bind) => product(bind, factor)) }),
            );
        }
        builder.skin([0, 1], { inverseBindMatrices: [placement(1, 1), placement(1, 1)] });
        builder.animation('move', [keyed(0, 'translation', [0, 1], [0, 0, 0], [1, 0, 0])]);
        return builder.write(folder(), 'skins');
    }
    const found = async (path: string, options = {}) =>
        (await bakeFile(path, { fps: 4, ...options })).warnings.filter(({ code }) => code === 'SKINS_ALIKE');

    test('names the skins, the joints, the bytes and the fix', async () => {
        const path = model([dequantization(1), stretched(0.5), stretched(1 / 16383, 3)]);
        const [warning, ...others] = await found(path);
        expect(others).toEqual([]);
        expect(warning!.pointer).toBe('/skins/1/inverseBindMatrices');
        // 5 rows of 2 matrices of 64 bytes.
        expect(warning!.message).toMatch(
            /^3 skins \(0, 1, 2\) have the same 2 joints, .* take 1.88 KiB \(1920 bytes\), one would take 640 bytes; /,
        );
        expect(warning!.message).toMatch(/inverse bind matrices .*--quantization-volume scene/);
        expect((await found(path, { layout: 'mat3x4', dtype: 'f16', maxError: 1 }))[0]!.message).toMatch(
            /one would take 240 bytes/,
        );
    });

    test('does not appear for skins that share, for one skin, and without palettes', async () => {
        const factor = dequantization(0.5);
        expect(await found(model([factor, factor]))).toEqual([]);
        expect(await found(model([factor, dequantization(2)]))).toEqual([]);
        const path = model([factor, stretched(2)]);
        expect(await found(path)).toHaveLength(1);
        expect(await found(path, { skin: 1 })).toEqual([]);
        expect(await found(path, { emit: ['local'] })).toEqual([]);
    });
});
