// SPDX-License-Identifier: MIT

/**
 * What one would write without a baker: `node three-bake.mjs model.glb out.bin fps`. three.js loads the file, its mixer and
 * its skeleton give the matrices of every frame of every clip, and one file is written.
 */

import { writeFileSync } from 'node:fs';
import { loadModel, palettesOf } from './three-model.mjs';

const [path, out, rate] = process.argv.slice(2);
writeFileSync(out, new Uint8Array(palettesOf(await loadModel(path), Number(rate)).buffer));
