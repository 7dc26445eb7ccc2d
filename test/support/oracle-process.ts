// SPDX-License-Identifier: MIT

import { basename, join } from 'node:path';
import { runNode } from './processes';

/** How long an oracle may take: many times what the largest model needs, on a busy machine too. */
const PATIENCE_MS = 50_000;

/**
 * Runs an oracle's script with a request on stdin and returns its doubles. An engine that hangs or rejects a file
 * is an error that names this file.
 */
export function askOracle(script: string, request: unknown): Float64Array {
    const { stdout, stderr, status } = runNode<Buffer>([script], {
        encoding: null,
        input: JSON.stringify(request),
        limit: PATIENCE_MS,
    });
    // The engine's own messages follow the line that names the input.
    const log = String(stderr);
    const [, file = 'nothing yet', said = log] = /[\s\S]*^at work on (.*)\n([\s\S]*)$/m.exec(log) ?? [];
    if (status !== 0) throw new Error(`${basename(script)}, at work on ${file}, ended with ${status}: ${said.trim()}`);
    return new Float64Array(stdout.buffer.slice(stdout.byteOffset, stdout.byteOffset + stdout.byteLength));
}

/** Matrices of a skin's palette at the times of some clips of a file. */
export interface MatrixRequest {
    readonly file: string;
    readonly clips: readonly { animation: number; times: readonly number[] }[];
    readonly skin: number;
}

/** Asks a script of this folder. Per request, per clip: `times * counts[request] * 16` doubles, column-major, in scene space. */
export function matrixOracle(script: string) {
    return (requests: readonly MatrixRequest[], counts: readonly number[]): Float64Array[][] => {
        const all = askOracle(join(__dirname, script), requests);
        let at = 0;
        const take = (length: number): Float64Array => {
            at += length;
            return all.subarray(at - length, at);
        };
        const answers = requests.map(({ clips }, r) => clips.map(({ times }) => take(times.length * counts[r]! * 16)));
        if (at !== all.length) throw new Error(`${script} gave ${all.length} numbers where ${at} were due`);
        return answers;
    };
}
