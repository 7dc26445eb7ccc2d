// SPDX-License-Identifier: MIT

/**
 * node test/long/limits.mjs [name ...]: loads small files that need much (limits/files.mjs) as a rig, bakes them, and verifies
 * the bake of another file against them, each file in its own process. Each of the three steps must succeed or be rejected
 * within 10 s of CPU time, all within 1 GiB resident. Each line has the seconds of each step, and the peak MiB after it.
 *
 * --nodes: files of very many nodes (limits/hierarchies.mjs), which are baked, by the same limits.
 */

import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { forEachOf, root, runCommand } from '../../scripts/lib.mjs';
import { FILES } from './limits/files.mjs';
import { HIERARCHIES } from './limits/hierarchies.mjs';

const MAX_SECONDS = 10;
const MAX_MIB = 1024;

const require = createRequire(import.meta.url);

/** Writes the file and its other files to the folder; returns its path. */
async function make(name, folder) {
    const made = await { ...FILES, ...HIERARCHIES }[name]();
    const isGlb = made instanceof Uint8Array;
    const input = path.join(folder, isGlb ? 'hostile.glb' : 'hostile.gltf');
    writeFileSync(input, isGlb ? made : made.gltf);
    for (const [beside, content] of Object.entries(made.beside ?? {})) {
        const place = path.join(folder, beside);
        if (typeof content === 'string') symlinkSync(content, place);
        else writeFileSync(place, content);
    }
    console.log(input);
}

/** Loads a file, bakes it, and verifies the bake of another against it; or only bakes it. */
async function judge(input, only) {
    const { Rig } = require('../../dist/index.js');
    const { bakeScene } = require('../../dist/bake/bake.js');
    const { bakeFile, writeBake } = require('../../dist/bake/index.js');
    const { verifyBake } = require('../../dist/verify/index.js');
    const { readGltf } = require('../../dist/gltf/read.js');
    const { claimSource } = require('../support/claim-source.cjs');
    const [outcomes, seconds, peaks] = [[], [], []];
    const tried = async (what) => {
        const before = process.cpuUsage();
        try {
            outcomes.push(await what());
        } catch (error) {
            if (error?.name !== 'InputError') throw error;
            outcomes.push(`${error.code} ${error.pointer}`);
        }
        const { user, system } = process.cpuUsage(before);
        seconds.push(Number(((user + system) / 1e6).toFixed(1)));
        // The peak of the whole process so far.
        peaks.push(Math.round(process.resourceUsage().maxRSS / 1024));
    };
    const bake = async () => {
        const { stats, warnings } = await bakeScene(await readGltf(input), { maxRows: 200_000 });
        return `${stats.frames} rows${only ? `, ${warnings.length} warnings` : ''}`;
    };
    if (only === 'bake') {
        await tried(bake);
    } else {
        const example = await bakeFile(path.join(root, 'examples/character.glb'), { fps: 2 });
        const [good] = await writeBake(example, path.dirname(input));
        await tried(async () => `rig of ${(await Rig.load(input)).slots.length} slots`);
        await tried(bake);
        const claimed = await claimSource(good.json, input);
        await tried(async () => `${(await verifyBake(input, claimed)).problems.length} problems`);
    }
    console.log(JSON.stringify({ bytes: statSync(input).size, outcomes, seconds, peaks }));
}

/** Makes the file in another process, whose memory is not measured. */
async function judged(name) {
    const folder = mkdtempSync(path.join(tmpdir(), 'poselane-limits-'));
    const run = async (...args) => {
        const script = fileURLToPath(import.meta.url);
        const { status, output } = await runCommand(process.execPath, [script, ...args], { timeout: 120_000 });
        if (status !== 0) throw new Error(`${status}: ${output.slice(0, 500)}`);
        return output.trim();
    };
    try {
        const only = name in HIERARCHIES ? ['bake'] : [];
        const result = JSON.parse(await run('--judge', await run('--make', name, folder), ...only));
        const wrong = Math.max(...result.seconds) > MAX_SECONDS || Math.max(...result.peaks) > MAX_MIB;
        return { name, ...result, ...(wrong ? { wrong } : {}) };
    } catch (error) {
        return { name, failed: error.message };
    } finally {
        rmSync(folder, { recursive: true, force: true });
    }
}

/** Runs two at a time, and prints the results in the order of their names. */
async function judgeAll(names) {
    const results = new Map();
    await forEachOf(names, 2, async (name) => results.set(name, await judged(name)));
    for (const name of names) {
        const result = results.get(name);
        console.log(JSON.stringify(result));
        if (result.failed || result.wrong) process.exitCode = 1;
    }
}

const [first, ...others] = process.argv.slice(2);
if (first === '--make') await make(...others);
else if (first === '--judge') await judge(...others);
else if (first === '--nodes') await judgeAll(Object.keys(HIERARCHIES));
else await judgeAll(first === undefined ? Object.keys(FILES) : [first, ...others]);
