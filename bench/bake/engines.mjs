// SPDX-License-Identifier: MIT

/**
 * Prints as Markdown the size and error of folders for engines, each proved by `verify`. docs/engines.md has the table. Needs `npm run
 * build`.
 *
 *     node bench/bake/engines.mjs <file> ...
 */

import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import * as os from 'node:os';
import * as path from 'node:path';
import { table } from '../harness.mjs';

const load = createRequire(import.meta.url);
const { bakeFile, verifyFolder, writeBake } = load('../../dist/index.js');
const { roughSizeOf } = load('../../dist/base/messages.js');

const out = fs.mkdtempSync(path.join(os.tmpdir(), 'poselane-engines-'));
try {
    const rows = [];
    for (const file of process.argv.slice(2)) {
        const stem = path.parse(file).name;
        await writeBake(await bakeFile(file, { emit: ['openvat', 'godot'] }), out);
        const folders = [`${stem}_vat/${stem}-remap_info.json`, `${stem}_godot/${stem}_palette.exr`];
        const proofs = await Promise.all(folders.map((name) => verifyFolder(file, path.join(out, name))));
        if (!proofs.every(({ ok }) => ok)) throw new Error(`${file}: verify rejects a folder`);
        const [{ rows: frames, vertices, stated, extent }] = proofs;
        const vat = sizesOf(`${stem}_vat/${stem}_vat.exr`);
        const palette = sizesOf(`${stem}_godot/${stem}_palette.exr`);
        const error = `${Number(((stated.between / extent) * 100).toPrecision(2))}%`;
        rows.push([stem, String(frames), String(vertices), ...vat, error, ...palette]);
    }
    const head = ['', 'frames', 'vertices', 'OpenVAT file', 'on the GPU', 'error', 'palette file', 'on the GPU'];
    console.log(table(head, rows));
} finally {
    fs.rmSync(out, { recursive: true });
}

/** Bytes of an EXR, and of its texture with four channels. */
function sizesOf(name) {
    const bytes = fs.readFileSync(path.join(out, name));
    const box = bytes.indexOf('dataWindow\0box2i\0', 0, 'latin1') + 21;
    const [width, height] = [bytes.readInt32LE(box + 8) + 1, bytes.readInt32LE(box + 12) + 1];
    const channels = bytes.indexOf('channels\0chlist\0', 0, 'latin1') + 20;
    const size = bytes.readInt32LE(bytes.indexOf(0, channels) + 1) === 1 ? 2 : 4;
    return [roughSizeOf(bytes.length), roughSizeOf(width * height * size * 4)];
}
