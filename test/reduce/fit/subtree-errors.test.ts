// SPDX-License-Identifier: MIT

/** The errors of a subtree equal those of multiplying every path. */

import { BLOCK, type Clip, MATRIX } from '../../../lib/reduce/fit/clip';
import { judge } from '../../../lib/reduce/fit/subtree-errors';
import { random as randomOf } from '../../support/random';

interface Case {
    readonly clip: Clip;
    readonly nodes: Int32Array;
}

/** Node 0 is the root, and the parent of each other node has a smaller index. The subtree is that of node `first`. */
function randomCase(seed: number, count: number, blocks: number, most: number, first = 0): Case {
    const random = randomOf(seed);
    const numbers = (length: number, size: number) => Float64Array.from({ length }, () => (random() * 2 - 1) * size);
    const parents = Int32Array.from({ length: count }, (_, i) => (i === 0 ? -1 : Math.floor(random() * i)));
    const starts = new Int32Array(count + 1);
    for (let i = 0; i < count; i++) starts[i + 1] = starts[i]! + Math.floor(random() * (most + 1));
    const inside = new Set([first]);
    for (let i = first + 1; i < count; i++) if (inside.has(parents[i]!)) inside.add(i);
    const elements = count * blocks * MATRIX * BLOCK;
    const clip = {
        model: { parents, points: numbers(starts[count]! * 3, 3), starts },
        blocks,
        trial: new Float64Array(elements).fill(7),
        trialErrors: new Float64Array(count * blocks * BLOCK).fill(7),
        localMatrices: numbers(elements, 1),
        source: numbers(elements, 2),
        placed: numbers(elements, 1),
        weights: numbers(count * blocks * BLOCK, 4).map(Math.abs),
    };
    return { clip: clip as unknown as Clip, nodes: Int32Array.from(inside) };
}

test('errors equal those of points multiplied by all matrices above them', () => {
    let moving = 0;
    for (let seed = 0; seed < 6; seed++) {
        const first = seed % 2;
        const { clip, nodes } = randomCase(seed, 6, 2, 5, first);
        const { localMatrices: locals, source, placed, weights, blocks, trialErrors: errors } = clip;
        const { parents, points, starts } = clip.model;
        const worst = judge(clip, nodes, 0, blocks);
        const expected = new Float64Array(errors.length).fill(7);
        for (const node of nodes) {
            for (let sample = 0; sample < blocks * BLOCK; sample++) {
                const at = (list: Float64Array, n: number, e: number) =>
                    list[((n * blocks + Math.floor(sample / BLOCK)) * MATRIX + e) * BLOCK + (sample % BLOCK)]!;
                const moved = (list: Float64Array, n: number, [x, y, z]: number[]) =>
                    [0, 4, 8].map(
                        (r) =>
                            at(list, n, r) * x! +
                            at(list, n, r + 1) * y! +
                            at(list, n, r + 2) * z! +
                            at(list, n, r + 3),
                    );
                let max = 0;
                for (let p = starts[node]!; p < starts[node + 1]!; p++) {
                    const point = [...points.subarray(p * 3, p * 3 + 3)];
                    let shown = point;
                    for (let n = node; n >= 0; n = n === first ? -1 : parents[n]!) shown = moved(locals, n, shown);
                    if (first > 0) shown = moved(placed, parents[first]!, shown);
                    const wanted = moved(source, node, point);
                    max = Math.max(
                        max,
                        shown.reduce((sum, value, axis) => sum + (value - wanted[axis]!) ** 2, 0),
                    );
                }
                expected[node * blocks * BLOCK + sample] = max * weights[node * blocks * BLOCK + sample]!;
            }
        }
        if (worst > 0) moving++;
        for (const [i, error] of errors.entries()) {
            expect(Math.abs(error - expected[i]!)).toBeLessThanOrEqual(1e-11 * expected[i]!);
        }
        expect(worst).toBe(Math.max(...[...nodes].flatMap((n) => [...errors].slice(n * 16, n * 16 + 16))));
    }
    expect(moving).toBeGreaterThanOrEqual(4);
});

test('a displacement of NaN stays NaN, and is the worst of all', () => {
    for (const points of [0, 3]) {
        const { clip, nodes } = randomCase(5, 3, 2, points);
        clip.localMatrices[3 * BLOCK + 2] = NaN;
        expect(judge(clip, nodes, 0, 2)).toBe(Infinity);
        const errors = clip.trialErrors;
        expect([...errors.keys()].filter((i) => Number.isNaN(errors[i]))).toEqual([2, 18, 34]);
    }
});

test('nodes after one above the limit are left out', () => {
    const { clip, nodes } = randomCase(9, 5, 1, 4);
    const { model, trial } = clip;
    model.starts.fill(4, 1);
    expect(judge(clip, nodes, 0, 1, 0)).toBeGreaterThan(0);
    const own = MATRIX * BLOCK;
    expect([...trial.subarray(own)].every((value) => value === 7)).toBe(true);
    expect([...trial.subarray(0, own)].some((value) => value === 7)).toBe(false);
});
