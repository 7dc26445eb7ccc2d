// SPDX-License-Identifier: MIT

/** Runs commands in this process, each test in its own folder. */

import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { run } from '../../lib/cli/main';

export interface Outcome {
    readonly code: number;
    readonly stdout: string;
    readonly stderr: string;
}

interface Surroundings {
    /** Whether stderr, or both streams, are terminals. */
    readonly isTTY?: boolean | 'both';
    readonly signal?: AbortSignal;
    /** Called with each text written to either stream. */
    onText?(text: string): void;
    readonly command?: typeof run;
}

/** Makes a new folder the current one for each test. */
export function inNewFolder(): void {
    const home = process.cwd();
    let folder: string;
    beforeEach(() => {
        folder = fs.mkdtempSync(join(fs.realpathSync(tmpdir()), 'poselane-cli-'));
        process.chdir(folder);
    });
    afterEach(() => {
        process.chdir(home);
        fs.rmSync(folder, { recursive: true, force: true });
    });
}

/** @param line The arguments, separated by spaces; a list if an argument has a space or is empty. */
export async function poselane(
    line: string | readonly string[],
    { isTTY, signal, onText, command = run }: Surroundings = {},
): Promise<Outcome> {
    const texts = { stdout: '', stderr: '' };
    const stream = (name: 'stdout' | 'stderr') => ({
        isTTY: isTTY === 'both' || (name === 'stderr' && isTTY),
        write(text: string) {
            texts[name] += text;
            onText?.(text);
        },
    });
    const argv = typeof line === 'string' ? line.split(' ') : line;
    const code = await command([...argv], { stdout: stream('stdout'), stderr: stream('stderr'), signal });
    return { code, ...texts };
}

/** Expected output: all of it, or a pattern; null for any. */
type Written = string | RegExp | null;

/** Runs a command, and expects its exit code and both outputs; by default 0 and no output. */
export async function expectRun(
    line: string | readonly string[],
    expected: { readonly code?: number; readonly stdout?: Written; readonly stderr?: Written } = {},
    surroundings?: Surroundings,
): Promise<Outcome> {
    const { code = 0, stdout = '', stderr = '' } = expected;
    const matcher = (written: Written) => {
        if (written === null) return expect.any(String);
        return typeof written === 'string' ? written : expect.stringMatching(written);
    };
    const outcome = await poselane(line, surroundings);
    expect({ line, ...outcome }).toEqual({ line, code, stdout: matcher(stdout), stderr: matcher(stderr) });
    return outcome;
}

/** Runs a command that must succeed with an empty stderr. Returns its stdout. */
export async function printed(line: string | readonly string[]): Promise<string> {
    return (await expectRun(line, { stdout: null })).stdout;
}

/** Writes a file, and creates its folders. */
export function put(path: string, contents: string | Uint8Array): void {
    fs.mkdirSync(dirname(path), { recursive: true });
    fs.writeFileSync(path, contents);
}

// biome-ignore lint/suspicious/noExplicitAny: JSON that a command wrote
export const readJson = (path: string): any => JSON.parse(fs.readFileSync(path, 'utf8'));

/** The JSON of a GLB. */
// biome-ignore lint/suspicious/noExplicitAny: JSON that a command wrote
export function readGlb(path: string): any {
    const glb = fs.readFileSync(path);
    return JSON.parse(glb.toString('utf8', 20, 20 + glb.readUInt32LE(12)));
}

/** Paths of all files below a folder, sorted. Empty for a missing folder. */
export function filesIn(folder = '.'): string[] {
    if (fs.statSync(folder, { throwIfNoEntry: false }) === undefined) return [];
    return fs
        .readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => fs.statSync(join(folder, name), { throwIfNoEntry: false })?.isFile())
        .sort();
}
