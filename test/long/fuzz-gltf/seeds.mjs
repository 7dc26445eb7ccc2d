// SPDX-License-Identifier: MIT

/** The good files that are mutated: the example, the shared models if they are present, and the generated torture files. */

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';
import { root } from '../../../scripts/lib.mjs';

const require = createRequire(import.meta.url);
const { joinGlb } = require('./glb.cjs');

/** Larger files are seldom drawn: one takes as long as a hundred small ones. */
const LARGE_BYTES = 40_000;

const SHARED = ['Fox.glb', 'InterpolationTest', 'KayKit', 'RiggedFigure', 'SimpleSkin'];

/** The torture files are TypeScript, for jest. */
async function tortureScenes(folder) {
    const outfile = path.join(folder, 'torture.mjs');
    await esbuild.build({
        stdin: {
            contents: `export { SCENES, FAULTS } from './test/support/torture';
                export { doorFile, knightFile } from './test/support/rigid-files';
                export { skinnedModel } from './test/gltf/support/builder';
                export { dracoModel, encodeVertices } from './test/gltf/support/draco';`,
            resolveDir: root,
            loader: 'ts',
        },
        bundle: true,
        platform: 'node',
        format: 'esm',
        outfile,
        logLevel: 'error',
        // Child processes of the helpers look for packages from here.
        define: { __dirname: JSON.stringify(root) },
        banner: {
            js: `import { createRequire } from 'node:module'; const require = createRequire(${JSON.stringify(path.join(root, 'package.json'))});`,
        },
    });
    return import(pathToFileURL(outfile).href);
}

function* modelFiles() {
    yield path.join(root, 'examples/character.glb');
    const shared = path.join(root, '../shared/models');
    for (const name of SHARED) {
        const found = path.join(shared, name);
        if (!existsSync(found)) continue;
        if (name.endsWith('.glb')) yield found;
        else for (const file of readdirSync(found)) if (/\.gl(b|tf)$/.test(file)) yield path.join(found, file);
    }
}

/** The file with its data URI as a BIN chunk, so that a flipped bit is in a number and not in base64; null if it has several buffers. */
function asGlb(bytes) {
    const json = JSON.parse(Buffer.from(bytes).toString('utf8'));
    if (json.buffers?.length !== 1 || !/^data:/.test(json.buffers[0].uri ?? '')) return null;
    const [, data] = json.buffers[0].uri.split(',');
    delete json.buffers[0].uri;
    return joinGlb(Buffer.from(JSON.stringify(json)), Buffer.from(data, 'base64'));
}

function besideOf(file, bytes) {
    if (file.endsWith('.glb')) return [];
    const { buffers = [] } = JSON.parse(Buffer.from(bytes).toString('utf8'));
    return buffers.map(({ uri }) => uri).filter((uri) => uri !== undefined && !/^data:/.test(uri));
}

/**
 * Writes all seeds into a folder.
 *
 * @returns `[{ file, beside, weight }]`, names within the folder.
 */
export async function writeSeeds(folder) {
    mkdirSync(folder, { recursive: true });
    const seeds = [];
    const add = (name, bytes, beside = []) => {
        writeFileSync(path.join(folder, name), bytes);
        const weight = bytes.length > 20 * LARGE_BYTES ? 1 : bytes.length > LARGE_BYTES ? 8 : 100;
        seeds.push({ file: name, beside, weight });
    };
    for (const file of modelFiles()) {
        const bytes = readFileSync(file);
        const beside = besideOf(file, bytes);
        for (const name of beside) {
            writeFileSync(path.join(folder, name), readFileSync(path.join(path.dirname(file), name)));
        }
        add(path.basename(file), bytes, beside);
        const glb = file.endsWith('.glb') ? null : asGlb(bytes);
        if (glb !== null) add(`${path.basename(file, '.gltf')}.glb`, glb);
    }
    const torture = await tortureScenes(folder);
    const rigid = [torture.doorFile, torture.knightFile].map((write) => ({ write }));
    for (const scene of [...torture.SCENES, ...torture.FAULTS, ...rigid]) {
        if (scene.absent !== undefined) continue;
        const written = scene.write(folder);
        const file = typeof written === 'string' ? written : written.path;
        const bytes = readFileSync(file);
        const glb = file.endsWith('.glb') ? null : asGlb(bytes);
        if (glb === null) add(path.basename(file), bytes);
        else add(`${path.basename(file, '.gltf')}.glb`, glb);
    }
    add('skinned.glb', torture.skinnedModel().toGlb());
    add('skinned.gltf', torture.skinnedModel().toGltf());
    add('draco-fallback.glb', torture.dracoModel(torture.encodeVertices(), true).toGlb());
    writeFileSync(path.join(folder, 'seeds.json'), JSON.stringify(seeds));
    return seeds;
}
