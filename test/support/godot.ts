// SPDX-License-Identifier: MIT

/** Debian's Godot 3, drawing in software. */

import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from './processes';

/** Why tests in Godot are skipped, or null. In CI they are not skipped: they fail without it. */
export function withoutGodot(): string | null {
    if (process.env.CI) return null;
    const missing = ['godot3', 'xvfb-run'].find((name) => runProgram('sh', ['-c', `command -v ${name}`]).status !== 0);
    return missing === undefined ? null : `no ${missing}`;
}

export const SIZE = { width: 400, height: 300 };

/**
 * Runs the project of `test/long/engines/godot` in a folder with a bake.
 *
 * @param given The input of its script.
 * @returns The pixels of each frame, RGB.
 */
export function drawInGodot(
    folder: string,
    given: { readonly frames: readonly unknown[]; readonly [name: string]: unknown },
): Uint8Array[] {
    cpSync(join(__dirname, '../long/engines/godot'), folder, { recursive: true });
    writeFileSync(join(folder, 'given.json'), JSON.stringify(given));
    const run = (...args: string[]) => {
        const { stdout, stderr } = runProgram(
            'xvfb-run',
            ['-a', 'godot3', '--audio-driver', 'Dummy', '--path', folder, ...args],
            { limit: 120_000, env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder } },
        );
        const fault = /SCRIPT ERROR|SHADER ERROR|Parse Error/.exec(stdout + stderr);
        if (fault !== null) throw new Error(`${stdout}${stderr}`);
    };
    run('--editor', '--quit');
    run();
    return given.frames.map((_, i) => readFileSync(join(folder, `frame${i}.rgb`)));
}
