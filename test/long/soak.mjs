// SPDX-License-Identifier: MIT

/**
 * node --expose-gc test/long/soak.mjs [--calls 1e7] [--loads 1e4] [--bakes 1e3] [--most 4]: soak/soak.cjs. Fails if the line through
 * the second half of the resident sizes rises by more than `--most` MiB. Fails if the addon could be present and is not.
 */

import path from 'node:path';
import { parseArgs } from 'node:util';
import poselane from '../../dist/index.js';
import { root } from '../../scripts/lib.mjs';
import addon from '../support/without-addon.cjs';
import soak from './soak/soak.cjs';

const { values: options } = parseArgs({
    options: {
        calls: { type: 'string', default: '1e7' },
        loads: { type: 'string', default: '1e4' },
        bakes: { type: 'string', default: '1e3' },
        most: { type: 'string', default: '4' },
    },
});
const [calls, loads, bakes, most] = [options.calls, options.loads, options.bakes, options.most].map(Number);
if (globalThis.gc === undefined) throw new Error('needs node --expose-gc');
const native = addon.withoutAddon(poselane) === null;

const example = path.join(root, 'examples/character.glb');
const runs = await soak.soakAll(poselane, { model: example, example, sizes: { calls, loads, bakes } });
for (const run of runs) console.log(JSON.stringify({ ...run, native, ...(run.rise > most ? { wrong: true } : {}) }));
process.exit(runs.every(({ rise }) => rise <= most) ? 0 : 1);
