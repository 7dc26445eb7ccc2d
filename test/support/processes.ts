// SPDX-License-Identifier: MIT

/** The only way in which a test starts a process (biome.json rejects others): at its limit it ends with all its children. */

import {
    type ChildProcess,
    type SpawnOptions,
    type SpawnSyncOptions,
    type SpawnSyncReturns,
    spawn,
    spawnSync,
} from 'node:child_process';
import { readFileSync } from 'node:fs';

/** In milliseconds: more than any program of the tests needs, even sanitized. Jest's own limit cannot end a `spawnSync`. */
const LIMIT = 600_000;

// A separate process group, which can be ended as a whole. Windows has no groups.
const detached = process.platform !== 'win32';

function endGroup({ pid }: { pid?: number }): void {
    try {
        // Group 0 would be the tests' own.
        if (pid) process.kill(detached ? -pid : pid, 'SIGKILL');
    } catch {
        // All of it has ended.
    }
}

/**
 * Runs a program to its end. A program that cannot be started has no status. Throws an error with the program's output
 * if it does not end within the limit.
 */
export function runProgram<Output extends string | Buffer = string>(
    command: string,
    args: readonly string[],
    { limit = LIMIT, ...options }: SpawnSyncOptions & { limit?: number } = {},
): SpawnSyncReturns<Output> {
    const ended = spawnSync(command, args, {
        encoding: 'utf8',
        maxBuffer: 2 ** 30,
        ...options,
        detached,
        timeout: limit,
        killSignal: 'SIGKILL',
    } as SpawnSyncOptions) as SpawnSyncReturns<Output>;
    endGroup(ended);
    if (ended.error === undefined || ended.pid === 0) return ended;
    const { code } = ended.error as NodeJS.ErrnoException;
    const asked = [command, ...args, options.input ?? ''].join(' ').slice(0, 2000);
    const why = code === 'ETIMEDOUT' ? `did not end within ${limit} ms: killed` : code;
    throw new Error(`${asked}: ${why}. It had printed: ${ended.stdout}${ended.stderr}`);
}

export function runNode<Output extends string | Buffer = string>(
    args: readonly string[],
    options?: SpawnSyncOptions & { limit?: number },
): SpawnSyncReturns<Output> {
    return runProgram(process.execPath, args, options);
}

/** Runs Node and returns its output; throws if it fails. */
export function outputOfNode(args: readonly string[], options?: SpawnSyncOptions): string {
    const { status, stdout, stderr } = runNode(args, options);
    if (status !== 0) throw new Error(`ended with ${status}: ${stderr}`);
    return stdout;
}

const started = new Set<ChildProcess>();
// Not where test/long/fuzz-gltf makes its seeds by files of these tests.
globalThis.afterAll?.(() => {
    for (const child of started) endGroup(child);
});

/** A program, until it ends or the tests of the file have. */
export function startProgram(command: string, args: readonly string[], options: SpawnOptions = {}): ChildProcess {
    const child = spawn(command, args, { ...options, detached });
    started.add(child.on('exit', () => started.delete(child)));
    return child;
}

export function startNode(args: readonly string[], options?: SpawnOptions): ChildProcess {
    return startProgram(process.execPath, args, options);
}

/** Only where the system has /proc. One that has ended may stay there as a zombie, if its parent does not care. */
function isAlive(pid: number): boolean {
    try {
        return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
    } catch {
        return false;
    }
}

/** Waits until processes have ended, as long as the test may take. */
export async function untilGone(...pids: number[]): Promise<void> {
    while (pids.some(isAlive)) await new Promise((resolve) => setTimeout(resolve, 10));
}
