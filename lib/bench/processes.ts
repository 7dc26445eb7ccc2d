// SPDX-License-Identifier: MIT

/** Measures in other processes, because optimized code and addresses of data differ more between processes than within one. */

import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Samples } from './measure';
import { measureTask, type Task } from './task';

/** The messages of a process: one after each round, and one at the end. */
export type Message = { readonly round: true } | { readonly samples: readonly Samples[] } | { readonly error: string };

interface Listening {
    readonly signal?: AbortSignal;
    readonly onRound?: () => void;
}

// The file is missing when TypeScript runs from its sources. The path goes by the parent folder, for the command's
// single file in dist/cli.
const WORKER = join(__dirname, '../bench/worker.js');

/** Measures in a new process, or in this one if the worker's file is missing. */
export function measureElsewhere(task: Task, { signal, onRound }: Listening): Promise<readonly Samples[]> {
    if (!existsSync(WORKER)) return measureTask(task, { signal, onRound });
    return new Promise((resolve, reject) => {
        const child = fork(WORKER, [], {
            serialization: 'advanced',
            stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
            signal,
        });
        child.on('error', reject);
        child.on('exit', (code, killedBy) => {
            reject(new Error(`bench: the measuring process ended early (${killedBy ?? `exit code ${code}`})`));
        });
        child.on('message', (message: Message) => {
            if ('round' in message) {
                onRound?.();
                return;
            }
            if ('error' in message) reject(new Error(message.error));
            else resolve(message.samples);
            child.disconnect();
        });
        child.send(task);
    });
}
