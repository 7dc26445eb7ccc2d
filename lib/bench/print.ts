// SPDX-License-Identifier: MIT

/** A run as text for a terminal. */

import { ROUTINE_NAMES as ROUTINES } from '../lists/routines';
import type { Slower } from './compare';
import type { Machine } from './machine';
import { type CaseName, keyOf, type Result } from './measure';
import { inNs, type Measured, type PaperTables } from './papers';
import { EBERLY_SOURCE, INTEL_ANALYZER, INTEL_SOURCE, PUBLISHED_ELEMENTS } from './published';
import type { BenchRun } from './run';
import { spreadOf } from './statistics';

/** All tables of a run. */
export function runText(run: BenchRun): string {
    const { papers, settings } = run;
    const parts = [heading(run)];
    if (papers) parts.push(papersText(papers, run.machine));
    // Cases that were measured only for the published tables are in these.
    if (!papers || settings.routines.length > 0 || settings.peers) parts.push(resultsText(run));
    return `${parts.join('\n\n')}\n`;
}

function heading({ poselane, machine, settings, unavailable, peers }: BenchRun): string {
    const { cpu, cores, platform, node, ticksPerNs, tier, withoutAddon, load } = machine;
    const lines = [
        `poselane ${poselane} bench: ${cpu} (${cores} cores, load ${load.toFixed(1)}), ${platform}, Node ${node}, plain functions: ${tier}`,
        `${settings.data}; t = ${settings.t}; ${settings.rounds} interleaved rounds${settings.processes > 1 ? ` in ${settings.processes} processes` : ''}`,
        ticksPerNs === null
            ? 'no time stamp counter here: everything is in nanoseconds'
            : `time stamp counter: ${ticksPerNs.toFixed(3)} ticks a nanosecond (a core may run faster or slower than it)`,
    ];
    if (withoutAddon !== null) lines.push(`without the addon (${withoutAddon}): only WebAssembly and TypeScript`);
    else for (const { name, reason } of unavailable) lines.push(`not available here: ${name} (${reason})`);
    for (const { name, version } of peers) {
        lines.push(version === null ? `${name}: not installed` : `${name} ${version}`);
    }
    return lines.join('\n');
}

// ---- The published tables ---------------------------------------------------------------------------------------

/** The published tables beside this machine's. */
export function papersText(tables: PaperTables, { ticksPerNs }: Machine): string {
    return [joints(tables, ticksPerNs), intel(tables), eberly(tables), claims(tables)].join('\n\n');
}

function joints({ unit, joints: tables }: PaperTables, ticksPerNs: number | null): string {
    const what = unit === 'ticks' ? 'Clock cycles' : 'Published clock cycles, nanoseconds here';
    const here = unit === 'ticks' ? `ticks at ${ticksPerNs!.toFixed(2)} GHz` : 'ns here';
    const rows: string[][] = [['', '', 'P4 130 nm', 'each', 'P4 90 nm', 'each', here, 'median']];
    const published: Record<string, 'c' | 'sse' | undefined> = { 'paper/c': 'c', 'paper/sse': 'sse' };
    for (const table of tables) {
        const printed = new Set<string>();
        const row = (title: string, name: string, found: Measured | undefined) => {
            const which = published[name];
            const [all, each] = which ? [table.publishedTotals[which], table.published[which]] : [];
            printed.add(name);
            rows.push([
                title,
                `${name}${found?.timed === 'javascript' ? ' *' : ''}`,
                ...[all?.p4At130nm, each?.p4At130nm, all?.p4At90nm, each?.p4At90nm].map((clocks) =>
                    String(clocks ?? ''),
                ),
                found ? found.min.toFixed(1) : '–',
                found ? `${found.median.toFixed(1)} ${percent(found.spread)}` : '',
            ]);
        };
        const found = (name: string) => table.here.find(({ implementation }) => implementation === name);
        row(`${table.title} (C)`, 'paper/c', found('paper/c'));
        row(`${table.title} (SSE)`, 'paper/sse', found('paper/sse'));
        for (const measured of table.here) {
            if (!printed.has(measured.implementation)) row('', measured.implementation, measured);
        }
        const { p4At130nm, p4At90nm, here: ours } = table.speedUp;
        const ratios = [p4At130nm, p4At90nm, ours].map((ratio) => (ratio === null ? '–' : times(ratio, 1)));
        rows.push(['', 'C → SSE', '', ratios[0]!, '', ratios[1]!, ratios[2]!, '']);
    }
    return [
        `${what} for ${PUBLISHED_ELEMENTS} joints and for each, hot cache: minimum, and median ± half the distance of the quartiles`,
        'P4: published 2005 (J.M.P. van Waveren: Slerping Clock Cycles, From Quaternion to Matrix and Back, The Skeleton Assembly Line)',
        columns(rows, 2),
        '* called from JavaScript; all others timed in the addon, the time of reading the clock subtracted',
    ].join('\n');
}

function intel({ unit, intel: tables }: PaperTables): string {
    const rows = [['', 'published', 'here', `paper/sse`, `intel/avx`]];
    for (const { quaternions, published, sse, avx, here } of tables) {
        rows.push([
            `${quaternions} quaternions`,
            times(published, 2),
            here === null ? '–' : times(here, 2),
            sse ? sse.min.toFixed(1) : '–',
            avx ? avx.min.toFixed(1) : '–',
        ]);
    }
    const { sse, avx, speedUp } = INTEL_ANALYZER;
    const predicted = ({ iteration, quaternions, for64, ports }: typeof sse | typeof avx) =>
        `${iteration} cycles for ${quaternions} quaternions, ${for64} for 64; on ports 0 to 5: ${ports.join(', ')}`;
    const rightFor64 = (avx.iteration * 64) / avx.quaternions;
    const here64 = [tables[0]!.sse, tables[0]!.avx].map((found) => (found ? (found.min * 64).toFixed(0) : '–'));
    return [
        `AVX over SSE on plain quaternions, and ${unit === 'ticks' ? 'ticks' : 'ns'} per quaternion here, minimum`,
        INTEL_SOURCE,
        columns(rows, 1),
        `Architecture Code Analyzer, SSE: ${predicted(sse)} (here ${here64[0]})`,
        `Architecture Code Analyzer, AVX: ${predicted(avx)} (${rightFor64} is right; here ${here64[1]}); predicted ${times(speedUp, 2)} (${times(sse.for64 / rightFor64, 2)})`,
    ].join('\n');
}

function eberly({ eberly: tables }: PaperTables): string {
    const rows = [['', '32-bit s', 'a slerp', 'ns', '64-bit s', 'a slerp', 'ns', 'one pair', 'list', '']];
    const ns = (value: number | null) => (value === null ? '–' : value.toFixed(2));
    const published = (seconds: number, slerps: number, each: number) =>
        [seconds, seconds / slerps, each].map((value) => value.toFixed(1));
    for (const { title, slerpsPerCall, implementation, times: atTimes, lists, ...row } of tables) {
        rows.push([
            title,
            ...published(row.seconds32Bit, slerpsPerCall, row.published32Bit),
            ...published(row.seconds64Bit, slerpsPerCall, row.published64Bit),
            ns(atTimes),
            ns(lists),
            `  ${implementation}`,
        ]);
    }
    return [
        'Published: seconds for 2^28 calls (Core 2 Quad 2.83 GHz, Core i7 1.73 GHz), for as many slerps, and nanoseconds per slerp;',
        'here: nanoseconds per slerp of one pair at 1024 times and of a list of 1024 pairs, minimum',
        EBERLY_SOURCE,
        columns(rows, 1),
    ].join('\n');
}

function claims({ claims: rows }: PaperTables): string {
    return [
        "Claims of the documents about speed, the ratios of their own tables (P4 130 nm, P4 90 nm; Eberly's 32-bit, 64-bit), and here",
        columns(
            rows.map(({ document, says, published, here }) => [
                document,
                says,
                ...(published ?? [null, null]).map((ratio) => (ratio === null ? '' : times(ratio, 2))),
                here === null ? '–' : times(here, 2),
            ]),
            2,
        ),
    ].join('\n');
}

// ---- All results ------------------------------------------------------------------------------------------------

/** Each routine's table: implementations down, lengths across. */
export function resultsText({ results, machine }: Pick<BenchRun, 'results' | 'machine'>): string {
    const byKey = new Map(results.map((result) => [keyOf(result), result]));
    const inAddon = results.some(({ timed }) => timed === 'addon');
    const where = [...(inAddon ? (['addon'] as const) : []), 'javascript' as const];
    const cell = (result: Result | undefined): string => {
        if (!result) return '';
        const [min, median] = [result.min, result.median].map((time) => digits(inNs(time, result, machine)));
        return `${min} / ${median} ${percent(spreadOf(result))}`;
    };
    const tables = ROUTINES.map((routine) => {
        const all = results.filter((one) => one.routine === routine);
        const sizes = [...new Set(all.map(({ n }) => n))].sort((a, b) => a - b);
        const names = [...new Set(all.map(({ implementation }) => implementation))];
        const header = sizes.flatMap((n) => where.map((timed) => `n = ${n}${timed === 'addon' ? ', addon' : ''}`));
        const rows = names.map((implementation) => [
            `  ${implementation}`,
            ...sizes.flatMap((n) =>
                where.map((timed) => cell(byKey.get(keyOf({ routine, implementation, n, timed })))),
            ),
        ]);
        // The maximum widths, so that all tables are alike.
        return all.length === 0 ? null : columns([[routine, ...header], ...rows], 1, [30, 20]);
    });
    return [
        'Nanoseconds per element: minimum / median ± half the distance of the quartiles, hot cache',
        `${inAddon ? "'addon': timed beside the kernel, the time of reading the clock subtracted; otherwise c" : 'C'}alled from JavaScript, with all checks`,
        ...tables.filter((table) => table !== null),
    ].join('\n');
}

// ---- Comparisons ------------------------------------------------------------------------------------------------

/** The findings of a comparison: lines for the results, and lines for the slower cases. */
export function comparisonText({ comparison, machine }: BenchRun, file: string): { lines: string[]; slower: string[] } {
    const { mode, maxRegression, judged, slower, acquitted, busy, missing, base } = comparison!;
    const by = mode === 'relative' ? 'by their ratios to paper/c in the same rounds' : 'by their times';
    const allowed = `${Number((maxRegression * 100).toFixed(3))}%`;
    const lines = [
        `compared with ${file} (poselane ${base.poselane}, ${base.machine.cpu}, Node ${base.machine.node}): ` +
            `${judged} cases judged ${by}, ${slower.length === 0 ? 'none' : slower.length} slower by more than ${allowed}`,
    ];
    if (machine.cpu !== base.machine.cpu) lines.push('another CPU than the base: ratios may differ for that reason');
    const notes: [string, readonly CaseName[]][] = [
        ['in the base, but not measured', missing],
        ["never measured in conditions like the base's, so judged with more tolerance", busy],
        ['slower at first, not when measured again', acquitted],
    ];
    for (const [note, cases] of notes) {
        const which = cases.length > 3 ? `${cases.length} cases` : cases.map(caseText).join('; ');
        if (cases.length > 0) lines.push(`${note}: ${which}`);
    }
    return { lines, slower: slower.map(slowerText) };
}

function slowerText(slower: Slower): string {
    const { reference, unit, base, now, slowerBy, timesMeasured } = slower;
    const value = (of: number) => Number(of.toPrecision(4));
    const what = reference
        ? `${value(base)} -> ${value(now)} times the time of ${reference.implementation}${reference.routine === slower.routine ? '' : ` ${reference.routine}`}`
        : `${value(base)} -> ${value(now)} ${unit} per element`;
    return `${caseText(slower)} is slower by ${(slowerBy * 100).toFixed(1)}% or more, ${timesMeasured} times measured: ${what}`;
}

function caseText({ routine, implementation, n, timed }: CaseName): string {
    return `${routine} ${implementation}, n = ${n}${timed === 'addon' ? ', in the addon' : ', from JavaScript'}`;
}

// ---- Text -------------------------------------------------------------------------------------------------------

/**
 * Aligned: the first `left` columns to the left, the others to the right.
 *
 * @param minWidths Minimum widths of the first column and of the others.
 */
function columns(rows: readonly (readonly string[])[], left: number, minWidths = [0, 0]): string {
    const widths = rows[0]!.map((_, k) => Math.max(minWidths[k === 0 ? 0 : 1]!, ...rows.map((row) => row[k]!.length)));
    return rows
        .map((row) =>
            row
                .map((cell, k) => (k < left ? cell.padEnd(widths[k]!) : cell.padStart(widths[k]!)))
                .join('  ')
                .trimEnd(),
        )
        .join('\n');
}

const times = (value: number, decimals: number): string => `${value.toFixed(decimals)}x`;
const percent = (fraction: number): string => `±${(fraction * 100).toFixed(0)}%`;
const digits = (value: number): string =>
    value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
