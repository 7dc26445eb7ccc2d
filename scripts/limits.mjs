// SPDX-License-Identifier: MIT

/**
 * node scripts/limits.mjs [--docs] [name ...]: small files that ask for much (limits/files.mjs) are loaded as a rig, baked, and held
 * against the bake of another file, one after the other in a process of its own. Each of the three has to be refused, or be
 * done, within 10 s of CPU time; all of it in 1 GiB resident.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { root, runCommand } from './lib.mjs';
import { FILES } from './limits/files.mjs';

const MAX_SECONDS = 10;
const MAX_MIB = 1024;

const require = createRequire(import.meta.url);

async function judge(name) {
    const { Rig } = require('../dist/index.js');
    const { bakeScene } = require('../dist/bake/bake.js');
    const { bakeFile, writeBake } = require('../dist/bake/index.js');
    const { verifyBake } = require('../dist/verify/index.js');
    const { readGltfBytes } = require('../dist/gltf/read.js');
    const bytes = FILES[name]();
    const folder = mkdtempSync(path.join(tmpdir(), 'poselane-limits-'));
    process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
    const input = path.join(folder, 'hostile.glb');
    writeFileSync(input, bytes);
    const [good] = await writeBake(await bakeFile(path.join(root, 'examples/character.glb'), { fps: 2 }), folder);
    const outcomes = [];
    let seconds = 0;
    const tried = async (what) => {
        const before = process.cpuUsage();
        try {
            outcomes.push(await what());
        } catch (error) {
            if (error?.name !== 'InputError') throw error;
            outcomes.push(`${error.code} ${error.pointer}`);
        }
        const { user, system } = process.cpuUsage(before);
        seconds = Math.max(seconds, (user + system) / 1e6);
    };
    await tried(async () => `rig of ${(await Rig.load(bytes)).slots.length} slots`);
    await tried(async () => {
        const scene = await readGltfBytes(bytes, { name: 'hostile.glb' });
        const { stats } = await bakeScene(scene, { maxRows: 200_000 });
        return `${stats.frames} rows`;
    });
    await tried(async () => `${(await verifyBake(input, good.json)).problems.length} problems`);
    const peakMiB = Math.round(process.resourceUsage().maxRSS / 1024);
    console.log(JSON.stringify({ name, bytes: bytes.length, outcomes, seconds, peakMiB }));
}

async function judged(name) {
    const { status, output } = await runCommand(process.execPath, [fileURLToPath(import.meta.url), '--one', name], {
        timeout: 120_000,
    });
    if (status !== 0) return { name, failed: `${status}: ${output.slice(0, 500)}` };
    const result = JSON.parse(output);
    const wrong = result.seconds > MAX_SECONDS || result.peakMiB > MAX_MIB;
    return { ...result, seconds: Number(result.seconds.toFixed(1)), ...(wrong ? { wrong } : {}) };
}

/** Two at a time, told in the order of their names. */
async function judgeAll(names) {
    const results = new Map();
    const waiting = [...names];
    const work = async () => {
        for (let name = waiting.shift(); name !== undefined; name = waiting.shift())
            results.set(name, await judged(name));
    };
    await Promise.all([work(), work()]);
    for (const name of names) {
        const result = results.get(name);
        console.log(JSON.stringify(result));
        if (result.failed || result.wrong) process.exitCode = 1;
    }
}

const [first, ...others] = process.argv.slice(2);
if (first === '--one') await judge(others[0]);
else await judgeAll(first === undefined ? Object.keys(FILES) : [first, ...others]);
