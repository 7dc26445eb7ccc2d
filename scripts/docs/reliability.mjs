// SPDX-License-Identifier: MIT

/** Writes what a long run found into docs/reliability.md, between the marks of that run. */

import fs from 'node:fs';
import path from 'node:path';
import { root } from '../lib.mjs';

const FILE = path.join(root, 'docs/reliability.md');

/** 1 234 567 */
export const grouped = (n) => String(Math.round(n)).replace(/\B(?=(\d{3})+$)/g, ' ');

const WORDS = {
    'fuzz-native': (r) => [
        '',
        '| target | executions | s | per s | edges | result | implementations | when and where |',
        '| --- | ---: | ---: | ---: | ---: | --- | --- | --- |',
        ...Object.entries(r).map(([target, { runs }]) => {
            const sum = (name) => runs.reduce((all, run) => all + run[name], 0);
            const [executions, seconds] = [sum('executions'), sum('seconds')];
            const edges = Math.max(...runs.map((run) => run.edges));
            const numbers = [executions, seconds, executions / seconds, edges].map(grouped).join(' | ');
            const { implementations, date, machine, command } = runs.at(-1);
            const result = runs.every((run) => run.result === 'nothing found') ? 'nothing found' : 'failed';
            const times = runs.length === 1 ? '' : `, the last of ${runs.length} runs of the same kernels`;
            return `| ${target} | ${numbers} | ${result} | ${implementations.join(', ')} | ${date}, ${machine}: \`${command}\`${times} |`;
        }),
        '',
    ],
    'fuzz-gltf': (r) => [
        `${r.date}, Node ${r.node.slice(1)}, seed \`${r.seed}\`: ${grouped(r.files)} files mutated from ${r.seeds} in ` +
            `${grouped(r.seconds)} s with ${r.jobs} jobs (${grouped(r.filesPerSecond)} a second, ${grouped(r.filesPerCpuSecond)} for each second of CPU time); ${grouped(r.succeeded)} ` +
            `succeeded, ${grouped(r.refused)} were refused by errors of ours, ${grouped(r.compared)} were done without the ` +
            `addon as well; the slowest took ${grouped(r.slowestMilliseconds)} ms of CPU time, the largest process ${grouped(r.peakMiB)} ` +
            `MiB; run again for the memory of their process: ${r.runAgain.length}. Findings: ${r.findings.length}. \`${r.command}\``,
    ],
    soak: (r) => [
        `${r.date}, Node ${r.node.slice(1)}:`,
        '',
        '| what | times | resident half-way, MiB | at the end, MiB | rise of the line through the second half, MiB |',
        '| --- | ---: | ---: | ---: | ---: |',
        ...r.runs.map(
            ({ name, times, first, last, rise }) =>
                `| ${name} | ${grouped(times)} | ${first.toFixed(1)} | ${last.toFixed(1)} | ${rise.toFixed(2)} |`,
        ),
    ],
    'flip-indices': (r) => [
        `${r.date}, Node ${r.node.slice(1)}: ${grouped(r.seconds)} s, ${grouped(r.calls)} calls of ${r.routines} routines in ` +
            `${r.implementations} implementations, ${grouped(r.refused)} of them refused for what they found; no crash, and ` +
            'nothing written outside of the lists.',
    ],
};

/** @param run Its name, as in `<!-- name -->`. */
export function writeReliability(run, result) {
    const text = fs.readFileSync(FILE, 'utf8');
    const [begin, end] = [`<!-- ${run} -->\n`, `<!-- /${run} -->\n`];
    const [from, to] = [text.indexOf(begin), text.indexOf(end)];
    if (from < 0 || to < from) throw new Error(`docs/reliability.md has no place for ${run}`);
    const words = WORDS[run](result).join('\n');
    fs.writeFileSync(FILE, `${text.slice(0, from + begin.length)}${words}\n${text.slice(to)}`);
}
