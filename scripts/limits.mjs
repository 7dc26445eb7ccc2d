// SPDX-License-Identifier: MIT

/**
 * node scripts/limits.mjs [--docs] [name ...]: small files that ask for much (limits/files.mjs) are loaded as a rig, baked, and held
 * against the bake of another file, each in a process of its own. Each has to be refused, or be done, within 10 s of CPU time and 1 GiB resident.
 */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './lib.mjs';
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
    // What making the file took does not count.
    const before = process.cpuUsage();
    const outcomes = [];
    const tried = async (what) => {
        try {
            outcomes.push(await what());
        } catch (error) {
            if (error?.name !== 'InputError') throw error;
            outcomes.push(`${error.code} ${error.pointer}`);
        }
    };
    await tried(async () => `rig of ${(await Rig.load(bytes)).slots.length} slots`);
    await tried(async () => {
        const scene = await readGltfBytes(bytes, { name: 'hostile.glb' });
        const { stats } = await bakeScene(scene, { maxRows: 200_000 });
        return `${stats.frames} rows`;
    });
    await tried(async () => `${(await verifyBake(input, good.json)).problems.length} problems`);
    const { user, system } = process.cpuUsage(before);
    const seconds = (user + system) / 1e6;
    const peakMiB = Math.round(process.resourceUsage().maxRSS / 1024);
    console.log(JSON.stringify({ name, bytes: bytes.length, outcomes, seconds, peakMiB }));
}

function judgeAll(names) {
    for (const name of names) {
        const self = fileURLToPath(import.meta.url);
        const args = [self, '--one', name];
        const { stdout, stderr, status, signal } = spawnSync(process.execPath, args, {
            encoding: 'utf8',
            timeout: 120_000,
        });
        if (status !== 0) {
            console.log(JSON.stringify({ name, failed: `${signal ?? status}: ${stderr.slice(0, 500)}` }));
            process.exitCode = 1;
            continue;
        }
        const result = JSON.parse(stdout);
        const wrong = result.seconds > MAX_SECONDS || result.peakMiB > MAX_MIB;
        console.log(
            JSON.stringify({ ...result, seconds: Number(result.seconds.toFixed(1)), ...(wrong ? { wrong } : {}) }),
        );
        if (wrong) process.exitCode = 1;
    }
}

const [first, ...others] = process.argv.slice(2);
if (first === '--one') await judge(others[0]);
else judgeAll(first === undefined ? Object.keys(FILES) : [first, ...others]);
