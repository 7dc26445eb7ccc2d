// SPDX-License-Identifier: MIT

/** The addon's errors of subtrees are those of the twin, bit by bit; the twin's are those of multiplying out every path. */

import { nativeSubtreeErrors } from '../../../lib/reduce/fit/choose-subtree-errors';
import { BLOCK, MATRIX, type SubtreeErrors, subtreeErrorsTwin } from '../../../lib/reduce/fit/subtree-errors';
import { compiledRigs } from '../../../lib/rig/compiled';
import { itNative, WASM } from '../../support/implementations';
import { random as randomOf } from '../../support/random';

type Arguments = Parameters<SubtreeErrors>;

/** Where its arguments are. */
const [TRIAL, ERRORS, LOCALS, SOURCE, PLACED, WEIGHTS, PARENTS, POINTS, STARTS, NODES, BLOCKS, FROM, TO, LIMIT] =
    Array.from({ length: 14 }, (_, i) => i) as [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13];

const SPECIAL = [0, -0, NaN, Infinity, -Infinity, 1e308, -1e308, 1e155, 5e-324, -2e-310, 2 ** -1022, 1, -1];

interface Shape {
    readonly seed: number;
    readonly count: number;
    readonly blocks: number;
    /** At most, of a node. */
    readonly points: number;
    /** Share of special numbers. */
    readonly special?: number;
}

/** Node 0 is a root, each other one is below one before it; the subtree is that of node `first`. */
function randomCase({ seed, count, blocks, points, special = 0 }: Shape, first = 0): Arguments {
    const random = randomOf(seed);
    const numbers = (length: number, size: number) =>
        Float64Array.from({ length }, () =>
            random() < special ? SPECIAL[Math.floor(random() * SPECIAL.length)]! : (random() * 2 - 1) * size,
        );
    const parents = Int32Array.from({ length: count }, (_, i) => (i === 0 ? -1 : Math.floor(random() * i)));
    const starts = new Int32Array(count + 1);
    for (let i = 0; i < count; i++) starts[i + 1] = starts[i]! + Math.floor(random() * (points + 1));
    const inside = new Set([first]);
    for (let i = first + 1; i < count; i++) if (inside.has(parents[i]!)) inside.add(i);
    const elements = count * blocks * MATRIX * BLOCK;
    return [
        new Float64Array(elements).fill(7),
        new Float64Array(count * blocks * BLOCK).fill(7),
        numbers(elements, 1),
        numbers(elements, 2),
        numbers(elements, 1),
        numbers(count * blocks * BLOCK, 4).map((weight) => (weight < 0 ? -weight : weight)),
        parents,
        numbers(starts[count]! * 3 + 3, 3),
        starts,
        Int32Array.from(inside),
        blocks,
        0,
        blocks,
        Infinity,
    ];
}

/** What it returns and writes. */
function figures(judge: SubtreeErrors, args: Arguments) {
    const written = [...args] as Arguments;
    written[TRIAL] = args[TRIAL].slice();
    written[ERRORS] = args[ERRORS].slice();
    const worst = judge(...written);
    return { worst, trial: written[TRIAL], errors: written[ERRORS] };
}

const CASES = [
    ...Array.from({ length: 16 }, (_, seed) =>
        randomCase({ seed, count: 1 + (seed % 9), blocks: 1 + (seed % 4), points: seed % 6 }, seed % 3 === 2 ? 1 : 0),
    ),
    ...Array.from({ length: 24 }, (_, i) =>
        randomCase({ seed: 100 + i, count: 5, blocks: 2, points: 9, special: [0.002, 0.02, 0.3][i % 3]! }, i % 2),
    ),
    // Without points, and many of them.
    randomCase({ seed: 200, count: 4, blocks: 3, points: 0 }),
    randomCase({ seed: 201, count: 1, blocks: 1, points: 300 }),
].flatMap((one) => {
    const from = Math.floor(one[BLOCKS] / 2);
    const part = one.with(FROM, from) as Arguments;
    const nothing = part.with(TO, from) as Arguments;
    const { worst } = figures(subtreeErrorsTwin, one);
    return [one, part, nothing, ...[0, worst / 2, worst, NaN].map((limit) => one.with(LIMIT, limit) as Arguments)];
});

test('the twin finds what points do that are taken through all matrices above them', () => {
    let moving = 0;
    for (let seed = 0; seed < 6; seed++) {
        const first = seed % 2;
        const args = randomCase({ seed, count: 6, blocks: 2, points: 5 }, first);
        const [, , locals, source, placed, weights, parents, points, starts, nodes, blocks] = args;
        const { worst, errors } = figures(subtreeErrorsTwin, args);
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

test('a displacement that is no number stays so, and is the worst of all', () => {
    for (const points of [0, 3]) {
        const args = randomCase({ seed: 5, count: 3, blocks: 2, points });
        args[LOCALS][3 * BLOCK + 2] = NaN;
        const { worst, errors } = figures(subtreeErrorsTwin, args);
        expect(worst).toBe(Infinity);
        expect([...errors.keys()].filter((i) => Number.isNaN(errors[i]))).toEqual([2, 18, 34]);
    }
});

test('nodes behind one above the limit are left out', () => {
    const args = randomCase({ seed: 9, count: 5, blocks: 1, points: 4 }).with(LIMIT, 0) as Arguments;
    args[STARTS].fill(4, 1);
    args[STARTS][0] = 0;
    const { worst, trial } = figures(subtreeErrorsTwin, args);
    expect(worst).toBeGreaterThan(0);
    const own = MATRIX * BLOCK;
    expect([...trial.subarray(own)].every((value) => value === 7)).toBe(true);
    expect([...trial.subarray(0, own)].some((value) => value === 7)).toBe(false);
});

itNative('every instruction set gives the bits of the twin', () => {
    const available = compiledRigs.filter(({ implementation }) => implementation !== null).map(({ name }) => name);
    expect([...nativeSubtreeErrors.keys()]).toEqual(available.filter((name) => name !== WASM));
    expect(available).toContain('strict/scalar');
    for (const args of CASES) {
        const expected = figures(subtreeErrorsTwin, args);
        for (const judge of nativeSubtreeErrors.values()) expect(figures(judge, args)).toEqual(expected);
        // From where the subtree hangs on in the list that is written.
        const hanging = [...args] as Arguments;
        const twice = (judge: SubtreeErrors) => {
            hanging[TRIAL] = args[PLACED].slice();
            hanging[PLACED] = hanging[TRIAL];
            hanging[ERRORS] = args[ERRORS].slice();
            return [judge(...hanging), hanging[TRIAL], hanging[ERRORS]];
        };
        for (const judge of nativeSubtreeErrors.values()) expect(twice(judge)).toEqual(twice(subtreeErrorsTwin));
    }
});

describe('what memory depends on', () => {
    const { rigs } = (require('../../../lib/addon/load').addon ?? { rigs: [] }) as {
        rigs: { subtreeErrors?(...args: unknown[]): unknown }[];
    };
    const natives = rigs.flatMap(({ subtreeErrors }) => subtreeErrors ?? []);
    const good = () => randomCase({ seed: 11, count: 4, blocks: 2, points: 3 }, 1);

    itNative('the addon refuses lists that are too short and indices out of bounds, and writes nothing', () => {
        const args = good();
        const count = args[PARENTS].length;
        const last = args[NODES].at(-1)!;
        expect(last).toBe(count - 1);
        const points = args[STARTS][count]!;
        const bad: [number, unknown][] = [
            ...[TRIAL, ERRORS, LOCALS, SOURCE, WEIGHTS].flatMap((at): [number, unknown][] => [
                [at, args[at].subarray(1)],
                [at, new Float32Array(args[at].length)],
                [at, Array.from(args[at])],
                [at, null],
            ]),
            [PLACED, args[PLACED].subarray(0, 2 * MATRIX * BLOCK - 1)],
            [PARENTS, args[PARENTS].subarray(0, last)],
            [PARENTS, new Uint32Array(args[PARENTS])],
            [PARENTS, args[PARENTS].with(1, count)],
            [PARENTS, args[PARENTS].with(last, 2 ** 31 - 1)],
            [POINTS, args[POINTS].subarray(0, points * 3 - 1)],
            [STARTS, args[STARTS].subarray(0, count)],
            [STARTS, args[STARTS].with(1, -1)],
            [STARTS, args[STARTS].with(count, args[STARTS][last]! - 1)],
            [STARTS, args[STARTS].with(count, 2 ** 31 - 1)],
            [NODES, args[NODES].with(0, -1)],
            [NODES, args[NODES].with(args[NODES].length - 1, count)],
            [NODES, new Int32Array(0)],
            [NODES, new Float64Array(1)],
            ...[0, -1, 1.5, NaN, 3, 2 ** 31 - 1, 2 ** 32 + 2, undefined].map((x): [number, unknown] => [BLOCKS, x]),
            ...[-1, 0.5, 3, '0'].map((x): [number, unknown] => [FROM, x]),
            ...[-1, 3, Infinity, {}].map((x): [number, unknown] => [TO, x]),
            [LIMIT, undefined],
        ];
        for (const native of natives) {
            for (const [at, value] of bad) expect([at, native(...args.with(at, value as never))]).toEqual([at, false]);
            expect(native()).toBe(false);
            for (const at of [TRIAL, ERRORS]) expect(args[at].every((value) => value === 7)).toBe(true);
        }
    });

    itNative('the addon refuses to write where it reads', () => {
        const args = good();
        const kept = args[TRIAL].slice();
        for (const native of natives) {
            for (const at of [ERRORS, LOCALS, SOURCE, WEIGHTS, POINTS]) {
                expect([at, native(...args.with(at, args[TRIAL]))]).toEqual([at, false]);
                if (at !== ERRORS) expect([at, native(...args.with(ERRORS, args[at]))]).toEqual([at, false]);
            }
            for (const at of [PARENTS, STARTS, NODES] as const) {
                const inside = new Int32Array(args[TRIAL].buffer, 64, args[at].length);
                inside.set(args[at]);
                expect([at, native(...args.with(at, inside))]).toEqual([at, false]);
                args[TRIAL].set(kept);
            }
            const longer = new Float64Array(args[TRIAL].length + 8);
            const shifted = args.with(TRIAL, longer.subarray(8)).with(PLACED, longer.subarray(0, -8));
            expect(native(...shifted)).toBe(false);
            expect(longer.every((value) => value === 0)).toBe(true);
            expect(args[TRIAL]).toEqual(kept);
            expect(native(...args)).toBeGreaterThan(0);
            args[TRIAL].set(kept);
        }
    });
});
