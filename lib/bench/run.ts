// SPDX-License-Identifier: MIT

/** A run of the benchmarks, and its JSON with settings and results. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { implementations } from '../lists/implementations';
import { ROUTINE_NAMES as ROUTINES } from '../lists/routines';
import { type CompareOptions, type Comparison, compare } from './compare';
import { ANGLES, SEED, T } from './data';
import { describeMachine, type Machine } from './machine';
import { type CaseName, type Delay, keyOf, type Result, resultsOf, type Samples } from './measure';
import { type PaperTables, paperTables } from './papers';
import { loadPeers, type PeerInfo } from './peers';
import { measureElsewhere } from './processes';
import { type Choice, measureTask, type Task } from './task';

/** The settings of a run. */
export interface Settings extends Choice {
    /** Interleaved rounds, all processes together. */
    readonly rounds: number;
    /** Number of processes, one after the other; 0: measure in this process. */
    readonly processes: number;
    /** For each case and round. */
    readonly milliseconds: number;
}

export interface BenchOptions {
    readonly delay?: Delay;
    readonly signal?: AbortSignal;
    /** Called before the first round and after each. */
    readonly onRound?: (done: number, total: number) => void;
}

/** The format that `--json` writes. Within a version, fields are only added. */
export interface BenchRun {
    readonly format: 'poselane-bench';
    readonly version: 1;
    readonly poselane: string;
    readonly machine: Machine;
    readonly settings: Settings & {
        /** `angles` in words. */
        readonly data: string;
        /** The interpolation parameter. */
        readonly t: number;
        readonly seed: number;
    };
    /** Implementations that cannot run here, and why. */
    readonly unavailable: readonly { readonly name: string; readonly reason: string }[];
    /** The other libraries; empty unless the settings ask for them. */
    readonly peers: readonly PeerInfo[];
    readonly results: readonly Result[];
    readonly papers?: PaperTables;
    readonly comparison?: Comparison & { readonly base: { readonly machine: Machine; readonly poselane: string } };
}

/** A run, and a function that repeats cases of it. */
export interface Session {
    readonly run: BenchRun;
    readonly again: (names: readonly CaseName[]) => Promise<Result[]>;
}

/** Runs the benchmarks. */
export async function bench(settings: Settings, { delay, signal, onRound }: BenchOptions = {}): Promise<Session> {
    const machine = describeMachine();
    const peers = settings.peers ? await loadPeers() : [];
    const { rounds, processes, ...rest } = settings;
    const take = (task: Task, done: () => void) =>
        (processes === 0 ? measureTask : measureElsewhere)(task, { signal, onRound: done });

    let done = 0;
    onRound?.(done, rounds);
    const parts: Samples[] = [];
    for (const share of sharesOf(rounds, Math.max(processes, 1))) {
        const task = { ...rest, rounds: share, delay };
        parts.push(...(await take(task, () => onRound?.(++done, rounds))));
    }
    const results = resultsOf(parts);
    return {
        run: {
            format: 'poselane-bench',
            version: 1,
            poselane: version(),
            machine,
            settings: { ...settings, data: ANGLES[settings.angles], t: T, seed: SEED },
            unavailable: implementations()
                .filter(({ available }) => !available)
                .map(({ name, reason }) => ({ name, reason: reason! })),
            peers: peers.map(({ name, version: found }) => ({ name, version: found })),
            results,
            ...(settings.papers ? { papers: paperTables(oursOf({ results, peers }), machine) } : {}),
        },
        again: async (names) => resultsOf(await take({ ...rest, rounds, delay, only: names.map(keyOf) }, () => {})),
    };
}

/** `rounds` in `parts` nearly equal parts, none of them empty. */
function sharesOf(rounds: number, parts: number): number[] {
    const shares = Array.from({ length: parts }, (_, k) => Math.floor((rounds + k) / parts));
    return shares.filter((share) => share > 0);
}

/** The run with the comparison added to it. */
export async function compareRuns(base: BenchRun, { run, again }: Session, options: CompareOptions): Promise<BenchRun> {
    const comparison = await compare(oursOf(base), oursOf(run), again, options);
    return { ...run, comparison: { ...comparison, base: { machine: base.machine, poselane: base.poselane } } };
}

/** The results of poselane. Those of other libraries are not compared. */
function oursOf({ results, peers }: Pick<BenchRun, 'results' | 'peers'>): Result[] {
    return results.filter(({ implementation }) => !peers.some(({ name }) => name === implementation));
}

/** Why this value is not a run, or null if it is one. */
export function problemOfRun(value: unknown): string | null {
    const run = value as Partial<BenchRun> | null;
    if (typeof run !== 'object' || run === null || run.format !== 'poselane-bench') {
        return "must be what 'poselane bench --json' wrote";
    }
    if (run.version !== 1) return `is of version ${run.version}; this program knows version 1`;
    const { results, peers, machine, settings } = run;
    const sound =
        Array.isArray(results) &&
        results.length > 0 &&
        results.every(isResult) &&
        Array.isArray(peers) &&
        peers.every((peer) => typeof peer?.name === 'string') &&
        typeof machine?.cpu === 'string' &&
        typeof machine.node === 'string' &&
        isListOf(settings?.sizes, isPositive) &&
        isListOf(settings?.routines, (routine) => (ROUTINES as readonly unknown[]).includes(routine)) &&
        (settings?.angles === 'random' || settings?.angles === 'frames');
    return sound ? null : 'is incomplete: measure again';
}

function isPositive(value: unknown): boolean {
    return typeof value === 'number' && Number.isFinite(value) && value > 0;
}

function isListOf(value: unknown, is: (element: unknown) => boolean): boolean {
    return Array.isArray(value) && value.every(is);
}

/** Whether a result can be judged. With a time of 0 every kernel would be infinitely faster. */
function isResult(value: unknown): boolean {
    const result = value as Partial<Result> | null;
    return (
        typeof result?.routine === 'string' &&
        typeof result.implementation === 'string' &&
        isPositive(result.n) &&
        isPositive(result.min) &&
        typeof result.step === 'number' &&
        Number.isFinite(result.step) &&
        isListOf(result.rounds, isPositive) &&
        result.rounds!.length > 0
    );
}

function version(): string {
    // lib/bench and dist/bench are equally deep.
    return (JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8')) as { version: string }).version;
}
