// SPDX-License-Identifier: MIT

/** `strict/typescript` against the references of lib/strict, its formulas written to be read: the same bits, whatever the numbers. */

import * as fs from 'node:fs';
import * as path from 'node:path';
import { type BindableRoutine, ROUTINES, STRICT_ROUTINES, strictKernels } from '../../lib/lists/routines';
import { PQ8, PS9 } from '../../lib/strict/coefficients';
import { ALIGNMENTS, expectSameBits, guardedFloats } from '../support/bytes';
import {
    awkwardMats,
    awkwardPair,
    bones,
    distinctIndex,
    jointMats,
    jointQuatPair,
    random,
    repeatingIndex,
    TREE_SHAPES,
    tree,
} from '../support/joint-data';
import { strictReference } from '../support/strict-reference';

/** Around the four of a round and the 64 of a block; and long lists. */
const COUNTS = [...Array(21).keys(), 62, 63, 64, 65, 66, 127, 128, 129, 130, 300];
const SPARE = 3;
const TIMES = [
    ...[-1, 0, -0, 2 ** -149, 1e-20, 1e-7],
    ...Array.from({ length: 63 }, (_, k) => (k + 1) / 64),
    ...[0.5 + 2 ** -24, 0.1, 1 - 2 ** -24, 1 - 2 ** -26, 1, 2, Infinity, -Infinity, Number.NaN],
];
type Next = () => number;

/** Ordinary and awkward lists in turn. */
const poses = (next: Next, n: number) => (next() < 0.5 ? jointQuatPair : awkwardPair)(next, n + SPARE);
const matrices = (next: Next, n: number) => (next() < 0.5 ? jointMats : awkwardMats)(next, n + SPARE);
const skeletons = (next: Next, n: number) => (next() < 0.5 ? bones : awkwardMats)(next, n + SPARE);
const someTimes = (next: Next, n: number) =>
    Float32Array.from({ length: n }, () => (next() < 0.4 ? TIMES[Math.floor(next() * TIMES.length)]! : next()));

/** All joints; some from the first; in any order; the same ones again and again. */
const INDICES: readonly [string, (next: Next, n: number) => Int32Array | null][] = [
    ['without an index', () => null],
    ['with an increasing index', (next, n) => distinctIndex(next, n + SPARE, n).sort()],
    ['with an index in any order', (next, n) => distinctIndex(next, n + SPARE, n)],
    ['with duplicates', (next, n) => repeatingIndex(next, Math.max(1, n >> 1), n)],
    ['with neighbouring duplicates', (_, n) => Int32Array.from({ length: n }, (_, i) => i >> 1)],
];

/** Runs both on copies of the list that is changed, the library's between guards, and compares the bits. */
function compare(
    what: () => string,
    before: Float32Array,
    run: (list: Float32Array) => void,
    runReference: (list: Float32Array) => void,
): void {
    const expected = before.slice();
    runReference(expected);
    const actual = guardedFloats(before, ALIGNMENTS[before.length & 3]!);
    run(actual.view);
    actual.check();
    expectSameBits(actual.view, expected, 4, what);
}

describe('coefficients', () => {
    const header = fs.readFileSync(path.join(__dirname, '../../native/kernels/coefficients.h'), 'utf8');
    it.each([
        ['PS9', PS9],
        ['PQ8', PQ8],
    ])('%s is the set that C++ has', (name, set) => {
        const [, rows] = new RegExp(`/// ${name}:[^]*?constexpr double [^=]*= \\{([^;]*)\\n\\};`).exec(header)!;
        const native = rows!
            .trim()
            .split('\n')
            .map((row) => row.match(/-?\d[\d.e-]*/g)!.map(Number));
        expect(set).toEqual(native);
    });
});

/** What selects elements, of each kind that there is: the kernel's arguments behind the lists and the parameter. */
function selectionsOf(routine: BindableRoutine): readonly [what: string, make: (next: Next, n: number) => unknown[]][] {
    switch (ROUTINES[routine].selection) {
        case 'index':
            return INDICES.map(([what, make]) => [what, (next, n) => [make(next, n), n]]);
        case 'parents':
            return TREE_SHAPES.map((shape) => [
                `of ${shape}`,
                (next, n) => [tree(next, n, shape), Math.min(n, Math.floor(next() * 3)), n - 1],
            ]);
        case 'options':
            return ['id', 'gltf'].map((convention) => [convention, (_, n) => [n, convention]]);
        default:
            return [['in order', (_, n) => [n]]];
    }
}

/** Which lists lie where the result is; a single element lies somewhere in it. */
function placesOf(routine: BindableRoutine): readonly (readonly number[])[] {
    const { lists } = ROUTINES[routine];
    const sharing = [...lists.keys()].filter((k) => k > 0 && (lists[k]!.sharing === 'same start' || lists[k]!.single));
    return [[], ...sharing.map((k) => [k]), ...(sharing.length > 1 ? [sharing] : [])];
}

/** Values for each list, at least `n` elements. */
function valuesOf(next: Next, routine: BindableRoutine, n: number): Float32Array[] {
    const { lists, selection } = ROUTINES[routine];
    const { joints, blendJoints } = poses(next, n);
    const pair = [joints, blendJoints];
    return lists.map(({ element, floats, single, inPlace }, k) => {
        if (k === 0 && !inPlace) return new Float32Array((n + SPARE) * floats).fill(7);
        if (element === 'float') return someTimes(next, n + SPARE);
        if (element === 'jointMat') return (selection === 'parents' ? skeletons : matrices)(next, n);
        const values = pair.shift()!;
        const from = Math.floor(next() * (n + SPARE)) * 8;
        return single ? values.slice(from, from + floats) : values;
    });
}

/** Compares kernel and reference on one case. */
function compareOnce(
    what: string,
    next: Next,
    routine: BindableRoutine,
    n: number,
    place: readonly number[],
    rest: readonly unknown[],
    t: number,
): void {
    const { lists, parameter } = ROUTINES[routine];
    const { inPlace } = lists[0]!;
    const values = valuesOf(next, routine, n);
    const number = parameter ? [t] : [];
    // A list that lies where the result does has its values; single ones are laid over it.
    const over = place.filter((k) => !lists[k]!.single);
    const before = over.length > 0 && !inPlace ? values[over[0]!]! : values[0]!;
    const starts = new Map<number, number>();
    for (const k of place) {
        const { single, floats } = lists[k]!;
        if (!single) continue;
        starts.set(k, Math.floor(next() * (before.length / floats)) * floats);
        before.set(values[k]!, starts.get(k)!);
    }
    const at = (list: Float32Array, k: number) => {
        const start = starts.get(k);
        return start === undefined ? list : list.subarray(start, start + lists[k]!.floats);
    };
    const separate = before.slice();
    const run = (kernels: typeof strictKernels, alias: (k: number, list: Float32Array) => Float32Array) => {
        const kernel = kernels[routine] as (...args: unknown[]) => void;
        return (list: Float32Array) => {
            const operands = values.map((own, k) => (k === 0 ? list : place.includes(k) ? alias(k, list) : own));
            kernel(...operands, ...number, ...rest);
        };
    };
    compare(
        () =>
            `${what}, ${n} elements, t = ${t}, in the result: ${place.map((k) => lists[k]!.argument).join(', ') || 'none'}`,
        before,
        run(strictKernels, (k, list) => at(list, k)),
        // A joint that is named again has changed in both lists.
        run(strictReference, (k, list) => (inPlace ? list : at(separate, k))),
    );
}

describe.each(STRICT_ROUTINES.map((routine, i) => [routine, i] as const))('%s', (routine, i) => {
    const { parameter, lists } = ROUTINES[routine];
    const places = placesOf(routine);
    /** One pair a call is little. */
    const rounds = lists.some(({ single }) => single) ? 12 : 4;

    it.each(selectionsOf(routine))('%s', (what, select) => {
        const next = random(i + 1);
        for (const n of COUNTS) {
            for (const place of places) {
                for (let k = 0; k < rounds; k++) {
                    const t = TIMES[Math.floor(next() * TIMES.length)]!;
                    compareOnce(what, next, routine, n, place, select(next, n), t);
                }
            }
        }
    });

    if (parameter) {
        it('at every time', () => {
            const next = random(i + 101);
            const [[, select]] = selectionsOf(routine) as [[string, (next: Next, n: number) => unknown[]]];
            for (const t of TIMES) {
                for (const place of places) compareOnce('at every time', next, routine, 70, place, select(next, 70), t);
            }
        });
    }
});

test('slerpQuatTimes is slerpQuatsPerQuat with the pair repeated', () => {
    const next = random(11);
    const t = someTimes(next, 100);
    const { joints, blendJoints } = poses(next, 1);
    const repeated = (q: Float32Array) => Float32Array.from({ length: 400 }, (_, i) => q[i & 3]!);
    const [once, all] = [new Float32Array(400), new Float32Array(400)];
    strictKernels.slerpQuatTimes(once, joints, blendJoints, t, 100);
    strictKernels.slerpQuatsPerQuat(all, repeated(joints), repeated(blendJoints), t, 100);
    expectSameBits(once, all, 4, () => 'times');
});
