// SPDX-License-Identifier: MIT
'use strict';

/**
 * Hashes of all kinds of bakes of the example, for test/long/bake/reproducible.test.ts and test/long/arm64.mjs. As a program it
 * prints those of the backend in POSELANE_BACKEND, as JSON.
 */

const { createHash } = require('node:crypto');
const path = require('node:path');

/** Every kind of array, layout, number and space, and all else that determines bytes. */
const RECIPES = {
    palette: {},
    'palette, mat3x4': { layout: 'mat3x4' },
    'palette, f16': { dtype: 'f16', maxError: 1 },
    'palette, mat3x4, f16, skin-root': { layout: 'mat3x4', dtype: 'f16', maxError: 1, space: 'skin-root' },
    hit: { emit: ['hit'] },
    jointBounds: { emit: ['jointBounds'] },
    'hit, some joints, skin-root': { emit: ['hit'], hitJoints: 'l', space: 'skin-root' },
    local: { emit: ['local'] },
    morph: { emit: ['palette', 'morph'] },
    bounds: { emit: ['bounds'] },
    'bounds, skin-root': { emit: ['bounds'], space: 'skin-root' },
    root: { emit: ['root'] },
    'in place, skin-root': { root: 'in-place', rootJoint: 'Head', rootMotion: 'xyz+rotation', space: 'skin-root' },
    everything: { emit: ['palette', 'hit', 'local', 'morph', 'bounds', 'root'], fps: 24 },
    'a rate that was found': { fps: 'auto', maxError: 1 },
    'a rate that was made to fit': { fps: 29.97, end: 'fit' },
    'a part of the clips': { fps: '24000/1001', from: 0.1, to: 0.63 },
    renormalized: { renormalize: true },
};

/**
 * Hashes of the bake of "everything" since `strict@1`: of the bin, and of the manifest without the messages of its warnings.
 * A difference breaks users who store or compare bakes. If it is intended (another kernel, or an addition to the manifest),
 * the test prints the new hashes: put them here, and say in the release notes that bakes differ. Other bits of poses
 * also need another STRICT_VERSION.
 */
const GOLDEN = {
    kernel: 'strict@1',
    bin: '84f5d4f6d1f05c7e5854be83625b7aa5f52413f564cd3bf38b4cda1186ef7492',
    manifest: '9ebfa3e50ef3ad85a7b5060d1c2fe2e2627d37ddc86633caac60f55e0358c8fd',
};

const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');

/** The properties of GOLDEN, of a bake. */
function goldenHashes({ json, bin }) {
    const manifest = JSON.parse(json);
    for (const warning of manifest.warnings) delete warning.message;
    return { kernel: manifest.recipe.kernel, bin: sha256(bin), manifest: sha256(JSON.stringify(manifest)) };
}

async function main() {
    const { bakeFile } = require('../../../dist/index.js');
    const { evaluationImplementation: poses } = require('../../../dist/rig/implementations.js');
    const model = path.join(__dirname, '../../../examples/character.glb');
    const bakes = {};
    let golden = null;
    for (const [name, options] of Object.entries(RECIPES)) {
        const { outputs } = await bakeFile(model, options);
        bakes[name] = outputs.map(({ json, bin }) => `${sha256(json)} ${sha256(bin)}`).join();
        if (name === 'everything') golden = goldenHashes(outputs[0]);
    }
    process.stdout.write(`${JSON.stringify({ poses, golden, bakes })}\n`);
}

module.exports = { GOLDEN, RECIPES, goldenHashes };

if (require.main === module) void main();
