// SPDX-License-Identifier: MIT
import type { Machine } from '../../lib/bench/machine';
import type { CaseName, Result } from '../../lib/bench/measure';
import { isInPapers, PAPER_SIZES, paperTables } from '../../lib/bench/papers';
import { PUBLISHED_2005 } from '../../lib/bench/published';
import { papersText } from '../../lib/bench/report';
import { MACHINE } from './synthetic';

/** The rows of a table as words. */
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

/** Every case that the tables can have, with numbers by which to know them. */
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

describe('the published tables beside measurements', () => {
    const tables = paperTables(results('ticks'), MACHINE);
    const rows = rowsOf(papersText(tables, MACHINE));

    // The table of 2005, row by row: P4 130 nm, P4 90 nm, and our number.
    test.each([
        ['SlerpJoints (C) paper/c 1011 1018 100.0'],
        ['SlerpJoints (SSE) paper/sse 107 128 20.0'],
        ['LerpJoints (C) paper/c 213 248 101.0'],
        ['LerpJoints (SSE) paper/sse 50 52 21.0'],
        ['ConvertJointQuatsToJointMats (C) paper/c 54 62 102.0'],
        ['ConvertJointQuatsToJointMats (SSE) paper/sse 30 34 22.0'],
        ['ConvertJointMatsToJointQuats (C) paper/c 172 173 103.0'],
        ['ConvertJointMatsToJointQuats (SSE) paper/sse 61 72 23.0'],
        ['TransformSkeleton (C) paper/c 130 163 104.0'],
        ['TransformSkeleton (SSE) paper/sse 53 53 24.0'],
        ['UntransformSkeleton (C) paper/c 131 154 105.0'],
        ['UntransformSkeleton (SSE) paper/sse 55 56 25.0'],
        ['TransformJoints (C) paper/c 135 148 106.0'],
        ['TransformJoints (SSE) paper/sse 36 48 26.0'],
        ['64 quaternions 2.16x 2.00x 20.0 10.0'],
        ['67 quaternions 1.86x 2.50x 20.0 8.0'],
        ['Slerp 204.9 141.6 – 30.00 eberly/fpu'],
        ['SlerpFPU 73.8 63.3 10.00 20.00 eberly/fpu'],
        ['SlerpSSE1 22.7 20.1 8.00 18.00 eberly/sse1'],
        ['SlerpSSE2 20.5 18.3 6.00 16.00 eberly/sse2'],
        ['SlerpSSE4 16.8 16.0 4.00 14.00 eberly/sse4'],
    ])('%s', (row) => {
        const words = row.split(' ');
        expect(rows.filter((found) => words.every((word, k) => found[k] === word))).toHaveLength(1);
    });

    test('the speed-up by SSE, published and here', () => {
        const speedUps = rows.filter((row) => row[0] === 'C').map((row) => row.slice(3));
        expect(speedUps).toHaveLength(7);
        expect(speedUps[0]).toEqual(['9.5x', '7.9x', '5.0x']);
        expect(tables.joints[6]!.speedUp.here).toBeCloseTo(106 / 26, 9);
    });

    test('other implementations follow, in ticks, and marked where they were called from JavaScript', () => {
        expect(tables.joints[0]!.here.map(({ implementation, timed, min }) => [implementation, timed, min])).toEqual([
            ['paper/c', 'addon', 100],
            ['paper/sse', 'addon', 20],
            ['strict/typescript', 'javascript', 75],
        ]);
        expect(rows).toContainEqual(['strict/typescript', '*', '75.0', '82.5', '±9%']);
    });

    test('without a time stamp counter: nanoseconds, and it says so', () => {
        const machine: Machine = { ...MACHINE, timer: 'ns', ticksPerNs: null };
        const inNs = paperTables(results('ns'), machine);
        expect(inNs.unit).toBe('ns');
        expect(inNs.joints[0]!.here[2]!.min).toBe(30);
        expect(inNs.eberly[1]!.times).toBe(25);
        const text = papersText(inNs, machine);
        expect(text).toContain('Published clock cycles, nanoseconds here, per element');
        expect(text).not.toContain('ticks');
    });

    test('without an addon: TypeScript alone, dashes for the rest', () => {
        const machine: Machine = { ...MACHINE, timer: null, ticksPerNs: null, withoutAddon: 'no compiler' };
        const alone = results('ns').filter(({ implementation }) => implementation.endsWith('/typescript'));
        const found = rowsOf(papersText(paperTables(alone, machine), machine));
        expect(found).toContainEqual(['SlerpJoints', '(C)', 'paper/c', '1011', '1018', '–']);
        expect(found).toContainEqual(['strict/typescript', '*', '30.0', '33.0', '±9%']);
        expect(found).toContainEqual(['64', 'quaternions', '2.16x', '–', '–', '–']);
        expect(found).toContainEqual(['SlerpSSE4', '16.8', '16.0', '–', '–', 'eberly/sse4']);
    });

    test('what has to be measured for them', () => {
        expect(PAPER_SIZES).toEqual([1024, 64, 67]);
        for (const { routine, implementation, n, timed } of results('ticks')) {
            expect({ routine, n, wanted: isInPapers({ routine, implementation, n, timed }) }).toMatchObject({
                wanted: true,
            });
        }
        const not = { routine: 'slerpJoints', implementation: 'paper/c', timed: 'addon' } as const;
        expect(isInPapers({ ...not, n: 64 })).toBe(false);
        expect(isInPapers({ ...not, routine: 'atanPositive', n: 1024 })).toBe(false);
        // No paper has them; docs/tables/benchmarks.md does.
        for (const routine of ['slerpJointsPerJoint', 'slerpQuatsPerQuat', 'normalizeJoints'] as const) {
            expect(isInPapers({ routine, implementation: 'strict/sse2', timed: 'addon', n: 1024 })).toBe(true);
            expect(isInPapers({ routine, implementation: 'strict/sse2', timed: 'addon', n: 64 })).toBe(false);
        }
    });
});
