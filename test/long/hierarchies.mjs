// SPDX-License-Identifier: MIT

/**
 * node test/long/hierarchies.mjs [kind …]: what baking files of very many nodes takes. Each is written to a temporary folder and
 * baked by the built library in a process of its own; one line of JSON for each on stdout: seconds of CPU and of the clock,
 * peak resident MiB, and the code of the error or the rows. Fails where one takes more than 10 s of CPU or 1 GiB.
 */

import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { fileURLToPath } from 'node:url';

const MILLION = 1_000_000;
/** As in lib/bake/skin-rig.ts. */
const MOST = 65_536;
const SHAPES = {
    chain: (i, count) => (i + 1 < count ? [i + 1] : []),
    star: (i, count) => (i === 0 ? Array.from({ length: count - 1 }, (_, k) => k + 1) : []),
    binary: (i, count) => [2 * i + 1, 2 * i + 2].filter((child) => child < count),
};
const several = (count) => [0, count >> 2, count >> 1, count - 1];
const last = (count) => [count - 1];
const all = (count) => Array.from({ length: count }, (_, i) => i);

/** `w`: of the rotations; 0.8 makes them unit, which others are warned of. */
const KINDS = {
    'chain-bare': { shape: 'chain', count: MILLION, joints: last },
    chain: { shape: 'chain', count: MILLION, joints: last, w: 0.8 },
    'chain-several': { shape: 'chain', count: MILLION, joints: several, w: 0.8 },
    star: { shape: 'star', count: MILLION, joints: last, w: 0.8 },
    'star-warned': { shape: 'star', count: MILLION, joints: last, w: 0.9 },
    'star-all': { shape: 'star', count: MILLION, joints: all, w: 0.8 },
    binary: { shape: 'binary', count: MILLION, joints: several, w: 0.8 },
    'chain-at-limit': { shape: 'chain', count: MOST, joints: several, w: 0.8 },
    'star-at-limit': { shape: 'star', count: MOST, joints: all, w: 0.8 },
};

/** A `.gltf` of so many nodes; its clip moves the last one. */
function write(file, { shape, count, joints, w }) {
    const out = fs.openSync(file, 'w');
    let text = '{"asset":{"version":"2.0"},"nodes":[';
    const tail = w === undefined ? '' : `,0.0000125,0.5],"rotation":[0,0,0.6,${w}],"scale":[1,1,1]`;
    for (let i = 0; i < count; i++) {
        const children = SHAPES[shape](i, count);
        const below = children.length === 0 ? '' : `"children":[${children.join()}]${tail === '' ? '' : ','}`;
        const own = tail === '' ? '' : `"name":"node${i}","translation":[0.${i % 997}${tail}`;
        text += `${i === 0 ? '' : ','}{${below}${own}}`;
        if (text.length < 2 ** 16) continue;
        fs.writeSync(out, text);
        text = '';
    }
    const keys = Buffer.from(Float32Array.of(0, 1, 0, 0, 0, 0, 1, 0).buffer).toString('base64');
    const rest = {
        skins: [{ joints: joints(count) }],
        animations: [
            {
                channels: [{ sampler: 0, target: { node: count - 1, path: 'translation' } }],
                samplers: [{ input: 0, output: 1 }],
            },
        ],
        buffers: [{ byteLength: 32, uri: `data:;base64,${keys}` }],
        bufferViews: [
            { buffer: 0, byteLength: 8 },
            { buffer: 0, byteOffset: 8, byteLength: 24 },
        ],
        accessors: [
            { bufferView: 0, componentType: 5126, count: 2, type: 'SCALAR', min: [0], max: [1] },
            { bufferView: 1, componentType: 5126, count: 2, type: 'VEC3' },
        ],
    };
    fs.writeSync(out, `${text}],${JSON.stringify(rest).slice(1)}`);
    fs.closeSync(out);
}

async function bake(file) {
    const { default: poselane } = await import('../../dist/index.js');
    const started = performance.now();
    const before = process.cpuUsage();
    let result;
    try {
        const { stats, warnings } = await poselane.bakeFile(file);
        result = { rows: stats.frames, warnings: warnings.length };
    } catch (error) {
        result = { error: error.code, pointer: error.pointer };
    }
    const { user, system } = process.cpuUsage(before);
    const wallSeconds = (performance.now() - started) / 1000;
    const peakMiB = Math.round(process.resourceUsage().maxRSS / 1024);
    console.log(JSON.stringify({ ...result, cpuSeconds: (user + system) / 1e6, wallSeconds, peakMiB }));
}

function measure(names) {
    const unknown = names.filter((name) => !(name in KINDS));
    if (unknown.length > 0) throw new Error(`no ${unknown}, only ${Object.keys(KINDS)}`);
    const folder = fs.mkdtempSync(path.join(tmpdir(), 'poselane-hierarchies-'));
    try {
        for (const name of names.length > 0 ? names : Object.keys(KINDS)) {
            const file = path.join(folder, `${name}.gltf`);
            write(file, KINDS[name]);
            const self = fileURLToPath(import.meta.url);
            const { stdout, stderr, status } = spawnSync(process.execPath, [self, '--bake', file], {
                encoding: 'utf8',
            });
            fs.rmSync(file);
            if (status !== 0) throw new Error(`${name}: the process ended with ${status}: ${stderr}`);
            const result = { kind: name, nodes: KINDS[name].count, ...JSON.parse(stdout) };
            console.log(JSON.stringify(result));
            if (result.cpuSeconds > 10 || result.peakMiB > 1024) process.exitCode = 1;
        }
    } finally {
        fs.rmSync(folder, { recursive: true, force: true });
    }
}

const [first, ...others] = process.argv.slice(2);
if (first === '--bake') await bake(others[0]);
else measure(process.argv.slice(2));
