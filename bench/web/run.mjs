// SPDX-License-Identifier: MIT

/**
 * The Rig and slerpJoints with the addon, in WebAssembly and in TypeScript, in Node, Chromium and Firefox. Prints Markdown: minimum
 * (median), in nanoseconds. Needs `npm run build`.
 *
 *     node bench/web/run.mjs [--rounds 60] [--only "Node,Chromium,Firefox"] [--write]
 *
 * --write: write docs/tables/web-benchmarks.md.
 */

import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import * as path from 'node:path';
import { parseArgs } from 'node:util';
import { buildSync } from 'esbuild';
import { runInBrowser } from '../../scripts/browsers.mjs';
import { root } from '../../scripts/lib.mjs';
import { resultTable, roundsOf } from '../harness.mjs';
import { createRig, describeMachine, implementations } from '../rig/library.mjs';
import { JOINTS, measureHere, POSES } from './work.mjs';

const { implementation } = createRequire(import.meta.url)('../../dist/index.js');

const { values: options } = parseArgs({
    options: {
        rounds: { type: 'string' },
        only: { type: 'string', default: 'Node,Chromium,Firefox' },
        write: { type: 'boolean', default: false },
    },
});
// Long samples: the clocks of browsers are coarse, and browsers compile WebAssembly a second time while it runs.
const settings = { rounds: roundsOf(options.rounds, 60), sample: 5, warm: 1000 };

function inNode() {
    const libraries = implementations
        .filter(({ name }) => /^strict\/(avx2|sse2|neon|wasm|typescript)$/.test(name))
        .map((one) => ({
            name: one.name,
            createRig: (parts) => createRig(parts, one),
            slerpJoints: implementation(one.name).slerpJoints,
        }));
    return measureHere(libraries, settings);
}

async function inBrowser(name) {
    const { outputFiles } = buildSync({
        entryPoints: [path.join(root, 'bench/web/page.mjs')],
        define: { SETTINGS: JSON.stringify(settings) },
        bundle: true,
        write: false,
        format: 'esm',
        platform: 'browser',
        logLevel: 'error',
    });
    const { userAgent, value } = await runInBrowser(name, outputFiles[0].text, 300);
    return { version: /(?:Firefox|Chrome)\/(\d+)/.exec(userAgent)[1], ...value };
}

const results = { poses: [], slerps: [] };
for (const name of options.only.split(',')) {
    const measured = name === 'Node' ? await inNode() : await inBrowser(name);
    const engine = `${name} ${measured.version ?? process.versions.node}`;
    for (const kind of Object.keys(results)) results[kind].push(...measured[kind].map((one) => ({ ...one, engine })));
}
const { cpu } = describeMachine();
const page = `# Node, Chromium and Firefox

Output of \`node bench/web/run.mjs\` on one thread of ${cpu}, ${settings.rounds} interleaved rounds; minimum (median).
[Benchmarks](../benchmarks.md) describes three.js and flat JavaScript.

## evaluate + toGlobal + palettes, ${POSES} poses of ${JOINTS} joints: ns per joint and pose

${resultTable(results.poses, 'engine')}

## slerpJoints on ${JOINTS} joints in lists of the caller, copies included: ns per joint

${resultTable(results.slerps, 'engine')}
`;
console.log(page);
if (options.write) fs.writeFileSync(path.join(root, 'docs/tables/web-benchmarks.md'), page);
