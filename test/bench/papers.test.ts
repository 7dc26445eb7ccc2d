// SPDX-License-Identifier: MIT
import type { Machine } from '../../lib/bench/machine';
import type { CaseName, Result } from '../../lib/bench/measure';
import { isInPapers, PAPER_SIZES, paperTables } from '../../lib/bench/papers';
import { papersText } from '../../lib/bench/print';
import { PUBLISHED_2005 } from '../../lib/bench/published';
import { MACHINE } from './synthetic';

/** The rows of a table as text. */
const rowsOf = (text: string) => text.split('\n').map((line) => line.trim().split(/\s+/));

function result(name: CaseName, unit: 'ticks' | 'ns', min: number): Result {
    const median = min * 1.1;
    return {
        ...name,
        unit,
        min,
        lowerQuartile: min,
        median,
        upperQuartile: min * 1.2,
        samples: 9,
        step: 0,
        rounds: [],
    };
}

/** Every case of the tables, each with a different number. */
function results(unit: 'ticks' | 'ns'): Result[] {
    const all: Result[] = [];
    const add = (routine: CaseName['routine'], implementation: string, n: number, min: number) =>
        all.push(result({ routine, implementation, n, timed: 'addon' }, unit, min));
    PUBLISHED_2005.forEach(({ routine }, k) => {
        add(routine, 'paper/c', 1024, 100 + k);
        add(routine, 'paper/sse', 1024, 20 + k);
        all.push(result({ routine, implementation: 'paper/sse', n: 1024, timed: 'javascript' }, 'ns', 9));
        all.push(result({ routine, implementation: 'strict/typescript', n: 1024, timed: 'javascript' }, 'ns', 30 + k));
    });
    for (const n of [64, 67]) {
        add('slerpQuats', 'paper/sse', n, 20);
        add('slerpQuats', 'intel/avx', n, n === 64 ? 10 : 8);
    }
    add('slerp', 'eberly/fpu', 1024, 75);
    ['fpu', 'sse1', 'sse2', 'sse4'].forEach((form, k) => {
        add('slerpQuatTimes', `eberly/${form}`, 1024, 25 - 5 * k);
        add('slerpQuats', `eberly/${form}`, 1024, 50 - 5 * k);
    });
    return all;
}

describe('the published tables next to measurements', () => {
    const tables = paperTables(results('ticks'), MACHINE);
    const rows = rowsOf(papersText(tables, MACHINE));

    // Columns of 2005: total and per element at 130 nm, total and per element at 90 nm, and the measured number.
    test.each([
        ['SlerpJoints (C) paper/c 1035248 1011 1041893 1018 100.0'],
        ['SlerpJoints (SSE) paper/sse 109112 107 131517 128 20.0'],
        ['LerpJoints (C) paper/c 218996 213 253350 248 101.0'],
        ['LerpJoints (SSE) paper/sse 51080 50 52848 52 21.0'],
        ['ConvertJointQuatsToJointMats (C) paper/c 55528 54 63279 62 102.0'],
        ['ConvertJointQuatsToJointMats (SSE) paper/sse 30916 30 34362 34 22.0'],
        ['ConvertJointMatsToJointQuats (C) paper/c 176332 172 176553 173 103.0'],
        ['ConvertJointMatsToJointQuats (SSE) paper/sse 62460 61 73710 72 23.0'],
        ['TransformSkeleton (C) paper/c 132224 130 166176 163 104.0'],
        ['TransformSkeleton (SSE) paper/sse 53580 53 54297 53 24.0'],
        ['UntransformSkeleton (C) paper/c 133680 131 157104 154 105.0'],
        ['UntransformSkeleton (SSE) paper/sse 55488 55 57285 56 25.0'],
        ['TransformJoints (C) paper/c 137980 135 151587 148 106.0'],
        ['TransformJoints (SSE) paper/sse 36520 36 48906 48 26.0'],
        ['64 quaternions 2.16x 2.00x 20.0 10.0'],
        ['67 quaternions 1.86x 2.50x 20.0 8.0'],
        ['Slerp 55.0 55.0 204.9 38.0 38.0 141.6 – 30.00 eberly/fpu'],
        ['SlerpFPU 19.8 19.8 73.8 17.0 17.0 63.3 10.00 20.00 eberly/fpu'],
        ['SlerpSSE1 6.1 6.1 22.7 5.4 5.4 20.1 8.00 18.00 eberly/sse1'],
        ['SlerpSSE2 11.0 5.5 20.5 9.8 4.9 18.3 6.00 16.00 eberly/sse2'],
        ['SlerpSSE4 18.0 4.5 16.8 17.2 4.3 16.0 4.00 14.00 eberly/sse4'],
    ])('%s', (row) => {
        const words = row.split(' ');
        expect(rows.filter((found) => words.every((word, k) => found[k] === word))).toHaveLength(1);
    });

    test('the speedup by SSE, published and measured', () => {
        const speedUps = rows.filter((row) => row[0] === 'C').map((row) => row.slice(3));
        expect(speedUps).toHaveLength(7);
        expect(speedUps[0]).toEqual(['9.5x', '7.9x', '5.0x']);
        expect(tables.joints[6]!.speedUp.here).toBeCloseTo(106 / 26, 9);
    });

    test.each([
        ['SlerpJoints: "more than 7 times faster", "well over 7 times" 9.49x 7.92x 5.00x'],
        ['SlerpJoints: "two times faster" than LerpJoints (C) 2.01x 1.93x 5.05x'],
        ['ConvertJointQuatsToJointMats: "over 44% less clock cycles", so 1.79x 1.80x 1.84x 4.64x'],
        ['ConvertJointMatsToJointQuats: "more than two times faster" 2.82x 2.40x 4.48x'],
        ['TransformSkeleton: "well over two", "close to three times" 2.47x 3.06x 4.33x'],
        ['UntransformSkeleton: "well over two", "at least two times" 2.41x 2.74x 4.20x'],
        ['TransformJoints: "well over two", "close to three times" 3.78x 3.10x 4.08x'],
        ['initial port: 1.58x (here: docs/tables/rejected.md) –'],
        ['unrolled: "another 2.4%", so 1.024x (the same) –'],
        ['four times of a pair: "10-fold acceleration" 12.22x 8.84x 7.50x'],
        ['SSE: 47.75 cycles for 4 quaternions, 764 for 64; on ports 0 to 5: 46, 34, 19.5, 19.5, 6, 33 (here 1280)'],
        [
            'AVX: 97.2 cycles for 16 quaternions, 368.5 for 64; on ports 0 to 5: 96, 68, 33.5, 33.5, 22, 61 (388.8 is right; here 640); predicted 2.07x (1.97x)',
        ],
    ])('%s', (words) => {
        expect(rows.filter((found) => found.join(' ').endsWith(words))).toHaveLength(1);
    });

    test('other implementations follow, in ticks; calls from JavaScript are marked', () => {
        expect(tables.joints[0]!.here.map(({ implementation, timed, min }) => [implementation, timed, min])).toEqual([
            ['paper/c', 'addon', 100],
            ['paper/sse', 'addon', 20],
            ['strict/typescript', 'javascript', 75],
        ]);
        expect(rows).toContainEqual(['strict/typescript', '*', '75.0', '82.5', '±9%']);
    });

    test('without a time stamp counter: nanoseconds', () => {
        const machine: Machine = { ...MACHINE, timer: 'ns', ticksPerNs: null };
        const inNs = paperTables(results('ns'), machine);
        expect(inNs.unit).toBe('ns');
        expect(inNs.joints[0]!.here[2]!.min).toBe(30);
        expect(inNs.eberly[1]!.times).toBe(25);
        const text = papersText(inNs, machine);
        expect(text).toContain('Published clock cycles, nanoseconds here for 1024 joints and for each');
        expect(text).not.toContain('ticks');
    });

    test('without an addon: only TypeScript, dashes for the rest', () => {
        const machine: Machine = { ...MACHINE, timer: null, ticksPerNs: null, withoutAddon: 'no compiler' };
        const alone = results('ns').filter(({ implementation }) => implementation.endsWith('/typescript'));
        const found = rowsOf(papersText(paperTables(alone, machine), machine));
        expect(found).toContainEqual(['SlerpJoints', '(C)', 'paper/c', '1035248', '1011', '1041893', '1018', '–']);
        expect(found).toContainEqual(['strict/typescript', '*', '30.0', '33.0', '±9%']);
        expect(found).toContainEqual(['64', 'quaternions', '2.16x', '–', '–', '–']);
        expect(found).toContainEqual('SlerpSSE4 18.0 4.5 16.8 17.2 4.3 16.0 – – eberly/sse4'.split(' '));
    });

    test('cases measured for the tables', () => {
        expect(PAPER_SIZES).toEqual([1024, 64, 67]);
        for (const { routine, implementation, n, timed } of results('ticks')) {
            expect({ routine, n, wanted: isInPapers({ routine, implementation, n, timed }) }).toMatchObject({
                wanted: true,
            });
        }
        const not = { routine: 'slerpJoints', implementation: 'paper/c', timed: 'addon' } as const;
        expect(isInPapers({ ...not, n: 64 })).toBe(false);
        expect(isInPapers({ ...not, routine: 'slerpTransformed', n: 1024 })).toBe(false);
        // They are listed in docs/tables/benchmarks.md, not in the documents.
        for (const routine of ['slerpJointsPerJoint', 'slerpQuatsPerQuat', 'normalizeJoints'] as const) {
            expect(isInPapers({ routine, implementation: 'strict/sse2', timed: 'addon', n: 1024 })).toBe(true);
            expect(isInPapers({ routine, implementation: 'strict/sse2', timed: 'addon', n: 64 })).toBe(false);
        }
    });
});
