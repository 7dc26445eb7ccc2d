// SPDX-License-Identifier: MIT

/**
 * node scripts/release/other-runtimes.mjs: runs the packed tarball in other runtimes, and on other systems by emulators. Each loads the
 * prebuilt addon of its platform and has the golden bits of all routines, of the Rig and of the example's bake, and again in WebAssembly.
 * Runtimes that cannot run here are skipped, with the reason.
 *
 * Options: --tarball file (default: npm pack), --quick (one of each kind), --only "Bun,Node 22", --required (a skipped runtime is a
 * failure).
 */

import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import * as path from 'node:path';
import { parseArgs } from 'node:util';
import { root, tryStarted } from '../lib.mjs';
import { tarballOf, unpackedAsInstalled } from './package.mjs';
import { PLATFORMS } from './platforms.mjs';
import { RUNTIMES } from './runtimes/runtimes.mjs';
import { smoke } from './smoke/judge.mjs';

const { values: options } = parseArgs({
    options: {
        tarball: { type: 'string' },
        quick: { type: 'boolean', default: false },
        only: { type: 'string' },
        required: { type: 'boolean', default: false },
    },
});

const only = options.only?.split(',').map((name) => name.trim());
const chosen = RUNTIMES.filter((one) => (only ? only.includes(one.name) : one.quick || !options.quick));
if (chosen.length === 0) throw new Error(`--only: there are ${RUNTIMES.map(({ name }) => name).join(', ')}`);
const folder = unpackedAsInstalled(await tarballOf(options.tarball), 'runtimes');

const { implementations } = createRequire(import.meta.url)(folder);
const own = implementations().flatMap(({ name, available }) => (available ? [name] : []));

/** On this processor, those of this Node must be available; on another one, those of platforms.json. */
function missingImplementations(platform, report) {
    if (!report) return [];
    const wanted = platform.endsWith(`-${process.arch}`) ? own : PLATFORMS[platform].implementations;
    const missing = wanted.filter((name) => !report.available.includes(name));
    return missing.length > 0 ? [`lacks ${missing.join(', ')}`] : [];
}

async function check(platform, { command, noAddons, env = process.env, asSeen }) {
    const { report, faults } = await smoke(command, folder, { backend: 'native', env, asSeen });
    if (report && report.addon !== `prebuilds/${platform}/poselane.node`) {
        faults.push(`took ${report.addon}, not the prebuild`);
    }
    faults.push(...missingImplementations(platform, report));
    const without = noAddons ? [...command, noAddons] : command;
    const asked = { ...env, POSELANE_BACKEND: noAddons ? '' : 'wasm' };
    const { report: second, faults: others } = await smoke(without, folder, { backend: 'wasm', env: asked, asSeen });
    if (second?.addon) others.push(`took ${second.addon}`);
    faults.push(...others.map((fault) => `without the addon: ${fault}`));
    const names = `${report?.implementation} and ${second?.implementation}`;
    return { faults, done: `golden bits (${report?.runtime} ${report?.version}, ${names})` };
}

console.log(`other runtimes: ${path.relative(root, folder)}`);
const counts = await Promise.all(
    chosen.map((runtime) => {
        const start = () => {
            const prebuild = path.join(folder, 'prebuilds', runtime.platform, 'poselane.node');
            if (!fs.existsSync(prebuild)) throw new Error(`the tarball has no prebuild for ${runtime.platform}`);
            return runtime.start();
        };
        return tryStarted(runtime.name, options.required, start, (started) => check(runtime.platform, started));
    }),
);
process.exit(counts.every((count) => count === 0) ? 0 : 1);
