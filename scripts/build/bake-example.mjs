// SPDX-License-Identifier: MIT

/** The second half of npm run bake: bakes the example and says where the files are and how to look at them. */

import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { root } from '../lib.mjs';

const out = path.join(root, 'out');
const command = ['dist/cli/main.js', 'bake', 'examples/character.glb', '-o', 'out'];
const { status } = spawnSync(process.execPath, command, { cwd: root, stdio: 'inherit' });
if (status !== 0) process.exit(status ?? 1);

const manifest = JSON.parse(fs.readFileSync(path.join(out, 'character.bake.json'), 'utf8'));
console.log('\nThe character of examples/character.glb, as skinning palettes:');
console.log('  out/character.bake.json   what is where: clips, joints, arrays');
console.log('  out/character.bake.bin    the matrices, [row][joint][16] floats, ready to be a texture or a buffer');
for (const { name, firstRow, frameCount, duration } of manifest.clips) {
    console.log(`    ${name}: rows ${firstRow} to ${firstRow + frameCount - 1}, ${duration} s`);
}
console.log('\nTo look at them:');
console.log(
    '  node dist/cli/main.js view examples/character.glb out/character.bake.json        in a browser, live beside baked',
);
console.log(
    '  node examples/view.mjs out/character.bake.json                                   the same, by the loaders only',
);
