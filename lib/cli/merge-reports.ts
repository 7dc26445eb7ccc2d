// SPDX-License-Identifier: MIT

import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { Command } from 'commander';
import { InputError } from '../base/errors';
import { whyUnreadable } from '../base/messages';
import { judge } from './batch/batch';
import { KINDS } from './batch/kinds';
import { EXIT, ExitError } from './exit-codes';
import { FLAGS } from './flags';
import { findInputs, type Shard } from './inputs';
import { groupDigits, type Io, writeLine } from './io';
import { refuseFile, refuseInput, writeWhole } from './output-file';
import { hashOfNames, type Report, type ReportEntry, textOfReport } from './report-json';

const REPORTS = { taken: /\.json$/i, what: '.json' };

const SHOWN = 8;

export function mergeReportsCommand(io: Io): Command {
    return new Command('merge-reports')
        .description('merge the reports of all shards of a batch; the exit code is that of the whole batch')
        .argument('<reports...>', 'files, or patterns such as "reports/*.json"')
        .requiredOption('-o, --out <file>', 'file for the report of the whole batch')
        .addHelpText(
            'after',
            `
Examples:
  $ poselane merge-reports reports/*.json -o all.json

Of several reports of one shard, successful entries count.
Exit codes: 0 all were done, 2 wrong use, 3 a report is missing or invalid, or is of another batch; else as the command that wrote them.`,
        )
        .action((names: string[], { out }: { out: string }) => mergeReports(names, out, io));
}

interface Read {
    readonly file: string;
    readonly report: Report;
}

async function mergeReports(names: readonly string[], out: string, io: Io): Promise<void> {
    const files = (await findInputs(names, { kind: REPORTS })).map(({ path }) => path);
    await refuseFile('--out', out, null);
    await refuseInput('--out', out, files);
    const reports: Read[] = [];
    for (const file of files) reports.push({ file, report: await readReport(file) });
    const entries = await merge(reports);
    await writeWhole('--out', out, textOfReport(reports[0]!.report.batch, null, entries));
    const { command } = reports[0]!.report.batch;
    const counted = [KINDS[command].done, 'failed', 'not-begun'].map((status) => {
        const count = entries.filter((entry) => entry.status === status).length;
        return `${groupDigits(count)} ${status.replace('-', ' ')}`;
    });
    writeLine(io.stdout, `${out}: of ${groupDigits(entries.length)} files ${counted.join(', ')}`);
    const ended = entries.find(({ status, error }) => status === 'not-begun' || error?.exitCode === EXIT.interrupted);
    if (ended !== undefined) throw new ExitError(ended.error!.exitCode, `${ended.input}: ${ended.error!.message}`);
    judge(command, entries, entries.length);
}

/** @throws InputError `REPORT_INVALID` unless all are of one batch and agree about each input. */
async function merge(reports: readonly Read[]): Promise<ReportEntry[]> {
    const [first] = reports;
    const { batch } = first!.report;
    const { count } = shardOf(first!.report);
    const found = new Map<number, { readonly file: string; readonly entry: ReportEntry }>();
    for (const { file, report } of reports) {
        const difference = differenceOf(first!.report, report);
        if (difference !== null) throw invalid(file, `is of another batch than ${first!.file}: ${difference}`);
        for (const [i, entry] of report.inputs.entries()) {
            const place = shardOf(report).index - 1 + i * count;
            const other = found.get(place);
            if (other === undefined || counts(entry, other.entry)) found.set(place, { file, entry });
            else if (contradict(entry, other.entry)) {
                throw invalid(file, `'${entry.input}' has other outputs than in ${other.file}`, `/inputs/${i}`);
            }
        }
    }
    if (found.size < batch.inputs) {
        const here = new Set(reports.map(({ report }) => shardOf(report).index));
        const missing: string[] = [];
        for (let index = 1; missing.length < SHOWN && index <= Math.min(count, batch.inputs); index++) {
            if (!here.has(index)) missing.push(`${index}/${count}`);
        }
        const what = `its batch has ${groupDigits(batch.inputs)} inputs, these reports have ${groupDigits(found.size)}`;
        throw invalid(first!.file, `${what}; shards that are missing: ${missing.join(', ')}`);
    }
    const entries = Array.from(found.keys())
        .sort((a, b) => a - b)
        .map((place) => found.get(place)!.entry);
    if ((await hashOfNames(entries.map(({ input }) => input))) !== batch.sha256) {
        throw invalid(first!.file, 'the inputs of these reports are not those of the batch');
    }
    return entries;
}

/** The first difference between the batches of two reports, or null. */
function differenceOf(a: Report, b: Report): string | null {
    const [of, wanted] = [b, a].map((report) => shardOf(report).count);
    if (of !== wanted) return `--shard has parts of ${of} and of ${wanted}`;
    if (b.batch.command !== a.batch.command) return `poselane ${b.batch.command} and ${a.batch.command}`;
    if (b.batch.poselane !== a.batch.poselane) return `poselane ${b.batch.poselane} and ${a.batch.poselane}`;
    for (const name of Object.keys({ ...b.batch.options, ...a.batch.options })) {
        const [its, first] = [b, a].map(({ batch }) => batch.options[name]);
        if (isDeepStrictEqual(its, first)) continue;
        const said = [its, first].map((value) => JSON.stringify(value) ?? 'not given').join(' and ');
        return `${FLAGS[name] ?? name} ${said}`;
    }
    if (b.batch.inputs !== a.batch.inputs) return `${b.batch.inputs} and ${a.batch.inputs} inputs`;
    return b.batch.sha256 === a.batch.sha256 ? null : 'inputs of other names';
}

function counts(later: ReportEntry, earlier: ReportEntry): boolean {
    return !isDone(earlier) && later.status !== 'not-begun';
}

function contradict(a: ReportEntry, b: ReportEntry): boolean {
    const made = ({ input, outputs, files, reduction }: ReportEntry) => [input, outputs, files, reduction];
    return isDone(a) && isDone(b) && !isDeepStrictEqual(made(a), made(b));
}

function isDone({ status }: Partial<ReportEntry>): boolean {
    return status === 'baked' || status === 'reduced';
}

function shardOf({ shard }: Report): Shard {
    return shard ?? { index: 1, count: 1 };
}

function invalid(file: string, rule: string, pointer = ''): InputError {
    return new InputError('REPORT_INVALID', file, pointer, rule);
}

/** @throws InputError `FILE_UNREADABLE`; `REPORT_INVALID` for another kind of file. */
async function readReport(file: string): Promise<Report> {
    const text = await readFile(file, 'utf8').catch((cause) => {
        throw new InputError('FILE_UNREADABLE', file, '', `cannot be read: ${whyUnreadable(cause)}`, { cause });
    });
    let report: Report;
    try {
        report = JSON.parse(text);
    } catch {
        throw invalid(file, 'no JSON: needs what --report of bake or reduce writes');
    }
    if (report?.format !== 'poselane-report' || report.version !== 1 || !isBatch(report.batch)) {
        throw invalid(file, 'needs a report of version 1, as --report of bake or reduce writes it');
    }
    if (report.shard !== null && !isShard(report.shard))
        throw invalid(file, 'needs index and count, or null', '/shard');
    const { index, count } = shardOf(report);
    const { batch, inputs } = report;
    const needed = Math.max(0, Math.ceil((batch.inputs - (index - 1)) / count));
    if (!Array.isArray(inputs) || inputs.length !== needed) {
        const what = `needs ${needed} entries, those of shard ${index}/${count} of ${batch.inputs} inputs`;
        throw invalid(file, what, '/inputs');
    }
    const wrong = inputs.findIndex((entry) => !isEntry(entry));
    if (wrong >= 0) throw invalid(file, 'is not an entry of a report', `/inputs/${wrong}`);
    return report;
}

function isBatch(batch: Partial<Report['batch']> | null | undefined): boolean {
    const { command, poselane, options, inputs, sha256 } = batch ?? {};
    const strings = typeof poselane === 'string' && typeof sha256 === 'string' && Object.hasOwn(KINDS, command ?? '');
    return strings && typeof options === 'object' && options !== null && isWhole(inputs);
}

function isShard(shard: Partial<Shard> | undefined): boolean {
    const { index, count } = shard ?? {};
    return isWhole(index) && isWhole(count) && index >= 1 && index <= count;
}

function isEntry(entry: Partial<ReportEntry> | null): boolean {
    const { input, status, outputs, files, error } = entry ?? {};
    const failed = status === 'failed' || status === 'not-begun';
    if (typeof input !== 'string' || !Array.isArray(outputs ?? []) || !Array.isArray(files)) return false;
    return failed
        ? isWhole(error?.exitCode) && typeof error?.message === 'string'
        : isDone(entry ?? {}) && error === null;
}

function isWhole(value: unknown): value is number {
    return Number.isSafeInteger(value) && (value as number) >= 0;
}
