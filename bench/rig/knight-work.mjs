// SPDX-License-Identifier: MIT

/** A production character baked, by bench/bake/knight.mjs in a process of its own, as it is run by itself. */

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const bench = join(dirname(fileURLToPath(import.meta.url)), '..');
const MODEL = '../shared/models/KayKit/Knight.glb';

/** A round of it takes half a second. */
const MOST_ROUNDS = 15;

/** @returns Its result, or `{ skipped }`, which says why there is none. */
export function measureKnight({ rounds: wanted }) {
    const rounds = Math.min(wanted, MOST_ROUNDS);
    if (!existsSync(join(bench, '..', MODEL))) return { skipped: `${MODEL} is absent` };
    const script = join(bench, 'bake/knight.mjs');
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, '--rounds', `${rounds}`, '--json'], {
        encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`${script}: ${stderr}`);
    return JSON.parse(stdout);
}
