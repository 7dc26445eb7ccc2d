// SPDX-License-Identifier: MIT

/**
 * Draws docs/images/godot-crowd.png: the example as a crowd in Godot 3, by the script and the shader that `--emit godot` writes. Needs
 * `npm run build`, godot3 and xvfb-run.
 *
 *     node scripts/docs/godot.mjs
 */

import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import * as os from 'node:os';
import * as path from 'node:path';
import { root } from '../lib.mjs';

const { bakeFile, writeBake } = createRequire(import.meta.url)('../../dist/index.js');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'poselane-godot-'));
try {
    fs.cpSync(path.join(root, 'scripts/docs/godot'), folder, { recursive: true });
    const bake = await bakeFile(path.join(root, 'examples/character.glb'), { emit: ['godot'], godot: '3' });
    await writeBake(bake, folder);
    for (const more of [['--editor', '--quit'], []]) {
        const args = [
            '-a',
            '-s',
            '-screen 0 1400x800x24',
            'godot3',
            '--audio-driver',
            'Dummy',
            '--path',
            folder,
            ...more,
        ];
        const { status, stdout, stderr } = spawnSync('xvfb-run', args, {
            encoding: 'utf8',
            env: { ...process.env, HOME: folder },
        });
        if (status !== 0 || /SCRIPT ERROR|SHADER ERROR/.test(stdout + stderr)) throw new Error(stdout + stderr);
    }
    fs.copyFileSync(path.join(folder, 'crowd.png'), path.join(root, 'docs/images/godot-crowd.png'));
} finally {
    fs.rmSync(folder, { recursive: true });
}
