// SPDX-License-Identifier: MIT

/**
 * Prints as Markdown the size and playback error of bakes, and checks each with the verifier. docs/layout-and-rate.md has the table.
 * Needs `npm run build`.
 *
 *     node bench/bake/layouts.mjs [<file or folder> ...]
 */

import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import * as os from 'node:os';
import * as path from 'node:path';
import { root } from '../../scripts/lib.mjs';
import { table } from '../harness.mjs';

const load = createRequire(import.meta.url);
const { bakeFile, verifyBake, writeBake } = load('../../dist/index.js');
const { roughSizeOf } = load('../../dist/base/messages.js');
const { playedShare } = load('../../dist/format/played-error.js');

const WAYS = {
    '`--fps keys`': { fps: 'keys' },
    default: {},
    '`--min-fps 0`': { minFps: 0 },
    '`--layout qts16`': { layout: 'qts16' },
};

const out = fs.mkdtempSync(path.join(os.tmpdir(), 'poselane-layouts-'));
const given = process.argv.slice(2);
const sums = Object.keys(WAYS).map(() => ({ bytes: 0, clips: 0, above: 0, worst: 0, failed: 0, warnings: 0 }));
try {
    const rows = [];
    for (const file of filesIn(given.length > 0 ? given : [path.join(root, '../shared/models')])) {
        const cells = [];
        for (const [i, options] of Object.values(WAYS).entries())
            cells.push(...(await measure(file, options, sums[i])));
        if (cells.some((text) => text !== '')) rows.push([path.parse(file).name, ...cells]);
    }
    rows.push(['all', ...sums.flatMap(({ bytes, worst }) => [roughSizeOf(bytes), percent(worst)])]);
    console.log(table(['', ...Object.keys(WAYS).flatMap((way) => [way, 'error'])], rows));
    for (const [i, way] of Object.keys(WAYS).entries()) {
        const { bytes, clips, above, failed, warnings } = sums[i];
        const ratio = (bytes / sums[0].bytes).toFixed(2);
        console.log(
            `${way}: ${ratio} times the bytes, ${above} of ${clips} clips above 1%, ${warnings} PLAYBACK_ERROR_LARGE, ${failed} failed`,
        );
    }
} finally {
    fs.rmSync(out, { recursive: true });
}

function filesIn(places) {
    return places.flatMap((place) => {
        if (!fs.statSync(place).isDirectory()) return [place];
        return filesIn(fs.readdirSync(place).map((name) => path.join(place, name))).filter((file) =>
            /\.(glb|gltf|vrm)$/.test(file),
        );
    });
}

async function measure(file, options, sum) {
    try {
        const bake = await bakeFile(file, options);
        for (const { json } of await writeBake(bake, out)) {
            const { ok } = await verifyBake(file, json);
            if (!ok) throw new Error(`${file}: verify rejects the bake`);
        }
        const bytes = bake.outputs.reduce((total, { bin }) => total + bin.length, 0);
        const shares = bake.outputs.flatMap(({ manifest }) => manifest.clips.map(({ error }) => playedShare(error)));
        const worst = shares.reduce((max, share) => Math.max(max, share), 0);
        sum.bytes += bytes;
        sum.clips += shares.length;
        sum.above += shares.filter((share) => share > 0.01).length;
        sum.worst = Math.max(sum.worst, worst);
        sum.warnings += bake.warnings.some(({ code }) => code === 'PLAYBACK_ERROR_LARGE') ? 1 : 0;
        return [roughSizeOf(bytes), percent(worst)];
    } catch (error) {
        if (error.code === 'NO_ANIMATION' || error.code === 'NO_SKIN') return ['', ''];
        sum.failed++;
        return ['refused', ''];
    }
}

function percent(share) {
    return `${Number((share * 100).toPrecision(2))}%`;
}
