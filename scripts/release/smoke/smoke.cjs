// SPDX-License-Identifier: MIT
'use strict';

/**
 * Runs an installed poselane: node smoke.cjs <folder of the package> <report.json> [model]
 *
 * The plain functions and the Rig run the golden cases, and the model is baked. The report has the hashes and the implementation. It is a
 * file, because Node in Wine has no stdout. Uses only functions that Node, Deno and Bun have.
 */

const { createHash } = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');
const sweep = require('../../../test/long/sweep/index.cjs');
const { builtRigs, hashRigs } = require('../../../test/long/sweep/rigs.cjs');

const [, , packageFolder, reportFile, model] = process.argv;
const folder = path.resolve(packageFolder);
const poselane = require(folder);

const runtime = globalThis.Bun ? 'Bun' : globalThis.Deno ? 'Deno' : 'Node';

function versionOf(name) {
    return name === 'Node' ? process.version.slice(1) : process.versions[name.toLowerCase()];
}

function loadedAddon() {
    const file = Object.keys(require.cache).find((name) => name.endsWith('.node'));
    return file === undefined ? null : path.relative(folder, file).replaceAll('\\', '/');
}

function kernelHashes() {
    const plain = sweep.plainImplementations(poselane);
    return Object.fromEntries(sweep.ROUTINE_NAMES.map((routine) => [routine, sweep.hashRoutine(routine, plain)]));
}

/** By the implementation of the plain functions. */
function rigHashes() {
    const rigs = builtRigs(undefined, path.join(folder, 'dist'));
    return hashRigs(rigs.filter(({ name }) => name === poselane.defaultImplementation));
}

async function bakeHash({ fps }) {
    const { outputs } = await poselane.bakeFile(model, { fps });
    return createHash('sha256').update(outputs[0].bin).digest('hex');
}

async function main() {
    const golden = JSON.parse(fs.readFileSync(path.join(__dirname, '../../../test/golden/character.json'), 'utf8'));
    const report = {
        runtime,
        version: versionOf(runtime),
        platform: `${process.platform}-${process.arch}`,
        backend: poselane.backend,
        implementation: poselane.defaultImplementation,
        available: poselane
            .implementations()
            .filter((one) => one.available)
            .map(({ name }) => name),
        addon: loadedAddon(),
        reason: poselane.nativeLoadError === null ? null : String(poselane.nativeLoadError.cause),
        faults: [],
        hashes: kernelHashes(),
        rig: rigHashes(),
        bake: model === undefined ? null : await bakeHash(golden),
    };
    fs.writeFileSync(reportFile, JSON.stringify(report));
}

main().catch((error) => {
    fs.writeFileSync(reportFile, JSON.stringify({ error: error.stack }));
    process.exitCode = 1;
});
