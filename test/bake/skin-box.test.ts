// SPDX-License-Identifier: MIT

/** The addon's boxes are those of the twin, bit by bit; the twin's are those of moving every vertex. */

import { nativeSkinBox, type SkinBox, skinBoxTwin } from '../../lib/bake/skin-box';
import type { SkinnedPrimitive } from '../../lib/gltf/scene';
import { itNative } from '../support/implementations';
import { random as randomOf } from '../support/random';

interface Case {
    readonly primitives: readonly SkinnedPrimitive[];
    readonly joints: number;
    readonly palette: Float32Array;
    readonly rows: number;
}

/** Limbs here and there, with a share of vertices that several joints move, and some that none does. */
function randomCase(seed: number): Case {
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
        // Negative weights count as none, and a joint without a weight need not exist.
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
const empty = () => Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity);

/** Every vertex in every row, each place by the formula of glTF 2.0, 3.7.3.3. */
function bruteForce({ primitives, joints, palette, rows }: Case): number[] {
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

/** At once, in two parts, and row by row. */
function boxes(skinBox: SkinBox, { palette, joints, rows }: Case): number[][] {
    const result: number[][] = [[...skinBox.vertexBox], [...skinBox.jointBoxes]];
    for (const step of [rows, Math.ceil(rows / 2), 1]) {
        const box = empty();
        for (let row = 0; row < rows; row += step) {
            const count = Math.min(step, rows - row);
            skinBox.addRows(box, palette.subarray(row * joints * 16, (row + count) * joints * 16), count);
        }
        result.push([...box]);
    }
    return result;
}

test('the twin finds what moving every vertex finds', () => {
    for (const one of CASES) {
        const expected = bruteForce(one);
        const [vertexBox, , ...found] = boxes(skinBoxTwin(one.primitives, one.joints), one);
        for (const box of found) {
            for (const [side, value] of box.entries()) expect(Math.abs(value - expected[side]!)).toBeLessThan(1e-12);
        }
        const all = one.primitives.flatMap(({ positions }) => [...positions]);
        expect(Math.min(...vertexBox!.slice(0, 3))).toBe(Math.min(...all));
        expect(Math.max(...vertexBox!.slice(3))).toBe(Math.max(...all));
    }
});

test('a box only grows', () => {
    const one = CASES[5]!;
    const box = Float64Array.of(-100, -100, -100, 100, 100, 100);
    skinBoxTwin(one.primitives, one.joints).addRows(box, one.palette, one.rows);
    expect([...box]).toEqual([-100, -100, -100, 100, 100, 100]);
});

itNative('the addon gives the bits of the twin', () => {
    for (const one of CASES) {
        const native = nativeSkinBox(one.primitives, one.joints);
        expect(native).not.toBeNull();
        expect(boxes(native!, one)).toEqual(boxes(skinBoxTwin(one.primitives, one.joints), one));
    }
});

itNative('what does not fit is refused by the addon, which writes nothing then', () => {
    const { skinBox } = require('../../lib/addon/load').addon as {
        skinBox(...args: unknown[]): ((...args: unknown[]) => unknown) | false;
    };
    const { primitives, joints, palette, rows } = CASES[4]!;
    const { positions, joints: ids, weights, influences } = primitives[0]!;
    const good: unknown[] = [positions, ids, weights, influences];
    const box = empty();
    const each = new Float64Array(joints * 6);
    const bad: unknown[][] = [
        [box, each, 0, good],
        [box, each, 1.5, good],
        [box, each, 2 ** 20, good],
        [box, each, Math.max(...ids), good],
        [box, each, joints, good.slice(0, 3)],
        [box, each, joints, []],
        [box, each, joints, null],
        [box, each, joints, good.with(0, new Float64Array(positions))],
        [box, each, joints, good.with(0, new Float32Array(positions.length + 3))],
        [box, each, joints, good.with(1, ids.subarray(1))],
        [box, each, joints, good.with(1, new Uint8Array(ids))],
        [box, each, joints, good.with(2, weights.subarray(1))],
        [box, each, joints, good.with(3, 0)],
        [box, each, joints, good.with(3, influences + 1)],
        [box, each, joints, good.with(3, undefined)],
        [box.subarray(1), each, joints, good],
        [box, each.subarray(1), joints, good],
        [box, new Float32Array(each.length), joints, good],
        [each, each, joints, good],
        [new Float32Array(6), each, joints, good],
    ];
    for (const args of bad) expect(skinBox(...args)).toBe(false);
    expect([...box]).toEqual([...empty()]);
    expect(each.every((value) => value === 0)).toBe(true);

    const addRows = skinBox(box, each, joints, good) as (...args: unknown[]) => unknown;
    expect([...box]).not.toEqual([...empty()]);
    const grown = empty();
    const shared = new ArrayBuffer(palette.byteLength);
    const refused: unknown[][] = [
        [grown.subarray(1), palette, rows],
        [grown, palette, rows + 1],
        [grown, palette, -1],
        [grown, palette, 0.5],
        [grown, palette.subarray(1), rows],
        [grown, Array.from(palette), rows],
        [new Float64Array(shared, 0, 6), new Float32Array(shared), rows],
        [grown],
    ];
    for (const args of refused) expect(addRows(...args)).toBe(false);
    expect([...grown]).toEqual([...empty()]);
    expect(addRows(grown, palette, rows)).toBeUndefined();
    expect(grown.every(Number.isFinite)).toBe(true);
});
