// SPDX-License-Identifier: MIT

/**
 * The JavaScript of a frame of a live crowd in Chromium: every character blends two clips. Beside three.js with a mixer for each
 * character. Drawing is not part of it. Prints milliseconds, minimum and median. Needs `npm run build`.
 *
 *     node bench/web/live.mjs model.glb [--characters 1000] [--rounds 20]
 */

import * as path from 'node:path';
import { parseArgs } from 'node:util';
import { buildSync } from 'esbuild';
import { runInBrowser } from '../../scripts/browsers.mjs';
import { root } from '../../scripts/lib.mjs';
import { resultTable, roundsOf } from '../harness.mjs';
import { describeMachine } from '../rig/library.mjs';

const { values: options, positionals } = parseArgs({
    allowPositionals: true,
    options: { characters: { type: 'string', default: '1000' }, rounds: { type: 'string' } },
});
const [model] = positionals;
if (model === undefined) throw new Error('needs a model with clips');
const characters = Number(options.characters);
const { outputFiles } = buildSync({
    entryPoints: [path.join(root, 'bench/web/live-page.mjs')],
    define: { SETTINGS: JSON.stringify({ characters, rounds: roundsOf(options.rounds, 20), sample: 5, warm: 500 }) },
    alias: { model: path.resolve(model) },
    loader: { '.glb': 'binary' },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    logLevel: 'error',
});
const { value } = await runInBrowser('Chromium', outputFiles[0].text, 300);
const work = `${characters} characters, ${value.slots} slots, ${value.clips} clips`;
const results = value.results.map((one) => ({ ...one, work }));
console.log(`${describeMachine().cpu}, Chromium; ms of JavaScript a frame:\n`);
console.log(resultTable(results, 'work', 'name', 'milliseconds'));
