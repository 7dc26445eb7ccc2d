// SPDX-License-Identifier: MIT

/** The boxes of rows are the boxes of all moved vertices. */

import type { SkinnedPrimitive } from '../../../lib/gltf/scene';
import { emptyBox } from '../../../lib/rig/measure/geometry';
import { skinBoxOf } from '../../../lib/rig/measure/skin-box';
import { random as randomOf } from '../../support/random';

/** The skin's influences, and rows of its palette: `[row][joint]`, column-major 4x4. */
interface Skinned {
    readonly primitives: readonly SkinnedPrimitive[];
    readonly joints: number;
    readonly palette: Float32Array;
    readonly rows: number;
}

/** Limbs in several places; some vertices follow several joints, and some follow none. */
function randomCase(seed: number): Skinned {
    const random = randomOf(seed);
    const joints = 1 + (seed % 9);
    const rows = 1 + (seed % 4) * 7;
    const primitives = Array.from({ length: 1 + (seed % 3) }, (_, n) => {
        const influences = 4 * (1 + (n % 2));
        const vertices = 1 + Math.floor(random() * 150);
        const positions = Float32Array.from({ length: vertices * 3 }, () => random() * 2 - 1);
        const ids = Uint16Array.from({ length: vertices * influences }, () => Math.floor(random() * joints));
        const weights = Float32Array.from({ length: vertices * influences }, (_, i) =>
            random() < 0.5 ? 0 : random() * (i % influences === 0 ? 1 : 0.3),
        );
        // Negative weights count as 0, and a joint without weights need not exist.
        for (let v = 0; v < vertices; v += 11) weights.fill(-0.1, v * influences, (v + 1) * influences);
        if (seed % 2 === 1) ids[0] = joints + 3;
        if (ids[0]! >= joints) weights.fill(0, 0, influences);
        return { positions, joints: ids, weights, influences };
    });
    const palette = Float32Array.from({ length: rows * joints * 16 }, (_, e) =>
        e % 4 === 3 ? Number(e % 16 === 15) : (random() * 2 - 1) * (e % 16 > 11 ? 3 : 1),
    );
    return { primitives, joints, palette, rows };
}

const CASES = Array.from({ length: 36 }, (_, seed) => randomCase(seed));

/** Every vertex in every row: glTF 2.0, 3.7.3.3. */
function bruteForce({ primitives, joints, palette, rows }: Skinned): number[] {
    const places: number[][] = [];
    for (const { positions, joints: ids, weights, influences } of primitives) {
        for (let at = 0; at < (positions.length / 3) * rows; at++) {
            const v = Math.floor(at / rows);
            const moved = Array.from(ids.subarray(v * influences, (v + 1) * influences), (id, i) => {
                return [id, Math.max(weights[v * influences + i]!, 0)] as const;
            });
            const sum = moved.reduce((total, [, weight]) => total + weight, 0);
            const first = moved[0]![0] < joints ? moved[0]![0] : 0;
            const used = sum > 0 ? moved.filter(([, weight]) => weight > 0) : [[first, 1] as const];
            const place = [0, 1, 2].map((axis) =>
                used.reduce((total, [id, weight]) => {
                    const m = palette.subarray(((at % rows) * joints + id) * 16);
                    const dot = [0, 1, 2].reduce((d, k) => d + m[axis + 4 * k]! * positions[v * 3 + k]!, m[12 + axis]!);
                    return total + (weight / (sum > 0 ? sum : 1)) * dot;
                }, 0),
            );
            places.push(place);
        }
    }
    const axes = [0, 1, 2].map((axis) => places.map((place) => place[axis]!));
    return [...axes.map((values) => Math.min(...values)), ...axes.map((values) => Math.max(...values))];
}

test('a box grows by the moved vertices, in one call, in two parts, and row by row', () => {
    for (const one of CASES) {
        const { addRows } = skinBoxOf(one.primitives, one.joints)!;
        const expected = bruteForce(one);
        for (const step of [one.rows, Math.ceil(one.rows / 2), 1]) {
            const box = emptyBox();
            for (let row = 0; row < one.rows; row += step) {
                addRows(box, one.palette.subarray(row * one.joints * 16, (row + step) * one.joints * 16));
            }
            for (const [side, value] of box.entries()) expect(Math.abs(value - expected[side]!)).toBeLessThan(1e-12);
        }
    }
});

test('a skin without vertices has no box', () => {
    expect(skinBoxOf([], 3)).toBeNull();
    const lists = { positions: new Float32Array(0), weights: new Float32Array(0), joints: new Uint16Array(0) };
    expect(skinBoxOf([{ ...lists, influences: 4 }], 3)).toBeNull();
});
