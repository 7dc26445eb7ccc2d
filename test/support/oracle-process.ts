// SPDX-License-Identifier: MIT

import { spawnSync } from 'node:child_process';
import { basename } from 'node:path';

/** How long an oracle may take: many times what the largest model needs, on a busy machine too. */
const PATIENCE_MS = 50_000;

/**
 * Runs an oracle's script with a request on stdin and gives the doubles that it answers. Engines can hang on a file that is
 * good as well as on a bad one, and reject others: either is an error that names the input which was at work.
 */
export function askOracle(script: string, request: unknown, { patience = PATIENCE_MS } = {}): Float64Array {
    const { stdout, stderr, status, error } = spawnSync(process.execPath, [script], {
        input: JSON.stringify(request),
        maxBuffer: 2 ** 30,
        timeout: patience,
        killSignal: 'SIGKILL',
    });
    // What the engine itself had to say stands behind the line that names the input.
    const log = String(stderr);
    const [, file = 'nothing yet', said = log] = /[\s\S]*^at work on (.*)\n([\s\S]*)$/m.exec(log) ?? [];
    const who = `${basename(script)}, at work on ${file},`;
    if ((error as NodeJS.ErrnoException | undefined)?.code === 'ETIMEDOUT') {
        throw new Error(`${who} gave no answer within ${patience} ms: killed. Its request: ${filesOf(request)}`);
    }
    if (error !== undefined) throw error;
    if (status !== 0) throw new Error(`${who} ended with ${status}: ${said.trim()}`);
    return new Float64Array(stdout.buffer.slice(stdout.byteOffset, stdout.byteOffset + stdout.byteLength));
}

function filesOf(request: unknown): string {
    return [request]
        .flat()
        .map((one) => (one as { file: string }).file)
        .join(', ');
}

/** Matrices of a skin's palette or of nodes, at the times of some clips of a file. */
export interface MatrixRequest {
    readonly file: string;
    readonly clips: readonly { animation: number; times: readonly number[] }[];
    /** Whose palette; or else `nodes`, whose global matrices. */
    readonly skin?: number;
    readonly nodes?: readonly number[];
}

/** Per request, per clip: `times * counts[request] * 16` doubles, column-major, in scene space. */
export function askForMatrices(
    script: string,
    requests: readonly MatrixRequest[],
    counts: readonly number[],
    options?: { patience?: number },
): Float64Array[][] {
    const all = askOracle(script, requests, options);
    let at = 0;
    const take = (length: number): Float64Array => {
        at += length;
        if (at > all.length) throw new Error(`${basename(script)} gave ${all.length} numbers, too few`);
        return all.subarray(at - length, at);
    };
    const answers = requests.map(({ clips }, r) => clips.map(({ times }) => take(times.length * counts[r]! * 16)));
    if (at !== all.length) throw new Error(`${basename(script)} gave ${all.length} numbers where ${at} were due`);
    return answers;
}
