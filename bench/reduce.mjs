// SPDX-License-Identifier: MIT

/**
 * Prints as Markdown how many bytes of keys `poselane reduce` leaves at several tolerances, and at the errors of other tools. The bytes
 * and errors of those tools are in docs/tables/reduce-benchmarks.md, which also says how they were measured. Needs `npm run build`.
 *
 *     node bench/reduce.mjs [--part Fox --part Knight ...]
 */

import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import * as os from 'node:os';
import * as path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../scripts/lib.mjs';
import { partsOf, table } from './harness.mjs';

const load = createRequire(import.meta.url);
const { reduceFile } = load('../dist/index.js');
const { readWhole } = load('../dist/gltf/read-whole.js');
const { animationBytes } = load('../dist/reduce/write/animation-bytes.js');
const { openSource } = load('../dist/rig/retarget/read.js');
const { verifyReduced } = load('../dist/verify/reduced.js');

/** All except the first are not part of this repository, and are left out where they are missing. */
const MODELS = {
    example: 'examples/character.glb',
    Fox: '../shared/models/Fox.glb',
    RobotExpressive: '../shared/models/RobotExpressive/RobotExpressive.glb',
    RiggedFigure: '../shared/models/RiggedFigure/RiggedFigure.gltf',
    Knight: '../shared/models/KayKit/Knight.glb',
    Rogue: '../shared/models/KayKit/Rogue.glb',
};
/** Percent of the extent. */
const TOLERANCES = [0.01, 0.03, 0.1, 0.3, 1];
/** Maximum error in percent of the extent, and gzip bytes, of files by other tools. */
const TOOLS = {
    'glTF-Transform 4.5.1 resample': {
        example: [0.012, 11929],
        Fox: [0.024, 24078],
        RobotExpressive: [2.1, 39879],
        RiggedFigure: [0, 900],
        Knight: [0.21, 745286],
        Rogue: [0.11, 745666],
    },
    'glTF-Transform 4.5.1 resample, tolerance 1e-3': {
        example: [0.096, 11034],
        Fox: [0.52, 15635],
        RobotExpressive: [6.2, 31756],
        RiggedFigure: [0, 900],
        Knight: [6, 526628],
        Rogue: [3.3, 526877],
    },
    'gltfpack 1.3.0': {
        example: [2.6, 24997],
        Fox: [1.6, 18562],
        RobotExpressive: [17, 31582],
        RiggedFigure: [0.15, 1161],
        Knight: [0.014, 466728],
        Rogue: [0.0085, 466727],
    },
};

const { values: options } = parseArgs({ options: { part: { type: 'string', multiple: true } } });
const reducedFile = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'poselane-reduce-')), 'reduced.glb');
try {
    for (const name of partsOf(options.part, MODELS)) {
        const source = path.join(root, MODELS[name]);
        if (fs.existsSync(source)) console.log((await measureModel(name, source)).join('\n'));
    }
} finally {
    fs.rmSync(path.dirname(reducedFile), { recursive: true });
}

async function measureModel(name, source) {
    const before = await bytesOf(source);
    const rows = [];
    for (const percent of TOLERANCES)
        rows.push([`poselane, ${percent}%`, ...(await reduceTo(source, percent, before))]);
    for (const [tool, models] of Object.entries(TOOLS)) {
        const [percent, gzip] = models[name];
        rows.push([tool, `${percent}%`, '', '', gzip, share(gzip, before.gzip), '']);
        if (percent > 0) rows.push(['poselane at its error', ...(await reduceTo(source, percent, before))]);
    }
    const { keys, bytes, gzip } = before;
    return [
        `### ${name}`,
        '',
        `The source has ${keys} keys, ${bytes} bytes, ${gzip} by gzip.`,
        '',
        table(['', 'error', 'keys', 'bytes', 'gzip', 'left', 's'], rows),
        '',
    ];
}

/** Reduces, and verifies. Throws if the verifier rejects the file. */
async function reduceTo(source, percent, before) {
    const maxError = `${percent}%`;
    const start = performance.now();
    const { bytes: file, extent } = await reduceFile(source, { maxError });
    const seconds = (performance.now() - start) / 1000;
    fs.writeFileSync(reducedFile, file);
    const { ok, worst } = await verifyReduced(source, reducedFile, { maxError });
    if (!ok) throw new Error(`verifyReduced rejects ${source} at ${maxError}`);
    const { keys, bytes, gzip } = await bytesOf(reducedFile);
    const error = Number((((worst?.error ?? 0) / extent) * 100).toPrecision(2));
    return [`${error}%`, keys, bytes, gzip, share(gzip, before.gzip), seconds.toPrecision(2)];
}

async function bytesOf(file) {
    return animationBytes(await readWhole(openSource('bench', file, 'file').files));
}

function share(part, whole) {
    return `${((part / whole) * 100).toFixed(1)}%`;
}
