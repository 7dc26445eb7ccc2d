// SPDX-License-Identifier: MIT

/**
 * poselane with its addon, in WebAssembly and in TypeScript, beside three.js and flat JavaScript, in Node, Chromium and Firefox: the same
 * code in each, its subjects in alternating rounds. Build first (npm run build).
 *
 *     node bench/web/run.mjs [--rounds 60] [--only "Node,Chromium,Firefox"] [--write]
 *
 * --write: into docs/tables/web-benchmarks.md. A minute on a machine that does nothing else.
 */

import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import * as path from 'node:path';
import { parseArgs } from 'node:util';
import { buildSync } from 'esbuild';
import { runInBrowser } from '../../scripts/browsers.mjs';
import { root } from '../../scripts/lib.mjs';
import { ratioOf, roundsOf } from '../harness.mjs';
import { createRig, describeMachine, implementations } from '../rig/library.mjs';
import { FLAT, THREE_EACH, THREE_ONE } from '../rig/names.mjs';
import { target, targetLines } from '../targets.mjs';
import { JOINTS, measureHere, POSES } from './work.mjs';

const { implementation } = createRequire(import.meta.url)('../../dist/index.js');
const [WASM, TYPESCRIPT, SSE2] = ['strict/wasm', 'strict/typescript', 'strict/sse2'];

const { values: options } = parseArgs({
    options: {
        rounds: { type: 'string' },
        only: { type: 'string', default: 'Node,Chromium,Firefox' },
        write: { type: 'boolean', default: false },
    },
});
// Longer than elsewhere: the clocks of browsers are coarse, and they compile WebAssembly a second time while it runs.
const settings = { rounds: roundsOf(options.rounds, 60), sample: 5, warm: 1000 };

function inNode() {
    const wanted = ['strict/avx2', SSE2, 'strict/neon', WASM, TYPESCRIPT];
    const libraries = implementations
        .filter(({ name }) => wanted.includes(name))
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
        alias: { 'node:timers/promises': path.join(root, 'bench/web/pause.mjs') },
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

const engines = {};
for (const name of options.only.split(',')) {
    const { version = process.versions.node, ...results } = await (name === 'Node' ? inNode() : inBrowser(name));
    engines[name] = { title: `${name} ${version}`, ...results };
}

const nanoseconds = (results, name) => results.find((one) => one.name === name)?.nanoseconds;

function targets() {
    return Object.entries(engines).flatMap(([engine, { title, poses, slerps }]) => {
        const of = (name) => nanoseconds(poses, name);
        const three = [THREE_ONE, THREE_EACH].map(of).toSorted((a, b) => a.min - b.min)[0];
        const slerp = (name) => nanoseconds(slerps, name);
        const rig = `${title}, Rig: WebAssembly`;
        return [
            target(`${rig} over ${FLAT}`, '>=', 6, 'times', ratioOf(of(FLAT), of(WASM))),
            target(`${rig} over three.js`, '>=', 22, 'times', ratioOf(three, of(WASM))),
            ...(engine === 'Node'
                ? [target(`${rig}'s time over the addon's with SSE2`, '<=', 1.25, 'times', ratioOf(of(WASM), of(SSE2)))]
                : []),
            target(
                `${title}, slerpJoints: WebAssembly over TypeScript`,
                '>=',
                engine === 'Node' ? 6 : 5,
                'times',
                ratioOf(slerp(TYPESCRIPT), slerp(WASM)),
            ),
        ];
    });
}

function table(kind) {
    const titles = Object.values(engines).map(({ title }) => title);
    const names = [...new Set(Object.values(engines).flatMap((one) => one[kind].map(({ name }) => name)))];
    const cell = (one, name) => {
        const found = nanoseconds(one[kind], name);
        return found ? `${found.min.toPrecision(3)} (${found.median.toPrecision(3)})` : '–';
    };
    const shown = (name) => (name.includes('/') ? `\`${name}\`` : name);
    return [
        `| | ${titles.join(' | ')} |`,
        `| --- |${titles.map(() => ' ---: |').join('')}`,
        ...names.map(
            (name) =>
                `| ${shown(name)} | ${Object.values(engines)
                    .map((one) => cell(one, name))
                    .join(' | ')} |`,
        ),
    ];
}

const { cpu, cores } = describeMachine();
const verdicts = targetLines(targets());
const page = [
    '# Node, Chromium and Firefox',
    '',
    `What \`node bench/web/run.mjs\` measured: one thread of ${cpu}, ${cores} cores seen, ${settings.rounds} rounds in which all subjects of an`,
    'engine alternate; minimum (median). All of them give the same poses, which is checked before anything is timed.',
    '[The Rig’s speed](../rig-benchmarks.md) says what three.js and flat JavaScript do here.',
    '',
    `## evaluate + toGlobal + palettes, ${POSES} poses of ${JOINTS} joints: ns per joint and pose`,
    '',
    ...table('poses'),
    '',
    `## slerpJoints on ${JOINTS} joints in lists of the caller's, copies included: ns per joint`,
    '',
    ...table('slerps'),
    '',
    '## What was to be reached',
    '',
    '```text',
    ...verdicts,
    '```',
];
console.log(page.join('\n'));
if (options.write) fs.writeFileSync(path.join(root, 'docs/tables/web-benchmarks.md'), `${page.join('\n')}\n`);
