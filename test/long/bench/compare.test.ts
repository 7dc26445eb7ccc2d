// SPDX-License-Identifier: MIT
import { type CompareOptions, type Comparison, compare, referenceOf } from '../../../lib/bench/compare';
import { type CaseName, keyOf, type Result } from '../../../lib/bench/measure';
import { comparisonText } from '../../../lib/bench/print';
import type { BenchRun } from '../../../lib/bench/run';
import { type Imagined, MACHINE, noisyMachine } from '../../bench/synthetic';

const OPTIONS: CompareOptions = { maxRegression: 0.1, absolute: false, sameCpu: true, pauseMilliseconds: 0 };

const name = (implementation: string, routine: CaseName['routine'] = 'slerpJoints'): CaseName => ({
    routine,
    implementation,
    n: 1024,
    timed: 'addon',
});

/** Scalar code suffers more from a busy core than SIMD code, TypeScript most. */
const CASES: readonly Imagined[] = [
    { ...name('paper/c'), time: 80, whenBusy: 1.42 },
    { ...name('paper/sse'), time: 19, whenBusy: 1.15 },
    { ...name('paper/c', 'lerpJoints'), time: 10, whenBusy: 1.4 },
    { ...name('paper/sse', 'lerpJoints'), time: 5.7, whenBusy: 1.2 },
    { ...name('paper/c'), timed: 'javascript', unit: 'ns', time: 31, whenBusy: 1.42 },
    { ...name('paper/typescript'), timed: 'javascript', unit: 'ns', time: 35, whenBusy: 1.5, whenUnlucky: 1.28 },
];

function slowed(cases: readonly Imagined[], implementation: string, factor: number): Imagined[] {
    return cases.map((one) => (one.implementation === implementation ? { ...one, time: one.time * factor } : one));
}

/** A run, and a comparison with a later one, on a machine with the same noise. */
async function compareOn(seed: number, cases: readonly Imagined[], later: readonly Imagined[], options = OPTIONS) {
    const machine = noisyMachine(seed);
    const base = machine.measure(cases);
    let repetitions = 0;
    const comparison = await compare(
        base,
        machine.measure(later),
        async (names) => {
            repetitions++;
            const keys = names.map(keyOf);
            return machine.measure(
                later.filter((one) => keys.includes(keyOf(one))),
                1,
                20,
            );
        },
        options,
    );
    return { comparison, repetitions };
}

const SEEDS = Array.from({ length: 100 }, (_, k) => k + 1);

describe('comparing runs on a noisy machine', () => {
    test('nothing has changed: passes, a hundred times out of a hundred', async () => {
        for (const seed of SEEDS) {
            const { comparison } = await compareOn(seed, CASES, CASES);
            expect({ seed, slower: comparison.slower }).toEqual({ seed, slower: [] });
            expect(comparison).toMatchObject({ judged: 3, missing: [], mode: 'relative' });
        }
    });

    test.each(['paper/sse', 'paper/typescript'])(
        '%s 20 %% slower: fails, a hundred times out of a hundred',
        async (which) => {
            // If the compiler is a third better in every other process, 20 % can stay hidden.
            const cases = CASES.map((one) => ({ ...one, whenUnlucky: 1 }));
            for (const seed of SEEDS) {
                const { comparison, repetitions } = await compareOn(seed, cases, slowed(cases, which, 1.2));
                expect({ seed, found: comparison.slower.map(({ implementation }) => implementation) }).toEqual({
                    seed,
                    found: which === 'paper/sse' ? [which, which] : [which],
                });
                expect(repetitions).toBe(4);
                for (const { slowerBy, reference, timesMeasured } of comparison.slower) {
                    expect(slowerBy).toBeGreaterThan(0.1);
                    expect(slowerBy).toBeLessThan(0.4);
                    expect(reference!.implementation).toBe('paper/c');
                    expect(timesMeasured).toBe(5);
                }
            }
        },
    );

    test('faster, or slower by less than allowed: passes', async () => {
        for (const seed of SEEDS.slice(0, 20)) {
            for (const factor of [0.5, 1.04]) {
                const { comparison } = await compareOn(seed, CASES, slowed(CASES, 'paper/sse', factor));
                expect({ seed, factor, slower: comparison.slower }).toEqual({ seed, factor, slower: [] });
            }
        }
    });

    test('on another CPU only ratios count', async () => {
        const options = { ...OPTIONS, sameCpu: false };
        const calm = CASES.map((one) => ({ ...one, whenBusy: 1, whenUnlucky: 1 }));
        const twiceAsFast = calm.map((one) => ({ ...one, time: one.time / 2 }));
        for (const seed of SEEDS.slice(0, 20)) {
            const same = await compareOn(seed, calm, twiceAsFast, options);
            expect(same.comparison.slower).toEqual([]);
            const slower = await compareOn(seed, calm, slowed(twiceAsFast, 'paper/sse', 1.2), options);
            expect(slower.comparison.slower.map(({ routine }) => routine)).toEqual(['slerpJoints', 'lerpJoints']);
        }
    });

    test('busy then and idle now passes; idle then and busy now is reported', async () => {
        const idle = CASES.map((one) => ({ ...one, whenBusy: 1 }));
        const busy = CASES.map((one) => ({ ...one, time: one.time * one.whenBusy!, whenBusy: 1 }));
        const quieter = await compareOn(1, busy, idle);
        expect(quieter.comparison.slower).toEqual([]);
        const busier = await compareOn(1, idle, busy);
        expect(busier.comparison.slower).toEqual([]);
        expect(busier.comparison.busy.length).toBeGreaterThan(0);
    });
});

describe('compare', () => {
    const machine = () => noisyMachine(7);
    const never = () => Promise.reject(new Error('nothing had to be measured again'));

    test('a run with itself: nothing is measured again', async () => {
        const run = machine().measure(CASES);
        const { judged, slower, acquitted, busy } = await compare(run, run, never, OPTIONS);
        expect({ judged, slower, acquitted, busy }).toEqual({ judged: 3, slower: [], acquitted: [], busy: [] });
    });

    test('absolute: the reference, too', async () => {
        const run = machine().measure(CASES);
        const slow = run.map((result) => scaled(result, result.implementation === 'paper/c' ? 1.2 : 1));
        const again = (names: readonly CaseName[]) =>
            Promise.resolve(slow.filter((one) => names.some((other) => keyOf(other) === keyOf(one))));
        const relative = await compare(run, slow, again, OPTIONS);
        expect(relative.slower).toEqual([]);
        const absolute = await compare(run, slow, again, { ...OPTIONS, absolute: true });
        expect(absolute).toMatchObject({ mode: 'absolute', judged: CASES.length });
        expect(absolute.slower.map(({ implementation }) => implementation)).toEqual(Array(3).fill('paper/c'));
        expect(absolute.slower[0]).toMatchObject({ reference: null, unit: 'ticks' });
        expect(absolute.slower[0]!.slowerBy).toBeCloseTo(0.2, 1);
    });

    test('a difference of one step of the clock is not a regression', async () => {
        // One step of the clock more, of twelve.
        const short = { ...name('paper/sse'), n: 64 };
        const [before, after] = [312, 338].map((ticks): Result[] => [
            fixed({ ...short, implementation: 'paper/c' }, 5000 / 64, 26 / 64),
            fixed(short, ticks / 64, 26 / 64),
        ]) as [Result[], Result[]];
        const { judged, slower } = await compare(before, after, never, { ...OPTIONS, maxRegression: 0.05 });
        expect({ judged, slower }).toEqual({ judged: 1, slower: [] });
    });

    test('cases that only one of the runs has are not judged; those of the base are named', async () => {
        const run = machine().measure(CASES);
        const { judged, missing } = await compare(run, run.slice(0, 2), never, OPTIONS);
        expect({ judged, missing }).toEqual({ judged: 1, missing: run.slice(2).map(nameOf) });
        expect(await compare(run.slice(0, 2), run, never, OPTIONS)).toMatchObject({ judged: 1, missing: [] });
    });

    test('the reference is paper/c, its slerp for missing routines, and paper/typescript without an addon', () => {
        const all = [
            name('paper/c'),
            name('paper/c', 'slerp'),
            name('paper/sse'),
            name('eberly/fpu', 'slerpQuatTimes'),
            { ...name('paper/typescript'), timed: 'javascript' },
            { ...name('strict/typescript'), timed: 'javascript' },
        ] as const;
        const has = (one: CaseName) => all.some((other) => keyOf(other) === keyOf(one));
        expect(all.map((one) => referenceOf(one, has))).toEqual([null, null, all[0], all[1], null, all[4]]);
    });
});

describe('comparisonText', () => {
    const textOf = (comparison: Partial<Comparison>, cpu = MACHINE.cpu) => {
        const none = { slower: [], acquitted: [], busy: [], missing: [] };
        const base = { machine: { ...MACHINE, cpu }, poselane: '0.1.0' };
        const whole = { mode: 'relative', maxRegression: 0.1, judged: 3, ...none, base, ...comparison };
        return comparisonText({ machine: MACHINE, comparison: whole } as unknown as BenchRun, 'base.json');
    };

    test('nothing slower', () => {
        expect(textOf({})).toEqual({
            lines: [
                'compared with base.json (poselane 0.1.0, Imaginary CPU, Node v20.0.0): 3 cases judged by their ratios to ' +
                    'paper/c in the same rounds, none slower by more than 10%',
            ],
            slower: [],
        });
    });

    test('names slower cases, another CPU, and cases that were not judged', () => {
        const ratios = { reference: name('paper/c'), unit: 'ratio', base: 0.2373, now: 0.2848 } as const;
        const slow = { ...name('paper/sse'), ...ratios, slowerBy: 0.196, timesMeasured: 5 };
        const missing = [name('intel/avx', 'slerpQuats')];
        const { lines, slower } = textOf({ slower: [slow], missing, acquitted: CASES.slice(0, 4) }, 'Other CPU');
        expect(slower).toEqual([
            'slerpJoints paper/sse, n = 1024, in the addon is slower by 19.6% or more, 5 times measured: ' +
                '0.2373 -> 0.2848 times the time of paper/c',
        ]);
        expect(lines.slice(1)).toEqual([
            'another CPU than the base: ratios may differ for that reason',
            'in the base, but not measured: slerpQuats intel/avx, n = 1024, in the addon',
            'slower at first, not when measured again: 4 cases',
        ]);
    });
});

function fixed(of: CaseName, time: number, step: number): Result {
    const all = { min: time, lowerQuartile: time, median: time, upperQuartile: time };
    return { ...of, unit: 'ticks', ...all, samples: 100, step, rounds: Array(20).fill(time) };
}

function scaled(result: Result, factor: number): Result {
    return { ...result, min: result.min * factor, rounds: result.rounds.map((round) => round * factor) };
}

function nameOf({ routine, implementation, n, timed }: CaseName): CaseName {
    return { routine, implementation, n, timed };
}
