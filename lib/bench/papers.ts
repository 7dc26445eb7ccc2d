// SPDX-License-Identifier: MIT

/** The published tables beside measured numbers. */

import type { Routine } from '../lists/routines';
import type { Machine } from './machine';
import type { CaseName, Result } from './measure';
import {
    nanosecondsPerSlerp,
    PUBLISHED_2005,
    PUBLISHED_CLAIMS,
    PUBLISHED_EBERLY,
    PUBLISHED_ELEMENTS,
    PUBLISHED_INTEL,
    type PublishedRoutine,
} from './published';
import { spreadOf } from './statistics';

/** One measured number, per element. */
export interface Measured {
    readonly implementation: string;
    readonly timed: 'addon' | 'javascript';
    readonly min: number;
    readonly median: number;
    /** Half the distance between the quartiles, as a fraction of the median. */
    readonly spread: number;
}

/** The tables of the documents beside the times here. Null where an implementation does not run, or a document has no number. */
export type PaperTables = ReturnType<typeof paperTables>;
type RoutineTable = ReturnType<typeof routineTable>;

const C = 'paper/c';
const SSE = 'paper/sse';
const AVX = 'intel/avx';

/** Our counterparts of Eberly's functions. His Slerp is the usual one, by arc cosine and sine. */
const EBERLY: Record<string, { implementation: string; lists: 'slerp' | 'slerpQuats' }> = {
    Slerp: { implementation: 'eberly/fpu', lists: 'slerp' },
    SlerpFPU: { implementation: 'eberly/fpu', lists: 'slerpQuats' },
    SlerpSSE1: { implementation: 'eberly/sse1', lists: 'slerpQuats' },
    SlerpSSE2: { implementation: 'eberly/sse2', lists: 'slerpQuats' },
    SlerpSSE4: { implementation: 'eberly/sse4', lists: 'slerpQuats' },
};

/** Routines without published figures, which docs/tables/benchmarks.md has as well. */
const BESIDE: readonly Routine[] = [
    'slerpJointsPerJoint',
    'normalizeJoints',
    'slerpQuats',
    'slerpQuatsPerQuat',
    'lerpQuats',
    'reciprocalSqrt',
    'sinZeroHalfPI',
    'atanPositive',
];

/** Whether the published tables or docs/tables/benchmarks.md need this case. */
export function isInPapers({ routine, implementation, n, timed }: CaseName): boolean {
    if (n === PUBLISHED_ELEMENTS) {
        if (routine === 'slerp') return implementation === EBERLY.Slerp!.implementation;
        if (routine === 'slerpQuatTimes') return timed === 'addon';
        return BESIDE.includes(routine) || PUBLISHED_2005.some((published) => published.routine === routine);
    }
    return (
        timed === 'addon' &&
        routine === 'slerpQuats' &&
        (implementation === SSE || implementation === AVX) &&
        PUBLISHED_INTEL.some(({ quaternions }) => quaternions === n)
    );
}

/** Lengths of the lists in the tables. */
export const PAPER_SIZES: readonly number[] = [
    PUBLISHED_ELEMENTS,
    ...PUBLISHED_INTEL.map(({ quaternions }) => quaternions),
];

/** Fills the tables with results. */
export function paperTables(results: readonly Result[], machine: Machine) {
    const { ticksPerNs } = machine;
    /** Of `joints` and `intel`. `eberly` is always in nanoseconds. */
    const unit: 'ticks' | 'ns' = ticksPerNs === null ? 'ns' : 'ticks';
    const measured = (result: Result): Measured => {
        const inUnit = (value: number) => inNs(value, result, machine) * (ticksPerNs ?? 1);
        return {
            implementation: result.implementation,
            timed: result.timed,
            min: inUnit(result.min),
            median: inUnit(result.median),
            spread: spreadOf(result),
        };
    };
    const find = (routine: string, implementation: string, n: number) =>
        results.find(
            (result) =>
                result.routine === routine &&
                result.implementation === implementation &&
                result.n === n &&
                result.timed === 'addon',
        );
    const nsOf = (routine: string, implementation: string) => {
        const result = find(routine, implementation, PUBLISHED_ELEMENTS);
        return result ? inNs(result.min, result, machine) : null;
    };
    const joints = PUBLISHED_2005.map((published) => {
        const all = results.filter(({ routine, n }) => routine === published.routine && n === PUBLISHED_ELEMENTS);
        const here = all
            // The time in the addon if there is one.
            .filter(
                ({ implementation, timed }) =>
                    timed === 'addon' || !find(published.routine, implementation, PUBLISHED_ELEMENTS),
            )
            .map(measured);
        return routineTable(published, here);
    });
    const eberly = PUBLISHED_EBERLY.map(({ title, ...published }) => {
        const { implementation, lists } = EBERLY[title]!;
        const { seconds32Bit, seconds64Bit, slerpsPerCall } = published;
        return {
            title,
            ...published,
            published32Bit: nanosecondsPerSlerp(seconds32Bit, slerpsPerCall),
            published64Bit: nanosecondsPerSlerp(seconds64Bit, slerpsPerCall),
            implementation,
            // One pair at many times, as he called it; only the polynomial has that form.
            times: lists === 'slerp' ? null : nsOf('slerpQuatTimes', implementation),
            lists: nsOf(lists, implementation),
        };
    });
    return {
        unit,
        joints,
        intel: PUBLISHED_INTEL.map(({ quaternions, speedUp }) => {
            const [sse, avx] = [SSE, AVX].map((implementation) => {
                const result = find('slerpQuats', implementation, quaternions);
                return result ? measured(result) : null;
            }) as [Measured | null, Measured | null];
            return { quaternions, published: speedUp, sse, avx, here: sse && avx && sse.min / avx.min };
        }),
        eberly,
        claims: claimRows(joints, eberly),
    };
}

/** The claims of the documents, on their two machines and here. */
function claimRows(joints: readonly RoutineTable[], eberly: readonly EberlyTimes[]) {
    const times = new Map<string | undefined, readonly [number, number, number | null]>([
        ...joints.flatMap(({ title, publishedTotals: { c, sse }, here }) => [
            [`${title} (C)`, [c.p4At130nm, c.p4At90nm, inAddon(here, C)?.min ?? null]] as const,
            [`${title} (SSE)`, [sse.p4At130nm, sse.p4At90nm, inAddon(here, SSE)?.min ?? null]] as const,
        ]),
        ...eberly.map((row) => [row.title, [row.published32Bit, row.published64Bit, row.times ?? row.lists]] as const),
    ]);
    return PUBLISHED_CLAIMS.map(({ document, says, slow, fast }) => {
        const [a, b] = [times.get(slow), times.get(fast)];
        return {
            document,
            says,
            published: a && b ? ([a[0] / b[0], a[1] / b[1]] as const) : null,
            here: a?.[2] && b?.[2] ? a[2] / b[2] : null,
        };
    });
}

interface EberlyTimes {
    readonly title: string;
    readonly published32Bit: number;
    readonly published64Bit: number;
    readonly times: number | null;
    readonly lists: number | null;
}

function inAddon(here: readonly Measured[], name: string): Measured | undefined {
    return here.find(({ implementation, timed }) => implementation === name && timed === 'addon');
}

/** All per element, except the totals. `here` is in `unit`. */
function routineTable({ routine, title, source, c, sse }: PublishedRoutine, here: readonly Measured[]) {
    const [ourC, ourSse] = [inAddon(here, C), inAddon(here, SSE)];
    return {
        routine,
        title,
        source,
        published: { c: c.perElement, sse: sse.perElement },
        publishedTotals: { c: c.total, sse: sse.total },
        here,
        /** By SSE over C. */
        speedUp: {
            p4At130nm: c.total.p4At130nm / sse.total.p4At130nm,
            p4At90nm: c.total.p4At90nm / sse.total.p4At90nm,
            here: ourC && ourSse ? ourC.min / ourSse.min : null,
        },
    };
}

/** A time of a result in nanoseconds. */
export function inNs(time: number, { unit }: Result, { ticksPerNs }: Machine): number {
    return unit === 'ns' ? time : time / ticksPerNs!;
}
