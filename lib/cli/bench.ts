// SPDX-License-Identifier: MIT

import { readFile, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { InputError, UsageError } from '../base/errors';
import { whyUnreadable } from '../base/messages';
import {
    ANGLES,
    type Angles,
    type BenchRun,
    bench,
    compareRuns,
    comparisonText,
    cpuModel,
    type Delay,
    problemOfRun,
    runText,
    type Settings,
} from '../bench';
import { findOverlaps } from '../files/output-files';
import { implementations } from '../lists/implementations';
import { ROUTINE_NAMES as ROUTINES, type Routine } from '../lists/routines';
import { SlowerError } from './exit-codes';
import { type Io, jsonText, writeJson, writeLine, writeText } from './io';

interface Options {
    readonly papers?: boolean;
    readonly kernels?: readonly Routine[];
    readonly n?: readonly number[];
    readonly peers?: boolean;
    readonly angles?: Angles;
    readonly rounds: number;
    readonly json?: string | true;
    readonly compare?: string;
    readonly maxRegression?: number;
    readonly absolute?: boolean;
    readonly delay?: Delay;
}

export function benchCommand(io: Io): Command {
    return new Command('bench')
        .description('measure every implementation on this machine, beside the published figures')
        .option('--papers', 'the published tables beside what this machine needs')
        .option('--kernels <names>', 'only these routines: slerpJoints,transformSkeleton; may repeat', addKernels)
        .option('--n <lengths>', 'lists of these lengths (default: 64,1024)', parseLengths)
        .option('--peers', 'also three.js and gl-matrix, if installed, and a plain JavaScript loop')
        .addOption(
            new Option('--angles <which>', 'random (default) or neighboring key frames').choices(Object.keys(ANGLES)),
        )
        .option('--rounds <number>', 'interleaved rounds', parseRounds, 20)
        .option('--json [file]', 'write everything as JSON: to a file, or instead of the tables to stdout (-)')
        .option('--compare <file>', 'judge by an earlier --json file; without other choices measures what that has')
        .option('--max-regression <percent>', 'with --compare: how much slower is allowed (default: 10%)', parsePercent)
        .option('--absolute', 'with --compare: judge times, not ratios; needs the same CPU model and Node version')
        .addOption(new Option('--delay <case=percent>').argParser(parseDelay).hideHelp())
        .addHelpText(
            'after',
            `
Ratios to paper/c, measured in the same rounds, are what --compare judges: they hold on another day and on another
machine of the same kind. Exit code 4: a kernel is slower by more than allowed, however often it is measured again.

Examples:
  $ poselane bench --papers
  $ poselane bench --kernels slerpJoints,lerpJoints --n 64,1024,100000 --peers
  $ poselane bench --json base.json
  $ poselane bench --compare base.json --max-regression 10% --json now.json
  $ poselane bench --papers --json - | jq .papers`,
        )
        .action((options: Options) => benchAction(options, io));
}

function addKernels(value: string, previous: readonly Routine[] = []): readonly Routine[] {
    const names = value.split(',');
    const unknown = names.filter((name) => !(ROUTINES as readonly string[]).includes(name));
    if (unknown.length > 0) {
        throw new InvalidArgumentError(`No routine '${unknown.join("', '")}'; there are ${ROUTINES.join(', ')}.`);
    }
    return [...previous, ...(names as Routine[])];
}

const MAX_LENGTH = 1_000_000;

function parseLengths(value: string): readonly number[] {
    const lengths = value.split(',').map((text) => (/^\d+$/.test(text) ? Number(text) : 0));
    if (lengths.some((n) => n < 1 || n > MAX_LENGTH)) {
        throw new InvalidArgumentError(`Needs whole numbers from 1 to ${MAX_LENGTH}, as in 64,1024.`);
    }
    return [...new Set(lengths)];
}

function parseRounds(value: string): number {
    const rounds = /^\d+$/.test(value) ? Number(value) : 0;
    if (rounds < 1 || rounds > 10_000) throw new InvalidArgumentError('Needs a whole number from 1 to 10000.');
    return rounds;
}

function parsePercent(value: string): number {
    if (!/^\d+(\.\d+)?%?$/.test(value)) throw new InvalidArgumentError('Needs a percentage, as in 10%.');
    return Number(value.replace('%', '')) / 100;
}

function parseDelay(value: string): Delay {
    const match = /^(\w+):([\w/-]+)=(.+)$/.exec(value);
    const known = match && implementations().find(({ name }) => name === match[2])?.routines;
    if (!match || !(known as readonly string[] | undefined)?.includes(match[1]!))
        throw new InvalidArgumentError('Needs routine:implementation=percent.');
    return { routine: match[1]!, implementation: match[2]!, factor: 1 + parsePercent(match[3]!) };
}

async function benchAction(options: Options, io: Io): Promise<void> {
    const { compare: baseFile, maxRegression, absolute = false, json, rounds, delay } = options;
    if (baseFile === undefined && (maxRegression !== undefined || absolute)) {
        throw new UsageError(`--${absolute ? 'absolute' : 'max-regression'} goes with --compare`);
    }
    if (typeof json === 'string' && json !== '-') {
        await refuseUnwritable(json);
        const overlapOf = await findOverlaps([json]);
        if (baseFile !== undefined && (await overlapOf(baseFile)) !== undefined) {
            throw new UsageError(`--json: '${json}' is what --compare reads: name another file`);
        }
    }
    const base = baseFile === undefined ? null : await readBase(baseFile);
    if (base && absolute) refuseOtherMachine(base);
    const settings = { ...choose(options, base), rounds, processes: PROCESSES, milliseconds: MILLISECONDS };

    const progress = createCounter(io);
    let run: BenchRun;
    try {
        const session = await bench(settings, { delay, signal: io.signal, onRound: progress.show });
        run = session.run;
        if (base) {
            run = await compareRuns(base, session, {
                maxRegression: maxRegression ?? MAX_REGRESSION,
                absolute,
                sameCpu: base.machine.cpu === run.machine.cpu,
                signal: io.signal,
            });
            if (run.comparison!.judged === 0) {
                throw new UsageError(`--compare: '${baseFile}' has none of the cases that were measured`);
            }
        }
    } finally {
        progress.stop();
    }

    const toStdout = json === true || json === '-';
    if (toStdout) writeJson(io.stdout, run);
    else {
        writeText(io.stdout, runText(run));
        if (typeof json === 'string') await writeFile(json, jsonText(run));
    }
    if (!run.comparison) return;
    const { lines, slower } = comparisonText(run, baseFile!);
    if (!toStdout) writeText(io.stdout, '\n');
    for (const line of lines) writeLine(toStdout ? io.stderr : io.stdout, line);
    for (const line of slower) writeLine(io.stderr, `poselane: ${line}`);
    if (slower.length > 0) {
        throw new SlowerError(`${slower.length} case${slower.length === 1 ? ' is' : 's are'} slower than allowed`);
    }
}

const PROCESSES = 4;
const MILLISECONDS = 1;
const LENGTHS: readonly number[] = [64, 1024];
const MAX_REGRESSION = 0.1;

/** Measures the cases of the options, else those of the base, else all. */
function choose(
    options: Options,
    base: BenchRun | null,
): Pick<Settings, 'papers' | 'routines' | 'sizes' | 'peers' | 'angles'> {
    const { papers, kernels, n, peers, angles } = options;
    if (base && angles && angles !== base.settings.angles) {
        throw new UsageError(`--angles: the base was measured with '${base.settings.angles}'`);
    }
    const chosen = { angles: angles ?? base?.settings.angles ?? 'random', peers: peers ?? false };
    if (!papers && !kernels && !n && !peers && base) {
        const { settings } = base;
        return { ...chosen, papers: settings.papers, routines: settings.routines, sizes: settings.sizes };
    }
    // The tables need what they need, and nothing else unless it is named.
    const tablesAlone = papers && !kernels && !n;
    return {
        ...chosen,
        papers: papers ?? false,
        routines: tablesAlone ? [] : (kernels ?? ROUTINES),
        sizes: tablesAlone ? [] : (n ?? LENGTHS),
    };
}

async function refuseUnwritable(file: string): Promise<void> {
    const kindOf = (path: string) => stat(path).catch(() => null);
    if ((await kindOf(file))?.isDirectory()) throw new UsageError(`--json: '${file}' is a folder`);
    if (!(await kindOf(dirname(file)))?.isDirectory()) {
        throw new UsageError(`--json: there is no folder '${dirname(file)}'`);
    }
}

async function readBase(file: string): Promise<BenchRun> {
    const refuse = (rule: string, cause?: unknown) => new InputError('FILE_UNREADABLE', file, '', rule, { cause });
    let text: string;
    try {
        text = await readFile(file, 'utf8');
    } catch (cause) {
        throw refuse(`cannot be read: ${whyUnreadable(cause)}`, cause);
    }
    const problem = problemOfRun(parse(text));
    if (problem !== null) throw refuse(problem);
    return JSON.parse(text) as BenchRun;
}

function parse(text: string): unknown {
    try {
        return JSON.parse(text);
    } catch {
        return null;
    }
}

function refuseOtherMachine({ machine }: BenchRun): void {
    const here = { 'CPU model': cpuModel(), 'Node version': process.version };
    const there = { 'CPU model': machine.cpu, 'Node version': machine.node };
    for (const what of ['CPU model', 'Node version'] as const) {
        if (here[what] !== there[what]) {
            throw new UsageError(`--absolute: another ${what}: '${here[what]}' here, '${there[what]}' in the base`);
        }
    }
}

function createCounter({ stderr }: Io) {
    if (!stderr.isTTY) return { show() {}, stop() {} };
    const ERASE_LINE = '\r\u001b[2K';
    return {
        show(done: number, total: number) {
            stderr.write(`${ERASE_LINE}bench: round ${Math.min(done + 1, total)} of ${total}`);
        },
        stop() {
            stderr.write(ERASE_LINE);
        },
    };
}
